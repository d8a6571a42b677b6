"""A campaign's random tables, and chances: what is rolled, found and refused. Monsters & Magic,
Dice."""

from __future__ import annotations

import pytest
import tomli
from tests.fallen_dice import FallenDice

from affray.core.commands.queries import answer_query
from affray.core.engine.history import History
from affray.core.engine.state import Encounter
from affray.core.parser.errors import Refused
from affray.core.rules.house_rules import with_house_rules
from affray.core.rules.reference import rule_texts
from affray.core.rules.ruleset import Ruleset
from affray.core.rules.tables import read_tables
from affray.rulesets import load_ruleset

FLOTSAM = """
[random.flotsam]
name = "Flotsam"
dice = "1d6"
rows = { "1-3" = "driftwood", "4-5" = "a sealed jar", "6" = "somebody's boot" }
"""


def with_rows(rows: str) -> Ruleset:
    return with_house_rules(load_ruleset("monsters-and-magic"), read_tables(tomli.loads(rows)))


def ask(line: str, *faces: int, rows: str = FLOTSAM) -> str:
    ruleset = with_rows(rows)
    found = answer_query(History(Encounter()), line, ruleset, FallenDice(faces))
    assert found is not None
    return found.lines[0]


@pytest.mark.parametrize(
    ("face", "found"),
    [(1, "driftwood"), (3, "driftwood"), (4, "a sealed jar"), (6, "somebody's boot")],
)
def test_a_random_table_finds_what_the_dice_show(face: int, found: str) -> None:
    """Monsters & Magic, What are Dice Used For: Random Tables."""
    assert ask("roll flotsam", face) == f"Flotsam: 1d6 → [{face}] {face}: {found}"


@pytest.mark.parametrize(
    ("face", "comes"), [(1, "it happens"), (30, "it happens"), (31, "it doesn't happen")]
)
def test_a_chance_comes_where_d100_shows_no_more(face: int, comes: str) -> None:
    """Monsters & Magic, What are Dice Used For: Percentage Chances."""
    assert ask("roll 30%", face) == f"30 % → [{face}] {comes}"
    assert ask("roll 30 %", face) == f"30 % → [{face}] {comes}"


def test_a_table_is_found_by_its_results() -> None:
    found = {rule.name: rule for rule in rule_texts(with_rows(FLOTSAM))}["Flotsam"]
    assert (found.sort, found.how) == ("table", ": roll flotsam, 1d6")
    assert "4-5 a sealed jar" in found.text


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("roll 130%", "expected a chance of 0 to 100 %"),
        ("roll flotsa", "did you mean flotsam?"),
        ("roll", "or the name of a table"),
        ("roll flotsam 2", "did not expect '2'"),
    ],
)
def test_what_can_not_be_rolled_is_refused(line: str, said: str) -> None:
    with pytest.raises(Refused) as refused:
        ask(line)
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (
            'dice = "1d4"\nrows = { "1-3" = "a" }',
            "[random.loot] rows: there is no row for 4 of 1d4",
        ),
        ('dice = "1d4"\nrows = { "1-3" = "a", "3-4" = "b" }', "3 is in '1-3' and in '3-4'"),
        (
            'dice = "1d4"\nrows = { "many" = "a" }',
            "[random.loot] rows: expected a total or a range",
        ),
        ('dice = "four"\nrows = {}', "[random.loot] dice: expected dice"),
        ('dice = "1d4"\nrow = {}', "[random.loot] has no field 'row'; did you mean rows?"),
    ],
)
def test_a_table_with_holes_is_refused(row: str, said: str) -> None:
    with pytest.raises(Refused) as refused:
        with_rows(f"[random.loot]\n{row}\n")
    assert said in str(refused.value)


def test_a_table_that_no_command_could_name_is_refused() -> None:
    with pytest.raises(Refused, match="its id must be lower-case words"):
        with_rows('[random."My Loot"]\ndice = "1d2"\nrows = { "1-2" = "a" }\n')

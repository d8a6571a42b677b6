"""docs/house-rules.md: each of its tables is loaded and played, or refused, as it says."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest
from tests.house.playing import GAMES, HouseFight, ruleset_with
from tests.house.test_house_fields import FIELDS

from affray.cli import main
from affray.core.parser.errors import Refused
from affray.core.rules.house_rules import IN_EVERY_GAME
from affray.core.rules.tables import TechniqueEffect, TechniqueRow
from affray.rulesets import load_ruleset
from affray.store.open_encounter import OpenEncounter

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "house-rules.md").read_text("utf-8")
BLOCKS = re.findall(r"^```([^\n]+)\n(.*?)^```", PAGE, re.M | re.S)


def behind(kind: str, answer: str) -> list[tuple[str, str, str]]:
    """Each block of TOML of that kind, with its game and with the block that follows it."""
    found = []
    for (head, rows), (next_head, told) in pairwise(BLOCKS):
        for game in GAMES:
            if head == f"toml {game}{kind}":
                assert next_head == (answer or game), rows
                found.append((game, rows, told))
    return found


def setup(game: str) -> list[str]:
    """The commands with which the examples of the game's commands begin."""
    text = (DOCS / "commands" / f"{game}.md").read_text("utf-8")
    (block,) = re.findall(rf"^```{game} setup\n(.*?)^```", text, re.M | re.S)
    return str(block).splitlines()


PLAYED = behind("", "")
REFUSED = behind(" refused", "text")


def test_every_block_is_one_of_these() -> None:
    assert len(BLOCKS) == 2 * len(PLAYED) + 2 * len(REFUSED)
    assert {game for game, _, _ in PLAYED} == {game for game, _, _ in REFUSED} == set(GAMES)


@pytest.mark.parametrize(("game", "rows", "told"), PLAYED, ids=lambda part: part.split("\n")[0])
def test_the_tables_are_played_as_it_says(game: str, rows: str, told: str) -> None:
    fight = HouseFight(ruleset_with(game, rows))
    fight.do(*setup(game))
    lines = told.splitlines()
    for command, said in zip(lines[::2], lines[1::2], strict=True):
        line = command.removeprefix("> ")
        assert line != command
        assert fight.told_of(line) == said


@pytest.mark.parametrize(("game", "rows", "told"), REFUSED, ids=lambda part: part.split("\n")[0])
def test_the_tables_that_it_says_are_refused_are(game: str, rows: str, told: str) -> None:
    with pytest.raises(Refused) as refusal:
        ruleset_with(game, rows)
    assert refusal.value.message.startswith(told.strip().partition(": ")[2])


@pytest.mark.parametrize(("game", "rows", "told"), REFUSED, ids=lambda part: part.split("\n")[0])
def test_check_names_the_fault(
    game: str, rows: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "encounters" / "one.toml"
    path.parent.mkdir()
    OpenEncounter.create(path, game, "One").close()
    (tmp_path / "rules.toml").write_text(rows, "utf-8")
    assert main(["check", str(path)]) == 0
    assert f"{tmp_path}/{told.strip()}" in capsys.readouterr().out
    assert main(["do", str(path), "start"]) == 2
    assert f"{tmp_path}/{told.strip()}" in capsys.readouterr().err


def rows_of(heading: str) -> list[list[str]]:
    """The rows of the table below a heading line, cell by cell."""
    table = PAGE.split(heading)[1].split("\n\n")[0].strip().splitlines()[1:]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]] for row in table]


def named(cell: str) -> set[str]:
    return set(re.findall(r"`([^`]+)`", cell))


def test_every_field_that_means_the_same_in_all_is_told() -> None:
    told = rows_of("| field | what it says |")
    assert set().union(*(named(cell) for row in told for cell in row)) >= set(IN_EVERY_GAME) - {
        "needs_source"
    }
    assert "needs_source = true" in PAGE


@pytest.mark.parametrize(("column", "game"), enumerate(GAMES, start=1))
def test_the_table_of_fields_is_what_the_games_read(column: int, game: str) -> None:
    """Where the tables say which words there are, the cell says what they are."""
    reads, techniques = load_ruleset(game).schema.effects, load_ruleset(game).tables.techniques
    rows = rows_of("| field | Monsters & Magic | Orcus | Level Up | Adventure School | 5e |")
    assert [row[0].strip("`") for row in rows] == list(dict.fromkeys(FIELDS))
    for row in rows:
        field, cell = row[0].strip("`"), row[column]
        assert bool(cell) == (field in reads), field
        words = reads.get(field)
        if words is not None:
            by_id = {*words} & {*techniques} if "techniques by their ids" in cell else set()
            assert named(cell) | by_id == set(words), field


def test_every_field_of_a_technique_is_told() -> None:
    table = PAGE.split("## Techniques")[1].split("| field | what it says |")[1]
    told = named(table.split("\n\n")[0])
    fields = {*TechniqueRow.__struct_fields__, *TechniqueEffect.__struct_fields__} - {"command"}
    assert fields <= told
    for game in GAMES:
        reads = load_ruleset(game).schema
        assert {*reads.cost, *reads.repeat} <= told

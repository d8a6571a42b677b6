"""What is promised for every command of a game: a slip of each kind is told, our games have none.

Our games are held here by a part of the rule cases; `make by-keys` plays all of them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.testing.lines import CASES, faults_of_cases

from affray import Fight
from affray.core.rules.house_rules import with_house_rules
from affray.core.rules.ruleset import InitiativeRules, Ruleset
from affray.core.rules.tables import read_tables
from affray.new_ruleset import write_ruleset
from affray.odds.simulation import odds_of
from affray.rulesets import load_ruleset
from affray.testing import conforms
from affray.testing.conformance import faults_of

EVERY = 40
"""Of so many cases the first is played here."""
SETUP = (
    "add pc Mira hp 20 ac 14 might 3",
    "add monster Ghoul hp 9 ac 12",
    "init mira 15",
    "init ghoul 8",
    "start",
)
TABLE, CREATURES, FIGHTING = "tables/hedge.toml", "creatures.py", "fighting.py"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a game's modules, as `affray new ruleset hedge` writes them."""
    folder = write_ruleset("hedge", tmp_path)
    monkeypatch.syspath_prepend(folder)
    yield folder / "hedge"
    for module in [name for name in sys.modules if name.split(".")[0] == "hedge"]:
        del sys.modules[module]


def game(project: Path, file: str = "", was: str = "", now: str = "") -> Ruleset:
    """The game, with one slip."""
    if file:
        text = (project / file).read_text("utf-8")
        assert was in text
        (project / file).write_text(text.replace(was, now), "utf-8")
    from hedge import RULESET  # type: ignore[import-not-found]

    assert isinstance(RULESET, Ruleset)
    return RULESET


def told(ruleset: Ruleset, *lines: str) -> str:
    with pytest.raises(AssertionError) as raised:
        conforms(ruleset, *lines)
    return str(raised.value)


def test_a_new_game_holds(project: Path) -> None:
    conforms(game(project))
    conforms(game(project), *SETUP, "strike ghoul natural 15", "guard", "next", "damage mira 3")


FROB = """

def _frob(ctx: Context, args: DamageArgs) -> None:
    raise arguments.Refused("nobody can frob")


FROB = declare_command("frob", "is no use", DamageArgs, _frob)
"""
ROLL = 'checks.roll_extra_dice(ctx, combatant.id, "1d6", "damage", args.target.id)'
SAYS = 'ctx.text = f"{combatant.name} strikes {args.target.name}: {outcome}"'
KEPT = "    global STRUCK\n    STRUCK = globals().get('STRUCK', 0) + 1\n"


@pytest.mark.parametrize(
    ("file", "was", "now", "why"),
    [
        (FIGHTING, ROLL, "ctx.dice.die(6)", "a d6 is nobody's: roll it"),
        (FIGHTING, SAYS, f"{KEPT}    lose_hp(ctx, args.target, STRUCK)\n    {SAYS}", "is kept"),
        (FIGHTING, "{outcome}", "+3 {outcome}", "read aloud, has the sign in '+3'"),
        (FIGHTING, SAYS, "ctx.text = 'a\\nb'", "the log should have one line of it, but has"),
        (CREATURES, "ctx.text = f", "args.peple\n    ctx.text = f", "'peple'"),
        (TABLE, "{ ac = 2 }", "{ acc = 2 }", "the schema is refused: [effects.guarded] modifiers"),
        (FIGHTING, 'else "miss"', 'else "mis"', "the code is refused: fighting.py, line 66: "),
        (TABLE, 'attack = { label = "Attacks" }\n', "", "[totals] has no 'attack'"),
    ],
)
def test_a_slip_is_told_with_the_command(
    project: Path, file: str, was: str, now: str, why: str
) -> None:
    assert why in told(game(project, file, was, now), *SETUP, "strike ghoul hit")


def test_an_error_is_told_with_its_place_in_the_game(project: Path) -> None:
    ruleset = game(project, CREATURES, "ctx.text = f", "args.peple\n    ctx.text = f")
    assert "AttributeError" in told(ruleset) and "(creatures.py, line 48)" in told(ruleset)


def test_a_command_that_no_key_comes_to_is_told(project: Path) -> None:
    text = (project / CREATURES).read_text("utf-8")
    (project / CREATURES).write_text(f"{text}{FROB}", "utf-8")
    ruleset = game(project, "__init__.py", "creatures.DAMAGE,", "creatures.DAMAGE, creatures.FROB,")
    assert "no key gives `frob` here" in told(ruleset)


def test_a_game_without_initiative_holds_and_is_played_out_in_the_order_of_its_list(
    project: Path,
) -> None:
    ruleset = replace(game(project), initiative=InitiativeRules(), usual_attack="strike")
    conforms(ruleset)
    fight = Fight(ruleset, seed=1)
    fight.do("add pc Mira hp 20 ac 14 might 3", "add monster Ghoul hp 9 ac 12")
    assert odds_of(fight, 5).wins("party").value > 0


def test_a_usual_attack_that_nobody_can_give_is_told(project: Path) -> None:
    ruleset = game(project, "__init__.py", "    schema=", '    usual_attack="guard",\n    schema=')
    assert "affray odds has no result: nobody can give `guard NAME roll`" in told(ruleset)


def test_a_line_that_is_refused_is_told(project: Path) -> None:
    assert "`strike odo hit` is refused: nobody here is called" in told(
        game(project), *SETUP, "strike odo hit"
    )


def test_the_command_stays_done(project: Path) -> None:
    fight = Fight(game(project), seed=1)
    fight.do(*SETUP)
    assert [*faults_of(fight, "damage mira 3")] == [] and fight["mira"].hp == 17


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_the_commands_of_the_cases_hold(path: Path) -> None:
    assert faults_of_cases(path, EVERY) == []


def test_a_fight_of_plain_holds_whole() -> None:
    counter = read_tables({"tracks": {"luck": {"label": "Luck"}}})
    ruleset = with_house_rules(load_ruleset("plain"), counter)
    setup = ("add pc Mira hp 9 luck 2", "add monster Ghoul hp 9", "init all roll", "start")
    conforms(ruleset, *setup, "count mira luck -1")

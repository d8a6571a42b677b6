"""A bonus that lasts until it is used counts in one roll of its kind, and is gone behind it.

In every game a check has one course."""

from __future__ import annotations

from pathlib import Path

import pytest

import affray
from affray import Fight
from affray.core.engine.events import Rolled

MIRA = 'add pc Mira hp 30 ac 15 attack "Sword"'
SHEETS = {
    "monsters-and-magic": (f"{MIRA} 1d8 slashing power 1 cunning 1", "ongoing"),
    "orcus": (f"{MIRA} +5 vs ac 1d8", "modifier"),
    "level-up": (f"{MIRA} +5 1d8 slashing", "modifier"),
    "5e": (f"{MIRA} +5 1d8 slashing", "modifier"),
    "adventure-school": (f"{MIRA} +5 1d8 slashing", "modifier"),
}
ROLLS = [
    ("monsters-and-magic", "mira", "attack", "strike ghoul natural 4 by mira"),
    ("monsters-and-magic", "mira", "check", "check mira power natural 9"),
    ("monsters-and-magic", "mira", "save", "check mira power natural 9 save"),
    ("monsters-and-magic", "mira", "initiative", "init mira natural 9"),
    ("orcus", "mira", "attack", "attack ghoul natural 4 by mira"),
    ("orcus", "mira", "check", "check mira athletics natural 9 dc 15"),
    ("orcus", "mira", "check", "check mira athletics natural 9"),
    ("orcus", "mira", "perception", "check mira perception natural 9 dc 15"),
    ("orcus", "mira", "save", 'save mira "the pit" natural 9'),
    ("orcus", "mira", "initiative", "init mira natural 9"),
    ("level-up", "mira", "attack", "attack ghoul natural 4 by mira"),
    ("level-up", "mira", "check", "check mira wis natural 9 dc 15"),
    ("level-up", "mira", "save", "check mira wis save natural 9 dc 15"),
    ("level-up", "mira", "initiative", "init mira natural 9"),
    ("5e", "mira", "attack", "attack ghoul natural 4 by mira"),
    ("5e", "mira", "check", "check mira wis natural 9 dc 15"),
    ("5e", "mira", "save", "check mira wis save natural 9 dc 15"),
    ("5e", "mira", "test", "check mira wis save natural 9 dc 15"),
    ("5e", "mira", "initiative", "init mira natural 9"),
    ("adventure-school", "mira", "attack", "attack ghoul natural 4 by mira"),
    ("adventure-school", "mira", "check", "check mira strength natural 9 dc 15"),
    ("adventure-school", "mira", "save", "save mira health natural 9 dc 15"),
    ("adventure-school", "mira", "check", "contest mira strength natural 9 vs ghoul agility roll"),
    ("adventure-school", "mira", "initiative", "init mira natural 9"),
    ("adventure-school", "ghoul", "attacked", "attack ghoul natural 4 by mira"),
]


def _fight(game: str) -> Fight:
    fight = Fight(game, seed=1)
    fight.do(SHEETS[game][0], "add monster Ghoul hp 200 ac 30")
    return fight


def _rolled(fight: Fight, line: str) -> Rolled:
    fight.do(line)
    rolls = [event for event in fight.entries[-1].events if isinstance(event, Rolled)]
    return next(roll for roll in rolls if roll.who == "mira")


@pytest.mark.parametrize(("game", "bearer", "kind", "line"), ROLLS)
def test_a_bonus_until_used_counts_in_one_roll_alone(
    game: str, bearer: str, kind: str, line: str
) -> None:
    fight, verb = _fight(game), SHEETS[game][1]
    usual = _rolled(fight, line).total or 0
    fight.do(f"{verb} {bearer} +2 {kind} until used")
    assert len(fight[bearer].effects) == 1
    assert _rolled(fight, line).total == usual + 2
    assert fight[bearer].effects == []
    assert _rolled(fight, line).total == usual


@pytest.mark.parametrize("game", ["orcus", "level-up", "5e"])
def test_a_bonus_to_ac_until_used_counts_against_one_attack_alone(game: str) -> None:
    fight, attack = _fight(game), "attack ghoul natural 4 by mira"
    fight.do("modifier ghoul +2 ac until used")
    assert [_rolled(fight, attack).dc for _ in range(2)] == [32, 30]
    assert fight["ghoul"].effects == []


def test_no_game_makes_a_check_of_its_own() -> None:
    """Each is a `mechanics.checks.Check`, so that all of them take the same course; a roll that is
    made again is the old one with other faces."""
    folder = Path(affray.__file__).parent / "rulesets"
    files = {str(path.relative_to(folder)): path for path in sorted(folder.rglob("*.py"))}
    assert [name for name, path in files.items() if '"1d20' in path.read_text("utf-8")] == []

"""A fight of Orcus that tests play: command lines in, what `affray show --json` prints out."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest
from tests.played import PlayedFight

BRANNOC = (
    "add pc Brannoc hp 44 ac 18 fort 16 ref 14 will 13 init 3 recoveries 8"
    " attack Sword +7 vs ac 1d8+4"
)
MIRA = (
    "add pc Mira hp 30 ac 15 fort 12 ref 16 will 15 init 5 recoveries 6 bluff 9 heal 7"
    " attack Bow +8 vs ac 1d10+3 ranged"
)
GOBLINS = (
    "add monster Goblin x2 hp 26 ac 16 fort 13 ref 14 will 12 init 4 attack Axe +6 vs ac 1d8+3"
)
OTHERS = (MIRA, GOBLINS)
PEOPLE = (BRANNOC, *OTHERS)
ORDER = ("init brannoc 17", "init mira 12", "init goblin-1 10", "init goblin-2 10", "start")


class Fight(PlayedFight):
    """A fight of Orcus."""

    RULESET = "orcus"
    PEOPLE = PEOPLE
    ORDER = ORDER

    def hp(self, who: str) -> int:
        """The HP that are left; below 0 for the dying."""
        return self.track(who, "hp")

    def actions(self, who: str) -> tuple[int, int, int]:
        """What is left of a turn: standard, move and swift actions."""
        return self.track(who, "standard"), self.track(who, "move"), self.track(who, "swift")


@pytest.fixture
def usual() -> Callable[..., Fight]:
    """Makes the usual fight, in which Brannoc has what is said as well, and goes on by the lines.

    `more` are lines before the order is made.
    """

    def make(brannoc: str = "", *lines: str, more: Iterable[str] = ()) -> Fight:
        return Fight(f"{BRANNOC} {brannoc}", *OTHERS, *more, *ORDER, *lines)

    return make


@pytest.fixture
def new_fight() -> Callable[..., Fight]:
    """Makes a fight from command lines; `faces` are the dice that they roll."""
    return Fight

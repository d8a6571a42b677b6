"""A fight that tests of the rules play: command lines in, what `affray show --json` prints out."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.played import PlayedFight

PEOPLE = (
    "add pc Brannoc hp 30 ac 4 power 2 cunning 1 focus 0 luck 1 pb 2",
    "add pc Mira hp 24 ac 2 power 0 cunning 3 focus 2 luck 2 pb 1",
    "add monster Ghoul x2 cr 2 hp 18 ac 2 fatigue 3 exhaustion 2",
)
ORDER = ("init brannoc 17", "init mira 12", "init ghoul-1 10", "init ghoul-2 9", "start")


class Fight(PlayedFight):
    """A fight of Monsters & Magic."""

    RULESET = "monsters-and-magic"
    PEOPLE = PEOPLE
    ORDER = ORDER

    def fatigue(self, who: str) -> tuple[int, int]:
        """What is marked: fatigue and exhaustion."""
        return self.track(who, "fatigue"), self.track(who, "exhaustion")

    def cost(self, who: str, technique: str) -> dict[str, int]:
        """What a technique costs now."""
        cost: dict[str, int] = self.option(who, technique)["cost"]
        return cost

    @property
    def gm_threads(self) -> int:
        """The GM's threads."""
        return int(self.shown["gm"]["threads"])


@pytest.fixture
def new_fight() -> Callable[..., Fight]:
    """Makes a fight from command lines."""
    return Fight

"""A fight of Level Up that tests play: command lines in, what `affray show --json` prints out."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest
from tests.played import PlayedFight

BRANNOC = (
    "add pc Brannoc hp 40 ac 17 init 1 speed 30 level 5 pb 3 str 4 dex 1 con 2 wis 1 saves str,con"
    " skills athletics maneuver-dc 15 shield 2 attacks 2 attack sword +7 1d8+4 slashing melee"
    " attack hatchet +7 1d6+4 slashing melee thrown dual-wielding"
    " attack maul +7 2d6+4 bludgeoning melee heavy"
)
MIRA = (
    "add pc Mira hp 24 ac 14 init 3 speed 30 level 3 pb 2 dex 3 int 1 wis 2 saves dex,int"
    " skills stealth,medicine maneuver-dc 13 size small spell 4"
    " attack rapier +5 1d8+3 piercing melee attack dagger +5 1d4+3 piercing melee thrown"
    " dual-wielding attack bow +5 1d8+3 piercing ranged"
)
GHOULS = (
    "add monster Ghoul x2 hp 22 ac 12 speed 30 hit-dice 5 str 1 dex 2 int -2 passive-perception 10"
    " maneuver-dc 12 attack claws +4 2d4+2 slashing melee"
)
PEOPLE = (BRANNOC, MIRA, GHOULS)
ORDER = ("init brannoc 17", "init mira 12", "init ghoul-1 10", "init ghoul-2 9", "start")


class Fight(PlayedFight):
    """A fight of Level Up."""

    RULESET = "level-up"
    PEOPLE = PEOPLE
    ORDER = ORDER

    def hp(self, who: str) -> int:
        """The HP that are left."""
        return self.track(who, "hp")

    def tired(self, who: str) -> tuple[int, int]:
        """Levels of fatigue and of strife."""
        return self.track(who, "fatigue"), self.track(who, "strife")

    def felt(self, who: str) -> int:
        """The levels of fatigue that are felt."""
        return self[who].tracks["fatigue"].felt

    def counted(self, who: str) -> tuple[int, int]:
        """Death saves that failed, and those that succeeded."""
        return self.track(who, "death_failures"), self.track(who, "death_successes")


@pytest.fixture
def new_fight() -> Callable[..., Fight]:
    """Makes a fight from command lines; `faces` are the dice that they roll."""
    return Fight


@pytest.fixture
def with_more() -> Callable[..., Fight]:
    """Makes the usual fight with more people, who are added by the lines."""

    def make(*more: str, then: Iterable[str] = ()) -> Fight:
        names = [line.split()[2].casefold() for line in more]
        inits = [f"init {name} {8 - n}" for n, name in enumerate(names)]
        return Fight(*PEOPLE, *more, *ORDER[:-1], *inits, "start", *then)

    return make

"""A fight of Adventure School that tests play: lines in, what `affray show --json` prints out."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.played import PlayedFight

BRANNOC = (
    "add pc Brannoc hp 40 ac 16 init 2 health 4 social 0 strength 7 agility 3 endurance 5 seeking 2"
    " stamina 4 attacks 2 attack axe +6 vs ac 1d8+4 slashing"
    " attack rapier +3 vs ac 1d6+3 piercing threat 2 ability Second Wind fast stamina 1"
    " ability Hew stamina 2 +8 vs ac 2d6+4 slashing"
)
MIRA = (
    "add pc Mira hp 30 ac 14 init 4 health 2 social 3 agility 5 roguery 6 tumbling 8 seeking 4"
    " spellcraft 7 performance 6 spirit 5 spellburn d10"
    " attack dagger +5 vs ac 1d4+3 piercing light attack hatchet +4 vs ac 1d6+2 slashing"
    " attack crossbow +6 vs ac 1d10 piercing ranged two-handed loading"
    " ability Spark spellburn ability Ember minor-spellburn ability Thorns control 6"
)
GHOULS = (
    "add monster Ghoul x2 hp 24 ac 13 init 1 health 3 social 1 strength 5 agility 2 seeking 1"
    " attack claws +5 vs ac 1d6+2 slashing"
)
PEOPLE = (BRANNOC, MIRA, GHOULS)
ORDER = ("init brannoc 17", "init mira 12", "init ghoul-1 10", "init ghoul-2 9", "start")


class Fight(PlayedFight):
    """A fight of Adventure School."""

    RULESET = "adventure-school"
    PEOPLE = PEOPLE
    ORDER = ORDER

    def hp(self, who: str) -> int:
        """The HP that are left."""
        return self.track(who, "hp")

    def dice(self, who: str, rolls: str) -> str:
        """How rolls of a kind fall: `normal`, `advantage` or `disadvantage`."""
        return str(self.who(who)["totals"][f"{rolls}_dice"])

    @property
    def order(self) -> list[str]:
        """Who stands where."""
        return list(self.shown["order"])


@pytest.fixture
def new_fight() -> Callable[..., Fight]:
    """Makes a fight from command lines; `faces` are the dice that they roll."""
    return Fight

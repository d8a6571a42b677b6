"""A fight of the plain game that tests play, with a counter that a campaign named."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from tests.played import PlayedFight

from affray.core.rules.house_rules import with_house_rules
from affray.core.rules.tables import read_tables

RULES = {
    "tracks": {
        "luck": {"label": "Luck", "shown": "pips", "everybody": True},
        "stress": {"label": "Stress", "counts": "marked"},
        "debt": {"label": "Debt", "below": True},
    },
    "effects": {"shaken": {"modifiers": {"attack": -2}, "until": "it has rested"}},
}


class Fight(PlayedFight):
    """A fight of the plain game."""

    RULESET = "plain"

    def __init__(self, *lines: str, faces: Iterable[int] = ()) -> None:
        super().__init__()
        self.ruleset = with_house_rules(self.ruleset, read_tables(RULES))
        self.do(*lines, faces=faces)


@pytest.fixture
def fight() -> Fight:
    """Mira is up in round 1; Ghoul 1 and Ghoul 2 follow."""
    return Fight(
        "add pc Mira hp 20 ac 14 init 2 luck 3 stress 4 debt 9",
        "add monster Ghoul x2 hp 9 resist cold vulnerable fire immune poison",
        "init mira 15",
        "init ghoul-1,ghoul-2 8",
        "start",
    )

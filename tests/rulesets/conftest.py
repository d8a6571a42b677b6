"""The usual fight of a game, whose own `conftest` says what fights of it are
(`create_loose_encounter`)."""

from __future__ import annotations

import pytest
from tests.played import PlayedFight


@pytest.fixture
def fight(new_fight: type[PlayedFight]) -> PlayedFight:
    """Brannoc is up in round 1; Mira and two monsters follow."""
    return new_fight(*new_fight.PEOPLE, *new_fight.ORDER)


@pytest.fixture
def gathered(new_fight: type[PlayedFight]) -> PlayedFight:
    """The same people, before the fight."""
    return new_fight(*new_fight.PEOPLE)

"""A spell or a power asks for no damage where it deals none, and offers no letter of a roll where
nothing is rolled. All of it may be said all the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from affray.tui.widgets.prompt import PromptWidget

Play = Callable[..., Any]

FIGHT = """
add pc Sefa hp 24 ac 12 int 4 pb 3 spell 7 spell-dc 15 slots 4,3,2 \
spells Fireball,"Hold Person","Magic Missile"
add monster Ghoul x2 hp 70 ac 15 dex 2 power Stare save con dc 12 inflicts frightened \
power Breath save con dc 12 4d6 fire half
init sefa 18
init ghoul-1 8
init ghoul-2 8
start
"""


@pytest.fixture
def play(played: Play, game_of: Play) -> Play:
    return lambda turns="", ruleset="5e": game_of(played(FIGHT + turns, ruleset=ruleset))


@pytest.mark.parametrize(("keys", "asks"), [("Cho⇥2", False), ("Cf⇥2", True)])
async def test_a_spell_against_which_nothing_but_conditions_falls_asks_for_no_damage(
    play: Play, keys: str, asks: bool
) -> None:
    async with play() as game:
        await game.type(f"{keys}⇥f")
        assert ("damage" in game.row(PromptWidget)) is asks
        if not asks:
            await game.type("↵")
            assert game.who("ghoul-1").named("paralyzed") and not game.line.is_open


async def test_its_damage_is_among_what_more_may_be_said(play: Play) -> None:
    async with play() as game:
        await game.type("Cho⇥2⇥f⇥dam⇥7↵")
        assert game.last == 'cast "Hold Person" at ghoul-1 failure 7'


@pytest.mark.parametrize(("keys", "asks"), [("ps⇥1", False), ("pb⇥1", True)])
async def test_nor_does_a_power_that_hurts_nobody(play: Play, keys: str, asks: bool) -> None:
    async with play("next\n") as game:
        await game.type(f"{keys}⇥s")
        assert ("damage" in game.row(PromptWidget)) is asks


async def test_what_speaks_for_a_roll_is_offered_where_something_is_rolled(play: Play) -> None:
    async with play() as game:
        await game.type("Cf⇥2⇥")
        assert "A advantage" in game.row(PromptWidget, 1)
        await game.type("⎋Cm⇥2⇥")
        assert "advantage" not in game.row(PromptWidget) + game.row(PromptWidget, 1)
        await game.type("A")
        assert game.line.prompt.trouble
        await game.type("9↵")
        assert game.last == 'cast "Magic Missile" at ghoul-1 9'

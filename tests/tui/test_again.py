"""The last act of whoever acts, once more: its answers stand, its dice fall anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.fallen_dice import FallenDice

from affray.tui.widgets.prompt import PromptWidget

MONSTERS = """
add monster "Ghoul 1" cr 2 hp 18 ac 2 fatigue 3 exhaustion 2 attack claws 1d6+2 slashing
add pc Brannoc hp 30 ac 0 power 2 cunning 1 luck 1 pb 2 attack axe 1d8 slashing
add pc Mira hp 24 ac 2 power 0 cunning 3 luck 2 pb 1
init ghoul-1 17
init brannoc 12
init mira 10
start
"""
FIFTH = """
add monster "Ghoul 1" hp 22 ac 12 pb 2 dex 2 attack claws +4 2d4+2 attack bite +2 2d6+2
add pc Oda hp 31 ac 18 pb 2 str 3 attack mace +5 1d6+3 bludgeoning
add pc Mira hp 24 ac 14 pb 2
init ghoul-1 17
init oda 12
init mira 10
start
"""
Play = Callable[..., Any]


@pytest.fixture
def play(played: Callable[..., Any], game_of: Callable[..., Any]) -> Play:
    """A fight in which Ghoul 1 (1) is up; these faces fall for it."""

    def open_(fight: str, *faces: int, ruleset: str = "monsters-and-magic") -> Any:
        encounter = played(fight, ruleset=ruleset)
        encounter.dice = FallenDice(faces)
        return game_of(encounter, (80, 24))

    return open_


async def test_a_monsters_act_is_done_again_by_two_keys_and_its_dice_fall_anew(play: Play) -> None:
    async with play(FIFTH, 15, 4, 4, 2, ruleset="5e") as game:
        await game.type(":attack mira roll with bite↵")
        await game.type("<space><space><space>n")
        assert "Attack again › Mira" in game.row(PromptWidget)
        await game.type("↵")
        assert game.last == "attack mira roll with bite"


async def test_an_act_that_cannot_be_paid_again_says_why(play: Play) -> None:
    async with play(FIFTH, 2, 2, ruleset="5e") as game:
        await game.type("s2↵n")
        assert "Attack: action used" in game.row(PromptWidget)


async def test_what_a_player_rolled_is_asked_again(play: Play) -> None:
    async with play(MONSTERS) as game:
        await game.type("<space>s1s8↵")
        assert game.last == "strike ghoul-1 strong 8"
        await game.type("<space><space><space>n↵")
        assert game.who("ghoul-1").track("hp") < 18
        assert game.last == "next"
        await game.type("w3↵")
        assert game.last == "strike ghoul-1 weak 3"


async def test_an_act_without_dice_is_done_again_and_barred_when_it_can_not_be(play: Play) -> None:
    async with play(FIFTH, ruleset="5e") as game:
        await game.type("d")
        assert game.last == "dodge"
        await game.type("n")
        assert "Dodge: action used" in game.row(PromptWidget)
        await game.type("<escape><space><space><space>n")
        assert "Dodge again" in game.row(PromptWidget)
        await game.type("↵")
        assert game.last == "dodge"


async def test_whoever_has_done_nothing_has_nothing_to_do_again(play: Play) -> None:
    async with play(FIFTH, ruleset="5e") as game:
        await game.type("n")
        assert "Ghoul 1 has done nothing recently to repeat" in game.row(PromptWidget)

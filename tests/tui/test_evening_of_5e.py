"""What an evening of 5e by keys has found: a breath in the order in which GMs say it, spells that
do nothing by dice, and commas between saves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.tui.test_areas import FIFTH

from affray.tui.widgets.prompt import PromptWidget

Play = Callable[..., Any]

DRAKE = """
add pc Mira hp 32 ac 12 dex 2 con 2 pb 3
add pc Odo hp 38 ac 18 wis 4 pb 3 spell 7 spell-dc 15 slots 4,3,2 \
spells "Healing Word",Shield,"Cure Wounds","Spiritual Weapon" spells Blast 3 8d6 fire save dex half
add monster Drake hp 120 ac 18 power "Fire Breath" 1d6 fire plus 4d6 cold save dex dc 17 half \
power "Ash Cloud" 2d6 fire save dex dc 13 inflicts blinded
init drake 20
init odo 12
init mira 9
start
"""
ODO_UP = f"{DRAKE}next\n"
TO_MIRA = "↵1"


@pytest.fixture
def play_5e(played: Play, game_of: Play) -> Play:
    return lambda fight: game_of(played(fight, ruleset="5e"), (120, 40))


async def test_what_a_save_halves_may_stand_in_front_of_it(play_5e: Play) -> None:
    """`1d6 fire ... save dex dc 17 half`: nobody is hurt before their save is known."""
    async with play_5e(DRAKE) as game:
        await game.type("pf↵1,2↵")
        assert [game.who(name).track("hp") for name in ("mira", "odo")] == [32, 38]
        await game.type("↵f")
        assert game.last == "withstand mira failure"
        fallen = 32 - game.who("mira").track("hp")
        await game.type("s")
        assert fallen >= 5 and 38 - game.who("odo").track("hp") in (fallen // 2, fallen // 2 - 1)


async def test_damage_in_front_of_a_save_that_halves_nothing_falls_for_all(play_5e: Play) -> None:
    async with play_5e(DRAKE) as game:
        await game.type("pa↵1↵")
        assert game.who("mira").track("hp") < 32


async def test_a_spell_of_ones_own_says_it_in_that_order_too(play_5e: Play) -> None:
    async with play_5e(ODO_UP) as game:
        await game.type("Cbl↵1↵28↵↵f")
        assert game.last == "withstand mira failure"
        assert game.who("mira").track("hp") == 4


@pytest.mark.parametrize("spell", ["he", "cu"])
async def test_a_spell_that_neither_attacks_nor_hurts_asks_for_no_roll(
    play_5e: Play, spell: str
) -> None:
    """Healing Word on the dying: an amount behind it would be a failed death save."""
    async with play_5e(f"{ODO_UP}damage mira 32\n") as game:
        await game.type(f"C{spell}{TO_MIRA}")
        assert "· damage" not in game.row(PromptWidget)
        assert "outcome" not in game.row(PromptWidget)
        await game.type("↵")
        assert game.last.endswith("at mira") and not game.line.is_open
        assert game.who("mira").track("death_failures") == 0


@pytest.mark.parametrize("saves", ["f,f,s", "ffs"])
async def test_commas_may_stand_between_saves(play_5e: Play, saves: str) -> None:
    async with play_5e(FIFTH) as game:
        await game.type("Cf⇥4-6")
        for key in saves:
            await game.type(key)
            assert "no answer" not in game.row(PromptWidget, 1)
        await game.type("28↵")
        assert game.last.endswith("failure,failure,success 28")


async def test_a_spell_that_attacks_is_cast_and_its_price_is_the_slot_alone(play_5e: Play) -> None:
    async with play_5e(ODO_UP) as game:
        await game.type("Csp↵3h9")
        assert "1 S2" in game.row(PromptWidget, 1) and "Ts" not in game.row(PromptWidget, 1)
        await game.type("↵")
        history = game.encounter.history
        assert history.entries[history.last].text == "Odo casts Spiritual Weapon at Drake, hit 9"

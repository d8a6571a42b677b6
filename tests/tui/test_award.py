"""XP and loot of the whole party by one prompt; the house rules have left its key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from affray.tui.widgets.prompt import PromptWidget

Play = Callable[..., Any]
FIGHT = "add pc Ann hp 9\nadd pc Bea hp 9\nadd monster Rat hp 2\n"


@pytest.mark.parametrize("word", ["xp", "loot", "gold"])
async def test_help_finds_it_by_what_a_gm_would_type(opened: Play, word: str) -> None:
    async with opened(FIGHT) as game:
        await game.type(f"?{word}")
        assert (game.sheet.row.pressed, game.sheet.row.label) == ("P", "XP and loot")


async def test_three_keys_give_it_to_all_and_one_takes_it_back(opened: Play) -> None:
    async with opened(FIGHT) as game:
        await game.type("P2")
        assert "Ann and Bea +2 XP, now 2" in game.row(PromptWidget, 1)
        await game.type("↵")
        assert [game.who(who).track("xp") for who in ("ann", "bea")] == [2, 2]
        await game.type("u")
        assert game.who("ann").track("xp") == 0


async def test_its_key_says_once_where_the_house_rules_are_now(opened: Play) -> None:
    async with opened(FIGHT) as game:
        await game.type("P")
        assert "P is xp and loot now: F2 is house rule" in game.row(PromptWidget, 1).replace(
            "XP", "xp"
        )
        await game.type("⎋<f2>player-dice app↵")
        assert game.last == "setting player-dice app"


@pytest.mark.parametrize("ruleset", ["orcus", "5e", "level-up", "adventure-school", "plain"])
async def test_a_game_that_counts_no_xp_has_no_such_key(
    played: Play, game_of: Play, ruleset: str
) -> None:
    async with game_of(played("", ruleset=ruleset)) as game:
        await game.type("P")
        assert not game.line.is_open and "F2 is house rule" in game.said


async def test_its_first_number_is_called_by_the_track_that_it_is_added_to(opened: Play) -> None:
    async with opened(FIGHT) as game:
        await game.type("P")
        assert "XP and loot › XP (if any)…" in " ".join(game.row(PromptWidget).split())

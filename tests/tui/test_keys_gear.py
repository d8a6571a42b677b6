"""What the sheet has at hand and stowed, by keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from affray.tui.widgets.prompt import PromptWidget

FIGHT = """
add pc Brannoc hp 30 cunning 1 attack axe 1d8 slashing attack bow 1d8 ranged
loadout brannoc 1 axe
loadout brannoc 2 bow
gear brannoc item Potion x3 hand 1 item Rope weight 1
add monster Ghoul hp 18
init brannoc 17
init ghoul 3
start
"""


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_what_is_stowed_is_picked_by_its_first_letters(
    opened: Callable[..., Any], size: tuple[int, int]
) -> None:
    async with opened(FIGHT, size) as game:
        await game.type("R")
        assert "swap  potion  rope  bow" in game.row(PromptWidget)
        await game.type("ro↵")
        assert "Brannoc retrieves Rope" in game.said


async def test_the_weapons_are_swapped_and_what_is_at_hand_is_used(
    opened: Callable[..., Any],
) -> None:
    async with opened(FIGHT, (120, 40)) as game:
        await game.type("Rs↵")
        assert "has bow in hand" in game.said
        await game.type("Up↵")
        assert "Brannoc uses Potion" in game.said
        assert game.who("brannoc").stats["items"][0] == {"name": "Potion", "count": 2}

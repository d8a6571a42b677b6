"""Letters without room beside what was answered go on in the row below, in a small window too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.tui.test_areas import FIFTH

from affray.tui.widgets.header_footer import Footer
from affray.tui.widgets.prompt import PromptWidget

Play = Callable[..., Any]


@pytest.mark.parametrize("typed", ["", "f", "ff"])
async def test_each_of_several_saves_is_asked_for_with_its_letters(
    played: Play, game_of: Play, typed: str
) -> None:
    async with game_of(played(FIFTH, ruleset="5e"), (80, 24)) as game:
        await game.type(f"Cf⇥4-6⇥{typed}")
        rows = game.row(PromptWidget) + game.row(PromptWidget, 1)
        assert "s success" in rows and "f fail" in rows


async def test_what_is_lacking_yet_is_said_below_the_letters(played: Play, game_of: Play) -> None:
    async with game_of(played(FIFTH, ruleset="5e"), (80, 24)) as game:
        await game.type("Cf⇥4-6⇥ff")
        assert "2 outcomes for 3" in game.row(Footer)


async def test_a_reason_against_it_stands_below_more_people_than_have_room(
    played: Play, game_of: Play
) -> None:
    fight = played(f"{FIFTH}cast Fireball at goblin-1,goblin-2 failure 20\n", ruleset="5e")
    async with game_of(fight, (80, 24)) as game:
        await game.type("Cf⇥")
        assert "Sefa has used a slot" in game.row(PromptWidget, 1)

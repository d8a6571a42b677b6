"""What is asked for is looked up without leaving the prompt."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from affray.store.open_encounter import OpenEncounter

Play = Callable[..., Any]


@pytest.mark.parametrize(
    ("typed", "name"),
    [("s", "Strike"), ("g3", "Grapple"), ("c3w", "weakened"), ("-3", "Damage")],
)
async def test_a_slash_in_a_prompt_opens_the_rules_with_what_is_asked_for(
    fight: OpenEncounter, game_of: Play, typed: str, name: str
) -> None:
    async with game_of(fight) as game:
        await game.type(typed)
        prompt, line = game.line.prompt, game.line.prompt.line
        await game.type("/")
        assert game.line.prompt is None
        assert game.sheet.row.name == name
        await game.type("⎋")
        assert not game.screen.sheet_pane.is_open
        assert game.line.prompt is prompt and prompt.line == line and not prompt.trouble


async def test_what_waits_is_looked_up_too(fight: OpenEncounter, game_of: Play) -> None:
    fight.do("damage brannoc 99")
    fight.do("next")
    async with game_of(fight) as game:
        while not game.screen.view.pending:
            fight.do("next")
            game.screen.publish()
        await game.type("↵")
        prompt = game.line.prompt
        await game.type("/")
        assert game.screen.sheet_pane.is_open and game.sheet.rows
        await game.type("⎋")
        assert game.line.prompt is prompt is not None


async def test_a_slash_in_a_text_is_a_letter(fight: OpenEncounter, game_of: Play) -> None:
    async with game_of(fight) as game:
        await game.type("yto/fro")
        assert not game.screen.sheet_pane.is_open
        assert game.line.prompt.line == 'note "to/fro"'


async def test_another_key_out_of_the_rules_leaves_the_prompt_behind(
    fight: OpenEncounter, game_of: Play
) -> None:
    async with game_of(fight) as game:
        await game.type("s/<f1>⎋")
        assert not game.screen.sheet_pane.is_open and game.line.prompt is None

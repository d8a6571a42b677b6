"""`:` in a prompt goes on as a typed command, with what is answered; `esc` comes back to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from affray.tui.widgets.prompt import PromptWidget

FIGHT = """\
add pc Mira hp 34 ac 13 init 3 pb 3 attack pin +6 1d4+3 piercing
add monster Ghoul x3 hp 22 ac 12 str 1 dex 2
init mira 18
init ghoul-1,ghoul-2,ghoul-3 8
start
"""


@pytest.fixture
def five(played: Callable[..., Any], game_of: Callable[..., Any]) -> Callable[[], Any]:
    return lambda: game_of(played(FIGHT, "The Ghouls", "5e"))


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ("s", "attack "),
        ("s3", "attack ghoul-2 "),
        ("s3n15", "attack ghoul-2 natural 15 "),
        ("-2,3h", "damage ghoul-1,ghoul-2 half ghoul-2 "),
        ("K1", "check mira "),
    ],
)
async def test_what_is_answered_stands_there_as_words_and_esc_asks_on(
    five: Callable[[], Any], keys: str, line: str
) -> None:
    async with five() as game:
        await game.type(keys)
        asked = game.line.prompt
        await game.type(":")
        assert game.line.bar.text == line
        await game.type("⎋")
        assert game.line.prompt is asked and game.line.bar is None


async def test_a_refused_prompt_offers_it_by_name_and_it_is_no_stray_key(
    five: Callable[[], Any],
) -> None:
    async with five() as game:
        await game.type(" 1s")
        assert game.line.prompt.barred
        assert ": types it" in game.row(PromptWidget)
        await game.type(":")
        assert game.line.bar.text.startswith("attack ")
        await game.type("⎋")
        assert game.line.prompt.barred


async def test_a_decision_that_waits_has_no_words_yet_and_comes_back(
    played: Callable[..., Any], game_of: Callable[..., Any]
) -> None:
    lines = "add pc Bel hp 30 ac 13 fortune 2d4\ninit bel 15\nstart"
    fight = played(lines, "The Ford", "adventure-school")
    async with game_of(fight) as game:
        await game.type(" ")
        waiting = game.line.prompt
        await game.type(":")
        assert game.line.bar.text == ""
        await game.type("⎋")
        assert game.line.prompt is waiting

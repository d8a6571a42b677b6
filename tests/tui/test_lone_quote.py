"""A lone quote in a prompt is said to be one; nothing else comes of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from affray.core.parser.errors import Refused
from affray.core.parser.tokens import tokenize
from affray.store.open_encounter import OpenEncounter
from affray.tui.prompts.preview import lacks_words


async def test_a_lone_quote_in_a_prompt_does_not_end_the_screen(
    stair: Callable[..., OpenEncounter], game_of: Callable[..., Any]
) -> None:
    async with game_of(stair()) as game:
        await game.type('c3⇥da⇥⇥"<shift+tab>')
        assert game.line.prompt is not None
        await game.type("⎋:note 'still here'↵")
        assert "still here" in game.encounter.history.undo_title


def test_a_line_that_does_not_come_apart_lacks_no_word() -> None:
    line = 'note "half'
    with pytest.raises(Refused) as raised:
        tokenize(line)
    assert not lacks_words(line, raised.value)
    assert lacks_words("damage mira", Refused("expected an amount", at=2))

"""The GM's hands in whole fights: keys go in, and every one is counted."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tests.tui.conftest import Game

from affray.core.engine.state import Combatant
from affray.tui.widgets.prompt import PromptWidget

Counted = tuple[int, str, str, str]
"""So many keys, the commands before, the keys themselves, and the command that comes of them."""


async def takes_so_many_keys(play: Callable[[str], Any], counted: Counted) -> None:
    """Holds that it is done by these keys, and that the prompt is closed then."""
    keys, before, typed, command = counted
    assert len(typed) == keys
    async with play(before) as game:
        await game.type(typed)
        assert game.last == command, game.row(PromptWidget) + game.row(PromptWidget, 1)
        assert not game.line.is_open


class Table:
    """A fight that is played at the table; in keys `{pell}` is the number before Pell."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.pressed = 0

    async def keys(self, *texts: str) -> None:
        for text in texts:
            assert ":" not in text, "what the rules make common needs no command bar"
            pressed = re.sub(r"\{([a-z0-9-]+)\}", lambda named: self.number(named[1]), text)
            self.pressed += len(pressed)
            await self.game.type(pressed)

    def number(self, who: str) -> str:
        """The number before somebody in the order, and the key that ends one that could grow."""
        numbers = self.game.encounter.state.by_number()
        found = next(number for number, c in numbers.items() if c.id == who)
        return f"{found}⇥" if any(str(n).startswith(f"{found}0") for n in numbers) else str(found)

    def who(self, who: str) -> Combatant:
        """Somebody as things stand."""
        return self.game.encounter.state[who]

    def first(self, side: str) -> str:
        """The number of the first of a side who still stands."""
        order = self.game.encounter.state.in_order()
        return self.number(next(c.id for c in order if c.side == side and c.life == "up"))

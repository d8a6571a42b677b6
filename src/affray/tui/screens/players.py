"""The players' view on the whole screen: live, and with nothing to press but what leaves it."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.geometry import Size
from textual.screen import Screen
from textual.widgets import Static

from affray.core.heart.history import History
from affray.core.language.refusal import Refused
from affray.core.telling.public.view import public
from affray.store.encounter import OpenEncounter
from affray.store.errors import LogError
from affray.tui.drawing import Line, text_of
from affray.tui.panes.players import players_lines
from affray.tui.shared import FOR_PLAYERS, app_of, close_once

LOOK_EVERY = 0.5
"""Seconds after which it is looked for news."""
STALE = "not up to date: the file can't be read now"
LEAVES = ("escape", "q", "enter", "ctrl+d")


class PlayersScreen(Screen[None]):
    """What the players may see of a fight. `alone`: nothing is behind it, and it follows the file
    by itself, which else the fight's own screen does."""

    AUTO_FOCUS = ""

    def __init__(self, encounter: OpenEncounter, alone: bool = False) -> None:
        super().__init__(classes=FOR_PLAYERS)
        self._encounter, self._alone = encounter, alone
        self._seen: tuple[History, int, bool] | None = None

    def compose(self) -> ComposeResult:
        """One text."""
        yield Static(id="players")

    def on_mount(self) -> None:
        """Show it, and look for news."""
        self.watch(self.app, "inks", self._draw, init=False)
        self.set_interval(LOOK_EVERY, self.look)
        self.look()

    def look(self) -> None:
        """Draw it anew, if there is anything new."""
        stale = self._alone and not self._follows()
        seen = (self._encounter.history, self._encounter.history.last, stale)
        if seen != self._seen:
            self._seen = seen
            self._draw()

    def _follows(self) -> bool:
        """Take in what others have saved; False when that can't be read."""
        try:
            self._encounter.follow()
        except (Refused, LogError):
            return False
        return True

    def on_resize(self) -> None:
        """Lines are made for a size."""
        self._draw()

    def _draw(self) -> None:
        inks = app_of(self).inks
        stale = self._seen is not None and self._seen[2]
        shown = public(self._encounter.history, self._encounter.ruleset)
        lines = players_lines(shown, Size(self.size.width, self.size.height - stale), inks)
        lines += [Line().column(3).add(STALE, inks.bad)] * stale
        self.query_one(Static).update(text_of(lines))

    async def on_key(self, event: events.Key) -> None:
        """Leave it; every other key does nothing."""
        event.stop()
        event.prevent_default()
        if event.key not in LEAVES:
            return
        if self._alone:
            await self.app.action_quit()
        else:
            close_once(self)

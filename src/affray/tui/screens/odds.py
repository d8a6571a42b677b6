"""How the fight is likely to end, reckoned while one looks on: it gets narrower until a key."""

from __future__ import annotations

from concurrent.futures import BrokenExecutor

from rich.text import Text
from textual import events, work
from textual.app import ComposeResult
from textual.screen import ModalScreen
from textual.widgets import Static
from textual.worker import get_current_worker

from affray.core.language.refusal import Refused
from affray.odds import Odds, Rules, reckon, words
from affray.tui.drawing import cut, plain
from affray.tui.fight_view import FightView
from affray.tui.shared import app_of, close_once

FIGHTS = 2000
FRAME_CELLS, FRAME_ROWS = 6, 4


class OddsScreen(ModalScreen[None]):
    """Reckons from the fight as it is shown; the next key closes it, and ends the reckoning."""

    def __init__(self, view: FightView, rules: Rules) -> None:
        super().__init__(classes="overlay")
        self._view, self._rules = view, rules
        self._lines = ["…"]

    def compose(self) -> ComposeResult:
        """One text in its frame."""
        sheet = Static(classes="why")
        sheet.border_title = Text("How it is likely to end, from here on")
        sheet.border_subtitle = Text("any key closes")
        yield sheet

    def on_mount(self) -> None:
        """Begin, beside the screen."""
        self._say()
        self._reckon()

    @work(thread=True)
    def _reckon(self) -> None:
        worker = get_current_worker()
        try:
            for odds in reckon(self._view.state, self._rules, FIGHTS):
                if worker.is_cancelled:
                    return
                app_of(self).call_from_thread(self._tell, odds)
        except (Refused, OSError, BrokenExecutor) as error:
            app_of(self).call_from_thread(self._show, [str(error)])

    def _tell(self, odds: Odds) -> None:
        self._show(words(self._view.state, self._view.ruleset.tables, odds))

    def _show(self, lines: list[str]) -> None:
        self._lines = lines
        self._say()

    def on_resize(self) -> None:
        """Lines are cut for a width."""
        self._say()

    def _say(self) -> None:
        sheet = self.query_one(Static)
        width = min(self.size.width * 92 // 100, 100) - FRAME_CELLS
        rows = max(self.size.height - FRAME_ROWS, 1)
        told = [cut(plain(line), width) for line in self._lines]
        if len(told) > rows:
            told = [*told[: rows - 1], f"+{len(told) - rows + 1} more"]
        inks = app_of(self).inks
        sheet.update(Text("\n".join(told), style=inks.plain, no_wrap=True))

    def on_key(self, event: events.Key) -> None:
        """Every key closes it."""
        event.stop()
        event.prevent_default()
        close_once(self)

    def on_click(self) -> None:
        """So does a click."""
        close_once(self)

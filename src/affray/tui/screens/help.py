"""The help of the list of fights; that of a fight is a sheet beside it."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.screen import ModalScreen

from affray.tui.panes.home_lines import KEYS
from affray.tui.panes.sheet import SheetPane
from affray.tui.pasting import clean
from affray.tui.shared import close_once, pressed_key
from affray.tui.sheets.keys import home_help
from affray.tui.sheets.sheet import SheetStep


class HomeHelp(ModalScreen[None]):
    """The same sheet over the list: typed words narrow it, esc clears them and then leaves."""

    def __init__(self) -> None:
        super().__init__(classes="overlay")

    def compose(self) -> ComposeResult:
        """The sheet alone."""
        yield SheetPane()

    def on_mount(self) -> None:
        """Show the keys."""
        self.query_one(SheetPane).open(home_help(KEYS))

    def on_key(self, event: events.Key) -> None:
        """Every key is for the sheet."""
        event.stop()
        event.prevent_default()
        pane, pressed = self.query_one(SheetPane), pressed_key(event)
        opened = pressed == "f1" or (pressed == "?" and pane.sheet and not pane.sheet.query)
        if opened or pane.feed(pressed) is SheetStep.LEFT:
            close_once(self)

    def on_paste(self, event: events.Paste) -> None:
        """What is pasted is typed."""
        event.stop()
        self.query_one(SheetPane).paste(clean(event.text))

"""One text over the fight, in its frame, until the next key or click."""

from __future__ import annotations

from abc import abstractmethod

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.widgets import Static

from affray.tui.drawing import Line, plain, text_of
from affray.tui.shared import app_of, close_once
from affray.tui.themes import Inks

FRAME = Size(6, 4)
SHARE, WIDEST = 92, 100
"""With `.why` in affray.tcss: it takes so many of 100 cells, and no more than these."""


class Overlay(ModalScreen[None]):
    """A text that is drawn as it fits."""

    def __init__(self, title: str) -> None:
        super().__init__(classes="overlay")
        self._title = title

    @abstractmethod
    def lines(self, size: Size, inks: Inks) -> list[Line]:
        """All of it, for so many cells and rows."""

    def compose(self) -> ComposeResult:
        """One text in its frame."""
        sheet = Static(classes="why")
        sheet.border_title = Text(plain(self._title))
        sheet.border_subtitle = Text("any key closes")
        yield sheet

    def on_mount(self) -> None:
        """Say it."""
        self.say()

    def on_resize(self) -> None:
        """Lines are made for a size."""
        self.say()

    def say(self) -> None:
        """Show the lines as they are now."""
        width = min(self.size.width * SHARE // 100, WIDEST) - FRAME.width
        room = Size(width, max(self.size.height - FRAME.height, 1))
        self.query_one(Static).update(text_of(self.lines(room, app_of(self).inks)))

    def on_key(self, event: events.Key) -> None:
        """Every key closes it."""
        event.stop()
        event.prevent_default()
        close_once(self)

    def on_click(self) -> None:
        """So does a click."""
        close_once(self)

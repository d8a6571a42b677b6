"""The line above the keys in which a screen that is no fight's asks for something."""

from __future__ import annotations

from rich.text import Text
from textual.widgets import Input

from affray.tui.drawing import plain


class AskedLine(Input):
    """A line to be typed, with what it asks for in its frame; it is there only while it asks."""

    def __init__(self) -> None:
        super().__init__(id="title")
        self.display = False
        self.cursor_blink = False

    @property
    def asks(self) -> bool:
        """Whether something is asked for now."""
        return self.display

    def ask(self, what: str, value: str, most: int, anew: bool = True) -> None:
        """Ask for something, of so many characters at most.

        The value is there to be changed: what is typed takes its place, or goes on behind it if it
        is not to be typed `anew`.
        """
        self.max_length, self.select_on_focus = most, anew
        self.value, self.cursor_position = value, len(value)
        self.border_title = Text(plain(what))  # a name is in it as it is, brackets and all
        self.display = True
        self.focus()

    def close(self) -> None:
        """Ask for nothing any more."""
        self.display = False
        self.screen.set_focus(None)

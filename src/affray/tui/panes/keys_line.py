"""The last line of a screen that is no fight's: its keys, or what was done or went wrong."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from affray.tui.drawing import Line, plain
from affray.tui.panes.pane import Pane


class KeysLine(Pane):
    """As many keys as there is room for, each with its label; or a message in their place."""

    def __init__(self, keys: Sequence[tuple[str, str]]) -> None:
        super().__init__(classes="header keys-line")
        self.keys = keys
        self.message = ""
        self.done = False

    def show(self, message: str, done: bool = False) -> None:
        """Say something in place of the keys; `done` says that it went well."""
        self.message, self.done = plain(message), done
        self.refresh()

    def line_count(self) -> int:
        """One line."""
        return 1

    def line(self, number: int, width: int) -> Line:
        """The message, else the keys."""
        line = Line().add(" ")
        if self.message:
            mark, ink = ("✓", self.inks.good) if self.done else ("✗", self.inks.bad)
            return line.add(f"{mark} {self.message}", ink)
        for key, label in self.keys:
            if line.width + cell_len(f"{key} {label}") + 2 <= width:
                line.add(key, self.inks.accent).add(f" {label}  ", self.inks.dim)
        return line

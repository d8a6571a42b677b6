"""The last line of a screen that is no fight's: its keys, or what was done or went wrong."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from affray.tui.drawing import Line, plain
from affray.tui.panes.pane import Pane


class KeysLine(Pane):
    """The keys of a screen, each with its label and what it does; or a message in their place."""

    def __init__(self, keys: Sequence[tuple[str, str, str]], *, id: str | None = None) -> None:
        super().__init__(id=id, classes="header keys-line")
        self.keys = keys
        self.message = ""
        self.asks = self.done = False

    def show(self, message: str, asks: bool = False, done: bool = False) -> None:
        """Say something in place of the keys, or ask it; `done` says that it went well."""
        self.message, self.asks, self.done = plain(message), asks, done
        self.refresh()

    def line_count(self) -> int:
        """One line."""
        return 1

    def line(self, number: int, width: int) -> Line:
        """The message, else the keys, as many as there is room for."""
        line = Line().add(" ")
        if self.asks:
            return line.add(self.message, self.inks.strong)
        if self.message:
            mark, ink = ("✓", self.inks.good) if self.done else ("✗", self.inks.bad)
            return line.add(f"{mark} {self.message}", ink)
        for key, label, _ in self.keys:
            if label and line.width + cell_len(f"{key} {label}") + 2 <= width:
                line.add(key, self.inks.accent).add(f" {label}  ", self.inks.dim)
        return line

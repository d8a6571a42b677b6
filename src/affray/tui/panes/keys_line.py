"""The last line of a screen that is no fight's: its keys, or what was done or went wrong."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from affray.tui.drawing import Line, plain, wrapped
from affray.tui.panes.asked_line import AskedLine
from affray.tui.panes.pane import Pane

Keys = Sequence[tuple[str, str, str]]
MOST_ROWS = 4
"""A message takes so many rows at most."""


class KeysLine(Pane):
    """The keys of a screen, each with its label and what it does; or a message in their place, in
    as many rows as it needs, above which an input that is open stands."""

    def __init__(self, keys: Keys, *, id: str | None = None) -> None:
        super().__init__(id=id, classes="header keys-line")
        self.keys = self._own = keys
        self.message = ""
        self.asks = self.done = False
        self._rows = [""]

    def offer(self, keys: Keys = ()) -> None:
        """The keys of what is asked for now, in place of the screen's; none brings these back."""
        self.keys = keys or self._own
        self.refresh()

    def take_own(self, keys: Keys) -> None:
        """Other keys of the screen's own, which stand there unless something is asked for."""
        if self.keys is self._own:
            self.keys = keys
        self._own = keys
        self.refresh()

    def show(self, message: str, asks: bool = False, done: bool = False) -> None:
        """Say something in place of the keys, or ask it; `done` says that it went well."""
        self.message, self.asks, self.done = plain(message), asks, done
        self._fit()
        self.refresh()

    def on_resize(self) -> None:
        """A message is wrapped anew."""
        super().on_resize()
        self._fit()

    def _fit(self) -> None:
        rows = wrapped(self.message, max(self.size.width - 4, 1)) or [""]
        self._rows = rows[:MOST_ROWS]
        if self.styles.height is None or self.styles.height.value != len(self._rows):
            self.styles.height = len(self._rows)
            for line in self.screen.query(AskedLine):
                line.styles.margin = (0, 0, len(self._rows), 0)

    def line_count(self) -> int:
        """One line, or those of the message."""
        return len(self._rows)

    def line(self, number: int, width: int) -> Line:
        """The message, else the keys, as many as there is room for."""
        line = Line().add(" ")
        if self.asks:
            return line.add(self._rows[number], self.inks.strong)
        if self.message:
            mark, ink = ("✓", self.inks.good) if self.done else ("✗", self.inks.bad)
            return line.add("  " if number else f"{mark} ", ink).add(self._rows[number], ink)
        for key, label, _ in self.keys:
            if label and line.width + cell_len(f"{key} {label}") + 2 <= width:
                line.add(key, self.inks.accent).add(f" {label}  ", self.inks.dim)
        return line

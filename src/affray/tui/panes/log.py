"""The log: what happened, newest last. Only what can be seen is ever put into words."""

from __future__ import annotations

from bisect import bisect_left
from typing import ClassVar

from rich.style import Style
from textual import events

from affray.core.events import RoundStarted, TurnStarted
from affray.core.history import Entry, History
from affray.core.narrate import entry_pieces
from affray.tui.drawing import NO_INK, Line, plain, wrapped
from affray.tui.fight_view import FightView
from affray.tui.messages import LookedAt
from affray.tui.panes.pane import Pane

MOST_KEPT = 2_000
"""So many entries stay in words before all are forgotten, which keeps a long look back cheap."""


class LogPane(Pane):
    """A line for each entry. The selected one is opened up to everything that it came to."""

    NAME: ClassVar[str] = "Log"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.selected: int | None = None  # number of an entry
        self._told: dict[int, list[str]] = {}
        self._opened: list[str] = []  # the selected entry's lines
        self._history: History | None = None  # whose entries are kept in words
        self._path: list[int] = []
        self._count = 0
        self._head = 0
        self._follows = True  # goes on with the newest entry

    def slice(self, view: FightView) -> tuple[object, ...]:
        """The head tells whether anything was given, taken back or brought back."""
        return (view.history, view.head, view.entries, view.view_at)

    def redo(self) -> None:
        """Follow the newest entry, unless the GM is looking at an earlier one."""
        view = self.shown
        if view is None:
            return
        if view.history is not self._history:  # it was read anew: entries may say something else
            self._history = view.history
            self._told.clear()
        moved = (view.head, view.entries) != (self._head, self._count)
        follow = self._follows or (moved and self.selected is None)
        self._path, self._count, self._head = view.history.path, view.entries, view.head
        if self.selected is not None and self._index(self.selected) is None:
            self.selected = None
        self._open()
        end = max(0, self.line_count() - self.room.height)
        self.top = end if follow else min(self.top, end)
        self._follows = self.top == end
        self._keep_looked_at(view.view_at)
        self._name_aside(view)
        self.refresh()

    def _keep_looked_at(self, view_at: int | None) -> None:
        """Whatever has become of the room, the entry that is looked at, or chosen, is seen."""
        index = self._index(self.selected if view_at is None else view_at)
        if index is not None:
            opened = self._index(self.selected)
            above = opened is not None and opened < index
            self.keep_seen(index + (max(len(self._opened) - 1, 0) if above else 0))

    @property
    def stays(self) -> bool:
        """Whether it stays where it is when something new happens."""
        return self.selected is not None or not self._follows

    def _name_aside(self, view: FightView) -> None:
        """Say what would be redone; or that it stays where it is, and the key that ends that."""
        redo = view.history.redo_title
        told = f" redo: {plain(redo)[:40]} " if redo else ""
        if self.stays:
            key = view.key_for("leave")
            told = f" stays here{f'; {key}: the newest' if key else ''} "
        self.entitle(self.NAME, told)

    # -- lines -------------------------------------------------------------------------------------

    def line_count(self) -> int:
        """One for each entry, and those of the opened one."""
        return self._count + max(len(self._opened) - 1, 0)

    def line(self, number: int, width: int) -> Line:
        """An entry's line, or one of the lines of the opened entry."""
        index, part = self._entry_at(number)
        seq = self._path[index]
        digits = len(str(self._path[-1]))
        view = self.shown
        if view is None:
            return Line()
        here = view.view_at == seq
        entry = view.history.entries[seq]
        mark = "▶" if here else "›" if seq == self.selected else " "
        line = Line().add(mark if part == 0 else " ", self.inks.accent)
        line.add(f"{seq:>{digits}}  " if part == 0 else " " * (digits + 2), self.inks.dim)
        if seq == self.selected and self._opened:
            return line.add(self._opened[part], self._ink(entry) if part == 0 else self.inks.plain)
        title, *rest = self._words(view.history, entry)
        line.add(title, self._ink(entry))
        if rest:
            line.add(" · " + " · ".join(rest), self.inks.dim)
        return line.add("  (edited by hand)", self.inks.warn) if entry.edited else line

    def _ink(self, entry: Entry) -> Style:
        if any(isinstance(event, RoundStarted) for event in entry.events):
            return self.inks.accent
        if any(isinstance(event, TurnStarted) for event in entry.events):
            return self.inks.title
        return self.inks.plain

    def _words(self, history: History, entry: Entry) -> list[str]:
        told = self._told.get(entry.seq)
        if told is None:
            if len(self._told) >= MOST_KEPT:
                self._told.clear()
            view = self.shown
            tracks = view.ruleset.tables.tracks if view else {}
            before = history.before(entry.seq)
            told = [plain(piece) for piece in entry_pieces(entry, before, tracks)]
            self._told[entry.seq] = told
        return told

    def _entry_at(self, number: int) -> tuple[int, int]:
        """Index of the entry on a line, and which of its lines that is."""
        opened = self._index(self.selected) if self._opened else None
        if opened is None or number < opened:
            return number, 0
        if number < opened + len(self._opened):
            return opened, number - opened
        return number - len(self._opened) + 1, 0

    def _index(self, seq: int | None) -> int | None:
        """Where an entry stands in the effective way; None when it isn't part of it."""
        if seq is None:
            return None
        index = bisect_left(self._path, seq)
        return index if index < len(self._path) and self._path[index] == seq else None

    # -- looking back ------------------------------------------------------------------------------

    def select(self, by: int) -> None:
        """Move the selection by so many entries; past the newest there is none."""
        if not self._count:
            return
        old = self._index(self.selected)
        index = (self._count if old is None else old) + by
        self.select_entry(None if index >= self._count else self._path[max(index, 0)])

    def select_entry(self, seq: int | None) -> None:
        """Open an entry; None closes it and goes back to the newest."""
        self.selected = seq
        self._open()
        index = self._index(seq)
        if index is None:
            self.scroll_top(self.line_count())
        else:
            self.keep_seen(index, index + max(len(self._opened) - 1, 0))
            self.keep_seen(index)
        if self.shown is not None:
            self._name_aside(self.shown)
        self.refresh()

    def scroll_top(self, top: int) -> None:
        """Scroll; at the end it goes on with the newest entry."""
        super().scroll_top(top)
        self._follows = self.top >= self.line_count() - self.room.height
        if self.shown is not None:
            self._name_aside(self.shown)

    def _open(self) -> None:
        """Put everything that the selected entry came to on lines of its own."""
        self._opened = []
        if self.selected is None or self.shown is None or self.room.height < 4:
            return
        history = self.shown.history
        width = self.room.width - len(str(self._path[-1])) - 4
        title, *rest = self._words(history, history.entries[self.selected])
        self._opened = wrapped(title, width)
        for piece in rest:
            self._opened += [f"  {line}" for line in wrapped(piece, width - 2)]

    def over(self, number: int) -> Style:
        """The selected entry stands out."""
        chosen = (
            self.selected is not None and self._path[self._entry_at(number)[0]] == self.selected
        )
        return self.inks.cursor if chosen else NO_INK

    def on_click(self, event: events.Click) -> None:
        """Open the entry that was clicked; again, look at the fight as it was then."""
        spot = event.get_content_offset(self)
        if spot is None or not 0 <= self.top + spot.y < self.line_count():
            return
        seq = self._path[self._entry_at(self.top + spot.y)[0]]
        if seq == self.selected:
            self.post_message(LookedAt(seq))
        else:
            self.select_entry(seq)

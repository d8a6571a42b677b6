"""The ways through the log: what can be taken back, what brought back, and what was left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from affray.core.commands.moves import move_in_words
from affray.core.heart.history import START, Branch, History
from affray.core.telling.amended import what_is_different
from affray.core.telling.narrate import entry_pieces
from affray.tui.drawing import Line, cut, plain
from affray.tui.fight_view import FightView
from affray.tui.sheets.contents import Contents, row_line, wrapped_lines
from affray.tui.themes import Inks

LEFT, AHEAD, BACK = "Ways that were left", "To be brought back", "To be taken back"
INSERTS = "i"
"""The key that puts a command behind the chosen entry, before the one after it."""
MOST_TOLD = 100
"""So many entries of a way that was left are named, the last ones."""

Spot = int | Branch
"""An entry, after which the fight is as it is shown; or a way that was left, to its end."""


class Ways(Contents[Spot]):
    """The newest first, with the present between what is ahead and what lies behind.

    A row stands for the fight as it was after that entry, so what is newer is taken back by going
    there: those rows are marked as long as the cursor is on it.

    began  the view of the fight in which it opened
    """

    NAME = "Undo"
    KEY = "ways"
    SEARCHED = False
    SHARE = 60
    TAKES = "goes there"
    KEYS: ClassVar[Mapping[str, str]] = {INSERTS: "put in behind"}

    def __init__(self, view: FightView) -> None:
        self._view, self._stamp = view, _stamp(view)
        self.began = view
        self._marked = range(0)
        self._mark = ""

    @property
    def _history(self) -> History:
        return self._view.history

    def renewed(self, view: FightView) -> bool:
        """What is looked at makes no difference; another entry does."""
        changed = _stamp(view) != self._stamp
        self._view, self._stamp = view, _stamp(view)
        return changed

    def rows(self, query: str) -> Sequence[Spot | str]:
        """Branches, what is ahead, the present, and the way back to the beginning."""
        history, rows = self._history, list[Spot | str]()
        branches, ahead = history.branches(), history.ahead
        if branches:
            rows += [LEFT, *branches]
        if ahead:
            rows += [AHEAD, *reversed(ahead)]
        rows += [BACK] if rows else []
        return [*rows, *reversed(history.path), START]

    def first(self, rows: Sequence[Spot | str]) -> int:
        """What is looked at already, else the present."""
        behind = len(rows) - 1 - len(self._history.path)
        at = self._view.view_at
        return rows.index(at) if at in rows else behind

    def choose(self, rows: Sequence[Spot | str], at: int) -> None:
        """Find what going there would take back or bring back."""
        spot, now = rows[at], len(rows) - 1 - len(self._history.path)
        if isinstance(spot, str):
            return
        back, on = self._history.way_to(entry_of(spot))
        if on and not isinstance(spot, Branch):
            self._marked, self._mark = range(at, now), "+"
        else:
            self._marked, self._mark = range(now, now + back), "−"

    def line(self, row: Spot, number: int, width: int, inks: Inks, chosen: bool) -> Line:
        """`› − 104  Ilse concentrates on Fog Wall`"""
        line = row_line(chosen, inks)
        if isinstance(row, Branch):
            count = f"{len(row.entries)} {'entry' if len(row.entries) == 1 else 'entries'}"
            line.add(f"{count} behind {row.parts}  ", inks.dim)
            return line.add(cut(self._title(row.entries[-1]), width - line.width), inks.plain)
        marked = number in self._marked
        line.add(f"{self._mark} " if marked else "  ", inks.bad if self._mark == "−" else inks.good)
        line.add(f"{row:>{len(str(self._history.last))}}  ", inks.dim)
        line.add("now: " if row == self._history.head else "", inks.accent)
        return line.add(
            cut(self._title(row), width - line.width), inks.dim if marked else inks.plain
        )

    def told(self, row: Spot, width: int, inks: Inks) -> list[Line]:
        """What enter would do, then what that entry came to, or what that way has otherwise."""
        seq, history = entry_of(row), self._history
        does = wrapped_lines([self._does(row)], width, inks.strong)
        if isinstance(row, Branch):
            now, there = self._history.state, self._history.states[seq]
            other = what_is_different(now, self._view.ruleset.tables, there)
            more = [f"there: {', '.join(other) or 'nothing is different'}"]
            more += [f"{s} {self._title(s)}" for s in reversed(row.entries[-MOST_TOLD:])]
        elif seq == START:
            more = []
        else:
            tracks = self._view.ruleset.tables.tracks
            more = entry_pieces(history.entries[seq], history.before(seq), tracks)
        return does + wrapped_lines(more, width, inks.dim)

    def _does(self, row: Spot) -> str:
        line = command_to(self._history, row)
        if not line:
            return "The fight as it stands"
        return move_in_words(self._history, line.split()[0], entry_of(row))

    def _title(self, seq: int) -> str:
        return plain(self._history.entries[seq].title) if seq else "the beginning"


def _stamp(view: FightView) -> tuple[object, ...]:
    return (view.history, view.head, view.history.last)


def entry_of(spot: Spot) -> int:
    """The entry after which the fight is as that row has it."""
    return spot.entries[-1] if isinstance(spot, Branch) else spot


def command_to(history: History, spot: Spot) -> str:
    """The command that goes there: `undo` and `redo` where it is the way; empty for the present."""
    seq = entry_of(spot)
    back, on = history.way_to(seq)
    if isinstance(spot, Branch) or (back and on):
        return f"goto {seq}"
    return f"undo {back}" if back else f"redo {len(on)}" if on else ""

"""What was written down for the fight: texts to be read to the players, then the GM's notes."""

from __future__ import annotations

from collections.abc import Sequence

from affray.core.heart.events import Noted
from affray.core.heart.history import History
from affray.tui.drawing import Line, cut, plain
from affray.tui.fight_view import FightView
from affray.tui.sheets.contents import Contents, row_line, wrapped_lines
from affray.tui.themes import Inks

ALOUD, NOTES = "To be read aloud", "Notes"
NOTHING = 'Nothing yet: `read-aloud "TEXT"` keeps a text for the players, `note "TEXT"` one for you'


def written(history: History) -> tuple[list[Noted], list[Noted]]:
    """The texts to be read aloud, and the notes on the fight that a GM wrote, as they came."""
    entries = (history.entries[seq] for seq in history.path)
    found = [
        event
        for entry in entries
        if entry.command.partition(" ")[0].casefold() in _VERBS
        for event in entry.events
        if isinstance(event, Noted) and not event.who
    ]
    return [n for n in found if n.aloud], [n for n in found if not n.aloud]


_VERBS = ("note", "read-aloud", "read")
"""The commands that write them; the rules have notes of their own in other entries."""


class Aloud(Contents[Noted]):
    """The texts under their headings, the first to be read on top."""

    NAME = "Read aloud, and notes"
    KEY = "aloud"
    SEARCHED = False

    def __init__(self, view: FightView) -> None:
        self._view = view

    def renewed(self, view: FightView) -> bool:
        """Another entry may be another note."""
        changed = view.history.last != self._view.history.last
        self._view = view
        return changed

    def rows(self, query: str) -> Sequence[Noted | str]:
        """What is for the players stands first."""
        aloud, notes = written(self._view.history)
        rows: list[Noted | str] = []
        for heading, texts in ((ALOUD, aloud), (NOTES, notes)):
            rows += [heading, *texts] if texts else []
        return rows or [NOTHING]

    def line(self, row: Noted, number: int, width: int, inks: Inks, chosen: bool) -> Line:
        """The beginning of it."""
        line = row_line(chosen, inks)
        return line.add(cut(plain(row.text), width - 2), inks.strong if chosen else inks.plain)

    def told(self, row: Noted, width: int, inks: Inks) -> list[Line]:
        """All of it."""
        return wrapped_lines([row.text], width, inks.plain)

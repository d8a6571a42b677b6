"""The log, newest entry last. Only visible entries are put into words."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable
from typing import ClassVar

from rich.style import Style
from textual import events

from affray.core.engine.events import RoundStarted, TurnStarted
from affray.core.engine.history import Entry, History
from affray.core.formatting.log_lines import entry_pieces
from affray.core.rules.ruleset import Ruleset
from affray.tui.drawing import NO_INK, StyledLine, truncate, wrapped_pieces
from affray.tui.fight_view import FightView, LogEntryClicked
from affray.tui.widgets.base import WrappedListPane


class LogPane(WrappedListPane):
    """An item for each entry, wrapped over as many rows as its results need."""

    NAME: ClassVar[str] = "Log"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.selected: int | None = None  # number of an entry
        self._worded: tuple[History, Ruleset] | None = None  # whose entries are kept in words
        self._path: list[int] = []
        self._count = self._head = 0
        self._digits = 1
        self._follows = True  # goes on with the newest entry

    def slice(self, view: FightView) -> tuple[object, ...]:
        """The head changes with each command, undo and redo."""
        return (view.history, view.head, view.entries, view.view_at)

    def redo(self) -> None:
        """Follow the newest entry, unless the GM is looking at an earlier one."""
        view = self.shown
        if view is None:
            return
        digits = len(str(view.head))
        worded = (view.history, view.ruleset)
        if (worded, digits) != (self._worded, self._digits):
            self._worded, self._digits = worded, digits
            self.forget()  # these were read again: entries may have changed
        moved = (view.head, view.entries) != (self._head, self._count)
        follow = self._follows or (moved and self.selected is None)
        self._path, self._head = view.history.path, view.head
        self._count = min(view.entries, len(self._path))  # undo may have been, and not yet be seen
        if self._index(self.selected) is None:
            self.selected = None
        if follow:
            self.show_end()
        else:
            self.show(self.top, self._above)
        index = self._index(self.selected if view.view_at is None else view.view_at)
        if index is not None:  # whatever has become of the room, what is looked at is seen
            self.keep_seen(index)
        self._name_aside()

    def stay(self) -> None:
        """Stay with the newest entry, or with the one that is looked at."""
        self.redo()

    def show(self, top: int, above: int = 0) -> None:
        """Scroll; at the end it goes on with the newest entry."""
        super().show(top, above)
        self._follows = self.is_at_end

    @property
    def stays(self) -> bool:
        """True if it shows older entries until something new happens.

        An entry that is selected stays even then.
        """
        return self.selected is not None or not self._follows

    def _name_aside(self) -> None:
        """Name at the edge the command that redo would bring back; or, in a scrolled log, the key
        that follows the fight again."""
        view = self.shown
        if view is None:
            return
        redo = view.history.redo_title
        text = f" redo: {truncate(redo, 40)} " if redo else ""
        if self.stays:
            key = view.key_for("leave")
            stays = "stays here" if self.selected is not None else "an earlier part"
            text = f" {stays}{f'; {key}: the newest' if key else ''} "
        self.entitle(self.NAME, text)

    # -- entries -----------------------------------------------------------------------------------

    def line_count(self) -> int:
        """The number of entries."""
        return self._count

    def key(self, index: int) -> Hashable:
        """Its number, and whether it is marked."""
        seq = self._path[index]
        return seq, self._mark(seq)

    def _mark(self, seq: int) -> str:
        is_here = self.shown is not None and self.shown.view_at == seq
        return "▶" if is_here else "›" if seq == self.selected else " "

    def item(self, index: int, width: int) -> list[StyledLine]:
        """`102  Oswin strikes Tithe Taker 2, weak 9 · −2 HP, 8 left`, wrapped beside its number.

        With fewer rows the last one is cut.
        """
        view, seq = self.shown, self._path[index]
        if view is None:
            return [StyledLine()]
        entry = view.history.entries[seq]
        tracks = view.ruleset.tables.tracks
        title, *rest = entry_pieces(entry, view.history.before(seq), tracks)
        pieces = [(title, self._ink(entry))]
        pieces += [(f"· {piece}", self.inks.dim) for piece in rest]
        if entry.edited:
            pieces.append(("(edited by hand)", self.inks.warn))
        margin = StyledLine().add(self._mark(seq), self.inks.accent)
        margin.add(f"{seq:>{self._digits}}  ", self.inks.dim)
        lines = wrapped_pieces(pieces, max(width - margin.width, 1))
        rows = max(self.room.height, 1)  # what is wider than its row is cut as it is drawn
        if len(lines) > rows:
            lines[rows - 1 :] = [lines[rows - 1].add(" ").join(lines[rows])]
        margins = [margin, *(StyledLine().column(margin.width) for _ in lines[1:])]
        return [margin.join(line) for margin, line in zip(margins, lines, strict=True)]

    def from_here(self) -> list[tuple[int, StyledLine]]:
        """An entry that begins above has its number in the first row that is seen of it."""
        found = super().from_here()
        if self._above and found:
            index, line = found[0]
            row = StyledLine().add(f" {self._path[index]:>{self._digits}}… ", self.inks.dim)
            for text, ink, _ in line.segments[1:]:  # the first is the margin
                row.add(text, ink or NO_INK)
            found[0] = index, row
        return found

    def _ink(self, entry: Entry) -> Style:
        if any(isinstance(event, RoundStarted) for event in entry.events):
            return self.inks.accent
        if any(isinstance(event, TurnStarted) for event in entry.events):
            return self.inks.title
        return self.inks.plain

    def _index(self, seq: int | None) -> int | None:
        """The index of an entry in the current branch; None when it isn't in it."""
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
        """Go to an entry; None goes back to the newest, and on with it."""
        self.selected = seq
        index = self._index(seq)
        if index is None:
            self.show_end()
        else:
            self.keep_seen(index)
        self._name_aside()

    def scroll_lines(self, by: int) -> None:
        """Scroll, and show if it follows."""
        super().scroll_lines(by)
        self._name_aside()

    def scroll_top(self, top: int) -> None:
        """Scroll, and show if it follows."""
        super().scroll_top(top)
        self._name_aside()

    def over(self, number: int) -> Style:
        """Highlight the selected entry."""
        chosen = self.selected is not None and self._path[number] == self.selected
        return self.inks.cursor if chosen else NO_INK

    def on_click(self, event: events.Click) -> None:
        """Select the entry that was clicked; again, look at the fight as it was then."""
        spot = event.get_content_offset(self)
        index = self.item_at(spot.y) if spot is not None else None
        if index is None:
            return
        seq = self._path[index]
        if seq == self.selected:
            self.post_message(LogEntryClicked(seq))
        else:
            self.select_entry(seq)

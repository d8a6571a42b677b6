"""What wears everybody out, row by row beside the order; over the whole room, with its history."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from rich.cells import cell_len
from rich.style import Style
from textual import events

from affray.core.language.refusal import signed
from affray.core.rules.ruleset import Ruleset
from affray.core.rules.tables import TrackRule
from affray.tui.drawing import NO_INK, Line, flow, marked_ink
from affray.tui.fight_view import FightView
from affray.tui.messages import Pointed
from affray.tui.panes.follower import changed
from affray.tui.panes.frames import LEAST_AROUND_WORDS
from affray.tui.panes.lasting import GAP
from affray.tui.panes.order_columns import (
    Measured,
    OrderRow,
    as_text,
    most_of,
    track_cells,
)
from affray.tui.panes.order_frame import MARK
from affray.tui.panes.order_lines import SetOut
from affray.tui.panes.order_row import counted
from affray.tui.panes.pane import Pane
from affray.tui.panes.track_history import Histories, history_lines, room_for_bars
from affray.tui.panes.wear import next_mark, worn_tracks
from affray.tui.themes import Inks

FIRST, MARK_CELLS = 2, 1
"""The cell of the first column, below the beginning of the title; and those of the mark of who is
most worn out."""
AND = " & "
MOST_OVER, MOST_OVER_ALL = 5, 40
"""So much wider than its marks a column may become for the whole name of its track: usually, and in
a wide window."""
LEGENDS = ("roll → at next mark", "roll → next", "roll →", "roll")
"""What is said of the last column, as much as there is room for."""


class TrackColumns:
    """Where each track stands in the pane beside the order, and what its frame says.

    at      the first cell of each track, by its name
    rolls   the cell of what is taken from checks, and what the next mark brings; 0 without any
    title   the names of the tracks, under which they stand; `labels` where they are many: in words
            where there is room, and by their short names where there is none
    legend  what is said of the last column, where there is one
    width   the cells that all of it takes
    """

    def __init__(
        self, measured: Measured, nexts: int, ruleset: Ruleset, brief: bool, wide: bool = False
    ) -> None:
        rules = worn_tracks(ruleset)
        most = most_of(measured.needs)
        cells = track_cells(ruleset.tables, most.in_numbers if brief else most.drawn)
        self.cells = {t: n for t, n in cells.items() if t in rules} or dict.fromkeys(rules, 0)
        self.drawn = not brief
        names = [rules[t].short if brief else rules[t].label for t in self.cells]
        joined = len(names) < 3
        if not joined:
            over = 0 if brief else MOST_OVER_ALL if wide else MOST_OVER
            names = [_head(rules[track], n + over) for track, n in self.cells.items()]
        self.at: dict[str, int] = {}
        end = named = FIRST
        for name, (track, n) in zip(names, self.cells.items(), strict=True):
            self.at[track] = start = max(end, named)
            end = start + n + MARK_CELLS + 1
            named = start + cell_len(name) + (len(AND) if joined else GAP)
        told = [names[0], *(name.lower() for name in names[1:])] if names else []
        self.title = AND.join(told) if joined else ""
        self.labels = [] if joined else list(zip(self.at.values(), names, strict=True))
        around = max(measured.taken, 2 if nexts else 0)
        self.rolls = end if around or nexts else 0
        self.next = self.rolls + around + (1 if nexts else 0)
        cells_used = max(self.next + nexts if self.rolls else end - 1, named - len(AND) + 2)
        self.width = max(cells_used + 1, cell_len(self.title) + LEAST_AROUND_WORDS - 2)
        room = self.width + 2 - LEAST_AROUND_WORDS - 2
        fits = (f" {words} " for words in LEGENDS[0 if nexts else -1 :] if cell_len(words) <= room)
        self.legend = next(fits, "") if self.rolls else ""


class TracksPane(Pane):
    """A row for each row of the order, at its height, with which it scrolls.

    Over the whole room it shows every track of everybody instead, with how it went in this fight.
    """

    NAME: ClassVar[str] = "Tracks"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.beside: Callable[[int], None] = lambda top: None  # scrolls the order
        self._out: SetOut | None = None
        self._columns: TrackColumns | None = None
        self._of: tuple[object, ...] = ()
        self._seen: list[tuple[object, ...]] = []
        self._whole = False
        self._past = Histories()
        self._lines: list[Line] = []

    @property
    def cells_wanted(self) -> int:
        """The cells that hold all columns, the frame among them; 0 where there is nothing."""
        return self._columns.width + 2 if self._columns is not None else 0

    def slice(self, view: FightView) -> tuple[object, ...]:
        """Beside the order it is told by that; alone it follows the state."""
        return (view.state, view.cursor) if self._whole else ()

    def fill(self, whole: bool) -> None:
        """Show every track with its history, or again what stands beside the order."""
        if whole is not self._whole:
            self._whole, self.top = whole, 0
            self._past = Histories()
            self.repaint()

    def redo(self) -> None:
        """Over the whole room: find the tracks and their past."""
        view = self.shown
        if not self._whole or view is None or not self.room:
            return
        most = room_for_bars(view.ruleset.tables.tracks, self.room.width)
        self._past = self._past.up_to(view, most)
        self._lines = history_lines(view, self._past, self.room.width, self.inks)
        self.entitle("Every track, in this fight", f" {self._past.told} ")
        self.scroll_top(self.top)
        self.refresh()

    def stand(self, out: SetOut | None, top: int, cursor: int, brief: bool, wide: bool) -> None:
        """Show the rows of the order, from that line on, as it has set them out."""
        self._out = out
        if out is None or not out.rows:
            self._columns, self._of, self._seen = None, (), []
            if not self._whole:
                self.entitle(self.NAME)
                self.refresh()
            return
        self._find_columns(out, brief, wide)
        if self._whole:
            return
        columns = self._columns
        assert columns is not None
        self.entitle(columns.title, columns.legend, columns.labels)
        old, self.top = self._seen, top
        self._seen = [
            (out.rows[row], part, row == cursor)
            for row, part in out.places[top : top + self.size.height]
        ]
        self.redraw(changed(old, self._seen))

    def _find_columns(self, out: SetOut, brief: bool, wide: bool) -> None:
        """The columns, which are as they were for as long as the rows want what they wanted."""
        ruleset = out.look.ruleset
        nexts = max((cell_len(_next(row, ruleset)) for row in out.rows), default=0)
        of = (out.measured, nexts, ruleset, brief, wide, self.inks)
        if of != self._of:
            self._of = of
            self._columns = TrackColumns(out.measured, nexts, ruleset, brief, wide)
            self._seen = []
            self.refresh()

    def line_count(self) -> int:
        """As many lines as the order has."""
        if self._whole:
            return len(self._lines)
        return len(self._out.places) if self._out is not None else 0

    def line(self, number: int, width: int) -> Line:
        """What a row of the order has marked; nothing beside what stands below one."""
        out, columns = self._out, self._columns
        if self._whole:
            return self._lines[number]
        if out is None or columns is None:
            return Line()
        index, part = out.places[number]
        row = out.rows[index]
        if row.fallen:
            return Line()
        if len(row.members) == 1:
            return _row_line(row, columns, out.look.ruleset, self.inks) if not part else Line()
        lines = _group_lines(row, width, out.look.ruleset, self.inks)
        parts = len(out.below[index]) + 1
        if part == parts - 1 and len(lines) > parts:
            hidden = sum(n for _, n in lines[part:])
            return Line().add(f"  +{hidden}", self.inks.strong)
        return lines[part][0] if part < len(lines) else Line()

    def over(self, number: int) -> Style:
        """The row that the cursor is on stands out here as it does in the order."""
        place = number - self.top
        is_here = not self._whole and place < len(self._seen) and bool(self._seen[place][2])
        return self.inks.cursor if is_here else NO_INK

    def scroll_top(self, top: int) -> None:
        """Scroll the order, and what stands here with it."""
        if self._whole:
            super().scroll_top(top)
        else:
            self.beside(top)

    def on_click(self, event: events.Click) -> None:
        """The row that was clicked answers an open prompt, or gets the cursor."""
        spot = event.get_content_offset(self)
        out = self._out
        if self._whole or spot is None or out is None:
            return
        if 0 <= self.top + spot.y < len(out.places):
            index, _ = out.places[self.top + spot.y]
            self.post_message(Pointed(out.rows[index].members[0].id))


def _head(rule: TrackRule, most: int) -> str:
    """What is said above a track: its name, if it has room in so many cells."""
    return rule.label if cell_len(rule.label) <= most else rule.short or rule.label


def _next(row: OrderRow, ruleset: Ruleset) -> str:
    who = row.members[0]
    return "" if row.members[1:] or who.is_out else next_mark(ruleset, who, row.taken)


def _row_line(row: OrderRow, columns: TrackColumns, ruleset: Ruleset, inks: Inks) -> Line:
    """`■■■□□     □□□□□   −1→−2`; nothing of who is out of the fight."""
    line, (who,) = Line(), row.members
    if who.is_out:
        return line
    rules = worn_tracks(ruleset)
    for track, at in columns.at.items():
        found = who.tracks.get(track)
        if found is not None:
            line.column(at).join(counted(rules[track], found, columns.drawn, inks))
            line.add(MARK if (who.id, track) in row.marked else "", inks.strong)
    if columns.rolls and (row.taken or _next(row, ruleset)):
        line.column(columns.rolls).add(signed(row.taken) if row.taken else "", inks.bad)
        line.column(columns.next).add(_next(row, ruleset), inks.dim)
    return line


def _group_lines(row: OrderRow, width: int, ruleset: Ruleset, inks: Inks) -> list[tuple[Line, int]]:
    """`12 1/3 0/2` of each member, in lines, each with how many of them it has."""
    pieces = []
    for number, who in zip(row.numbers, row.members, strict=True):
        piece = Line().add(f"{number}", inks.dim)
        for track, rule in worn_tracks(ruleset).items():
            found = who.tracks.get(track)
            text = as_text(rule, found) if found is not None and not who.is_out else ""
            marked = found is not None and rule.counts == "marked" and found.value
            piece.add(f" {text}" if text else "", marked_ink(rule, inks) if marked else inks.faint)
        if piece.segments[1:]:
            pieces.append(piece)
    told = []
    for line in flow(pieces, width - FIRST, GAP):
        many = sum(1 for piece in pieces if piece.segments[0] in line.segments)
        told.append((Line().column(FIRST).join(line), many))
    return told

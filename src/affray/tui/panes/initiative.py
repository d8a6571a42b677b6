"""The order: who is up, what everybody has left and has marked, what lasts, and the cursor."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from typing import ClassVar

from msgspec.structs import replace
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.strip import Strip

from affray.core.heart.state import MOST_KEPT
from affray.tui.drawing import NO_INK, Line, cut
from affray.tui.fight_view import FightView
from affray.tui.messages import Pointed
from affray.tui.panes.order_columns import Columns, Measured, OrderRow, measured, rows_of
from affray.tui.panes.order_row import (
    RowLook,
    draw_row,
    forms_in,
    has_room_beside,
    is_hurt,
    lines_below,
    members_below,
    wrapped_name,
)
from affray.tui.panes.pane import Pane
from affray.tui.themes import Inks

NUMBERS_AT = 2
"""The first cell of the numbers in every row."""
NOBODY = "Nobody is here yet."


class InitiativePane(Pane):
    """A row for each combatant, by number, and below it what lasts on it, where there is room.

    rows_wanted   so many lines hold everybody with all that lasts on them, and when it ends
    names_wanted  so many hold it without its ends, where these have no room
    people        so many lines hold everybody
    """

    NAME: ClassVar[str] = "Initiative"

    def __init__(self, *, id: str | None = None) -> None:
        self._other_look: dict[int, Strip] = {}  # what is painted while numbers are lit, or are not
        super().__init__(id=id)
        self.rows_wanted = self.names_wanted = self.people = 0
        self._rows: list[OrderRow] = []
        self._below: list[list[Line]] = []
        self._columns: Columns | None = None
        self._made_for: dict[bool, tuple[object, Columns]] = {}  # by whether what lasts is beside
        self._look: RowLook | None = None
        self._places: list[tuple[int, int]] = []  # of each line: its row, and which of its lines
        self._nobody: list[Line] = []
        self._add_key = ""
        self._cursor = -1
        self._pointed = ""
        self._of: tuple[object, ...] = ()
        self._turn = ""
        self._lit = False
        self._drawn: dict[tuple[OrderRow, str, bool], Strip] = {}
        self._forms: Mapping[str, str] = {}

    def slice(self, view: FightView) -> tuple[object, ...]:
        """Everything in the state may show here; the cursor too."""
        return (view.state, view.cursor)

    def light_numbers(self, lit: bool) -> None:
        """Have the numbers stand out, while they answer a prompt."""
        if lit is not self._lit:
            self._lit = lit
            self._painted, self._other_look = self._other_look, self._painted
            if self._columns is not None:  # no more of a row looks otherwise
                self.repaint_kept(Region(NUMBERS_AT, 0, self._columns.number, self.room.height))

    def _forget(self, *rows: int) -> None:
        super()._forget(*rows)
        for y in rows or tuple(self._other_look):
            self._other_look.pop(y, None)

    def redo(self) -> None:
        """Find the rows again, and have drawn those that are not what they were."""
        view = self.shown
        if view is None:
            return
        of = (view.state, self.room, self.inks)
        if of != self._of:
            self._of = of
            self._find_rows(view)
        old, self._pointed = self._pointed, view.cursor
        was_on, self._cursor = self._cursor, self._row_of(view.cursor)
        if old != view.cursor:
            self._redraw_rows(was_on, self._cursor)
        self._entitle()
        self.scroll_top(self.top)  # no farther than there are rows, in a pane that may have grown
        self._follow_turn(view.state.turn)
        if self._cursor >= 0:
            self.keep_seen(*self._lines_of(self._cursor))

    def _row_of(self, who: str) -> int:
        """The row in which somebody stands; −1 for nobody."""
        return next((i for i, row in enumerate(self._rows) if row.has(who)), -1)

    def _find_rows(self, view: FightView) -> None:
        """Find the rows in the state, and have drawn those that are not what they were."""
        old, old_below, old_columns = self._rows, self._below, self._columns
        self._rows = list(rows_of(view.state))
        self._look = RowLook(view.state, view.ruleset, self.inks)
        self._find_below(self._look)
        self._nobody = [] if self._rows else nobody_lines(view, self.room.width, self.inks)
        self._add_key = view.key_for("add") or ":add"
        moved = old_columns != self._columns
        brief = self._columns is not None and self._columns.brief
        old_forms, self._forms = self._forms, forms_in(self._look) if brief else {}
        if moved or old_forms != self._forms:
            self._drawn.clear()
        if [len(lines) for lines in old_below] != [len(lines) for lines in self._below]:
            self._places = [
                (row, part)
                for row, lines in enumerate(self._below)
                for part in range(len(lines) + 1)
            ]
            self.refresh()
        elif moved:
            self.refresh()
        else:
            self._redraw_rows(
                *(
                    i
                    for i, was in enumerate(old)
                    if was != self._rows[i] or old_below[i] != self._below[i]
                )
            )

    def _find_below(self, look: RowLook) -> None:
        """Find how the rows are drawn: with all that lasts below them, with its names, or beside.

        The first of these that leaves nobody out; among many there is room for the last alone.
        """
        height, rows = self.room.height, self._rows
        self.people = len(rows)
        wants = measured(rows, look.ruleset)
        if 2 * len(rows) <= 3 * height:
            columns = self._columns_for(wants, look, beside=False)
            for ends in (True, False):
                below = [_below(row, look, columns, ends) for row in rows]
                wanted = len(rows) + sum(map(len, below))
                self.names_wanted = wanted
                self.rows_wanted = wanted if ends else self.rows_wanted
                if wanted <= height:
                    self._columns, self._below = columns, below
                    self._wrap_names(look, columns, height - wanted)
                    return
        else:
            bearers = [row for row in rows if any(who.effects for who in row.members)]
            self.rows_wanted = self.names_wanted = len(rows) + len(bearers)
        self._columns = self._columns_for(wants, look, beside=True)
        self._below = [[] for _ in rows]
        self._tell_below(look, self._columns, height - len(rows))
        self._wrap_names(look, self._columns, height - sum(map(len, self._below)) - len(rows))

    def _columns_for(self, wants: Measured, look: RowLook, beside: bool) -> Columns:
        """The columns, which are as they were for as long as the rows want what they wanted."""
        made_for = (wants, look.ruleset, self.room.width)
        kept = self._made_for.get(beside)
        if kept is None or kept[0] != made_for:
            columns = Columns(wants, look.ruleset, self.room.width, beside)
            self._made_for[beside] = kept = (made_for, columns)
        return kept[1]

    def _tell_below(self, look: RowLook, columns: Columns, free: int) -> None:
        """What has no room beside its row stands below, in as many rows as are free."""
        for index, row in enumerate(self._rows if free > 0 else ()):
            lines = [] if has_room_beside(row, columns, look) else _below(row, look, columns, False)
            if 0 < len(lines) <= free:
                free -= len(lines)
                self._rows[index], self._below[index] = replace(row, told_below=True), lines

    def _wrap_names(self, look: RowLook, columns: Columns, free: int) -> None:
        """Long names go on below, in as many rows as are free."""
        is_cut = columns.name < columns.longest and free > 0
        for index, row in enumerate(self._rows if is_cut else ()):
            head, rest = wrapped_name(row, columns.name, look.inks)
            if rest and len(rest) <= free:
                free -= len(rest)
                self._rows[index] = replace(row, name=head)
                self._below[index] = [*rest, *self._below[index]]

    def _entitle(self) -> None:
        """Name the columns, and say what to do about nobody, or how many are out of sight."""
        labels = self._columns.labels if self._columns and self._rows else []
        aside = "" if self._rows else f" {self._add_key} adds somebody "
        above = self._places[: self.top][-1:]
        below = self._places[self.top + self.room.height :][:1]
        unseen = [row for last, _ in above for row in self._rows[: last + 1]]
        unseen += [row for first, _ in below for row in self._rows[first:]]
        if unseen and self._columns:
            health = self._columns.health
            hurt = sum(is_hurt(each, health) for row in unseen for each in row.members)
            aside = f" +{len(unseen)} out of sight{f', {hurt} hurt' if hurt else ''} "
        self.entitle(self.NAME, aside, labels)

    def scroll_top(self, top: int) -> None:
        """Scroll, and say who is out of sight then."""
        before = self.top
        super().scroll_top(top)
        if self.top != before:
            self._entitle()

    def _lines_of(self, row: int) -> tuple[int, int]:
        """The first and the last line of a row."""
        first = bisect_left(self._places, (row, 0))
        return first, first + len(self._below[row])

    def _redraw_rows(self, *rows: int) -> None:
        lines = [self._lines_of(row) for row in rows if 0 <= row < len(self._rows)]
        self.redraw_lines(*(n for first, last in lines for n in range(first, last + 1)))

    def _follow_turn(self, turn: str) -> None:
        """A turn beyond the end comes up near the top, so that those who follow are seen, too."""
        now = next((i for i, row in enumerate(self._rows) if row.is_up), -1)
        first, last = self._lines_of(now) if now >= 0 else (0, 0)
        beyond = not self.top <= first <= last < self.top + self.room.height
        if turn != self._turn and now >= 0 and beyond:
            self.scroll_top(first - 1)
        self._turn = turn

    def line_count(self) -> int:
        """All lines of everybody; of nobody, those that say what to do."""
        return len(self._places) or len(self._nobody)

    def line(self, number: int, width: int) -> Line:
        """A combatant's row, or a line below it."""
        if self.shown is None or self._columns is None or self._look is None:
            return Line()
        if not self._rows:
            return self._nobody[number]
        index, part = self._places[number]
        if part:
            return Line().column(self._columns.before).join(self._below[index][part - 1])
        cursor = self.shown.cursor
        return draw_row(self._rows[index], cursor, self._lit, self._columns, self._look)

    def strip_of(self, number: int) -> Strip:
        """A row that is as it was when it was drawn is the same, wherever it stands now."""
        index, part = self._places[number] if self._places else (-1, 0)
        if index < 0 or part:
            return super().strip_of(number)
        row = self._rows[index], self._pointed if index == self._cursor else "", self._lit
        if row not in self._drawn:
            if len(self._drawn) >= MOST_KEPT:
                self._drawn.clear()
            self._drawn[row] = super().strip_of(number)
        return self._drawn[row]

    def prepare(self) -> None:
        """Draw what a key may bring into sight: numbers that stand out, and the next page."""
        now, lines, height = self._lit, len(self._places), self.room.height
        for lit, first in ((True, self.top), (False, self.top + height - 1)):
            self._lit = lit
            for number in range(first, first + min(height, lines)):
                self.strip_of(number % lines)
        self._lit = now

    def repaint(self) -> None:
        """In other inks, or for another size."""
        self._drawn.clear()
        super().repaint()

    def over(self, number: int) -> Style:
        """The row that the cursor is on stands out."""
        here = self._rows and self._places[number][0] == self._cursor
        return self.inks.cursor if here else NO_INK

    def on_click(self, event: events.Click) -> None:
        """The row that was clicked answers an open prompt, or gets the cursor."""
        spot = event.get_content_offset(self)
        if spot is not None and 0 <= self.top + spot.y < len(self._places):
            index, _ = self._places[self.top + spot.y]
            self.post_message(Pointed(self._rows[index].members[0].id))


def _below(row: OrderRow, look: RowLook, columns: Columns, ends: bool) -> list[Line]:
    """What lasts on a row's, in lines."""
    width = columns.width - columns.before
    if len(row.members) > 1:
        return members_below(row, look, ends, width)
    return lines_below(look, row.members[0], ends, width)


def nobody_lines(view: FightView, width: int, inks: Inks) -> list[Line]:
    """What to do about an empty fight."""
    key = view.key_for("add")
    words = {"pc": "a character", "monster": "a monster"}
    lines = [Line().add(NOBODY, inks.dim)]
    for kind, what in words.items():
        usage = " ".join(view.ruleset.sheet.usage(view.ruleset.tables, kind)[:2])
        line = Line().add(key or ":add", inks.accent).add(f" adds {what}: ", inks.dim)
        line.add(cut(f"{kind} NAME {usage} …", width - line.width), inks.plain)
        lines.append(line)
    bring = view.key_for("bring")
    if bring and view.ruleset.tables.bestiary:
        line = Line().add(bring, inks.accent).add(" brings in the campaign's: ", inks.dim)
        lines.insert(1, line.add("its party, its bestiary", inks.plain))
    return lines

"""The turn order: whose turn it is, what everybody has left, their effects, and the cursor."""

from __future__ import annotations

from bisect import bisect_left
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.strip import Strip

from affray.core.engine.state import MOST_KEPT
from affray.core.rules.ruleset import Ruleset
from affray.tui.drawing import NO_INK, StyledLine, truncate
from affray.tui.fight_view import CombatantClicked, FightView
from affray.tui.theme import Styles
from affray.tui.widgets.base import LEAST_AROUND_WORDS, Pane, changed_indexes
from affray.tui.widgets.tracks import TracksPane
from affray.tui.widgets.turn_order_columns import ColumnLayout, ColumnNeeds, TurnOrderRowData
from affray.tui.widgets.turn_order_lines import RowCount, TurnOrderLines, set_out
from affray.tui.widgets.turn_order_rows import RowStyle, draw_row, out_of_sight, worst_off_text

NUMBERS_AT = 2
"""The first cell of the numbers in every row."""
MANY, WIDE = 14, 150
"""Of more in a narrower window the tracks beside are told in brief, so that words have room."""
LATEST = 8
"""So many of the states that were set out last stay so."""
NOBODY = "Nobody is here yet."


class TurnOrderList(Pane):
    """A row for each combatant, by number, with its effects below if there is room."""

    NAME: ClassVar[str] = "Initiative"

    def __init__(self, *, id: str | None = None) -> None:
        self._other_look: dict[int, Strip] = {}  # what is painted while numbers are lit, or are not
        super().__init__(id=id)
        self._out: TurnOrderLines | None = None
        self._made_for: tuple[object, ColumnLayout] | None = None
        self._nobody: list[StyledLine] = []
        self._add_key = ""
        self._cursor = -1
        self._pointed = ""
        self._of: tuple[object, ...] = ()
        self._layouts: dict[tuple[object, ...], TurnOrderLines] = {}  # the latest last
        self._turn = ""
        self._lit = False
        self._apart = False
        self._most = 0
        self.tracks: TracksPane | None = None  # what stands beside, row by row
        self._drawn: dict[tuple[TurnOrderRowData, str], Strip] = {}

    @property
    def wants(self) -> RowCount:
        """The lines that hold everybody."""
        return self._out.wants if self._out is not None else RowCount()

    @property
    def _rows(self) -> list[TurnOrderRowData]:
        return self._out.rows if self._out is not None else []

    @property
    def _places(self) -> list[tuple[int, int]]:
        return self._out.places if self._out is not None else []

    def slice(self, view: FightView) -> tuple[object, ...]:
        """Everything in the state may show here; the cursor too."""
        return (view.state, view.cursor)

    def light_numbers(self, lit: bool) -> None:
        """Highlight the numbers while they answer a prompt."""
        if lit is not self._lit:
            self._lit = lit
            self._painted, self._other_look = self._other_look, self._painted
            if self._out is not None:  # no more of a row looks otherwise
                cells = self._out.columns.number
                self.repaint_kept(Region(NUMBERS_AT, 0, cells, self.room.height))

    def stand_in(self, most: int, apart: bool) -> None:
        """Stand in a window in which the order has so many lines at most.

        `apart`: what wears out is left to the pane beside; else it is in columns here.
        """
        if (most, apart) != (self._most, self._apart):
            self._most, self._apart = most, apart
            self.repaint()

    def drop_rows(self, *rows: int) -> None:
        """Forget rows in both looks of their numbers."""
        super().drop_rows(*rows)
        for y in rows or tuple(self._other_look):
            self._other_look.pop(y, None)

    def redo(self) -> None:
        """Find the rows again, and have drawn those that are not what they were."""
        view = self.shown
        if view is None:
            return
        of = self._layout_key(view)
        if of != self._of:
            self._of = of
            self._find_rows(view)
        old, self._pointed = self._pointed, view.cursor
        has_cursor = (i for i, row in enumerate(self._rows) if row.has(view.cursor))
        was_on, self._cursor = self._cursor, next(has_cursor, -1)
        if old != view.cursor:
            self._redraw_rows(was_on, self._cursor)
        self._entitle()
        self.scroll_top(self.top)  # no farther than there are rows, in a pane that may have grown
        self._follow_turn(view.state.turn)
        self.stay()
        self._have_beside()

    def stay(self) -> None:
        """Keep the row under the cursor in sight."""
        super().stay()
        if self._cursor >= 0:
            self.keep_seen(*self._lines_of(self._cursor))

    def _have_beside(self) -> None:
        """Have the pane of tracks draw its rows level with these."""
        if self.tracks is not None:
            wide = self.screen.size.width >= WIDE
            brief = len(self._rows) > MANY and not wide
            self.tracks.stand(self._out, self.top, self._cursor, brief, wide)

    def _find_rows(self, view: FightView) -> None:
        """Find the rows in the state, and have drawn those that are not what they were."""
        old, new = self._out, self._layout(view)
        self._out = new
        self._nobody = [] if new.rows else nobody_lines(view, self.room.width, self.inks)
        self._add_key = view.key_for("add") or ":add"
        if (
            old is None
            or (old.columns, old.forms) != (new.columns, new.forms)
            or old.look.ruleset is not new.look.ruleset
        ):
            self._drawn.clear()
            self.refresh()
        elif old.places != new.places:
            self.refresh()
        else:
            was, now = (list(zip(out.rows, out.below, strict=True)) for out in (old, new))
            self._redraw_rows(*changed_indexes(was, now))

    def _layout_key(self, view: FightView) -> tuple[object, ...]:
        """The values whose change requires setting out the order anew."""
        return (view.state, view.ruleset, self.room, self.inks, self._most, self._apart)

    def _layout(self, view: FightView) -> TurnOrderLines:
        """The lines of the order for a view, from `prefetch` or from before an undo if they are
        kept."""
        of = self._layout_key(view)
        found = self._layouts.pop(of, None)
        if found is None:
            look = RowStyle(view.state, view.ruleset, self.inks)
            found = set_out(look, self.room.height, self._most, self._columns_for)
        self._layouts[of] = found
        if len(self._layouts) > LATEST:
            del self._layouts[next(iter(self._layouts))]
        return found

    def prefetch(self, view: FightView) -> None:
        """Set out the order as it will be."""
        self._layout(view)

    def _columns_for(self, wants: ColumnNeeds, ruleset: Ruleset, crowded: bool) -> ColumnLayout:
        """The columns, which are as they were for as long as the rows want what they wanted."""
        made_for = (wants, ruleset, self.room.width, crowded, self._apart)
        if self._made_for is None or self._made_for[0] != made_for:
            columns = ColumnLayout(wants, ruleset, self.room.width, crowded, self._apart)
            self._made_for = (made_for, columns)
        return self._made_for[1]

    def _entitle(self) -> None:
        """Name the columns, and say what to do about nobody, or who is to be looked after."""
        out = self._out
        if out is None or not out.rows:
            self.entitle(self.NAME, f" {self._add_key} adds somebody ")
            return
        above = out.places[: self.top][-1:]
        below = out.places[self.top + self.bottom :][:1]
        first = next((last + 1 for last, _ in above), 0)
        offset = next((row for row, _ in below), len(out.rows))
        unseen = out_of_sight([*out.rows[:first], *out.rows[offset:]], out.columns.health)
        forms = ((out.extremes, False), (out.extremes, True), (out.extremes[:1], True))
        lines = [" · ".join(filter(None, (unseen, worst_off_text(*form)))) for form in forms]
        room = self.outer_size.width - LEAST_AROUND_WORDS - 2
        text = next((line for line in lines if cell_len(line) <= room), lines[-1])
        self.entitle(f"# {self.NAME}", text and f" {text} ", out.columns.labels)

    def scroll_top(self, top: int) -> None:
        """Scroll, and say who is out of sight then."""
        before = self.top
        super().scroll_top(top)
        if self.top != before:
            self._entitle()
            self._have_beside()

    def _lines_of(self, row: int) -> tuple[int, int]:
        """The first and the last line of a row."""
        first = bisect_left(self._places, (row, 0))
        return first, bisect_left(self._places, (row + 1, 0)) - 1

    def _redraw_rows(self, *rows: int) -> None:
        lines = [self._lines_of(row) for row in rows if 0 <= row < len(self._rows)]
        self.redraw_lines(*(n for first, last in lines for n in range(first, last + 1)))

    def _follow_turn(self, turn: str) -> None:
        """A turn beyond the end comes up near the top, so that those who follow are seen, too."""
        now = next((i for i, row in enumerate(self._rows) if row.is_up), -1)
        first, last = self._lines_of(now) if now >= 0 else (0, 0)
        beyond = not self.top <= first <= last < self.top + self.bottom
        if turn != self._turn and now >= 0 and beyond:
            self.scroll_top(first - 1)
        self._turn = turn

    def line_count(self) -> int:
        """All lines of everybody; of nobody, those that say what to do."""
        return len(self._places) or len(self._nobody)

    def line(self, number: int, width: int) -> StyledLine:
        """A combatant's row, or a line below it."""
        out = self._out
        if out is None or not out.rows:
            return self._nobody[number]
        index, part = out.places[number]
        if part:
            return StyledLine().column(out.columns.before).join(out.below[index][part - 1])
        return draw_row(out.rows[index], self._pointed, out.columns, out.look)

    def strip_of(self, number: int) -> Strip:
        """The strip of a row, kept while the row is the same, wherever it is now."""
        index, part = self._places[number] if self._places else (-1, 0)
        if index < 0 or part:
            return super().strip_of(number)
        row = self._rows[index], self._pointed if index == self._cursor else ""
        if row not in self._drawn:
            if len(self._drawn) >= MOST_KEPT:
                self._drawn.clear()
            self._drawn[row] = super().strip_of(number)
        drawn = self._drawn[row]
        if not self._lit or row[0].is_down:
            return drawn
        pointer, turn, (text, ink, _), *rest = drawn
        lit = Segment(text, (ink or NO_INK) + self.inks.accent)
        return Strip([pointer, turn, lit, *rest], drawn.cell_length)

    def repaint(self) -> None:
        """Draw everything again, after a change of size or theme."""
        self._drawn.clear()
        super().repaint()

    def over(self, number: int) -> Style:
        """Highlight the row under the cursor."""
        present = self._rows and self._places[number][0] == self._cursor
        return self.inks.cursor if present else NO_INK

    def on_click(self, event: events.Click) -> None:
        """The row that was clicked answers an open prompt, or gets the cursor."""
        spot = event.get_content_offset(self)
        if spot is not None and 0 <= self.top + spot.y < len(self._places):
            index, _ = self._places[self.top + spot.y]
            self.post_message(CombatantClicked(self._rows[index].members[0].id))


def nobody_lines(view: FightView, width: int, inks: Styles) -> list[StyledLine]:
    """Instructions for an empty fight: the keys that add somebody."""
    key = view.key_for("add")
    words = {"pc": "a character", "monster": "a monster"}
    lines = [StyledLine().add(NOBODY, inks.dim)]
    for kind, what in words.items():
        usage = " ".join(view.ruleset.sheet.usage(view.ruleset.tables, kind)[:2])
        line = StyledLine().add(key or ":add", inks.accent).add(f" adds {what}: ", inks.dim)
        line.add(truncate(f"{kind} NAME {usage} …", width - line.width), inks.plain)
        lines.append(line)
    bring = view.key_for("bring")
    if bring and view.ruleset.tables.bestiary:
        line = StyledLine().add(bring, inks.accent).add(" brings in the campaign's: ", inks.dim)
        lines.insert(1, line.add("its party, its bestiary", inks.plain))
    return lines

"""The tracks pane: fatigue and the like, row by row beside the order, with their histories."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import ClassVar

from msgspec import Struct
from rich.cells import cell_len
from rich.style import Style
from textual import events

from affray.core.engine.events import Began
from affray.core.engine.history import History
from affray.core.engine.state import Combatant, Encounter, Track
from affray.core.parser.errors import format_signed
from affray.core.rules.ruleset import Ruleset
from affray.core.rules.tables import TrackRow
from affray.tui import drawing
from affray.tui.fight_view import CombatantClicked, FightView
from affray.tui.theme import Styles
from affray.tui.widgets.base import LEAST_AROUND_WORDS, Pane, changed_indexes
from affray.tui.widgets.turn_order_columns import (
    GAP,
    ROLLS,
    ColumnLayout,
    ColumnNeeds,
    TurnOrderRowData,
    as_text,
    most_of,
    track_cells,
)
from affray.tui.widgets.turn_order_lines import TurnOrderLines, next_mark, worn_tracks
from affray.tui.widgets.turn_order_rows import MARK, counted

# -------------------------------------------------------------------------------------------------
# Histories: every track since the fight began, as small bars

MOST_COLUMNS = 48
"""So many moments of a fight are told apart: what is looked at does not grow with the log."""
LEVELS = "▁▂▃▄▅▆▇█"
LEAST = 20
"""The cells of a bar's row at least."""


class Histories(Struct, frozen=True):
    """The moments of the fight in the panes, and the fight's state at each.

    at      the place of each on the effective way
    seqs    its entry there
    states  the fight then
    step    so many entries lie between two of them
    """

    at: tuple[int, ...] = ()
    seqs: tuple[int, ...] = ()
    states: tuple[Encounter, ...] = ()
    step: int = 0

    def up_to(self, view: FightView, most: int) -> Histories:
        """The moments up to the one on view, so many at most. Found moments are kept while they are
        valid, so that no key takes longer with a longer log."""
        history = view.history
        path = history.path
        end = len(path) if view.view_at is None else path.index(view.view_at) + 1
        is_kept = all(n < end and path[n] == seq for n, seq in zip(self.at, self.seqs, strict=True))
        if 0 < len(self.at) <= most and is_kept and end - self.at[0] <= 2 * most * self.step:
            return self
        began = _beginning(history, end)
        step = max(1, -(-(end - began) // most))
        at = tuple(range(began, end, step))
        seqs = tuple(path[n] for n in at)
        return Histories(at, seqs, tuple(history.states[seq] for seq in seqs), step)

    @property
    def scale_text(self) -> str:
        """The legend for the width of one bar."""
        return (
            f"since the fight began, a bar for each {self.step} entries"
            if self.step > 1
            else ("since the fight began, entry by entry")
        )


def _beginning(history: History, end: int) -> int:
    """The place of the entry with which the last fight began; 0 before any."""
    for place in reversed(range(end)):
        events = history.entries[history.path[place]].events
        if any(isinstance(event, Began) for event in events):
            return place
    return 0


def history_lines(
    view: FightView, past: Histories, width: int, inks: Styles
) -> list[drawing.StyledLine]:
    """A name, and below it each track with its bars; two tracks side by side where they fit."""
    rules, lines = view.ruleset.tables.tracks, []
    labels = _cells_of_labels(rules)
    for combatant in view.state.in_order():
        ink = inks.dim if combatant.is_out else inks.side(combatant.side)
        mark = "›" if combatant.id == view.cursor else " "
        line = drawing.StyledLine().add(mark, inks.strong).add(combatant.name, ink)
        lines.append(line.add(f"  {combatant.life}" if combatant.life != "up" else "", inks.warn))
        parts = [
            _track_line(rule, track, list(_values(past, view.state, combatant, name)), labels, inks)
            for name, rule, track in _tracks(rules, combatant)
        ]
        lines += [
            drawing.StyledLine().column(GAP).join(row)
            for row in drawing.flow_items(parts, width - GAP, GAP)
        ]
    return lines


def room_for_bars(rules: Mapping[str, TrackRow], width: int) -> int:
    """The number of history bars that fit into so many cells; the last bar is the present."""
    room = width - GAP - _cells_of_labels(rules) - LEAST - GAP
    return min(max(room, LEAST), MOST_COLUMNS)


def _cells_of_labels(rules: Mapping[str, TrackRow]) -> int:
    return drawing.max_width([rule.label for rule in rules.values()])


def _tracks(
    rules: Mapping[str, TrackRow], combatant: Combatant
) -> Iterator[tuple[str, TrackRow, Track]]:
    """The tracks of a combatant, except bare zeros."""
    for name, rule in rules.items():
        track = combatant.tracks.get(name)
        if track is not None and (track.value or track.max or rule.shown != "number"):
            yield name, rule, track


def _values(
    past: Histories, now: Encounter, combatant: Combatant, name: str
) -> Iterator[Track | None]:
    """The track at each moment, and now; nothing if somebody was not there yet."""
    for state in (*past.states, now):
        found = state.find(combatant.id)
        yield found.tracks.get(name) if found is not None else None


def _track_line(
    rule: TrackRow, track: Track, values: Sequence[Track | None], labels: int, inks: Styles
) -> drawing.StyledLine:
    """`Fatigue     ■■■□□ 3/5      ▁▁▃▃▅`: how it stands, and how it came to."""
    line = drawing.StyledLine().add(rule.label, inks.dim).column(labels + 1)
    shown = (
        drawing.short_track_text(rule, track, inks)
        if rule.shown in ("boxes", "pips", "badge") and (track.max or track.value)
        else drawing.StyledLine()
    )
    text = drawing.StyledLine().join(shown).add(" " if shown.width else "")
    ink = (
        drawing.marked_ink(rule, inks)
        if rule.counts == "marked"
        else drawing.health_style(track, inks)
    )
    line.join(text.add(drawing.format_track(track), ink)).column(labels + LEAST)
    top = max((max(v.max or 0, v.value) for v in values if v is not None), default=0)
    numbers = [value.value for value in values if value is not None]
    line.join(
        _bars(values, top, ink)
        if len(set(numbers)) > 1
        else drawing.StyledLine().add("unchanged", inks.faint)
    )
    return line.column(labels + LEAST + len(values))


def _bars(values: Sequence[Track | None], top: int, ink: Style) -> drawing.StyledLine:
    """A bar for each moment, as high as the track was full; a blank where there was none."""
    line = drawing.StyledLine()
    for value in values:
        share = min(max(value.value / top, 0), 1) if value is not None and top else 0
        line.add(" " if value is None else LEVELS[round(share * (len(LEVELS) - 1))], ink)
    return line


FIRST, MARK_CELLS = 2, 1
"""The cell of the first column, below the beginning of the title; and those of the mark of who is
most worn out."""
LITTLE_OVER, MOST_OVER, MOST_OVER_ALL = 2, 5, 40
"""So much wider than its marks a column may become for the whole name of its track: where the order
beside would have no bar of HP else, usually, and in a wide window or of two at most."""
LEGENDS = ("→ at next mark", "→ next", "→")
"""What is said of the last column, as much as there is room for."""


class TrackColumns:
    """The columns of the tracks pane beside the order, and the labels in its frame.

    at      the first cell of each track, by its name
    rolls   the cell of the penalty to checks, with what the next mark brings; 0 without any
    labels  the names of the tracks above them, in words if there is room, else their short names;
            and of the penalty
    legend  the text for what the next mark brings, if anything
    width   the cells that all of it takes
    """

    def __init__(
        self,
        measured: ColumnNeeds,
        nexts: int,
        ruleset: Ruleset,
        brief: bool,
        wide: bool = False,
        most_over: int = MOST_OVER_ALL,
    ) -> None:
        rules = worn_tracks(ruleset)
        most = most_of(measured.needs)
        cells = track_cells(ruleset.tables, most.in_numbers if brief else most.drawn)
        self.cells = {t: n for t, n in cells.items() if t in rules} or {
            track: 0 for track, rule in rules.items() if not rule.quiet
        }
        self.drawn = not brief
        few = wide or len(self.cells) < 3
        over = 0 if brief else min(MOST_OVER_ALL if few else MOST_OVER, most_over)
        names = [_head(rules[track], n + over) for track, n in self.cells.items()]
        self.at: dict[str, int] = {}
        end = named = FIRST
        for name, (track, n) in zip(names, self.cells.items(), strict=True):
            self.at[track] = start = max(end, named)
            end = start + n + MARK_CELLS + 1
            named = start + cell_len(name) + GAP
        self.labels = list(zip(self.at.values(), names, strict=True))
        around = max(measured.taken, 2 if nexts else 0)
        self.rolls = max(end, named) if around or nexts else 0
        self.next = self.rolls + around + (1 if nexts else 0)
        if self.rolls:
            self.labels.append((self.rolls, ROLLS))
            named = self.rolls + len(ROLLS) + GAP
        self.width = max(self.next + nexts if self.rolls else end - 1, named - GAP + 1) + 1
        room = self.width - LEAST_AROUND_WORDS
        fits = (f" {words} " for words in LEGENDS if nexts and cell_len(words) <= room)
        self.legend = next(fits, "")


class TracksPane(Pane):
    """A row for each row of the order, at its height, with which it scrolls.

    Over the whole room it shows every track of everybody instead, with how it went in this fight.
    """

    NAME: ClassVar[str] = "Tracks"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.beside: Callable[[int], None] = lambda top: None  # scrolls the order
        self._out: TurnOrderLines | None = None
        self._nexts = 0  # the cells of what the next marks bring
        self._columns: TrackColumns | None = None
        self._of: tuple[object, ...] = ()
        self._seen: list[tuple[object, ...]] = []
        self._whole = False
        self._past = Histories()
        self._lines: list[drawing.StyledLine] = []

    @property
    def cells_wanted(self) -> int:
        """The cells that hold all columns, the frame among them; 0 if there is nothing."""
        columns = self._columns
        return columns.width + 2 if columns is not None and columns.cells else 0

    def slice(self, view: FightView) -> tuple[object, ...]:
        """Take state and cursor for the whole pane; nothing beside the order, with which it
        scrolls."""
        return (view.state, view.cursor) if self._whole else ()

    def fill(self, whole: bool) -> None:
        """Show every track with its history, or again the rows beside the order."""
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
        self.entitle("Every track, in this fight", f" {self._past.scale_text} ")
        self.scroll_top(self.top)
        self.refresh()

    def stand(
        self, out: TurnOrderLines | None, top: int, cursor: int, brief: bool, wide: bool
    ) -> None:
        """Show the rows of the order, from that line on, as it has set them out."""
        if out is not self._out and out is not None:
            each = (cell_len(_next(row, out.look.ruleset)) for row in out.rows)
            self._nexts = max(each, default=0)
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
        self.entitle("", columns.legend, columns.labels)
        old, self.top = self._seen, top
        self._seen = [
            (out.rows[row], part, row == cursor)
            for row, part in out.places[top : top + self.size.height]
        ]
        self.redraw(changed_indexes(old, self._seen))

    def _find_columns(self, out: TurnOrderLines, brief: bool, wide: bool) -> None:
        """The columns, which are as they were for as long as the rows want what they wanted."""
        ruleset = out.look.ruleset
        both = out.columns.width + self.size.width  # so many cells whatever the heads are
        wants = (out.measured, self._nexts, ruleset, brief, wide)
        of = (wants, both, out.columns.crowded, self.inks)
        if of != self._of:
            self._of = of
            self._columns = columns = TrackColumns(*wants)
            left = both - columns.width
            order = ColumnLayout(out.measured, ruleset, left, out.columns.crowded, apart=True)
            if self.size and not order.bar:
                self._columns = TrackColumns(*wants, most_over=LITTLE_OVER)
            self._seen = []
            self.refresh()

    def line_count(self) -> int:
        """The number of lines: as many as the order has, or those of its own list."""
        if self._whole:
            return len(self._lines)
        return len(self._out.places) if self._out is not None else 0

    def line(self, number: int, width: int) -> drawing.StyledLine:
        """The tracks of the combatant in that row of the order; blank beside the lines below a
        row."""
        out, columns = self._out, self._columns
        if self._whole:
            return self._lines[number]
        if out is None or columns is None:
            return drawing.StyledLine()
        index, part = out.places[number]
        row = out.rows[index]
        if row.is_down:
            return drawing.StyledLine()
        if len(row.members) == 1:
            return (
                _row_line(row, columns, out.look.ruleset, self.inks)
                if not part
                else drawing.StyledLine()
            )
        lines = _group_lines(row, width, out.look.ruleset, self.inks)
        parts = len(out.below[index]) + 1
        if part == parts - 1 and len(lines) > parts:
            hidden = sum(n for _, n in lines[part:])
            return drawing.StyledLine().add(
                f"  {drawing.count_of_hidden(hidden, '')}", self.inks.strong
            )
        return lines[part][0] if part < len(lines) else drawing.StyledLine()

    def over(self, number: int) -> Style:
        """Highlight the row under the cursor, as the order does."""
        place = number - self.top
        is_here = not self._whole and place < len(self._seen) and bool(self._seen[place][2])
        return self.inks.cursor if is_here else drawing.NO_INK

    def scroll_top(self, top: int) -> None:
        """Scroll the order, and this pane with it."""
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
            self.post_message(CombatantClicked(out.rows[index].members[0].id))


def _head(rule: TrackRow, most: int) -> str:
    """The line above a track: its name, cut to so many cells."""
    return rule.label if cell_len(rule.label) <= most else rule.short or rule.label


def _next(row: TurnOrderRowData, ruleset: Ruleset) -> str:
    combatant = row.members[0]
    return "" if row.members[1:] or combatant.is_out else next_mark(ruleset, combatant, row.taken)


def _row_line(
    row: TurnOrderRowData, columns: TrackColumns, ruleset: Ruleset, inks: Styles
) -> drawing.StyledLine:
    """`■■■□□     □□□□□   −1→−2`; nothing of who is out of the fight."""
    line, (combatant,) = drawing.StyledLine(), row.members
    if combatant.is_out:
        return line
    rules = worn_tracks(ruleset)
    for track, at in columns.at.items():
        found = combatant.tracks.get(track)
        if found is not None:
            line.column(at).join(counted(rules[track], found, columns.drawn, inks))
            line.add(MARK if (combatant.id, track) in row.marked else "", inks.strong)
    if columns.rolls and (row.taken or _next(row, ruleset)):
        line.column(columns.rolls).add(format_signed(row.taken) if row.taken else "", inks.bad)
        line.column(columns.next).add(_next(row, ruleset), inks.dim)
    return line


def _group_lines(
    row: TurnOrderRowData, width: int, ruleset: Ruleset, inks: Styles
) -> list[tuple[drawing.StyledLine, int]]:
    """`#12 1/3 0/2` of each member, in lines, each with how many of them it has."""
    pieces = []
    for number, combatant in zip(row.numbers, row.members, strict=True):
        piece = drawing.StyledLine().add(f"#{number}", inks.dim)
        for track, rule in worn_tracks(ruleset).items():
            found = combatant.tracks.get(track)
            counts = found is not None and not combatant.is_out and (found.value or found.max)
            text = as_text(rule, found) if found is not None and counts else ""
            marked = found is not None and rule.counts == "marked" and found.value
            piece.add(
                f" {text}" if text else "", drawing.marked_ink(rule, inks) if marked else inks.faint
            )
        if piece.segments[1:]:
            pieces.append(piece)
    lines = []
    for line in drawing.flow_items(pieces, width - FIRST, GAP):
        many = sum(1 for piece in pieces if piece.segments[0] in line.segments)
        lines.append((drawing.StyledLine().column(FIRST).join(line), many))
    return lines

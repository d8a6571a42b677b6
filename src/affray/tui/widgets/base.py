"""The base classes of widgets: they follow the fight and the theme, and paint their visible lines.

The toolkit asks every widget for all of its rows whenever a row of one of them has changed, and
puts each changed one together anew, with a frame that costs as much as its text. Here a row is put
together once, frame and all, and kept until what it shows has changed.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import ClassVar, NamedTuple, Self

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.filter import ANSIToTruecolor, DimFilter
from textual.geometry import Region, Size, Spacing
from textual.reactive import var
from textual.strip import Strip
from textual.widget import Widget

from affray.core.engine.decide import faults_by_their_place
from affray.core.formatting.safe_text import strip_control_chars
from affray.core.parser.errors import GameFault
from affray.tui.drawing import NO_INK, StyledLine, truncate
from affray.tui.fight_view import FightView, get_app
from affray.tui.theme import Styles

# -------------------------------------------------------------------------------------------------
# Frames: their edges with titles, and their sides

BOLD = Style(bold=True)
LEAST_AROUND_WORDS = 6
"""The cells of an edge that no words take: corners, a dash and a blank at each end."""


def lettered(letter: str) -> str:
    """`[t]`: the key that goes to a pane, in jump mode; nothing if there is none."""
    return f"[{letter}]" if letter else ""


def tabs_line(
    names: Mapping[str, str], front: str, letters: Mapping[str, str], room: int, inks: Styles
) -> StyledLine:
    """` Techniques ▸Timers  Log`: ink and mark, or letter, tell the pane in front.

    Where there is no room for all, the others are dots; with letters, all of them are.
    """
    marks = {name: lettered(letters.get(name, "")) or "▸ "[name != front] for name in names}
    all_told = sum(cell_len(f"{marks[name]}{word} ") for name, word in names.items()) <= room
    line = StyledLine()
    for name, word in names.items():
        is_told_already = all_told or (name == front and not letters)
        line.add(marks[name], inks.accent)
        line.add(word if is_told_already else "·", inks.strong if name == front else inks.dim).add(
            " "
        )
    return line


def upper_edge(
    title: StyledLine, style: Style, width: int, ink: Style, labels: Sequence[tuple[int, str]] = ()
) -> StyledLine:
    """`╭─ Initiative ──── AP ──╮`; parts of the title without an ink of their own are drawn in
    `style`.

    `labels` stand above columns, each with its first cell, as far as there is room.
    """
    line = StyledLine().add("╭", ink)
    if title.width:
        line.add("─", ink).add(" ", style).join(title.inked(style + BOLD)).add(" ", style)
    for cell, label in labels:
        if line.width <= cell and cell + cell_len(label) < width - 1:
            line.add("─" * (cell - 1 - line.width), ink).column(cell).add(f"{label} ", style)
    return line.add("─" * (width - 1 - line.width), ink).add("╮", ink)


def lower_edge(aside: str, style: Style, width: int, ink: Style) -> StyledLine:
    """`╰───── + adds somebody ─╯`"""
    line, words = (
        StyledLine().add("╰", ink),
        StyledLine().add(truncate(aside, width - LEAST_AROUND_WORDS), style),
    )
    if words.width:
        line.add("─" * (width - 5 - words.width), ink).add(" ").join(words).add(" ")
    return line.add("─" * (width - 1 - line.width), ink).add("╯", ink)


@lru_cache(maxsize=64)
def border_cells(left: int, right: int, ink: Style, paper: Style) -> tuple[list[Segment], ...]:
    """The left border of a row and its right borders by `more_of`, each with its padding in cells.

    Nothing if there is no frame.
    """
    if not (left and right):
        return ([],) * (1 + len(MORE))
    lines = [StyledLine().column(right - 1).add(side, ink) for side in MORE]
    lines.insert(0, StyledLine().add("│", ink).column(left))
    return tuple(list(line.strip(line.width, paper)) for line in lines)


MORE = "│↑↓↕"
"""The right side of a frame: as usual, or with more above, below, or both ways."""


def more_of(y: int, rows: int, above: bool, below: bool) -> int:
    """The place in `MORE` of one of so many rows, of a list that goes on above or below them."""
    return (1 if above and y == 0 else 0) + (2 if below and y == rows - 1 else 0)


NO_ROOM = Spacing()


def changed_indexes(old: Sequence[object], new: Sequence[object]) -> list[int]:
    """The places whose contents have changed."""
    return [n for n, (was, now) in enumerate(zip_longest(old, new)) if was != now]


class FightWidget(Widget):
    """Gets every new view of the fight. Subclasses draw their rows with `render_line`.

    It draws a frame where the style sheet leaves room around the rows.

    chosen   True if the frame stands out
    title    the text at the top left of the frame
    aside    the text at its bottom right
    labels   the labels above columns, each with its first cell of the room
    tabs     the text in place of the title where panes share one place
    letter   the key that goes here, before the title, while the screen waits for one
    room     the cells within the frame when it was last drawn or got a new view; asking the toolkit
             for each row would take as long as drawing the row
    covered  so many rows at the bottom have something in front of them: the frame ends above
    """

    ALLOW_SELECT = False
    virtual_size = var(Size(0, 0))
    """Nothing is scrolled by the toolkit, which places and paints all anew when this changes."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        self._painted: dict[int, Strip] = {}  # before the toolkit asks for the first picture
        self._painted_size = Size(0, 0)
        super().__init__(id=id, classes=classes)
        self.chosen = False
        self.title = self.aside = self.letter = ""
        self.labels: Sequence[tuple[int, str]] = ()
        self.tabs: StyledLine | None = None
        self.room = Size(0, 0)
        self.covered = 0

    @property
    def scrollbar_gutter(self) -> Spacing:
        """No room for the toolkit's scroll bars, which no pane has; this saves the toolkit work."""
        return NO_ROOM

    @property
    def inks(self) -> Styles:
        """The inks of the present theme."""
        return get_app(self).inks

    @property
    def paper(self) -> Style:
        """The style of the background, and of text that has no style of its own."""
        return self.visual_style.rich_style

    def on_mount(self) -> None:
        """Watch the theme."""
        self.watch(self.app, "inks", self.repaint, init=False)

    def follow(self, view: FightView) -> None:
        """Take a new view of the fight."""

    def repaint(self) -> None:
        """Draw everything again."""
        self.refresh()

    # -- the frame ---------------------------------------------------------------------------------

    def choose(self, chosen: bool) -> None:
        """Highlight the frame, or not."""
        if chosen is not self.chosen:
            self.chosen = chosen
            self.refresh()

    def entitle(self, title: str, aside: str = "", labels: Sequence[tuple[int, str]] = ()) -> None:
        """Set what the frame says. Text, never markup."""
        if (title, labels) != (self.title, self.labels):
            self.title, self.labels = title, labels
            self._redraw_edge(0)
        if aside != self.aside:
            self.aside = aside
            self._redraw_edge(self.outer_size.height - 1 - self.covered)

    def mark(self, letter: str, tabs: StyledLine | None) -> None:
        """Show in the frame the key of the pane, or the panes that share its place."""
        if (letter, tabs) != (self.letter, self.tabs):
            self.letter, self.tabs = letter, tabs
            self._redraw_edge(0)

    def _redraw_edge(self, y: int) -> None:
        """Draw the edge at that row of the whole pane again."""
        gutter = self.gutter
        self.refresh(Region(-gutter.left, y - gutter.top, self.outer_size.width, 1))

    # -- what is painted ---------------------------------------------------------------------------

    def refresh(
        self,
        *regions: Region,
        repaint: bool = True,
        layout: bool = False,
        recompose: bool = False,
    ) -> Self:
        """Paint the rows of these regions again; without any, all rows.

        A hidden widget doesn't ask the toolkit, which would search all widgets for its place; it is
        painted whole when shown.
        """
        if regions:
            top = self.gutter.top
            self.drop_rows(*(y + top for region in regions for y in region.line_range))
        else:
            self.drop_rows()
        if layout or recompose or not self.is_mounted:
            return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)
        self.repaint_kept(*regions)
        return self

    def redraw(self, rows: Iterable[int]) -> None:
        """Paint these rows again, with the frame at their right; nothing for no rows."""
        width = self.room.width + self.gutter.right
        regions = [Region(0, y, width, 1) for y in rows]
        if regions:
            self.refresh(*regions)

    def repaint_kept(self, *regions: Region) -> None:
        """Paint these regions of a visible widget, with the kept rows."""
        if self.region:
            super().refresh(*regions)

    def notify_style_update(self) -> None:
        """Rows are as old as their colours."""
        self.drop_rows()
        super().notify_style_update()

    def drop_rows(self, *rows: int) -> None:
        """Drop these kept rows of the whole pane; without any, all."""
        for y in rows or tuple(self._painted):
            self._painted.pop(y, None)

    def render_lines(self, crop: Region) -> list[Strip]:
        """The rows of that part, most of them painted already."""
        if self.outer_size != self._painted_size:
            self._painted_size = self.outer_size
            self.drop_rows()
        lacking = [y for y in crop.line_range if y not in self._painted]
        if lacking:
            self.room = self.size
            top, right, _, left = self.gutter
            before, *after = border_cells(left, right, self.frame_ink, self.paper)
            rows = [
                self._row(y - top, before, after) if before else self.render_line(y)
                for y in lacking
            ]
            self._painted.update(zip(lacking, self.in_its_colours(rows), strict=True))
        strips = [self._painted[y] for y in crop.line_range]
        if crop.column_span != (0, self.outer_size.width):
            strips = [strip.crop(*crop.column_span) for strip in strips]
        return strips

    def _row(self, y: int, before: list[Segment], after: list[list[Segment]]) -> Strip:
        """A row of the room within its frame, or an edge of that, above or below."""
        width = self.outer_size.width
        if self.covered and self.bottom <= 0:  # not a line has room between the edges
            return Strip.blank(width, self.paper)
        if 0 <= y < self.bottom:
            return Strip([*before, *self.render_line(y), *after[self.more_at(y)]], width)
        if y < 0:
            style = self.inks.strong if self.chosen else self.inks.dim
            title = self.tabs or self._titled(width)
            labels = [
                (self.gutter.left + cell, strip_control_chars(label)) for cell, label in self.labels
            ]
            edge = upper_edge(title, style, width, self.frame_ink, labels)
            return edge.strip(width, self.paper)
        return lower_edge(self.aside, self.inks.plain, width, self.frame_ink).strip(
            width, self.paper
        )

    @property
    def bottom(self) -> int:
        """The row of the room that the frame's lower edge takes."""
        return self.room.height - self.covered

    def more_at(self, y: int) -> int:
        """The place in `MORE` of the frame's right side at a row of the room."""
        return 0

    def _titled(self, width: int) -> StyledLine:
        """The title as far as it fits, with the letter before it in jump mode."""
        line = (
            StyledLine()
            .add(lettered(self.letter), self.inks.accent)
            .add(" " if self.letter else "")
        )
        return line.add(truncate(self.title, width - LEAST_AROUND_WORDS - line.width))

    @property
    def frame_ink(self) -> Style:
        """The style of the frame: brighter while the pane is chosen."""
        return self.inks.frame_chosen if self.chosen else self.inks.frame

    def in_its_colours(self, strips: list[Strip]) -> list[Strip]:
        """The strips in the colours that the terminal has.

        A theme has mostly true ones already, and none of its inks is dimmed by the terminal.
        """
        idle = DimFilter if self.app.current_theme.ansi else (DimFilter, ANSIToTruecolor)
        for each in self.get_line_filters():
            if not isinstance(each, idle):
                paper = self.background_colors[1]
                strips = [strip.apply_filter(each, paper) for strip in strips]
        return strips


# -------------------------------------------------------------------------------------------------
# Panes: framed, drawing only the lines that can be seen.
#
# It keeps its own place in what it shows instead of being scrolled by the toolkit, because there
# a list that grows by a line has the whole screen laid out anew, which costs more than all the
# drawing.

WHEEL_LINES = 3


class Pane(FightWidget):
    """A region with a frame and a title. Subclasses say how many lines there are, and draw one."""

    NAME: ClassVar[str] = ""

    def __init__(self, *, id: str | None = None, classes: str = "pane") -> None:
        super().__init__(id=id, classes=classes)
        self.top = 0  # the first line that is seen
        self.shown: FightView | None = None
        self._slice: tuple[object, ...] = ()
        self._fits = Size(0, 0)

    # -- what subclasses give ----------------------------------------------------------------------

    def line_count(self) -> int:
        """The number of lines in the pane, those out of sight included."""
        raise NotImplementedError

    def line(self, number: int, width: int) -> StyledLine:
        """One line, for so many cells."""
        raise NotImplementedError

    def slice(self, view: FightView) -> tuple[object, ...]:
        """The part of the view that this pane draws; while it stays the same, and the rules do,
        nothing is redone."""
        return ()

    def redo(self) -> None:
        """Work out the rows again after the slice, the size or the theme has changed."""

    def stay(self) -> None:
        """Keep in sight what has to be, now that more or fewer rows are covered."""
        self.scroll_top(self.top)

    def prefetch(self, view: FightView) -> None:
        """Prepare the slow parts of a view that is likely to come next."""

    def over(self, number: int) -> Style:
        """The style laid over a line: the cursor, or a highlight that must be seen from afar."""
        return NO_INK

    # -- the life of a pane ------------------------------------------------------------------------

    def on_mount(self) -> None:
        """Show the name."""
        self.entitle(self.NAME)

    def follow(self, view: FightView) -> None:
        """Redo the rows if the slice of the view or the room has changed."""
        self.shown, self.room = view, self.size
        found = (view.ruleset, *self.slice(view))
        if found != self._slice or self.is_behind:
            self._slice, self._fits = found, self.room
            self.redo()

    @property
    def is_behind(self) -> bool:
        """True if the lines are made for another size, as the toolkit tells of a new one later."""
        return self._fits != self.size

    def repaint(self) -> None:
        """Redo all rows, and draw them."""
        self.room = self._fits = self.size
        if self.shown is not None:
            try:
                with faults_by_their_place(self.shown.ruleset):
                    self.redo()
            except GameFault:
                self._slice = ()  # the screen tells it with the next view
        self.refresh()

    def on_resize(self) -> None:
        """Lines are made for a width."""
        self.repaint()

    def cover(self, place: Region, front: int) -> None:
        """Have the rows of its place from one of the screen on covered. Nothing is worked out again
        for the others."""
        rows = max(place.bottom - front, 0)
        if rows != self.covered:
            self.covered = rows
            self.refresh()
            self.stay()

    # -- drawing -----------------------------------------------------------------------------------

    def render_line(self, y: int) -> Strip:
        """The line at a row of the screen."""
        number = self.top + y
        if number >= self.line_count():
            return Strip.blank(self.room.width, self.paper)
        return self.strip_of(number)

    def strip_of(self, number: int) -> Strip:
        """One line as it is painted, on the paper of its row."""
        line = self.line(number, self.room.width)
        return line.strip(self.room.width, self.paper, self.over(number))

    def more_at(self, y: int) -> int:
        """The place in `MORE`: a long list says where it goes on."""
        height = self.bottom
        return more_of(y, height, self.top > 0, self.top + height < self.line_count())

    def redraw_lines(self, *numbers: int) -> None:
        """Draw only the visible ones of these lines again."""
        self.redraw(n - self.top for n in numbers if 0 <= n - self.top < self.bottom)

    # -- moving within -----------------------------------------------------------------------------

    def scroll_lines(self, by: int) -> None:
        """Move what is seen by so many lines, up to the ends."""
        self.scroll_top(self.top + by)

    def scroll_top(self, top: int) -> None:
        """Make that line the first visible one, as far as the list is long enough."""
        top = max(0, min(top, self.line_count() - self.bottom))
        if top != self.top:
            self.top = top
            self.refresh()

    def keep_seen(self, first: int, last: int | None = None) -> None:
        """Scroll no farther than needed to have these lines seen."""
        last = first if last is None else last
        if last >= self.top + self.bottom:
            self.scroll_top(last - self.bottom + 1)
        if first < self.top:
            self.scroll_top(first)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """The wheel."""
        self.scroll_lines(WHEEL_LINES)
        event.stop()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """The wheel."""
        self.scroll_lines(-WHEEL_LINES)
        event.stop()


class LinesPane(Pane):
    """A pane with few lines: all are made at once, whenever its slice changes."""

    def __init__(self, *, id: str | None = None, classes: str = "pane") -> None:
        super().__init__(id=id, classes=classes)
        self._lines: list[StyledLine] = []

    def make_lines(self, view: FightView, width: int) -> list[StyledLine]:
        """All lines, for so many cells."""
        raise NotImplementedError

    def line_count(self) -> int:
        """The number of lines in the pane, those out of sight included."""
        return len(self._lines)

    def line(self, number: int, width: int) -> StyledLine:
        """Return the text to draw at an index."""
        return self._lines[number]

    def redo(self) -> None:
        """Make the lines, and draw those that have changed."""
        if self.shown is None or not self.room:  # not seen: it is done when it is
            return
        old, self._lines = self._lines, self.make_lines(self.shown, self.room.width)
        if len(old) != len(self._lines):
            self.top = max(0, min(self.top, len(self._lines) - self.room.height))
            self.refresh()
        else:
            self.redraw_lines(*changed_indexes(old, self._lines))


# -------------------------------------------------------------------------------------------------
# Panes of items that take as many rows as their words need

MOST_KEPT = 2_000
"""So many items stay in words before all are forgotten, which keeps a long look back cheap."""


ABOVE = -1
"""What stands above the items is none of them."""


class VisibleRow(NamedTuple):
    """One visible row: its item, its line, its highlight, and the place in `MORE` beside it."""

    item: int
    line: StyledLine
    over: Style
    more: int


class WrappedListPane(Pane):
    """Items one below another, each on one or more rows. It scrolls by rows.

    `top` is the first visible item; `head` are lines that stay above all items.
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._above = 0  # rows of the first item above the pane
        self._lines_made: dict[tuple[Hashable, int], list[StyledLine]] = {}
        self._rows: list[VisibleRow] = []
        self._width = 0
        self.head: list[StyledLine] = []

    # -- what subclasses give ----------------------------------------------------------------------

    def item(self, index: int, width: int) -> list[StyledLine]:
        """The lines of one item; at least one."""
        raise NotImplementedError

    def key(self, index: int) -> Hashable:
        """The key under which an item's lines are cached; equal keys mean equal lines."""
        return index

    def unseen(self, index: int) -> StyledLine | None:
        """The last row when items have no room, counting from that one on; None for no such row."""
        return None

    @property
    def height(self) -> int:
        """The rows that are left to the items."""
        return max(self.bottom - len(self.head), 0)

    # -- what is seen ------------------------------------------------------------------------------

    def stay(self) -> None:
        """Show as much as is seen now."""
        self.show(self.top, self._above)

    def lines_of(self, index: int) -> list[StyledLine]:
        """The lines of one item, for the width that there is."""
        remaining = self.key(index), self._width
        if remaining not in self._lines_made:
            if len(self._lines_made) >= MOST_KEPT:
                self._lines_made.clear()
            self._lines_made[remaining] = self.item(index, self._width)
        return self._lines_made[remaining]

    def forget(self) -> None:
        """Put all items into words again."""
        self._lines_made.clear()

    def repaint(self) -> None:
        """Draw everything again, after a change of size or theme."""
        self.forget()
        super().repaint()

    def show(self, top: int, above: int = 0) -> None:
        """Make that item the first visible one, without its first `above` rows.

        As far as the items below it fill the pane: no row stays empty while others are hidden.
        """
        self._width = self.room.width
        count, height = self.line_count(), self.height
        place = max((top, above), (0, 0))
        if place > (0, 0):  # from the top on, the last items need not be put into words
            place = min(place, self._place_above(count))
        self.top, self._above = place
        found = self.from_here()
        rows, goes_on = self._within(found), (place > (0, 0), len(found) > height)
        self._take(
            [
                *(VisibleRow(ABOVE, line, NO_INK, 0) for line in self.head),
                *(
                    VisibleRow(index, line, self.over(index), more_of(y, len(rows), *goes_on))
                    for y, (index, line) in enumerate(rows)
                ),
            ]
        )

    def show_end(self) -> None:
        """Show the last item, and as many before it as fit."""
        self.show(self.line_count())

    @property
    def is_at_end(self) -> bool:
        """True if the last item is seen to its end."""
        return (self.top, self._above) >= self._place_above(self.line_count())

    def _place_above(self, index: int) -> tuple[int, int]:
        """The place to begin, so that the rows before that item fill the pane."""
        room = self.height
        while index > 0 and room > 0:
            index -= 1
            room -= len(self.lines_of(index))
        return index, max(-room, 0)

    def from_here(self) -> list[tuple[int, StyledLine]]:
        """The lines from the first visible one on, up to the last with a row."""
        height, count = self.height, self.line_count()
        found: list[tuple[int, StyledLine]] = []
        index = self.top
        while index < count and len(found) <= height:
            found += [(index, line) for line in self.lines_of(index)]
            if index == self.top:
                del found[: self._above]
            index += 1
        return found

    def _within(self, found: list[tuple[int, StyledLine]]) -> list[tuple[int, StyledLine]]:
        """The lines that have room; the last row may say how many items have none."""
        height = self.height
        if len(found) <= height or not height:
            return found[:height]
        missing = found[height - 1][0]
        line = self.unseen(missing)
        if line is None:
            return found[:height]
        whole = [row for row in found[: height - 1] if row[0] != missing]
        return [*(whole or found[: height - 1]), (missing, line)]

    def _take(self, rows: list[VisibleRow]) -> None:
        """Show these rows, and draw those that have changed."""
        old, self._rows = self._rows, rows
        self.redraw(changed_indexes(old, rows))

    def render_line(self, y: int) -> Strip:
        """The row."""
        if y >= len(self._rows):
            return Strip.blank(self.room.width, self.paper)
        row = self._rows[y]
        return row.line.strip(self.room.width, self.paper, row.over)

    def more_at(self, y: int) -> int:
        """The place in `MORE` at that row."""
        return self._rows[y].more if 0 <= y < len(self._rows) else 0

    def item_at(self, y: int) -> int | None:
        """The index of the item on a row of the pane."""
        return self._rows[y].item if len(self.head) <= y < len(self._rows) else None

    # -- moving within -----------------------------------------------------------------------------

    def scroll_lines(self, by: int) -> None:
        """Move what is seen by so many rows, up to the ends."""
        top, above = self.top, self._above + by
        while above < 0 < top:
            top -= 1
            above += len(self.lines_of(top))
        while top < self.line_count() and above >= len(self.lines_of(top)):
            above -= len(self.lines_of(top))
            top += 1
        self.show(top, max(above, 0))

    def scroll_top(self, top: int) -> None:
        """Make that item the first visible one."""
        self.show(top)

    def keep_seen(self, first: int, last: int | None = None) -> None:
        """Scroll no farther than needed to have these items seen, the first above all."""
        last = first if last is None else last
        place = max((self.top, self._above), self._place_above(last + 1))
        self.show(*min(place, (first, 0)))

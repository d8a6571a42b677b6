"""A pane of items that take as many rows as their words need, for lists of any length.

Only what can be seen is put into words: a log may have ten thousand entries.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from rich.style import Style
from textual.strip import Strip

from affray.tui.drawing import NO_INK, Line
from affray.tui.panes.follower import changed
from affray.tui.panes.pane import Pane

MOST_KEPT = 2_000
"""So many items stay in words before all are forgotten, which keeps a long look back cheap."""


ABOVE = -1
"""What stands above the items is none of them."""


class SeenRow(NamedTuple):
    """One row as it is seen: of which item, its line, what is laid over it, and the bar's part."""

    item: int
    line: Line
    over: Style
    marked: bool


class ItemsPane(Pane):
    """Items one below another, each on one or more rows. It scrolls by rows.

    `top` is the first item of which something is seen; `head` are lines that stay above all items.
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._above = 0  # rows of the first item that are not seen any more
        self._made: dict[tuple[Hashable, int], list[Line]] = {}
        self._rows: list[SeenRow] = []
        self._width = 0
        self.head: list[Line] = []

    # -- what subclasses give ----------------------------------------------------------------------

    def item(self, index: int, width: int) -> list[Line]:
        """The lines of one item; at least one."""
        raise NotImplementedError

    def key(self, index: int) -> Hashable:
        """What an item's lines are kept by, for as long as they need not be made anew."""
        return index

    def unseen(self, index: int) -> Line | None:
        """What the last row says of all items from that one on, which have no room; or nothing."""
        return None

    @property
    def height(self) -> int:
        """The rows that are left to the items."""
        return max(self.room.height - len(self.head), 0)

    # -- what is seen ------------------------------------------------------------------------------

    def lines_of(self, index: int) -> list[Line]:
        """The lines of one item, for the width that there is."""
        kept = self.key(index), self._width
        if kept not in self._made:
            if len(self._made) >= MOST_KEPT:
                self._made.clear()
            self._made[kept] = self.item(index, self._width)
        return self._made[kept]

    def forget(self) -> None:
        """Have all items put into words anew."""
        self._made.clear()

    def repaint(self) -> None:
        """For another size, or in other inks."""
        self.forget()
        super().repaint()

    def show(self, top: int, above: int = 0) -> None:
        """Have that item be the first that is seen, without so many of its rows.

        As far as the items below it fill the pane: no row stays empty while others are hidden.
        """
        self._width = self.room.width
        count, height = self.line_count(), self.height
        place = max((top, above), (0, 0))
        if place > (0, 0):  # from the top on, the last items need not be put into words
            place = min(place, self._place_above(count))
        self.top, self._above = place
        found = self._from_here()
        is_long = place > (0, 0) or len(found) > height
        bar = self.bar_of(self.top, max(count, height + 1)) if is_long else range(0)
        self._take(
            [
                *(SeenRow(ABOVE, line, NO_INK, False) for line in self.head),
                *(
                    SeenRow(index, line, self.over(index), y in bar)
                    for y, (index, line) in enumerate(self._within(found))
                ),
            ]
        )

    def show_end(self) -> None:
        """Have the last item be seen, and as many before it as there is room for."""
        self.show(self.line_count())

    @property
    def is_at_end(self) -> bool:
        """Whether the last item is seen to its end."""
        return (self.top, self._above) >= self._place_above(self.line_count())

    def _place_above(self, index: int) -> tuple[int, int]:
        """Where to begin for the rows before that item to fill the pane."""
        room = self.height
        while index > 0 and room > 0:
            index -= 1
            room -= len(self.lines_of(index))
        return index, max(-room, 0)

    def _from_here(self) -> list[tuple[int, Line]]:
        """The lines from the first one on, up to one that has no row any more, or the last."""
        height, count = self.height, self.line_count()
        found: list[tuple[int, Line]] = []
        index = self.top
        while index < count and len(found) <= height:
            found += [(index, line) for line in self.lines_of(index)]
            if index == self.top:
                del found[: self._above]
            index += 1
        return found

    def _within(self, found: list[tuple[int, Line]]) -> list[tuple[int, Line]]:
        """The lines that have room; the last row may say how many items have none."""
        height = self.height
        if len(found) <= height or not height:
            return found
        missing = found[height - 1][0]
        said = self.unseen(missing)
        if said is None:
            return found[:height]
        whole = [row for row in found[: height - 1] if row[0] != missing]
        return [*(whole or found[: height - 1]), (missing, said)]

    def _take(self, rows: list[SeenRow]) -> None:
        """Show these rows, and draw those that have changed."""
        old, self._rows = self._rows, rows
        self.redraw(changed(old, rows))

    def render_line(self, y: int) -> Strip:
        """The row."""
        if y >= len(self._rows):
            return Strip.blank(self.room.width, self.paper)
        row = self._rows[y]
        return row.line.strip(self.room.width, self.paper, row.over)

    def is_marked(self, y: int) -> bool:
        """Whether the bar is at that row."""
        return 0 <= y < len(self._rows) and self._rows[y].marked

    def item_at(self, y: int) -> int | None:
        """Which item is on a row of the pane."""
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
        """Have that item be the first that is seen."""
        self.show(top)

    def keep_seen(self, first: int, last: int | None = None) -> None:
        """Scroll no farther than needed to have these items seen, the first above all."""
        last = first if last is None else last
        place = max((self.top, self._above), self._place_above(last + 1))
        self.show(*min(place, (first, 0)))

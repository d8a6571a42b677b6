"""What is told of a fight afterwards, as lines that scroll: points, charts, a table, the story."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from affray.core.telling.recap.markdown import spark
from affray.core.telling.recap.sections import Bars, Curves, Section, Table
from affray.tui.drawing import Line, cut, flow, hung, plain, widest, wrapped
from affray.tui.panes.pane import Pane
from affray.tui.themes import Inks

SCROLLS = {"j": 1, "down": 1, "k": -1, "up": -1, "space": 20, "pagedown": 20, "pageup": -20}
SCROLLS |= {"home": -(10**6), "end": 10**6}
"""By how many lines a key scrolls."""
LONGEST_BAR = 40
GAP = 2


class RecapPane(Pane):
    """All sections, one below another."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._sections: list[Section] = []
        self._lines: list[Line] = []

    def tell(self, sections: list[Section], title: str) -> None:
        """Show these sections from their beginning."""
        self._sections, self.top = sections, 0
        self.entitle(title)
        self.repaint()

    def repaint(self) -> None:
        """Make the lines, for the width that there is."""
        self.room = self.size
        if self.room.width:
            self._lines = list(recap_lines(self._sections, self.room.width, self.inks))
            self.scroll_top(min(self.top, max(0, len(self._lines) - self.room.height)))
        self.refresh()

    def scrolls(self, pressed: str) -> bool:
        """Scroll, if the key does that; tells whether it does."""
        if pressed in SCROLLS:
            self.scroll_lines(SCROLLS[pressed])
        return pressed in SCROLLS

    def line_count(self) -> int:
        """All lines."""
        return len(self._lines)

    def line(self, number: int, width: int) -> Line:
        """One line."""
        return self._lines[number]


def recap_lines(sections: Iterable[Section], width: int, inks: Inks) -> Iterator[Line]:
    """The sections in so many cells, with a blank line between them."""
    for number, section in enumerate(sections):
        if number:
            yield Line()
        ink = inks.strong if section.level == 1 else inks.accent
        yield from (Line().add(text, ink) for text in wrapped(plain(section.heading), width))
        mark = Line().add("" if section.level == 1 else "· ", inks.dim)
        for text in section.lines:
            room = max(width - mark.width, 1)
            yield from hung(mark, (Line().add(part, inks.plain) for part in wrapped(text, room)))
        if section.table is not None:
            yield from _table(section.table, width, inks)
        if section.curves is not None:
            yield from _curves(section.curves, width, inks)
        for bars in section.bars:
            yield Line()
            yield from _bars(bars, width, inks)


def _table(table: Table, width: int, inks: Inks) -> Iterator[Line]:
    """Columns side by side; where these have no room, a name and what belongs to it."""
    cells = [table.headers, *table.rows]
    columns = [widest([row[n] for row in cells]) for n in range(len(table.headers))]
    if sum(columns) + GAP * (len(columns) - 1) > width:
        yield from _by_name(table, width, inks)
        return
    yield Line()
    for number, row in enumerate(cells):
        ink = inks.plain if number else inks.dim
        line = Line().add(row[0], ink)
        end = columns[0]
        for cell, wide in zip(row[1:], columns[1:], strict=True):
            end += GAP + wide
            line.right(Line().add(cell, ink), end)
        yield line


def _by_name(table: Table, width: int, inks: Inks) -> Iterator[Line]:
    for row in table.rows:
        yield Line()
        yield Line().add(cut(row[0], width), inks.strong)
        told = zip(table.headers[1:], row[1:], strict=True)
        items = (
            Line().add(f"{header.casefold()} ", inks.dim).add(cell, inks.plain)
            for header, cell in told
            if cell != "–"
        )
        yield from flow(items, width)


def _curves(curves: Curves, width: int, inks: Inks) -> Iterator[Line]:
    """A row of blocks for each side, the newest rounds where there are more than have room."""
    yield Line().add(cut(curves.title, width), inks.dim)
    name = widest([name for name, _ in curves.rows])
    for (title, values), ink in zip(curves.rows, (inks.party, inks.foes), strict=False):
        told = f"  {values[-1]}%"
        room = max(width - name - GAP - len(told), 1)
        line = Line().add(title, inks.plain).column(name + GAP)
        yield line.add(spark(values[-room:]), ink).add(told, inks.plain)


def _bars(bars: Bars, width: int, inks: Inks) -> Iterator[Line]:
    """A bar for each name, and how much it stands for."""
    yield Line().add(cut(bars.title, width), inks.dim)
    name = min(widest([plain(bar.name) for bar in bars.rows]), max(width // 3, 8))
    said = widest([bar.said for bar in bars.rows])
    room = max(min(width - name - said - 2 * GAP, LONGEST_BAR), 1)
    most = max(bar.amount for bar in bars.rows)
    for bar in bars.rows:
        line = Line().add(cut(plain(bar.name), name), inks.plain).column(name + GAP)
        line.add("▇" * max(1, room * bar.amount // most), inks.side(bar.side))
        yield line.column(name + 2 * GAP + room).add(bar.said, inks.plain)

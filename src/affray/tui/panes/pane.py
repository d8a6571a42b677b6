"""A framed region that draws its own lines, and only those that can be seen.

It keeps its own place in what it shows instead of being scrolled by the toolkit, because there a
list that grows by a line has the whole screen laid out anew, which costs more than all the drawing.
"""

from __future__ import annotations

from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.strip import Strip

from affray.tui.drawing import NO_INK, Line
from affray.tui.fight_view import FightView
from affray.tui.panes.follower import Follower

WHEEL_LINES = 3
MUCH = 2
"""So many lines too many are more than a column could save."""


class Pane(Follower):
    """A region with a frame and a title. Subclasses say how many lines there are, and draw one."""

    NAME: ClassVar[str] = ""

    def __init__(self, *, id: str | None = None, classes: str = "pane") -> None:
        super().__init__(id=id, classes=classes)
        self.top = 0  # the first line that is seen
        self.shown: FightView | None = None
        self._slice: tuple[object, ...] = ()

    # -- what subclasses give ----------------------------------------------------------------------

    def line_count(self) -> int:
        """How many lines there are in all."""
        raise NotImplementedError

    def line(self, number: int, width: int) -> Line:
        """One line, for so many cells."""
        raise NotImplementedError

    def slice(self, view: FightView) -> tuple[object, ...]:
        """The part of the view that this pane draws; while it stays the same, nothing is redone."""
        return ()

    def redo(self) -> None:
        """Work out anew what is drawn, after the slice, the size or the theme has changed."""

    def over(self, number: int) -> Style:
        """What is laid over that line: where the cursor is, or what must be seen from afar."""
        return NO_INK

    # -- the life of a pane ------------------------------------------------------------------------

    def on_mount(self) -> None:
        """Show the name."""
        self.entitle(self.NAME)

    def follow(self, view: FightView) -> None:
        """Redo what is drawn, if the slice of the view has changed."""
        self.shown, self.room = view, self.size
        found = self.slice(view)
        if found != self._slice:
            self._slice = found
            self.redo()

    def repaint(self) -> None:
        """Redo what is drawn, and draw all of it."""
        self.room = self.size
        if self.shown is not None:
            self.redo()
        self.refresh()

    def on_resize(self) -> None:
        """Lines are made for a width."""
        self.repaint()

    # -- drawing -----------------------------------------------------------------------------------

    def render_line(self, y: int) -> Strip:
        """The line at a row of the screen, with the scroll mark at its end."""
        number = self.top + y
        if number >= self.line_count():
            return Strip.blank(self.room.width, self.paper)
        mark = self.scroll_mark(y, self.top, self.line_count())
        line = self.line(number, self.room.width - len(mark))
        return self.painted(line, self.over(number), mark)

    def painted(self, line: Line, over: Style, mark: str) -> Strip:
        """A line in the pane's width, with what is laid over it, and a scroll mark."""
        width = self.room.width
        strip = line.strip(width - len(mark), self.paper, over)
        if mark:
            strip = Strip([*strip, Segment(mark, self.paper + self.inks.dim)], width)
        return strip

    def scroll_mark(self, y: int, top: int, total: int) -> str:
        """A short bar at the right edge that tells which part of a long list is seen."""
        height = self.room.height
        if total <= height or not height:
            return ""
        length = max(1, height * height // total)
        start = (height - length) * top // max(total - height, 1)
        return "┃" if start <= y < start + length else " "

    def redraw_lines(self, *numbers: int) -> None:
        """Have only these lines drawn anew, as far as they can be seen."""
        width = self.room.width
        seen = [n - self.top for n in numbers if 0 <= n - self.top < self.room.height]
        if seen:
            self.refresh(*(Region(0, y, width, 1) for y in seen))

    # -- moving within -----------------------------------------------------------------------------

    def scroll_lines(self, by: int) -> None:
        """Move what is seen by so many lines, up to the ends."""
        self.scroll_top(self.top + by)

    def scroll_top(self, top: int) -> None:
        """Have that line be the first that is seen, as far as the list is long enough."""
        top = max(0, min(top, self.line_count() - self.room.height))
        if top != self.top:
            self.top = top
            self.refresh()

    def keep_seen(self, first: int, last: int | None = None) -> None:
        """Scroll no farther than needed to have these lines seen."""
        last = first if last is None else last
        if last >= self.top + self.room.height:
            self.scroll_top(last - self.room.height + 1)
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
    """A pane with so few lines that all of them are made at once, whenever its slice changes."""

    def __init__(self, *, id: str | None = None, classes: str = "pane") -> None:
        super().__init__(id=id, classes=classes)
        self._lines: list[Line] = []

    def make_lines(self, view: FightView, width: int) -> list[Line]:
        """All lines, for so many cells."""
        raise NotImplementedError

    def line_count(self) -> int:
        """How many lines there are in all."""
        return len(self._lines)

    def line(self, number: int, width: int) -> Line:
        """One line."""
        return self._lines[number]

    def redo(self) -> None:
        """Make the lines, and have drawn those that are not what they were."""
        if self.shown is None or not self.room:  # not seen: it is done when it is
            return
        old = self._lines
        self._lines = self._fitting(self.shown)
        if len(old) != len(self._lines):
            self.top = max(0, min(self.top, len(self._lines) - self.room.height))
            self.refresh()
        else:
            pairs = enumerate(zip(old, self._lines, strict=True))
            self.redraw_lines(*(n for n, (was, now) in pairs if was != now))

    def _fitting(self, view: FightView) -> list[Line]:
        """The lines for the whole width if they fit in, else for what the scroll mark leaves of it.

        What was much too long is likely so again, and tried first as that: it need not be made
        twice then.
        """
        width, height = self.room
        if len(self._lines) > height + MUCH:
            lines = self.make_lines(view, width - 1)
            if len(lines) > height + MUCH:
                return lines
        lines = self.make_lines(view, width)
        return lines if len(lines) <= height else self.make_lines(view, width - 1)

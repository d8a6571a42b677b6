"""A framed region that draws its own lines, and only those that can be seen.

It keeps its own place in what it shows instead of being scrolled by the toolkit, because there a
list that grows by a line has the whole screen laid out anew, which costs more than all the drawing.
"""

from __future__ import annotations

from typing import ClassVar

from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.strip import Strip

from affray.tui.drawing import NO_INK, Line
from affray.tui.fight_view import FightView
from affray.tui.panes.follower import Follower, changed

WHEEL_LINES = 3


class Pane(Follower):
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
        """How many lines there are in all."""
        raise NotImplementedError

    def line(self, number: int, width: int) -> Line:
        """One line, for so many cells."""
        raise NotImplementedError

    def slice(self, view: FightView) -> tuple[object, ...]:
        """The part of the view that this pane draws; while it stays the same, and the rules do,
        nothing is redone."""
        return ()

    def redo(self) -> None:
        """Work out anew what is drawn, after the slice, the size or the theme has changed."""

    def prepare(self) -> None:
        """Draw what a key may bring into sight. It is done between two keys."""

    def foresee(self, view: FightView) -> None:
        """Work out, and keep, what takes time of a view that is likely to be followed next."""

    def over(self, number: int) -> Style:
        """What is laid over that line: where the cursor is, or what must be seen from afar."""
        return NO_INK

    # -- the life of a pane ------------------------------------------------------------------------

    def on_mount(self) -> None:
        """Show the name."""
        self.entitle(self.NAME)

    def follow(self, view: FightView) -> None:
        """Redo what is drawn, if the slice of the view has changed, or the room."""
        self.shown, self.room = view, self.size
        found = (view.ruleset, *self.slice(view))
        if found != self._slice or self.is_behind:
            self._slice, self._fits = found, self.room
            self.redo()

    @property
    def is_behind(self) -> bool:
        """Whether the lines are made for another size, as the toolkit tells of a new one later."""
        return self._fits != self.size

    def repaint(self) -> None:
        """Redo what is drawn, and draw all of it."""
        self.room = self._fits = self.size
        if self.shown is not None:
            self.redo()
        self.refresh()

    def on_resize(self) -> None:
        """Lines are made for a width."""
        self.repaint()

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

    def is_marked(self, y: int) -> bool:
        """Whether the side of the frame tells there which part of a long list is seen."""
        return y in self.bar_of(self.top, self.line_count())

    def bar_of(self, top: int, total: int) -> range:
        """The rows of the bar for what is seen from there on; none where everything is."""
        height = self.room.height
        if total <= height or not height:
            return range(0)
        length = max(1, height * height // total)
        start = (height - length) * top // max(total - height, 1)
        return range(start, start + length)

    def redraw_lines(self, *numbers: int) -> None:
        """Have only these lines drawn anew, as far as they can be seen."""
        self.redraw(n - self.top for n in numbers if 0 <= n - self.top < self.room.height)

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
        old, self._lines = self._lines, self.make_lines(self.shown, self.room.width)
        if len(old) != len(self._lines):
            self.top = max(0, min(self.top, len(self._lines) - self.room.height))
            self.refresh()
        else:
            self.redraw_lines(*changed(old, self._lines))

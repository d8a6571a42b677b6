"""A widget that follows the fight and the theme, and paints its own rows: what all of ours are.

The toolkit asks every widget for all of its rows whenever a row of one of them has changed, and
puts each changed one together anew, with a frame that costs as much as its text. Here a row is put
together once, frame and all, and kept until what it shows has changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Self

from rich.segment import Segment
from rich.style import Style
from textual.filter import ANSIToTruecolor, DimFilter
from textual.geometry import Region, Size, Spacing
from textual.strip import Strip
from textual.widget import Widget

from affray.tui.drawing import Line, cut, plain
from affray.tui.fight_view import FightView
from affray.tui.panes.frames import LEAST_AROUND_WORDS, lettered, lower_edge, sides, upper_edge
from affray.tui.shared import app_of
from affray.tui.themes import Inks
from affray.tui.toolkit import paint_soon

NO_ROOM = Spacing()


def changed(old: Sequence[object], new: Sequence[object]) -> list[int]:
    """The places in which something else stands now than did."""
    return [n for n, (was, now) in enumerate(zip_longest(old, new)) if was != now]


class Follower(Widget):
    """Told of every new view of the fight. Subclasses give their rows, by `render_line`.

    Where the style sheet leaves room around the rows, a frame is drawn there.

    chosen   whether the frame stands out
    title    what the frame says above, at the left
    aside    what it says below, at the right
    labels   what it says above columns, each with its first cell of the room
    tabs     stands in for the title where panes share one place
    letter   the key that goes here, before the title, while the screen waits for one
    room     the cells within the frame, as they were when it was last drawn or told of the fight;
             to ask the toolkit for each row would cost as much as the row
    """

    ALLOW_SELECT = False

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        self._painted: dict[int, Strip] = {}  # before the toolkit asks for the first picture
        super().__init__(id=id, classes=classes)
        self.chosen = False
        self.title = self.aside = self.letter = ""
        self.labels: Sequence[tuple[int, str]] = ()
        self.tabs: Line | None = None
        self.room = Size(0, 0)

    @property
    def scrollbar_gutter(self) -> Spacing:
        """No room for the toolkit's scroll bars, which no pane has: it need not work that out."""
        return NO_ROOM

    @property
    def inks(self) -> Inks:
        """The inks of the present theme."""
        return app_of(self).inks

    @property
    def paper(self) -> Style:
        """What is drawn on: the background, and the ink of what has none of its own."""
        return self.visual_style.rich_style

    def on_mount(self) -> None:
        """Watch the theme."""
        self.watch(self.app, "inks", self.repaint, init=False)

    def follow(self, view: FightView) -> None:
        """Take in how the fight is to be shown now."""

    def repaint(self) -> None:
        """Draw everything anew."""
        self.refresh()

    # -- the frame ---------------------------------------------------------------------------------

    def choose(self, chosen: bool) -> None:
        """Have the frame stand out, or not."""
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
            self._redraw_edge(self.outer_size.height - 1)

    def mark(self, letter: str, tabs: Line | None) -> None:
        """Have the frame say which key goes here, or name the panes that share this place."""
        if (letter, tabs) != (self.letter, self.tabs):
            self.letter, self.tabs = letter, tabs
            self._redraw_edge(0)

    def _redraw_edge(self, y: int) -> None:
        """Have the edge at that row of the whole pane drawn anew."""
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
        """Have the rows of these regions painted anew; without any, all of them.

        Of a widget that is not seen nothing is asked of the toolkit, which would look for its place
        among all widgets; when it comes to be seen, it is painted whole.
        """
        if regions:
            top = self.gutter.top
            self._forget(*(y + top for region in regions for y in region.line_range))
        else:
            self._forget()
        if layout or recompose or not self.is_mounted:
            return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)
        self.repaint_kept(*regions)
        return self

    def redraw(self, rows: Iterable[int]) -> None:
        """Have these rows of the room painted anew; none of them if there are none."""
        regions = [Region(0, y, self.room.width, 1) for y in rows]
        if regions:
            self.refresh(*regions)

    def repaint_kept(self, *regions: Region) -> None:
        """Have these regions of a widget that is seen painted, with the rows that are kept."""
        if self.region and not paint_soon(self, *regions):
            super().refresh(*regions)

    def notify_style_update(self) -> None:
        """Rows are as old as their colours."""
        self._forget()
        super().notify_style_update()

    def _forget(self, *rows: int) -> None:
        for y in rows or tuple(self._painted):
            self._painted.pop(y, None)

    def render_lines(self, crop: Region) -> list[Strip]:
        """The rows of that part, of which most have been painted already."""
        lacking = [y for y in crop.line_range if y not in self._painted]
        if lacking:
            self.room = self.size
            top, right, _, left = self.gutter
            before, *after = sides(left, right, self.frame_ink, self.paper)
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
        if 0 <= y < self.room.height:
            return Strip([*before, *self.render_line(y), *after[self.is_marked(y)]], width)
        if y < 0:
            said = self.inks.strong if self.chosen else self.inks.dim
            title = self.tabs or self._titled(width)
            labels = [(self.gutter.left + cell, plain(label)) for cell, label in self.labels]
            edge = upper_edge(title, said, width, self.frame_ink, labels)
            return edge.strip(width, self.paper)
        return lower_edge(self.aside, self.inks.plain, width, self.frame_ink).strip(
            width, self.paper
        )

    def is_marked(self, y: int) -> bool:
        """Whether the right side of the frame is thick at a row of the room."""
        return False

    def _titled(self, width: int) -> Line:
        """The title, as much as there is room for, with the letter before it in jump mode."""
        line = Line().add(lettered(self.letter), self.inks.accent).add(" " if self.letter else "")
        return line.add(cut(self.title, width - LEAST_AROUND_WORDS - line.width))

    @property
    def frame_ink(self) -> Style:
        """What the frame is drawn with."""
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

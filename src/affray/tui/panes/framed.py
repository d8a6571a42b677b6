"""A framed region that paints its own rows, and no row that it has painted already.

The toolkit's frames cost as much as the text within them, on each row and on each key. Here a row
is put together once, and kept until what it shows has changed.
"""

from __future__ import annotations

from typing import Self

from rich.cells import cell_len
from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip

from affray.tui.drawing import Line, cut
from affray.tui.panes.follower import Follower

BOLD = Style(bold=True)


class Framed(Follower):
    """Rows within a frame that bears a title. Subclasses give the rows, by `render_line`.

    The frame is drawn where the style sheet leaves room around the rows, and nowhere else.

    chosen   whether the frame stands out
    title    what the frame says above, at the left
    aside    what it says below, at the right
    tabs     stands in for the title where panes share one place
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        # By their looks; there before the toolkit asks for the first picture.
        self._looks: dict[str, dict[int, Strip]] = {}
        self._painted = self._looks.setdefault("", {})
        super().__init__(id=id, classes=classes)
        self.chosen = False
        self.title = self.aside = ""
        self.tabs: Line | None = None

    def choose(self, chosen: bool) -> None:
        """Have the frame stand out, or not."""
        if chosen is not self.chosen:
            self.chosen = chosen
            self.refresh()

    def entitle(self, title: str, aside: str = "") -> None:
        """Set what the frame says. Text, never markup."""
        if (title, aside) != (self.title, self.aside):
            self.title, self.aside = title, aside
            self._redraw_edges()

    def entitle_tabs(self, tabs: Line | None) -> None:
        """Have the frame name the panes that share this place, in place of its title; or not."""
        if tabs != self.tabs:
            self.tabs = tabs
            self._redraw_edges()

    def _redraw_edges(self) -> None:
        left, top = -self.gutter.left, -self.gutter.top
        width, height = self.outer_size
        ends = (Region(left, y, width, 1) for y in (top, height - 1 + top))
        self.refresh(*ends)

    # -- painting ----------------------------------------------------------------------------------

    def refresh(
        self,
        *regions: Region,
        repaint: bool = True,
        layout: bool = False,
        recompose: bool = False,
    ) -> Self:
        """Have these regions within the frame painted anew; without any, all of it."""
        top = self.gutter.top if regions else 0
        rows = [y + top for region in regions for y in region.line_range]
        for painted in self._looks.values():
            if regions:
                for y in rows:
                    painted.pop(y, None)
            else:
                painted.clear()
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def look(self, name: str) -> None:
        """Show the rows in another look. What was painted in it before is as good as new."""
        self._painted = self._looks.setdefault(name, {})
        super().refresh()

    def notify_style_update(self) -> None:
        """Rows are as old as their colours."""
        for painted in self._looks.values():
            painted.clear()
        super().notify_style_update()

    def paint(self, crop: Region) -> list[Strip]:
        """The rows, of which most are there already."""
        for y in crop.line_range:
            if y not in self._painted:
                self._painted[y] = self._filtered(self.paint_row(y))
        strips = [self._painted[y] for y in crop.line_range]
        if crop.column_span != (0, self.outer_size.width):
            strips = [strip.crop(*crop.column_span) for strip in strips]
        return strips

    def _filtered(self, strip: Strip) -> Strip:
        """The strip in the colours that the terminal has."""
        background = self.background_colors[1]
        for each in self.get_line_filters():
            strip = strip.apply_filter(each, background)
        return strip

    def paint_row(self, y: int) -> Strip:
        """A row, with its part of the frame."""
        top, _, bottom, left = self.gutter
        if top and y == 0:
            return self._upper_edge()
        if bottom and y == self.outer_size.height - 1:
            return self._lower_edge()
        content = self.render_line(y - top)
        if not left:
            return content
        ink, width = self._frame_ink, self.outer_size.width
        row = Line().add("│", ink).add(" " * (left - 1))
        row.segments.extend(content)
        row.width += content.cell_length
        return row.column(width - 1).add("│", ink).strip(width, self.paper)

    @property
    def _frame_ink(self) -> Style:
        return self.inks.frame_chosen if self.chosen else self.inks.frame

    def _upper_edge(self) -> Strip:
        """`╭─ Initiative ─────────╮`"""
        width, ink = self.outer_size.width, self._frame_ink
        words = (self.inks.strong if self.chosen else self.inks.dim) + BOLD
        title = self.tabs or Line().add(cut(self.title, width - 6))
        line = Line().add("╭", ink)
        if title.width:
            line.add("─", ink).add(" ", words)
            line.join(title.inked(words)).add(" ", words)
        line.add("─" * (width - 1 - line.width), ink)
        return line.add("╮", ink).strip(width, self.paper)

    def _lower_edge(self) -> Strip:
        """`╰───── + adds somebody ─╯`"""
        width, ink = self.outer_size.width, self._frame_ink
        aside = cut(self.aside, width - 6)
        words = f" {aside} " if aside else ""
        line = Line().add("╰", ink).add("─" * (width - 3 - cell_len(words)), ink)
        line.add(words, self.inks.dim)
        line.add("─" * (width - 1 - line.width), ink)
        return line.add("╯", ink).strip(width, self.paper)

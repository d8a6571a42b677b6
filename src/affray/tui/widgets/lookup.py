"""The pane that draws a lookup list and the detail of its chosen row.

It stands over other panes while it is open, and then gets every key from its screen. It makes only
visible lines, and draws only changed rows.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from textual import events
from textual.geometry import Region
from textual.strip import Strip

from affray.tui.drawing import NO_INK, StyledLine
from affray.tui.fight_view import FightView, KeyClicked, LookupRowHighlighted
from affray.tui.lookup.model import LookupKeyResult, LookupList, LookupSource
from affray.tui.widgets.base import WHEEL_LINES, FightWidget, changed_indexes

GAP = 2
WIDE_FROM = 100
"""From so many cells on, what is said of the chosen row stands beside the list."""
LEAST_WIDE, FEW_ROWS = 66, 20
"""So it does if there are few rows, and cells for both."""


class LookupGeometry(NamedTuple):
    """The regions of a lookup pane: its list, and the detail of the chosen row."""

    rows: Region
    detail: Region

    @property
    def beside(self) -> bool:
        """True if the two are side by side."""
        return self.detail.x > 0


class LookupLine(NamedTuple):
    """A line: its left part, whether it is chosen, and the text beside the list."""

    left: StyledLine
    chosen: bool = False
    right: StyledLine = StyledLine()


class LookupPane(FightWidget):
    """A list, and details of its chosen row. `sheet` is None while it is closed."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, classes="pane sheet-pane")
        self.chosen = True
        self.sheet: LookupList | None = None
        self._top = 0
        self._detail: list[StyledLine] = []
        self._told_top = 0
        self._drawn: list[LookupLine] = []
        self._typed: dict[str, str] = {}  # what was typed the time before, by what it was typed for

    @property
    def is_open(self) -> bool:
        """True if it has a place on the screen."""
        return self.sheet is not None

    @property
    def has_all(self) -> bool:
        """True if it takes all the room of a small window."""
        return self.sheet is not None and self.sheet.contents.HAS_ALL

    def open(self, contents: LookupSource[Any], typed: str | None = None) -> None:
        """Show these contents, with those words, or else the ones typed the last time."""
        before = self._typed.get(contents.KEY, "") if typed is None else typed
        self.sheet, self._top = LookupList(contents, before), 0
        self._turn()

    def close(self) -> None:
        """Show nothing."""
        if self.sheet is not None and self.sheet.contents.REMEMBERS:
            self._typed[self.sheet.contents.KEY] = self.sheet.query or self.sheet.cleared
        self.sheet = None

    def follow(self, view: FightView) -> None:
        """Draw the changes."""
        if self.sheet is not None and self.sheet.renew(view):
            self._turn()

    def repaint(self) -> None:
        """Draw all of it anew."""
        self._turn()
        self.refresh()

    def on_resize(self) -> None:
        """Lines are made for a width."""
        self.repaint()

    # -- keys and the mouse ------------------------------------------------------------------------

    def feed(self, pressed: str) -> LookupKeyResult:
        """Take a key. It scrolls the text on a row before it scrolls the rows."""
        if self.sheet is None:
            return LookupKeyResult.PASSED
        if pressed in ("pageup", "pagedown") and self._unseen:
            page = max(self.places.detail.height - 1, 1)
            self._scroll_told(page if pressed == "pagedown" else -page)
            return LookupKeyResult.DONE
        step = self.sheet.feed(pressed, max(self.places.rows.height - 1, 1))
        if step is LookupKeyResult.DONE:
            self._turn()
        return step

    def paste(self, text: str) -> None:
        """Put pasted text behind what was typed."""
        if self.sheet is not None:
            self.sheet.paste(text)
            self._turn()

    def on_click(self, event: events.Click) -> None:
        """Choose the row that was clicked; the chosen one is taken, as by enter."""
        spot, rows = event.get_content_offset(self), self.places.rows
        if self.sheet is None or spot is None or not rows.contains(spot.x, spot.y):
            return
        at, there = self._top + spot.y - rows.y, self.sheet.rows
        if at >= len(there) or isinstance(there[at], str):
            return
        if at != self.sheet.at:
            self.sheet.choose(at)
            self._turn()
            self.post_message(LookupRowHighlighted())
        elif self.sheet.contents.TAKES:
            self.post_message(KeyClicked("enter"))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """The wheel."""
        self._wheel(event, WHEEL_LINES)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """The wheel."""
        self._wheel(event, -WHEEL_LINES)

    def _wheel(self, event: events.MouseEvent, by: int) -> None:
        """Move the cursor over the list, and scroll the text beside it."""
        event.stop()
        spot = event.get_content_offset(self)
        if spot is not None and self.places.detail.contains(spot.x, spot.y):
            self._scroll_told(by)
        elif self.sheet is not None:
            self.sheet.move(by)
            self._turn()
            self.post_message(LookupRowHighlighted())

    # -- what is drawn -----------------------------------------------------------------------------

    @property
    def places(self) -> LookupGeometry:
        """The places of the list, of its row's text below or beside it, and of the typed line.

        A short list leaves its rows to the text.
        """
        contents = self.sheet.contents if self.sheet is not None else LookupSource
        many = len(self.sheet.rows) if self.sheet is not None else 0
        has_line = self.sheet is not None and self.sheet.has_line
        inside = self.room.region.shrink((1 if has_line else 0, 0, 0, 0))
        width, height = inside.size
        least = WIDE_FROM if contents.HAS_ALL else LEAST_WIDE
        if width >= WIDE_FROM or (width >= least and height < FEW_ROWS):
            rows, detail = inside.split_vertical(width * contents.SHARE // 100)
            return LookupGeometry(rows, detail.shrink((0, 0, 0, GAP)))
        most = max(height - 1 - contents.TOLD, 0) if contents.TOLD else (height + 1) // 2
        rows, detail = inside.split_horizontal(min(most, max(many, 1)))
        return LookupGeometry(rows, detail.shrink((1, 0, 0, 0)))

    def _turn(self) -> None:
        """Make the text on the chosen row, from its start, and draw the changes."""
        sheet = self.sheet
        self.room = self.size
        if sheet is None or not self.room:
            return
        width = self.places.detail.width - 1
        self._detail = (
            sheet.contents.render_detail(sheet.row, width, self.inks)
            if sheet.row is not None
            else []
        )
        self._told_top = 0
        self._draw(sheet)

    @property
    def _unseen(self) -> int:
        """The number of lines that have no room."""
        return max(len(self._detail) - self.places.detail.height, 0)

    def _scroll_told(self, by: int) -> None:
        self._told_top = max(0, min(self._told_top + by, self._unseen))
        if self.sheet is not None:
            self._draw(self.sheet)

    def _draw(self, sheet: LookupList) -> None:
        """Make the visible lines, and paint those that have changed."""
        places, old = self.places, self._drawn
        self._keep_seen(sheet, places.rows.height)
        self.entitle(sheet.contents.NAME, self._hint(sheet))
        self._drawn = [self._line(sheet, y, places) for y in range(self.room.height)]
        self.redraw(changed_indexes(old, self._drawn))

    def _keep_seen(self, sheet: LookupList, height: int) -> None:
        """Scroll no farther than needed; a heading right above the cursor is seen with it."""
        first = sheet.at - (1 if sheet.at and isinstance(sheet.rows[sheet.at - 1], str) else 0)
        self._top = max(min(self._top, first), sheet.at - height + 1, 0)

    def _hint(self, sheet: LookupList) -> str:
        contents, words = sheet.contents, ["↑↓ choose"]
        words += ["pgdn reads on"] if self._unseen else []
        takes = "ends the word" if sheet.is_finding else contents.TAKES
        words += [f"↵ {takes}"] if takes else []
        clears = sheet.clears or sheet.is_finding
        return " · ".join([*words, "esc clears" if clears else "esc leaves"])

    def _line(self, sheet: LookupList, y: int, places: LookupGeometry) -> LookupLine:
        rows, detail = places
        if y < rows.y:
            return LookupLine(self._typed_line(sheet))
        if y >= rows.bottom:
            ruled = StyledLine().add("─" * self.room.width, self.inks.faint)
            return LookupLine(self._told_line(y - detail.y) if y >= detail.y else ruled)
        number = self._top + y - rows.y
        right = self._told_line(y - detail.y) if places.beside else StyledLine()
        chosen = number == sheet.at and sheet.row is not None
        return LookupLine(self._row_line(sheet, number, rows.width - 1, chosen), chosen, right)

    def _typed_line(self, sheet: LookupList) -> StyledLine:
        inks, count = self.inks, sum(1 for row in sheet.rows if not isinstance(row, str))
        line = StyledLine().add("/ ", inks.accent)
        line.add(sheet.query, inks.dim if sheet.is_query_kept else inks.plain).add(
            "▏" if sheet.types else "", inks.accent
        )
        line.add("" if sheet.query else "type to find", inks.dim)
        return line.right(StyledLine().add(f"  {count}", inks.dim), self.room.width)

    def _row_line(self, sheet: LookupList, number: int, width: int, chosen: bool) -> StyledLine:
        if number >= len(sheet.rows):
            return StyledLine().add(
                "  nothing found" if not sheet.rows and not number else "", self.inks.dim
            )
        row = sheet.rows[number]
        if isinstance(row, str):
            return StyledLine().add(row, self.inks.title)
        line = StyledLine().add("› " if chosen else "  ", self.inks.accent)
        return sheet.contents.fill(line, row, width, self.inks, chosen)

    def _told_line(self, y: int) -> StyledLine:
        number = self._told_top + y
        return self._detail[number] if number < len(self._detail) else StyledLine()

    def render_line(self, y: int) -> Strip:
        """One row of it."""
        width, places = self.room.width, self.places
        if y >= len(self._drawn):
            return Strip.blank(width, self.paper)
        left, chosen, right = self._drawn[y]
        over = self.inks.cursor if chosen else NO_INK
        if not places.beside or y < places.rows.y:
            return left.strip(width, self.paper, over)
        listed = left.strip(places.rows.width, self.paper, over)
        strip = right.strip(places.detail.width, self.paper)
        return Strip.join([listed, Strip.blank(GAP, self.paper), strip])

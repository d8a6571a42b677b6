"""What stands on the screen, as somebody reads it: the panes with their rows, out of the cells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from textual._context import visible_screen_stack
from textual.geometry import Spacing
from textual.screen import Screen


@dataclass(frozen=True)
class SeenPane:
    """A part of the screen.

    edges  what its frame says above and below; none for a line without a frame
    rows   what stands within, in all its cells, without the mark of scrolling at the right
    """

    name: str
    edges: tuple[str, ...]
    rows: tuple[str, ...]

    @property
    def text(self) -> str:
        """All rows."""
        return "\n".join(self.rows)

    def has_empty_row(self) -> bool:
        """Whether something more would have had a row of its own."""
        return any(not row.strip() for row in self.rows)


def panes_of(screen: Screen[Any]) -> dict[str, SeenPane]:
    """The parts of the screen that are seen, by their ids."""
    visible_screen_stack.set([])
    strips = screen._compositor.render_strips()
    found = {}
    for widget, place in screen._compositor.visible_widgets.items():
        region = place[0].intersection(place[1])
        region = region.shrink(Spacing(bottom=getattr(widget, "covered", 0)))
        if widget.parent is not screen or not region:
            continue
        rows = [strips[y].crop(region.x, region.right).text for y in region.line_range]
        found[widget.id or ""] = _pane(widget.id or "", rows)
    return found


def _pane(name: str, rows: list[str]) -> SeenPane:
    if not rows[0].startswith("╭"):
        return SeenPane(name, (), tuple(rows))
    within = tuple(row[1:-1] for row in rows[1:-1])
    return SeenPane(name, (rows[0], rows[-1]), within)


def free_at_end(row: str) -> int:
    """The cells of a row in which nothing stands, behind what stands there."""
    return len(row) - len(row.rstrip())

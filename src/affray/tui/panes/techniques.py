"""What the one under the cursor can do, as a grid: key, name, cost now and next, or why not."""

from __future__ import annotations

from collections import deque
from typing import ClassVar

from textual import events

from affray.core.rules.ruleset import Option
from affray.tui.drawing import Line, plain
from affray.tui.fight_view import FightView
from affray.tui.keymap import Keymap
from affray.tui.panes.pane import LinesPane
from affray.tui.panes.technique_grid import Grid, Place, grid_for
from affray.tui.themes import Inks

MOST_KEPT = 8
"""So many grids are kept: those up one after the other can often do the same."""

Asked = tuple[list[Option], Keymap, tuple[int, int], Inks, bool]
"""What a grid is drawn for: what can be done, by which keys, in a size and with inks, and whether
what can't be used is left out."""


class TechniquesPane(LinesPane):
    """Each technique in a place of its own that never changes, so that the eye learns it."""

    NAME: ClassVar[str] = "Techniques"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._grids: deque[tuple[Asked, Grid]] = deque(maxlen=MOST_KEPT)
        self._places: list[list[Place]] = []
        self._is_short = False

    def leave_out(self, is_short: bool) -> None:
        """Whether what can't be used has no rows, as something more urgent has too few."""
        if is_short is not self._is_short:
            self._is_short = is_short
            self.repaint()

    def slice(self, view: FightView) -> tuple[object, ...]:
        """Costs and reasons may hang on anything in the fight."""
        return (view.state, view.actor(), view.keymap)

    def make_lines(self, view: FightView, width: int) -> list[Line]:
        """What is its own first, as that is used most; then techniques, then reactions."""
        grid = self._grid_of(view, width)
        why = plain(grid.shared) or "not now"
        more = f"+{grid.hidden} " if grid.hidden else ""
        self.entitle(self.NAME, f" {more}✗ {why} " if grid.shared or more else "")
        self._places = grid.places
        return grid.lines

    def foresee(self, view: FightView) -> None:
        """Find what can be done then."""
        view.options(view.actor())

    def rows_wanted(self, width: int) -> tuple[int, int]:
        """The rows of the grid in so many cells, and those in which most have their texts."""
        grid = self._grid_of(self.shown, width) if self.shown is not None else None
        return (grid.wanted, grid.listed) if grid is not None else (0, 0)

    def _grid_of(self, view: FightView, width: int) -> Grid:
        """The grid of what can be done now, which mostly is what could be done a moment ago."""
        size = (width, self.room.height)
        asked = (view.options(view.actor()), view.keymap, size, self.inks, self._is_short)
        for before, grid in self._grids:
            if before == asked:
                return grid
        grid = grid_for(view.ruleset.tables, *asked)
        self._grids.appendleft((asked, grid))
        return grid

    def on_click(self, event: events.Click) -> None:
        """Begin what was clicked."""
        spot = event.get_content_offset(self)
        row = self._places[spot.y] if spot is not None and spot.y < len(self._places) else []
        for place in row:
            if spot is not None and place.chosen and 0 <= spot.x - place.start < place.width:
                self.post_message(place.chosen)

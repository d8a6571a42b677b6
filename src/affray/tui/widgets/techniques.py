"""The acts possible now: attacks, powers and techniques, with their keys and costs."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from typing import ClassVar

from rich.cells import cell_len
from textual import events

from affray.core.engine.state import Track
from affray.core.rules.ruleset import AvailableAction
from affray.tui.drawing import StyledLine, items_that_fit
from affray.tui.fight_view import FightView
from affray.tui.keymap import Keymap
from affray.tui.theme import Styles
from affray.tui.widgets.base import LEAST_AROUND_WORDS, LinesPane
from affray.tui.widgets.technique_cells import Attack, attacks_of
from affray.tui.widgets.technique_grid import CellPosition, TechniqueGrid, grid_for

MOST_KEPT = 8
"""So many grids are kept: those up one after the other can often do the same."""

Asked = tuple[
    list[AvailableAction], Keymap, tuple[int, int], Styles, list[Attack], Mapping[str, Track]
]
"""What a grid is drawn for: what can be done, by which keys, in a size and with inks, which attacks
can be made, and the tracks of whoever acts."""


class TechniquesPane(LinesPane):
    """The acts that the actor can do now; the frame has the number of all others, and the
    reason."""

    NAME: ClassVar[str] = "Techniques"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._grids: deque[tuple[Asked, TechniqueGrid]] = deque(maxlen=MOST_KEPT)
        self._places: list[list[CellPosition]] = []

    def slice(self, view: FightView) -> tuple[object, ...]:
        """Take the whole state, as costs and reasons may depend on anything in the fight."""
        return (view.state, view.actor(), view.keymap)

    def make_lines(self, view: FightView, width: int) -> list[StyledLine]:
        """Draw the grid: the combatant's own attacks and powers first, then techniques, then
        reactions. If nothing can be done, show the reason and the remedy."""
        grid = self._grid_of(view, width)
        room = self.outer_size.width - LEAST_AROUND_WORDS - cell_len(f"  {grid.others} · ")
        aside = " · ".join(filter(None, (grid.others, grid.not_now(room))))
        self.entitle(self.NAME, aside and f" {aside} ")
        self._places = grid.places
        if any(grid.places):
            return grid.lines
        return list(items_that_fit(self._of_nothing(view, grid), width))

    def _of_nothing(self, view: FightView, grid: TechniqueGrid) -> Iterator[StyledLine]:
        """`Odo can do nothing now: dying`, and the acts still possible, with their keys."""
        actor = view.state.find(view.actor())
        if actor is None:
            return
        words = f"{actor.name} can do nothing now{f': {grid.why}' if grid.why else ''}"
        yield StyledLine().add(words, self.inks.warn)
        for row in view.pending if view.view_at is None else ():
            line = StyledLine().add(f"{view.key_for('answer')}  ", self.inks.accent)
            yield line.add(row.what, self.inks.strong)
        if view.state.takes_turn(actor.id) and view.key_for("next"):
            line = StyledLine().add(f"{view.key_for('next')}  ", self.inks.accent)
            yield line.add("ends the turn", self.inks.plain)

    def prefetch(self, view: FightView) -> None:
        """Find the possible acts of that view."""
        view.options(view.actor())

    def rows_wanted(self, width: int) -> int:
        """The rows of the grid in so many cells."""
        return self._grid_of(self.shown, width).wanted if self.shown is not None else 0

    def _grid_of(self, view: FightView, width: int) -> TechniqueGrid:
        """The grid of possible acts, mostly the same as a moment ago."""
        size = (width, self.room.height)
        actor = view.actor()
        attacks = attacks_of(view.ruleset, view.state, view.keymap, actor, view.cursor)
        who = view.state.find(actor)
        tracks = who.tracks if who is not None else {}
        asked = (view.options(actor), view.keymap, size, self.inks, attacks, tracks)
        for before, grid in self._grids:
            if before == asked:
                return grid
        grid = grid_for(view.ruleset.tables, *asked)
        self._grids.appendleft((asked, grid))
        return grid

    def on_click(self, event: events.Click) -> None:
        """Begin the clicked act."""
        spot = event.get_content_offset(self)
        row = self._places[spot.y] if spot is not None and spot.y < len(self._places) else []
        for place in row:
            if spot is not None and place.chosen and 0 <= spot.x - place.start < place.width:
                self.post_message(place.chosen)

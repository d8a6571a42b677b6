"""What is told of a fight afterwards, on a screen of its own; `p` shows what players may read."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.screen import Screen
from textual.widgets import Sparkline, Static

from affray.core.heart.state import Side
from affray.core.telling.recap.fold import recap_of
from affray.core.telling.recap.for_players import players_recap
from affray.core.telling.recap.sections import damage_by_round, sections_of
from affray.store.encounter import OpenEncounter
from affray.tui.drawing import plain
from affray.tui.panes.recap import RecapPane
from affray.tui.shared import close_once, pressed_key

KEYS = " p what players may read, and back   ↑ ↓ scroll   esc leaves"


CELLS_A_ROUND = 2
"""A bar is at most so wide in the charts: from the start, where none is, to the last round."""


class RecapScreen(Screen[None]):
    """A fight's story. It is read once, as it stood when the screen was opened."""

    AUTO_FOCUS = ""

    def __init__(self, fight: OpenEncounter) -> None:
        super().__init__()
        self._all = recap_of(fight.history, fight.ruleset)
        self._for_players = players_recap(fight.history, fight.ruleset)
        self._players = False

    def compose(self) -> ComposeResult:
        """The damage of each round as two small charts with a word at both ends, the story below,
        and the keys."""
        with Horizontal(id="recap-charts"):
            for side in ("party", "foes"):
                with Horizontal(id=f"recap-{side}"):
                    yield Static(id=f"recap-{side}-title", markup=False)
                    yield Sparkline(id=f"recap-{side}-damage", summary_function=max)
                    yield Static(id=f"recap-{side}-end", markup=False)
        yield RecapPane(id="recap")
        yield Static(KEYS, id="recap-keys", classes="header", markup=False)

    def on_mount(self) -> None:
        """Tell all of it."""
        self._tell()

    def _tell(self) -> None:
        told = self._for_players if self._players else self._all
        whose = "for players" if self._players else "for the GM"
        self.query_one(RecapPane).tell(sections_of(told), f"The story, {whose}")
        sides: tuple[tuple[Side, str], ...] = (
            ("party", "The party took"),
            ("foes", "The foes took"),
        )
        for side, name in sides:
            damage = damage_by_round(told, side)
            self.query_one(f"#recap-{side}").display = any(damage)
            title = f"{name} {sum(damage)} {plain(told.health)}, start "
            self.query_one(f"#recap-{side}-title", Static).update(title)
            self.query_one(f"#recap-{side}-end", Static).update(f" R{len(damage)}")
            chart = self.query_one(f"#recap-{side}-damage", Sparkline)
            chart.data = (0, *damage)
            chart.styles.max_width = CELLS_A_ROUND * len(chart.data)

    def on_key(self, event: events.Key) -> None:
        """Scroll, turn to the other version, or leave."""
        pressed = pressed_key(event)
        if pressed == "p":
            self._players = not self._players
            self._tell()
        elif pressed in ("escape", "q", "enter", "ctrl+t"):
            close_once(self)
        elif not self.query_one(RecapPane).scrolls(pressed):
            return
        event.stop()
        event.prevent_default()

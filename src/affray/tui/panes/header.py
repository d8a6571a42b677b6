"""The first line: which fight, how far it is, and that it is saved."""

from __future__ import annotations

from functools import lru_cache

from rich.cells import cell_len

from affray.core.heart import groups
from affray.core.heart.state import Encounter
from affray.core.heart.turns import coming_up
from affray.core.telling.event_words import clock_in_words
from affray.tui.drawing import Line, cut, plain
from affray.tui.fight_view import FightView
from affray.tui.panes.pane import LinesPane

MOST_FOR_WHY = 30
MOST_OF_A_CLOCK = 16
ENOUGH_OF_A_TITLE = 14
_CHOICES = (
    (2, False, True),
    (2, False, False),
    (1, False, False),
    (1, True, False),
    (0, True, False),
)
"""How much is told, the most first: so many who are next, whether in brief, whether the name."""


class HeaderLine(LinesPane):
    """One line; what matters least gives way first when it is narrow."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, classes="header")

    def slice(self, view: FightView) -> tuple[object, ...]:
        """The state, the place in the log, and whether it can be written, and follows or not."""
        return (view.state, view.head, view.view_at, view.read_only, view.follows, view.stale)

    def make_lines(self, view: FightView, width: int) -> list[Line]:
        """` affray  The Ford   Round 3 · 4 of 7   ▶ MIRA   next Ghoul 1   saved ✓  entry 41 `

        Of these the title is cut first, then who is next goes; whoever is up stays.
        """
        title = plain(view.state.title) or "untitled"
        for most, brief, brand in _CHOICES:
            line = Line().add(" ")
            line.add("READ-ONLY  " if view.read_only else "", self.inks.bad)
            line.add("affray  " if brand else "", self.inks.accent)
            left, right = self._where(view, most), self._saved(view, brief)
            room = width - line.width - left.width - right.width - 3
            if room >= min(cell_len(title), ENOUGH_OF_A_TITLE):
                break
        line.add(cut(title, room), self.inks.plain)
        gap = max((width - line.width - left.width - right.width) // 2, 2)
        return [line.column(line.width + gap).join(left).right(right, width)]

    def _where(self, view: FightView, most: int) -> Line:
        """`Round 3 · 4 of 7   ▶ MIRA   ◷ FLOOD RUN OUT   next Ghoul 1, Brannoc`"""
        state, inks = view.state, self.inks
        where = "between fights" if view.elsewhere.is_ledger else progress(state)
        line = Line().add(where, inks.strong)
        up = state.up
        if up is not None and up.is_out:
            line.add(f"   {plain(groups.whose_turn(state))} is {up.life}", inks.warn)
        elif up is not None:
            line.add("  ").add(f" ▶ {plain(groups.whose_turn(state)).upper()} ", inks.turn)
        for clock in state.clocks:
            if clock.has_run_out:
                name = cut(plain(clock.name), MOST_OF_A_CLOCK).upper()
                line.add(f"  ◷ {name} {clock_in_words(clock).upper()}", inks.bad)
        following = [plain(groups.name_of(state, who)) for who in coming_up(state, 2)[:most]]
        if following and state.phase == "combat":
            line.add("  next ", inks.dim).add(", ".join(following), inks.plain)
        return line

    def _saved(self, view: FightView, brief: bool) -> Line:
        inks = self.inks
        if view.view_at is not None:
            return Line().add(f"looking at entry {view.view_at} · esc: back to now ", inks.warn)
        if view.stale:
            return Line().add(f"stale ✗ since entry {view.head} ", inks.bad)
        if view.follows:
            return Line().add("follows ✓ ", inks.good).add(f" entry {view.head} ", inks.dim)
        if view.read_only:
            why = cut(heart_of(plain(view.read_only)), MOST_FOR_WHY)
            return Line().add(f"{why} ", inks.warn)
        line = Line().add("✓ " if brief else "saved ✓ ", inks.good)
        return line.add(f"{view.head} " if brief else f" entry {view.head} ", inks.dim)


def heart_of(why: str) -> str:
    """The heart of a reason: `disk full` of `FILE is read-only (disk full)`; all of any other."""
    head, bracket, reason = why.removesuffix(")").rpartition("(")
    return reason if bracket and head and why.endswith(")") else why


@lru_cache(maxsize=1)  # the more is told, the less room there may be: it is tried again
def progress(state: Encounter) -> str:
    """`Round 3 · 4 of 7`, or that the fight has not begun, or is over."""
    if state.phase == "setup":
        return "not begun"
    if state.phase == "ended":
        return f"over after round {state.round}"
    rows = groups.units([slot for slot in state.slots if not slot.gone])
    place = groups.place_of(state.turn, rows)
    if place is None:
        return f"Round {state.round}"
    return f"Round {state.round} · {place + 1} of {len(rows)}"

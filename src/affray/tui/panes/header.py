"""The first line: which fight, how far it is, and that it is saved."""

from __future__ import annotations

from affray.core.state import Encounter
from affray.tui.drawing import Line, cut, plain
from affray.tui.fight_view import FightView
from affray.tui.panes.pane import LinesPane

MOST_FOR_WHY = 30


class HeaderLine(LinesPane):
    """One line; what matters least gives way first when it is narrow."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, classes="header")

    def slice(self, view: FightView) -> tuple[object, ...]:
        """The state, the place in the log, and whether it can be written, and follows or not."""
        return (view.state, view.head, view.view_at, view.read_only, view.follows, view.stale)

    def make_lines(self, view: FightView, width: int) -> list[Line]:
        """`affray  Ambush at the Ford   Round 3 · turn 4 of 7   RULES   saved ✓ entry 41`"""
        state, inks = view.state, self.inks
        right = self._saved(view)
        where = Line().add(progress(state), inks.strong)
        room = width - right.width - where.width - 4
        title = cut(plain(state.title) or "untitled", max(room, 8))
        left = Line().add(" ")
        if view.read_only:
            left.add("READ-ONLY  ", inks.bad)
            title = cut(title, max(room - left.width, 8))
        elif room >= len(title) + 8:
            left.add("affray  ", inks.accent)
        left.add(title, inks.plain)
        middle = max(left.width + 2, (width - where.width) // 2)
        if middle + where.width + right.width + 2 > width:
            middle = left.width + 2
        left.column(middle).join(where)
        name = Line().add(plain(view.ruleset.name), inks.dim)
        gap = width - left.width - right.width
        if gap > name.width + 6:
            left.column(left.width + (gap - name.width) // 2).join(name)
        return [left.right(right, width)]

    def _saved(self, view: FightView) -> Line:
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
        return Line().add("saved ✓ ", inks.good).add(f" entry {view.head} ", inks.dim)


def heart_of(why: str) -> str:
    """What stands in brackets at its end, where it ends so: `FILE is read-only (disk full)`."""
    head, bracket, reason = why.removesuffix(")").rpartition("(")
    return reason if bracket and head and why.endswith(")") else why


def progress(state: Encounter) -> str:
    """`Round 3 · turn 4 of 7`, or that the fight has not begun, or is over."""
    if state.phase == "setup":
        return "not begun"
    if state.phase == "ended":
        return f"over after round {state.round}"
    row = [c.id for c in state.in_order()]
    if state.turn not in row:
        return f"Round {state.round}"
    return f"Round {state.round} · turn {row.index(state.turn) + 1} of {len(row)}"

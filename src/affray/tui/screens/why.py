"""`w`: where the numbers of a combatant come from: the parts of each total, the last changes."""

from __future__ import annotations

from itertools import chain

from textual.geometry import Size

from affray.core.heart.state import Combatant
from affray.core.telling.explain import explain
from affray.core.telling.shares import SINCE, Total, told_parts
from affray.tui.drawing import Line, amount, cut, plain, wrapped
from affray.tui.fight_view import FightView
from affray.tui.screens.overlay import Overlay
from affray.tui.themes import Inks

MOST_CHANGES = 3
"""So many changes of a track are told, fewer where the rows don't suffice; `why` tells more."""

MAIN = ("bar", "pips", "boxes", "die")
"""How the tracks are shown whose changes are told."""

NAME_CELLS = 14


class WhyScreen(Overlay):
    """What somebody's numbers are made of, as the fight is shown."""

    def __init__(self, view: FightView, who: Combatant) -> None:
        at = "" if view.view_at is None else f" at entry {view.view_at}"
        super().__init__(f"{who.name}{at}: where the numbers come from")
        self.view = view
        self.who = who

    def lines(self, size: Size, inks: Inks) -> list[Line]:
        """The totals and the changes, as many as fit."""
        return fitting_lines(self.view, self.who, size, inks)


def fitting_lines(view: FightView, who: Combatant, size: Size, inks: Inks) -> list[Line]:
    """As much as there is room for; the totals before the changes."""
    lines: list[Line] = []
    for most in range(MOST_CHANGES, -1, -1):
        lines = why_lines(view, who, size.width, inks, most)
        if len(lines) <= size.height:
            break
    return lines[: size.height]


def why_lines(view: FightView, who: Combatant, width: int, inks: Inks, most: int) -> list[Line]:
    """Each total with its parts, then the tracks with their last changes, newest first."""
    tables, lines = view.ruleset.tables, []
    history = view.history
    seq = history.head if view.view_at is None else history.goto_target(view.view_at)
    for name, value in view.ruleset.totals(tables, view.state, who).items():
        rule = tables.total(name)
        head = f"{rule.label} {rule.told(value)}"
        parts = told_parts(Total(history, view.ruleset, seq, who, name), view.elsewhere)
        if not any(SINCE in part for part in parts):
            parts = [", ".join(parts) or "nothing changes it now"]
        rows = (wrapped(plain(part), width - NAME_CELLS) for part in parts)
        lines += _row(head, list(chain.from_iterable(rows)), inks)
    for track, found in who.tracks.items():
        known = tables.tracks.get(track)
        if known is None or known.shown not in MAIN:
            continue
        at, others = view.view_at, view.elsewhere
        told = explain(history, view.ruleset, who.id, track, at, most, others)[1:]
        if len(told) > 1 or not most:  # the only one is how it began
            changes = [cut(plain(line), width - NAME_CELLS) for line in told[:most]]
            lines += _row(f"{known.short or known.label} {amount(found)}", changes, inks)
    return lines


def _row(head: str, told: list[str], inks: Inks) -> list[Line]:
    rows = []
    for number, words in enumerate(told or [""]):
        line = Line().add(plain(head) if not number else "", inks.strong).column(NAME_CELLS)
        rows.append(line.add(words, inks.dim))
    return rows

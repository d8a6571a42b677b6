"""Everybody's conditions and timers, the soonest to end first, and the clocks."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from rich.style import Style

from affray.core import timing
from affray.core.narrate import clock_in_words
from affray.core.state import Clock, Combatant, Effect, Encounter, Track
from affray.core.tables import Tables
from affray.tui.drawing import Line, cut, cut_name, marks, plain, short_track, widest
from affray.tui.drawing import amount as amount_of
from affray.tui.ends import end_words, ends_this_turn
from affray.tui.panes.pane import LinesPane
from affray.tui.themes import Inks

if TYPE_CHECKING:
    from affray.tui.fight_view import FightView

WIDEST_NAME = 18
MOST_FOR_THE_END = 15


class TimersPane(LinesPane):
    """One line for each bearer and end, then clocks, then what the GM keeps."""

    NAME: ClassVar[str] = "Conditions & timers"

    def slice(self, view: FightView) -> tuple[object, ...]:
        """Effects, turns and clocks are all of the state."""
        return (view.state,)

    def make_lines(self, view: FightView, width: int) -> list[Line]:
        """Effects, clocks and the GM's own tracks."""
        state, inks = view.state, self.inks
        lines = effect_lines(state, width, inks)
        if not lines:
            lines = [Line().add("Nothing lasts on anybody.", inks.dim)]
        rest = [*gm_lines(state, view.ruleset.tables, inks)]
        rest += [clock_line(clock, inks) for clock in state.clocks]
        if rest:
            lines.append(Line().add("─" * width, inks.faint))
        return lines + rest


def effect_lines(state: Encounter, width: int, inks: Inks) -> list[Line]:
    """Effects with the same bearer and end share a line: `Brannoc  weakened  after their turn`."""
    rows = _rows(state)
    name = min(WIDEST_NAME, widest([plain(bearer.name) for bearer, _ in rows]), width // 4)
    wanted = widest([_names(effects) for _, effects in rows])
    ends = widest([end_words(state, bearer, effects[0].until) for bearer, effects in rows])
    gap = 2 if name + wanted + ends + 4 <= width else 1
    what = max(min(wanted, width - name - 2 * gap - min(ends, MOST_FOR_THE_END)), 8)
    lines = []
    for bearer, effects in rows:
        ends_now = ends_this_turn(state, effects[0].until)
        line = (
            Line()
            .add(cut_name(plain(bearer.name), name), inks.side(bearer.side))
            .column(name + gap)
        )
        line.add(cut(_names(effects), what), _ink(effects, inks)).column(name + what + 2 * gap)
        words = end_words(state, bearer, effects[0].until)
        if ends_now:
            line.add("◂ ", inks.accent)
        lines.append(line.add(words, inks.strong if ends_now else inks.dim))
    return lines


def _rows(state: Encounter) -> list[tuple[Combatant, list[Effect]]]:
    """Bearers and what ends on them at one time, the soonest first, then by the order."""
    found = [
        (timing.place(state, effect.until), index, combatant, effect)
        for index, combatant in enumerate(state.in_order())
        for effect in combatant.effects
    ]
    found.sort(key=lambda row: row[:2])
    return [
        (bearer, [row[3] for row in rows])
        for (bearer, _), rows in (
            (key, list(rows)) for key, rows in groupby(found, key=lambda r: (r[2], r[3].until))
        )
    ]


def _names(effects: list[Effect]) -> str:
    return ", ".join(_name(effect) for effect in effects)


def _name(effect: Effect) -> str:
    name = plain(effect.name)
    return f"{name} {plain(effect.note)}" if effect.note and cell_len(effect.note) < 24 else name


def _ink(effects: list[Effect], inks: Inks) -> Style:
    return inks.warn if any(e.kind == "condition" for e in effects) else inks.good


def clock_line(clock: Clock, inks: Inks) -> Line:
    """`The bridge falls  ■■■□□  3 rounds left`, or the dice that are left in a pool."""
    line = Line().add(plain(clock.name), inks.plain).add("  ")
    if clock.max is not None and not clock.sides:
        line.join(marks(Track(clock.value, clock.max), "■", "□", inks.accent, inks)).add("  ")
    line.add(clock_in_words(clock), inks.strong if clock.value else inks.warn)
    return line.add(f", {clock.drops}+ drops", inks.dim) if clock.drops and clock.value else line


def gm_lines(state: Encounter, tables: Tables, inks: Inks) -> list[Line]:
    """The GM's own tracks."""
    lines = []
    for track, value in state.tracks.items():
        rule = tables.tracks.get(track)
        line = Line().add(f"GM {rule.label if rule else track}  ", inks.plain)
        drawn = short_track(rule, value, inks) if rule else Line().add(amount_of(value))
        lines.append(line.join(drawn if drawn.width else Line().add("0", inks.dim)))
    return lines

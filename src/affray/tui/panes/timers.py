"""Everybody's conditions and timers, the soonest to end first, and the clocks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from typing import ClassVar

from rich.cells import cell_len
from rich.style import Style

from affray.core import timing
from affray.core.narrate import clock_in_words, with_amounts
from affray.core.refusal import listed, signed
from affray.core.ruleset import Ruleset
from affray.core.state import OUT_OF_THE_FIGHT, Clock, Combatant, Effect, Encounter, Track
from affray.core.tables import Tables
from affray.tui.drawing import Line, cut, cut_name, marks, plain, short_track, widest
from affray.tui.drawing import amount as amount_of
from affray.tui.ends import end_of, ends_this_turn
from affray.tui.fight_view import FightView
from affray.tui.panes.pane import LinesPane
from affray.tui.themes import Inks

WIDEST_NAME = 18
MOST_FOR_THE_END = 15
MOST_FOR_AN_EFFECT = 13
"""The longest names of effects are read at a glance only whole; an end may lose its last words."""


class TimersPane(LinesPane):
    """One line for each bearer and end, then clocks, then what the GM keeps."""

    NAME: ClassVar[str] = "Conditions & timers"

    def slice(self, view: FightView) -> tuple[object, ...]:
        """Effects, turns and clocks are all of the state."""
        return (view.state,)

    def make_lines(self, view: FightView, width: int) -> list[Line]:
        """Effects, clocks and the GM's own tracks."""
        state, inks = view.state, self.inks
        lines = effect_lines(state, view.ruleset.tables, width, inks)
        if not lines:
            lines = [Line().add("Nothing lasts on anybody.", inks.dim)]
        rest = [*gm_lines(state, view.ruleset, inks)]
        rest += [clock_line(clock, width, inks) for clock in state.clocks]
        if rest:
            lines.append(Line().add("─" * width, inks.faint))
        return lines + rest


def effect_lines(state: Encounter, tables: Tables, width: int, inks: Inks) -> list[Line]:
    """Effects with the same bearer and end share a line: `Brannoc  weakened  after their turn`.

    Those whose names alone have no room in one line get a line each.
    """
    rows = _rows(state, tables)
    name = min(WIDEST_NAME, widest([plain(bearer.name) for bearer, _ in rows]), width // 4)
    wanted = widest([_names(effects) for _, effects in rows])
    ends = widest([end_of(tables, state, bearer, effects) for bearer, effects in rows])
    gap = 2 if name + wanted + ends + 4 <= width else 1
    room = width - name - 2 * gap - min(ends, MOST_FOR_THE_END)
    longest = widest([_bare(effect) for _, effects in rows for effect in effects])
    what = max(min(wanted, room), min(longest, MOST_FOR_AN_EFFECT))
    lines = []
    for bearer, effects in _split(rows, what):
        until = effects[0].until
        ends_now = ends_this_turn(state, until)
        line = Line().add(cut_name(plain(bearer.name), name), inks.side(bearer.side))
        line.column(name + gap).add(_cut_names(effects, what), _ink(tables, effects, inks))
        line.column(name + what + 2 * gap).add("◂ " if ends_now else "", inks.accent)
        words = end_of(tables, state, bearer, effects)
        lines.append(line.add(words, inks.strong if ends_now else inks.dim))
    return lines


def _rows(state: Encounter, tables: Tables) -> list[tuple[Combatant, list[Effect]]]:
    """Bearers and what ends on them at one time, the soonest first, then by the order.

    What is on those who are out of the fight matters to nobody.
    """
    found = [
        (timing.place(state, effect.until), index, combatant, effect)
        for index, combatant in enumerate(state.in_order())
        if combatant.life not in OUT_OF_THE_FIGHT
        for effect in combatant.effects
        if tables.kind(effect.kind).timed
    ]
    found.sort(key=lambda row: row[:2])
    return [
        (bearer, [row[3] for row in rows])
        for (bearer, _), rows in (
            (key, list(rows)) for key, rows in groupby(found, key=lambda r: (r[2], r[3].until))
        )
    ]


def _split(
    rows: list[tuple[Combatant, list[Effect]]], width: int
) -> Iterator[tuple[Combatant, list[Effect]]]:
    for bearer, effects in rows:
        names = list(dict.fromkeys(_bare(effect) for effect in effects))
        if cell_len(", ".join(names)) <= width:
            yield bearer, effects
        else:
            yield from ((bearer, [e for e in effects if _bare(e) == name]) for name in names)


def _names(effects: list[Effect]) -> str:
    """`dazed ×2, prone`: what is there more than once is named once."""
    times = Counter(_name(effect) for effect in effects)
    return ", ".join(f"{name} ×{n}" if n > 1 else name for name, n in times.items())


def _cut_names(effects: list[Effect], width: int) -> str:
    """The names within so many cells; notes give way before the names do."""
    names = _names(effects)
    if cell_len(names) > width:
        bare = ", ".join(dict.fromkeys(_bare(effect) for effect in effects))
        by_kind = any(_bare(effect) != plain(effect.name) for effect in effects)
        names = bare if by_kind or cell_len(bare) >= width - 3 else names
    return cut(names, width)


def _name(effect: Effect) -> str:
    name = plain(with_amounts(effect))
    return f"{name} {plain(effect.note)}" if effect.note and cell_len(effect.note) < 24 else name


def _bare(effect: Effect) -> str:
    """Its name in the fewest words; of one that is only called what its kind is, what it gives."""
    if effect.name != effect.kind or not effect.modifiers:
        return plain(effect.name)
    given = " ".join(f"{signed(by)} {what}" for what, by in effect.modifiers.items())
    return plain(f"{given} with {listed(effect.only_with)}" if effect.only_with else given)


def _ink(tables: Tables, effects: list[Effect], inks: Inks) -> Style:
    return inks.warn if any(tables.kind(e.kind).harmful for e in effects) else inks.good


def clock_line(clock: Clock, width: int, inks: Inks) -> Line:
    """`The bridge falls  ■■■□□  3 rounds left`, the dice that are left in a pool, or how a race is.

    Where there is no room, the boxes give way, and then the end of the name.
    """
    is_spent = clock.is_lost if clock.limit else not clock.value
    left = Line().add("  ").add(clock_in_words(clock), inks.warn if is_spent else inks.strong)
    if clock.drops and clock.value:
        left.add(f", {clock.drops}+ drops", inks.dim)
    boxes = Line()
    if clock.max is not None and not clock.sides:
        drawn = marks(Track(clock.value, clock.max), "■", "□", inks.accent, inks)
        boxes.add("  ").join(drawn)
    name = plain(clock.name)
    if cell_len(name) + boxes.width + left.width > width:
        boxes = Line()
    name = cut(name, max(width - boxes.width - left.width, 8))
    return Line().add(name, inks.plain).join(boxes).join(left)


def gm_lines(state: Encounter, ruleset: Ruleset, inks: Inks) -> list[Line]:
    """The GM's own tracks, those that nothing has changed yet as they began."""
    lines = []
    for track, value in {**ruleset.gm_tracks, **state.tracks}.items():
        rule = ruleset.tables.tracks.get(track)
        line = Line().add(f"GM {rule.label if rule else track}  ", inks.plain)
        drawn = short_track(rule, value, inks) if rule else Line().add(amount_of(value))
        lines.append(line.join(drawn if drawn.width else Line().add("0", inks.dim)))
    return lines

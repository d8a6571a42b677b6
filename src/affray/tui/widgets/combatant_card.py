"""The card of one combatant: its numbers first, then everything else that is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import ClassVar, Literal

from rich.style import Style

from affray.core.engine.effects import active_effects, independent_effects
from affray.core.engine.state import Combatant, Duration, Encounter
from affray.core.engine.turns import upcoming_turns
from affray.core.formatting.effects import (
    bracket_text,
    by_whom,
    common_end_text,
    effect_by_note,
    effect_in_full,
    other_stat_lines,
)
from affray.core.rules.ruleset import AvailableAction, Ruleset
from affray.core.rules.tables import Tables, TrackRow
from affray.tui import drawing
from affray.tui.drawing import StyledLine
from affray.tui.fight_view import FightView, own_of
from affray.tui.theme import Styles
from affray.tui.widgets.base import LinesPane
from affray.tui.widgets.technique_cells import cost_in_words
from affray.tui.widgets.turn_order_columns import is_barred

BAR_CELLS = 12
KINDS = {"pc": "PC", "monster": "monster", "hazard": "hazard"}


class CombatantCard(LinesPane):
    """One combatant: the actor; on the card beside it the one under the cursor, or else the next in
    order."""

    NAME: ClassVar[str] = "Card"

    def __init__(self, of: Literal["turn", "beside"] = "turn", *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._of = of
        self._alone = False

    def stands_alone(self, alone: bool) -> None:
        """Show the combatant whom the keys act for, if no other card is visible; else whoever's
        turn it is."""
        if alone is not self._alone:
            self._alone = alone
            self.repaint()

    def slice(self, view: FightView) -> tuple[object, ...]:
        """The values whose change requires a redraw: the whole state, since effects on others count
        too, the combatant shown, and the actor."""
        combatant_id, why = self.whom(view)
        return (view.state, combatant_id, why, combatant_id == view.actor())

    def whom(self, view: FightView) -> tuple[str, str]:
        """The combatant of the card, and a word on why it is shown."""
        state, actor = view.state, view.actor()
        if self._of == "turn":
            up = view.up()
            if self._alone or up is None:
                return actor, "up" if state.takes_turn(actor) else ""
            return up.id, "up"
        if not state.takes_turn(actor) and state.turn:
            return actor, "cursor"
        following = [
            combatant_id for combatant_id in upcoming_turns(state, 2) if combatant_id != actor
        ]
        why = "next" if state.turn else ""
        return (following[0], why) if following else ("", "")

    def prefetch(self, view: FightView) -> None:
        """Make its lines."""
        combatant = view.state.find(self.whom(view)[0])
        if combatant is not None and self.room:
            self._lines_of(view, combatant, self.room.width)

    def line(self, number: int, width: int) -> StyledLine:
        """One line; the last that is seen says by `…` that the card goes on."""
        line = super().line(number, width)
        if number + 1 != self.top + self.room.height or number + 1 == self.line_count():
            return line
        more = StyledLine().add(" …", self.inks.dim)
        first = next(drawing.items_that_fit([line], width - more.width), StyledLine())
        return StyledLine().join(first).right(more, width)

    @property
    def rows_wanted(self) -> int:
        """The rows that show the whole card; 0 if it is not seen."""
        if self.shown is None or not self.room:
            return 0
        return len(self.make_lines(self.shown, self.room.width))

    def make_lines(self, view: FightView, width: int) -> list[StyledLine]:
        """The card's lines."""
        combatant_id, why = self.whom(view)
        combatant = view.state.find(combatant_id) if combatant_id else None
        if combatant is None:
            self.entitle(self.NAME if self._of == "turn" else "Next")
            return []
        follows = bool(view.ruleset.companions.owner_of(combatant))
        words = [
            combatant.name,
            "companion" if follows else KINDS[combatant.kind],
        ]
        words += [combatant.life] if combatant.life != "up" else []
        words += ["hidden"] if combatant.hidden else []
        self.entitle(" · ".join([*words, why] if why else words))
        return self._lines_of(view, combatant, width)

    def _lines_of(self, view: FightView, combatant: Combatant, width: int) -> list[StyledLine]:
        acts = combatant.id == view.actor()
        return card_lines(view.ruleset, view.state, combatant, acts, width, self.inks)


@lru_cache(maxsize=16)  # what is looked at, or taken back and brought back, is a state again
def card_lines(
    rules: Ruleset, state: Encounter, combatant: Combatant, acts: bool, width: int, inks: Styles
) -> list[StyledLine]:
    """The lines of a combatant's card: HP, totals, numbers and attacks, notes and text; and what
    else the order shows.

    What a turn is paid with, and a measure of it, such as movement, are then beside the turn's
    costs. With `acts` the techniques pane lists what it can do, so the card doesn't. For anybody
    else the card has it in the words of that pane, `Ash Breath S enc vs Ref`, if there are words
    for all of it.
    """
    tables, has_turn = rules.tables, state.takes_turn(combatant.id)
    totals = _of_its_own(rules, state, combatant)
    tracks = [
        (t, r)
        for t, r in tables.tracks.items()
        if t in combatant.tracks and _tells(r, combatant, t)
    ]
    first, own, last = (
        [_item(rules, combatant, t, r, inks) for t, r in some]
        for some in (
            [(t, r) for t, r in tracks if _is_health(r)],
            [(t, r) for t, r in tracks if not (r.everybody or (has_turn and (r.unit or r.spent)))],
            [
                (t, r)
                for t, r in tracks
                if r.everybody and not (_is_health(r) or is_barred(rules, state, combatant, r))
            ],
        )
    )
    abilities = own_of(rules, state, combatant)
    in_words = all(ability.brief for ability in abilities)
    parts = {*totals} | {a.name for a in abilities if acts or in_words}
    lines = drawing.flow_items([*first, *_totals(tables, totals, inks), *own], width)
    lines += drawing.flow_items(_words(rules, state, combatant, totals, inks), width)
    lines += stat_lines(tables, combatant, rules.sheet.labels(state, combatant), parts, width, inks)
    if in_words and not acts:
        lines += drawing.flow_items((_ability(tables, a, inks) for a in abilities), width, 2)
    lines += drawing.flow_items(_effects(rules, state, combatant, inks), width)
    lines += drawing.items_that_fit(_notes(combatant, inks), width)
    lines += [
        StyledLine().add(text, inks.dim) for text in drawing.wrapped_text(combatant.text, width)
    ]
    return lines + drawing.flow_items(last, width)


def _is_health(rule: TrackRow) -> bool:
    """True if it is what the order shows as a bar, and a card as the first of its numbers."""
    return rule.everybody and rule.shown == "bar"


def _ability(tables: Tables, ability: AvailableAction, inks: Styles) -> StyledLine:
    """`Ash Breath S enc vs Ref`"""
    words = f"{cost_in_words(tables.tracks, ability.cost)} {ability.brief}".strip()
    return StyledLine().add(f"{ability.name} ", inks.plain).add(words, inks.dim)


def _tells(rule: TrackRow, combatant: Combatant, track: str) -> bool:
    """True if a track has anything to tell; a number, or a passing or quiet track, at 0 has not."""
    is_silent = rule.shown == "number" or rule.passing or rule.quiet
    counted = not is_silent and rule.when in (None, combatant.life)
    if rule.under and combatant.named(rule.under) is None:
        return False
    return counted or bool(combatant.tracks[track].value)


def _of_its_own(
    ruleset: Ruleset, state: Encounter, combatant: Combatant
) -> Mapping[str, int | str]:
    """Its totals; of a hazard only those given to it."""
    totals, rule = ruleset.numbers.totals(ruleset.tables, state, combatant), ruleset.tables.total
    if combatant.kind != "hazard":
        return totals
    return {t: value for t, value in totals.items() if t in combatant.stats or not rule(t).whole}


def _item(
    ruleset: Ruleset,
    combatant: Combatant,
    track: str,
    rule: TrackRow,
    inks: Styles,
) -> StyledLine:
    """`HP 12/30`, `Control ████░░ 12/15`, `Exhaustion ■□□  −1 to all checks`"""
    value = combatant.tracks[track]
    line = StyledLine().add(f"{rule.label} ", inks.dim)
    if rule.shown == "bar":
        if not _is_health(rule):
            line.join(drawing.track_bar(value, BAR_CELLS, inks)).add(" ")
        line.add(drawing.format_track(value), drawing.health_style(value, inks))
    else:
        line.join(drawing.short_track_text(rule, value, inks))
    remark = ruleset.state.describe_track(ruleset.tables, combatant, track)
    return line.add(f"  {remark}" if remark and value.value else "", inks.warn)


def _totals(tables: Tables, totals: Mapping[str, int | str], inks: Styles) -> list[StyledLine]:
    """The whole numbers, then the modifiers that are not 0."""
    whole, modifiers = [], []
    for name, value in totals.items():
        rule = tables.total(name)
        if rule.whole:
            whole.append(drawing.total_line(rule, value, inks.dim, inks.strong))
        elif isinstance(value, int) and value:
            ink = inks.warn if rule.truth else inks.bad if value < 0 else inks.good
            modifiers.append(drawing.total_line(rule, value, inks.dim, ink))
    return whole + modifiers


def _words(
    rules: Ruleset,
    state: Encounter,
    combatant: Combatant,
    totals: Mapping[str, int | str],
    inks: Styles,
) -> list[StyledLine]:
    """The totals that are words, with their reasons: `Melee, Ranged ▲ hidden`. Neighbours with the
    same word share it."""
    lines: list[tuple[str, str]] = []
    for name, value in totals.items():
        rule = rules.tables.total(name)
        if isinstance(value, str) and rule.tells(value):
            shares = rules.numbers.explain(rules.tables, state, combatant, name)
            why = ", ".join(share.source for share in shares if share.amount == value)
            lines.append((f"{rule.glyphs.get(value, value)} {why}", rule.label))
    alike = groupby(lines, key=itemgetter(0))
    return [
        StyledLine()
        .add(f"{', '.join(label for _, label in row)} ", inks.dim)
        .add(words, inks.strong)
        for words, row in alike
    ]


def _effects(
    ruleset: Ruleset, state: Encounter, combatant: Combatant, inks: Styles
) -> list[StyledLine]:
    """The effects in words; implied ones are in brackets after their cause.

    Repeated ones with the same end are listed once.
    """
    tables = ruleset.tables
    implied = {n: e for n, e in active_effects(tables, state, combatant).items() if e.because}
    ends: dict[tuple[Duration, str], str] = {}  # many end in the same way
    times: Counter[tuple[str, str, str, Style]] = Counter()
    for effect in (effect_by_note(tables, each) for each in independent_effects(combatant)):
        until = effect.until, effect.kind
        if until not in ends:
            ends[until] = common_end_text(tables, state, combatant, [effect])
        more = bracket_text(implied, combatant, effect)
        ink = inks.effect(tables.look(effect.name, effect.kind))
        name = effect_in_full(effect) + by_whom(tables, state, combatant, effect)
        times[name, more, ends[until], ink] += 1
    items: list[StyledLine] = []
    for (name, more, end, ink), count in times.items():
        line = StyledLine().add(name, ink).add(f" ×{count}" if count > 1 else "", inks.strong)
        line.add(f" ({more})" if more else "", inks.dim).add(f" {end}", inks.dim)
        items.append(line)
    return items


def stat_lines(
    tables: Tables,
    combatant: Combatant,
    words: Mapping[str, str],
    lines: Collection[str],
    width: int,
    inks: Styles,
) -> list[StyledLine]:
    """The numbers and words of a combatant that no other line has.

    That is, `lines` has the names of the totals, and of what it can do by itself; `words` what the
    rules say of a number in their own way.
    """
    items = [text for stat, text in words.items() if text and stat in combatant.stats]
    rest = {n: value for n, value in combatant.stats.items() if n not in words}
    items += other_stat_lines(tables, rest, lines)
    return drawing.flow_items((StyledLine().add(text, inks.dim) for text in items), width, 2)


def _notes(combatant: Combatant, inks: Styles) -> list[StyledLine]:
    return [StyledLine().add("· ", inks.dim).add(note, inks.plain) for note in combatant.notes]

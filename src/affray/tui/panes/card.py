"""The card: everything that is known of one combatant, its numbers first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import ClassVar, Literal

from rich.style import Style

from affray.core.heart.effects import by_themselves, in_force
from affray.core.heart.state import Combatant, Duration, Encounter
from affray.core.heart.turns import coming_up
from affray.core.rules.ruleset import Option, Ruleset
from affray.core.rules.tables import Tables, TrackRule
from affray.core.telling.effect_words import aside, in_full
from affray.core.telling.own_numbers import own_numbers
from affray.tui.drawing import (
    Line,
    amount,
    bar,
    fitting,
    flow,
    health_ink,
    plain,
    short_track,
    wrapped_text,
)
from affray.tui.ends import end_of
from affray.tui.fight_view import FightView, own_of
from affray.tui.panes.costs import cost_in_words
from affray.tui.panes.order_columns import is_barred
from affray.tui.panes.pane import LinesPane
from affray.tui.themes import Inks

BAR_CELLS = 12
KINDS = {"pc": "PC", "monster": "monster", "hazard": "hazard"}


class CardPane(LinesPane):
    """One combatant: whoever is up; beside it the one under the cursor, or else who comes next."""

    NAME: ClassVar[str] = "Card"

    def __init__(self, of: Literal["turn", "beside"] = "turn", *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._of = of
        self._alone = False

    def stands_alone(self, alone: bool) -> None:
        """Show the one for whom the keys act, as no other card is seen; or whoever is up again."""
        if alone is not self._alone:
            self._alone = alone
            self.repaint()

    def slice(self, view: FightView) -> tuple[object, ...]:
        """What others have can bear on it, so: the whole state, who is shown, and who acts."""
        who, why = self.whom(view)
        return (view.state, who, why, who == view.actor())

    def whom(self, view: FightView) -> tuple[str, str]:
        """Whose card it is, and a word on why."""
        state, actor = view.state, view.actor()
        if self._of == "turn":
            up = view.up()
            if self._alone or up is None:
                return actor, "up" if state.takes_turn(actor) else ""
            return up.id, "up"
        if not state.takes_turn(actor) and state.turn:
            return actor, "cursor"
        following = [who for who in coming_up(state, 2) if who != actor]
        why = "next" if state.turn else ""
        return (following[0], why) if following else ("", "")

    def foresee(self, view: FightView) -> None:
        """Make its lines."""
        combatant = view.state.find(self.whom(view)[0])
        if combatant is not None and self.room:
            self._lines_of(view, combatant, self.room.width)

    @property
    def rows_wanted(self) -> int:
        """The rows that show the whole card; 0 where it is not seen."""
        if self.shown is None or not self.room:
            return 0
        return len(self.make_lines(self.shown, self.room.width))

    def make_lines(self, view: FightView, width: int) -> list[Line]:
        """The card's lines."""
        who, why = self.whom(view)
        combatant = view.state.find(who) if who else None
        if combatant is None:
            self.entitle(self.NAME if self._of == "turn" else "Next")
            return []
        follows = bool(view.ruleset.master(combatant))
        words = [plain(combatant.name), "companion" if follows else KINDS[combatant.kind]]
        words += [combatant.life] if combatant.life != "up" else []
        words += ["hidden"] if combatant.hidden else []
        self.entitle(" · ".join([*words, why] if why else words))
        return self._lines_of(view, combatant, width)

    def _lines_of(self, view: FightView, who: Combatant, width: int) -> list[Line]:
        acts = who.id == view.actor()
        return card_lines(view.ruleset, view.state, who, acts, width, self.inks)


@lru_cache(maxsize=16)  # what is looked at, or taken back and brought back, is a state again
def card_lines(
    rules: Ruleset, state: Encounter, who: Combatant, acts: bool, width: int, inks: Inks
) -> list[Line]:
    """What the order shows too; then totals, numbers and attacks, notes and text.

    What is measured in a turn, such as movement, stands in that turn beside what is spent.
    `acts`: what it can do stands among the techniques, and is not told here. Of anybody else it is
    told as it will stand there, `Ash Breath S enc vs Ref`, if there are words for all of it.
    """
    tables = rules.tables
    totals = _of_its_own(rules, state, who)
    tracks = [(t, r) for t, r in tables.tracks.items() if t in who.tracks]
    own = [
        _item(rules, who, t, r, inks)
        for t, r in tracks
        if not (r.everybody or (r.unit and state.takes_turn(who.id))) and _tells(r, who, t)
    ]
    abilities = own_of(rules, state, who)
    in_words = all(ability.brief for ability in abilities)
    told = {*totals} | {a.name for a in abilities if acts or in_words}
    lines = _seen_by_everybody(rules, state, who, tracks, width, inks)
    lines += flow([*_totals(tables, totals, inks), *own], width)
    lines += flow(fitting(_words(rules, state, who, totals, inks), width), width)
    lines += stat_lines(tables, who, rules.told(state, who), told, width, inks)
    if in_words and not acts:
        lines += flow(fitting((_ability(tables, a, inks) for a in abilities), width), width, 2)
    lines += flow(fitting(_effects(rules, state, who, inks), width), width)
    lines += fitting(_notes(who, inks), width)
    return lines + [Line().add(text, inks.dim) for text in wrapped_text(who.text, width)]


def _seen_by_everybody(
    rules: Ruleset,
    state: Encounter,
    who: Combatant,
    tracks: list[tuple[str, TrackRule]],
    width: int,
    inks: Inks,
) -> list[Line]:
    """HP, what is left to act with and what wears out; without bars where that saves a row."""
    seen = [
        (t, r)
        for t, r in tracks
        if r.everybody and _tells(r, who, t) and not is_barred(rules, state, who, r)
    ]
    told = ([_item(rules, who, t, r, inks, bars) for t, r in seen] for bars in (True, False))
    return min((flow(items, width) for items in told), key=len)


def _ability(tables: Tables, ability: Option, inks: Inks) -> Line:
    """`Ash Breath S enc vs Ref`"""
    words = f"{cost_in_words(tables.tracks, ability.cost)} {plain(ability.brief)}".strip()
    return Line().add(f"{plain(ability.name)} ", inks.plain).add(words, inks.dim)


def _tells(rule: TrackRule, who: Combatant, track: str) -> bool:
    """Whether there is anything to tell: not of a 0 that is a number, passes, or means nothing."""
    counted = rule.shown != "number" and not rule.passing and rule.when in (None, who.life)
    if rule.under and who.named(rule.under) is None:
        return False
    return counted or bool(who.tracks[track].value)


def _of_its_own(ruleset: Ruleset, state: Encounter, who: Combatant) -> Mapping[str, int | str]:
    """Its totals; of a hazard none that it has never been given."""
    totals, rule = ruleset.totals(ruleset.tables, state, who), ruleset.tables.total
    if who.kind != "hazard":
        return totals
    return {t: value for t, value in totals.items() if t in who.stats or not rule(t).whole}


def _item(
    ruleset: Ruleset, who: Combatant, track: str, rule: TrackRule, inks: Inks, bars: bool = True
) -> Line:
    """`HP ████░░ 12/30`, `Exhaustion ■□□  −1 to all checks`"""
    value = who.tracks[track]
    line = Line().add(f"{rule.label} ", inks.dim)
    if rule.shown == "bar":
        if bars:
            line.join(bar(value, BAR_CELLS, inks)).add(" ")
        line.add(amount(value), health_ink(value, inks))
    else:
        line.join(short_track(rule, value, inks))
    remark = ruleset.remark(ruleset.tables, who, track)
    return line.add(f"  {remark}" if remark and value.value else "", inks.warn)


def _totals(tables: Tables, totals: Mapping[str, int | str], inks: Inks) -> list[Line]:
    """The whole numbers, then the modifiers that are not 0."""
    whole, modifiers = [], []
    for name, value in totals.items():
        rule = tables.total(name)
        line = Line().add(f"{rule.label} ", inks.dim)
        if rule.whole:
            whole.append(line.add(rule.told(value), inks.strong))
        elif isinstance(value, int) and value:
            modifiers.append(line.add(rule.told(value), inks.bad if value < 0 else inks.good))
    return whole + modifiers


def _words(
    rules: Ruleset, state: Encounter, who: Combatant, totals: Mapping[str, int | str], inks: Inks
) -> list[Line]:
    """The totals that are words, with their reasons: `Melee, Ranged ▲ hidden`. Those that
    follow one another and say the same are told at once."""
    told: list[tuple[str, str]] = []
    for name, value in totals.items():
        rule = rules.tables.total(name)
        if isinstance(value, str) and rule.tells(value):
            shares = rules.shares(rules.tables, state, who, name)
            why = ", ".join(plain(share.source) for share in shares if share.amount == value)
            told.append((f"{rule.glyphs.get(value, value)} {why}", rule.label))
    alike = groupby(told, key=itemgetter(0))
    return [
        Line().add(f"{', '.join(label for _, label in row)} ", inks.dim).add(words, inks.strong)
        for words, row in alike
    ]


def _effects(ruleset: Ruleset, state: Encounter, who: Combatant, inks: Inks) -> list[Line]:
    """What lasts on it, in words; what is only implied stands in brackets behind its cause.

    What is there more than once, and ends in the same way, is told once.
    """
    tables = ruleset.tables
    implied = {n: e for n, e in in_force(tables, state, who).items() if e.because}
    ends: dict[tuple[Duration, str], str] = {}  # many end in the same way
    times: Counter[tuple[str, str, str, Style]] = Counter()
    for effect in by_themselves(who):
        until = effect.until, effect.kind
        if until not in ends:
            ends[until] = end_of(tables, state, who, [effect])
        more = plain(aside(implied, who, effect))
        ink = inks.effect(tables.look(effect.name, effect.kind))
        times[plain(in_full(effect)), more, ends[until], ink] += 1
    items: list[Line] = []
    for (name, more, end, ink), count in times.items():
        line = Line().add(name, ink).add(f" ×{count}" if count > 1 else "", inks.strong)
        line.add(f" ({more})" if more else "", inks.dim).add(f" {end}", inks.dim)
        items.append(line)
    return items


def stat_lines(
    tables: Tables,
    who: Combatant,
    words: Mapping[str, str],
    told: Collection[str],
    width: int,
    inks: Inks,
) -> list[Line]:
    """A combatant's own numbers and words, but for what is told elsewhere.

    That is, `told` has the names of the totals, and of what it can do by itself; `words` what the
    rules say of a number in their own way.
    """
    items = [text for stat, text in words.items() if text and stat in who.stats]
    rest = {n: value for n, value in who.stats.items() if n not in words and n != "text"}
    items += own_numbers(tables, rest, told)
    return flow(fitting((Line().add(plain(text), inks.dim) for text in items), width), width, 2)


def _notes(who: Combatant, inks: Inks) -> list[Line]:
    return [Line().add("· ", inks.dim).add(plain(note), inks.plain) for note in who.notes]

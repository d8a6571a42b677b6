"""The card: everything that is known of one combatant, its numbers first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import ClassVar, Literal

from rich.style import Style

from affray.core.effects import in_force
from affray.core.narrate import in_full
from affray.core.own_numbers import own_numbers
from affray.core.refusal import signed
from affray.core.ruleset import Ruleset
from affray.core.state import Combatant, Encounter, Track
from affray.core.tables import Tables, TrackRule
from affray.tui.drawing import (
    Line,
    amount,
    bar,
    cut,
    flow,
    health_ink,
    plain,
    short_track,
    wrapped,
)
from affray.tui.ends import end_of
from affray.tui.fight_view import FightView
from affray.tui.panes.pane import LinesPane
from affray.tui.prompts.own import own_of
from affray.tui.themes import Inks

BAR_CELLS = 20
KINDS = {"pc": "PC", "monster": "monster", "hazard": "hazard"}
WIDE_GAPS_FROM = 60
NOBODY = "Nobody is here yet."


class CardPane(LinesPane):
    """One combatant: the one under the cursor, or, on a wide screen, its neighbour in time."""

    NAME: ClassVar[str] = "Card"

    def __init__(self, of: Literal["cursor", "turn"] = "cursor", *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._of = of

    def slice(self, view: FightView) -> tuple[object, ...]:
        """What others have can bear on it, so: the whole state, and who is shown."""
        return (view.state, *self.whom(view))

    def whom(self, view: FightView) -> tuple[str, str]:
        """Whose card it is, and a word on why.

        The second card shows whose turn it is; when the cursor is there, who comes next.
        """
        state, cursor = view.state, view.actor()
        if self._of == "cursor":
            return cursor, "" if cursor == state.turn or not state.turn else "not up"
        if state.turn and cursor != state.turn:
            return state.turn, "up now"
        return next_up(state), "up next"

    def make_lines(self, view: FightView, width: int) -> list[Line]:
        """The card's lines."""
        who, why = self.whom(view)
        combatant = view.state.find(who) if who else None
        if combatant is None:
            self.entitle(self.NAME if self._of == "cursor" else "Next")
            return nobody_lines(view, width, self.inks)
        follows = bool(view.ruleset.master(combatant))
        words = [plain(combatant.name), "companion" if follows else KINDS[combatant.kind]]
        if combatant.life != "up":
            words.append(combatant.life)
        if combatant.hidden:
            words.append("hidden")
        self.entitle(" · ".join([*words, why] if why else words))
        compact = width < WIDE_GAPS_FROM
        rules = view.ruleset
        totals = _of_its_own(rules, view.state, combatant)
        lines = card_lines(rules, view.state, combatant, totals, width, self.inks, compact)
        told = {*totals, *(own.name for own in own_of(rules.tables, view.options(who)))}
        said = rules.told(view.state, combatant)
        lines += stat_lines(rules.tables, combatant, said, told, width, self.inks)
        about = wrapped(plain(combatant.text), width) if combatant.text else []
        return lines + [Line().add(text, self.inks.dim) for text in about]


def _of_its_own(ruleset: Ruleset, state: Encounter, who: Combatant) -> dict[str, int]:
    """Its totals; of a hazard none that it has never been given."""
    totals, rule = ruleset.totals(ruleset.tables, state, who), ruleset.tables.total
    if who.kind != "hazard":
        return totals
    return {t: value for t, value in totals.items() if t in who.stats or not rule(t).whole}


def nobody_lines(view: FightView, width: int, inks: Inks) -> list[Line]:
    """What to do about an empty fight."""
    key = view.key_for("add")
    words = {"pc": "a character", "monster": "a monster"}
    lines = [Line().add(NOBODY, inks.dim)]
    for kind, what in words.items():
        usage = " ".join(view.ruleset.add_usage.get(kind, "").split()[:4])
        line = Line().add(key or ":add", inks.accent).add(f" adds {what}: ", inks.dim)
        line.add(cut(f"{kind} NAME {usage} …", width - line.width), inks.plain)
        lines.append(line)
    return lines


def next_up(state: Encounter) -> str:
    """Who is likely to be up after the present turn; empty when nobody is."""
    there = [s for s in state.slots if not s.gone and state.find(s.who)]
    here = next((i for i, s in enumerate(there) if s.who == state.turn), -1)
    for slot in there[here + 1 :] + there[: here + 1]:
        if state[slot.who].life not in ("dead", "defeated") and slot.who != state.turn:
            return slot.who
    return ""


def card_lines(
    ruleset: Ruleset,
    state: Encounter,
    who: Combatant,
    totals: Mapping[str, int],
    width: int,
    inks: Inks,
    compact: bool = False,
) -> list[Line]:
    """Bars and totals, then what is counted, then what lasts and what was noted."""
    rules = {t: r for t, r in ruleset.tables.tracks.items() if t in who.tracks}
    whole, modifiers = _totals(ruleset.tables, totals, inks)
    gap = 3 if width >= WIDE_GAPS_FROM else 2
    rows: list[list[Line]] = []
    for track, rule in rules.items():
        if rule.shown == "bar":
            head = _bar_item(rule, who.tracks[track], width, inks)
            rows.append([head, *_numbers(who, rules, inks), *whole])
            whole = []
    singles = [_item(who, t, r, inks, short=compact) for t, r in rules.items() if r.shown == "box"]
    counted = flow(singles, width, 1) if compact else singles
    counted += [
        _item(who, track, rule, inks)
        for track, rule in rules.items()
        if rule.shown in ("pips", "badge", "die")
    ]
    rows.append([*whole, *counted, *modifiers])
    if compact and singles:  # so much is counted that no line may stay half empty
        rows = [[item for row in rows for item in row]]
    lines = [line for row in rows for line in flow(row, width, gap)]
    boxes = [
        _item(who, track, rule, inks, ruleset.remark(ruleset.tables, who, track))
        for track, rule in rules.items()
        if rule.shown == "boxes" and not (compact and _is_dull(rule, who.tracks[track]))
    ]
    lines += flow(boxes, width, gap)
    lasting = _effects(ruleset, state, who, width, inks, compact)
    return [*lines, *lasting, *_notes(who, inks)]


def _bar_item(rule: TrackRule, track: Track, width: int, inks: Inks) -> Line:
    cells = BAR_CELLS if width >= 50 else 12
    line = Line().add(f"{rule.label} ", inks.dim).join(bar(track, cells, inks))
    return line.add(f" {amount(track)}", health_ink(track, inks))


def _is_dull(rule: TrackRule, track: Track) -> bool:
    return rule.counts == "marked" and track.value == 0


def _numbers(who: Combatant, rules: dict[str, TrackRule], inks: Inks) -> list[Line]:
    """Plain numbers; those that are 0 are nothing to look at."""
    return [
        _item(who, track, rule, inks)
        for track, rule in rules.items()
        if rule.shown == "number" and who.tracks[track].value
    ]


def _item(
    who: Combatant, track: str, rule: TrackRule, inks: Inks, remark: str = "", short: bool = False
) -> Line:
    value = who.tracks[track]
    dull = _is_dull(rule, value)
    label = rule.short if short and rule.short else f"{rule.label} "
    line = Line().add(label, inks.dim).join(short_track(rule, value, inks))
    if remark and not dull:
        line.add(f"  {remark}", inks.warn)
    return line


def _totals(tables: Tables, totals: Mapping[str, int], inks: Inks) -> tuple[list[Line], list[Line]]:
    """The whole numbers, and the modifiers that are not 0."""
    whole, modifiers = [], []
    for name, value in totals.items():
        rule = tables.total(name)
        line = Line().add(f"{rule.label} ", inks.dim)
        if rule.whole:
            whole.append(line.add(str(value), inks.strong))
        elif value:
            modifiers.append(line.add(signed(value), inks.bad if value < 0 else inks.good))
    return whole, modifiers


def _effects(
    ruleset: Ruleset, state: Encounter, who: Combatant, width: int, inks: Inks, compact: bool
) -> list[Line]:
    """What lasts on it, in words; what is only implied stands in brackets behind its cause.

    What is there more than once, and ends in the same way, is told once.
    """
    force = in_force(ruleset.tables, state, who)
    times: Counter[tuple[str, str, str, Style]] = Counter()
    for effect in who.effects:
        implied = [plain(e.name) for e in force.values() if e.id == f"{e.name}@{effect.id}"]
        aside = ", ".join([*([plain(effect.note)] if effect.note else []), *implied])
        end = end_of(ruleset.tables, state, who, [effect])
        ink = _effect_ink(ruleset.tables, effect.kind, inks)
        times[plain(in_full(effect)), aside, end, ink] += 1
    items: list[Line] = []
    for (name, aside, end, ink), count in times.items():
        line = Line().add(name, ink).add(f" ×{count}" if count > 1 else "", inks.strong)
        line.add(f" ({aside})" if aside else "", inks.dim).add(f" {end}", inks.dim)
        items.append(line)
    return flow(items, width) if compact else _columns(items, width)


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
    return flow((Line().add(cut(plain(text), width), inks.dim) for text in items), width, 2)


def _columns(items: list[Line], width: int) -> list[Line]:
    """Two columns where two fit, else as many side by side as have room."""
    half = (width - 3) // 2
    if len(items) < 2 or any(item.width > half for item in items):
        return flow(items, width)
    pairs = [items[i : i + 2] for i in range(0, len(items), 2)]
    return [
        Line().join(left).column(half + 3).join(right[0] if right else Line())
        for left, *right in pairs
    ]


def _effect_ink(tables: Tables, kind: str, inks: Inks) -> Style:
    return inks.warn if tables.kind(kind).harmful else inks.good


def _notes(who: Combatant, inks: Inks) -> list[Line]:
    return [Line().add("· ", inks.dim).add(plain(note), inks.plain) for note in who.notes]

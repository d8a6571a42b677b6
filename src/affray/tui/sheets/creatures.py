"""A creature's stat block, whether it is in the fight or waits in the campaign's folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from affray.core.heart.alone import Alone, seen_alone
from affray.core.heart.effects import by_themselves, in_force
from affray.core.heart.state import Combatant, Encounter
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import Ruleset
from affray.core.rules.tables import Tables
from affray.core.telling.effect_words import aside, in_full
from affray.core.telling.own_numbers import own_numbers
from affray.tui.drawing import Line, amount, flow, plain, wrapped, wrapped_text
from affray.tui.ends import end_of
from affray.tui.sheets.contents import wrapped_lines
from affray.tui.themes import Inks

HERE, PARTY, BESTIARY = "here", "party", "bestiary"


class Creature(NamedTuple):
    """Somebody to be found: the id of one who is here, or the key of a row of the campaign's."""

    name: str
    sort: str
    id: str

    def text(self, tables: Tables, state: Encounter) -> str:
        """What the bestiary tells of it; empty for nothing."""
        if self.sort != HERE:
            return str(tables.bestiary[self.id].get("text", ""))
        who = state.find(self.id)
        return who.text if who is not None else ""

    def words(self, tables: Tables, state: Encounter) -> Iterator[str]:
        """All that it is found by, beside its name."""
        yield self.sort
        who = state.find(self.id) if self.sort == HERE else None
        if who is not None:
            yield from (effect.name for effect in who.effects)
            yield from who.notes
        yield from _words_of(who.stats if who is not None else tables.bestiary.get(self.id, {}))


def _words_of(value: object) -> Iterator[str]:
    """The words in numbers and tables of somebody's; the numbers themselves find nobody."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield str(key)
            yield from _words_of(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _words_of(part)
    elif isinstance(value, str):
        yield value


def campaign_creatures(tables: Tables) -> list[Creature]:
    """The rows of the campaign's party and bestiary."""
    return [Creature(tables.name_of(key), _sort(row), key) for key, row in tables.bestiary.items()]


def creatures(tables: Tables, state: Encounter) -> list[Creature]:
    """The rows of the campaign's party and bestiary, then who is here.

    A row whose only one is here, under its own name, is not told twice.
    """
    here, rows = {c.name for c in state.combatants}, campaign_creatures(tables)
    there = [Creature(c.name, HERE, c.id) for c in state.in_order()]
    return [*(row for row in rows if row.name not in here), *there]


def _sort(row: Mapping[str, Any]) -> str:
    return PARTY if row.get("kind") == "pc" else BESTIARY


def creature_lines(
    ruleset: Ruleset, state: Encounter, row: Creature, width: int, inks: Inks
) -> list[Line]:
    """Its whole sheet, or why there is none."""
    try:
        state, who, fell = _found(ruleset, state, row)
    except Refused as refusal:
        why_not = f"{row.name} can't be added: {refusal.message}"
        return wrapped_lines([why_not], width, inks.warn)
    title, *rest = sheet_lines(ruleset, state, who, row.sort, width, inks)
    rolled = [f"{e.for_} {e.dice} is rolled for each, such as {e.total}" for e in fell]
    return [title, *_paragraphs(rolled, width, inks), *rest]


@lru_cache(maxsize=1024)
def is_broken(ruleset: Ruleset, key: str) -> bool:
    """Whether nobody can be added by a row of the campaign's, as it is written."""
    try:
        seen_alone(ruleset, key)
    except Refused:
        return True
    return False


def _found(ruleset: Ruleset, state: Encounter, row: Creature) -> Alone:
    """It, in the fight in which it is: this one, or one of its own. Raises Refused."""
    if row.sort == HERE:
        who = state.find(row.id)
        if who is None:
            raise Refused(f"{row.name} is not here any more")
        return Alone(state, who, [])
    return seen_alone(ruleset, row.id)


def sheet_lines(
    ruleset: Ruleset, state: Encounter, who: Combatant, sort: str, width: int, inks: Inks
) -> list[Line]:
    """What counts, what it is, what it can do, what lasts on it, and what is told of it."""
    title = Line().add(plain(who.name), inks.strong).add(f"  {_about(who, sort)}", inks.dim)
    totals = ruleset.totals(ruleset.tables, state, who)
    own = ruleset.own(ruleset.tables, state, who)
    names = {option.name for option in own}
    numbers = [*_tracks(ruleset.tables, who, inks), *_totals(ruleset.tables, totals, inks)]
    short, long = _stats(ruleset, state, who, {*totals, *names})
    numbers += [Line().add(text, inks.plain) for text in short]
    lines = [title, *flow(numbers, width)]
    lines += _paragraphs(long, width, inks)
    lines += _paragraphs([f"{o.name}: {o.text}" if o.text else o.name for o in own], width, inks)
    lines += _effects(ruleset, state, who, width, inks)
    lines += _paragraphs([f"· {note}" for note in who.notes], width, inks)
    return lines + [Line().add(text, inks.dim) for text in wrapped_text(who.text, width)]


def _about(who: Combatant, sort: str) -> str:
    words = [who.kind if who.kind != "pc" else "PC", sort]
    words += [who.life] if who.life != "up" else []
    return ", ".join([*words, "hidden"] if who.hidden else words)


def _tracks(tables: Tables, who: Combatant, inks: Inks) -> Iterator[Line]:
    """All that is counted, but for what stands at 0 and has no limit."""
    for name, track in who.tracks.items():
        if track.value or track.max:
            label = tables.track(name).label
            yield Line().add(f"{label} ", inks.dim).add(amount(track), inks.strong)


def _totals(tables: Tables, totals: Mapping[str, int | str], inks: Inks) -> Iterator[Line]:
    for name, value in totals.items():
        rule = tables.total(name)
        if rule.tells(value):
            yield Line().add(f"{rule.label} ", inks.dim).add(rule.told(value), inks.strong)


def _stats(
    ruleset: Ruleset, state: Encounter, who: Combatant, told: set[str]
) -> tuple[list[str], list[str]]:
    """Its own numbers in words: those of a word or two, and those that are lists of tables."""
    words = {name: text for name, text in ruleset.told(state, who).items() if name in who.stats}
    rest = {n: v for n, v in who.stats.items() if n not in words and n != "text"}
    long = {n: v for n, v in rest.items() if isinstance(v, list) and any(_is_table(p) for p in v)}
    short = {n: v for n, v in rest.items() if n not in long}
    told_long = [*filter(None, words.values()), *own_numbers(ruleset.tables, long, told)]
    return [plain(t) for t in own_numbers(ruleset.tables, short, told)], told_long


def _is_table(value: object) -> bool:
    return isinstance(value, dict)


def _effects(
    ruleset: Ruleset, state: Encounter, who: Combatant, width: int, inks: Inks
) -> list[Line]:
    """The effects on a creature, each with its end, then the effects that it implies."""
    force, said = in_force(ruleset.tables, state, who), []
    for effect in by_themselves(who):
        more = aside(force, who, effect)
        end = end_of(ruleset.tables, state, who, [effect])
        said.append(f"{in_full(effect)}{f' ({more})' if more else ''} {end}")
    return _paragraphs([f"Now: {' · '.join(said)}"] if said else [], width, inks)


def _paragraphs(texts: list[str], width: int, inks: Inks) -> list[Line]:
    """Each on lines of its own, the further ones set in."""
    lines = []
    for text in texts:
        first, *rest = wrapped(plain(text), width - 2) or [""]
        lines += [Line().add(first, inks.plain), *(Line().add(f"  {t}", inks.plain) for t in rest)]
    return lines

"""Everything to look up: every rule of a game, and every creature of a campaign and a fight.
`look_up_keys` has it with the words that find it (`core.parser.search`), for the screen and for
reading aloud.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from affray.core.commands.log_commands import SESSION_COMMANDS
from affray.core.engine.decide import commands_of
from affray.core.engine.state import Encounter
from affray.core.formatting.media import IN_WRITING, SPOKEN, WRITTEN, Notation, Said, Word
from affray.core.parser.errors import join_or
from affray.core.parser.search import SearchKey, search_key
from affray.core.rules.campaign_tables import lookup_entries
from affray.core.rules.ruleset import Ruleset
from affray.core.rules.tables import Tables, TechniqueRow

HERE, PARTY, BESTIARY = "here", "party", "bestiary"


class CreatureEntry(NamedTuple):
    """A creature to look up: the id of a combatant here, or the key of a campaign's row."""

    name: str
    sort: str
    id: str

    def text(self, tables: Tables, state: Encounter) -> str:
        """The description in the bestiary, or of the combatant; empty for none."""
        if self.sort != HERE:
            return str(tables.bestiary[self.id].get("text", ""))
        combatant = state.find(self.id)
        return combatant.text if combatant is not None else ""

    def words(self, tables: Tables, state: Encounter) -> Iterator[str]:
        """The words that find it, beside its name."""
        yield self.sort
        combatant = state.find(self.id) if self.sort == HERE else None
        if combatant is not None:
            yield from (effect.name for effect in combatant.effects)
            yield from combatant.notes
        yield from _words_of(
            combatant.stats if combatant is not None else tables.bestiary.get(self.id, {})
        )


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


def campaign_creatures(tables: Tables) -> list[CreatureEntry]:
    """The rows of the campaign's party and bestiary."""
    return [
        CreatureEntry(tables.name_of(key), PARTY if row.get("kind") == "pc" else BESTIARY, key)
        for key, row in tables.bestiary.items()
    ]


def roster_entries(tables: Tables, state: Encounter) -> list[CreatureEntry]:
    """The rows of the campaign's party and bestiary, then the combatants here.

    A row whose only creature is here, under its own name, comes once.
    """
    present, rows = {c.name for c in state.combatants}, campaign_creatures(tables)
    there = [CreatureEntry(c.name, HERE, c.id) for c in state.in_order()]
    return [*(row for row in rows if row.name not in present), *there]


class ReferenceEntry(NamedTuple):
    """A rule that the lookup finds: its name, its kind, its text.

    `how` is its cost, or the command's usage; `also` are other words that find it.
    """

    name: str
    sort: str
    text: str
    how: Word = ""
    also: str = ""


def rule_texts(ruleset: Ruleset) -> Iterator[ReferenceEntry]:
    """All rules: techniques, effects, tracks, commands, and those that are only read."""
    tables = ruleset.tables
    for row in tables.techniques.values():
        yield ReferenceEntry(row.name, "technique", row.text, _price(tables, row), row.also)
    yield from (ReferenceEntry(e.name, e.kind, e.text) for e in tables.effects.values())
    yield from (ReferenceEntry(t.label, "track", t.text) for t in tables.tracks.values() if t.text)
    prompts = tables.prompts.values()
    rows = (row for row in prompts if row.label and row.text)
    yield from (ReferenceEntry(row.label, "command", row.text, also=row.also) for row in rows)
    yield from _commands(ruleset)
    yield from (ReferenceEntry(t.name, "rule", t.text) for t in tables.texts.values())
    rests = ((name, row.text, join_or(row.rests, "and")) for name, row in tables.activities.items())
    yield from (
        ReferenceEntry(n, "activity", text, f": in {r} rests") for n, text, r in rests if text
    )
    for key, table in tables.random.items():
        found = ", ".join(f"{span} {what}" for span, what in table.rows.items())
        yield ReferenceEntry(table.name, "table", found, f": roll {key}, {table.dice}")
    for name, sort, of, text in lookup_entries(tables.environments):
        yield ReferenceEntry(name, sort, text, of)


def _commands(ruleset: Ruleset) -> Iterator[ReferenceEntry]:
    """The commands without a technique or prompt in the game's tables."""
    tables = ruleset.tables
    lines = [*(t.command for t in tables.techniques.values())]
    lines += [p.command for p in tables.prompts.values() if p.label and p.text]
    parts = {*tables.techniques, *(line.partition(" ")[0] for line in lines)}
    rows = [(name, command.usage, command.does) for name, command in commands_of(ruleset).items()]
    rows += [(name, command.usage, command.does) for name, command in SESSION_COMMANDS.items()]
    yield from (
        ReferenceEntry(n, "command", does, f": {usage}")
        for n, usage, does in rows
        if n not in parts
    )


def _price(tables: Tables, technique: TechniqueRow) -> Word:
    """`costs 1 AP, marks 1 Fat`; empty if it costs nothing."""

    def with_amounts(verb: str, amounts: Mapping[str, int], medium: int) -> str:
        rows = [(amount, tables.track(track)) for track, amount in amounts.items()]
        names = [f"{n} {row.for_the_ear if medium else row.short or row.label}" for n, row in rows]
        return f"{verb} {join_or(names, 'and')}" if names else ""

    def price(medium: int) -> str:
        costs = (
            with_amounts("costs", technique.cost, medium),
            with_amounts("marks", technique.marks, medium),
        )
        return ", ".join(filter(None, costs))

    return Said(price(WRITTEN), price(SPOKEN)) if technique.cost or technique.marks else ""


def own_texts(
    ruleset: Ruleset, state: Encounter, how: Notation = IN_WRITING
) -> list[ReferenceEntry]:
    """List the powers on the sheets of those in the fight, each once, their texts as `how` says.

    For identical creatures it reads one.
    """
    each = {str(combatant.stats): combatant for combatant in state.in_order()}.values()
    own = (
        option
        for combatant in each
        for option in ruleset.actions.own_options(ruleset.tables, state, combatant, how)
    )
    return list(dict.fromkeys(ReferenceEntry(o.name, "their own", o.text) for o in own))


Entry = ReferenceEntry | CreatureEntry


def look_up_keys(
    ruleset: Ruleset, state: Encounter, how: Notation = IN_WRITING
) -> list[tuple[SearchKey, Entry]]:
    """List all rules, then all creatures, each after the words that find it."""
    rows: list[tuple[SearchKey, Entry]] = []
    for rule in (*rule_texts(ruleset), *own_texts(ruleset, state, how)):
        rows.append((search_key(rule.name, (rule.sort, rule.text), also=rule.also), rule))
    for creature in roster_entries(ruleset.tables, state):
        words = creature.words(ruleset.tables, state)
        rows.append((search_key(creature.name, words), creature))
    return rows

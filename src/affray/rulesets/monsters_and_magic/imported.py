"""Rows of the bestiary from creatures of other games: HP, size, senses, ways of moving, and damage.

Nobody publishes creatures of this game. What attacks and armour are elsewhere isn't what they are
here, so they stay in the text; a list of one's own has this game's numbers in columns of its own.
"""

from __future__ import annotations

from affray.core.rules.imported import Creature, Imported, left_of
from affray.core.rules.tables import Tables
from affray.rulekit import imports
from affray.rulekit.imports import Draft
from affray.rulesets.monsters_and_magic.creatures import SENSES
from affray.rulesets.monsters_and_magic.totals import WAYS

OWN = ("power", "cunning", "focus", "luck", "spell", "fatigue", "exhaustion", "threads")
FOOT_BY_FOOT = ("level-up", "5e")
"""Games that measure in feet, as this one does."""


def imported(tables: Tables, creature: Creature) -> Imported:
    """The row of a creature."""
    row = imports.begun(creature)
    row.put("size", "size", creature.size)
    if imports.is_own(creature, *FOOT_BY_FOOT):
        _moves_and_senses(creature, row)
    for stat, part, types in imports.against(creature):
        row.put_kinds(stat, part, types, tables.damage_types)
    attacks = _own_numbers(tables, creature, row) if imports.is_own(creature) else []
    return Imported(row.words, left_of(creature, row.taken, attacks))


def _moves_and_senses(creature: Creature, row: Draft) -> None:
    row.put("speed", "speed", creature.speeds.get("walk"))
    for way in WAYS:
        row.put(way, f"{way} speed", creature.speeds.get(way) or None)
    for sense in SENSES:
        if sense in creature.senses:
            row.put(sense, sense, creature.senses[sense] or True)


def _own_numbers(tables: Tables, creature: Creature, row: Draft) -> list[str]:
    """This game's own numbers of a list, and its attacks; gives their names."""
    row.put("ac", "AC", creature.ac)
    row.put("pb", "proficiency", creature.pb)
    row.put("cr", "challenge", int(creature.cr) if creature.cr.isdecimal() else None)
    for word, value in imports.some(creature, *OWN).items():
        row.put(word, word, value)
    attacks = [f for f in imports.named_apart(creature.features) if f.attack and f.damage]
    if attacks:
        row.words["attack"] = [
            imports.phrase(
                imports.quoted(f.name),
                imports.typed(f.damage[0], tables.damage_types),
                "ranged" if f.attack is not None and f.attack.reach == "ranged" else "",
            )
            for f in attacks
        ]
    return [f.name for f in attacks]

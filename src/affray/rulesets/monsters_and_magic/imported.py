"""Rows of the bestiary from creatures of other games: HP, size, senses, ways of moving, and damage.

Nobody publishes creatures of this game. What attacks and armour are elsewhere isn't what they are
here, so they stay in the text; a list of one's own has this game's numbers in columns of its own.
"""

from __future__ import annotations

from typing import Any

from affray.core.rules.imported import Creature, Imported, hp_of, left_of
from affray.core.rules.tables import Tables
from affray.rulekit import imports
from affray.rulesets.monsters_and_magic.creatures import SENSES
from affray.rulesets.monsters_and_magic.totals import WAYS

OWN = ("power", "cunning", "focus", "luck", "spell", "pb", "fatigue", "exhaustion", "threads")
FOOT_BY_FOOT = ("level-up", "5e")
"""Games that measure in feet, as this one does."""


def imported(tables: Tables, creature: Creature) -> Imported:
    """The row of a creature."""
    row: dict[str, Any] = {"hp": hp_of(creature)}
    taken = ["HP"]
    if creature.size:
        row["size"] = creature.size
        taken.append("size")
    if imports.is_own(creature, *FOOT_BY_FOOT):
        _moves_and_senses(creature, row, taken)
    for stat, types, part in (
        ("resist", creature.resist, "resistance"),
        ("vulnerable", creature.vulnerable, "vulnerability"),
        ("immune", creature.immune, "immunity"),
    ):
        fits = [kind for kind in types if kind in tables.damage_types]
        row |= {stat: ",".join(fits)} if fits else {}
        taken += [part] if len(fits) == len(types) else []
    attacks: list[str] = []
    if imports.is_own(creature):
        attacks = _own_numbers(tables, creature, row, taken)
    return Imported(row, left_of(creature, taken, attacks))


def _moves_and_senses(creature: Creature, row: dict[str, Any], taken: list[str]) -> None:
    if "walk" in creature.speeds:
        row["speed"] = creature.speeds["walk"]
        taken.append("speed")
    for way in WAYS:
        if creature.speeds.get(way, 0) > 0:
            row[way] = creature.speeds[way]
            taken.append(f"{way} speed")
    for sense in SENSES:
        if sense in creature.senses:
            row[sense] = creature.senses[sense] or True
            taken.append(sense)


def _own_numbers(
    tables: Tables, creature: Creature, row: dict[str, Any], taken: list[str]
) -> list[str]:
    """This game's own numbers of a list, and its attacks; gives their names."""
    if creature.ac is not None:
        row["ac"] = creature.ac
        taken.append("AC")
    if creature.cr.isdecimal():
        row["cr"] = int(creature.cr)
        taken.append("challenge")
    own = imports.some(creature, *OWN)
    row |= own
    taken += own
    attacks = [f for f in imports.named_apart(creature.features) if f.attack and f.damage]
    if attacks:
        row["attack"] = [
            imports.phrase(
                imports.quoted(f.name),
                imports.typed(f.damage[0], tables.damage_types),
                "ranged" if f.attack is not None and f.attack.reach == "ranged" else "",
            )
            for f in attacks
        ]
    return [f.name for f in attacks]

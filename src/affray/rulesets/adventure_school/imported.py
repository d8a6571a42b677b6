"""Rows of the bestiary from creatures of other games: HP, size, speed, and damage of like types.

Armour, attacks and saves are counted otherwise elsewhere, so they stay in the text; a list of one's
own has this game's AC and initiative.
"""

from __future__ import annotations

from typing import Any

from affray.core.rules.imported import Creature, Imported, hp_of, left_of
from affray.core.rules.tables import Tables
from affray.rulekit import imports
from affray.rulesets.adventure_school.sheet import SIZES

ALIKE = {"bludgeoning": "blunt"}
"""Other games' words for the same damage."""
FOOT_BY_FOOT = ("level-up", "5e")
"""Games that measure in feet, as this one does."""


def imported(tables: Tables, creature: Creature) -> Imported:
    """The row of a creature."""
    row: dict[str, Any] = {"hp": hp_of(creature)}
    taken = ["HP"]
    if creature.size in SIZES:
        row["size"] = creature.size
        taken.append("size")
    if imports.is_own(creature, *FOOT_BY_FOOT) and "walk" in creature.speeds:
        row["speed"] = creature.speeds["walk"]
        taken.append("speed")
    for stat, types, part in (
        ("resist", creature.resist, "resistance"),
        ("weak", creature.vulnerable, "vulnerability"),
        ("immune", creature.immune, "immunity"),
    ):
        here = [ALIKE.get(kind, kind) for kind in types]
        fits = [kind for kind in here if kind in tables.damage_types]
        row |= {stat: ",".join(fits)} if fits else {}
        taken += [part] if len(fits) == len(types) else []
    if imports.is_own(creature):
        for name, part, value in (
            ("ac", "AC", creature.ac),
            ("init", "initiative", creature.initiative),
        ):
            if value is not None:
                row[name] = value
                taken.append(part)
    return Imported(row, left_of(creature, taken, ()))

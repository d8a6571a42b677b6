"""Rows of the bestiary from creatures of any game: this one only counts.

Attacks, traits and all else stand in the text, with their names and what they deal.
"""

from __future__ import annotations

from typing import Any

from affray.core.rules.imported import Creature, Imported, hp_of, left_of
from affray.core.rules.tables import Tables
from affray.rulesets.plain.counters import counters_of


def imported(tables: Tables, creature: Creature) -> Imported:
    """The row of a creature."""
    row: dict[str, Any] = {"hp": hp_of(creature)}
    taken = ["HP"]
    for name, part, value in (
        ("ac", "AC", creature.ac),
        ("init", "initiative", creature.initiative),
        ("speed", "speed", creature.speeds.get("walk")),
    ):
        if value is not None and (value >= 0 or name == "init"):
            row[name] = value
            taken.append(part)
    for stat, types, part in (
        ("resist", creature.resist, "resistance"),
        ("vulnerable", creature.vulnerable, "vulnerability"),
        ("immune", creature.immune, "immunity"),
    ):
        if types and not any(f"{stat} {kind}" in creature.amounts for kind in types):
            row[stat] = ",".join(types)
            taken.append(part)
    for name in counters_of(tables):
        said = creature.said.get(name, "")
        if said.isdecimal() and len(said) < 5:
            row[name] = int(said)
            taken.append(name)
    return Imported(row, left_of(creature, taken, ()))

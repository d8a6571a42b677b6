"""Rows of the bestiary from creatures of other games: HP, size, speed, and damage of like types.

Armour, attacks and saves are counted otherwise elsewhere, so they stay in the text; a list of one's
own has this game's AC, initiative and attacks.
"""

from __future__ import annotations

from msgspec.structs import replace

from affray.core.rules.imported import Creature, Feature, Imported, left_of
from affray.core.rules.tables import Tables
from affray.rulekit import imports
from affray.rulesets.adventure_school.sheet import SIZES

ALIKE = {"bludgeoning": "blunt"}
"""Other games' words for the same damage."""
STATS = {"vulnerable": "weak"}
"""What is called otherwise on this game's sheets."""
FOOT_BY_FOOT = ("level-up", "5e")
"""Games that measure in feet, as this one does."""


def imported(tables: Tables, creature: Creature) -> Imported:
    """The row of a creature."""
    row = imports.begun(creature)
    row.put("size", "size", creature.size if creature.size in SIZES else None)
    if imports.is_own(creature, *FOOT_BY_FOOT):
        row.put("speed", "speed", creature.speeds.get("walk"))
    for stat, part, types in imports.against(creature):
        here = [ALIKE.get(kind, kind) for kind in types]
        row.put_kinds(STATS.get(stat, stat), part, here, tables.damage_types)
    attacks: list[Feature] = []
    if imports.is_own(creature):
        row.put("ac", "AC", creature.ac)
        row.put("init", "initiative", creature.initiative)
        attacks = [f for f in imports.named_apart(creature.features) if f.attack and f.damage]
    said = {"attack": [_attack(tables, feature) for feature in attacks]} if attacks else {}
    return Imported(row.words | said, left_of(creature, row.taken, [f.name for f in attacks]))


def _attack(tables: Tables, feature: Feature) -> str:
    """`"Claw" +4 vs ac 1d8+2 slashing`."""
    attack, dealt = feature.attack, feature.damage[0]
    assert attack is not None
    return imports.phrase(
        imports.quoted(feature.name),
        f"{attack.bonus:+d} vs ac",
        imports.typed(replace(dealt, type=ALIKE.get(dealt.type, dealt.type)), tables.damage_types),
        "ranged" if attack.reach == "ranged" else "",
    )

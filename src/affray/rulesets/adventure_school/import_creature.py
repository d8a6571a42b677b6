"""Adventure School: bestiary rows from creatures of other programs.

A GM's own list has this game's numbers. Of any other book's creature they are proposed: attack
bonus and AC are as in 5e; a health save is Constitution's, a social save Wisdom's, a reflex save
Dexterity's; an action with a save is an ability with that save.
"""

from __future__ import annotations

from affray.core.rules.imported_creature import (
    ImportedCreature,
    ImportedFeature,
    ImportResult,
    ability_modifier,
    unused_fields,
)
from affray.core.rules.tables import Tables
from affray.mechanics import import_creature
from affray.mechanics.import_creature import (
    RowDraft,
    attacks_at_once,
    is_multiattack,
    phrase,
    quoted,
)
from affray.rulesets.adventure_school import sheet

ALIKE = {"bludgeoning": "blunt", "thunder": "sonic", "radiant": "light", "necrotic": "dark"}
"""Other games' words for the same damage; there is none for force."""
CONDITIONS = {"frightened": "afraid"}
NUMBERS = {"health": "con", "social": "wis", "reflex": "dex"}
"""A number of the sheet -> the ability of that save."""
SAVES = {
    "str": "health", "con": "health", "dex": "health reflex", "int": "social", "wis": "social",
    "cha": "social",
}  # fmt: skip
TAKES = {"action": "action", "bonus": "fast", "reaction": "reaction"}
PER = {"encounter": "fight", "rest": "rest", "day": "day"}


def row_of(tables: Tables, creature: ImportedCreature) -> ImportResult:
    """The row of a creature."""
    row = import_creature.start_row(creature)
    row.put("size", "size", creature.size if creature.size in sheet.SIZES else None)
    if import_creature.is_same_system(
        creature, *import_creature.FOOT_BY_FOOT
    ):  # which measure in feet as well
        row.put("speed", "speed", creature.speeds.get("walk"))
    for stat, part, types in import_creature.resistances(creature):
        word = "weak" if stat == "vulnerable" else stat
        row.put_kinds(word, part, [ALIKE.get(kind, kind) for kind in types], tables.damage_types)
    if import_creature.is_same_system(creature):
        row.put("ac", "AC", creature.ac)
        row.put("init", "initiative", creature.initiative)
        return _build_result(tables, creature, creature, row)
    if import_creature.rating_of(creature) is None:
        return ImportResult(row.words, unused_fields(creature, row.taken, ()))
    in_5e = import_creature.in_5e(creature)
    row.propose("ac", in_5e.ac)
    row.propose("init", in_5e.initiative)
    scores = {a: ability_modifier(n) for a, n in in_5e.abilities.items()}
    for word, ability in NUMBERS.items():
        row.propose(word, in_5e.saves.get(ability, scores.get(ability)))
    row.propose("attacks", attacks_at_once(in_5e.features) or None)
    return _build_result(tables, creature, in_5e, row)


def _build_result(
    tables: Tables, creature: ImportedCreature, read: ImportedCreature, row: RowDraft
) -> ImportResult:
    """The row with the attacks and abilities of the creature as it was `read`."""
    left: list[str] = []
    features = [
        import_creature.alike(f, ALIKE, CONDITIONS)
        for f in import_creature.unique_names(read.features)
    ]
    limited = [f for f in features if f.is_limited or f.sort != "action"]
    attacks = [f for f in features if f.attack and f.damage and f not in limited]
    own = import_creature.is_same_system(creature)
    others = [f for f in features if f not in attacks and not own and _is_ability(f)]
    named = [phrase(quoted(f.name), _attack(tables, f, left)) for f in attacks]
    row.put_all("attack", named, own)
    row.put_all("ability", [_ability(tables, f, left) for f in others], own)
    return import_creature.build_result(creature, features, row, [*attacks, *others], others, left)


def _is_ability(feature: ImportedFeature) -> bool:
    return feature.sort in TAKES and not is_multiattack(feature)


def _attack(tables: Tables, feature: ImportedFeature, left: list[str]) -> str:
    """`+4 vs ac 1d8+2 slashing ranged plus 1d6 cold inflicts prone`."""
    attack = feature.attack
    assert attack is not None
    left += import_creature.list_missed(feature, has_saves=False)
    parts = [
        import_creature.damage_with_type(part, tables.damage_types, left) for part in feature.damage
    ]
    return phrase(
        f"{attack.bonus:+d} vs ac",
        *parts[:1],
        "ranged" if attack.reach == "ranged" else "",
        *(f"plus {part}" for part in parts[1:]),
        import_creature.inflicts(feature.inflicts, sheet.conditions_of(tables), left),
    )


def _ability(tables: Tables, feature: ImportedFeature, left: list[str]) -> str:
    """`"Fire Breath" action save health reflex dc 17 10d6 fire half text "..."`."""
    per = PER.get(feature.per, "")
    if feature.recharge:
        left.append(f"{feature.name}: it recharges")
    is_attack = feature.attack is not None and feature.damage
    return phrase(
        quoted(feature.name),
        TAKES[feature.sort],
        f"uses {feature.uses} per {per}" if feature.uses and per else "",
        (_attack if is_attack else _save)(tables, feature, left),
        f"text {quoted(feature.text)}" if feature.text else "",
    )


def _save(tables: Tables, feature: ImportedFeature, left: list[str]) -> str:
    save = feature.save
    if save is None:
        return ""
    dealt = [
        import_creature.damage_with_type(part, tables.damage_types, left)
        for part in feature.failed[:1]
    ]
    if len(feature.failed) > 1:
        left.append(f"{feature.name}: a further part of its damage")
    return phrase(
        f"save {SAVES[save.ability]} dc {min(save.dc, 99)}",
        *dealt,
        "half" if save.half and dealt else "",
        import_creature.inflicts(feature.binds, sheet.conditions_of(tables), left),
    )

"""Bestiary rows from creatures of other programs.

Nobody publishes creatures of this game: a list of one's own has its numbers in columns of its own,
and of any other book's creature they are proposed. Its CR is its challenge; half of what its AC is
above 10 is taken off damage; its attacks have their dice and their type, and are rolled with CR.
"""

from __future__ import annotations

from affray.core.rules.imported_creature import (
    ImportedCreature,
    ImportedFeature,
    ImportResult,
    unused_fields,
)
from affray.core.rules.tables import Tables
from affray.mechanics import import_creature
from affray.mechanics.import_creature import RowDraft, is_multiattack, phrase, quoted
from affray.rulesets.monsters_and_magic import sheet, stats
from affray.rulesets.monsters_and_magic.stats import MOST_FEET, SENSES

OWN = ("power", "cunning", "focus", "luck", "spell", "fatigue", "exhaustion", "threads")
TAKES = {"action": "", "bonus": "", "reaction": "reaction"}
"""The kind of a feature -> its cost in a turn; all others stay text."""
PER = {"encounter": "fight", "rest": "rest", "day": "day"}


def row_of(tables: Tables, creature: ImportedCreature) -> ImportResult:
    """The row of a creature."""
    row = import_creature.start_row(creature)
    row.put("size", "size", creature.size)
    if import_creature.is_same_system(creature, *import_creature.FOOT_BY_FOOT):
        _moves_and_senses(creature, row)
    for stat, part, types in import_creature.resistances(creature):
        row.put_kinds(stat, part, types, tables.damage_types)
    if import_creature.is_same_system(creature):
        _own_numbers(tables, creature, row)
        return _build_result(tables, creature, creature, row)
    rating = import_creature.rating_of(creature)
    if rating is None:
        return ImportResult(row.words, unused_fields(creature, row.taken, ()))
    in_5e = import_creature.in_5e(creature)
    row.propose("cr", rating)
    row.propose("ac", None if in_5e.ac is None else max((in_5e.ac - 10) // 2, 0))
    return _build_result(tables, creature, in_5e, row)


def _moves_and_senses(creature: ImportedCreature, row: RowDraft) -> None:
    row.put("speed", "speed", creature.speeds.get("walk"))
    for way in stats.WAYS:
        row.put(way, f"{way} speed", creature.speeds.get(way) or None)
    for sense in SENSES:
        if creature.senses.get(sense, MOST_FEET + 1) <= MOST_FEET:
            row.put(sense, sense, creature.senses[sense] or True)


def _own_numbers(tables: Tables, creature: ImportedCreature, row: RowDraft) -> None:
    """The numbers of a list that are this game's own."""
    row.put("ac", "AC", creature.ac)
    row.put("pb", "proficiency", creature.pb)
    row.put("cr", "challenge", int(creature.cr) if creature.cr.isdecimal() else None)
    for word, value in import_creature.known_numbers(creature, *OWN).items():
        row.put(word, word, value)


def _build_result(
    tables: Tables, creature: ImportedCreature, read: ImportedCreature, row: RowDraft
) -> ImportResult:
    """The row with the actions of a `read` creature: attacks; for another book's also powers, with
    price and text."""
    left: list[str] = []
    features, own = (
        import_creature.unique_names(read.features),
        import_creature.is_same_system(creature),
    )
    attacks = [f for f in features if f.attack and f.damage and f.sort in ("action", "bonus")]
    others = [f for f in features if f not in attacks and not own and _is_power(f)]
    row.put_all("attack", [_attack(tables, f, left) for f in attacks], own)
    row.put_all(sheet.POWERS, [_power(f) for f in others], own)
    return import_creature.build_result(creature, features, row, [*attacks, *others], others, left)


def _is_power(feature: ImportedFeature) -> bool:
    return feature.sort in TAKES and bool(feature.text) and not is_multiattack(feature)


def _attack(tables: Tables, feature: ImportedFeature, left: list[str]) -> str:
    """`"Claws" 1d6+2 slashing ranged inflicts prone range 30`."""
    attack = feature.attack
    assert attack is not None
    left += import_creature.list_missed(feature, has_saves=False)
    if len(feature.damage) > 1:
        left.append(f"{feature.name}: a further part of its damage")
    conditions = sheet.names_of(tables, "condition")
    is_ranged = attack.reach == "ranged"
    return phrase(
        quoted(feature.name),
        import_creature.damage_with_type(feature.damage[0], tables.damage_types, left),
        "spell" if attack.spell else "",
        "ranged" if is_ranged else "",
        import_creature.inflicts(feature.inflicts, conditions, left, ()),
        f"range {attack.feet}" if is_ranged and attack.feet else "",
    )


def _power(feature: ImportedFeature) -> str:
    """`"Fire Breath" ap 1 uses 1 per day text "..."`."""
    per = PER.get(feature.per, "")
    return phrase(
        quoted(feature.name),
        TAKES[feature.sort] or "ap 1",
        f"uses {feature.uses} per {per}" if feature.uses and per else "",
        f"text {quoted(feature.text)}",
    )

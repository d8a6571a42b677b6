"""Rows of the bestiary from creatures of other programs.

Nobody publishes creatures of this game: a list of one's own has its numbers in columns of its own,
and of any other book's creature they are proposed. Its CR is its challenge; half of what its AC is
above 10 is taken off damage; its attacks have their dice and their type, and are rolled with CR.
"""

from __future__ import annotations

from affray.core.rules.imported import Creature, Feature, Imported, left_of
from affray.core.rules.tables import Tables
from affray.rulekit import imports, scales
from affray.rulekit.imports import Draft, phrase, quoted
from affray.rulekit.multiattack import is_multiattack
from affray.rulesets.monsters_and_magic import sheet, totals
from affray.rulesets.monsters_and_magic.creatures import MOST_FEET, SENSES

OWN = ("power", "cunning", "focus", "luck", "spell", "fatigue", "exhaustion", "threads")
TAKES = {"action": "", "bonus": "", "reaction": "reaction"}
"""The sort of a feature -> what it takes of a turn; all others are told in the text."""
PER = {"encounter": "fight", "rest": "rest", "day": "day"}


def imported(tables: Tables, creature: Creature) -> Imported:
    """The row of a creature."""
    row = imports.begun(creature)
    row.put("size", "size", creature.size)
    if imports.is_own(creature, *scales.FOOT_BY_FOOT):
        _moves_and_senses(creature, row)
    for stat, part, types in imports.against(creature):
        row.put_kinds(stat, part, types, tables.damage_types)
    if imports.is_own(creature):
        _own_numbers(tables, creature, row)
        return _made(tables, creature, creature, row)
    rating = scales.rating_of(creature)
    if rating is None:
        return Imported(row.words, left_of(creature, row.taken, ()))
    in_5e = scales.in_5e(creature)
    row.propose("cr", rating)
    row.propose("ac", None if in_5e.ac is None else max((in_5e.ac - 10) // 2, 0))
    return _made(tables, creature, in_5e, row)


def _moves_and_senses(creature: Creature, row: Draft) -> None:
    row.put("speed", "speed", creature.speeds.get("walk"))
    for way in totals.WAYS:
        row.put(way, f"{way} speed", creature.speeds.get(way) or None)
    for sense in SENSES:
        if creature.senses.get(sense, MOST_FEET + 1) <= MOST_FEET:
            row.put(sense, sense, creature.senses[sense] or True)


def _own_numbers(tables: Tables, creature: Creature, row: Draft) -> None:
    """This game's own numbers of a list."""
    row.put("ac", "AC", creature.ac)
    row.put("pb", "proficiency", creature.pb)
    row.put("cr", "challenge", int(creature.cr) if creature.cr.isdecimal() else None)
    for word, value in imports.some(creature, *OWN).items():
        row.put(word, word, value)


def _made(tables: Tables, creature: Creature, read: Creature, row: Draft) -> Imported:
    """The row with what the creature, as it was `read`, can do: attacks; of another book's also
    powers, by their price and their text."""
    left: list[str] = []
    features = imports.named_apart(read.features)
    attacks = [f for f in features if f.attack and f.damage and f.sort in ("action", "bonus")]
    others = [f for f in features if f not in attacks and _is_power(f)]
    if imports.is_own(creature):
        others = []
    row.put_all("attack", [_attack(tables, f, left) for f in attacks], imports.is_own(creature))
    row.put_all(sheet.POWERS, [_power(f) for f in others], imports.is_own(creature))
    return imports.made(creature, features, row, [*attacks, *others], others, left)


def _is_power(feature: Feature) -> bool:
    return feature.sort in TAKES and bool(feature.text) and not is_multiattack(feature)


def _attack(tables: Tables, feature: Feature, left: list[str]) -> str:
    """`"Claws" 1d6+2 slashing ranged inflicts prone range 30`."""
    attack = feature.attack
    assert attack is not None
    left += imports.unsaid(feature, has_saves=False)
    if len(feature.damage) > 1:
        left.append(f"{feature.name}: a further part of its damage")
    conditions = sheet.names_of(tables, "condition")
    is_ranged = attack.reach == "ranged"
    return phrase(
        quoted(feature.name),
        imports.typed(feature.damage[0], tables.damage_types, left),
        "spell" if attack.spell else "",
        "ranged" if is_ranged else "",
        imports.inflicts(feature.inflicts, conditions, left, {}),
        f"range {attack.feet}" if is_ranged and attack.feet else "",
    )


def _power(feature: Feature) -> str:
    """`"Fire Breath" ap 1 uses 1 per day text "..."`."""
    per = PER.get(feature.per, "")
    return phrase(
        quoted(feature.name),
        TAKES[feature.sort] or "ap 1",
        f"uses {feature.uses} per {per}" if feature.uses and per else "",
        f"text {quoted(feature.text)}",
    )

"""Rows of the bestiary from creatures of other programs.

A list of one's own has this game's numbers. Of any other book's creature they are proposed: a roll
to hit and AC are as in 5e; a health save is Constitution's, a social one Wisdom's, what is reflex
Dexterity's; what asks for a save is an ability with that save.
"""

from __future__ import annotations

from affray.core.rules.imported import Creature, Feature, Imported, left_of, modifier
from affray.core.rules.tables import Tables
from affray.rulekit import imports, scales
from affray.rulekit.imports import Draft, phrase, quoted
from affray.rulekit.multiattack import attacks_at_once, is_multiattack
from affray.rulesets.adventure_school import sheet

ALIKE = {"bludgeoning": "blunt", "thunder": "sonic", "radiant": "light", "necrotic": "dark"}
"""Other games' words for the same damage; there is none for force."""
CONDITIONS = {"frightened": "afraid"}
NUMBERS = {"health": "con", "social": "wis", "reflex": "dex"}
"""A number of the sheet -> the ability whose save it is."""
SAVES = {
    "str": "health", "con": "health", "dex": "health reflex", "int": "social", "wis": "social",
    "cha": "social",
}  # fmt: skip
TAKES = {"action": "action", "bonus": "fast", "reaction": "reaction"}
PER = {"encounter": "fight", "rest": "rest", "day": "day"}


def imported(tables: Tables, creature: Creature) -> Imported:
    """The row of a creature."""
    row = imports.begun(creature)
    row.put("size", "size", creature.size if creature.size in sheet.SIZES else None)
    if imports.is_own(creature, *scales.FOOT_BY_FOOT):  # which measure in feet as well
        row.put("speed", "speed", creature.speeds.get("walk"))
    for stat, part, types in imports.against(creature):
        word = "weak" if stat == "vulnerable" else stat
        row.put_kinds(word, part, [ALIKE.get(kind, kind) for kind in types], tables.damage_types)
    if imports.is_own(creature):
        row.put("ac", "AC", creature.ac)
        row.put("init", "initiative", creature.initiative)
        return _made(tables, creature, creature, row)
    if scales.rating_of(creature) is None:
        return Imported(row.words, left_of(creature, row.taken, ()))
    in_5e = scales.in_5e(creature)
    row.propose("ac", in_5e.ac)
    row.propose("init", in_5e.initiative)
    scores = {a: modifier(n) for a, n in in_5e.abilities.items()}
    for word, ability in NUMBERS.items():
        row.propose(word, in_5e.saves.get(ability, scores.get(ability)))
    row.propose("attacks", attacks_at_once(in_5e.features) or None)
    return _made(tables, creature, in_5e, row)


def _made(tables: Tables, creature: Creature, read: Creature, row: Draft) -> Imported:
    """The row with the attacks and abilities of the creature as it was `read`."""
    left: list[str] = []
    features = [imports.alike(f, ALIKE, CONDITIONS) for f in imports.named_apart(read.features)]
    limited = [f for f in features if f.uses or f.recharge or f.sort != "action"]
    attacks = [f for f in features if f.attack and f.damage and f not in limited]
    own = imports.is_own(creature)
    others = [f for f in features if f not in attacks and not own and _is_ability(f)]
    named = [phrase(quoted(f.name), _attack(tables, f, left)) for f in attacks]
    row.put_all("attack", named, own)
    row.put_all("ability", [_ability(tables, f, left) for f in others], own)
    return imports.made(creature, features, row, [*attacks, *others], others, left)


def _is_ability(feature: Feature) -> bool:
    return feature.sort in TAKES and not is_multiattack(feature)


def _attack(tables: Tables, feature: Feature, left: list[str]) -> str:
    """`+4 vs ac 1d8+2 slashing ranged plus 1d6 cold inflicts prone`."""
    attack = feature.attack
    assert attack is not None
    left += imports.unsaid(feature, has_saves=False)
    parts = [imports.typed(part, tables.damage_types, left) for part in feature.damage]
    return phrase(
        f"{attack.bonus:+d} vs ac",
        *parts[:1],
        "ranged" if attack.reach == "ranged" else "",
        *(f"plus {part}" for part in parts[1:]),
        imports.inflicts(feature.inflicts, sheet.conditions_of(tables), left),
    )


def _ability(tables: Tables, feature: Feature, left: list[str]) -> str:
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


def _save(tables: Tables, feature: Feature, left: list[str]) -> str:
    save = feature.save
    if save is None:
        return ""
    dealt = [imports.typed(part, tables.damage_types, left) for part in feature.failed[:1]]
    if len(feature.failed) > 1:
        left.append(f"{feature.name}: a further part of its damage")
    return phrase(
        f"save {SAVES[save.ability]} dc {min(save.dc, 99)}",
        *dealt,
        "half" if save.half and dealt else "",
        imports.inflicts(feature.binds, sheet.conditions_of(tables), left),
    )

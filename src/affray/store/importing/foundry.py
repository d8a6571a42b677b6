"""Actors as Foundry exports them, of its systems dnd5e and a5e (Level Up).

What they hit with is not in the file: it is the ability's modifier, the proficiency bonus, and what
the item adds. Where the text of an item says it, that stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from affray.core.rules.imported import Creature, Feature, modifier, proficiency
from affray.store.importing import foundry_a5e, foundry_dnd5e, stat_block
from affray.store.importing.contents import Contents, name_of, read_each
from affray.store.importing.feature_text import legendary_actions
from affray.store.importing.foundry_items import Numbers, value_of
from affray.store.importing.resistances import types_of
from affray.store.importing.values import (
    ABILITIES,
    WAYS,
    items_of,
    number,
    one_line,
    positive,
    rows,
    table,
    within,
    words,
)

Items = Callable[[list[dict[str, Any]], Numbers], Iterator[Feature]]
SYSTEMS: dict[str, Items] = {"dnd5e": foundry_dnd5e.features, "a5e": foundry_a5e.features}
SENSES = ("blindsight", "darkvision", "tremorsense", "truesight")
MOST_HP = ("baseMax", "max", "value")
"""Where the maximum may stand: the first that is a number counts."""
SKILLS = {
    "acr": "acrobatics", "ani": "animal handling", "arc": "arcana", "ath": "athletics",
    "cul": "culture", "dec": "deception", "eng": "engineering", "his": "history",
    "ins": "insight", "itm": "intimidation", "inv": "investigation", "med": "medicine",
    "nat": "nature", "prc": "perception", "prf": "performance", "per": "persuasion",
    "rel": "religion", "slt": "sleight of hand", "ste": "stealth", "sur": "survival",
}  # fmt: skip


def holds(data: Any) -> bool:
    """Whether it is an actor, or a list or an export with some."""
    return any(map(_is_actor, _actors(data)[:20]))


def read(data: Any) -> Contents:
    """Its actors; those of other systems are told."""
    found = [row for row in _actors(data) if _is_actor(row)]
    known = (row for row in found if _system(row) in SYSTEMS)
    left = (
        f"{one_line(row.get('name'))}: of Foundry's system {_system(row)!r}, which is not read"
        for row in found
        if _system(row) not in SYSTEMS
    )
    return read_each(known, _creature, name_of) + Contents(left=tuple(left))


def _actors(data: Any) -> list[dict[str, Any]]:
    if isinstance(data, dict):
        return rows(data.get("actors")) or [data]
    return rows(data)


def _is_actor(row: dict[str, Any]) -> bool:
    return isinstance(row.get("system"), dict) and isinstance(row.get("items"), list)


def _system(row: dict[str, Any]) -> str:
    """Which of Foundry's systems an actor is of: what it says, else how its fields are called."""
    said = one_line(within(row, "_stats", "systemId"))
    if said or not _is_actor(row):
        return said
    life = table(within(row, "system", "attributes", "hp"))
    return "a5e" if "baseMax" in life else "dnd5e" if "max" in life else "unknown"


def _creature(row: dict[str, Any]) -> Creature:
    data, system, is_pc = row["system"], _system(row), row.get("type") == "character"
    about, traits = table(data.get("details")), table(data.get("traits"))
    attributes = table(data.get("attributes"))
    own = numbers_of(data, one_line(row.get("name")))
    life, items = table(attributes.get("hp")), rows(row.get("items"))
    bonus = value_of(within(attributes, "init", "bonus"), own) or 0
    movement = table(attributes.get("movement"))
    hovers = movement.get("hover") or within(movement, "traits", "hover")
    legendary = within(data, "resources", "legact", "max")
    resists = number(within(data, "resources", "legres", "max"), 1, 20)
    made = stat_block.creature(
        {
            "name": row.get("name"),
            "source": _source(data.get("source")),
            "size": traits.get("size"),
            "type": ", ".join(filter(None, _kinds(about))),
            "alignment": about.get("alignment"),
            "cr": None if is_pc else about.get("cr"),
            "level": about.get("level"),
            "pb": own.proficiency,
            "hp": next(filter(None, (positive(life.get(key)) for key in MOST_HP)), None),
            "hit_dice": life.get("formula"),
            "ac": _armour_class(table(attributes.get("ac")), items, own),
            "initiative": own.modifiers["dex"] + bonus,
            "speed": {way: _distance(movement.get(way)) for way in WAYS} | {"hover": hovers},
            "stats": {ability: _score(data, ability) for ability in ABILITIES},
            "saves": {ability: _save(data, ability, own) for ability in ABILITIES},
            "skillsaves": dict(_skills(table(data.get("skills")), own)),
            "senses": {sense: _sense(table(attributes.get("senses")), sense) for sense in SENSES},
            "languages": _languages(data, traits),
            "condition_immunities": _unhindered(traits),
            **stat_block.harm_fields(_types(traits, *names) for names in DAMAGE),
            "spells": _named(i for i in items if i.get("type") == "spell"),
            "carries": _named(i for i in items if _is_carried(i)),
            "elite": "yes" if about.get("elite") else "",
            "description": about.get("bio") or within(about, "biography", "value"),
        },
        pc=is_pc,
        game="level-up" if system == "a5e" else "5e",
    )
    return replace(
        made,
        hp_left=number(life.get("value"), 0) if is_pc else None,
        features=(
            *_resisting(_plainly_named(SYSTEMS[system](items, own)), resists),
            *legendary_actions(legendary),
        ),
    )


def _resisting(features: Iterable[Feature], times: int | None) -> Iterator[Feature]:
    """Features where Legendary Resistance has the uses that stand apart from it."""
    for row in features:
        is_it = row.name == "Legendary Resistance" and not row.uses and times
        yield replace(row, uses=times, per="day") if is_it and times else row


def _named(items: Iterable[dict[str, Any]]) -> str:
    return ", ".join(one_line(item.get("name")) for item in items)


THINGS = ("object", "equipment", "consumable", "loot", "container", "tool")


def _is_carried(item: dict[str, Any]) -> bool:
    """Whether it is a thing with which nothing is done in a fight by itself: no weapon."""
    return item.get("type") in THINGS and within(item, "system", "objectType") != "weapon"


DAMAGE = (
    ("damageResistances", "dr"),
    ("damageImmunities", "di"),
    ("damageVulnerabilities", "dv"),
)
"""What is resisted, what does nothing, and what does more, in a5e and in dnd5e."""


def numbers_of(data: dict[str, Any], name: str) -> Numbers:
    """What an actor's items go by."""
    modifiers = {a: modifier(number(_score(data, a), 1, 99) or 10) for a in ABILITIES}
    about, attributes = table(data.get("details")), table(data.get("attributes"))
    rating = about.get("cr")
    level = number(about.get("level"), 1, 30)
    counted = rating if isinstance(rating, int | float) and rating == rating else level or 1
    bonus = proficiency(int(min(max(counted, 1), 40)))
    casts = one_line(attributes.get("spellcasting"))
    trained = number(within(data, "skills", "ath", "value"), 1, 2) or 0
    athletics = modifiers["str"] + trained * bonus
    return Numbers(modifiers, bonus, casts if casts in ABILITIES else "", name, athletics)


def _score(data: dict[str, Any], ability: str) -> Any:
    return within(data, "abilities", ability, "value")


def _save(data: dict[str, Any], ability: str, numbers: Numbers) -> int | None:
    own = table(within(data, "abilities", ability))
    proficient = within(own, "save", "proficient") or own.get("proficient")
    return numbers.modifiers[ability] + numbers.proficiency if proficient else None


def _skills(skills: dict[str, Any], numbers: Numbers) -> Iterator[tuple[str, int]]:
    for key, row in skills.items():
        trained = number(table(row).get("proficient", table(row).get("value")), 1, 2)
        ability = one_line(table(row).get("ability"))
        if trained and key in SKILLS:
            yield SKILLS[key], numbers.modifiers.get(ability, 0) + trained * numbers.proficiency


def _kinds(about: dict[str, Any]) -> list[str]:
    kinds = about.get("creatureTypes")
    if isinstance(kinds, list):
        return [one_line(kind) for kind in kinds]
    own = table(about.get("type"))
    return [one_line(own.get("value")), one_line(own.get("subtype"))]


def _source(value: Any) -> str:
    return one_line(table(value).get("book") or table(value).get("license") or value)


def _distance(value: Any) -> int | None:
    return number(value.get("distance") if isinstance(value, dict) else value, 1)


def _sense(senses: dict[str, Any], name: str) -> int | None:
    return _distance(senses.get(name)) or _distance(within(senses, "ranges", name))


def _languages(data: dict[str, Any], traits: dict[str, Any]) -> list[str]:
    known = within(data, "proficiencies", "languages") or within(traits, "languages", "value")
    custom = within(traits, "languages", "custom")
    return [*words(known or []), *words(str(custom or "").replace(";", ","))]


def _types(traits: dict[str, Any], long: str, short: str) -> tuple[list[str], str]:
    """Types of damage and sentences, of a5e's list or of dnd5e's table."""
    if isinstance(traits.get(long), list):
        return types_of(traits[long])
    own = table(traits.get(short))
    plain, prose = types_of([one_line(kind) for kind in items_of(own.get("value"))])
    some = [t for t in plain if t in ("bludgeoning", "piercing", "slashing")]
    if some and own.get("bypasses"):
        first = sorted(words(own["bypasses"]), key=lambda word: word != "mgc")
        mundane, told = types_of([f"{', '.join(some)}, but for {', '.join(first)}"])
        prose = "; ".join(filter(None, (prose, told)))
        plain = [*(t for t in plain if t not in some), *mundane]
    return plain, "; ".join(filter(None, (prose, one_line(own.get("custom")))))


def _unhindered(traits: dict[str, Any]) -> list[Any]:
    """Conditions, of a5e's list or of dnd5e's table."""
    if isinstance(traits.get("conditionImmunities"), list):
        return words(traits["conditionImmunities"])
    own = table(traits.get("ci"))
    return [*items_of(own.get("value")), *words(own.get("custom"))]


def _armour_class(
    own: Mapping[str, Any], items: list[dict[str, Any]], numbers: Numbers
) -> int | None:
    """As it is said; else what is worn and Dexterity, else 10 and Dexterity."""
    formula = own.get("baseFormula")
    if formula is not None:
        said = value_of(formula, numbers)
        return said if said is not None else 10 + numbers.modifiers["dex"]
    flat = number(own.get("flat"), 1, 60)
    if flat is not None and own.get("calc") in ("natural", "flat", "default"):
        return flat
    said = value_of(own.get("formula"), numbers)
    return said if said is not None else _worn(items, numbers)


def _worn(items: list[dict[str, Any]], numbers: Numbers) -> int:
    body, shield, dexterity = 10, 0, numbers.modifiers["dex"]
    for item in items:
        data = table(item.get("system"))
        armour = number(within(data, "armor", "value"), 1, 30)
        kind = within(data, "type", "value")
        if item.get("type") != "equipment" or armour is None or not data.get("equipped"):
            continue
        if kind == "shield":
            shield = armour
        elif kind in ("light", "medium", "heavy"):
            body = armour
            most = {"light": 99, "medium": 2, "heavy": 0}[kind]
            dexterity = min(numbers.modifiers["dex"], most)
    return body + dexterity + shield


def _plainly_named(features: Iterator[Feature]) -> Iterator[Feature]:
    """Features without their sort in brackets behind the name: `Move (Legendary Action)`."""
    for row in features:
        yield replace(row, name=re.sub(r" \((?:\w+ )?Actions?\)$", "", row.name) or row.name)

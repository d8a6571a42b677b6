"""Actors as Foundry exports them, of its systems dnd5e and a5e (Level Up).

An attack's bonus is not in the file: it is the sum of ability modifier, proficiency bonus and what
the item adds. Where the text of an item gives a number, that one counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from msgspec import structs
from msgspec.structs import replace

from affray.core.rules.imported_creature import (
    ImportedCreature,
    ImportedFeature,
    ImportedSpell,
    ImportedSpells,
    ability_modifier,
    proficiency,
)
from affray.store.importers import (
    ImportContents,
    foundry_items,
    import_each,
    name_value,
    stat_block,
)
from affray.store.importers.feature_text import LEGENDARY, legendary_actions
from affray.store.importers.foundry_actor import (
    Ability,
    Actor,
    ArmourClass,
    Details,
    Distance,
    Listed,
    Movement,
    Own,
    SaveOf,
    Senses,
    Skill,
    Slots,
    Source,
    Traits,
)
from affray.store.importers.foundry_formulas import (
    ActorNumbers,
    usual_dc,
    value_of,
    with_activities,
)
from affray.store.importers.foundry_others import OTHERS, is_13th_age, is_pathfinder
from affray.store.importers.leftovers import unread
from affray.store.importers.stat_block import types_of
from affray.store.importers.typed_fields import Misfits, Number, read_fields
from affray.store.importers.values import (
    ABILITIES,
    SENSES,
    WAYS,
    Table,
    get_path,
    rows_of,
    to_ability,
    to_int,
    to_list,
    to_one_line,
    to_positive,
    to_table,
    to_tables,
    to_words,
)

Items = Callable[[list[Table], ActorNumbers], Iterator[ImportedFeature]]
SYSTEMS: dict[str, Items] = {
    "dnd5e": foundry_items.dnd5e_features,
    "a5e": foundry_items.a5e_features,
}
SKILLS = {
    "acr": "acrobatics", "ani": "animal handling", "arc": "arcana", "ath": "athletics",
    "cul": "culture", "dec": "deception", "eng": "engineering", "his": "history",
    "ins": "insight", "itm": "intimidation", "inv": "investigation", "med": "medicine",
    "nat": "nature", "prc": "perception", "prf": "performance", "per": "persuasion",
    "rel": "religion", "slt": "sleight of hand", "ste": "stealth", "sur": "survival",
}  # fmt: skip


def matches(data: Any) -> bool:
    """True if it is an actor, or a list or an export with some."""
    return any(map(_is_actor, _actors(data)[:20]))


def import_data(data: Any) -> ImportContents:
    """Its actors; the report names those of other systems."""
    actors = [row for row in _actors(data) if _is_actor(row)]
    readable = (row for row in actors if _system(row) in {*SYSTEMS, *OTHERS})
    left = (
        f"{to_one_line(row.get('name'))}: from Foundry's system {_system(row)!r}, which affray "
        "does not read"
        for row in actors
        if _system(row) not in {*SYSTEMS, *OTHERS}
    )
    return import_each(readable, _creature, name_value) + ImportContents(left=tuple(left))


def _actors(data: Any) -> list[Table]:
    return [*map(_renamed, rows_of(data, "actors"))]


def _renamed(row: Table) -> Table:
    """An actor or an item with its fields under `system`, which were under `data` before."""
    if "system" in row or not isinstance(row.get("data"), dict):
        return row
    items = (
        {"items": [_renamed(item) for item in to_tables(row["items"])]} if "items" in row else {}
    )
    return {**row, **items, "system": row["data"]}


def _is_actor(row: Table) -> bool:
    return isinstance(row.get("system"), dict) and isinstance(row.get("items"), list)


def _system(row: Table) -> str:
    """The Foundry system of an actor: as it says, else by the names of its fields."""
    system = to_one_line(get_path(row, "_stats", "systemId"))
    if system or not _is_actor(row):
        return system
    if is_pathfinder(row) or is_13th_age(row):
        return "pf2e" if is_pathfinder(row) else "archmage"
    attributes = to_table(get_path(row, "system", "attributes"))
    if "bab" in attributes:  # a base attack bonus
        return "pf1 or D35E"
    life = to_table(attributes.get("hp"))
    return "a5e" if "baseMax" in life else "dnd5e" if "max" in life else "unknown"


def _creature(row: Table) -> ImportedCreature:
    system, is_pc = _system(row), row.get("type") == "character"
    if system in OTHERS:
        return OTHERS[system](row)
    misfits: Misfits = {}
    actor, items = read_fields(row["system"], Actor, misfits), to_tables(row.get("items"))
    about, traits, attributes = actor.details, actor.traits, actor.attributes
    level = about.level or _level_of_classes(items) or about.level
    own = numbers_of(actor, level, to_one_line(row.get("name")))
    life, movement = attributes.hp, attributes.movement
    senses = traits.senses if attributes.senses is None else attributes.senses
    speeds = {way: _distance(getattr(movement, way)) for way in WAYS}
    bonus = value_of(attributes.init.bonus, own) or 0
    resists = to_int(actor.resources.legres.max, 1, 20)
    creature = stat_block.parse_stat_block(
        {
            "image": row.get("img"),
            "name": row.get("name"),
            "source": _source(actor.source),
            "size": traits.size,
            "type": ", ".join(filter(None, map(to_one_line, _kinds(about)))),
            "alignment": about.alignment,
            "cr": None if is_pc else about.cr,
            "level": level,
            "pb": own.proficiency,
            "hp": next(filter(None, map(to_positive, (life.base_max, life.max, life.value))), None),
            "hit_dice": life.formula,
            "ac": _armour_class(attributes.ac, items, own),
            "initiative": own.modifiers["dex"] + bonus,
            "speed": speeds | {"hover": movement.hover or movement.traits.hover}
            if movement != Movement()
            else ", ".join(filter(None, map(to_one_line, structs.astuple(attributes.speed)))),
            "stats": {ability: each.value for ability, each in actor.abilities.items()},
            "saves": {ability: _save(actor.abilities, ability, own) for ability in ABILITIES},
            "skillsaves": dict(_skills(actor.skills, own)),
            "senses": {sense: _sense(senses, sense) for sense in SENSES}
            if isinstance(senses, Senses)
            else senses,
            "languages": _languages(actor),
            "condition_immunities": _unhindered(traits),
            **stat_block.harm_fields(
                (
                    _types(traits.damage_resistances, traits.dr),
                    _types(traits.damage_immunities, traits.di),
                    _types(traits.damage_vulnerabilities, traits.dv),
                )
            ),
            "spells": _named(i for i in items if i.get("type") == "spell"),
            "carries": _named(i for i in items if _is_carried(i)),
            "elite": "yes" if about.elite else "",
            "description": about.bio or about.biography.value,
        },
        pc=is_pc,
        game="level-up" if system == "a5e" else "5e",
    )
    return replace(
        creature,
        hp_left=to_int(life.value, 0) if is_pc else None,
        casts=_spells(actor, items, own),
        features=_with_legendary(
            [*_resisting(_plainly_named(SYSTEMS[system](items, own)), resists)],
            actor.resources.legact.max,
        ),
        in_words=creature.in_words | unread(misfits),
    )


def _with_legendary(features: list[ImportedFeature], count: Any) -> tuple[ImportedFeature, ...]:
    """The features with one that says how many legendary actions there are, which an item of the
    actor may say itself, or leave to the sheet."""
    names = [row.name for row in features]
    if LEGENDARY not in names:
        return (*features, *legendary_actions(count))
    at = names.index(LEGENDARY)
    own = features[at] if features[at].text else next(legendary_actions(count), features[at])
    return (*features[:at], own, *features[at + 1 :])


def _spells(actor: Actor, items: list[Table], own: ActorNumbers) -> ImportedSpells | None:
    """The spells among the items, for one whose texts list none, as those of characters."""
    spells = []
    for item in items:
        level = to_int(get_path(item, "system", "level"), 0, 9)
        if item.get("type") != "spell" or level is None:
            continue
        how = get_path(item, "system", "preparation", "mode") or get_path(item, "system", "method")
        uses = value_of(get_path(item, "system", "uses", "max"), own) or 0
        is_slot = level > 0 and not uses and how not in ("atwill", "innate")
        spell = ImportedSpell(to_one_line(item.get("name")), level, is_slot, max(uses, 0))
        spells.append(_cast_by(item, items, spell, own))
    slots = [_slots(actor, str(level)) for level in range(1, 10)]
    ability = to_ability(actor.attributes.spellcasting)
    if not spells:
        return None
    count = max((level for level, n in enumerate(slots, 1) if n), default=0)
    return ImportedSpells(
        tuple(spells),
        tuple(slots[:count]),
        ability=ability,
        dc=usual_dc(own, ability) if ability else None,
    )


def _cast_by(
    item: Table, items: list[Table], spell: ImportedSpell, own: ActorNumbers
) -> ImportedSpell:
    """A spell as another item casts it (dnd5e from version 4 on): at the level, as often and with
    the DC that are said there; by itself if none does."""
    cast = to_one_line(get_path(item, "flags", "dnd5e", "cachedFor")).split(".")
    caster = next((each for each in items if each.get("_id") in cast), None)
    row = to_table(get_path(caster, "system", "activities", cast[-1]))
    if caster is None or not row:
        return spell
    by = to_one_line(caster.get("name"))
    limits = foundry_items.limits_of_use(to_table(row.get("uses")), own)
    whole = foundry_items.limits_of_use(to_table(get_path(caster, "system", "uses")), own)
    together = [
        each
        for each in to_table(get_path(caster, "system", "activities")).values()
        if to_table(each).get("type") == "cast"
    ]
    often = limits or whole
    challenge = to_table(get_path(row, "spell", "challenge"))
    dc = to_int(challenge.get("save"), 1, 40) if challenge.get("override") else None
    notes = (
        f"recharge {often['recharge']}" if "recharge" in often else "",
        f"{by} shares the uses" if whole and not limits and len(together) > 1 else "",
        f"DC {dc}" if dc else "",
    )
    raised = to_int(get_path(row, "spell", "level"), 1, 9) or 0
    takes = to_one_line(get_path(row, "activation", "type"))
    return replace(
        spell,
        slot=False,
        raised=raised if raised > (spell.level or 0) else 0,
        uses=often.get("uses", 0),
        per="rest" if often.get("per") == "rest" else "day",
        takes=takes if takes in ("bonus", "reaction") else "",
        note=", ".join(filter(None, notes)),
    )


def _slots(actor: Actor, level: str) -> int:
    """The slots of a level: in dnd5e as people set them, else those that are left."""
    own = actor.spells.get(f"spell{level}", Slots())
    a5e = actor.spell_resources.slots.get(level, Own()).max
    found = (own.override, own.max, own.value, a5e)
    return next(filter(None, (to_int(each, 0, 99) for each in found)), 0)


def _resisting(features: Iterable[ImportedFeature], times: int | None) -> Iterator[ImportedFeature]:
    """Features in which Legendary Resistance has its uses, which the file has elsewhere."""
    for row in features:
        is_it = row.name == "Legendary Resistance" and not row.uses and times
        yield replace(row, uses=times, per="day") if is_it and times else row


def _named(items: Iterable[Table]) -> str:
    return ", ".join(to_one_line(item.get("name")) for item in items)


THINGS = ("object", "equipment", "consumable", "loot", "container", "tool")


def _is_carried(item: Table) -> bool:
    """True if it is a thing that does nothing in a fight by itself: no weapon."""
    return item.get("type") in THINGS and get_path(item, "system", "objectType") != "weapon"


def numbers_of(actor: Actor, level: Number, name: str) -> ActorNumbers:
    """The numbers of an actor that its items refer to."""
    scores = {a: to_int(actor.abilities.get(a, Ability()).value, 0, 99) for a in ABILITIES}
    modifiers = {a: ability_modifier(10 if n is None else n) for a, n in scores.items()}
    rating, level = actor.details.cr, to_int(level, 1, 30) or 0
    counted = max(rating, level) if isinstance(rating, int | float) and rating == rating else level
    bonus = proficiency(int(min(counted, 40)))
    if rating is None and not level:
        bonus = 0  # as Foundry has it: it is its summoner's
    casts = to_one_line(actor.attributes.spellcasting)
    trained = to_int(actor.skills.get("ath", Skill()).value, 1, 2) or 0
    return ActorNumbers(
        modifiers,
        bonus,
        casts if casts in ABILITIES else "",
        name,
        modifiers["str"] + trained * bonus,
        dict(_bonuses(actor.bonuses)),
        {"details.cr": int(min(max(counted, 0), 40)), "details.level": level},
    )


def _bonuses(given: Mapping[str, Table | Number]) -> Iterator[tuple[str, str]]:
    """The bonuses of an actor on all rolls of a kind: `mwak attack` -> a formula."""
    for kind, row in given.items():
        for what, formula in row.items() if isinstance(row, dict) else [("", row)]:
            if isinstance(formula, str | int) and formula:
                yield f"{kind} {what}".strip(), str(formula)


def _level_of_classes(items: Iterable[Table]) -> int:
    classes = (each for each in items if each.get("type") == "class")
    return sum(to_int(get_path(each, "system", "levels"), 1, 20) or 0 for each in classes)


def _save(abilities: Mapping[str, Ability], ability: str, numbers: ActorNumbers) -> int | None:
    own = abilities.get(ability, Ability())
    a5e = own.save if isinstance(own.save, SaveOf) else SaveOf()
    proficient = a5e.proficient or own.proficient
    times = proficient if isinstance(proficient, int | float) else 0
    bonuses = (own.bonuses.save, a5e.bonus, numbers.bonuses.get("abilities save"))
    more = sum(value_of(formula, numbers) or 0 for formula in bonuses)
    if not times and not more:
        return None
    return numbers.modifiers[ability] + int(times * numbers.proficiency) + more


def _skills(skills: Mapping[str, Skill], numbers: ActorNumbers) -> Iterator[tuple[str, int]]:
    for key, row in skills.items():
        trained = to_int(row.value if row.proficient is None else row.proficient, 1, 2)
        if trained and key in SKILLS:
            modifier = numbers.modifiers.get(row.ability, 0)
            yield SKILLS[key], modifier + trained * numbers.proficiency


def _kinds(about: Details) -> Iterable[str]:
    if about.creature_types is not None:
        return about.creature_types
    return [about.type] if isinstance(about.type, str) else structs.astuple(about.type)


def _source(given: Source | str) -> str:
    return to_one_line(given if isinstance(given, str) else given.book or given.license)


def _distance(value: Number | Distance) -> int | None:
    return to_int(value.distance if isinstance(value, Distance) else value, 1)


def _sense(senses: Senses, name: str) -> int | None:
    return _distance(getattr(senses, name)) or _distance(senses.ranges.get(name))


def _languages(actor: Actor) -> list[str]:
    own = actor.traits.languages
    listed = to_words(actor.proficiencies.languages or own.value)
    return [*listed, *to_words(own.custom.replace(";", ","))]


def _types(listed: list[str] | None, own: Listed) -> tuple[list[str], str]:
    """Types of damage and sentences, of a5e's list or of dnd5e's table."""
    if listed is not None:
        return types_of(listed)
    kinds = (kind for kind in to_list(own.value) if kind != "custom")
    values = ["mundane" if kind == "physical" else kind for kind in kinds]
    plain, prose = types_of([to_one_line(kind) for kind in values])
    others, words = types_of(to_one_line(own.custom))
    plain = list(dict.fromkeys([*plain, *others]))
    some = [t for t in plain if t in ("bludgeoning", "piercing", "slashing")]
    if some and own.bypasses:
        first = sorted(to_words(own.bypasses), key=lambda word: word != "mgc")
        mundane, text = types_of([f"{', '.join(some)}, but for {', '.join(first)}"])
        prose = "; ".join(filter(None, (prose, text)))
        plain = [*(t for t in plain if t not in some), *mundane]
    return plain, "; ".join(filter(None, (prose, words)))


def _unhindered(traits: Traits) -> list[str]:
    """Conditions, of a5e's list or of dnd5e's table."""
    if traits.condition_immunities is not None:
        return to_words(traits.condition_immunities)
    return [*to_list(traits.ci.value), *to_words(traits.ci.custom)]


def _armour_class(own: ArmourClass, items: list[Table], numbers: ActorNumbers) -> int | None:
    """The stated AC, with a shield beside natural armour; else worn armour and Dexterity."""
    if own.base_formula is not None:
        value = value_of(own.base_formula, numbers)
        return _a5e_worn(items, numbers, 10 + numbers.modifiers["dex"] if value is None else value)
    flat, how, more = to_int(own.flat, 0, 60), own.calc, value_of(own.bonus, numbers) or 0
    body, shield = _worn_armour(items, numbers)
    if how == "flat" or how not in (*FORMULAS, "natural", "default", "custom"):
        given = flat if flat is not None else to_int(own.value, 0, 60)
        return given if given is not None else _plus_shield(body, shield, numbers) + more
    if how == "natural" and flat is not None:
        return flat + shield + more
    stated = flat or to_int(own.value, 11, 60)
    if how == "default" and body is None and stated:
        return stated  # what a migration left, and people put there
    value = value_of(own.formula if how == "custom" else FORMULAS.get(how), numbers)
    return (_plus_shield(body, shield, numbers) if value is None else value + shield) + more


WORN, INSTEAD = 2, 2
"""How a5e says that a thing is worn, and that its number is taken for the armour class."""


def _a5e_worn(items: list[Table], numbers: ActorNumbers, base: int) -> int:
    """The armour class with what is worn: armour is in the place of the base, a shield is more."""
    more = 0
    for item in items:
        own = to_table(get_path(item, "system", "ac"))
        formula = str(own.get("baseFormula") or "")
        most = to_int(own.get("maxDex"), 1, 20)
        dexterity = numbers.modifiers["dex"]
        if most is not None:
            formula = re.sub(r"@(?:abilities\.)?dex\.mod", str(min(dexterity, most)), formula)
        value = value_of(formula, numbers)
        if value is None or get_path(item, "system", "equippedState") != WORN:
            continue
        if own.get("mode") == INSTEAD:
            base = value
        else:
            more += value
    return base + more


FORMULAS = {
    "mage": "13 + @abilities.dex.mod",
    "draconic": "13 + @abilities.dex.mod",
    "unarmoredMonk": "10 + @abilities.dex.mod + @abilities.wis.mod",
    "unarmoredBarb": "10 + @abilities.dex.mod + @abilities.con.mod",
    "unarmoredBard": "10 + @abilities.dex.mod + @abilities.cha.mod",
}
"""How dnd5e counts the armour class of those who wear none."""
MOST_DEXTERITY = {"light": 99, "medium": 2, "heavy": 0, "natural": 99}


def _plus_shield(body: int | None, shield: int, numbers: ActorNumbers) -> int:
    return (10 + numbers.modifiers["dex"] if body is None else body) + shield


def _worn_armour(items: list[Table], numbers: ActorNumbers) -> tuple[int | None, int]:
    """The AC of worn armour with Dexterity, None for none, and a shield."""
    body, shield, dexterity = None, 0, numbers.modifiers["dex"]
    for item in items:
        data = with_activities(to_table(item.get("system")), "equipment")
        armour = to_int(get_path(data, "armor", "value"), 1, 30)
        kind = get_path(data, "type", "value")
        if item.get("type") != "equipment" or armour is None or not data.get("equipped"):
            continue
        if "mgc" in (data.get("properties") or ()):
            armour += to_int(get_path(data, "armor", "magicalBonus"), 0, 9) or 0
        if kind == "shield":
            shield = shield or armour
        elif kind in MOST_DEXTERITY and body is None:
            most = to_int(get_path(data, "armor", "dex"), 0, 99)
            most = MOST_DEXTERITY[kind] if most is None else most
            body = armour + (0 if kind == "heavy" else min(dexterity, most))
    return body, shield


def _plainly_named(features: Iterator[ImportedFeature]) -> Iterator[ImportedFeature]:
    """Features without their sort in brackets behind the name: `Move (Legendary Action)`."""
    for row in features:
        yield replace(row, name=re.sub(r" \((?:\w+ )?Actions?\)$", "", row.name) or row.name)

"""Actors of Foundry's systems for games that affray has no rules of: Pathfinder 2e, 13th Age.

HP, AC, defences, initiative and speeds are numbers; each attack is a line of text, since no dice of
these games are rolled.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from affray.core.rules.imported_creature import ImportedCreature, ImportedFeature, Sort
from affray.store.importers.values import (
    Table,
    get_path,
    to_clean_text,
    to_int,
    to_one_line,
    to_positive,
    to_size,
    to_table,
    to_tables,
    to_words,
)

ANOTHER = "another"
"""The game of numbers that no rule system of ours counts."""


def is_pathfinder(row: Table) -> bool:
    """True if an actor that doesn't say its system has the fields of Pathfinder 2e."""
    return "fortitude" in to_table(get_path(row, "system", "saves"))


def is_13th_age(row: Table) -> bool:
    """True if an actor that doesn't say its system has the defences of 13th Age."""
    return {"pd", "md"} <= to_table(get_path(row, "system", "attributes")).keys()


def pathfinder(row: Table) -> ImportedCreature:
    """The creature of an actor of the system `pf2e`."""
    data = to_table(row.get("system"))
    attributes, traits = to_table(data.get("attributes")), to_table(data.get("traits"))
    perception = get_path(data, "perception", "mod")
    if perception is None:
        perception = get_path(attributes, "perception", "value")
    is_pc = row.get("type") == "character"
    return ImportedCreature(
        name=to_one_line(row.get("name")),
        game=ANOTHER,
        kind="pc" if is_pc else "monster",
        source=to_one_line(get_path(data, "details", "publication", "title")),
        size=to_size(get_path(traits, "size", "value")),
        type=", ".join(to_words(traits.get("value"))),
        level=to_int(get_path(data, "details", "level", "value"), -1, 40),
        hp=_hp(attributes),
        hp_left=to_int(get_path(attributes, "hp", "value"), 0) if is_pc else None,
        ac=to_int(get_path(attributes, "ac", "value"), 0, 99),
        defences=_bonuses(to_table(data.get("saves")), ("fortitude", "reflex", "will")),
        initiative=to_int(perception, -20, 99),
        speeds=dict(_speeds(to_table(attributes.get("speed")))),
        resist=_kinds(attributes, traits, "resistances", "dr"),
        vulnerable=_kinds(attributes, traits, "weaknesses", "dv"),
        immune=_kinds(attributes, traits, "immunities", "di"),
        features=tuple(_pathfinder_features(to_tables(row.get("items")))),
        in_words=dict(_amounts(attributes)),
        text=to_clean_text(get_path(data, "details", "publicNotes")),
    )


def _hp(attributes: Mapping[str, Any]) -> int | None:
    given = to_table(attributes.get("hp"))
    return to_positive(given.get("max")) or to_positive(given.get("value"))


def _bonuses(given: Mapping[str, Any], names: Iterable[str]) -> dict[str, int]:
    found = ((name, to_int(get_path(given, name, "value"), -20, 99)) for name in names)
    return {name: bonus for name, bonus in found if bonus is not None}


def _speeds(given: Table) -> Iterator[tuple[str, int]]:
    others = ((to_one_line(each.get("type")), each) for each in to_tables(given.get("otherSpeeds")))
    for way, each in (("walk", given), *others):
        far = to_int(each.get("value"), 1)
        if way and far is not None:
            yield {"land": "walk"}.get(way, way), far


def _kinds(attributes: Table, traits: Table, name: str, before: str) -> tuple[str, ...]:
    """Types of damage and conditions, which stood among the traits in older versions."""
    rows = to_tables(attributes.get(name)) or to_tables(traits.get(before))
    plain = to_words(get_path(traits, before, "value") or [])
    named = (to_one_line(row.get("type")) for row in rows)
    return tuple(dict.fromkeys(each for each in (*named, *plain) if each))


def _amounts(attributes: Table) -> Iterator[tuple[str, str]]:
    """Yield the amounts of resistances and weaknesses in words: `cold 5`."""
    for name in ("resistances", "weaknesses"):
        rows = to_tables(attributes.get(name))
        listed = [f"{to_one_line(r.get('type'))} {to_one_line(r.get('value'))}" for r in rows]
        if listed:
            yield name, ", ".join(listed)


_ACTIONS: dict[str, Sort] = {"action": "action", "reaction": "reaction", "free": "free"}


def _pathfinder_features(items: list[Table]) -> Iterator[ImportedFeature]:
    for item in items:
        data = to_table(item.get("system"))
        name, text = to_one_line(item.get("name")), _text(get_path(data, "description", "value"))
        if item.get("type") == "melee":
            yield ImportedFeature(name, "action", " ".join(filter(None, (_strike(data), text))))
        elif item.get("type") == "action":
            kind = to_one_line(get_path(data, "actionType", "value"))
            cost = to_int(get_path(data, "actions", "value"), 1, 3) or 1
            sort: Sort = _ACTIONS.get(kind, "trait")
            yield ImportedFeature(name, sort, text, cost=cost)
        elif item.get("type") == "spell":
            rank = to_int(get_path(data, "level", "value"), 0, 10)
            of_rank = "" if rank is None else f" of rank {rank}"
            yield ImportedFeature(name, "action", f"Spell{of_rank}. {text}".strip())


def _strike(data: Table) -> str:
    """An attack in a line: `+9, 1d8+4 piercing plus 1d6 fire (agile, reach-10), grab.`"""
    bonus = to_int(get_path(data, "bonus", "value"), -20, 99)
    dealt = [
        f"{to_one_line(part.get('damage'))} {to_one_line(part.get('damageType'))}".strip()
        for part in map(to_table, to_table(data.get("damageRolls")).values())
    ]
    traits = ", ".join(to_words(get_path(data, "traits", "value")))
    parts = (
        f"{bonus:+d}" if bonus is not None else "",
        " plus ".join(filter(None, dealt)),
        ", ".join(to_words(get_path(data, "attackEffects", "value"))),
    )
    line = ", ".join(filter(None, parts))
    return f"{line} ({traits})." if traits else f"{line}." if line else ""


_CHECK = re.compile(r"@Check\[(?:type:)?(\w+)\|dc:(\d+)[^\]]*\]")
_DAMAGE = re.compile(r"@Damage\[((?:[^\[\]]|\[[^\]]*\])*)\](?:\{([^}]*)\})?")


def _text(value: Any) -> str:
    """A description with its rolls in words: `DC 20 fortitude`, `2d6 fire`."""
    text = _CHECK.sub(r"DC \2 \1", value if isinstance(value, str) else "")
    text = _DAMAGE.sub(lambda m: m[2] or re.sub(r"[\[\]()]", " ", m[1]), text)
    return to_one_line(text)


def thirteenth_age(row: Table) -> ImportedCreature:
    """The creature of an actor of the system `archmage`."""
    data = to_table(row.get("system"))
    attributes, about = to_table(data.get("attributes")), to_table(data.get("details"))
    is_pc = row.get("type") == "character"

    def value(name: str) -> str:
        return to_one_line(get_path(about, name, "value"))

    beside = {name: value(name) for name in ("resistance", "vulnerability")}
    return ImportedCreature(
        name=to_one_line(row.get("name")),
        game=ANOTHER,
        kind="pc" if is_pc else "monster",
        size=to_size(value("size")),
        type=value("type"),
        role=value("role"),
        level=to_int(get_path(about, "level", "value"), 0, 30),
        hp=_hp(attributes),
        hp_left=to_int(get_path(attributes, "hp", "value"), 0) if is_pc else None,
        ac=to_int(get_path(attributes, "ac", "value"), 0, 99),
        defences={n.upper(): v for n, v in _bonuses(attributes, ("pd", "md")).items()},
        initiative=to_int(get_path(attributes, "init", "value"), -20, 99),
        features=tuple(_13th_age_features(to_tables(row.get("items")))),
        in_words={f"{name}, in words": text for name, text in beside.items() if text},
    )


def _13th_age_features(items: list[Table]) -> Iterator[ImportedFeature]:
    for item in items:
        data = to_table(item.get("system"))
        if item.get("type") not in ("action", "trait", "nastierSpecial"):
            continue
        parts = [to_one_line(get_path(data, "attack", "value"))]
        for field in sorted(data):
            if found := re.fullmatch(r"(hit|miss)\d?", field):
                named = to_one_line(get_path(data, field, "name")) or found[1].capitalize()
                text = to_one_line(get_path(data, field, "value"))
                parts.append(f"{named}: {text}" if text else "")
        parts.append(to_one_line(get_path(data, "description", "value")))
        sort: Sort = "action" if item["type"] == "action" else "trait"
        yield ImportedFeature(to_one_line(item.get("name")), sort, "; ".join(filter(None, parts)))


OTHERS: dict[str, Callable[[Table], ImportedCreature]] = {
    "pf2e": pathfinder,
    "archmage": thirteenth_age,
}
"""Foundry's name of a system -> what makes a creature of its actors."""

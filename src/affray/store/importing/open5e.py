"""Open5e's first form: the tables of its data, and what its programming interface answers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from affray.core.rules.imported import Creature, Feature, Sort
from affray.store.importing.contents import Contents, finished, name_of, read_each
from affray.store.importing.feature_text import features_of, legendary_actions
from affray.store.importing.resistances import conditions_of, types_of
from affray.store.importing.values import (
    ABILITY_NAMES,
    bonuses,
    clean,
    dice,
    number,
    numbers,
    one_line,
    passive_perception,
    positive,
    rows,
    senses,
    size,
    speeds,
    table,
    words,
)

LISTS: dict[str, Sort] = {
    "special_abilities": "trait",
    "actions": "action",
    "bonus_actions": "bonus",
    "reactions": "reaction",
    "legendary_actions": "legendary",
}
LEVEL_UP = ("menagerie", "a5e")
"""How the documents are called whose numbers are Level Up's."""

DAMAGE = ("damage_resistances", "damage_immunities", "damage_vulnerabilities")


def holds(data: Any) -> bool:
    """Whether it is a table of monsters, an answer with some, or one of them."""
    return any(map(_is_monster, _monsters(data)[:20]))


def read(data: Any) -> Contents:
    """All monsters of it."""
    return read_each(filter(_is_monster, _monsters(data)), _creature, name_of)


def _monsters(data: Any) -> list[dict[str, Any]]:
    if isinstance(data, dict):
        return rows(data.get("results")) or [data]
    return [{**table(row.get("fields")), "pk": row.get("pk")} for row in rows(data)] or []


def _is_monster(row: dict[str, Any]) -> bool:
    return "hit_points" in row and "hit_dice" in row and "strength" in row and "name" in row


def _list(row: dict[str, Any], name: str) -> Any:
    """A field that is a list or a table, or the text of one."""
    value = row.get(name, row.get(f"{name}_json"))
    if isinstance(value, str):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return None
    return value


def _creature(row: dict[str, Any]) -> Creature:
    document = one_line(row.get("document__title")) or one_line(row.get("document__slug"))
    marks = f"{row.get('pk') or row.get('slug') or ''} {row.get('document__slug') or ''}"
    kinds = [one_line(row.get(key)) for key in ("type", "subtype", "alignment")]
    said = {
        "armour": one_line(row.get("armor_desc")),
        "spells": ", ".join(words(_list(row, "spell_list") or _list(row, "spells"))),
        "group": one_line(row.get("group")),
        "environments": ", ".join(words(_list(row, "environments") or [])),
    }
    made = Creature(
        name=one_line(row.get("name")),
        game="level-up" if any(mark in marks for mark in LEVEL_UP) else "5e",
        source=document,
        size=size(row.get("size")),
        type=", ".join(filter(None, kinds)),
        cr=challenge(row.get("challenge_rating")),
        hp=positive(row.get("hit_points")),
        hp_dice=dice(row.get("hit_dice")),
        ac=number(row.get("armor_class"), 0),
        speeds=speeds(_list(row, "speed")),
        hover=bool(table(_list(row, "speed")).get("hover")),
        abilities=numbers({short: row.get(name) for name, short in ABILITY_NAMES.items()}, 1, 99),
        saves=numbers({short: row.get(f"{name}_save") for name, short in ABILITY_NAMES.items()}),
        skills=bonuses(_list(row, "skills") or {}),
        senses=senses(row.get("senses")),
        passive_perception=passive_perception(row.get("senses")),
        languages=tuple(words(row.get("languages"))),
        unhindered=conditions_of(row.get("condition_immunities")),
        features=tuple(_features(row)),
        text=clean(row.get("desc")),
    )
    return finished(made, [types_of(row.get(key)) for key in DAMAGE], said)


def _features(row: dict[str, Any]) -> Iterator[Feature]:
    yield from features_of({key: _list(row, key) for key in LISTS}, LISTS)
    yield from legendary_actions(None, clean(row.get("legendary_desc")))


def challenge(value: Any) -> str:
    """A challenge rating as stat blocks write it: `1/4`, `11`, from any of the ways it is found."""
    if isinstance(value, dict):
        return challenge(value.get("cr"))
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = f"{value:.3f}"
    text = one_line(value).split(" ")[0]
    head, _, tail = text.partition(".")
    if tail.strip("0") and not head.strip("0"):
        return {"5": "1/2", "25": "1/4", "125": "1/8"}.get(tail.rstrip("0"), text)
    return head if tail and not tail.strip("0") else text

"""Open5e's first form: the tables of its data, and what its programming interface answers."""

from __future__ import annotations

import json
from typing import Any

from msgspec.structs import replace

from affray.core.rules.imported import Creature
from affray.store.importing import stat_block
from affray.store.importing.contents import Contents, name_of, read_each
from affray.store.importing.feature_text import legendary_actions
from affray.store.importing.values import (
    ABILITY_NAMES,
    clean,
    one_line,
    rows,
    table,
    words,
)

FIELDS = {
    "name": "name", "size": "size", "type": "type", "subtype": "subtype", "alignment": "alignment",
    "cr": "challenge_rating", "hp": "hit_points", "hit_dice": "hit_dice", "ac": "armor_class",
    "armour": "armor_desc", "senses": "senses", "languages": "languages",
    "damage_resistances": "damage_resistances", "damage_immunities": "damage_immunities",
    "damage_vulnerabilities": "damage_vulnerabilities",
    "condition_immunities": "condition_immunities", "description": "desc",
}  # fmt: skip
"""A stat block's fields -> what they are called here."""
LISTS = {
    "speed": "speed", "skillsaves": "skills", "traits": "special_abilities", "actions": "actions",
    "bonus_actions": "bonus_actions", "reactions": "reactions",
    "legendary_actions": "legendary_actions",
}  # fmt: skip
"""Those that are a list or a table, or the text of one."""
LEVEL_UP = ("menagerie", "a5e")
"""How the documents are called whose numbers are Level Up's."""


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
    game = "level-up" if any(mark in marks for mark in LEVEL_UP) else "5e"
    made = stat_block.creature(
        {
            **{ours: row.get(theirs) for ours, theirs in FIELDS.items()},
            **{ours: _list(row, theirs) for ours, theirs in LISTS.items()},
            "stats": {name: row.get(name) for name in ABILITY_NAMES},
            "saves": {name: row.get(f"{name}_save") for name in ABILITY_NAMES},
            "source": document,
            "spells": ", ".join(words(_list(row, "spell_list") or _list(row, "spells"))),
            "group": row.get("group"),
            "environments": ", ".join(words(_list(row, "environments") or [])),
        },
        game=game,
    )
    count = legendary_actions(None, clean(row.get("legendary_desc")))
    return replace(made, features=(*made.features, *count))

"""Monsters of the 5e SRD's API, as it answers and as its database has them, and the flat list with
the names of the stat block for fields (`"Armor Class"`, `"Hit Points"`) that is passed round."""

from __future__ import annotations

from typing import Any

from affray.core.rules.imported_creature import ImportedCreature
from affray.store.importers import ImportContents, import_each, name_value, stat_block
from affray.store.importers.fivetools import SKILL_ABILITIES
from affray.store.importers.markdown import entries_of
from affray.store.importers.values import (
    ABILITIES,
    ABILITY_NAMES,
    first_value,
    get_path,
    to_int,
    to_one_line,
    to_table,
    to_tables,
    to_words,
)

FIELDS = {
    "name": "name", "size": "size", "type": "type", "subtype": "subtype", "alignment": "alignment",
    "hp": "hit_points", "cr": "challenge_rating", "pb": "proficiency_bonus", "speed": "speed",
    "languages": "languages", "damage_resistances": "damage_resistances",
    "damage_immunities": "damage_immunities", "damage_vulnerabilities": "damage_vulnerabilities",
    "description": "desc",
}  # fmt: skip
"""A stat block's fields -> their names in this format."""
LISTS = {
    "traits": "special_abilities", "actions": "actions", "bonus_actions": "bonus_actions",
    "reactions": "reactions", "legendary_actions": "legendary_actions",
}  # fmt: skip
FLAT = {
    "name": "name", "type": "meta", "hp": "Hit Points", "ac": "Armor Class", "speed": "Speed",
    "saves": "Saving Throws", "skillsaves": "Skills", "senses": "Senses", "languages": "Languages",
    "cr": "Challenge", "damage_resistances": "Damage Resistances",
    "damage_immunities": "Damage Immunities", "damage_vulnerabilities": "Damage Vulnerabilities",
    "condition_immunities": "Condition Immunities", "image": "img_url",
}  # fmt: skip
"""The same for the flat list."""
FLAT_LISTS = {
    "traits": "Traits", "actions": "Actions", "reactions": "Reactions",
    "legendary_actions": "Legendary Actions",
}  # fmt: skip


def matches(data: Any) -> bool:
    """True if it is a list of such monsters, or one."""
    return any(_is_monster(row) or _is_flat(row) for row in _rows(data)[:20])


def import_data(data: Any) -> ImportContents:
    """Import all monsters of the file, of either form."""
    found = [row for row in _rows(data) if _is_monster(row) or _is_flat(row)]
    return import_each(found, lambda row: (_flat if _is_flat(row) else _creature)(row), name_value)


def _rows(data: Any) -> list[dict[str, Any]]:
    return [data] if isinstance(data, dict) else to_tables(data)


def _is_monster(row: dict[str, Any]) -> bool:
    """Fields of Open5e are the same in part; there is no `index` among them."""
    return {"index", "name", "hit_points", "armor_class", "strength"} <= row.keys()


def _is_flat(row: dict[str, Any]) -> bool:
    return {"name", "Hit Points", "Armor Class", "STR"} <= row.keys()


def _creature(row: dict[str, Any]) -> ImportedCreature:
    trained = _trained(row)
    skills = {name: row.get(name.replace(" ", "_")) for name in SKILL_ABILITIES}
    skills = {name: bonus for name, bonus in skills.items() if bonus is not None}
    skills |= {name.removeprefix("skill-"): n for name, n in trained.items() if "skill-" in name}
    saves = {n.removeprefix("saving-throw-"): b for n, b in trained.items() if "skill-" not in n}
    senses = row.get("senses")
    armour = first_value(row.get("armor_class"))
    return stat_block.parse_stat_block(
        {
            **{ours: row.get(theirs) for ours, theirs in FIELDS.items()},
            **{
                ours: [_entry(each) for each in to_tables(row.get(theirs))]
                for ours, theirs in LISTS.items()
            },
            "ac": armour.get("value") if isinstance(armour, dict) else armour,
            "armour": _armour(to_table(armour)),
            "hit_dice": row.get("hit_points_roll") or row.get("hit_dice"),
            "stats": {name: row.get(name) for name in ABILITY_NAMES},
            "saves": {name: row.get(f"{name}_save") for name in ABILITY_NAMES} | saves,
            "skillsaves": {name.replace("-", " "): n for name, n in skills.items()},
            "condition_immunities": [_name(each) for each in _list(row, "condition_immunities")],
            "senses": ", ".join(f"{name.replace('_', ' ')} {far}" for name, far in senses.items())
            if isinstance(senses, dict)
            else senses,
        },
        game="5e",
    )


def _list(row: dict[str, Any], field: str) -> list[Any]:
    value = row.get(field)
    return value if isinstance(value, list) else to_words(value)


def _name(value: Any) -> Any:
    return value.get("name") if isinstance(value, dict) else value


def _armour(row: dict[str, Any]) -> str:
    worn = ", ".join(to_one_line(each.get("name")) for each in to_tables(row.get("armor")))
    return to_one_line(row.get("desc")) or worn


def _trained(row: dict[str, Any]) -> dict[str, Any]:
    """The saves and skills in which it is proficient: `saving-throw-con` -> 6."""
    given = to_tables(row.get("proficiencies"))
    return {to_one_line(get_path(p, "proficiency", "index")): p.get("value") for p in given}


def _entry(row: dict[str, Any]) -> dict[str, Any]:
    """A trait or an action; its uses are apart from its name."""
    usage = to_table(row.get("usage"))
    times, face = to_int(usage.get("times"), 1, 20), to_int(usage.get("min_value"), 2, 6)
    rests = [to_one_line(each) for each in usage.get("rest_types") or ()]
    per = {
        "per day": f"{times}/Day" if times else "",
        "per rest": f"{times}/rest" if times else "",
        "recharge on roll": f"Recharge {face}-6" if face else "",
        "recharge after rest": f"Recharges after a {'short' if 'short' in rests else 'long'} rest",
    }
    return {
        "name": row.get("name"),
        "desc": row.get("desc"),
        "usage": per.get(str(usage.get("type")), ""),
    }


def _flat(row: dict[str, Any]) -> ImportedCreature:
    kind, _, alignment = to_one_line(row.get("meta")).partition(", ")
    return stat_block.parse_stat_block(
        {
            **{ours: row.get(theirs) for ours, theirs in FLAT.items()},
            **{ours: entries_of(row.get(theirs)) for ours, theirs in FLAT_LISTS.items()},
            "type": kind,
            "alignment": alignment,
            "stats": {name: row.get(name.upper()) for name in ABILITIES},
        },
        game="5e",
    )

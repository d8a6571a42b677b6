"""Monsters of the 5e SRD's API, as it answers and as its database has them, and the flat list with
the names of the stat block for fields (`"Armor Class"`, `"Hit Points"`) that is passed round."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, structs
from msgspec.structs import replace

from affray.core.rules.imported_creature import SKILL_ABILITIES, ImportedCreature
from affray.store.importers import ImportContents, import_each, leftovers, name_value, stat_block
from affray.store.importers.markdown import entries_of
from affray.store.importers.typed_fields import Count, Misfits, Number, Text, read_fields
from affray.store.importers.values import (
    ABILITIES,
    ABILITY_NAMES,
    Table,
    first_value,
    rows_of,
    to_int,
    to_one_line,
    to_words,
)


class Named(Struct, frozen=True):
    name: Text


class ArmourClass(Struct, frozen=True):
    value: Number
    desc: Text = None
    armor: list[Named] = []


class Index(Struct, frozen=True):
    index: Text


class Proficiency(Struct, frozen=True):
    """A save or a skill: `{"proficiency": {"index": "saving-throw-con"}, "value": 6}`."""

    proficiency: Index
    value: Number = None


class Usage(Struct, frozen=True):
    type: Text = None
    times: Count = None
    min_value: Count = None
    rest_types: list[str] = []


class Entry(Struct, frozen=True):
    """A trait or an action; its uses are apart from its name."""

    name: Text = None
    desc: Text = None
    usage: Usage = Usage()


class Monster(
    Struct,
    frozen=True,
    rename={
        "hp": "hit_points", "cr": "challenge_rating", "pb": "proficiency_bonus",
        "description": "desc", "traits": "special_abilities", "ac": "armor_class",
    },
):  # fmt: skip
    """A monster, in which our names are those of a stat block.

    hit_points_roll, senses, proficiencies  are texts, and fields of their own, in an older form
    stats, saves, skillsaves  by their names, which stand in fields of their own there
    """

    name: Text = None
    size: Text = None
    type: Text = None
    subtype: Text = None
    alignment: Text = None
    hp: Number = None
    cr: Number = None
    pb: Count = None
    speed: Table | Text = None
    languages: Text = None
    damage_resistances: Text = None
    damage_immunities: Text = None
    damage_vulnerabilities: Text = None
    description: Text = None
    traits: list[Entry] = []
    actions: list[Entry] = []
    bonus_actions: list[Entry] = []
    reactions: list[Entry] = []
    legendary_actions: list[Entry] = []
    ac: list[ArmourClass | Number] | ArmourClass | Number = None
    hit_dice: Text = None
    hit_points_roll: Text = None
    stats: dict[str, Number] = {}
    saves: dict[str, Number] = {}
    skillsaves: dict[str, Number] = {}
    proficiencies: list[Proficiency] = []
    condition_immunities: list[Named | str] | str = []
    senses: dict[str, Count] | str | list[str] | None = None


LISTS = ("traits", "actions", "bonus_actions", "reactions", "legendary_actions")
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
    return any(_is_monster(row) or _is_flat(row) for row in rows_of(data)[:20])


def import_data(data: Any) -> ImportContents:
    """Import all monsters of the file, of either form."""
    found = [row for row in rows_of(data) if _is_monster(row) or _is_flat(row)]
    return import_each(found, lambda row: (_flat if _is_flat(row) else _creature)(row), name_value)


def _is_monster(row: Table) -> bool:
    """Fields of Open5e are the same in part; there is no `index` among them."""
    return {"index", "name", "hit_points", "armor_class", "strength"} <= row.keys()


def _is_flat(row: Table) -> bool:
    return {"name", "Hit Points", "Armor Class", "STR"} <= row.keys()


def _creature(row: Table) -> ImportedCreature:
    misfits: Misfits = {}
    stats = {name: row.get(name) for name in ABILITY_NAMES}
    saves = {name: row.get(f"{name}_save") for name in ABILITY_NAMES}
    skills = {name: row.get(name.replace(" ", "_")) for name in SKILL_ABILITIES}
    fields = {"stats": stats, "saves": saves, "skillsaves": skills}
    own = read_fields({**row, **fields}, Monster, misfits)
    trained = {to_one_line(each.proficiency.index): each.value for each in own.proficiencies}
    skills = {name: bonus for name, bonus in own.skillsaves.items() if bonus is not None}
    skills |= {name.removeprefix("skill-"): n for name, n in trained.items() if "skill-" in name}
    more = {n.removeprefix("saving-throw-"): b for n, b in trained.items() if "skill-" not in n}
    senses, unhindered = own.senses, own.condition_immunities
    armour = first_value(own.ac)
    worn = armour if isinstance(armour, ArmourClass) else ArmourClass(armour)
    block = structs.asdict(own)
    del block["hit_points_roll"], block["proficiencies"]
    creature = stat_block.parse_stat_block(
        {
            **block,
            **{field: [*map(_entry, block[field])] for field in LISTS},
            "ac": worn.value,
            "armour": to_one_line(worn.desc) or ", ".join(to_one_line(w.name) for w in worn.armor),
            "hit_dice": own.hit_points_roll or own.hit_dice,
            "saves": own.saves | more,
            "skillsaves": {name.replace("-", " "): n for name, n in skills.items()},
            "condition_immunities": [
                each.name if isinstance(each, Named) else each
                for each in (to_words(unhindered) if isinstance(unhindered, str) else unhindered)
            ],
            "senses": ", ".join(f"{name.replace('_', ' ')} {far}" for name, far in senses.items())
            if isinstance(senses, dict)
            else senses,
        },
        game="5e",
    )
    return replace(creature, in_words=creature.in_words | leftovers.unread(misfits))


def _entry(row: Entry) -> Table:
    """A trait or an action; its uses are apart from its name."""
    usage = row.usage
    times, face = to_int(usage.times, 1, 20), to_int(usage.min_value, 2, 6)
    rest = "short" if "short" in usage.rest_types else "long"
    per = {
        "per day": f"{times}/Day" if times else "",
        "per rest": f"{times}/rest" if times else "",
        "recharge on roll": f"Recharge {face}-6" if face else "",
        "recharge after rest": f"Recharges after a {rest} rest",
    }
    return {"name": row.name, "desc": row.desc, "usage": per.get(str(usage.type), "")}


def _flat(row: Table) -> ImportedCreature:
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

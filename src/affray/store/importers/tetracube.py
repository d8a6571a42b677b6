"""Stat blocks of TetraCube's generator (files `.monster`), in whose texts numbers are shorthands:
`[STR ATK]` is an attack bonus, `[STR 2D6]` damage, `[WIS SAVE]` a DC, `[MON]` the name."""

from __future__ import annotations

import re
from typing import Any

from msgspec.structs import replace

from affray.core.rules.imported_creature import ImportedCreature, ability_modifier
from affray.store.importers import ImportContents, import_each, name_value, stat_block
from affray.store.importers.feature_text import legendary_actions
from affray.store.importers.values import (
    ABILITIES,
    SENSES,
    Table,
    names_of,
    rows_of,
    to_challenge,
    to_clean_text,
    to_int,
    to_one_line,
    to_proficiency,
    to_tables,
)

LISTS = {
    "traits": "abilities", "actions": "actions", "bonus_actions": "bonusActions",
    "reactions": "reactions", "legendary_actions": "legendaries", "mythic_actions": "mythics",
    "lair_actions": "lairs",
}  # fmt: skip
"""A stat block's lists -> their names in this format."""
WAYS = {"speed": "walk", "burrowSpeed": "burrow", "climbSpeed": "climb", "flySpeed": "fly",
        "swimSpeed": "swim"}  # fmt: skip
KINDS = {"r": "damage_resistances", "i": "damage_immunities", "v": "damage_vulnerabilities"}
ARMOUR = {
    "leather": 11, "studded leather": 12, "padded armor": 11, "hide": 12, "chain shirt": 13,
    "scale mail": 14, "breastplate": 14, "half plate": 15, "ring mail": 14, "chain mail": 16,
    "splint": 17, "plate": 18, "mage armor": 13,
}  # fmt: skip
"""The AC of armour, without Dexterity."""
MOST_DEXTERITY = dict.fromkeys(
    ("hide", "chain shirt", "scale mail", "breastplate", "half plate"), 2
) | dict.fromkeys(("ring mail", "chain mail", "splint", "plate"), 0)
HIT_DIE = {"tiny": 4, "small": 6, "medium": 8, "large": 10, "huge": 12, "gargantuan": 20}


def matches(data: Any) -> bool:
    """True if it is such a stat block, or a list of them."""
    return any(map(_is_block, rows_of(data)[:20]))


def import_data(data: Any) -> ImportContents:
    """Import all stat blocks of the file."""
    return import_each(filter(_is_block, rows_of(data)), _creature, name_value)


def _is_block(row: Table) -> bool:
    return {"name", "strPoints", "dexPoints", "hpText", "actions"} <= row.keys()


def _creature(row: Table) -> ImportedCreature:
    modifiers = {a: ability_modifier(to_int(row.get(f"{a}Points"), 0, 99) or 10) for a in ABILITIES}
    is_own = to_one_line(row.get("cr")) == "*"
    cr = to_challenge(row.get("customCr") if is_own else row.get("cr"))
    pb = to_int(row.get("customProf"), 1, 20) if is_own else None
    pb = pb or to_proficiency(cr)
    speed: Any = {way: to_int(row.get(field), 1) for field, way in WAYS.items()}
    harm: dict[str, list[str]] = {field: [] for field in KINDS.values()}
    for each in (*to_tables(row.get("damagetypes")), *to_tables(row.get("specialdamage"))):
        harm[KINDS.get(to_one_line(each.get("type")), KINDS["r"])].append(
            to_one_line(each.get("name"))
        )
    own = [name.casefold()[:3] for name in names_of(row.get("sthrows"))]
    creature = stat_block.parse_stat_block(
        {
            **{
                ours: [_entry(each, row, modifiers, pb) for each in to_tables(row.get(theirs))]
                for ours, theirs in LISTS.items()
                if theirs not in _UNLESS or row.get(_UNLESS[theirs])
            },
            "name": row.get("name"),
            "size": row.get("size"),
            "type": row.get("type"),
            "subtype": row.get("tag"),
            "alignment": row.get("alignment"),
            "cr": cr,
            "pb": pb,
            "hp": _hit_points(row, modifiers),
            "ac": _armour_class(row, modifiers),
            "speed": row.get("speedDesc")
            if row.get("customSpeed")
            else {**speed, "hover": row.get("hover")},
            "stats": {a: row.get(f"{a}Points") for a in ABILITIES},
            "saves": {a: modifiers[a] + pb for a in own if a in modifiers},
            "skillsaves": {
                to_one_line(each.get("name")): modifiers.get(to_one_line(each.get("stat")), 0)
                + pb * (2 if "(ex)" in str(each.get("note")) else 1)
                for each in to_tables(row.get("skills"))
            },
            **harm,
            "condition_immunities": names_of(row.get("conditions")),
            "senses": {sense: to_int(row.get(sense), 1) for sense in SENSES},
            "languages": names_of(row.get("languages")),
        },
        game="5e",
    )
    words = to_clean_text(row.get("legendariesDescription")) if row.get("isLegendary") else ""
    return replace(creature, features=(*creature.features, *legendary_actions(None, words)))


_UNLESS = {"legendaries": "isLegendary", "mythics": "isMythic", "lairs": "isLair"}
"""Lists that stay in a file though its creature doesn't use them -> what says that it does."""


def _hit_points(row: Table, modifiers: dict[str, int]) -> Any:
    if row.get("customHP"):
        return row.get("hpText")
    count, faces = to_int(row.get("hitDice"), 1, 99), HIT_DIE.get(to_one_line(row.get("size")), 8)
    if not count:
        return row.get("hpText")
    more = count * modifiers["con"]
    return f"{max(count * (faces + 1) // 2 + more, 1)} ({count}d{faces}{more:+d})"


def _armour_class(row: Table, modifiers: dict[str, int]) -> int | None:
    worn, shield = to_one_line(row.get("armorName")), to_int(row.get("shieldBonus"), 0, 9) or 0
    if worn == "other":
        return to_int(row.get("otherArmorDesc"), 0, 60)
    if worn == "natural armor":
        return 10 + modifiers["dex"] + (to_int(row.get("natArmorBonus"), 0, 40) or 0) + shield
    return ARMOUR.get(worn, 10) + min(modifiers["dex"], MOST_DEXTERITY.get(worn, 99)) + shield


_SHORTHAND = re.compile(
    r"\[(?:(?P<ability>STR|DEX|CON|INT|WIS|CHA)(?: (?P<what>ATK|SAVE))?"
    r"(?: ?(?P<count>\d{1,2})D(?P<faces>\d{1,3}))?|(?P<bare>\d{1,2})D(?P<of>\d{1,3})"
    r"|(?P<name>MONS?)) ?(?P<more>[+-] ?\d{1,2})?\]",
    re.IGNORECASE,
)


def _entry(each: Table, row: Table, modifiers: dict[str, int], pb: int) -> Table:
    """A trait or an action, with its shorthands worked out."""

    def shown(match: re.Match[str]) -> str:
        if match["name"]:
            return to_one_line(row.get("shortName")) or to_one_line(row.get("name")).casefold()
        own = modifiers.get((match["ability"] or "").casefold(), 0)
        more = int((match["more"] or "0").replace(" ", ""))
        if count := match["count"] or match["bare"]:
            faces = int(match["faces"] or match["of"])
            total = own + more
            average = int(count) * (faces + 1) // 2 + total
            return f"{average} ({count}d{faces}{f' {total:+d}' if total else ''})"
        what = (match["what"] or "").casefold()
        if what == "save":
            return str(8 + pb + own + more)
        return f"{own + more + (pb if what == 'atk' else 0):+d}"

    return {"name": each.get("name"), "desc": _SHORTHAND.sub(shown, str(each.get("desc") or ""))}

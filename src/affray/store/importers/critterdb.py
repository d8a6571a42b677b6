"""Creatures of CritterDB: a downloaded one, or a bestiary.

Older ones have no hit points, saves and skills but what these are made of; the numbers are computed
as the site does.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from affray.core.rules.imported_creature import SKILL_ABILITIES, ImportedCreature, ability_modifier
from affray.store.importers import ImportContents, import_each, name_value, stat_block
from affray.store.importers.feature_text import legendary_actions
from affray.store.importers.values import (
    ABILITY_NAMES,
    Table,
    by_ability,
    get_path,
    rows_of,
    to_clean_text,
    to_int,
    to_ints,
    to_one_line,
    to_table,
    to_tables,
)

FIELDS = {
    "size": "size", "type": "race", "alignment": "alignment", "ac": "armorClass", "speed": "speed",
    "cr": "challengeRating", "damage_resistances": "damageResistances",
    "damage_immunities": "damageImmunities", "damage_vulnerabilities": "damageVulnerabilities",
    "condition_immunities": "conditionImmunities", "senses": "senses", "languages": "languages",
    "armour": "armorType",
}  # fmt: skip
"""A stat block's fields -> their names among the `stats`."""
LISTS = {
    "traits": "additionalAbilities", "actions": "actions", "reactions": "reactions",
    "legendary_actions": "legendaryActions",
}  # fmt: skip


def matches(data: Any) -> bool:
    """True if it is a creature, a bestiary, or a list of creatures."""
    return any(map(_is_creature, rows_of(data, "creatures")[:20]))


def import_data(data: Any) -> ImportContents:
    """Import all creatures of the file."""
    return import_each(filter(_is_creature, rows_of(data, "creatures")), _creature, name_value)


def _is_creature(row: Table) -> bool:
    return {"abilityScores", "armorClass"} <= to_table(row.get("stats")).keys()


def _creature(row: Table) -> ImportedCreature:
    stats = row["stats"]
    scores = to_ints(by_ability(to_table(stats.get("abilityScores"))), 0, 99)
    modifiers = {ability: ability_modifier(score) for ability, score in scores.items()}
    pb = to_int(stats.get("proficiencyBonus"), 1, 20)
    dice, average = _hit_points(stats, modifiers)
    senses = [to_one_line(each) for each in stats.get("senses") or ()]
    creature = stat_block.parse_stat_block(
        {
            **{ours: stats.get(theirs) for ours, theirs in FIELDS.items()},
            **{
                ours: [each for each in to_tables(stats.get(theirs)) if each.get("name")]
                for ours, theirs in LISTS.items()
            },
            "name": row.get("name"),
            "pb": pb,
            "hp": stats.get("hitPoints") or average,
            "hit_dice": dice,
            "stats": {name: scores.get(short) for name, short in ABILITY_NAMES.items()},
            "saves": {
                to_one_line(each.get("ability")): _bonus(each, modifiers, pb, each.get("ability"))
                for each in to_tables(stats.get("savingThrows"))
            },
            "skillsaves": {
                name: _bonus(each, modifiers, pb, SKILL_ABILITIES.get(name.casefold()))
                for each in to_tables(stats.get("skills"))
                if (name := to_one_line(each.get("name")))
            },
            "senses": ", ".join(senses),
            "passive_perception": stats.get("passivePerception"),
            "description": get_path(row, "flavor", "description"),
            "image": get_path(row, "flavor", "imageUrl"),
        },
        game="5e",
    )
    words = to_clean_text(stats.get("legendaryActionsDescription"))
    count = stats.get("legendaryActionsPerRound") if stats.get("legendaryActions") else None
    text = words if count else ""
    return replace(creature, features=(*creature.features, *legendary_actions(count, text)))


def _hit_points(stats: Table, modifiers: dict[str, int]) -> tuple[str, int | None]:
    """The Hit Dice, and their average, halves down; "" and None without any."""
    count, faces = to_int(stats.get("numHitDie"), 1, 99), to_int(stats.get("hitDieSize"), 1, 100)
    if not count or not faces:
        return "", None
    bonus = count * modifiers.get("con", 0)
    return f"{count}d{faces}{bonus:+d}", count * (faces + 1) // 2 + bonus


def _bonus(row: Table, modifiers: dict[str, int], pb: int | None, ability: Any) -> int | None:
    """The bonus of a save or a skill: the file's, or else one with the proficiency bonus."""
    given = to_int(row.get("modifier", row.get("value")), -20, 40)
    own = modifiers.get(to_one_line(ability).casefold()[:3])
    if given is not None or own is None:
        return given
    return own + (pb or 0) if row.get("proficient") else own

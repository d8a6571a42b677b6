"""Improved Initiative: its exports, its library, its autosave, and posted encounters, all JSON."""

from __future__ import annotations

import re
from typing import Any

from msgspec.structs import replace

from affray.core.rules.imported_creature import ImportedCreature, ability_modifier
from affray.data_text import read_json
from affray.store.importers import (
    EncounterMember,
    ImportContents,
    ImportedEncounter,
    import_each,
    stat_block,
)
from affray.store.importers.values import (
    Table,
    get_path,
    to_challenge,
    to_clean_text,
    to_int,
    to_one_line,
    to_table,
    to_tables,
)

PREFIX = "ImprovedInitiative."
FIELDS = {
    "name": "Name", "source": "Source", "type": "Type", "speed": "Speed",
    "stats": "Abilities", "saves": "Saves", "skillsaves": "Skills", "senses": "Senses",
    "damage_resistances": "DamageResistances", "damage_immunities": "DamageImmunities",
    "damage_vulnerabilities": "DamageVulnerabilities",
    "condition_immunities": "ConditionImmunities", "languages": "Languages",
    "description": "Description", "traits": "Traits", "actions": "Actions",
    "bonus_actions": "BonusActions", "reactions": "Reactions",
    "legendary_actions": "LegendaryActions", "mythic_actions": "MythicActions",
}  # fmt: skip
"""A stat block's fields -> their names in this format."""
MARKS = {
    "HP", "AC", "Abilities", "Challenge", "InitiativeModifier", "Traits", "Actions", "BonusActions",
    "Reactions", "LegendaryActions", "MythicActions",
}  # fmt: skip
"""Fields by which a stat block is known."""


def matches(data: Any) -> bool:
    """True if it is one of the forms in which the program writes its data."""
    if isinstance(data, list):
        return any(_is_block(row) for row in to_tables(data)[:20])
    keys = to_table(data).keys()
    return (
        _is_block(data)
        or bool(keys & {"Combatants", "PersistentCharacters", "SavedEncounters"})
        or isinstance(get_path(data, "Creatures"), list)
        or any(_kind_of(key) for key in keys)
    )


def import_data(data: Any) -> ImportContents:
    """All creatures, characters and encounters of a file."""
    if isinstance(data, list) or _is_block(data):
        return import_each(to_tables(data) or [to_table(data)], _creature, _name)
    if _combatants(data):
        return _encounter(data, to_one_line(data.get("Name")))
    found = ImportContents()
    for key, value in data.items():
        found += _part(key, value)
    return found


def _name(row: Table) -> Any:
    return row.get("Name")


def _is_block(data: Any) -> bool:
    row = to_table(data)
    return bool(row.get("Name")) and len(MARKS & row.keys()) >= 2 and "StatBlock" not in row


def _combatants(data: Any) -> list[Table]:
    row = to_table(data)
    return to_tables(row.get("Combatants")) or to_tables(row.get("Creatures"))


def _kind_of(key: str) -> str:
    """`Creatures` for `Creatures.abc` and `ImprovedInitiative.Creatures.abc`; empty for another."""
    match = re.match(
        rf"(?:{re.escape(PREFIX)})?(Creatures|PersistentCharacters|PlayerCharacters|SavedEncounters|"
        r"AutoSavedEncounters|AutosavedEncounters|Spells)(?:\.|$)",
        key,
    )
    return match[1] if match else ""


def _part(key: str, value: Any) -> ImportContents:
    kind = _kind_of(key)
    if isinstance(value, str) and kind:
        try:
            value = read_json(value)
        except ValueError:
            return ImportContents(left=(f"{key}: not valid JSON",))
    if not isinstance(value, dict):
        return ImportContents()  # the list of ids, and settings
    if kind == "Creatures":
        return import_each([value], _creature, _name)
    if kind in ("PersistentCharacters", "PlayerCharacters"):
        return import_each([value], _character, _name)
    if kind == "SavedEncounters":
        return _encounter(value, to_one_line(value.get("Name")) or "Saved encounter")
    if kind:
        if kind == "Spells":
            return ImportContents(left=("spells are not part of a campaign",))
        return _encounter(value, "Autosaved encounter") if _combatants(value) else ImportContents()
    return ImportContents()


def _creature(row: Table, pc: bool = False) -> ImportedCreature:
    """A creature from a stat block. Any field may be missing, and numbers may be texts."""
    dexterity = to_int(to_table(row.get("Abilities")).get("Dex"), 1, 99)
    more = to_int(row.get("InitiativeModifier"), -50, 50) or 0
    is_pc = pc or bool(to_one_line(row.get("Player")))
    special = to_one_line(row.get("InitiativeSpecialRoll"))
    creature = stat_block.parse_stat_block(
        {
            **{ours: row.get(theirs) for ours, theirs in FIELDS.items()},
            "image": row.get("ImageURL"),
            "level": row.get("Challenge") if is_pc else None,
            "hp": _value(row.get("HP")),
            "hit_dice": get_path(row, "HP", "Notes"),
            "ac": _value(row.get("AC")),
            "armour": to_one_line(get_path(row, "AC", "Notes")).strip("()"),
            "initiative": None if dexterity is None else ability_modifier(dexterity) + more,
            "initiative roll": special or ("advantage" if row.get("InitiativeAdvantage") else ""),
        },
        pc=is_pc,
        game="5e",
    )
    return replace(creature, cr="" if is_pc else to_challenge(row.get("Challenge")))


def _value(field: Any) -> Any:
    return field.get("Value") if isinstance(field, dict) else field


def _character(row: Table) -> ImportedCreature:
    """A character, who keeps the HP that are left between encounters."""
    block = {**to_table(row.get("StatBlock") or row.get("Statblock"))}
    block.setdefault("Name", row.get("Name"))
    creature = _creature(block, pc=True)
    text = "\n".join(filter(None, (creature.text, to_clean_text(row.get("Notes")))))
    return replace(creature, hp_left=to_int(row.get("CurrentHP"), 0), text=text)


def _encounter(data: Table, title: str) -> ImportContents:
    """An encounter with its creatures, which the library may not have."""
    members, creatures, left = [], [], []
    for row in _combatants(data):
        block = {**to_table(row.get("StatBlock") or row.get("Statblock"))} or {**row}
        block.setdefault("Name", row.get("Name"))
        if "MaxHP" in row:
            block.setdefault("HP", {"Value": row["MaxHP"]})
        creature = _creature(block, pc=bool(row.get("PersistentCharacterId")))
        if not creature.name:
            block_id = to_one_line(row.get("Id")) or "no id"
            left.append(f"{title or 'an encounter'}: a combatant without a name ({block_id})")
            continue
        creatures.append(creature)
        members.append(_member(row, creature))
    meetings = (ImportedEncounter(title, tuple(members)),) if members else ()
    return ImportContents(tuple(creatures), meetings, tuple(left))


def _member(row: Table, creature: ImportedCreature) -> EncounterMember:
    tags = [
        to_one_line(tag.get("Text") if isinstance(tag, dict) else tag)
        for tag in row.get("Tags") or ()
    ]
    notes = [*tags, to_one_line(row.get("CurrentNotes"))]
    return EncounterMember(
        creature.name,
        called=to_one_line(row.get("Alias")),
        hp=to_int(row.get("CurrentHP"), 0),
        most=creature.hp,
        temp=to_int(row.get("TemporaryHP"), 0) or 0,
        hidden=bool(row.get("Hidden")),
        notes=tuple(filter(None, notes)),
    )

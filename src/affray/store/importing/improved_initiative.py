"""Improved Initiative: its exports, its library, its autosave, and posted encounters, all JSON."""

from __future__ import annotations

import json
import re
from typing import Any

from msgspec.structs import replace

from affray.core.rules.imported import Creature, modifier
from affray.store.importing import stat_block
from affray.store.importing.contents import Contents, Meeting, Member, read_each
from affray.store.importing.values import clean, number, one_line, rows, table, within

PREFIX = "ImprovedInitiative."
FIELDS = {
    "name": "Name", "source": "Source", "size": "Type", "type": "Type", "speed": "Speed",
    "stats": "Abilities", "saves": "Saves", "skillsaves": "Skills", "senses": "Senses",
    "damage_resistances": "DamageResistances", "damage_immunities": "DamageImmunities",
    "damage_vulnerabilities": "DamageVulnerabilities",
    "condition_immunities": "ConditionImmunities", "languages": "Languages",
    "description": "Description", "traits": "Traits", "actions": "Actions",
    "bonus_actions": "BonusActions", "reactions": "Reactions",
    "legendary_actions": "LegendaryActions", "mythic_actions": "MythicActions",
}  # fmt: skip
"""A stat block's fields -> what they are called here."""
MARKS = {
    "HP", "AC", "Abilities", "Challenge", "InitiativeModifier", "Traits", "Actions", "BonusActions",
    "Reactions", "LegendaryActions", "MythicActions",
}  # fmt: skip
"""Fields by which a stat block is known."""


def holds(data: Any) -> bool:
    """Whether it is one of the forms in which the program writes its data."""
    if isinstance(data, list):
        return any(_is_block(row) for row in rows(data)[:20])
    keys = table(data).keys()
    return (
        _is_block(data)
        or bool(keys & {"Combatants", "PersistentCharacters", "SavedEncounters"})
        or isinstance(within(data, "Creatures"), list)
        or any(_kind_of(key) for key in keys)
    )


def read(data: Any) -> Contents:
    """All creatures, characters and encounters of a file."""
    if isinstance(data, list) or _is_block(data):
        return read_each(rows(data) or [table(data)], _creature, _name)
    if _combatants(data):
        return _encounter(data, one_line(data.get("Name")))
    found = Contents()
    for key, value in data.items():
        found += _part(key, value)
    return found


def _name(row: dict[str, Any]) -> Any:
    return row.get("Name")


def _is_block(data: Any) -> bool:
    row = table(data)
    return bool(row.get("Name")) and len(MARKS & row.keys()) >= 2 and "StatBlock" not in row


def _combatants(data: Any) -> list[dict[str, Any]]:
    row = table(data)
    return rows(row.get("Combatants")) or rows(row.get("Creatures"))


def _kind_of(key: str) -> str:
    """`Creatures` for `Creatures.abc` and `ImprovedInitiative.Creatures.abc`; empty for another."""
    match = re.match(
        rf"(?:{re.escape(PREFIX)})?(Creatures|PersistentCharacters|PlayerCharacters|SavedEncounters|"
        r"AutoSavedEncounters|AutosavedEncounters|Spells)(?:\.|$)",
        key,
    )
    return match[1] if match else ""


def _part(key: str, value: Any) -> Contents:
    kind = _kind_of(key)
    if isinstance(value, str) and kind:
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return Contents(left=(f"{key}: no JSON",))
    if not isinstance(value, dict):
        return Contents()  # the list of ids, and settings
    if kind == "Creatures":
        return read_each([value], _creature, _name)
    if kind in ("PersistentCharacters", "PlayerCharacters"):
        return read_each([value], _character, _name)
    if kind == "SavedEncounters":
        return _encounter(value, one_line(value.get("Name")) or "Saved encounter")
    if kind:
        if kind == "Spells":
            return Contents(left=("spells are no part of a campaign",))
        return _encounter(value, "Autosaved encounter") if _combatants(value) else Contents()
    return Contents()


def _creature(row: dict[str, Any], pc: bool = False) -> Creature:
    """A creature from a stat block. Any field may be missing, and numbers may be texts."""
    dexterity = number(table(row.get("Abilities")).get("Dex"), 1, 99)
    more = number(row.get("InitiativeModifier"), -50, 50) or 0
    is_pc = pc or bool(one_line(row.get("Player")))
    special = one_line(row.get("InitiativeSpecialRoll"))
    made = stat_block.creature(
        {
            **{ours: row.get(theirs) for ours, theirs in FIELDS.items()},
            "level": row.get("Challenge") if is_pc else None,
            "hp": _value(row.get("HP")),
            "hit_dice": within(row, "HP", "Notes"),
            "ac": _value(row.get("AC")),
            "armour": one_line(within(row, "AC", "Notes")).strip("()"),
            "initiative": None if dexterity is None else modifier(dexterity) + more,
            "initiative roll": special or ("advantage" if row.get("InitiativeAdvantage") else ""),
        },
        pc=is_pc,
        game="5e",
    )
    return replace(made, cr="" if is_pc else one_line(row.get("Challenge")))


def _value(field: Any) -> Any:
    return field.get("Value") if isinstance(field, dict) else field


def _character(row: dict[str, Any]) -> Creature:
    """A character, who keeps the HP that are left between encounters."""
    block = {**table(row.get("StatBlock") or row.get("Statblock"))}
    block.setdefault("Name", row.get("Name"))
    made = _creature(block, pc=True)
    text = "\n".join(filter(None, (made.text, clean(row.get("Notes")))))
    return replace(made, hp_left=number(row.get("CurrentHP"), 0), text=text)


def _encounter(data: dict[str, Any], title: str) -> Contents:
    """An encounter, and the creatures in it, of which the library may have none."""
    members, creatures, left = [], [], []
    for row in _combatants(data):
        block = {**table(row.get("StatBlock") or row.get("Statblock"))} or {**row}
        block.setdefault("Name", row.get("Name"))
        if "MaxHP" in row:
            block.setdefault("HP", {"Value": row["MaxHP"]})
        creature = _creature(block, pc=bool(row.get("PersistentCharacterId")))
        if not creature.name:
            who = one_line(row.get("Id")) or "no id"
            left.append(f"{title or 'an encounter'}: a combatant without a name ({who})")
            continue
        creatures.append(creature)
        members.append(_member(row, creature))
    meetings = (Meeting(title, tuple(members)),) if members else ()
    return Contents(tuple(creatures), meetings, tuple(left))


def _member(row: dict[str, Any], creature: Creature) -> Member:
    tags = [
        one_line(tag.get("Text") if isinstance(tag, dict) else tag) for tag in row.get("Tags") or ()
    ]
    notes = [*tags, one_line(row.get("CurrentNotes"))]
    return Member(
        creature.name,
        called=one_line(row.get("Alias")),
        hp=number(row.get("CurrentHP"), 0),
        most=creature.hp,
        temp=number(row.get("TemporaryHP"), 0) or 0,
        hidden=bool(row.get("Hidden")),
        notes=tuple(filter(None, notes)),
    )

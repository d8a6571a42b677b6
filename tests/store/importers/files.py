"""Small files of our own, in the shapes in which other programs write theirs."""

from __future__ import annotations

from typing import Any

MARSH_CRAB: dict[str, Any] = {
    "Id": "own.marsh-crab",
    "Name": "Marsh Crab",
    "Source": "Our own",
    "Type": "Large beast, unaligned",
    "HP": {"Value": "19", "Notes": "(3d10+3)"},
    "AC": {"Value": 14, "Notes": "(natural armor)"},
    "InitiativeModifier": 1,
    "Speed": ["30 ft.", "swim 20 ft."],
    "Abilities": {"Str": 15, "Dex": 12, "Con": 13, "Int": 1, "Wis": 9, "Cha": 3},
    "DamageResistances": ["cold", "bludgeoning, piercing, and slashing from nonmagical attacks"],
    "DamageImmunities": ["poison"],
    "DamageVulnerabilities": [],
    "ConditionImmunities": ["poisoned"],
    "Saves": [{"Name": "Con", "Modifier": 3}],
    "Skills": [{"Name": "Stealth", "Modifier": 3}],
    "Senses": ["blindsight 30 ft.", "passive Perception 9"],
    "Languages": [],
    "Challenge": "1/2",
    "Traits": [{"Name": "Mud Walker", "Content": "Soft ground doesn't slow it."}],
    "Actions": [
        {
            "Name": "Claw",
            "Content": "Melee Weapon Attack: +4 to hit, reach 5 ft., one target. Hit: 6 (1d8 + 2) "
            "bludgeoning damage plus 2 (1d4) cold damage, and the target is grappled "
            "(escape DC 12).",
        },
        {
            "Name": "Brine Spray (Recharge 5-6)",
            "Content": "Each creature in a 15-foot cone makes a DC 12 Dexterity saving throw, "
            "taking 9 (2d8) cold damage on a failed save, or half as much damage on a "
            "successful one.",
        },
    ],
    "Reactions": [],
    "LegendaryActions": [],
    "Description": "<p>Smells of <b>low tide</b>.</p>",
    "Player": "",
}
PELL: dict[str, Any] = {
    "Name": "Pell",
    "Type": "Halfling Rogue",
    "HP": {"Value": 24},
    "AC": {"Value": 15},
    "Abilities": {"Str": 8, "Dex": 17, "Con": 12, "Int": 13, "Wis": 10, "Cha": 14},
    "Challenge": "Rogue 3",
    "Player": "player",
}

"""Actors of Foundry's a5e: what stands apart from an item's text, and what stands in it alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from affray.core.rules.imported_creature import (
    ImportedAttack,
    ImportedCondition,
    ImportedCreature,
    ImportedDamage,
    ImportedFeature,
    ImportedSave,
)
from affray.store.importers.detect import read_files

STRIKE = {"type": "attack", "attackType": "meleeWeaponAttack", "ability": "str"}
PIERCE = {"type": "damage", "formula": "1d8 + @str.mod", "damageType": "piercing"}
VENOM = {"type": "damage", "formula": "2d6", "damageType": "poison"}


def item(name: str, text: str, ranges: Any = (), **apart: dict[str, Any]) -> dict[str, Any]:
    """A feature with one action: its rolls, and what it asks for."""
    action = {
        "activation": {"type": "action"},
        "ranges": {str(n): {"range": each} for n, each in enumerate(ranges)},
        **apart,
    }
    system = {"description": f"<p>{text}</p>", "actions": {"a": action}}
    return {"name": name, "type": "feature", "system": system}


def features(folder: Path, *items: dict[str, Any]) -> list[ImportedFeature]:
    """What a Bog Wasp (Strength 16, challenge 5) with those items can do."""
    return [*creature(folder, *items).features]


def creature(
    folder: Path, *items: dict[str, Any], ac: dict[str, Any] | None = None, dex: int = 10
) -> ImportedCreature:
    """A Bog Wasp with those items."""
    actor = {
        "name": "Bog Wasp",
        "type": "npc",
        "_stats": {"systemId": "a5e"},
        "items": [*items],
        "system": {
            "abilities": {"str": {"value": 16}, "dex": {"value": dex}},
            "attributes": {"hp": {"baseMax": 40}, "ac": ac or {}},
            "bonuses": {"maneuverDC": "1"},
            "details": {"cr": 5},
        },
    }
    file = folder / "actor.json"
    file.write_text(json.dumps(actor), "utf-8")
    (wasp,) = read_files(file)[0].contents.creatures
    return wasp


def test_a_text_without_a_roll_is_about_the_hit(tmp_path: Path) -> None:
    text = "If the target is a creature, it is grappled (escape DC 14)."
    (sting,) = features(tmp_path, item("Sting", text, rolls={"1": STRIKE, "2": PIERCE}))
    assert (sting.attack, sting.damage) == (
        ImportedAttack(6),
        (ImportedDamage("1d8+3", "piercing"),),
    )
    assert sting.inflicts == (ImportedCondition("grappled", "escape", 14),)


def test_what_a_save_brings_is_not_dealt_by_the_hit_as_well(tmp_path: Path) -> None:
    text = "The target makes a DC 13 Constitution saving throw or takes 7 (2d6) poison damage."
    rolls = {"1": STRIKE, "2": PIERCE, "3": VENOM}
    (sting,) = features(tmp_path, item("Sting", text, rolls=rolls))
    assert sting.damage == (ImportedDamage("1d8+3", "piercing"),)
    assert (sting.save, sting.failed) == (
        ImportedSave("con", 13),
        (ImportedDamage("2d6", "poison"),),
    )


def test_damage_that_is_dealt_only_sometimes_is_no_part_of_a_hit(tmp_path: Path) -> None:
    rolls = {"1": STRIKE, "2": PIERCE, "3": {**VENOM, "default": False}}
    (sting,) = features(tmp_path, item("Sting", "It stings.", rolls=rolls))
    assert sting.damage == (ImportedDamage("1d8+3", "piercing"),)


def test_a_save_in_the_text_deals_what_stands_apart_from_it(tmp_path: Path) -> None:
    text = "Each creature makes a DC 13 Constitution saving throw, taking damage, or half of it."
    (cloud,) = features(tmp_path, item("Cloud", text, rolls={"1": VENOM}))
    assert (cloud.attack, cloud.damage) == (None, ())
    assert (cloud.save, cloud.failed) == (
        ImportedSave("con", 13),
        (ImportedDamage("2d6", "poison"),),
    )


@pytest.mark.parametrize(
    ("how", "ranges", "attack"),
    [
        ("meleeWeaponAttack", ["fiveFeet"], ImportedAttack(6, feet=5)),
        ("meleeWeaponAttack", ["Reach: 10ft."], ImportedAttack(6, feet=10)),
        (
            "meleeWeaponAttack",
            ["fiveFeet", "Thrown 20ft/60ft."],
            ImportedAttack(6, "ac", "both", 5, 20, 60),
        ),
        ("rangedWeaponAttack", [80, 320], ImportedAttack(6, "ac", "ranged", 80, long=320)),
        ("rangedWeaponAttack", ["80/320 ft"], ImportedAttack(6, "ac", "ranged", 80, long=320)),
        ("rangedWeaponAttack", ["medium", 240], ImportedAttack(6, "ac", "ranged", 60, long=240)),
        ("rangedWeaponAttack", [None], ImportedAttack(6, "ac", "ranged")),
    ],
)
def test_how_far_it_reaches(
    how: str, ranges: list[Any], attack: ImportedAttack, tmp_path: Path
) -> None:
    rolls = {"1": {**STRIKE, "attackType": how}, "2": PIERCE}
    (sting,) = features(tmp_path, item("Sting", "", ranges, rolls=rolls))
    assert sting.attack == attack


def test_legendary_actions_that_stand_in_a_text_alone_can_be_used(tmp_path: Path) -> None:
    text = (
        "The wasp can take 2 legendary actions, choosing from the options below.</p>"
        "<p><b>Buzz.</b> Each creature makes a DC 12 Wisdom saving throw or is prone.</p>"
        "<p><b>Sting.</b> The wasp makes an attack with its sting."
    )
    found = features(tmp_path, item("Legendary Actions", text), item("Sting", "It stings."))
    assert [(each.name, each.sort) for each in found] == [
        ("Legendary Actions", "trait"),
        ("Buzz", "legendary"),
        ("Sting", "action"),
    ]


def test_of_breaths_in_one_item_each_is_one_and_they_share_the_recharge(tmp_path: Path) -> None:
    breaths = item("Breaths", "It uses one of the following:</p><p>Fog Breath. Each creature makes "
        "a DC 13 Dexterity saving throw.</p><p>Rime Breath. Each creature makes a DC 14 "
        "Constitution saving throw.")  # fmt: skip
    breaths["system"]["uses"] = {"per": "recharge", "recharge": {"threshold": 5}}
    made = features(tmp_path, breaths)
    assert [(row.name, row.save, row.recharge, row.pool) for row in made] == [
        ("Fog Breath", ImportedSave("dex", 13), 5, "Breaths"),
        ("Rime Breath", ImportedSave("con", 14), 5, "Breaths"),
    ]


def test_actions_with_texts_behind_a_heading_are_each_one(tmp_path: Path) -> None:
    legendary = item("Legendary Actions", "The wasp can take 2 legendary actions.")
    turn = {"type": "legendaryAction", "cost": 1}
    legendary["system"]["actions"] = {
        "a": {"name": "Dart", "description": "<p>It flies.</p>", "activation": turn},
        "b": {"name": "Sting", "description": "<p>It stings.</p>", "activation": turn},
    }
    heading, dart, sting = features(tmp_path, legendary)
    assert (heading.sort, heading.uses) == ("trait", 0)
    assert [(row.name, row.sort, row.text) for row in (dart, sting)] == [
        ("Dart", "legendary", "It flies."),
        ("Sting", "legendary", "It stings."),
    ]


def test_what_one_action_says_besides_is_told(tmp_path: Path) -> None:
    (hum,) = features(tmp_path, item("Hum", "It hums.", description="<p>All sleep.</p>"))  # type: ignore[arg-type]
    assert hum.text == "It hums.\nAll sleep."


def test_damage_may_be_with_the_modifier_of_its_attack(tmp_path: Path) -> None:
    bite = {**PIERCE, "formula": "1d8 + @mod"}
    (sting,) = features(tmp_path, item("Sting", "", rolls={"1": STRIKE, "2": bite}))
    assert sting.damage == (ImportedDamage("1d8+3", "piercing"),)


def test_what_a_run_brings_is_not_in_every_hit(tmp_path: Path) -> None:
    text = (
        "7 (1d8+3) piercing damage. If the wasp moves at least 20 feet first, it deals an extra "
        "7 (2d6) poison damage and the target makes a DC 13 Strength saving throw, falling prone."
    )
    asked = {
        "s": {"type": "savingThrow", "ability": "str", "saveDC": {"type": "custom", "bonus": "13"}}
    }
    rolls = {"1": STRIKE, "2": PIERCE, "3": VENOM}
    sting, run = features(tmp_path, item("Sting", text, rolls=rolls, prompts=asked))
    assert (sting.damage, sting.save) == ((ImportedDamage("1d8+3", "piercing"),), None)
    assert (run.name, run.sort) == ("Sting after a run", "free")
    assert run.damage == (ImportedDamage("2d6", "poison"),)
    assert (run.save, run.binds) == (ImportedSave("str", 13), (ImportedCondition("prone"),))


def test_a_save_whose_prompt_says_half_is_halved(tmp_path: Path) -> None:
    text = "The target makes a DC 13 Dexterity saving throw, 7 (2d6) poison damage on a failure."
    asked = {"s": {"type": "savingThrow", "ability": "dex", "onSave": "Half damage."}}
    (spit,) = features(tmp_path, item("Spit", text, prompts=asked))
    assert spit.save == ImportedSave("dex", 13, half=True)


@pytest.mark.parametrize(
    ("base", "things", "armour_class"),
    [
        ("14", [], 14),
        ("", [], 9),  # 10 and Dexterity
        ("10 + @dex.mod", [("15 + @dex.mod", 2, 2)], 14),
        ("10 + @dex.mod", [("18", 2, 2), ("2", 1, 2)], 20),  # a shield is more
        ("13", [("2", 1, 0)], 13),  # it carries that one
        ("12[leather] + 1", [], 13),
    ],
)
def test_armour_that_is_worn_counts(
    tmp_path: Path, base: str, things: list[tuple[str, int, int]], armour_class: int
) -> None:
    items = [
        {
            "name": "Mail",
            "type": "object",
            "system": {
                "objectType": "armor",
                "ac": {"baseFormula": formula, "mode": mode, "maxDex": 2},
                "equippedState": state,
            },
        }
        for formula, mode, state in things
    ]
    made = creature(tmp_path, *items, ac={"baseFormula": base}, dex=8)
    assert made.ac == armour_class


@pytest.mark.parametrize(
    ("asked", "dc"),
    [
        ({"type": "maneuver"}, 15),  # 8, PB 3, Strength 3, and 1 that it adds to all of them
        ({"type": "str", "bonus": "1"}, 15),
        ({"type": "custom", "bonus": "12"}, 12),
        ({"type": "spellcasting"}, 11),
    ],
)
def test_a_dc_stands_with_the_prompt(tmp_path: Path, asked: dict[str, Any], dc: int) -> None:
    text = (
        "Each creature near makes a Dexterity saving throw, taking 9 (2d8) fire damage on a "
        "failed save or half damage on a success."
    )
    prompt = {"type": "savingThrow", "ability": "dex", "saveDC": asked, "onSave": ""}
    (spit,) = features(tmp_path, item("Spit", text, prompts={"s": prompt}))
    assert spit.save == ImportedSave("dex", dc, half=True)
    assert (spit.damage, spit.failed) == ((), (ImportedDamage("2d8", "fire"),))


@pytest.mark.parametrize(
    ("attack", "arms", "bonus"),
    [
        ({"ability": "none", "proficient": False}, (), 0),
        ({"ability": "none", "bonus": "2"}, (), 5),
        ({"ability": "default"}, (), 6),
        ({"ability": "default", "attackType": "rangedWeaponAttack"}, (), 2),
        ({"ability": "default", "attackType": "rangedWeaponAttack"}, ("thrown",), 6),
    ],
)
def test_an_attack_goes_by_its_ability_and_its_weapons_properties(
    tmp_path: Path, attack: dict[str, Any], arms: tuple[str, ...], bonus: int
) -> None:
    sting = item("Sting", "", rolls={"1": {**STRIKE, **attack}, "2": PIERCE})
    sting["system"]["weaponProperties"] = [*arms]
    made = creature(tmp_path, sting, dex=8)
    assert made.features[0].attack is not None
    assert made.features[0].attack.bonus == bonus


def test_the_text_of_a_hit_stands_before_the_rolls(tmp_path: Path) -> None:
    rolls = {"1": STRIKE, "2": {**PIERCE, "formula": "1d6"}}
    (sting,) = features(tmp_path, item("Sting", "Hit: 8 (1d8 + 4) slashing damage.", rolls=rolls))
    assert sting.damage == (ImportedDamage("1d8+4", "slashing"),)


def test_a_weapons_second_paragraph_may_ask_for_a_save(tmp_path: Path) -> None:
    text = (
        "Melee Weapon Attack: +6 to hit, reach 5 ft., one target. Hit: 7 (1d8 + 3) piercing damage."
        "</p><p>The target must make a DC 12 Strength saving throw or be knocked prone.</p><p>"
        "Finesse. The wielder may use Dexterity."
    )
    whip = {
        "name": "Whip",
        "type": "object",
        "system": {"objectType": "weapon", "description": f"<p>{text}</p>", "actions": {}},
    }
    (made,) = features(tmp_path, whip)
    assert made.save == ImportedSave("str", 12)


def test_breaths_in_the_text_alone_are_each_one(tmp_path: Path) -> None:
    text = (
        "It uses one of the following breath weapons:</p><p>Fog Breath. Each creature near makes a "
        "DC 13 Dexterity saving throw.</p><p>Rime Breath. Each creature near makes a DC 13 "
        "Constitution saving throw.</p><p>It lasts for a minute."
    )
    row = item("Breaths", text)
    row["system"]["actions"]["a"]["description"] = "<p>No description available.</p>"
    row["system"]["uses"] = {"per": "recharge", "recharge": {"threshold": 5}}
    made = features(tmp_path, row)
    assert [(one.name, one.recharge, one.pool) for one in made] == [
        ("Fog Breath", 5, "Breaths"),
        ("Rime Breath", 5, "Breaths"),
    ]
    assert made[1].text.endswith("It lasts for a minute.")

"""Characters of D&D Beyond: what the file's modifiers come to, as the site adds them."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from tests.store.importers.test_formats import _changes

from affray.core.rules.imported_creature import ImportedCreature, ImportedSpell
from affray.rulesets import load_ruleset
from affray.store.importers import dnd_beyond, with_acts_and_spells
from affray.store.importers.run_import import made_of


def modifier(kind: str, what: str, value: int | None = None, **more: Any) -> dict[str, Any]:
    return {"type": kind, "subType": what, "value": value, "restriction": "", **more}


def thing(name: str, kind: str, *granted: dict[str, Any], **fields: Any) -> dict[str, Any]:
    definition = {"name": name, "filterType": kind, "grantedModifiers": [*granted], **fields}
    return {"equipped": True, "quantity": 1, "definition": definition}


def spell(name: str, level: int, **more: Any) -> dict[str, Any]:
    return {"definition": {"name": name, "level": level}, "usesSpellSlot": level > 0, **more}


SABRE = thing(
    "Sabre +1", "Weapon", modifier("bonus", "magic", 1),
    type="Rapier", attackType=1, categoryId=2, damage={"diceString": "1d8"},
    damageType="Piercing", range=5, longRange=5, properties=[{"name": "Finesse"}],
)  # fmt: skip
MARA: dict[str, Any] = {
    "name": "Mara Fen",
    "baseHitPoints": 20,
    "removedHitPoints": 5,
    "temporaryHitPoints": 3,
    "stats": [{"id": at, "value": n} for at, n in enumerate((8, 15, 14, 10, 12, 15), 1)],
    "bonusStats": [{"id": 1, "value": None}],
    "overrideStats": [{"id": 4, "value": 19}],
    "race": {"fullName": "Half-Elf", "sizeId": 4, "weightSpeeds": {"normal": {"walk": 30}}},
    "classes": [
        {
            "id": 1,
            "level": 3,
            "definition": {
                "name": "Bard",
                "canCastSpells": True,
                "spellCastingAbilityId": 6,
                "spellRules": {"levelSpellSlots": [[0], [2], [3], [4, 2, 0], [4, 3]]},
            },
            "subclassDefinition": {"name": "College of Rain"},
            "classFeatures": [
                {"definition": {"id": 7, "name": "Song", "requiredLevel": 1},
                 "levelScale": {"dice": {"diceString": "1d6"}}},
                {"definition": {"name": "Later Song", "requiredLevel": 9}},
            ],
        }
    ],
    "modifiers": {
        "race": [
            modifier("bonus", "charisma-score", 1),
            modifier("set-base", "darkvision", 60),
            modifier("advantage", "saving-throws", restriction="Against being charmed"),
            modifier("language", "elvish", friendlySubtypeName="Elvish"),
        ],
        "class": [
            modifier("proficiency", "dexterity-saving-throws"),
            modifier("proficiency", "martial-weapons"),
            modifier("expertise", "stealth"),
            modifier("half-proficiency", "ability-checks"),
        ],
        "feat": [modifier("bonus", "initiative", 5), modifier("resistance", "cold")],
        "item": [modifier("bonus", "armor-class", 9)],
    },
    "inventory": [
        SABRE,
        thing("Studded Leather", "Armor", armorTypeId=1, armorClass=12),
        thing("Shield", "Armor", armorTypeId=4, armorClass=2),
        thing("Ring of Fog", "Ring", modifier("bonus", "armor-class", 1), canAttune=True),
        thing("Cloak of Mud", "Wondrous item", modifier("bonus", "saving-throws", 1)),
        {"equipped": False, "quantity": 3, "definition": {"name": "Torch", "filterType": "Other"}},
    ],
    "actions": {
        "class": [
            {
                "name": "Rain Song",
                "snippet": "A friend adds {{scalevalue}} to a roll, and regains "
                "{{modifier:cha@min:1#signed}} HP.",
                "componentId": 7,
                "activation": {"activationType": 3},
                "limitedUse": {"maxUses": 0, "statModifierUsesId": 6, "resetType": 2,
                               "numberUsed": 1},
            },
            {
                "name": "Squall",
                "snippet": "The air roars.",
                "activation": {"activationType": 1},
                "dice": {"diceString": "2d6"},
                "damageTypeId": 9,
                "saveStatId": 3,
                "abilityModifierStatId": 6,
                "saveSuccessDescription": "Half damage",
            },
        ]
    },
    "classSpells": [{"characterClassId": 1, "spells": [spell("Mage Hand", 0), spell("Sleep", 1)]}],
    "spells": {"race": [spell("Fog Cloud", 1, usesSpellSlot=False, limitedUse={
                   "maxUses": 1, "resetType": 2})],
               "item": [spell("Gust", 2)]},
    "spellSlots": [{"level": 1, "used": 2, "available": 0}],
    "conditions": [{"id": 4, "level": 1}, {"id": 12, "level": None}],
}  # fmt: skip


def read(data: Any) -> ImportedCreature:
    [creature] = with_acts_and_spells(dnd_beyond.import_data(data)).creatures
    return creature


def test_a_character_has_the_numbers_of_its_sheet() -> None:
    mara = read({"success": True, "data": MARA})
    assert (mara.name, mara.kind, mara.game) == ("Mara Fen", "pc", "5e")
    assert mara.type == "Half-Elf, Bard 3 (College of Rain)"
    assert (mara.level, mara.pb, mara.size, mara.languages) == (3, 2, "medium", ("Elvish",))
    assert mara.abilities == {"str": 8, "dex": 15, "con": 14, "int": 19, "wis": 12, "cha": 16}
    assert (mara.hp, mara.hp_left) == (20 + 3 * 2, 21)
    assert mara.ac == 12 + 2 + 2  # the ring isn't attuned
    assert mara.initiative == 2 + 5 + 1
    assert mara.saves == {"str": 0, "dex": 5, "con": 3, "int": 5, "wis": 2, "cha": 4}
    assert (mara.skills["stealth"], mara.skills["arcana"]) == (6, 5)
    assert (mara.passive_perception, mara.senses) == (12, {"darkvision": 60})
    assert (mara.speeds, mara.resist) == ({"walk": 30}, ("cold",))


def test_what_is_no_number_is_in_words() -> None:
    words = read(MARA).in_words
    assert words["conditions"] == "exhaustion 1, prone"
    assert words["spell slots used"] == "2 of level 1"
    assert words["temporary HP"] == "3"
    assert words["spells of items"] == "Gust"
    assert words["features"] == "Song"
    assert words["carries"].endswith("Torch x3") and "Sabre" not in words["carries"]


def test_weapons_and_actions_are_played() -> None:
    row = made_of(load_ruleset("5e"), read(MARA)).row
    assert row["attack"] == ['"Sabre +1" +5 1d8+3 piercing melee reach 5']
    squall, song = row["power"]
    assert squall.startswith('"Squall" action save con dc 13 2d6 thunder half')
    assert song == (
        '"Rain Song" bonus uses 3 per day text "A friend adds 1d6 to a roll, and regains +3 HP. '
        '1 used."'
    )


def test_spells_have_the_slots_of_their_class() -> None:
    casts = read(MARA).casts
    assert casts is not None
    assert (casts.slots, casts.dc, casts.bonus) == ((4, 2), 13, 5)
    assert casts.spells == (
        ImportedSpell("Mage Hand", 0),
        ImportedSpell("Sleep", 1, slot=True),
        ImportedSpell("Fog Cloud", 1, uses=1),
    )


def caster(name: str, level: int, **rules: Any) -> dict[str, Any]:
    definition = {"name": name, "canCastSpells": True, "spellCastingAbilityId": 6}
    return {"id": name, "level": level, "definition": definition | {"spellRules": rules}}


@pytest.mark.parametrize(
    ("classes", "slots", "pact"),
    [
        ((caster("Bard", 3), caster("Paladin", 5, multiClassSpellSlotDivisor=2)), (4, 3, 2),
         (0, 0)),
        ((caster("Warlock", 5),), (), (2, 3)),
        ((caster("Warlock", 1), caster("Bard", 1)), (2,), (1, 1)),
    ],
)  # fmt: skip
def test_slots_of_several_classes_are_by_the_sum_of_their_levels(
    classes: tuple[dict[str, Any], ...], slots: tuple[int, ...], pact: tuple[int, int]
) -> None:
    casts = read(MARA | {"classes": [*classes]}).casts
    assert casts is not None
    assert (casts.slots, casts.pact) == (slots, pact)


def monk() -> dict[str, Any]:
    staff = thing(
        "Staff", "Weapon", type="Quarterstaff", attackType=1, categoryId=1, isMonkWeapon=True,
        damage={"diceString": "1d4"}, damageType="Bludgeoning",
        properties=[{"name": "Versatile", "notes": "1d8"}],
    )  # fmt: skip
    arts = {"definition": {"name": "Martial Arts"}, "levelScale": {"dice": {"diceString": "1d6"}}}
    mara = copy.deepcopy(MARA) | {"inventory": [staff]}
    mara["classes"][0] |= {"classFeatures": [arts]}
    mara["modifiers"] = {
        "class": [
            modifier("set", "unarmored-armor-class", statId=5),
            modifier("bonus", "unarmored-movement", 10),
            modifier("set", "extra-attacks", 1),
            modifier("proficiency", "simple-weapons"),
        ]
    }
    fist = {
        "name": "Fist", "displayAsAttack": True, "attackTypeRange": 1, "isMartialArts": True,
        "isProficient": True, "damageTypeId": 1, "activation": {"activationType": 3},
    }  # fmt: skip
    return mara | {"actions": {"class": [fist]}}


def test_a_monk_fights_with_her_dexterity_and_her_own_die() -> None:
    creature = read(monk())
    assert (creature.ac, creature.speeds) == (10 + 2 + 1, {"walk": 40})
    row = made_of(load_ruleset("5e"), creature).row
    assert row["attack"] == ['"Staff" +4 1d6+2 bludgeoning melee reach 5']
    assert row["attacks"] == 2
    assert row["power"][1].startswith('"Fist" bonus +4 1d6+2 bludgeoning reach 5')


@pytest.mark.parametrize("wrong", [None, 7, [[]], {"a": 1}])
def test_fields_of_another_shape_bring_no_traceback(wrong: Any) -> None:
    for change in _changes(MARA, wrong):
        if dnd_beyond.matches(change):
            dnd_beyond.import_data(change)


@pytest.mark.parametrize(
    ("formula", "number"),
    [
        ("savedc:cha", "13"),
        ("modifier:str@min:1#unsigned", "1"),
        ("modifier:str+1#signed", "+0"),
        ("classlevel*5#unsigned", "15"),
        ("(classlevel/2)@rounddown", "1"),
        ("(classlevel/2)@roundup", "2"),
        ("modifier:cha+characterlevel*2", "9"),
        ("fathoms", "fathoms"),
    ],
)
def test_numbers_in_the_text_of_an_action_are_filled_in(formula: str, number: str) -> None:
    row = {"name": "Tide", "snippet": f"Rises {{{{{formula}}}}} feet.", "componentId": 7}
    mara = read(MARA | {"actions": {"class": [row]}})
    [text] = [row.text for row in mara.features if row.name == "Tide"]
    assert f"Rises {number} feet." in text

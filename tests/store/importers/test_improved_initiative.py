"""Improved Initiative's data in every form in which it is found."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.store.importers.files import MARSH_CRAB, PELL

from affray.core.rules.imported_creature import (
    ImportedAttack,
    ImportedCondition,
    ImportedCreature,
    ImportedDamage,
    ImportedSave,
)
from affray.store.importers import ImportContents, improved_initiative


def read(data: Any) -> ImportContents:
    assert improved_initiative.matches(data)
    return improved_initiative.import_data(data)


def crab() -> ImportedCreature:
    return read(MARSH_CRAB).creatures[0]


def test_a_stat_block_has_its_numbers_even_where_they_are_texts() -> None:
    made = crab()
    assert (made.name, made.hp, made.hp_dice, made.ac) == ("Marsh Crab", 19, "3d10+3", 14)
    assert (made.size, made.cr, made.initiative) == ("large", "1/2", 2)
    assert made.speeds == {"walk": 30, "swim": 20}
    assert (made.saves, made.skills, made.passive_perception) == ({"con": 3}, {"stealth": 3}, 9)


def test_a_resistance_to_weapons_that_are_not_magical_is_one() -> None:
    made = crab()
    assert (made.resist, made.immune) == (("cold", "mundane"), ("poison",))
    assert made.unhindered == ("poisoned",)
    assert "resistance, in words" not in made.in_words


def test_an_attack_is_read_from_its_sentence() -> None:
    claw = next(f for f in crab().features if f.name == "Claw")
    assert claw.attack == ImportedAttack(4, feet=5)
    assert claw.damage == (ImportedDamage("1d8+2", "bludgeoning"), ImportedDamage("1d4", "cold"))
    assert claw.inflicts == (ImportedCondition("grappled", "escape", 12),)


def test_a_save_is_read_with_what_failing_brings_and_how_it_recharges() -> None:
    spray = next(f for f in crab().features if f.name == "Brine Spray")
    assert spray.save == ImportedSave("dex", 12, half=True)
    assert (spray.failed, spray.recharge) == ((ImportedDamage("2d8", "cold"),), 5)


def test_html_does_not_come_over() -> None:
    assert crab().text == "Smells of low tide."


FORMS = {
    "a bare list": [MARSH_CRAB, PELL],
    "a full export": {
        "Creatures.a": MARSH_CRAB,
        "PersistentCharacters.b": {"Name": "Pell", "CurrentHP": 11, "StatBlock": PELL},
        "ImprovedInitiative.Settings": '{"Rules": {}}',
    },
    "a library's export": {"Creatures": ["a", "b"], "Creatures.a": MARSH_CRAB, "Creatures.b": PELL},
    "legacy storage": {
        "ImprovedInitiative.Creatures": '["a"]',
        "ImprovedInitiative.Creatures.a": json.dumps(MARSH_CRAB),
        "ImprovedInitiative.PlayerCharacters.b": json.dumps(PELL),
    },
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_its_creatures_and_characters(form: str) -> None:
    found = read(FORMS[form])
    assert [(c.name, c.kind) for c in found.creatures] == [
        ("Marsh Crab", "monster"),
        ("Pell", "pc"),
    ]


def test_a_character_keeps_the_hp_that_are_left() -> None:
    (pell,) = read({"PersistentCharacters.b": {"CurrentHP": 11, "StatBlock": PELL}}).creatures
    assert (pell.hp, pell.hp_left, pell.kind, pell.level) == (24, 11, "pc", 3)


def test_an_encounter_has_its_people_as_they_were() -> None:
    combatants = [
        {
            "StatBlock": MARSH_CRAB,
            "CurrentHP": 5,
            "TemporaryHP": 3,
            "Alias": "Old Nip",
            "Hidden": True,
            "Tags": [{"Text": "grappling Pell"}, "wet"],
        },
        {"StatBlock": PELL, "PersistentCharacterId": "b", "CurrentHP": 20},
    ]
    (meeting,) = read(
        {"SavedEncounters.e": {"Name": "Low Tide", "Combatants": combatants}}
    ).meetings
    nip, pell = meeting.members
    assert meeting.title == "Low Tide"
    assert (nip.creature, nip.called, nip.hp, nip.temp, nip.hidden) == (
        "Marsh Crab",
        "Old Nip",
        5,
        3,
        True,
    )
    assert nip.notes == ("grappling Pell", "wet")
    assert (pell.creature, pell.hp) == ("Pell", 20)


def test_a_posted_encounter_needs_no_more_than_names_and_hp() -> None:
    found = read({"Combatants": [{"Name": "Nemo", "HP": {"Value": 10}}, {"Id": "mm.goblin"}]})
    assert [(c.name, c.hp) for c in found.creatures] == [("Nemo", 10)]
    assert found.left == ("an encounter: a combatant without a name (mm.goblin)",)

"""Lists of spells, in the ways in which stat blocks and programs write them."""

from __future__ import annotations

from typing import Any

import pytest

from affray.core.rules.imported_creature import (
    ImportedFeature,
    ImportedSave,
    ImportedSpell,
    ImportedSpells,
)
from affray.store.importers import fivetools, foundry, stat_block, with_acts_and_spells
from affray.store.importers.spell_lists import cast_singly, read_spells


def listed(text: str, name: str = "Spellcasting", **more: Any) -> ImportedSpells:
    found = read_spells(ImportedFeature(name, "action", text, **more))
    assert found is not None
    return found


HEDGE_WITCH = (
    "The witch is a 5th-level spellcaster. Its spellcasting ability is Wisdom (spell save DC 13, "
    "+5 to hit with spell attacks). The witch has these spells prepared:\n"
    "• Cantrips (at will): light, mending\n"
    "• 1st level (4 slots): entangle*, fog cloud\n"
    "• 3rd level (2 slots): fireball\n"
    "* The witch has cast these before the fight."
)


def test_slots_and_the_levels_of_their_spells() -> None:
    found = listed(HEDGE_WITCH)
    assert (found.ability, found.dc, found.bonus, found.level) == ("wis", 13, 5, 5)
    assert found.slots == (4, 0, 2)
    assert found.spells == (
        ImportedSpell("light", 0),
        ImportedSpell("mending", 0),
        ImportedSpell("entangle", 1, slot=True),
        ImportedSpell("fog cloud", 1, slot=True),
        ImportedSpell("fireball", 3, slot=True),
    )


def test_uses_and_what_stands_in_brackets() -> None:
    found = listed(
        "It casts one of the following spells, using Charisma as the spellcasting ability (spell "
        "save DC 15):\nAt Will: fire bolt (2d10), jump (self only)\n"
        "2/Day Each: fireball (level 5 version), wind walk (as an action)\n1/rest: fly"
    )
    assert found.ability == "cha"
    assert found.spells == (
        ImportedSpell("fire bolt", dice="2d10", note="2d10"),
        ImportedSpell("jump", note="self only"),
        ImportedSpell("fireball", uses=2, raised=5, note="level 5 version"),
        ImportedSpell("wind walk", uses=2, takes="action", note="as an action"),
        ImportedSpell("fly", uses=1, per="rest"),
    )


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("It can innately cast fly, requiring no components. Its ability is Wisdom.", ["fly"]),
        ("It can cast mage hand and jump at will.", ["mage hand", "jump"]),
        ("Cantrips (at will): light\n mending\n 1st-level (2 slots): jump\n sleep",
         ["light", "mending", "jump", "sleep"]),
        ("3/day each:fog cloud,sleep and jump. It sleeps by day.", ["fog cloud", "sleep and jump"]),
        ("At will: light mage hand fog cloud jump water walk fly",
         ["light mage hand fog cloud jump water walk fly"]),
        ("1st-3rd level (2 3rd-level slots): fly, fear", ["fly", "fear"]),
    ],
)  # fmt: skip
def test_names(text: str, names: list[str]) -> None:
    assert [spell.name for spell in listed(text).spells] == names


def test_slots_that_are_all_of_one_level() -> None:
    assert listed("1st-3rd level (2 3rd-level slots): fly").pact == (2, 3)


def test_a_spell_by_itself_has_the_uses_of_its_text() -> None:
    found = listed("It can innately cast fly, requiring no components.", uses=1, per="day")
    assert found.spells == (ImportedSpell("fly", uses=1),)


@pytest.mark.parametrize(
    "text",
    [
        "While all three are near, they share the spell slots: 1st level (4 slots): sleep",
        "It has advantage on saves against spells and other magical effects.",
        "It senses where spells are cast within 100 feet.",
    ],
)
def test_what_lists_no_spells_of_its_own(text: str) -> None:
    assert read_spells(ImportedFeature("Sense", "trait", text)) is None


def test_a_list_costs_nothing_since_each_spell_is_cast_by_itself() -> None:
    text = "At will: light, jump"
    listing = ImportedFeature("Spellcasting", "action", text, save=ImportedSave("cha", 19))
    assert cast_singly([listing], [read_spells(listing)]) == (
        ImportedFeature("Spellcasting", "trait", text),
    )


def test_lines_of_a_note_that_stand_apart() -> None:
    given = {
        "0": {"name": "Spellcasting", "desc": "Its ability is Wisdom."},
        "traits": ["At will: fly"],
    }
    row = stat_block.parse_stat_block({"name": "Witch", "traits": given})
    assert row.features[0].text == "Its ability is Wisdom.\nAt will: fly"


def test_a_field_of_its_own_for_spells() -> None:
    spells = ["Its spellcasting ability is Wisdom.", {"1st level (2 slots)": "fly, jump"}]
    row = stat_block.parse_stat_block({"name": "Witch", "spells": spells})
    assert [s.name for s in listed(row.features[0].text).spells] == ["fly", "jump"]
    assert "spells" not in row.in_words


def test_5etools_has_them_by_level_and_by_uses() -> None:
    witch = {
        "name": "Witch", "hp": {"average": 9}, "ac": [12], "str": 10,
        "spellcasting": [{
            "name": "Spellcasting",
            "headerEntries": ["Its ability is Wisdom ({@dc 13})."],
            "will": ["{@spell light}"],
            "daily": {"2e": ["{@spell fly}", "{@spell fear}"]},
            "spells": {"0": {"spells": ["{@spell mending}"]},
                       "2": {"slots": 3, "spells": ["{@spell web}"]}},
        }],
    }  # fmt: skip
    found = with_acts_and_spells(fivetools.import_data([witch])).creatures[0].casts
    assert found is not None
    assert found.slots == (0, 3)
    assert found.spells == (
        ImportedSpell("light"),
        ImportedSpell("fly", uses=2),
        ImportedSpell("fear", uses=2),
        ImportedSpell("mending", 0),
        ImportedSpell("web", 2, slot=True),
    )


def test_foundry_has_those_of_characters_among_the_items() -> None:
    def spell(name: str, level: int, mode: str = "prepared", uses: str = "") -> dict[str, Any]:
        system = {"level": level, "preparation": {"mode": mode}, "uses": {"max": uses}}
        return {"name": name, "type": "spell", "system": system}

    actor = {
        "name": "Pell", "type": "character", "_stats": {"systemId": "dnd5e"},
        "items": [spell("Web", 2), spell("Light", 0), spell("Fly", 3, "innate", "1")],
        "system": {
            "abilities": {"int": {"value": 16}},
            "attributes": {"hp": {"value": 9, "max": 9}, "spellcasting": "int"},
            "details": {"level": 3}, "spells": {"spell1": {"value": 4}, "spell2": {"override": 2}},
        },
    }  # fmt: skip
    found = with_acts_and_spells(foundry.import_data([actor])).creatures[0].casts
    assert found is not None
    assert (found.slots, found.ability, found.dc) == ((4, 2), "int", 13)
    assert found.spells == (
        ImportedSpell("Web", 2, slot=True),
        ImportedSpell("Light", 0),
        ImportedSpell("Fly", 3, uses=1),
    )


def test_a_spell_that_recharges_stays_a_power() -> None:
    text = "The fiend casts Fireball (level 5 version) twice, requiring no components."
    assert read_spells(ImportedFeature("Spellcasting", "action", text, recharge=4)) is None


def test_slots_of_an_actor_count_for_the_levels_of_its_text() -> None:
    text = "It has these spells prepared:<p>1st-level: sleep, jump</p>"
    actor = {
        "name": "Witch", "type": "npc", "_stats": {"systemId": "a5e"},
        "items": [
            {"name": "Spellcasting", "type": "feature", "system": {"description": text}},
            {"name": "Sleep", "type": "spell", "system": {"level": 1}},
        ],
        "system": {
            "attributes": {"hp": {"baseMax": 9}},
            "spellResources": {"slots": {"1": {"max": 3}}},
        },
    }  # fmt: skip
    found = with_acts_and_spells(foundry.import_data([actor])).creatures[0].casts
    assert found is not None
    assert (found.slots, len(found.spells)) == ((3,), 2)


def test_levels_without_the_word_and_a_dc_in_the_name() -> None:
    found = listed(
        "5th (3 slots): Wall of Fire. 9th (1 slot): Wish", "Spellcasting (Spell Save DC 20)"
    )
    assert found.dc == 20
    assert (found.slots[4], found.slots[8]) == (3, 1)
    assert [(spell.name, spell.level) for spell in found.spells] == [
        ("Wall of Fire", 5),
        ("Wish", 9),
    ]

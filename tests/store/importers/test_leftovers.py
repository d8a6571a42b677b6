"""What of a stat block's values is no number stays in words; fields of an action are sentences."""

from __future__ import annotations

from typing import Any

import pytest

from affray.core.rules.imported_creature import ImportedCreature
from affray.store.importers.stat_block import parse_stat_block


def made(**fields: Any) -> ImportedCreature:
    return parse_stat_block({"name": "Wisp", "hp": 9, "ac": 12, **fields}, game="5e")


@pytest.mark.parametrize(
    ("hp", "most", "left", "dice", "words"),
    [
        ("28/38", 38, 28, "", {}),
        ("12 of 30 HP", 30, 12, "", {}),
        ("30/28", 30, None, "", {"HP, in words": "30/28"}),
        ("3d6", 10, None, "3d6", {}),
        ("22 (4d8 + 4)", 22, None, "4d8+4", {}),
        ("12 or so", 12, None, "", {"HP, in words": "12 or so"}),
        ("lots", None, None, "", {"HP": "lots"}),
    ],
)
def test_hp_are_a_number_a_part_of_one_or_dice(
    hp: str, most: int | None, left: int | None, dice: str, words: dict[str, str]
) -> None:
    wisp = made(hp=hp)
    assert (wisp.hp, wisp.hp_left, wisp.hp_dice, wisp.in_words) == (most, left, dice, words)


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("ac", "15 (natural armor)", {"armour": "natural armor"}),
        ("ac", "natural armor 13", {"armour": "natural armor"}),
        ("ac", "12, 15 with mage armor", {"armour": "15 with mage armor"}),
        ("ac", "plate", {"AC": "plate"}),
        ("level", "3 or 4", {"level, in words": "3 or 4"}),
        ("level", "3rd", {}),
        ("initiative", "+3 (13)", {}),
        ("initiative", "+2 with advantage", {"initiative, in words": "+2 with advantage"}),
        ("stats", ["weak", 12, 13, 1, 9, 3], {"abilities, in words": "str weak"}),
        ("stats", {"str": 12, "dex": "good"}, {"abilities, in words": "dex good"}),
        ("stats", {"str": 12, "luck": 4}, {"abilities, in words": "luck 4"}),
        ("stats", [1, 2, 3], {"abilities": "1 2 3"}),
        ("saves", "Dex +4, Luck +2", {"saves, in words": "luck +2"}),
        ("saves", {"dex": 4, "con": None, "luck": 2}, {"saves, in words": "luck +2"}),
        ("saves", ["Dex +4", "brave"], {"saves, in words": "brave"}),
        ("skillsaves", "Stealth +3, Lore", {"skills, in words": "Lore"}),
        ("speed", "fast", {"speed, in words": "fast"}),
        ("speed", {"walk": 30, "teleport": 60}, {"speed, in words": "teleport 60"}),
        ("speed", "30 ft., teleport 60 ft.", {"speed, in words": "teleport 60 ft."}),
        ("speed", {"walk": 30, "fly": 60, "hover": True}, {}),
        ("speed", "30 ft., fly 60 ft. (hover)", {}),
        ("senses", {"darkvision": "far"}, {"senses, in words": "darkvision far"}),
    ],
)
def test_what_is_no_number_stays_in_words(field: str, value: Any, words: dict[str, str]) -> None:
    assert made(**{field: value}).in_words == words


def test_three_scores_are_nobodys_and_an_initiative_of_dice_is_dexteritys() -> None:
    assert made(stats=[1, 2, 3]).abilities == {}
    assert made(saves=["Dex +4", "brave"]).saves == {"dex": 4}
    odd = made(stats={"dex": 14}, initiative="1d20+3")
    assert (odd.initiative, odd.in_words) == (2, {"initiative, in words": "1d20+3"})


CLAW = "Melee Weapon Attack: +4 to hit, reach 5 ft. Hit: 5 (1d6 + 2) slashing damage."


@pytest.mark.parametrize(
    ("fields", "text", "bonus", "damage"),
    [
        (
            {"attack_bonus": 5, "damage": "1d6+3", "damage_type": "piercing"},
            "Attack: +5 to hit. Hit: 1d6+3 piercing damage.", 5, [("1d6+3", "piercing")],
        ),
        (
            {"toHit": "+5", "damage": 7, "type": "Fire", "desc": "The target is prone."},
            "Attack: +5 to hit. Hit: 7 fire damage. The target is prone.", 5, [("7", "fire")],
        ),
        (
            {"to_hit": 5, "damage": [
                {"damage_dice": "1d6", "damage_bonus": 2, "damage_type": {"name": "Cold"}},
                {"damage_dice": "1d4", "damage_type": {"name": "Fire"}},
            ]},
            "Attack: +5 to hit. Hit: 1d6+2 cold damage plus 1d4 fire damage.", 5,
            [("1d6+2", "cold"), ("1d4", "fire")],
        ),
        (
            {"desc": CLAW, "attack_bonus": 4, "damage_dice": "1d6", "damage_bonus": 2, "id": 3},
            CLAW, 4, [("1d6+2", "slashing")],
        ),
        (
            {"desc": CLAW, "attack_bonus": 7, "range": "20/60"},
            f"{CLAW} attack bonus: 7; range: 20/60", 4, [("1d6+2", "slashing")],
        ),
    ],
    ids=["alone", "before a text", "a list of damage", "said in the text", "another number"],
)  # fmt: skip
def test_fields_of_an_action_are_sentences_of_its_text(
    fields: dict[str, Any], text: str, bonus: int, damage: list[tuple[str, str]]
) -> None:
    [bite] = made(actions=[{"name": "Bite", **fields}]).features
    assert bite.attack is not None and (bite.text, bite.attack.bonus) == (text, bonus)
    assert [(part.dice, part.type) for part in bite.damage] == damage


def test_rows_under_numbers_keep_their_fields_too() -> None:
    [bite] = made(actions={"0": {"name": "Bite", "attack_bonus": 5, "damage": "1d6"}}).features
    assert bite.text == "Attack: +5 to hit. Hit: 1d6 damage."


def test_a_recharge_in_a_field_of_its_own_counts() -> None:
    [howl] = made(actions=[{"name": "Howl", "desc": "It howls.", "recharge": "5-6"}]).features
    assert (howl.name, howl.recharge, howl.text) == ("Howl", 5, "It howls.")


def test_a_recharge_of_an_action_without_a_name_makes_no_name() -> None:
    rows = [{"name": None, "desc": "It howls.", "recharge": "5-6"}]
    assert [row.name for row in made(actions=rows).features if "None" in row.name] == []


def test_a_spell_with_a_text_of_its_own_is_an_action_with_its_name() -> None:
    """All such were one power, `Spellcasting`, in which nobody could use one."""
    text = "Each creature in a 15-foot cone makes a DC 13 Dexterity saving throw, taking 10 (3d6) "
    fire = {"name": "Fan of Fire", "level": 1, "desc": f"{text}fire damage on a failed save."}
    wisp = made(spells=["At will: light", fire])
    assert [row.name for row in wisp.features] == ["Fan of Fire", "Spellcasting"]
    fan, lists = wisp.features
    assert fan.save is not None and fan.save.dc == 13 and fan.text.endswith("level: 1")
    assert lists.text == "At will: light"

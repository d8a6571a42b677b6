"""Values of other programs' files, read alike in whichever way they are written."""

from __future__ import annotations

from typing import Any

import pytest

from affray.store.importers.stat_block import parse_stat_block
from affray.store.importers.values import (
    hovers,
    passive_perception,
    to_bonuses,
    to_challenge,
    to_clean_text,
    to_dice,
    to_int,
    to_senses,
    to_speeds,
)


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("It smells.\n##### Variants\nSome glow.", "It smells.\nVariants\nSome glow."),
        ("  ## Yeth", "Yeth"),
        ("the #1 hound of #Nethermere", "the #1 hound of #Nethermere"),
        ("**Bite.** It _bites_.", "Bite. It bites."),
        ("<p>Low &amp; wet.</p><p>Old.</p>", "Low & wet.\nOld."),
        ("takes [[/r {6d10}[acid]]]{6d10 damage}", "takes 6d10 damage"),
        ("deals [[/r {2d8}[fire]]] at once", "deals 2d8 fire at once"),
        ("or fall {prone}; {{Mud}}", "or fall prone; {{Mud}}"),
        ("{@hitYourSpellAttack} to hit", "your spell attack modifier to hit"),
        (
            "for [[/br 2d6 #rounds]]{2d6 rounds}, then [[1d4]]{some} more",
            "for 2d6 rounds, then some more",
        ),
        ("in [[Low Fens|the fens]] with [[Mud]]", "in the fens with Mud"),
    ],
)
def test_of_a_text_the_words_are_kept_and_the_marks_are_not(written: str, shown: str) -> None:
    assert to_clean_text(written) == shown


@pytest.mark.parametrize(
    ("speed", "expected"),
    [
        ("30 ft., fly 60 ft. (hover)", True),
        (["fly 60 ft. (hover)"], True),
        ({"fly": 60, "hover": True}, True),
        ({"fly": {"number": 60}, "canHover": True}, True),
        ({"fly": "60 (hover)"}, True),
        ({"fly": 60, "hover": False}, False),
        ("fly 60 ft.", False),
        (None, False),
    ],
)
def test_whether_somebody_hovers_is_said_in_many_ways(speed: Any, expected: bool) -> None:
    assert hovers(speed) == expected


@pytest.mark.parametrize(
    "said",
    [
        "blindsight 30 ft., passive Perception 9",
        ["blindsight 30 ft.", "passive Perception 9"],
    ],
)
def test_senses_may_be_a_text_or_a_list(said: Any) -> None:
    assert to_senses(said) == {"blindsight": 30}
    assert passive_perception(said) == 9


def test_senses_may_be_a_table() -> None:
    assert to_senses({"blindsight": 30.0, "truesight": None}) == {"blindsight": 30}


@pytest.mark.parametrize(
    ("written", "rating"),
    [
        ("0.500", "1/2"),
        (0.25, "1/4"),
        ("11.000", "11"),
        ("1/8 (25 XP)", "1/8"),
        ({"cr": "9"}, "9"),
        ("½", "1/2"),
        ("¼ (50 XP)", "1/4"),
        ("⅛", "1/8"),
    ],
)
def test_a_challenge_rating_is_told_as_stat_blocks_write_it(written: Any, rating: str) -> None:
    assert to_challenge(written) == rating


def test_an_overland_speed_is_none_of_a_fight() -> None:
    assert to_speeds("4 (ice stride), fly 10 (hover), overland flight 15") == {"walk": 4, "fly": 10}


def test_senses_may_be_without_commas() -> None:
    text = "blindsight 10 ft. darkvision 60 ft., passive Perception 9"
    assert to_senses(text) == {"blindsight": 10, "darkvision": 60}


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("1,000", 1000), ("1.000", 1000), ("1 000", 1000), ("1\u202f000", 1000), ("1'000", 1000),
        ("12,500 (90d20)", 12500), ("17 (chain mail)", 17), ("15,16", 15),
        ("0.125", 0), ("−1,000", -1000), ("1,0000", 1),
    ],
)  # fmt: skip
def test_thousands_may_stand_apart(written: str, number: int) -> None:
    assert to_int(written) == number


@pytest.mark.parametrize(
    ("written", "dice"),
    [
        ("1d4 + -1", "1d4-1"), ("1d4+(-1)", "1d4-1"), ("(d6)", "1d6"), ("D6", "1d6"),
        ("2d6−1", "2d6-1"), ("2d6 – 1", "2d6-1"), ("1d4 - -1", "1d4+1"), ("(4d8 + 4)", "4d8+4"),
        ("2d6+1d4+2", "2d6+1d4+2"), ("2d6+1+2", "2d6+3"), ("1d4+0", "1d4"), ("8", ""), ("d", ""),
        ("2(1d6)", ""), ("1d6x", ""), ("", ""), ("8d1", ""),
    ],
)  # fmt: skip
def test_dice_are_read_as_people_write_them(written: str, dice: str) -> None:
    assert to_dice(written) == dice


def test_a_speed_in_brackets_is_another_forms() -> None:
    """Lycanthropes and their like; what is dropped stands in the text."""
    assert to_speeds("30 ft. (20 ft. and swim 40 ft. in hybrid form)") == {"walk": 30}
    assert to_speeds("30 ft. (40 ft., climb 30 ft. in bear form), fly 20 ft. (hover)") == {
        "walk": 30,
        "fly": 20,
    }


def test_a_blank_may_stand_behind_the_sign_of_a_bonus() -> None:
    assert to_bonuses("Dex +8, Con + 5, Wis: − 1") == {"dex": 8, "con": 5, "wis": -1}


@pytest.mark.parametrize(
    "written",
    ["10, 14, 12, 8, 15, 16", "10 14 12 8 15 16", "STR 10 (+0) DEX 14 (+2) CON 12 (+1) INT 8 (-1) "
     "WIS 15 (+2) CHA 16 (+3)", "Str: 10, Dex: 14, Con: 12, Int: 8, Wis: 15, Cha: 16"],
)  # fmt: skip
def test_ability_scores_may_be_a_text(written: str) -> None:
    made = parse_stat_block({"name": "Crab", "hp": 5, "stats": written})
    assert [*made.abilities.values()] == [10, 14, 12, 8, 15, 16]


def test_ability_scores_that_are_none_stay_a_text() -> None:
    made = parse_stat_block({"name": "Crab", "hp": 5, "stats": "strong"})
    assert (made.abilities, made.in_words["abilities"]) == ({}, "strong")

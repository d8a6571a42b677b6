"""Values of other programs' files, read alike in whichever way they are written."""

from __future__ import annotations

from typing import Any

import pytest

from affray.store.importers.values import (
    hovers,
    passive_perception,
    to_challenge,
    to_clean_text,
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
    [("0.500", "1/2"), (0.25, "1/4"), ("11.000", "11"), ("1/8 (25 XP)", "1/8"), ({"cr": "9"}, "9")],
)
def test_a_challenge_rating_is_told_as_stat_blocks_write_it(written: Any, rating: str) -> None:
    assert to_challenge(written) == rating


def test_an_overland_speed_is_none_of_a_fight() -> None:
    assert to_speeds("4 (ice stride), fly 10 (hover), overland flight 15") == {"walk": 4, "fly": 10}


def test_senses_may_be_without_commas() -> None:
    text = "blindsight 10 ft. darkvision 60 ft., passive Perception 9"
    assert to_senses(text) == {"blindsight": 10, "darkvision": 60}

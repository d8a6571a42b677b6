"""What rule systems share who make rows of other programs' creatures."""

from __future__ import annotations

import pytest

from affray.core.rules.imported import Attack, Creature, Damage, Feature, Infliction
from affray.core.rules.read_tables import read_tables
from affray.rulekit import imports

OGRE = Creature(name="Ogre", game="5e", hp=30, resist=("fire", "radiant"), immune=("cold",))


def test_a_row_has_what_the_creature_has_and_says_what_is_in_it() -> None:
    row = imports.begun(OGRE)
    row.put("size", "size", "large")
    row.put("speed", "speed", None)
    assert (row.words, row.taken) == ({"hp": 30, "size": "large"}, ["HP", "size"])


@pytest.mark.parametrize(
    ("known", "said", "taken"),
    [(("fire", "radiant"), "fire,radiant", True), (("fire",), "fire", False), ((), None, False)],
)
def test_types_of_damage_are_put_in_as_far_as_the_game_knows_them(
    known: tuple[str, ...], said: str | None, taken: bool
) -> None:
    row = imports.begun(OGRE)
    for stat, part, kinds in imports.against(OGRE)[:1]:
        row.put_kinds(stat, part, kinds, known)
    assert (row.words.get("resist"), "resistance" in row.taken) == (said, taken)


def test_types_are_put_behind_what_the_word_says_already() -> None:
    row = imports.begun(OGRE)
    row.put_kinds("immune", "immunity", ("cold",), ("cold",))
    row.put_kinds("immune", "conditions", ("prone",), ("prone",))
    assert row.words["immune"] == "cold,prone"


def test_no_two_features_have_one_name_and_none_is_too_long() -> None:
    thrown = Attack(5, reach="ranged")
    rows = [
        Feature("Dagger", attack=Attack(5)),
        Feature("dagger", attack=thrown),
        Feature("Howl"),
        Feature("Howl"),
        Feature("Ear-splitting Howl of the Whole Wolf Pack at Midnight"),
        Feature('The "Great"  Howl'),
    ]
    named = imports.named_apart(rows)
    assert [row.name for row in named] == [
        "Dagger",
        "dagger (ranged)",
        "Howl",
        "Howl 2",
        "Ear-splitting Howl of the Whole Wolf…",
        "The 'Great' Howl",
    ]
    assert named[4].text == "Ear-splitting Howl of the Whole Wolf Pack at Midnight."


def test_of_a_name_that_is_a_list_the_text_has_all() -> None:
    [spells] = imports.named_apart([Feature("3/day each: gust of the fens, hold the ford, rime")])
    assert spells.name == "3/day each"
    assert spells.text.startswith("3/day each: gust of the fens, hold the ford, rime.")


def test_what_a_sheet_can_inflict_is_said_and_the_rest_is_left() -> None:
    left: list[str] = []
    rows = [
        Infliction("grappled", dc=14),
        Infliction("slowed", "end of source"),
        Infliction("petrified", "save"),
        Infliction("persistent", damage=Damage("1d6", "fire")),
    ]
    said = imports.inflicts(rows, ("grappled", "slowed"), left, damage="ongoing")
    assert said == "inflicts grappled 14 inflicts slowed user-end inflicts ongoing 1d6 fire"
    assert left == ["inflicts petrified"]


def test_damage_that_goes_on_is_left_where_the_game_has_none() -> None:
    left: list[str] = []
    burns = Infliction("persistent", damage=Damage("1d6", "fire"))
    assert (imports.inflicts([burns], ("persistent",), left), left) == ("", ["inflicts persistent"])


def test_damage_has_its_type_where_the_game_knows_it() -> None:
    left: list[str] = []
    told = [imports.typed(Damage("2d6+3", kind), ("cold",), left) for kind in ("cold", "force", "")]
    assert (told, left) == (["2d6+3 cold", "2d6+3", "2d6+3"], ["force damage"])


def test_a_text_is_quoted_on_one_line() -> None:
    assert imports.quoted('It says\n "boo"  twice') == "\"It says 'boo' twice\""


@pytest.mark.parametrize(("game", "own"), [("", True), ("5e", True), ("orcus", False)])
def test_numbers_mean_the_same_in_a_list_and_in_the_games_that_are_named(
    game: str, own: bool
) -> None:
    assert imports.is_own(Creature(name="Ogre", game=game), "5e") is own


def test_numbers_of_a_list_are_whole_ones_of_up_to_three_digits() -> None:
    said = {"fatigue": "3", "cr": "1/2", "level": "1234"}
    ogre = Creature(name="Ogre", said=said)
    assert imports.some(ogre, "fatigue", "cr", "level", "luck") == {"fatigue": 3}


def test_a_game_that_only_counts_has_hp_armour_speed_types_and_its_own_tracks() -> None:
    ogre = Creature(
        name="Ogre", game="5e", hp=30, ac=14, initiative=-1, resist=("fire",), said={"dread": "2"}
    )
    tables = read_tables({"tracks": {"dread": {"label": "Dread"}}})
    row = imports.counted(tables, ogre)
    assert row.row == {"hp": 30, "ac": 14, "init": -1, "resist": "fire", "dread": 2}

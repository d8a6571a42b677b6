"""What rule systems share who make rows of other programs' creatures."""

from __future__ import annotations

import pytest

from affray.core.rules.imported_creature import (
    ImportedAttack,
    ImportedCondition,
    ImportedCreature,
    ImportedDamage,
    ImportedFeature,
)
from affray.core.rules.tables import read_tables
from affray.mechanics import import_creature

OGRE = ImportedCreature(name="Ogre", game="5e", hp=30, resist=("fire", "radiant"), immune=("cold",))


def test_a_row_has_what_the_creature_has_and_says_what_is_in_it() -> None:
    row = import_creature.start_row(OGRE)
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
    row = import_creature.start_row(OGRE)
    for stat, part, kinds in import_creature.resistances(OGRE)[:1]:
        row.put_kinds(stat, part, kinds, known)
    assert (row.words.get("resist"), "resistance" in row.taken) == (said, taken)


def test_types_are_put_behind_what_the_word_says_already() -> None:
    row = import_creature.start_row(OGRE)
    row.put_kinds("immune", "immunity", ("cold",), ("cold",))
    row.put_kinds("immune", "conditions", ("prone",), ("prone",))
    assert row.words["immune"] == "cold,prone"


def test_no_two_features_have_one_name_and_none_is_too_long() -> None:
    thrown = ImportedAttack(5, reach="ranged")
    rows = [
        ImportedFeature("Dagger", attack=ImportedAttack(5)),
        ImportedFeature("dagger", attack=thrown),
        ImportedFeature("Howl"),
        ImportedFeature("Howl"),
        ImportedFeature("Ear-splitting Howl of the Whole Wolf Pack at Midnight"),
        ImportedFeature('The "Great"  Howl'),
    ]
    named = import_creature.unique_names(rows)
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
    [spells] = import_creature.unique_names(
        [ImportedFeature("3/day each: gust of the fens, hold the ford, rime")]
    )
    assert spells.name == "3/day each"
    assert spells.text.startswith("3/day each: gust of the fens, hold the ford, rime.")


def test_what_a_sheet_can_inflict_is_said_and_the_rest_is_left() -> None:
    left: list[str] = []
    rows = [
        ImportedCondition("grappled", dc=14),
        ImportedCondition("slowed", "end of source"),
        ImportedCondition("petrified", "save"),
        ImportedCondition("persistent", damage=ImportedDamage("1d6", "fire")),
    ]
    said = import_creature.inflicts(rows, ("grappled", "slowed"), left, damage="ongoing")
    assert said == "inflicts grappled 14 inflicts slowed user-end inflicts ongoing 1d6 fire"
    assert left == ["inflicts petrified"]


def test_damage_that_goes_on_is_left_where_the_game_has_none() -> None:
    left: list[str] = []
    burns = ImportedCondition("persistent", damage=ImportedDamage("1d6", "fire"))
    assert (import_creature.inflicts([burns], ("persistent",), left), left) == (
        "",
        ["inflicts persistent"],
    )


def test_damage_has_its_type_where_the_game_knows_it() -> None:
    left: list[str] = []
    told = [
        import_creature.damage_with_type(ImportedDamage("2d6+3", kind), ("cold",), left)
        for kind in ("cold", "force", "")
    ]
    assert (told, left) == (["2d6+3 cold", "2d6+3", "2d6+3"], ["force damage"])


def test_a_text_is_quoted_on_one_line() -> None:
    assert import_creature.quoted('It says\n "boo"  twice') == "\"It says 'boo' twice\""


@pytest.mark.parametrize(("game", "own"), [("", True), ("5e", True), ("orcus", False)])
def test_numbers_mean_the_same_in_a_list_and_in_the_games_that_are_named(
    game: str, own: bool
) -> None:
    assert import_creature.is_same_system(ImportedCreature(name="Ogre", game=game), "5e") is own


def test_numbers_of_a_list_are_whole_ones_of_up_to_three_digits() -> None:
    said = {"fatigue": "3", "cr": "1/2", "level": "1234"}
    ogre = ImportedCreature(name="Ogre", in_words=said)
    assert import_creature.known_numbers(ogre, "fatigue", "cr", "level", "luck") == {"fatigue": 3}


def test_a_game_that_only_counts_has_hp_armour_speed_types_and_its_own_tracks() -> None:
    ogre = ImportedCreature(
        name="Ogre",
        game="5e",
        hp=30,
        ac=14,
        initiative=-1,
        resist=("fire",),
        in_words={"dread": "2"},
    )
    tables = read_tables({"tracks": {"dread": {"label": "Dread"}}})
    row = import_creature.generic_row(tables, ogre)
    assert row.row == {"hp": 30, "ac": 14, "init": -1, "resist": "fire", "dread": 2}

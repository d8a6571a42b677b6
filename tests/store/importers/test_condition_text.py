"""What the sentences of stat blocks say of saves and conditions, in all their ways."""

from __future__ import annotations

import pytest

from affray.core.rules.imported_creature import (
    ImportedCondition,
    ImportedDamage,
    ImportedSave,
)
from affray.store.importers.condition_text import parse_conditions
from affray.store.importers.feature_text import parse_feature, save_of

HIT = "Melee Weapon Attack: +5 to hit, reach 5 ft., one target. Hit: "


def test_who_succeeds_takes_nothing_of_what_a_failure_brings() -> None:
    said = "Each foe makes a DC 12 Wisdom saving throw. Each creature that succeeds on the saving "
    made = parse_feature("Word", f"{said}throw takes 10 (3d6) thunder damage.", "action")
    assert (made.save, made.failed) == (ImportedSave("wis", 12), ())


def test_who_is_small_enough_is_grappled_and_restrained() -> None:
    said = "5 (1d10) bludgeoning damage. If the target is Medium or smaller, it is grappled "
    made = parse_feature("Coil", f"{HIT}{said}(escape DC 13) and restrained.", "action")
    assert [row.condition for row in made.inflicts] == ["grappled", "restrained"]


def test_who_is_pulled_and_grappled_can_escape() -> None:
    said = "5 (1d10) damage and the target is pulled 5 feet and grappled (escape DC 12). It can "
    made = parse_feature("Noose", f"{HIT}{said}choose one creature to let go.", "action")
    assert made.inflicts == (ImportedCondition("grappled", "escape", 12),)


def test_a_save_is_told_from_a_check() -> None:
    found = save_of(
        "must make a DC 12 Strength check or a DC 14 Dexterity saving throw, taking half"
    )
    assert found is not None and found[0] == ImportedSave("dex", 14)
    assert save_of("succeeds on a DC 12 Strength check") is None
    modern = save_of("Constitution Saving Throw: DC 13. Failure: 7 (2d6) damage. Half damage.")
    assert modern is not None and modern[0] == ImportedSave("con", 13, half=True)


@pytest.mark.parametrize(
    ("text", "inflicted"),
    [
        ("and the target is grappled (escape DC 14) and restrained.",
         [ImportedCondition("grappled", "escape", 14), ImportedCondition("restrained")]),
        ("The target is knocked prone.", [ImportedCondition("prone")]),
        ("It is blinded until the end of its next turn.",
         [ImportedCondition("blinded", "end of bearer")]),
        ("It is stunned until the start of the crab's next turn.",
         [ImportedCondition("stunned", "start of source")]),
        ("It is charmed. The target repeats the saving throw each turn.",
         [ImportedCondition("charmed", "repeat")]),
        ("A creature that fails the save is also blinded.", [ImportedCondition("blinded")]),
        ("It takes 5 (1d10) ongoing fire damage.",
         [ImportedCondition("ongoing", damage=ImportedDamage("1d10", "fire"))]),
        ("If the target is already grappled, it is restrained.", []),
        ("On a success, it is immune to being charmed.", []),
        ("It suffers one of the following: it is blinded, or it is deafened.", []),
        ("It has advantage against a grappled creature.", []),
        ("The target has the Prone condition.", [ImportedCondition("prone")]),
        ("The target has the Blinded and Deafened conditions until the end of its next turn.",
         [ImportedCondition("blinded", "end of bearer"),
          ImportedCondition("deafened", "end of bearer")]),
        ("It has the Grappled condition (escape DC 13).",
         [ImportedCondition("grappled", "escape", 13)]),
        ("It must succeed on the save or be knocked prone.", [ImportedCondition("prone")]),
        ("If the target is a creature it is grappled (escape DC 17).",
         [ImportedCondition("grappled", "escape", 17)]),
        ("The target takes 3 (1d6) damage, or 7 (2d6) if it is frightened.", []),
        ("It bites one target that is grappled, restrained, or willing.", []),
        ("The creature is blinded or deafened for 1 minute, as the crab likes.", []),
        ("Instead of dealing damage, the crab has the target restrained or is prone.", []),
        ("It is poisoned and can re-save at end of each of its turns.",
         [ImportedCondition("poisoned", "repeat")]),
    ],
)  # fmt: skip
def test_what_is_inflicted_and_for_how_long(text: str, inflicted: list[ImportedCondition]) -> None:
    assert [*parse_conditions(text)] == inflicted


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("must make a DC 17 Con save or be poisoned.", ImportedSave("con", 17)),
        (
            "takes half damage with a successful DC 14 Dexterity saving throw.",
            ImportedSave("dex", 14),
        ),
        ("9 (2d8) fire damage (DC 12 Dex half).", ImportedSave("dex", 12, half=True)),
        ("DC 12 Str negates.", ImportedSave("str", 12)),
        ("a DC 15 STR check frees it", None),
    ],
)
def test_a_save_in_short(text: str, asked: ImportedSave | None) -> None:
    found = save_of(text)
    assert (found.save if found else None) == asked


def test_what_a_save_keeps_off_may_stand_before_it() -> None:
    fire = parse_feature(
        "Fire", "Each creature nearby takes 9 (2d8) fire damage (DC 12 Dex half).", "action"
    )
    assert (fire.save, fire.failed) == (
        ImportedSave("dex", 12, half=True),
        (ImportedDamage("2d8", "fire"),),
    )
    shove = parse_feature(
        "Shove", "The target is knocked prone (DC 12 Str negates prone).", "action"
    )
    assert (shove.save, shove.binds) == (ImportedSave("str", 12), (ImportedCondition("prone"),))


def test_what_a_second_failure_or_a_success_brings_is_for_people_to_read() -> None:
    text = (
        "Constitution Saving Throw: DC 13. First Failure: The target has the Restrained condition. "
        " Second Failure: The target has the Petrified condition. Success: It is prone."
    )
    assert parse_feature("Gaze", text, "action").binds == (ImportedCondition("restrained"),)


def test_half_on_a_success_is_half() -> None:
    said = "It makes a DC 25 Dexterity saving throw. It takes 27 (5d10) fire damage on a failure "
    made = parse_feature("Spit", f"{said}or half on a success.", "action")
    assert made.save == ImportedSave("dex", 25, half=True)


@pytest.mark.parametrize(
    "text",
    [
        "Each creature near takes 9 (2d8) cold damage and is knocked prone; a successful DC 15 "
        "Dexterity saving throw halves the damage.",
        "Each creature near takes 9 (2d8) cold damage and is knocked prone, or takes half damage "
        "and isn't knocked prone with a successful DC 15 Dexterity saving throw.",
        "Each creature near takes 9 (2d8) cold damage, or half damage with a successful DC 15 "
        "Dexterity saving throw. A creature that fails its saving throw is knocked prone.",
    ],
)
def test_a_save_may_stand_behind_what_it_keeps_off(text: str) -> None:
    gust = parse_feature("Gust", text, "action")
    assert gust.save == ImportedSave("dex", 15, half=True)
    assert gust.failed == (ImportedDamage("2d8", "cold"),)
    assert gust.binds == (ImportedCondition("prone"),)


@pytest.mark.parametrize(
    ("text", "half"),
    [
        ("takes 9 (2d8) cold damage, taking half on a success.", True),
        ("takes 9 (2d8) cold damage, and half on success.", True),
        ("takes 9 (2d8) cold damage. A success reduces the damage by half.", True),
        ("takes 9 (2d8) cold damage. A success reduces damage to half.", True),
        ("takes 9 (2d8) cold damage. It is healed by half of the damage.", False),
    ],
)
def test_half_is_said_in_many_ways(text: str, half: bool) -> None:
    row = parse_feature("Gust", f"On a failed DC 15 Dexterity saving throw it {text}", "action")
    assert row.save == ImportedSave("dex", 15, half=half)


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("On a hit, if the target is a creature, it is grappled.", "grappled"),
        ("When hit the target is grappled.", "grappled"),
        ("If the creature fails, it is charmed for 1 minute.", "charmed"),
        ("It is thrown in a random direction and is knocked prone.", "prone"),
        ("The engulfed creature can't breathe, is restrained, and is in darkness.", "restrained"),
    ],
)
def test_a_sentence_may_begin_with_what_holds_anyway(text: str, condition: str) -> None:
    assert [row.condition for row in parse_conditions(text)] == [condition]


def test_of_two_abilities_to_save_with_the_first_is_taken() -> None:
    text = "It makes a DC 16 Strength or Dexterity saving throw or is knocked prone."
    row = parse_feature("Leap", text, "action")
    assert (row.save, row.binds) == (ImportedSave("str", 16), (ImportedCondition("prone"),))


@pytest.mark.parametrize(
    "text",
    [
        "If the save fails by 5 or more, the target is instead unconscious.",
        "A creature that fails the save by 5+ is also blinded.",
        "On a second failed save, the creature is blinded.",
        "It must make a successful DC 17 Strength check or be knocked prone.",
        "A swallowed creature is blinded and restrained.",
        "Failure: If the target has 20 Hit Points or fewer, it has the Unconscious condition.",
        "It has disadvantage on the next save it makes against being knocked prone.",
        "It keeps its immunity to being grappled, restrained, or blinded.",
        "The wall lasts until the devil is blinded or dies.",
        "The creature repeats the save at the end of its turn, becoming blinded on a failure.",
        "The target is knocked prone, or drops what it holds (the boggard's choice).",
    ],
)
def test_what_comes_in_some_case_alone_is_not_laid(text: str) -> None:
    assert parse_conditions(text) == ()


@pytest.mark.parametrize(
    ("text", "conditions"),
    [
        ("The target is swallowed. A swallowed creature is blinded and restrained.",
         "blinded restrained"),
        ("The target must succeed or be permanently blinded.", "blinded"),
        ("If the saving throw fails, the target is poisoned.", "poisoned"),
        ("If it otherwise fails the save, it is restrained.", "restrained"),
        ("Until this grapple ends the target is restrained and can't breathe.", "restrained"),
        ("Until this disease is cured the target is poisoned.", "poisoned"),
        ("31 (9d6) slashing damage and blinded until end of its next turn", "blinded"),
        ("If target is a Large or smaller creature it is grappled (escape DC 18).", "grappled"),
        ("All it picks within 120' and aware of it frightened 1 min", "frightened"),
        ("It must make a save against poison or be poisoned for 1 minute.", "poisoned"),
    ],
)  # fmt: skip
def test_what_always_comes_is_laid(text: str, conditions: str) -> None:
    assert [row.condition for row in parse_conditions(text)] == conditions.split()


def test_what_comes_of_another_save_is_none_of_the_first() -> None:
    asked = save_of(
        "Each creature must succeed on a DC 15 Dexterity saving throw or be knocked prone. If it "
        "is a beast, it must succeed on a DC 12 Wisdom saving throw or be blinded."
    )
    assert asked is not None
    assert [row.condition for row in parse_conditions(asked.failed)] == ["prone"]
    swallowed = parse_feature(
        "Maw",
        "It must succeed on a DC 19 Dexterity saving throw or be swallowed. A swallowed creature "
        "is blinded.If the worm is hurt, it must succeed on a DC 21 Constitution saving throw.",
        "action",
    )
    assert [row.condition for row in swallowed.binds] == ["blinded"]


@pytest.mark.parametrize(
    ("hit", "damage", "failed", "binds"),
    [
        ("7 (2d4 + 2) bludgeoning damage and target knocked prone (DC 12 Str negates).",
         "2d4+2", "", "prone"),
        ("16 (2d12 + 3) piercing damage + 7 (2d6) cold. It is poisoned (DC 16 Con negates).",
         "2d12+3 2d6", "", "poisoned"),
        ("5 (1d4 + 3) piercing damage. Also 5 (2d4) poison (DC 13 Con half).", "1d4+3", "2d4", ""),
    ],
)  # fmt: skip
def test_a_save_in_brackets_keeps_off_no_more_of_a_hit_than_stands_before_it(
    hit: str, damage: str, failed: str, binds: str
) -> None:
    row = parse_feature("Tail", HIT + hit, "action")
    assert [part.dice for part in row.damage] == damage.split()
    assert [part.dice for part in row.failed] == failed.split()
    assert [part.condition for part in row.binds] == binds.split()


def test_how_long_a_minute_and_a_round_are() -> None:
    assert parse_conditions("It is stunned for 1 round.")[0].until == "1 turns"
    assert parse_conditions("It is frightened for 1 minute.")[0].until == "10 turns"
    repeated = "It is frightened for 1 minute. It repeats the save at the end of its turns."
    assert parse_conditions(repeated)[0].until == "repeat"


def test_what_a_repeated_save_brings_is_not_laid_at_once() -> None:
    text = (
        "It is restrained. It repeats the saving throw at the end of its next turn. On a success, "
        "the effect ends. On a failure, it is petrified."
    )
    assert [row.condition for row in parse_conditions(text)] == ["restrained"]


def test_who_swallowed_somebody_makes_the_save_against_spitting_them_out() -> None:
    text = (
        "If the worm takes 30 damage in a turn, it must succeed on a DC 21 Constitution saving "
        "throw or regurgitate all swallowed creatures, which fall prone."
    )
    assert save_of(text) is None


def test_a_save_that_is_not_repeated_each_turn_ends_nothing_at_a_turn() -> None:
    charmed = (
        "DC 17 Wisdom saving throw or be charmed. Each time it takes damage it repeats the save."
    )
    by_turn = (
        "DC 17 Wisdom saving throw or be charmed. It repeats the save at the end of each turn."
    )
    assert [*parse_conditions(charmed)] == [ImportedCondition("charmed")]
    assert [*parse_conditions(by_turn)] == [ImportedCondition("charmed", "repeat")]

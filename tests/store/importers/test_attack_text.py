"""What the sentences of stat blocks say of attack rolls and damage, in all their ways."""

from __future__ import annotations

import pytest

from affray.core.rules.imported_creature import (
    ImportedAttack,
    ImportedCondition,
    ImportedDamage,
    ImportedSave,
)
from affray.mechanics.import_creature import list_missed
from affray.store.importers.attack_text import attack_of, hit_of, parse_damage
from affray.store.importers.feature_text import parse_feature
from affray.store.importers.stat_block import conditions_of, types_of

HIT = "Melee Weapon Attack: +5 to hit, reach 5 ft., one target. Hit: "


@pytest.mark.parametrize(
    ("said", "types", "prose"),
    [
        ("cold; bludgeoning, piercing, and slashing from nonmagical attacks", "cold mundane", ""),
        ("cold, bludgeoning, piercing and slashing damage from nonmagical weapons",
         "cold mundane", ""),
        ("acid, damage from nonmagical weapons", "acid mundane", ""),
        ("Nonmagical Weapons", "mundane", ""),
        ("bludgeoning, piercing, slashing, but for mgc", "mundane", ""),
        ("damage from nonmagical, non-silvered weapons", "mundane",
         "damage from nonmagical, non-silvered weapons"),
        ("bludgeoning, slashing, or piercing from nonmagical attacks", "mundane", ""),
        ("piercing from nonmagical attacks", "mundane-piercing", ""),
        ("piercing and slashing damage from nonmagical weapons",
         "mundane-piercing mundane-slashing", ""),
        ("piercing, slashing from nonmagical attacks", "mundane-piercing mundane-slashing", ""),
        ("bludgeoning from nonmagical attacks that aren't adamantine", "mundane-bludgeoning",
         "bludgeoning from nonmagical attacks that aren't adamantine"),
        ("bludgeoning, piercing, slashing that is nonmagical", "mundane", ""),
        ("bludgeoning, piercing, and slashing damage from nonmagical weapons, cold and fire",
         "mundane cold fire", ""),
        ("acid (water only); lightning and thunder (air only); piercing and slashing (earth only)",
         "", "acid (water only); lightning and thunder (air only); "
         "piercing and slashing (earth only)"),
        ("piercing from magic weapons of the good", "", "piercing from magic weapons of the good"),
        ("sonic, cold", "sonic cold", ""),
        ("poison; nonmagic B/P/S attacks", "poison mundane", ""),
        ("fire; nonmagic bludgeoning, piercing, and slashing attacks", "fire mundane", ""),
        ("acid (by day), poison, cold (in rain)", "poison", "acid (by day), cold (in rain)"),
        ("piercing, bludgeoning, and slashing from nonmagical attacks, prone",
         "mundane prone", ""),
        ("acid, fire, thunder (only when in ethereal form); cold", "cold",
         "acid, fire, thunder (only when in ethereal form)"),
        ("one of fire, cold, or poison", "", "one of fire, cold, or poison"),
        ("While wearing it: acid, cold; poison", "poison", "While wearing it: acid, cold"),
        ("The heart of straw is vulnerable to fire damage.", "fire", ""),
    ],
)  # fmt: skip
def test_weapons_that_are_not_magical_are_one_type(said: str, types: str, prose: str) -> None:
    assert types_of(said) == (types.split(), prose)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("1 piercing damage plus 2 (1d4) poison damage.", ["1 piercing", "1d4 poison"]),
        ("6 (1d8 + 2) sonic damage.", ["1d8+2 sonic"]),
        ("1 (1d1) cold damage.", ["1 cold"]),
        ("5 (1d6 + 2) slashing damage, plus 2 (1d4) slashing damage if it is prone.",
         ["1d6+2 slashing"]),
        ("5 (1d6 + 2) piercing damage plus 7 (2d6) poison damage plus an additional 3 (1d6) "
         "piercing damage if the target is surprised.", ["1d6+2 piercing", "2d6 poison"]),
        ("8 (1d8 + 4) Piercing damage—or 6 (1d4 + 4) if Bloodied—plus 10 (3d6) Poison damage.",
         ["1d8+4 piercing", "3d6 poison"]),
        ("3 (1d6) fire damage for every 10 feet.", []),
    ],
)  # fmt: skip
def test_all_that_always_falls_is_dealt_and_no_more(text: str, parts: list[str]) -> None:
    dealt = parse_feature("Beak", HIT + text, "action").damage
    assert [f"{part.dice} {part.type}" for part in dealt] == parts


def test_damage_without_dice_counts_where_no_word_stands_before_a_hit() -> None:
    made = parse_feature("Beak", "Melee Attack Roll: +4, reach 5 ft. 1 Piercing damage.", "action")
    assert made.damage == (ImportedDamage("1", "piercing"),)


def test_half_is_half_of_a_type_too() -> None:
    said = "DC 13 Strength saving throw or take 9 (2d8) bludgeoning damage. "
    assert parse_feature(
        "Gale", f"{said}On a success, half the bludgeoning damage.", "action"
    ).save == (ImportedSave("str", 13, half=True))


def test_an_attack_that_has_a_range_alone_is_ranged() -> None:
    made = attack_of("Melee Weapon Attack: +6 to hit, range 20/60 ft., one target.")
    assert made == ImportedAttack(6, "ac", "ranged", 20, long=60)


@pytest.mark.parametrize(
    ("text", "attack"),
    [
        ("Melee Weapon Attack: +9 to hit, reach 15 ft., one target.", ImportedAttack(9, feet=15)),
        (
            "Ranged Spell Attack: +4 to hit, range 120 ft.",
            ImportedAttack(4, "ac", "ranged", 120, spell=True),
        ),
        (
            "Melee or Ranged Weapon Attack: +5 to hit, reach 5 ft. or range 20/60 ft.",
            ImportedAttack(5, "ac", "both", 5, 20, 60),
        ),
        ("Melee Attack Roll: +4, reach 5 ft. Hit: 5 (1d6 + 2) Piercing damage.",
         ImportedAttack(4, feet=5)),
        ("Melee Weapon Attack: −1 to hit, reach 5 ft.", ImportedAttack(-1, feet=5)),
        ("Melee Weapon Attack. +8 to hit, reach 5 ft., one target.",
         ImportedAttack(8, feet=5)),
        ("Melee Weapon Attack (Wolf Form Only): +6 to hit, reach 5. ft.",
         ImportedAttack(6, feet=5)),
        ("Melee Weapon Attack: +5 to hit, 10 ft., one target, 10 (2d6+3) slashing damage.",
         ImportedAttack(5, feet=10)),
        ("Ranged Spell Attack: +6 to hit, 60 ft., one target, 18 (4d6+4) thunder.",
         ImportedAttack(6, "ac", "ranged", 60, spell=True)),
        ("Ranged Weapon Attack: +9 to hit 80/320' one target 9 (1d8+5) piercing damage.",
         ImportedAttack(9, "ac", "ranged", 80, long=320)),
        ("Melee or Ranged Weapon Attack: +6 to hit 5 ft. or range 20/60' one target.",
         ImportedAttack(6, "ac", "both", 5, 20, 60)),
        ("Ranged Weapon Attack: +3 to hit, range 80 ft./320 ft., one target.",
         ImportedAttack(3, "ac", "ranged", 80, long=320)),
        ("+4 to hit, reach 5 ft. or range 20/60 ft.", ImportedAttack(4, "ac", "both", 5, 20, 60)),
        ("It attacks the nearest creature.", None),
        ("It casts spells (save DC 13, +5 to hit with spell attacks).", None),
    ],
)  # fmt: skip
def test_an_attack_roll(text: str, attack: ImportedAttack | None) -> None:
    assert attack_of(text) == attack


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("12 (2d6 + 5) piercing damage plus 4 (1d8) fire damage", ["2d6+5 piercing", "1d8 fire"]),
        (
            "5 (1d6+2) slashing damage, plus an additional 3 (1d6) cold damage",
            ["1d6+2 slashing", "1d6 cold"],
        ),
        (
            "7 (1d8 + 3) slashing damage, or 8 (1d10 + 3) slashing damage if used with two hands, "
            "plus 9 (2d8) fire damage",
            ["1d8+3 slashing", "2d8 fire"],
        ),
        (
            "7 (1d8 + 3) piercing damage, or 8 (1d10 + 3) piercing damage if used with two hands "
            "to make a melee attack, and 4 (1d8) cold damage.",
            ["1d8+3 piercing", "1d8 cold"],
        ),
        (
            "10 (4d4) piercing damage, or 5 (2d4) piercing damage if the swarm has half of its hit "
            "points or fewer, plus 7 (2d6) poison damage",
            ["4d4 piercing", "2d6 poison"],
        ),
        (
            "6 (1d8 + 2) slashing damage, or 7 (1d10 + 2) slashing damage with two hands",
            ["1d8+2 slashing"],
        ),
        ("1 piercing damage", ["1 piercing"]),
        ("3 (1d8 – 1) bludgeoning damage", ["1d8-1 bludgeoning"]),
        ("9 (3d4 + 1) bludgeoning or piercing damage", ["3d4+1 bludgeoning"]),
        ("31 (5d8 + 9) bludgeoning, piercing, or slashing damage", ["5d8+9 bludgeoning"]),
        ("6 (1d8 + 2) magical bludgeoning damage", ["1d8+2 bludgeoning"]),
        ("15 (3d6+5) slashing damage + 9 (2d8) fire.", ["3d6+5 slashing", "2d8 fire"]),
        ("18 (2d12 + 5).", ["2d12+5 "]),
        ("The target falls asleep.", []),
        ("It moves 30 feet, past 2 (1d4) goblins.", []),
    ],
)
def test_damage_in_parts_and_not_in_its_other_ways(text: str, parts: list[str]) -> None:
    assert [f"{part.dice} {part.type}" for part in parse_damage(text)] == parts


def test_where_no_hit_is_named_it_begins_behind_the_target() -> None:
    text = "Melee Weapon Attack: +5 to hit, 5 ft., 10 (2d6+3) slashing damage and it is prone."
    claw = parse_feature("Claw", text, "action")
    assert (claw.damage, claw.inflicts) == (
        (ImportedDamage("2d6+3", "slashing"),),
        (ImportedCondition("prone"),),
    )


def test_what_comes_of_a_miss_is_no_part_of_a_hit() -> None:
    assert hit_of("Attack: +4. Hit: 5 damage. Miss: 2 damage.") == "5 damage. "


def test_what_a_hit_after_a_run_brings_is_not_in_every_hit() -> None:
    run = "If the boar moves at least 20 feet straight towards the target before the attack, the "
    said = (
        f"5 (1d10) piercing damage. {run}target makes a DC 11 Strength saving throw, falling prone."
    )
    made = parse_feature("Tusk", f"{HIT}{said}", "action")
    assert (made.damage, made.save, made.binds) == ((ImportedDamage("1d10", "piercing"),), None, ())


def test_a_range_may_be_without_a_unit() -> None:
    text = "Ranged Weapon Attack: +4 to hit, range 80/320, one target. Hit: 5 (1d6 + 2) piercing."
    assert attack_of(text) == ImportedAttack(4, reach="ranged", feet=80, long=320)


def test_a_hit_after_a_run_towards_somebody_small_is_told_apart() -> None:
    row = parse_feature(
        "Gore",
        "Melee Attack Roll: +3, reach 5 ft. 4 (1d6 + 1) Piercing damage. If the target is a Medium "
        "or smaller creature and the boar moved 20+ feet straight toward it immediately before the "
        "hit, the target takes an extra 3 (1d6) Piercing damage and has the Prone condition.",
        "action",
    )
    assert row.inflicts == ()
    assert [part.dice for part in row.damage] == ["1d6+1"]


def test_without_hit_a_sentence_about_the_target_begins_behind_the_reach() -> None:
    text = "Melee Attack Roll: +7, reach 60 ft. The target has the Grappled condition."
    assert [row.condition for row in parse_feature("Tentacle", text, "action").inflicts] == [
        "grappled"
    ]


def test_melee_or_ranged_with_a_range_alone_goes_as_far() -> None:
    text = "Melee or Ranged Weapon Attack: +4 to hit, range 30/120 ft., one target. Hit: 5 (1d6)"
    assert attack_of(text) == ImportedAttack(4, reach="ranged", feet=30, long=120)


@pytest.mark.parametrize(
    ("written", "dice"),
    [
        ("1 (1d4 + -1)", "1d4-1"), ("1 (1d4+(-1))", "1d4-1"), ("3 (d6)", "1d6"), ("(d6)", "1d6"),
        ("1 (1d4 − 1)", "1d4-1"), ("d6", "1d6"), ("1d4 + -1", "1d4-1"), ("1,200 (300d8)", "300d8"),
        ("1,200", "1200"), ("5 (1D6 + 2)", "1d6+2"),
    ],
)  # fmt: skip
def test_an_attack_keeps_its_damage_however_its_dice_are_written(written: str, dice: str) -> None:
    sling = parse_feature("Sling", f"{HIT}{written} bludgeoning damage.", "action")
    assert sling.damage == (ImportedDamage(dice, "bludgeoning"),)
    assert [*list_missed(sling)] == []


@pytest.mark.parametrize(
    ("text", "attack"),
    [
        ("Melee Weapon Attack: +5 to hit, reach 10 it, one target. Hit: 3 (1d6) fire damage.",
         ImportedAttack(5, feet=10)),
        ("Melee or Ranged Weapon Attack: +5 to hit, reach 5 ft. or ranged 20 ft./60 ft., one "
         "target. Hit: 5 (1d4 + 3) piercing damage.",
         ImportedAttack(5, reach="both", feet=5, far=20, long=60)),
        ("Melee or Ranged Weapon Attack: +8 to hit, reach 5 ft. or range 30/120, one target. "
         "Hit: 7 (1d6 + 4) piercing damage.",
         ImportedAttack(8, reach="both", feet=5, far=30, long=120)),
        ("It hurls honey at a target as a ranged weapon attack (+9 to hit). If it hits, all stick.",
         ImportedAttack(9, reach="ranged")),
        ("Its foes have disadvantage on attack rolls.\n- 2 Fear Ray. It is frightened.", None),
        ("It has +8 to hit with spell attacks.", None),
    ],
)  # fmt: skip
def test_slips_of_distances_and_other_words_for_an_attack_are_read(
    text: str, attack: ImportedAttack | None
) -> None:
    """As public files have them, some of them read by machine from print."""
    assert parse_feature("Honey", text, "action").attack == attack


def test_what_stands_in_brackets_or_is_chosen_hides_no_damage_behind_it() -> None:
    slam = "5 (1d6 + 2) bludgeoning (piercing in spider form) damage plus 21 (6d6) poison damage"
    assert parse_damage(slam)[1:] == (ImportedDamage("6d6", "poison"),)
    glaive = (
        "8 (1d10 + 3) piercing damage or slashing damage (its choice) plus 3 (1d6) force damage"
    )
    assert parse_damage(glaive)[1:] == (ImportedDamage("1d6", "force"),)


@pytest.mark.parametrize(
    "text",
    [
        f"{HIT}The target is restrained. Dealing 5 slashing damage to the net frees it.",
        f"{HIT}The target must make a DC 21 Constitution saving throw or be poisoned. While "
        "poisoned it takes 21 (6d6) poison damage at the start of each of its turns.",
    ],
)
def test_what_breaks_a_net_or_falls_turn_by_turn_is_no_damage_of_the_hit(text: str) -> None:
    assert parse_damage(text.removeprefix(HIT)) == ()


def test_conditions_without_a_comma_between_them_are_several() -> None:
    found = conditions_of("charmed, frightened paralyzed, prone while it flies")
    assert found == ("charmed", "frightened", "paralyzed", "prone while it flies")

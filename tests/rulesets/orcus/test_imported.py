"""Rows of the bestiary from Orcus' published monsters: what they do rolls, and what it inflicts is
inflicted."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from affray.core.dice import SeededDice
from affray.core.engine.decide import decide
from affray.core.engine.state import Encounter
from affray.core.rules.imported_creature import (
    ImportedAttack,
    ImportedCondition,
    ImportedCreature,
    ImportedDamage,
    ImportedFeature,
)
from affray.rulesets import load_ruleset

ORCUS = load_ruleset("orcus")
CLAW = ImportedFeature(
    "Claw",
    attack=ImportedAttack(9),
    damage=(ImportedDamage("2d6+3"),),
    inflicts=(ImportedCondition("slowed", "save"), ImportedCondition("dazed", "end of source")),
    basic=True,
    text="2d6+3 damage, and so on.",
)
SPRAY = ImportedFeature(
    "Brine Spray",
    attack=ImportedAttack(7, "reflex", "near"),
    damage=(ImportedDamage("1d10+4", "cold"),),
    inflicts=(ImportedCondition("persistent", "save", damage=ImportedDamage("5", "cold")),),
    miss="half",
    recharge=5,
    tags=("cold",),
    text="Salt in the eyes.",
)
CRAB = ImportedCreature(
    "Marsh Crab",
    game="orcus",
    size="large",
    type="beast",
    rank="elite",
    role="blocker",
    level=3,
    hp=88,
    ac=19,
    defences={"fortitude": 17, "reflex": 14, "will": 13},
    initiative=4,
    speeds={"walk": 6, "swim": 4},
    skills={"perception": 2, "nature": 5},
    senses={"darkvision": 0, "tremorsense": 12},
    languages=("Common",),
    resist=("cold",),
    vulnerable=("fire",),
    immune=("fear",),
    amounts={"resist cold": 5, "vulnerable fire": 5},
    save_bonus=2,
    points=1,
    features=(SPRAY, CLAW, ImportedFeature("Mud Walker", "trait", "Soft ground doesn't slow it.")),
    in_words={"ways of moving": "6, swim 4 (phasing)", "aura": "Stench aura 2"},
)


def row(creature: ImportedCreature) -> dict[str, Any]:
    return ORCUS.sheet.import_creature(ORCUS.tables, creature).row


def left(creature: ImportedCreature) -> tuple[str, ...]:
    return ORCUS.sheet.import_creature(ORCUS.tables, creature).left


def fight(creature: ImportedCreature, *lines: str) -> Encounter:
    """A fight against somebody who is easily hit, after those lines."""
    rules = replace(ORCUS, tables=replace(ORCUS.tables, bestiary={"crab": row(creature)}))
    state = Encounter(ruleset="orcus")
    setup = ("add pc Pell hp 999 ac 1 fort 1 ref 1 will 1", 'add crab as "Crab"')
    for line in (*setup, *lines):
        state = decide(state, line, rules, SeededDice(1)).state
    return state


def test_its_numbers_are_those_of_the_sheet() -> None:
    made = row(CRAB)
    for name, value in {
        "hp": 88, "ac": 19, "fort": 17, "ref": 14, "will": 13, "init": 4, "level": 3, "save": 2,
        "points": 1, "speed": 6, "swim": 4, "size": "large", "phasing": True, "darkvision": True,
        "tremorsense": 12, "perception": 2, "immune": "fear",
    }.items():  # fmt: skip
        assert made[name] == value
    assert (made["resist"], made["vulnerable"]) == (["cold 5"], ["fire 5"])


def test_a_mook_has_no_hp_of_its_own() -> None:
    made = row(replace(CRAB, rank="mook", hp=1))
    assert (made["mook"], "hp" in made) == (True, False)


def test_the_basic_attack_stands_first_and_what_is_limited_is_a_power() -> None:
    made = row(CRAB)
    assert made["attack"] == [
        '"Claw" +9 vs ac 2d6+3 inflicts slowed save-ends inflicts dazed user-end'
    ]
    assert made["power"][0].startswith(
        '"Brine Spray" refresh 5 standard tags cold +7 vs reflex 1d10+4 cold near half'
    )


def test_an_attack_rolls_against_its_defence_and_inflicts() -> None:
    pell = fight(CRAB, "attack pell natural 15 by crab")["pell"]
    assert pell.track("hp") < 999
    assert {effect.name for effect in pell.effects} == {"slowed", "dazed"}


def test_a_power_rolls_against_its_defence_and_inflicts() -> None:
    pell = fight(CRAB, 'power "Brine Spray" pell natural 15 by crab')["pell"]
    (effect,) = pell.effects
    assert (effect.name, effect.type) == ("persistent", "cold")


def test_a_trait_is_a_power_with_its_text() -> None:
    assert "Soft ground" in row(CRAB)["power"][1]
    fight(CRAB, 'power "Mud Walker" by crab')


def test_what_has_no_place_is_told() -> None:
    assert {"aura", "rank", "skills", "ways of moving"} <= {*left(CRAB)}


def test_a_condition_that_the_rules_do_not_have_is_told() -> None:
    odd = replace(CLAW, inflicts=(ImportedCondition("bewitched", "save"),))
    assert "inflicts bewitched" in left(replace(CRAB, features=(odd,)))
    fight(replace(CRAB, features=(odd,)), "attack pell natural 15 by crab")


def test_two_of_one_name_can_be_told_apart() -> None:
    thrown = replace(CLAW, attack=ImportedAttack(9, reach="ranged"), basic=False)
    made = row(replace(CRAB, features=(CLAW, thrown, ImportedFeature("Claw", "trait"))))
    assert [said.split(" +")[0] for said in made["attack"]] == ['"Claw"', '"Claw (ranged)"']
    assert made["power"] == ['"Claw 2" at-will free']


@pytest.mark.parametrize("game", ["5e", "level-up"])
def test_of_other_games_only_hp_and_size_come_over(game: str) -> None:
    assert row(replace(CRAB, game=game)) == {"hp": 88, "size": "large"}
    assert {"AC", "Claw", "Brine Spray"} <= {*left(replace(CRAB, game=game))}


def test_its_reach_is_the_farthest_of_its_attacks_and_passive_is_ten_and_the_skill() -> None:
    far = replace(CLAW, attack=ImportedAttack(9, feet=3))
    seer = replace(CRAB, features=(far,), skills={"perception": 6, "insight": 4})
    row = ORCUS.sheet.import_creature(ORCUS.tables, seer).row
    assert (row["reach"], row["passive-perception"], row["passive-insight"]) == (3, 16, 14)


def test_a_power_that_makes_an_attack_of_the_sheet_says_which() -> None:
    both = ImportedFeature(
        "Double Attack", text="standard; at-will. The crab makes two claw attacks."
    )
    order = ImportedFeature(
        "Order", "bonus", text="swift; at-will. One ally may make a basic attack."
    )
    row = ORCUS.sheet.import_creature(ORCUS.tables, replace(CRAB, features=(CLAW, both, order))).row
    assert row["power"][0].startswith('"Double Attack" at-will standard makes "Claw"')
    assert "makes" not in row["power"][1].split(" text ")[0]


def test_what_follows_a_failed_save_or_a_saved_one_is_on_the_row() -> None:
    worse = (ImportedCondition("stunned", "save"),)
    gaze = replace(
        SPRAY, worsens=worse, after=(ImportedCondition("rattled", "save"),), staggered=True
    )
    [said] = ORCUS.sheet.import_creature(ORCUS.tables, replace(CRAB, features=(gaze,))).row["power"]
    assert "refresh 5 standard staggered" in said
    assert "failed stunned save-ends aftereffect rattled save-ends" in said


def test_half_from_melee_and_ranged_makes_a_swarm() -> None:
    said = {"resistance, in words": "Melee and Ranged attacks (half damage)", "swarm": "yes"}
    assert (
        ORCUS.sheet.import_creature(ORCUS.tables, replace(CRAB, in_words=said)).row["swarm"] is True
    )

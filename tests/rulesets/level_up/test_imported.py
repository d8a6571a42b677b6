"""Rows of the bestiary from creatures of Level Up and of 5e, and that they can be used."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from affray.core.dice import SeededDice
from affray.core.engine.decide import decide
from affray.core.engine.state import Encounter
from affray.core.parser.errors import Refused
from affray.core.rules.imported_creature import (
    ImportedAttack,
    ImportedCondition,
    ImportedCreature,
    ImportedDamage,
    ImportedFeature,
    ImportedSave,
)
from affray.mechanics.import_creature import attacks_at_once
from affray.rulesets import load_ruleset
from affray.rulesets.srd.import_creature import legendary_of, played_traits, proficiency_of

LEVEL_UP = load_ruleset("level-up")
CLAW = ImportedFeature(
    "Claw",
    attack=ImportedAttack(6, feet=10),
    damage=(ImportedDamage("1d8+3", "slashing"), ImportedDamage("1d6", "cold")),
    inflicts=(ImportedCondition("grappled", "escape", 14),),
    text="Melee Weapon Attack: +6 to hit. Hit: 7 (1d8 + 3) slashing damage.",
)
SPRAY = ImportedFeature(
    "Brine Spray",
    save=ImportedSave("dex", 13, half=True),
    failed=(ImportedDamage("4d8", "cold"),),
    binds=(ImportedCondition("blinded", "end of bearer"),),
    recharge=5,
    text='It sprays "brine".',
)
CRAB = ImportedCreature(
    "Marsh Crab",
    game="level-up",
    size="large",
    cr="3",
    hp=60,
    hp_dice="8d10+16",
    ac=15,
    initiative=1,
    speeds={"walk": 30, "swim": 40},
    abilities={"str": 17, "dex": 12, "con": 14, "int": 1, "wis": 9, "cha": 3},
    saves={"str": 5, "con": 7},
    skills={"stealth": 3},
    senses={"blindsight": 30},
    passive_perception=9,
    resist=("cold",),
    immune=("poison",),
    unhindered=("poisoned", "rattled"),
    features=(
        ImportedFeature("Mud Walker", "trait", "Soft ground doesn't slow it."),
        ImportedFeature("Multiattack", text="The crab attacks twice with its claws."),
        CLAW,
        SPRAY,
        ImportedFeature("Snap", "reaction", "It snaps."),
        ImportedFeature("Scuttle", "legendary", "It moves.", cost=2),
    ),
)


def imported(creature: ImportedCreature) -> dict[str, Any]:
    return LEVEL_UP.sheet.import_creature(LEVEL_UP.tables, creature).row


def left(creature: ImportedCreature) -> tuple[str, ...]:
    return LEVEL_UP.sheet.import_creature(LEVEL_UP.tables, creature).left


def fight(creature: ImportedCreature, *lines: str) -> Encounter:
    rules = replace(
        LEVEL_UP, tables=replace(LEVEL_UP.tables, bestiary={"crab": imported(creature)})
    )
    state = Encounter(ruleset="level-up")
    for line in ("add pc Pell hp 999 ac 5 dex 0", 'add crab as "Crab"', *lines):
        state = decide(state, line, rules, SeededDice(1)).state
    return state


def test_its_numbers_are_those_of_the_stat_block() -> None:
    row = imported(CRAB)
    for name, value in {
        "hp": 60, "ac": 15, "init": 1, "speed": 30, "hit-dice": 8, "pb": 2, "str": 3, "dex": 1,
        "cha": -4, "saves": "str,con+5", "skills": "stealth", "passive-perception": 9,
        "size": "large", "swim": True, "blindsight": True, "resist": "cold",
        "immune": "poison,poisoned", "attacks": 2, "legendary": 3,
    }.items():  # fmt: skip
        assert row[name] == value


def test_a_save_or_skill_that_proficiency_does_not_explain_has_its_own_bonus() -> None:
    crab = replace(CRAB, skills={"stealth": 7, "perception": 1, "weaving": 4})
    assert (imported(crab)["saves"], "saves" in left(crab)) == ("str,con+5", False)
    assert imported(crab)["skills"] == "stealth+6,perception,weaving"
    assert "skills" in left(crab)  # no ability is known that goes with weaving


def test_an_attack_has_its_parts_its_reach_and_what_it_inflicts() -> None:
    assert imported(CRAB)["attack"] == [
        '"Claw" +6 1d8+3 slashing melee reach 10 plus 1d6 cold inflicts grappled 14'
    ]
    pell = fight(CRAB, "attack pell natural 15 by crab")["pell"]
    assert pell.track("hp") < 999
    assert [effect.name for effect in pell.effects] == ["grappled"]


def test_a_save_with_half_and_a_condition_is_a_power() -> None:
    said = next(p for p in imported(CRAB)["power"] if p.startswith('"Brine Spray"'))
    assert said == (
        '"Brine Spray" action recharge 5 save dex dc 13 4d8 cold half inflicts blinded target-end '
        "text \"It sprays 'brine'.\""
    )
    failed = fight(CRAB, 'power "Brine Spray" pell failure 20 by crab')["pell"]
    assert (failed.track("hp"), [e.name for e in failed.effects]) == (979, ["blinded"])
    saved = fight(CRAB, 'power "Brine Spray" pell success 20 by crab')["pell"]
    assert (saved.track("hp"), saved.effects) == (989, ())


@pytest.mark.parametrize("name", ["Mud Walker", "Multiattack", "Snap", "Scuttle"])
def test_all_else_is_a_power_with_its_text(name: str) -> None:
    fight(CRAB, f'power "{name}" by crab')


def test_a_condition_that_the_rules_do_not_have_is_told() -> None:
    odd = replace(SPRAY, binds=(ImportedCondition("frightened"),))
    assert "inflicts frightened" in left(replace(CRAB, features=(odd,)))
    assert "condition immunity" in left(CRAB)  # rattled is none of them


def test_ongoing_damage_is_inflicted_and_levels_are_told() -> None:
    brine = ImportedCondition("ongoing", damage=ImportedDamage("1d6", "cold"))
    odd = replace(SPRAY, binds=(brine,), text="On a failure it gains a level of strife.")
    pell = fight(replace(CRAB, features=(odd,)), 'power "Brine Spray" pell failure 20 by crab')
    assert [effect.name for effect in pell["pell"].effects] == ["ongoing"]
    assert "a level of strife" in left(replace(CRAB, features=(odd,)))


def test_5e_is_taken_and_told() -> None:
    assert imported(replace(CRAB, game="5e")) == imported(CRAB)
    assert "5e's numbers, used for Level Up" in left(replace(CRAB, game="5e"))


def test_of_another_game_only_what_means_the_same_comes_over() -> None:
    other = imported(replace(CRAB, game="orcus"))
    assert other == {"hp": 60, "size": "large", "resist": "cold", "immune": "poison,poisoned"}


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("The crab makes two claw attacks.", 2),
        ("The dragon attacks once with its bite and twice with its claws.", 3),
        ("The aboleth attacks three times with its tentacle.", 3),
        ("It makes three attacks: one with its bite and two with its claws.", 3),
        ("It does something odd.", 0),
    ],
)
def test_how_many_attacks_are_read_from_the_multiattack(text: str, count: int) -> None:
    assert attacks_at_once([ImportedFeature("Multiattack", text=text)]) == count


def test_legendary_resistance_and_regeneration_are_numbers_of_the_row() -> None:
    heals = ImportedFeature(
        "Regeneration", "trait", "The troll regains 10 hit points at its turn's start."
    )
    resists = ImportedFeature("Legendary Resistance (3/Day)", "trait", "It can choose to succeed.")
    row = {"regeneration": 10, "legendary-resistance": 3}
    assert played_traits([heals, resists]) == row
    assert played_traits([replace(resists, name="Legendary Resistance", uses=3), heals]) == row
    assert played_traits([replace(heals, text="It heals unless burned.")]) == {}


def test_legendary_actions_are_as_many_as_the_text_says_or_three() -> None:
    assert legendary_of([ImportedFeature("It can take 2 legendary actions", "legendary")]) == 2
    assert legendary_of([ImportedFeature("Move", "legendary")]) == 3
    assert legendary_of([CLAW]) == 0


def test_the_proficiency_bonus_is_said_or_follows_from_saves_or_challenge() -> None:
    assert proficiency_of(replace(CRAB, pb=4)) == 4
    assert proficiency_of(replace(CRAB, saves={"con": 7})) == 5
    assert proficiency_of(replace(CRAB, saves={}, cr="1/4")) == 2
    assert proficiency_of(replace(CRAB, saves={}, cr="17")) == 6
    assert proficiency_of(replace(CRAB, saves={}, cr="")) is None


def test_a_thrown_one_has_its_range_and_magic_weapons_are_magical() -> None:
    spear = replace(
        CLAW, name="Spear", attack=ImportedAttack(6, "ac", "both", 5, 20, 60), inflicts=()
    )
    magic = ImportedFeature("Magic Weapons", "trait", "Its attacks are magical.")
    row = imported(replace(CRAB, features=(spear, magic)))
    assert row["attack"] == [
        '"Spear" +6 1d8+3 slashing melee thrown magical range 20/60 plus 1d6 cold'
    ]


def test_a_save_is_that_of_most_and_not_of_the_odd_one() -> None:
    odd = {"saves": {"str": 7, "con": 6, "dex": 3}, "pb": None}
    assert proficiency_of(replace(CRAB, **odd)) == 4
    assert proficiency_of(replace(CRAB, saves={"str": 5, "con": 7}, cr="9")) == 2
    assert proficiency_of(replace(CRAB, saves={"str": 5, "con": 6}, cr="9")) == 4


def test_saves_that_only_repeat_the_abilities_are_not_told() -> None:
    same = replace(CRAB, saves={"str": 5, "dex": 1, "con": 2, "wis": -1})
    assert (imported(same)["saves"], "saves" in left(same)) == ("str", False)


def test_breaths_that_share_a_recharge_come_back_together() -> None:
    gale = replace(SPRAY, name="Gale", pool="Breaths")
    dragon = replace(CRAB, features=(replace(SPRAY, pool="Breaths"), gale))
    assert all('recharge 5 shares "Breaths"' in said for said in imported(dragon)["power"])
    with pytest.raises(Refused, match="can't use Gale: expended until a d6 shows 5"):
        fight(dragon, 'power "Brine Spray" pell failure 20 by crab', "power Gale pell by crab")


def test_a_multiattack_is_told_and_the_attacks_are_made_behind_it() -> None:
    lines = (
        "init pell 9",
        "init crab 12",
        "start",
        "power Multiattack",
        "attack pell hit 5",
        "attack pell hit 5",
    )
    assert fight(CRAB, *lines)["pell"].track("hp") == 989


def test_a_thrown_weapon_says_how_far() -> None:
    far = replace(CLAW, attack=ImportedAttack(6, reach="both", feet=5, far=120))
    assert "melee thrown range 120" in imported(replace(CRAB, features=(far,)))["attack"][0]


def test_a_type_that_the_rules_do_not_have_is_told() -> None:
    sonic = replace(CLAW, damage=(ImportedDamage("1d8", "sonic"),))
    assert "sonic damage" in left(replace(CRAB, features=(sonic,)))
    more = replace(LEVEL_UP.tables, damage_types=(*LEVEL_UP.tables.damage_types, "sonic"))
    row = LEVEL_UP.sheet.import_creature(more, replace(CRAB, features=(sonic,)))
    assert "1d8 sonic" in row.row["attack"][0]
    assert "sonic damage" not in row.left


def test_a_repeated_save_stands_in_words_where_a_row_has_none() -> None:
    spray = replace(SPRAY, binds=(ImportedCondition("blinded", "repeat", most=10),))
    pell = fight(replace(CRAB, features=(spray,)), 'power "Brine Spray" pell failure by crab')
    assert [each.until.says for each in pell["pell"].effects] == ["a save at the end of its turn"]

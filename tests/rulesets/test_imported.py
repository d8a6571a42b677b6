"""What each rule system takes of a creature can be added, and all else is told."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from affray.core.heart.alone import seen_alone
from affray.core.rules.imported import Attack, Creature, Damage, Feature, left_of, parts
from affray.rulesets import known_rulesets, load_ruleset

GAMES = ("", "5e", "level-up", "orcus")
CRAB = Creature(
    "Marsh Crab",
    size="gargantuan",
    cr="3",
    hp=60,
    hp_left=12,
    hp_dice="8d10+16",
    ac=15,
    defences={"fortitude": 17, "reflex": 14, "will": 13},
    initiative=-1,
    speeds={"walk": 30, "swim": 40},
    abilities={"str": 17},
    saves={"str": 5},
    skills={"stealth": 3},
    senses={"darkvision": 60},
    resist=("cold", "bludgeoning"),
    immune=("poison",),
    features=(
        Feature("Claw", attack=Attack(5), damage=(Damage("1d8+3", "slashing"),), text="Hit."),
        Feature("Mud Walker", "trait", "Soft ground doesn't slow it."),
    ),
    said={"mood": "cross", "fatigue": "4"},
)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("ruleset_id", known_rulesets())
def test_a_creature_of_any_game_can_be_added_in_any(ruleset_id: str, game: str) -> None:
    ruleset = load_ruleset(ruleset_id)
    row = ruleset.imports(ruleset.tables, replace(CRAB, game=game)).row
    alone = replace(ruleset, tables=replace(ruleset.tables, bestiary={"c": row}))
    crab = seen_alone(alone, "c").who
    assert (crab.tracks["hp"].value, crab.tracks["hp"].max) == (12, 60)


@pytest.mark.parametrize("ruleset_id", known_rulesets())
def test_what_no_row_has_is_told(ruleset_id: str) -> None:
    ruleset = load_ruleset(ruleset_id)
    left = ruleset.imports(ruleset.tables, replace(CRAB, game="5e")).left
    assert "mood" in left
    assert "HP" not in left


def test_everything_that_is_known_of_a_creature_is_left_or_taken() -> None:
    everything = (*parts(CRAB), "Claw", "Mud Walker")
    assert left_of(CRAB, (), ()) == everything
    assert left_of(CRAB, parts(CRAB), ("Claw", "Mud Walker")) == ()


def test_monsters_and_magic_takes_its_own_numbers_of_a_list_alone() -> None:
    ruleset = load_ruleset("monsters-and-magic")
    own = ruleset.imports(ruleset.tables, replace(CRAB, pb=2)).row
    assert (own["ac"], own["cr"], own["fatigue"], own["pb"]) == (15, 3, 4, 2)
    assert own["attack"] == ['"Claw" 1d8+3 slashing']
    other = ruleset.imports(ruleset.tables, replace(CRAB, game="5e")).row
    assert {"ac", "cr", "attack"} & other.keys() == set()
    assert (other["speed"], other["swim"], other["darkvision"]) == (30, 40, 60)


def test_adventure_school_has_another_word_for_the_same_damage() -> None:
    ruleset = load_ruleset("adventure-school")
    assert ruleset.imports(ruleset.tables, CRAB).row["resist"] == "cold,blunt"


def test_adventure_school_takes_attacks_of_a_list_of_its_own_alone() -> None:
    ruleset = load_ruleset("adventure-school")
    claw = Feature("Claw", attack=Attack(5), damage=(Damage("1d8+3", "bludgeoning"),))
    crab = replace(CRAB, features=(claw,))
    assert ruleset.imports(ruleset.tables, crab).row["attack"] == ['"Claw" +5 vs ac 1d8+3 blunt']
    assert "attack" not in ruleset.imports(ruleset.tables, replace(crab, game="5e")).row


def test_plain_takes_what_it_counts() -> None:
    ruleset = load_ruleset("plain")
    row = ruleset.imports(ruleset.tables, CRAB).row
    assert row == {
        "hp": "12/60", "ac": 15, "init": -1, "speed": 30, "resist": "cold,bludgeoning",
        "immune": "poison",
    }  # fmt: skip

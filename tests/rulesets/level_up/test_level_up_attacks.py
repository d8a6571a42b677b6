"""Attacks, criticals and blocking them, opportunity attacks, two weapons. Level Up, Making an
Attack, Critical Hits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.rulesets.level_up.conftest import GHOULS, MIRA, ORDER

Fight = Any


def lean(fight: Fight) -> int:
    """1 for an advantage, −1 for a disadvantage, of the last roll."""
    return int(fight.rolled.lean)


# -- cover and range -------------------------------------------------------------------------------


@pytest.mark.parametrize(("cover", "dc"), [("cover", 14), ("three-quarters-cover", 17)])
def test_cover_adds_to_armor_class(fight: Fight, cover: str, dc: int) -> None:
    """Level Up, Cover; of several only the best counts."""
    fight.do(f"attack ghoul-1 natural 6 5 {cover}")
    assert (fight.rolled.dc, fight.rolled.outcome) == (dc, "miss")
    fight.do(f"attack ghoul-1 natural 6 5 {cover} cover")
    assert fight.rolled.dc == dc


def test_total_cover_can_not_be_targeted(fight: Fight) -> None:
    """Level Up, Cover."""
    fight.refuses("attack ghoul-1 hit 5 total-cover", "total cover")
    assert fight.track("brannoc", "action") == 1


@pytest.mark.parametrize("word", ["long", "close"])
def test_far_and_close_shots_have_disadvantage(fight: Fight, word: str) -> None:
    """Level Up, Ranged Attacks: thrown weapons too; it is said of no melee attack."""
    fight.do("next", f"attack ghoul-1 roll 5 with bow {word}", faces=(9, 3))
    assert lean(fight) == -1
    fight.refuses(f"attack ghoul-1 hit 5 with rapier {word}", "ranged")
    fight.do("undo", f"attack ghoul-1 roll 5 with dagger {word}", faces=(9, 3))
    assert lean(fight) == -1


def test_spells_are_ranged_attacks_as_well(fight: Fight) -> None:
    """Level Up, Ranged Attacks."""
    fight.do("next", "cast Spark at ghoul-1 natural 9,3 5 fire close")
    assert (lean(fight), fight.rolled.total) == (-1, 7)


# -- who sees whom ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "leans"),
    [("target-unseen", -1), ("unseen", 1), ("unseen target-unseen", -1)],
)
def test_unseen_attackers_and_targets(fight: Fight, said: str, leans: int) -> None:
    """Level Up, Unseen Attackers and Targets."""
    fight.do(f"attack ghoul-1 roll 5 {said}", faces=(9, 3))
    assert lean(fight) == leans


def test_both_unseen_is_cancelled_by_another_advantage(fight: Fight) -> None:
    """Level Up, Unseen Attackers and Targets; ruling 20."""
    fight.do("attack ghoul-1 roll 5 unseen target-unseen adv", faces=(9,))
    assert lean(fight) == 0


def test_the_invisible_are_unseen_and_stay_so(fight: Fight) -> None:
    """Level Up, Unseen Attackers and Targets."""
    fight.do("inflict brannoc,ghoul-2 invisible", "attack ghoul-1 roll 5", faces=(9, 3))
    assert (lean(fight), "invisible" in fight.effects("brannoc")) == (1, True)
    fight.do("attack ghoul-2 roll 5", faces=(9, 3))
    assert lean(fight) == -1


def test_the_hidden_are_unseen_until_they_attack_hit_or_miss(fight: Fight) -> None:
    """Level Up, Unseen Attackers and Targets."""
    fight.do("inflict ghoul-1 hidden", "inflict brannoc hidden", "attack ghoul-1 miss")
    assert "hidden" not in fight.effects("brannoc")
    fight.do("attack ghoul-1 roll 5", faces=(9, 3))
    assert (lean(fight), "hidden" in fight.effects("ghoul-1")) == (-1, True)


def test_the_blinded_see_nobody(fight: Fight) -> None:
    """Level Up, Unseen Attackers and Targets."""
    fight.do("inflict ghoul-1 blinded", "attack ghoul-1 roll 5", faces=(9, 3))
    assert lean(fight) == 1
    fight.do("next", "next", "attack brannoc roll 5", faces=(9, 3))
    assert lean(fight) == -1


def test_nobody_is_unseen_to_blindsight(with_more: Callable[..., Fight]) -> None:
    """Level Up, Unseen Attackers and Targets: as attacker and as target, but for whom it can't
    perceive, which is said."""
    fight = with_more("add monster Bat blindsight hp 9 ac 12 attack bite +4 1d4 piercing")
    fight.do("inflict brannoc invisible", "attack bat roll 1", faces=(9,))
    assert lean(fight) == 0
    fight.do("attack bat natural 4,9 1 unseen")
    assert lean(fight) == 1
    fight.do("next", "next", "next", "next", "attack brannoc natural 9 3")
    assert lean(fight) == 0
    fight.do("undo", "attack brannoc natural 9,4 3 target-unseen")
    assert lean(fight) == -1


# -- who and what ----------------------------------------------------------------------------------


def test_whom_nobody_attacks(fight: Fight) -> None:
    """3, 4."""
    fight.do("damage ghoul-2 22")
    fight.refuses("attack brannoc hit 5", "themself")
    fight.refuses("attack ghoul-2 hit 5", "is dead")
    fight.refuses("attack ghoul-1 hit 5 with spear", "'spear': one of sword, hatchet or maul")


def test_a_monsters_attack_may_leave_out_how_it_came_out(fight: Fight) -> None:
    """18."""
    fight.do("next", "next", "attack mira", faces=(15, 2, 3))
    assert fight.hp("mira") == 24 - 7
    fight.do("next", "next")
    fight.refuses("attack ghoul-1", "expected an outcome")


def test_the_first_attack_is_meant_without_with(fight: Fight) -> None:
    """And its damage is rolled where none is said."""
    fight.do("attack ghoul-1 hit", faces=(5,))
    assert fight.hp("ghoul-1") == 22 - 9
    fight.do("attack ghoul-1 hit with maul", faces=(1, 2))
    assert fight.hp("ghoul-1") == 22 - 9 - 7


def test_who_has_no_attack_must_be_told(with_more: Callable[..., Fight]) -> None:
    """18."""
    fight = with_more("add pc Odo hp 9 ac 12")
    fight.do("next", "next", "next", "next")
    fight.refuses("attack ghoul-1 natural 9 3", "plus 5")
    fight.refuses("attack ghoul-1 hit", "how much damage")
    fight.do("attack ghoul-1 natural 9 3 plus 5")
    assert fight.hp("ghoul-1") == 19


def test_modifiers_to_attack_and_damage(fight: Fight) -> None:
    """Level Up, Damage Resistance, Vulnerability and Immunity: a flat bonus comes behind the
    doubling of a critical."""
    fight.do("modifier brannoc +2 attack,damage", "attack ghoul-1 natural 3 5")
    assert (fight.rolled.total, fight.hp("ghoul-1")) == (12, 15)
    fight.do("attack ghoul-1 crit 4")
    assert fight.hp("ghoul-1") == 15 - 10


# -- the Attack action -----------------------------------------------------------------------------


def test_the_attack_action_has_as_many_attacks_as_are_said(fight: Fight) -> None:
    """Level Up, Attack: the first pays the action, the others use up `attacks`."""
    fight.do("attack ghoul-1 miss")
    assert (fight.track("brannoc", "action"), fight.track("brannoc", "attacks")) == (0, 1)
    fight.do("attack ghoul-2 miss")
    fight.refuses("attack ghoul-2 miss", "action used")
    fight.do("next", "attack ghoul-1 miss")
    fight.refuses("attack ghoul-1 miss", "action used")


def test_another_action_leaves_no_attack(fight: Fight) -> None:
    """Level Up, Attack."""
    fight.do("dodge")
    fight.refuses("attack ghoul-1 hit 5", "action used")


# -- two weapons -----------------------------------------------------------------------------------


def test_the_other_weapon_by_the_bonus_action(fight: Fight) -> None:
    """Level Up, Two-Weapon Fighting: without the fixed number, unless it is below 0; called out as
    it is."""
    fight.do("attack ghoul-1 miss", "off-hand ghoul-1 hit", faces=(4,))
    assert fight.hp("ghoul-1") == 18
    assert fight.track("brannoc", "bonus_action") == 0
    fight.do("off-hand ghoul-1 hit 6")
    assert (fight.hp("ghoul-1"), fight.track("brannoc", "off_hand")) == (12, 0)
    fight.refuses("off-hand ghoul-1 hit 6", "bonus action used")


def test_two_of_them_for_a_character_with_extra_attack(with_more: Callable[..., Fight]) -> None:
    """Level Up, Two-Weapon Fighting: not for a monster."""
    fight = with_more(
        "add monster Imp attacks 2 hp 9 ac 9 attack claw +3 1d4-1 slashing"
        " attack sting +3 1d4-1 piercing dual-wielding"
    )
    fight.do("attack ghoul-1 miss", "off-hand ghoul-1 miss")
    assert fight.option("brannoc", "off-hand")["cost"] == {"off_hand": 1}
    fight.do("next", "next", "next", "next", "attack mira miss")
    fight.do("off-hand mira hit", faces=(3,))
    assert fight.hp("mira") == 24 - 2
    fight.refuses("off-hand mira hit 3", "bonus action used")


def test_the_other_weapon_needs_an_attack_before_with_a_light_one(fight: Fight) -> None:
    """Level Up, Two-Weapon Fighting."""
    fight.refuses("off-hand ghoul-1 hit 3", "no attack this turn")
    fight.do("attack ghoul-1 miss with maul")
    fight.refuses("off-hand ghoul-1 hit 3", "heavy")
    fight.do("attack ghoul-1 miss with hatchet")
    fight.refuses("off-hand ghoul-1 hit 3 with sword", "dual-wielding")
    fight.do("off-hand ghoul-1 hit 3 with hatchet")
    assert fight.history.entries[fight.history.last].text.endswith(", with a second hatchet")


def test_a_thrown_one_may_be_thrown(fight: Fight) -> None:
    """Level Up, Two-Weapon Fighting."""
    fight.do("next", "attack ghoul-1 miss", "off-hand ghoul-1 roll 3 ranged close", faces=(9, 3))
    assert lean(fight) == -1


# -- opportunity attacks ---------------------------------------------------------------------------


def test_an_opportunity_attack_is_one_melee_attack_by_the_reaction(fight: Fight) -> None:
    """Level Up, Opportunity Attacks: `attacks` doesn't multiply it."""
    fight.do("next", "next", "react opportunity-attack ghoul-1 hit 4 by brannoc")
    assert (fight.track("brannoc", "reaction"), fight.track("brannoc", "attacks")) == (0, 0)
    fight.refuses("react opportunity-attack ghoul-1 hit 4 by brannoc", "reaction used")
    fight.refuses("react opportunity-attack ghoul-1 hit 4 with bow by mira", "melee")
    fight.refuses("react opportunity-attack brannoc hit 4 by mira", "not hostile")


def test_whom_it_does_not_reach(fight: Fight) -> None:
    """Level Up, Opportunity Attacks: the disengaged, the unseen; and the blinded make none."""
    react = "react opportunity-attack brannoc hit 4 by ghoul-1"
    fight.do("disengage")
    fight.refuses(react, "disengaged")
    fight.do("undo", "inflict brannoc invisible")
    fight.refuses(react, "can't see")
    fight.do("undo", "inflict brannoc hidden")
    fight.refuses(react, "can't see")
    fight.do("undo", "inflict ghoul-1 blinded")
    fight.refuses(react, "can't see")
    fight.do("undo", "inflict ghoul-1 unconscious")
    fight.refuses(react, "unconscious")


def test_disengaging_is_over_with_the_turn(fight: Fight) -> None:
    """Level Up, Disengage."""
    fight.do("disengage", "next", "react opportunity-attack brannoc hit 4 by ghoul-1")
    assert fight.hp("brannoc") == 36


# -- criticals -------------------------------------------------------------------------------------


def test_a_critical_doubles_what_was_rolled_fixed_numbers_too(fight: Fight) -> None:
    """Level Up, Critical Hits."""
    fight.do("attack ghoul-1 crit", faces=(3,))
    assert fight.hp("ghoul-1") == 22 - 14
    fight.do("attack ghoul-2 crit 6")
    assert fight.hp("ghoul-2") == 10


def test_blocking_takes_the_reaction_and_a_fatigue(fight: Fight) -> None:
    """Level Up, Critical Hits."""
    fight.do("next", "next", "attack mira crit 4", "react block by mira")
    assert (fight.hp("mira"), fight.track("mira", "reaction")) == (20, 0)
    assert fight.tired("mira") == (1, 0)


def test_a_shield_is_given_up_instead(fight: Fight) -> None:
    """Level Up, Critical Hits; ruling 16."""
    fight.do("next", "next", "attack brannoc crit 4", "react block shield by brannoc")
    assert (fight.hp("brannoc"), fight.tired("brannoc")) == (36, (0, 0))
    assert (fight.track("brannoc", "shield"), fight.total("brannoc", "ac")) == (0, 15)
    assert fight.track("brannoc", "reaction") == 0
    fight.do("next", "attack mira crit 4")
    fight.refuses("react block shield by mira", "no shield")


def test_a_block_takes_back_all_that_came_of_the_critical(fight: Fight) -> None:
    """Level Up, Critical Hits: temporary HP, 0 HP, unconsciousness, its fatigue."""
    fight.do("temp mira 3", "next", "next", "attack mira crit 15")
    assert (fight.who("mira")["life"], fight.tired("mira")) == ("dying", (1, 0))
    fight.do("react block by mira")
    assert (fight.who("mira")["life"], fight.hp("mira")) == ("up", 12)
    assert (fight.tired("mira"), fight.track("mira", "temp_hp")) == ((1, 0), 0)
    assert not fight.effects("mira") & {"unconscious", "prone"}
    fight.do("undo")
    assert fight.who("mira")["life"] == "dying"


def test_a_block_may_not_be_enough(fight: Fight) -> None:
    """Level Up, Critical Hits: what brings down as a plain hit does so."""
    fight.do("next", "next", "attack mira crit 24", "react block by mira")
    assert (fight.who("mira")["life"], fight.tired("mira")) == ("dying", (2, 0))
    assert fight.track("mira", "reaction") == 0


def test_dice_fall_as_they_fell(fight: Fight) -> None:
    """Level Up, Critical Hits: the damage is not rolled anew."""
    fight.do("next", "next", "attack mira natural 20", faces=(4, 3))
    assert fight.hp("mira") == 24 - 18
    fight.do("react block by mira")
    assert fight.hp("mira") == 24 - 9


def test_when_a_critical_can_be_blocked(fight: Fight) -> None:
    """Level Up, Critical Hits: right after it, by its target, with a reaction left before the
    blow."""
    fight.do("next", "next")
    assert fight.option("mira", "block")["available"] is False
    fight.do("attack mira crit 4")
    assert fight.option("mira", "block")["available"] is True
    assert fight.pending[0][0] == "mira"
    fight.refuses("react block by brannoc", "no critical hit")
    fight.do('note "a scream"')
    assert fight.option("mira", "block")["available"] is False and not fight.pending
    fight.refuses("react block by mira", "no critical hit")
    fight.do("undo 2", 'react "ducks" by mira', "attack mira crit 4")
    fight.refuses("react block by mira", "reaction used")
    assert not fight.pending


def test_a_plain_hit_is_not_blocked(fight: Fight) -> None:
    """Level Up, Critical Hits."""
    fight.do("next", "next", "attack mira hit 4")
    fight.refuses("react block by mira", "no critical hit")


def test_who_was_at_0_hp_blocks_nothing(fight: Fight) -> None:
    """Level Up, Critical Hits, Dropping to 0 Hit Points."""
    fight.do("damage mira 24", "next", "death mira success", "next", "attack mira crit 4 failure")
    fight.refuses("react block by mira", "0 HP")
    assert fight.tired("mira") == (2, 0)


def test_a_block_in_front_of_an_opportunity_attack(new_fight: Callable[..., Fight]) -> None:
    """Level Up, Critical Hits: monsters block as well, in anybody's turn."""
    fight = new_fight(MIRA, GHOULS, *(line for line in ORDER if "brannoc" not in line))
    fight.do("next", "react opportunity-attack ghoul-1 crit 5 by mira", "react block")
    assert (fight.hp("ghoul-1"), fight.tired("ghoul-1")) == (17, (1, 0))

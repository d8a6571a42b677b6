"""Creatures under somebody's control. Level Up, Controlling Summons and Multiple Creatures;
rulings 24 and 25."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.rulesets.level_up.conftest import ORDER, PEOPLE, Fight

SKELETONS = (
    "add monster Skeleton x3 side party summon of Mira hp 13 ac 13 str 2 dex 2"
    " attack sword +4 1d6+2 piercing melee"
)
ALL = "skeleton-1,skeleton-2,skeleton-3"


@pytest.fixture
def led(new_fight: Callable[..., Fight]) -> Fight:
    """Mira leads three skeletons, and is up."""
    return new_fight(*PEOPLE, SKELETONS, *ORDER, "next")


def test_they_stand_behind_their_owner_and_are_passed_over(led: Fight) -> None:
    """Level Up, ruling 25."""
    order = led.shown["order"]
    assert order[1:5] == ["mira", "skeleton-1", "skeleton-2", "skeleton-3"]
    assert led.do("next").state.turn == "ghoul-1"


def test_who_is_summoned_in_the_fight_stands_there_too(fight: Fight) -> None:
    fight.do(SKELETONS)
    assert fight.shown["order"][2:5] == ["skeleton-1", "skeleton-2", "skeleton-3"]
    assert fight.do("next", "next").state.turn == "ghoul-1"


def test_they_go_where_their_owner_goes(led: Fight) -> None:
    led.do("init mira 2")
    assert led.shown["order"][-4:] == ["mira", "skeleton-1", "skeleton-2", "skeleton-3"]


def test_they_act_only_when_commanded(led: Fight) -> None:
    led.refuses("attack ghoul-1 hit 3 by skeleton-1", "not commanded")
    assert led.reason("skeleton-1", "attack") == "not commanded"
    led.do("command skeleton-1,skeleton-2")
    assert led.track("mira", "bonus_action") == 0
    led.do("attack ghoul-1 hit 3 by skeleton-1", "dodge by skeleton-2")
    assert led.hp("ghoul-1") == 19 and led.track("skeleton-1", "action") == 0
    led.refuses("attack ghoul-1 hit 3 by skeleton-1", "action used")
    led.refuses("attack ghoul-1 hit 3 by skeleton-3", "not commanded")


def test_they_move_in_their_owners_turn(led: Fight) -> None:
    led.do("move 20 by skeleton-3")
    assert led.track("skeleton-3", "movement") == 10
    led.do("next")
    led.refuses("move 5 by skeleton-3", "turn")


def test_a_command_lasts_for_the_turn_in_which_it_is_given(led: Fight) -> None:
    led.do(f"command {ALL}", "next")
    led.refuses("attack ghoul-1 hit 3 by skeleton-1", "turn")
    led.do("next", "next", "next")
    assert led.state.turn == "mira" and led.reason("skeleton-1", "attack") == "not commanded"


def test_their_actions_are_back_with_their_owners_turn(led: Fight) -> None:
    led.do(f"command {ALL}", "attack ghoul-1 miss by skeleton-1", *["next"] * 4)
    assert led.track("skeleton-1", "action") == 1
    led.do(f"command {ALL}", "attack ghoul-1 miss by skeleton-1")


def test_a_command_is_one_bonus_action_for_ones_own(led: Fight) -> None:
    led.refuses("command ghoul-1", "not under the control of Mira")
    led.refuses(f"command {ALL} by brannoc", "not under the control of Brannoc")
    led.do("command skeleton-1")
    led.refuses("command skeleton-2", "bonus action used")


def test_who_controls_nobody_is_told_so_beforehand(led: Fight) -> None:
    """3: `options` says what would be refused."""
    assert led.reason("mira", "command") == ""
    assert led.do("next").reason("ghoul-1", "command") == "controls nobody"


def test_the_fallen_are_not_commanded(led: Fight) -> None:
    led.do("damage skeleton-1 13")
    led.refuses("command skeleton-1", "dead")


def test_without_their_owner_they_have_turns_of_their_own(led: Fight) -> None:
    led.do("leave mira")
    assert led.do("init skeleton-1 30").state.slot("skeleton-1").passive is False  # type: ignore[union-attr]


def test_what_they_do_until_their_next_turn_lasts_until_their_owners(led: Fight) -> None:
    """Dodge, Help, Ready: they have no turn of their own, and act in their owner's."""
    led.do(f"command {ALL}", "dodge by skeleton-1", "help mira against ghoul-1 by skeleton-2")
    led.do('ready attack "it comes" by skeleton-3', "next")
    assert "dodging" in led.effects("skeleton-1")
    assert led.until("mira", "helped-attack") == "start of mira's next turn"
    assert "readied" in led.effects("skeleton-3")
    led.do("feature floating-ash skeleton-1 failure")
    assert led.until("skeleton-1", "blinded") == "start of mira's next turn"
    while led.state.turn != "mira":
        led.do("next")
    assert not led.effects("skeleton-1") | led.effects("mira") | led.effects("skeleton-3")


def test_what_ends_with_their_next_turn_ends_with_their_owners(led: Fight) -> None:
    """Level Up, Controlling Summons and Multiple Creatures: on whom it is, or from whom, whoever
    says so."""
    led.do(
        "inflict ghoul-1 blinded user-end by skeleton-1", "inflict skeleton-2 blinded for 1 turn"
    )
    assert led.until("ghoul-1", "blinded") == "end of mira's next turn"
    assert led.until("skeleton-2", "blinded") == "end of mira's next turn"


# -- as a group ------------------------------------------------------------------------------------


def test_a_group_attack_is_a_save_of_the_targets(led: Fight) -> None:
    led.do(f"command {ALL}", f"group-attack {ALL} ghoul-1 natural 11 6")
    assert (led.rolled.who, led.rolled.total, led.rolled.dc) == ("ghoul-1", 13, 14)
    assert (led.outcome, led.hp("ghoul-1")) == ("failure", 14)
    assert [led.track(f"skeleton-{n}", "action") for n in (1, 2, 3)] == [0, 0, 0]


def test_who_saves_takes_half_of_all_of_it(led: Fight) -> None:
    """Level Up, ruling 24: the +1s first, then half."""
    led.do(f"command {ALL}", f"group-attack {ALL} ghoul-1 natural 12 5")
    assert (led.outcome, led.hp("ghoul-1")) == ("success", 19)


def test_an_attack_with_a_save_of_its_own_keeps_it(led: Fight) -> None:
    led.do(f"command {ALL}", f"group-attack {ALL} ghoul-1 natural 11 6 dc 11")
    assert (led.rolled.dc, led.outcome, led.hp("ghoul-1")) == (13, "success", 22)
    led.do("undo", f"group-attack {ALL} ghoul-1 natural 11 6 dc 11 half")
    assert led.hp("ghoul-1") == 18


def test_attacking_as_a_group_gives_the_hidden_away(led: Fight) -> None:
    """Unseen Attackers and Targets: their location is known after the attack, if it misses too."""
    led.do("inflict skeleton-1 hidden", f"command {ALL}", f"group-attack {ALL} ghoul-1 success 6")
    assert "hidden" not in led.effects("skeleton-1")


def test_what_it_brings_at_0_hp_is_asked_before_the_dice_fall(led: Fight) -> None:
    """Level Up, Dying and Death Saving Throws."""
    led.do("damage brannoc 40", f"command {ALL}")
    led.refuses(f"group-attack {ALL} brannoc roll", "say what the attack brings")


def test_its_damage_is_rolled_once(led: Fight) -> None:
    led.do(f"command {ALL}").do(f"group-attack {ALL} ghoul-1 failure", faces=(4,))
    assert led.hp("ghoul-1") == 14


def test_the_highest_bonus_counts(led: Fight) -> None:
    led.do("add monster Ogre side party summon of Mira hp 30 ac 11 attack club +7 2d8+4")
    led.do("command skeleton-1,ogre", "group-attack skeleton-1,ogre ghoul-1 natural 13 6")
    assert (led.rolled.dc, led.outcome) == (16, "failure")


def test_all_make_the_attack_that_is_said(led: Fight) -> None:
    """Level Up, Controlling Summons and Multiple Creatures: each member performs the same action;
    the highest bonus among them counts."""
    archer = (
        "add monster {} side party summon of Mira hp 9 ac 11 attack knife +1 1d4 attack bow +{} 1d6"
    )
    led.do(archer.format("Ann", 4), archer.format("Bea", 6), "command ann,bea,skeleton-1")
    led.refuses("group-attack ann,skeleton-1 ghoul-1 failure with bow", "has no bow")
    led.do("group-attack ann,bea ghoul-1 natural 12 with bow", faces=(3,))
    assert (led.rolled.dc, led.hp("ghoul-1")) == (8 + 6 + 1, 22 - 4)


def test_only_who_may_act_attacks_along(led: Fight) -> None:
    led.refuses(f"group-attack {ALL} ghoul-1 failure 6", "not commanded")
    led.do("command skeleton-1,skeleton-2")
    led.refuses(f"group-attack {ALL} ghoul-1 failure 6", "not commanded")


def test_a_group_check_is_one_roll_and_strength_adds_up(led: Fight) -> None:
    led.do(f"group-check {ALL} str natural 9 dc 13")
    assert (led.rolled.total, led.outcome) == (13, "success")
    led.do(f"group-check {ALL} dex natural 9 dc 13")
    assert (led.rolled.total, led.outcome) == (11, "failure")


def test_what_the_attack_brings_is_for_who_fails(led: Fight) -> None:
    """Level Up, Controlling Summons and Multiple Creatures: on a failure all its damage and its
    effects; on a success half, and no effects."""
    led.do(
        "add monster Wolf x2 side party summon of Mira hp 9 ac 12"
        " attack bite +4 1d6+2 piercing plus 1d4 cold inflicts prone"
    )
    led.do("command wolf-1,wolf-2").do("group-attack wolf-1,wolf-2 ghoul-1 failure", faces=(3, 2))
    assert (led.hp("ghoul-1"), led.effects("ghoul-1")) == (22 - (5 + 1) - 2, {"prone"})
    led.do("undo").do("group-attack wolf-1,wolf-2 ghoul-1 success", faces=(3, 2))
    assert (led.hp("ghoul-1"), led.effects("ghoul-1")) == (22 - 3 - 1, set())

"""Abilities and spells at their price, with rolls to hit or saves.

Adventure School, Action, Stamina, Diminish; Adventure School, Fast Action, Reaction, Diminish,
Control and Chaos.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Fight = Any
ANN = (
    "add pc Ann hp 30 ac 14 init 9 speed 30 stamina 6 spirit 4 spellburn d8"
    " ability Jab fast ability Flurry spammable stamina 1 ability Roll move ability Yell free"
    " ability Parry reaction stamina 1 ability Instinct effortless ability Lunge exhaust 2"
    " ability Trick uses 2 ability Hex diminish 2 +6 vs ac 1d6 dark ranged"
    " ability Ray spirit 1 spellburn 2 +5 vs ac 2d6 fire ranged threat 1 extra 1d4"
    " ability Roots control 5 spirit 1"
)
RATS = "add monster Rat x2 hp 40 ac 12 init 1 health 2 reflex 4 social -1"
ROUND = ["next"] * 3


@pytest.fixture
def ann(new_fight: Callable[..., Fight]) -> Fight:
    """Ann is up, then two rats."""
    return new_fight(ANN, RATS, "init ann 15", "init rat-1 9", "init rat-2 8", "start")


# -- of a turn -------------------------------------------------------------------------------------


def test_an_ability_takes_the_action_unless_it_says_otherwise(ann: Fight) -> None:
    ann.do("ability Trick")
    assert ann.track("ann", "action") == 0
    ann.refuses("ability Hex", "action used")
    ann.refuses("ability Trick by rat-1", "there is none")


def test_fast_ones_go_once_a_turn_by_name_and_spammable_ones_as_often_as_paid(ann: Fight) -> None:
    """Adventure School, Fast Action."""
    ann.do("ability Jab", *["ability Flurry"] * 3)
    assert ann.track("ann", "action") == 1 and ann.track("ann", "stamina") == 3
    ann.refuses("ability Jab", "once a turn")
    ann.refuses('fast "Jab"', "once a turn")
    assert ann.reason("ann", "ability Jab").startswith("once a turn")
    ann.do("next").refuses("ability Jab by ann", "Rat 1's turn")
    ann.do("next", "next", "ability Jab")


def test_one_that_takes_the_move_takes_the_whole_of_it_untouched(ann: Fight) -> None:
    """Adventure School, Move."""
    assert ann.option("ann", "ability Roll")["cost"] == {"movement": 30}
    ann.do("ability Roll")
    assert ann.track("ann", "movement") == 0 and ann.track("ann", "action") == 1
    ann.do("undo", "move 5").refuses("ability Roll", "some of the movement is used")
    assert ann.reason("ann", "ability Roll") == "some of the movement is used"


def test_free_ones_and_reactions_go_in_anybodys_turn(ann: Fight) -> None:
    """Adventure School, Free Action, Reaction."""
    ann.do("next", "ability Yell by ann", "ability Parry by ann", "ability Parry by ann")
    assert ann.track("ann", "stamina") == 4


def test_effortless_ones_go_where_reactions_are_barred_but_not_when_incapacitated(
    ann: Fight,
) -> None:
    """Adventure School, Reaction."""
    ann.do("next", "inflict ann stunned")
    ann.refuses("ability Parry by ann", "disabled")
    ann.do("ability Instinct by ann", "inflict ann incapacitated")
    ann.refuses("ability Instinct by ann", "incapacitated")
    assert ann.reason("ann", "ability Instinct") == "incapacitated"


def test_out_of_a_fight_the_turn_is_not_paid_and_resources_are(
    new_fight: Callable[..., Fight],
) -> None:
    """Adventure School, Action."""
    fight = new_fight(ANN, *["ability Flurry by ann"] * 2, *["ability Lunge by ann"] * 2)
    assert fight.track("ann", "stamina") == 0 and fight.track("ann", "action") == 1
    fight.refuses("ability Lunge by ann", "0 Stamina left, needs 2")


def test_a_held_action_may_turn_out_to_be_an_ability(ann: Fight) -> None:
    """Adventure School, Hold."""
    ann.do("ready", "next", "trigger ability Lunge by ann")
    assert ann.track("ann", "stamina") == 4 and ann["ann"].named("readied") is None


# -- of resources ----------------------------------------------------------------------------------


def test_what_it_exhausts_is_gone_from_the_maximum(ann: Fight) -> None:
    """Adventure School, Stamina, Exhaust."""
    ann.do("ability Lunge", *ROUND, "breather")
    track = ann["ann"].tracks["stamina"]
    assert (track.value, track.max, track.full) == (4, 4, 6)


def test_uses_come_back_with_any_rest(ann: Fight) -> None:
    """20."""
    ann.do("ability Trick", *ROUND, "ability Trick", *ROUND)
    ann.refuses("ability Trick", "used 2 of 2 until a rest")
    assert ann.reason("ann", "ability Trick") == "used 2 of 2 until a rest"
    ann.do("end", "rest short", "ability Trick by ann")


def test_costs_are_paid_together_or_not_at_all(ann: Fight) -> None:
    """Adventure School, Stamina."""
    assert ann.option("ann", "ability Roots")["cost"] == {"action": 1, "spirit": 1, "control": 5}
    ann.do("ability Roots")
    assert ann.track("ann", "spirit") == 3 and ann.track("ann", "control") == 10
    ann.do("set ann spirit 0", *ROUND).refuses("ability Roots", "0 Spirit left, needs 1")
    assert ann.track("ann", "control") == 10
    assert ann.reason("ann", "ability Roots") == "0 Spirit left, needs 1"


def test_chaos_takes_the_price_and_rolls_no_die(ann: Fight) -> None:
    """Control is never short, so it is offered; no target is harmed."""
    ann.do("set ann control 4")
    assert ann.option("ann", "ability Roots")["available"]
    ann.do("cast Roots control 5 spellburn at rat-1 hit 9")
    assert ann.hp("rat-1") == 40 and not ann.rolls and "chaos instead of Roots" in ann.notes
    assert ann.track("ann", "action") == 0 and ann.track("ann", "spellburn") == 8


def test_one_with_fortune_waits_for_no_die_that_is_out(new_fight: Callable[..., Fight]) -> None:
    """Adventure School, Fortune Points: what is offered may turn out to be too dear."""
    fight = new_fight("add pc Bo hp 9 fortune 1d6 ability Snare fortune 3", "init bo 5", "start")
    assert fight.option("bo", "ability Snare")["available"]
    fight.do("ability Snare", faces=[2])
    assert fight.track("bo", "action") == 1 and fight.track("bo", "fortune") == 2
    assert not fight.option("bo", "ability Snare")["available"]


def test_monsters_pay_with_what_is_said_of_them(ann: Fight) -> None:
    ann.do("next").refuses("cast Bite stamina 1", "no stamina on its sheet")
    ann.refuses("cast Bloom control 1", "no control on its sheet")
    ann.do("cast Squeak at ann hit 3")
    assert ann.hp("ann") == 27


# -- attacks ---------------------------------------------------------------------------------------


def test_an_abilitys_attack_has_its_own_bonus_dice_threat_and_critical_damage(ann: Fight) -> None:
    """Adventure School, Critical Threat Range, Critical Confirmation, Critical Damage."""
    ann.do("cast Ray rolled 5,3 at rat-1 natural 19", faces=[3, 4, 5, 6, 2])
    assert ann.outcome == "crit" and ann.hp("rat-1") == 20
    assert ann.track("ann", "spellburn") == 4 and ann.track("ann", "spirit") == 3


def test_several_targets_have_a_roll_each(ann: Fight) -> None:
    """OUTCOME, in the commands."""
    ann.do("ability Hex rat-1,rat-2 natural 15 natural 3 4 dark")
    assert [r.outcome for r in ann.rolls] == ["hit", "miss"]
    assert (ann.hp("rat-1"), ann.hp("rat-2")) == (36, 40)


def test_levels_of_diminish_come_with_what_works_once_and_weigh_on_its_rolls(ann: Fight) -> None:
    """16."""
    ann.do("ability Hex rat-1,rat-2 hit hit 4")
    assert ann.track("ann", "diminish") == 2
    ann.do(*ROUND, "ability Hex rat-1 natural 7 4 dark")
    assert ann.outcome == "miss" and ann.rolled.total == 11 and ann.track("ann", "diminish") == 2
    ann.do(*ROUND, "ability Ray rat-1 natural 7 4", faces=[8, 6])
    assert ann.outcome == "hit" and ann.track("ann", "diminish") == 2


def test_one_without_a_roll_works(ann: Fight) -> None:
    """16."""
    ann.do("ability Hex")
    assert ann.track("ann", "diminish") == 2


# -- saves -----------------------------------------------------------------------------------------


def test_targets_save_and_half_is_for_those_who_pass(ann: Fight) -> None:
    """Adventure School, Save: a critical save is unharmed."""
    ann.do("add monster Rat x2 hp 40 ac 12 init 1", faces=[7, 6])
    ann.do(
        "cast Blast at rat-1,rat-2,rat-3,rat-4 save health dc 12 fail pass crit crit-fail 9 half"
    )
    assert [ann.hp(f"rat-{n}") for n in (1, 2, 3, 4)] == [31, 35, 40, 31]
    assert ann.notes == "Rat 4: twice as bad, or which complication? (health save)"


def test_who_passes_is_unharmed_where_it_says_nothing_of_half(ann: Fight) -> None:
    ann.do("cast Blast at rat-1,rat-2 save health dc 12 fail pass 9 fire")
    assert (ann.hp("rat-1"), ann.hp("rat-2")) == (31, 40)


def test_saves_are_rolled_with_the_targets_numbers_and_dice_fall_once_for_all(ann: Fight) -> None:
    """Adventure School, Save."""
    ann.do(
        "cast Blast at rat-1,rat-2 save health reflex dc 12 natural 8 natural 7 2d6 fire",
        faces=[5, 6],
    )
    assert [(r.total, r.outcome) for r in ann.rolls] == [(12, "pass"), (11, "fail")]
    assert (ann.hp("rat-1"), ann.hp("rat-2")) == (40, 29)
    ann.do(*ROUND).refuses("cast Blast at rat-1 save social natural 4 5", "dc N")


def test_what_weighs_on_saves_against_a_type_counts(ann: Fight) -> None:
    """Burning is a disadvantage on saves against fire."""
    ann.do("inflict rat-1 burning 1", "cast Blast at rat-1 save health dc 12 natural 15,4 9 fire")
    assert ann.outcome == "fail"


def test_what_is_said_of_a_spells_saves_counts_for_them(ann: Fight) -> None:
    """1.3 and Commands: `adv`, `dis` and `plus N` are of the roll, which is the target's save."""
    ann.do("cast Blast at rat-1 save health reflex dc 12 natural 7 9 plus 1")
    assert (ann.rolled.total, ann.outcome) == (12, "pass")
    ann.do(*ROUND, "cast Blast at rat-1 save health reflex dc 12 natural 15,4 9 dis")
    assert (ann.rolled.lean, ann.outcome) == (-1, "fail")


def test_reflex_saves_against_the_hidden_are_at_a_disadvantage_and_a_subtle_spell_stays_hidden(
    ann: Fight,
) -> None:
    """Adventure School, Hide."""
    ann.do("hide pass", *ROUND)
    ann.do("cast Blast subtle at rat-1 save health reflex dc 12 natural 15,4 9")
    assert ann.outcome == "fail" and "hidden" in ann.effects("ann")
    ann.do(*ROUND, "cast Blast at rat-1 save health reflex dc 12 natural 15,4 9")
    assert ann.outcome == "fail" and "hidden" not in ann.effects("ann")


def test_diminish_lowers_the_dc_of_its_ability(ann: Fight) -> None:
    """16."""
    ann.do("diminish 3", "ability Hex rat-1 save social dc 12 natural 10 4")
    assert ann.rolled.dc == 9 and ann.outcome == "pass" and ann.track("ann", "diminish") == 3


def test_levels_that_a_command_says_of_an_ability_come_if_it_works(ann: Fight) -> None:
    """16: `diminish N` of one whose sheet has none."""
    ann.do("ability Yell rat-1 natural 2 5 plus 3 diminish 2")
    assert ann.outcome == "miss" and ann.track("ann", "diminish") == 0
    ann.do("ability Yell rat-1 natural 15 5 plus 3 diminish 2")
    assert ann.outcome == "hit" and ann.track("ann", "diminish") == 2


# -- which spell -----------------------------------------------------------------------------------


def test_a_price_that_is_said_stands_for_that_of_the_sheet(ann: Fight) -> None:
    ann.do("cast Ray fast spirit 2 at rat-1 hit 3 fire")
    assert ann.track("ann", "spirit") == 2 and not [r for r in ann.rolls if r.for_ == "spellburn"]
    assert ann.track("ann", "action") == 1


def test_a_spell_that_is_on_no_sheet_is_cast_and_a_slip_of_one_is_not(ann: Fight) -> None:
    ann.do("cast Green Tide control 3")
    assert ann.track("ann", "control") == 12
    ann.refuses("cast Rotos", "did you mean Roots")
    ann.refuses("ability Rotos", "did you mean Roots")


def test_every_ability_is_among_the_options_with_its_words(ann: Fight) -> None:
    """`show --json`."""
    names = [o["technique"] for o in ann.who("ann")["options"] if o["technique"][:8] == "ability "]
    assert names[:3] == ["ability Jab", "ability Flurry", "ability Roll"] and len(names) == 11
    assert ann.option("ann", "ability Jab")["cost"] == {}

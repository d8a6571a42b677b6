"""Tests of skill, saves and assistance. Adventure School, Take 10, Save, Assist."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from affray.core.engine.decide import complete
from affray.core.engine.events import Rolled

Fight = Any


def shown_clock(fight: Fight) -> dict[str, Any]:
    clock: dict[str, Any] = fight.shown["clocks"][0]
    return clock


# -- tests -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("die", "outcome"), [("11", "pass"), ("10", "fail"), ("20", "crit"), ("1", "crit-fail")]
)
def test_a_test_is_the_number_on_the_sheet_and_equal_is_enough(
    fight: Fight, die: str, outcome: str
) -> None:
    """Adventure School, Test of Skill: a 20 passes whatever the DC, and a 1 fails."""
    dc = {"20": 40, "1": 2}.get(die, 15)
    assert fight.do(f"check mira seeking natural {die} dc {dc}").outcome == outcome


def test_a_skill_without_a_number_counts_nothing_and_a_slip_is_refused(fight: Fight) -> None:
    """A number that is missing is 0."""
    fight.do("check mira thievery natural 12 dc 12")
    assert fight.rolled.total == 12
    fight.refuses("check mira seking natural 12 dc 12", "seeking")
    fight.refuses("check mira natural 12 dc 12", "expected a skill")


def test_a_skill_of_its_own_is_known_by_its_name(new_fight: Callable[..., Fight]) -> None:
    """`skill NAME N`."""
    fight = new_fight("add pc Wren hp 9 skill sailing 4", "check wren sailing natural 5 dc 9")
    assert fight.outcome == "pass"


def test_without_a_dc_only_the_ends_of_the_die_say_how_it_came_out(fight: Fight) -> None:
    """Adventure School, Natural: whoever knows the DC can tell by the total."""
    fight.do("check mira seeking natural 9")
    assert fight.history.entries[fight.history.last].text == "Mira tests seeking: 13"
    assert fight.do("check mira seeking natural 1").outcome == "crit-fail"


def test_two_dice_take_the_better_the_worse_and_both_neither(fight: Fight) -> None:
    """Adventure School, Advantage, Disadvantage; ruling 2."""
    fight.refuses("check mira seeking natural 4,15", "there is neither")
    assert fight.do("check mira seeking natural 4,15 adv dc 9").rolled.total == 19
    assert fight.do("check mira seeking natural 4,15 dis dis dc 9").rolled.total == 8
    fight.refuses(
        "check mira seeking natural 4,15 adv dis adv dc 9", "cancel out: give the one die"
    )
    fight.do("inflict mira afraid", "modifier mira adv check")
    why = "as advantage (modifier) and disadvantage (afraid) cancel out"
    fight.refuses("check mira seeking natural 4,15 dc 9", why)


def test_a_ten_can_be_taken_and_is_never_critical(fight: Fight) -> None:
    """Adventure School, Take 10."""
    assert fight.do("check mira seeking take-10 dc 14").outcome == "pass"
    assert fight.do("check mira seeking take-10 dc 15").outcome == "fail"
    fight.do("modifier mira +10 threat until fight", "check mira seeking take-10 dc 5")
    assert fight.outcome == "pass"
    assert fight.do("check mira seeking natural 10 dc 5").outcome == "crit"


def test_a_threat_is_critical_if_the_total_confirms_it(fight: Fight) -> None:
    """Adventure School, Critical Threat Range, Critical Confirmation."""
    fight.do("modifier mira -2 threat until fight")
    assert fight.do("check mira seeking natural 18 dc 22").outcome == "crit"
    assert fight.do("check mira seeking natural 18 dc 23").outcome == "fail"
    assert fight.do("save mira health natural 18 dc 20").outcome == "crit"


def test_fear_hinders_tests_and_no_saves(fight: Fight) -> None:
    """Adventure School, Fear."""
    fight.do("inflict mira afraid", "check mira seeking natural 15,4 dc 8")
    assert fight.rolled.total == 8
    fight.refuses("save mira health natural 15,4 dc 8", "there is neither")


def test_only_tests_by_sight_are_hindered_by_blindness(fight: Fight) -> None:
    """Adventure School, Blind."""
    fight.do("inflict mira blinded", "check mira seeking natural 15,4 sight dc 8")
    assert fight.rolled.total == 8
    fight.refuses("check mira seeking natural 15,4 dc 8", "there is neither")


def test_a_charmer_has_the_better_of_the_charmed_in_social_tests(fight: Fight) -> None:
    """Adventure School, Charm."""
    fight.do("inflict ghoul-1 charmed from mira")
    fight.do("check mira performance natural 4,13 dc 19 social vs ghoul-1")
    assert fight.outcome == "pass"
    fight.refuses("check mira performance natural 4,13 social vs ghoul-2", "there is neither")
    fight.refuses("check brannoc performance natural 4,13 social vs ghoul-1", "there is neither")
    fight.refuses("check mira performance natural 4,13 vs ghoul-1", "there is neither")
    fight.do("check ghoul-1 strength natural 4,13 social vs mira dc 10")
    assert fight.outcome == "fail"
    assert fight.do("save ghoul-1 social natural 4,13 vs mira dc 10").outcome == "fail"
    fight.refuses("save ghoul-1 health natural 4,13 vs mira dc 10", "there is neither")


def test_a_test_by_a_diminish_ability_bears_its_levels_and_adds_some_if_it_works(
    fight: Fight,
) -> None:
    """Adventure School, Diminish."""
    fight.do("check mira spellcraft natural 8 dc 15 diminish 2")
    assert fight.track("mira", "diminish") == 2
    fight.do("check mira spellcraft natural 9 dc 15 diminish 2")
    assert (fight.outcome, fight.track("mira", "diminish")) == ("fail", 2)
    assert fight.do("check mira spellcraft natural 8 dc 15").outcome == "pass"


def test_a_test_takes_the_action_where_that_is_said(fight: Fight) -> None:
    """Adventure School, Action."""
    fight.do("check brannoc seeking natural 8")
    assert fight.track("brannoc", "action") == 1
    fight.do("check brannoc seeking natural 8 action")
    assert fight.track("brannoc", "action") == 0
    fight.refuses("check brannoc seeking natural 8 action", "action used")
    fight.refuses("check mira seeking natural 8 action", "Brannoc's turn")


# -- saves -----------------------------------------------------------------------------------------


def test_several_save_with_an_outcome_each_or_one_word_for_all(fight: Fight) -> None:
    """Commands, OUTCOME and 19."""
    fight.do("save ghoul-1,ghoul-2 health natural 12 natural 4 dc 10")
    assert [roll.outcome for roll in fight.rolls] == ["pass", "fail"]
    fight.do("save ghoul-1,ghoul-2 social success")
    assert [roll.outcome for roll in fight.rolls] == ["pass", "pass"]


def test_a_reflex_save_goes_by_its_own_number_if_there_is_one(
    new_fight: Callable[..., Fight],
) -> None:
    """Reflex as health."""
    fight = new_fight("add pc Ann hp 9 health 2", "add pc Bob hp 9 health 2 reflex 5")
    fight.do("save ann,bob health reflex natural 10 natural 10 dc 20")
    assert [roll.total for roll in fight.rolls] == [12, 15]
    assert fight.do("save bob health natural 10 dc 20").rolled.total == 12


@pytest.mark.parametrize("condition", ["incapacitated", "frozen", "petrified", "sleeping"])
def test_who_can_not_move_a_muscle_fails_reflex_saves(fight: Fight, condition: str) -> None:
    """Adventure School, Incapacity, Freeze, Petrification."""
    fight.do(f"inflict mira {condition}")
    assert fight.do("save mira health reflex natural 20 dc 5").outcome == "fail"
    assert fight.do("save mira health reflex pass").outcome == "fail"
    assert fight.do("save mira health natural 20 dc 5").outcome == "crit"


def test_who_defends_saves_better_by_reflex_and_against_being_pushed_about(fight: Fight) -> None:
    """Adventure School, Defend."""
    fight.do("defend")
    assert fight.dice("brannoc", "reflex") == "advantage"
    for what in ("reflex natural 4,15", "natural 4,15 vs grab", "natural 4,15 vs push"):
        fight.do(f"save brannoc health {what} dc 19")
        assert fight.outcome == "pass"
    fight.refuses("save brannoc health natural 4,15 dc 19", "there is neither")


def test_reflex_saves_against_the_hidden_are_hard(fight: Fight) -> None:
    """Adventure School, Hide."""
    fight.do("inflict mira hidden", "save ghoul-1 health reflex natural 15,4 vs mira dc 8")
    assert fight.outcome == "fail"
    fight.refuses("save ghoul-1 health natural 15,4 vs mira", "there is neither")


@pytest.mark.parametrize(
    ("condition", "against"),
    [("burning 3", "fire"), ("soaked", "cold"), ("chilled", "cold")],
)
def test_elements_make_saves_against_them_hard(fight: Fight, condition: str, against: str) -> None:
    """Adventure School, Burning, Soak, Chill."""
    fight.do(f"inflict mira {condition}", f"save mira health natural 15,4 vs {against} dc 8")
    assert fight.outcome == "fail"
    fight.refuses("save mira health natural 15,4 vs acid", "there is neither")


def test_a_modifier_for_one_save_is_used_up_by_it(fight: Fight) -> None:
    """Commands, DURATION: until used."""
    fight.do('modifier mira +3 reflex "Luck" until used', "save mira health natural 9 dc 11")
    assert "modifier" in fight.effects("mira")
    fight.do("save mira health reflex natural 9 dc 14")
    assert (fight.outcome, fight.effects("mira")) == ("pass", set())


# -- assistance ------------------------------------------------------------------------------------


def test_assistance_gives_the_next_test_of_the_skill_advantage(fight: Fight) -> None:
    """Adventure School, Assist: DC 10, for an action, used up by that test."""
    fight.do("assist mira seeking natural 8")
    assert (fight.outcome, fight.track("brannoc", "action")) == ("pass", 0)
    assert fight.who("mira")["effects"][0]["note"] == "seeking"
    fight.refuses("check mira roguery natural 4,15", "there is neither")
    assert fight.do("check mira seeking natural 4,15 dc 19").outcome == "pass"
    assert fight.effects("mira") == set()


def test_assistance_that_fails_helps_nobody(fight: Fight) -> None:
    """Adventure School, Assist."""
    fight.do("assist mira seeking natural 7")
    assert (fight.outcome, fight.effects("mira")) == ("fail", set())
    fight.refuses("assist brannoc seeking pass by brannoc", "themself")


@pytest.mark.parametrize("die", ["natural 2 dc 30", "fail", "natural 1"])
def test_critical_assistance_makes_the_test_critical(fight: Fight, die: str) -> None:
    """Adventure School, Assist: it automatically crits."""
    fight.do("assist mira seeking crit", f"check mira seeking {die}")
    assert (fight.outcome, fight.effects("mira")) == ("crit", set())


def test_some_skills_are_assisted_with_only_by_those_who_have_them(fight: Fight) -> None:
    """Adventure School, Assist; ruling 25."""
    fight.refuses("assist mira spellcraft pass", "has not learned spellcraft")
    fight.do("assist mira thievery pass", "next", "assist brannoc spellcraft pass")


# -- effort ----------------------------------------------------------------------------------------


def test_a_test_that_passed_works_toward_a_race(fight: Fight) -> None:
    """Adventure School, Effort, Tools, Critical Pass."""
    fight.do('clock "bog" effort 40')
    fight.do('check mira seeking natural 12 dc 10 effort "bog"', faces=(3, 4))
    assert shown_clock(fight)["value"] == 7
    fight.do('check mira seeking pass effort "bog" tools', faces=(6, 1))
    assert shown_clock(fight)["value"] == 14
    fight.do('check mira seeking natural 20 effort "bog" dc 30', faces=(1, 1, 1, 2))
    assert shown_clock(fight) == {"name": "bog", "value": 19, "max": 40}
    effort = [e for e in fight.events if isinstance(e, Rolled)][-1]
    assert (effort.dice, effort.faces) == ("4d4", (1, 1, 1, 2))


def test_effort_that_is_called_out_is_taken_as_it_is(fight: Fight) -> None:
    """AMOUNT."""
    fight.do('clock "bog" effort 40', 'check mira seeking crit effort "bog" 5 tools')
    assert shown_clock(fight)["value"] == 5
    fight.refuses('check mira seeking natural 9 effort "bog"', "say the outcome, or `dc N`")
    fight.refuses('check mira seeking pass effort "fog"', "bog")


def test_failing_alone_brings_nothing_and_in_a_group_it_counts_against_it(fight: Fight) -> None:
    """Adventure School, Group Extended Skill Tests."""
    fight.do('clock "bog" effort 20', 'check mira seeking fail effort "bog"')
    assert shown_clock(fight)["value"] == 0
    fight.do('clock "bog" off', 'clock "gate" effort 20 group')
    fight.do('check mira seeking fail effort "gate" 6', 'check mira seeking pass effort "gate" 4')
    assert shown_clock(fight) == {"name": "gate", "value": 4, "max": 20, "against": 6}


def test_undo_takes_the_effort_back(fight: Fight) -> None:
    """Adventure School, Effort, Extended Test."""
    fight.do('clock "bog" effort 20', 'check mira seeking pass effort "bog" 5', "undo")
    assert shown_clock(fight)["value"] == 0


def test_the_dcs_of_the_text_complete_a_dc(fight: Fight) -> None:
    """Adventure School, Difficulty Class."""
    offered = complete(fight.state, "check mira seeking natural 12 dc ", fight.ruleset)
    assert offered[:3] == ["5", "10", "15"]


@pytest.mark.parametrize("line", ["check mira seeking natural 1", "save mira health natural 1"])
def test_a_critical_failure_asks_for_a_complication(fight: Fight, line: str) -> None:
    """Adventure School, Test of Skill, Save: the GM names it."""
    fight.do(f"{line} dc 5")
    assert any("which complication?" in str(event) for event in fight.events)
    fight.do(f"{line.replace('natural 1', 'natural 2')} dc 5")
    assert not any("which complication?" in str(event) for event in fight.events)


def test_effort_may_be_said_in_dice_of_which_a_critical_rolls_twice_as_many(fight: Fight) -> None:
    """Adventure School, Effort, Extended Test; what makes more of a passed test than 2d4 is said as
    it is rolled."""
    fight.do('clock "bog" effort 40')
    fight.do('check mira seeking natural 15 dc 10 effort "bog" 3d4+1', faces=(2, 3, 4))
    assert fight.shown["clocks"][0]["value"] == 10
    fight.do('check mira seeking natural 20 dc 10 effort "bog" 1d8+2 tools', faces=(5, 6))
    rolled = [event.dice for event in fight.events if getattr(event, "for_", "") == "effort"]
    assert rolled == ["2d8+2"] and fight.shown["clocks"][0]["value"] == 23
    fight.refuses('check mira seeking pass effort "bog" 3dd', "number of sides")


def test_a_threat_counts_by_its_size_whichever_sign_it_is_said_with(fight: Fight) -> None:
    """Adventure School, Critical Threat Range, Critical Confirmation, Buff, Debuff: each −1 to the
    number that is needed; of one ability the larger."""
    fight.do('modifier mira +2 threat "Keen"', 'modifier mira +1 threat "Keen"')
    fight.do("modifier mira -1 threat", "check mira seeking natural 17 dc 10")
    assert fight.outcome == "crit"
    assert fight.do("check mira seeking natural 16 dc 10").outcome == "pass"

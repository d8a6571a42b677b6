"""Contests of skill. Adventure School, Contest of Skill; rulings 1 and 5."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.rulesets.adventure_school.conftest import PEOPLE

Fight = Any

BRANNOC_AND_GHOUL = "contest brannoc strength natural {} vs ghoul-1 strength natural {}"


@pytest.mark.parametrize(
    ("mine", "theirs", "outcome"),
    [
        ("10", "11", "pass"),  # 17 against 16
        ("10", "13", "fail"),  # 17 against 18
        ("10", "12", "pass"),  # 17 each: 7 is more than 5
        ("20", "19", "pass"),
        ("2", "20", "fail"),
        ("20", "20", "pass"),  # 27 against 25, both critical
        ("1", "2", "fail"),  # 8 against 7
        ("1", "1", "pass"),  # a 1 loses to anything but another 1
        ("2", "1", "pass"),
    ],
)
def test_the_higher_total_wins_but_for_criticals(
    fight: Fight, mine: str, theirs: str, outcome: str
) -> None:
    """Adventure School, Contest of Skill; rulings 1 and 5."""
    assert fight.do(BRANNOC_AND_GHOUL.format(mine, theirs)).outcome == outcome


def test_a_tie_of_everything_is_lost_by_who_began(fight: Fight) -> None:
    """Adventure School, ruling 5."""
    fight.do("contest ghoul-1 strength natural 9 vs ghoul-2 strength natural 9")
    assert fight.outcome == "fail"


def test_the_larger_number_of_a_tie_is_that_on_the_sheet(fight: Fight) -> None:
    """Adventure School, ruling 5: what is in force counts in the total alone."""
    fight.do("modifier ghoul-1 +1 check until fight")
    assert fight.do(BRANNOC_AND_GHOUL.format(10, 11)).outcome == "pass"


def test_a_threat_that_reaches_the_other_is_critical(fight: Fight) -> None:
    """Adventure School, Critical Threat Range, Critical Confirmation: for tests too, and so it wins
    a tie."""
    fight.do("modifier ghoul-1 -2 threat until fight")
    fight.do("contest ghoul-1 strength natural 18 vs brannoc strength natural 16")
    assert fight.outcome == "pass"
    fight.do("contest ghoul-1 strength natural 18 vs brannoc strength natural 17")
    assert fight.outcome == "fail"
    fight.do("contest brannoc strength natural 16 vs ghoul-1 strength natural 18")
    assert fight.outcome == "fail"


def test_the_verdict_comes_last_and_is_for_who_began_it(fight: Fight) -> None:
    """Commands, *events*."""
    fight.do(BRANNOC_AND_GHOUL.format(20, 5))
    assert [(roll.who, roll.outcome) for roll in fight.rolls] == [("brannoc", "pass")]
    assert fight.rolled.dc == 10
    fight.do("contest brannoc strength crit vs ghoul-1 strength roll")
    assert fight.outcome == "pass"


def test_what_was_called_out_needs_nobody_else_to_roll(fight: Fight) -> None:
    """Commands, THEIRS."""
    assert fight.do("contest brannoc strength pass vs ghoul-1 strength roll").outcome == "pass"
    assert fight.do("contest brannoc strength natural 9 vs ghoul-1 strength pass").outcome == "fail"


def test_each_side_has_its_own_words(fight: Fight) -> None:
    """Commands, Terms: they stand behind a roll."""
    line = "contest brannoc strength natural 4,15 adv vs ghoul-1 strength natural 18,3 dis"
    assert fight.do(line).outcome == "pass"
    line = "contest brannoc strength natural 4,15 vs ghoul-1 strength natural 18,3 adv"
    fight.refuses(line, "`natural 4,15` gives the two dice")


def test_in_a_social_contest_the_charmer_has_the_better_of_it(fight: Fight) -> None:
    """Adventure School, Charm."""
    fight.do("inflict ghoul-1 charmed from mira")
    fight.do("contest mira performance natural 4,13 social vs ghoul-1 strength natural 17,3")
    assert fight.outcome == "pass"


def test_nobody_contends_alone(fight: Fight) -> None:
    fight.refuses("contest mira roguery natural 4 vs mira seeking natural 9", "themself")
    fight.refuses("contest mira roguery natural 4", "vs")


# -- theirs ----------------------------------------------------------------------------------------


def test_theirs_may_be_by_another_skill_a_total_or_rolled_here(fight: Fight) -> None:
    """Commands, THEIRS."""
    assert fight.do("trip ghoul-1 natural 8 vs agility natural 12").outcome == "pass"
    fight.do("undo")
    assert fight.do("trip ghoul-1 natural 8 vs total 16").outcome == "fail"
    fight.do("undo")
    assert fight.do("trip ghoul-1 natural 8 vs roll", faces=(11,)).outcome == "fail"
    fight.do("undo")
    assert fight.do("trip ghoul-1 agility natural 8", faces=(5,)).outcome == "pass"


def test_words_behind_their_dice_are_theirs(fight: Fight) -> None:
    """Commands, Terms: as on difficult ground (Difficult Terrain, Climb)."""
    assert fight.do("trip ghoul-1 natural 8 vs natural 18,3 dis").outcome == "pass"
    fight.do("undo").refuses("trip ghoul-1 natural 8 vs natural 18,3", "there is neither")


def test_as_many_dice_as_there_are_others_or_one_for_all(fight: Fight) -> None:
    """Commands, OUTCOME: one each, a comma is two dice of one roll."""
    fight.do("next", "hide natural 10 vs natural 14 natural 16")  # 16 against 15 and 17
    assert fight.outcome == "fail"
    fight.do("undo", "hide natural 10 vs natural 14 natural 14")
    assert fight.outcome == "pass"
    fight.do("undo", "hide natural 10 vs natural 14")
    assert fight.outcome == "pass"
    fight.do("undo")
    fight.refuses("hide natural 10 vs natural 1 natural 2 natural 3", "one for each of 2 rolls")
    fight.refuses("hide natural 10 vs", "expected the rolls")


def _ghoul_hides(fight: Fight) -> None:
    fight.do("next", "next", "hide natural 19", "withstand mira natural 2")


def test_who_joins_a_contest_that_waits_is_asked_once_and_nobody_again(fight: Fight) -> None:
    """Adventure School, Hide, Contest of Skill: the rolls that were made stand."""
    _ghoul_hides(fight)
    fight.do("add pc Zoe hp 10 ac 12", "withstand brannoc natural 3", "withstand zoe natural 4")
    assert fight.effects("ghoul-1") == {"hidden"}
    assert not any(fight.effects(who) for who in ("mira", "brannoc", "zoe"))


def test_who_joins_a_contest_that_waits_rolls_by_the_end_of_the_turn_too(fight: Fight) -> None:
    """Adventure School, Hide, Contest of Skill."""
    _ghoul_hides(fight)
    fight.do("add pc Zoe hp 10 ac 12")
    fight.do("next", faces=(3, 4))
    assert fight.effects("ghoul-1") == {"hidden"}
    assert not any("threatened" in fight.effects(who) for who in ("mira", "brannoc", "zoe"))


def test_a_contest_is_made_without_whoever_died_before_their_roll(fight: Fight) -> None:
    """Adventure School, Hide, Contest of Skill: by the end of the turn."""
    _ghoul_hides(fight)
    fight.do("kill brannoc", "next")
    assert fight.effects("ghoul-1") == {"hidden"}
    assert "threatened" not in fight.effects("brannoc")


def test_a_contest_with_the_dead_alone_is_none(fight: Fight) -> None:
    """Adventure School, Trip, Contest of Skill."""
    fight.do("next", "next", "trip mira natural 12", "kill mira", "next")
    assert "threatened" not in fight.effects("mira")


def test_two_contests_that_are_alike_are_two(new_fight: Callable[..., Fight]) -> None:
    """Adventure School, Trip, Contest of Skill: each has a roll of its own."""
    fight = new_fight(*PEOPLE)
    trip = "trip mira natural 12 by ghoul-1"
    fight.do(trip, trip, "withstand mira natural 2")
    assert fight.effects("mira") == {"threatened", "prone"}

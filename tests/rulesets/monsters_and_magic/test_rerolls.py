"""The GM's reroll: which dice it takes, and which of the two results stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.rulesets.monsters_and_magic.conftest import Fight


def test_the_gm_rerolls_and_uses_either_result(fight: Fight) -> None:
    """Monsters & Magic, Threads of Fate: reroll an ability check and use either result."""
    fight.do("set brannoc threads 1", "check brannoc power crit", "strike ghoul-1 natural 15 8")
    assert fight.gm_threads == 1
    fight.do("gm-thread reroll natural 3")
    assert (fight.outcome, fight.track("ghoul-1", "hp"), fight.gm_threads) == ("miss", 18, 0)
    fight.do("undo", "gm-thread reroll natural 3 keep old")
    assert (fight.track("ghoul-1", "hp"), fight.gm_threads) == (12, 0)
    fight.do("undo", "gm-thread reroll", faces=[4])
    assert fight.outcome == "miss"


@pytest.mark.parametrize(
    ("strike", "natural", "hp"),
    [("natural 4,15 8 adv", 15, 12), ("natural 4,15 8 dis", 4, 18), ("natural 15 8 adv", 15, 12)],
)
def test_a_reroll_has_the_advantage_of_the_roll_that_it_replaces(
    fight: Fight, strike: str, natural: int, hp: int
) -> None:
    """Monsters & Magic, Threads of Fate, Advantage & Disadvantage; ruling 8."""
    fight.do("check brannoc power crit", "check brannoc power crit", f"strike ghoul-1 {strike}")
    assert (fight.rolled.natural, fight.track("ghoul-1", "hp")) == (natural, hp)
    better = strike.endswith("adv")
    fight.do("gm-thread reroll natural 16,2")
    assert (fight.rolled.natural, fight.rolled.faces) == (16 if better else 2, (16, 2))
    assert fight.track("ghoul-1", "hp") == (12 if better else 18)
    fight.do("gm-thread reroll", faces=[3, 17])
    assert fight.rolled.natural == (17 if better else 3)


def test_two_dice_need_a_check_with_advantage_or_disadvantage(fight: Fight) -> None:
    """Every game, ruling 2."""
    fight.do("check brannoc power crit", "strike ghoul-1 natural 15 8")
    fight.refuses("gm-thread reroll natural 4,15", "neither")
    fight.do("gm-thread reroll", faces=[4])
    assert fight.outcome == "miss"


def test_the_gm_may_choose_after_both_results_are_seen(fight: Fight) -> None:
    """Monsters & Magic, ruling 8: the better or the chosen one may stand, after both are seen."""
    fight.do("check brannoc power crit", "strike ghoul-1 natural 15 8")
    fight.do("gm-thread reroll", faces=[3])
    assert (fight.outcome, fight.track("ghoul-1", "hp"), fight.track("brannoc", "xp")) == (
        "miss", 18, 1,
    )  # fmt: skip
    fight.do("gm-thread keep old")
    assert (fight.outcome, fight.track("ghoul-1", "hp"), fight.track("brannoc", "xp")) == (
        "strong", 12, 0,
    )  # fmt: skip
    fight.do("gm thread keep new")
    assert (fight.outcome, fight.track("ghoul-1", "hp"), fight.gm_threads) == ("miss", 18, 0)
    fight.do("gm-thread keep old", "gm-thread keep old", "thread brannoc bend-luck")
    assert (fight.rolled.total, fight.track("ghoul-1", "hp")) == (20, 12)
    fight.refuses("gm-thread keep new", "nothing was rerolled just now")


def test_a_result_that_was_put_aside_can_still_be_chosen(fight: Fight) -> None:
    """Monsters & Magic, ruling 8: the chosen one may stand, after both are seen."""
    fight.do("check brannoc power crit", "strike ghoul-1 natural 5 8", "thread brannoc bend-luck")
    assert (fight.outcome, fight.track("ghoul-1", "hp"), fight.gm_threads) == ("weak", 16, 2)
    fight.do("gm-thread reroll natural 13 keep old")
    assert (fight.outcome, fight.rolled.total, fight.track("ghoul-1", "hp")) == ("weak", 10, 16)
    fight.do("gm-thread keep new")  # 13 and all that was added to the 5
    assert (fight.outcome, fight.rolled.total, fight.track("ghoul-1", "hp")) == ("strong", 18, 12)
    fight.do("undo", "undo", "gm-thread reroll natural 13", "gm-thread keep old")
    assert (fight.rolled.total, fight.track("ghoul-1", "hp")) == (10, 16)
    assert fight.track("brannoc", "threads") == 1


@pytest.mark.parametrize(
    "before", [(), ("gm-thread change-scene",), ("gm-thread reroll natural 3", "next")]
)
def test_without_a_reroll_there_is_nothing_to_choose(fight: Fight, before: tuple[str, ...]) -> None:
    """A mistake changes nothing."""
    fight.do("check brannoc power crit", "strike ghoul-1 natural 15 8", *before)
    fight.refuses("gm-thread keep old", "nothing was rerolled")
    fight.refuses("gm-thread keep", "the result to keep")


def test_an_outcome_that_was_only_said_is_rerolled_as_one(fight: Fight) -> None:
    """Monsters & Magic, Threads of Fate."""
    fight.do("check brannoc power crit", "strike ghoul-1 strong 8")
    fight.do("gm-thread reroll miss")
    assert (fight.outcome, fight.track("ghoul-1", "hp")) == ("miss", 18)
    fight.do("gm-thread keep old")
    assert (fight.outcome, fight.track("ghoul-1", "hp")) == ("strong", 12)


def test_the_words_of_another_use_are_left_alone(fight: Fight) -> None:
    """What the scene becomes is the GM's to say."""
    fight.do("check brannoc power crit", "gm-thread change-scene keep the door shut")
    assert fight.gm_threads == 0


def test_what_is_entered_by_the_way_stands_between_no_check_and_its_reroll(fight: Fight) -> None:
    """Monsters & Magic, Threads of Fate: a note, or a number set by hand, is no check of its
    own."""
    fight.do("strike ghoul-1 natural 20 8", "set gm threads 2", 'note "wait"')
    fight.do("gm-thread reroll natural 4", "set mira threads 1", "gm-thread keep old")
    assert fight.track("ghoul-1", "hp") == 4
    fight.do("set mira threads 0", "check mira cunning natural 5", "set mira threads 1")
    fight.do("thread mira bend-luck")
    assert (fight.outcome, fight.track("mira", "threads")) == ("weak", 0)

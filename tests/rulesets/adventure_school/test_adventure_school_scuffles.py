"""Tripping, pushing, pulling, disarming and distracting. Adventure School, Distract, Disarm."""

from __future__ import annotations

from typing import Any

import pytest

Fight = Any


def text(fight: Fight) -> str:
    return str(fight.history.entries[fight.history.last].text)


@pytest.mark.parametrize(
    ("line", "outcome"),
    [
        ("trip ghoul-1 natural 10 vs natural 12", "pass"),  # strength 7 against strength 5
        ("trip ghoul-1 roguery natural 10 vs natural 6", "fail"),
        ("trip ghoul-1 natural 10 vs agility natural 15", "pass"),
    ],
)
def test_tripping_goes_by_the_better_skill_of_each(fight: Fight, line: str, outcome: str) -> None:
    """Adventure School, Trip; ruling 10."""
    fight.do(line)
    assert fight.outcome == outcome
    assert ("prone" in fight.effects("ghoul-1")) is (outcome == "pass")


def test_mira_trips_by_roguery_and_is_tripped_by_agility(fight: Fight) -> None:
    """Adventure School, ruling 10: each the better one."""
    fight.do("next", "trip ghoul-1 natural 10 vs natural 11")  # 16 against 16
    assert (fight.rolled.for_, fight.outcome) == ("roguery", "pass")
    fight.do("next", "trip mira natural 10 vs natural 10")  # 15 against 15: both 5
    assert fight.outcome == "fail"


def test_who_can_not_be_prone_is_not(fight: Fight) -> None:
    """Immune."""
    fight.do("add monster Ooze hp 9 immune prone", "trip ooze pass", faces=(1,))
    assert fight.effects("ooze") == set()
    assert "immune" in fight.notes


@pytest.mark.parametrize(
    ("size", "feet"), [("tiny", 15), ("small", 10), ("medium", 5), ("large", 0), ("giant", 0)]
)
@pytest.mark.parametrize("what", ["push", "pull"])
def test_a_push_goes_farther_the_bigger_one_is(
    fight: Fight, size: str, feet: int, what: str
) -> None:
    """Adventure School, Push, Pull."""
    fight.do(
        f"add monster Thing hp 9 size {size}", f"{what} thing natural 15 vs natural 2", faces=(1,)
    )
    assert text(fight) == f"Brannoc {what}{'es' if what == 'push' else 's'} Thing {feet} feet"


def test_a_push_that_is_lost_moves_nobody(fight: Fight) -> None:
    """Adventure School, Push, Pull."""
    fight.do("push ghoul-1 natural 5 vs natural 15")
    assert (fight.outcome, text(fight)) == ("fail", "Brannoc fails to push Ghoul 1")


def test_a_defender_is_tripped_and_pushed_badly(fight: Fight) -> None:
    """Adventure School, Defend."""
    fight.do("defend", "next", "next")
    for what in ("trip", "push", "pull"):
        fight.do("set ghoul-1 action 1", f"{what} brannoc natural 15 vs natural 3,14")
        assert fight.outcome == "fail"
    fight.do("set ghoul-1 action 1")
    fight.refuses("disarm brannoc natural 15 vs natural 3,14", "there is neither")


def test_a_charm_ends_by_what_is_hostile(fight: Fight) -> None:
    """Adventure School, Charm."""
    fight.do("inflict ghoul-1 charmed from brannoc", "trip ghoul-1 fail")
    assert fight.effects("ghoul-1") == set()


# -- disarm ----------------------------------------------------------------------------------------


def test_who_is_disarmed_has_the_weapon_no_more(fight: Fight) -> None:
    """Adventure School, Disarm."""
    fight.do("next", "next", "disarm brannoc rapier natural 15 vs natural 3")
    effect = fight.who("brannoc")["effects"][0]
    assert (effect["name"], effect["note"]) == ("disarmed", "rapier")
    fight.do("set ghoul-1 action 1")
    fight.refuses("disarm brannoc rapier pass", "no rapier in hand")
    fight.do("disarm brannoc pass")
    assert {e["note"] for e in fight.who("brannoc")["effects"]} == {"rapier", "axe"}
    fight.do("set ghoul-1 action 1")
    fight.refuses("disarm brannoc pass", "no weapon in hand")


def test_disarming_that_is_lost_takes_nothing(fight: Fight) -> None:
    """Adventure School, Disarm."""
    fight.do("disarm ghoul-1 natural 3 vs natural 15")
    assert fight.effects("ghoul-1") == set()


# -- distract --------------------------------------------------------------------------------------


def test_the_distracted_are_hit_easily_by_everybody_else(fight: Fight) -> None:
    """Adventure School, Distract: until the start of the distractor's next turn."""
    fight.do("next", "distract ghoul-1 performance natural 9 dc 15")
    effect = fight.who("ghoul-1")["effects"][0]
    assert (effect["name"], effect["source"]) == ("distracted", "mira")
    fight.do("next", "next", "next")
    assert fight.effects("ghoul-1") == {"distracted"}
    fight.do("next")
    assert fight.effects("ghoul-1") == set()


def test_of_two_who_distract_neither_hits_easily_by_the_other(fight: Fight) -> None:
    """Adventure School, Distract: off guard against attacks from creatures that are not distracting
    it."""
    fight.do("distract ghoul-1 pass", "next", "distract ghoul-1 pass", "next")
    for distractor in ("brannoc", "mira"):
        fight.refuses(f"react opportunity-attack ghoul-1 natural 4,15 3 by {distractor}", "4,15")
    fight.do("attack brannoc natural 9 1", "next", "attack ghoul-1 natural 4,15 3")
    assert fight.rolled.lean == 1


def test_distraction_needs_a_dc_a_contest_or_its_outcome(fight: Fight) -> None:
    """Adventure School, Distract: the text names no DC."""
    fight.refuses("distract ghoul-1 performance natural 9", "no DC")
    fight.do("distract ghoul-1 roguery natural 9 vs seeking natural 9")
    assert fight.outcome == "fail"
    fight.refuses("distract brannoc pass", "themself")


@pytest.mark.parametrize("condition", ["disabled", "stunned"])
def test_it_ends_when_the_distractor_is_disabled(fight: Fight, condition: str) -> None:
    """Adventure School, Distract."""
    fight.do("distract ghoul-1 pass", f"inflict brannoc {condition}")
    assert fight.effects("ghoul-1") == set()


def test_a_weapon_is_picked_up_for_5_ft(fight: Fight) -> None:
    """Adventure School, Disarm."""
    fight.do("disarm ghoul-1 fail", "next", "next", "disarm brannoc axe pass", "next", "next")
    fight.refuses("attack ghoul-1 hit 5 with axe", "out of its hand")
    fight.do("wield axe")
    assert (fight.effects("brannoc"), fight.track("brannoc", "movement")) == (set(), 25)
    fight.do("attack ghoul-1 hit 5 with axe")


@pytest.mark.parametrize(("size", "may"), [("large", True), ("medium", False)])
def test_what_can_not_be_let_go_is_held(fight: Fight, size: str, may: bool) -> None:
    """Adventure School, Disarm: no attacks with it, or at a disadvantage if its bearer is
    larger."""
    line = f"add monster Ape size {size} hp 30 ac 12 attack fists +4 vs ac 1d6 blunt"
    fight.do(line, "init ape 16", "disarm ape held pass", "next", faces=(1,))
    if may:
        fight.do("attack brannoc natural 19,3 5")
        assert fight.outcome == "miss"
    else:
        fight.refuses("attack brannoc natural 19 5", "out of its hand")
    fight.refuses("wield fists", "held by somebody else")


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("trip ghoul-1 stregnth natural 4", "did you mean strength"),
        ("seek gohul-1 pass", "did you mean ghoul-1"),
        ("escape mvoe pass", "did you mean move"),
        ("disarm ghoul-1 clwas pass", "did you mean claws"),
        ("hide rougery pass", "did you mean roguery"),
        ("jump hgih natural 9", "did you mean high"),
        ("attack ghoul-1 hit 5 avd", "did you mean adv"),
    ],
)
def test_a_slip_of_what_may_be_left_out_is_named(fight: Fight, line: str, answer: str) -> None:
    """Commands: what was expected, and what is close."""
    fight.refuses(line, answer)

"""In the air and out of it. Orcus, Flying Movement, Fly, Prone, Falling."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from affray.core.engine.events import Rolled

if TYPE_CHECKING:
    from tests.rulesets.orcus.conftest import Fight

NewFight = Callable[..., "Fight"]
DRAKE = (
    "add monster Drake hp 60 ac 17 fort 16 ref 15 will 14 fly 6 attack Bite +9 vs ac 2d6+4{}",
    "init drake 20",
)


@pytest.fixture
def aloft(new_fight: NewFight) -> NewFight:
    """Makes a fight in which a drake is up, 10 squares high; it also has what is said."""

    def make(more: str = "", *lines: str) -> Fight:
        return new_fight(
            DRAKE[0].format(f" {more}"),
            "add pc Brannoc hp 44 ac 18 fort 16 ref 14 will 13 strength 4",
            DRAKE[1],
            "init brannoc 10",
            "aloft drake 10",
            "start",
            *lines,
        )

    return make


# -- falling ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("squares", "dice"), [(2, 1), (3, 1), (4, 2), (9, 4), (100, 50), (300, 50)]
)
def test_a_fall_is_1d10_for_every_2_squares_and_50d10_at_most(
    fight: Fight, squares: int, dice: int
) -> None:
    """Orcus, Falling."""
    fight.do(f"fall brannoc {squares}", faces=[1] * dice)
    (rolled,) = [e for e in fight.events if isinstance(e, Rolled)]
    assert rolled.dice == f"{dice}d10"
    assert fight.hp("brannoc") == 44 - dice
    assert fight["brannoc"].named("prone") is not None or fight["brannoc"].life == "dead"


def test_who_is_not_hurt_by_a_fall_keeps_standing(usual: NewFight) -> None:
    """Orcus, Falling (unless it avoids taking damage)."""
    fight = usual("resist all 20").do("fall brannoc 4 15")
    assert (fight.hp("brannoc"), fight.effects("brannoc")) == (44, set())
    assert fight.do("fall mira 1").effects("mira") == set()


def test_a_fall_is_called_out_as_it_fell_on_the_table(fight: Fight) -> None:
    """Orcus, Falling, Temporary Hit Points (which are damaged all the same)."""
    fight.do("temp brannoc 20", "fall brannoc 6 17")
    assert (fight.hp("brannoc"), fight.track("brannoc", "temp_hp")) == (44, 3)
    assert "prone" in fight.effects("brannoc")


def test_several_fall_on_one_roll(fight: Fight) -> None:
    """Orcus, Damage Rolls (rolled once for all)."""
    fight.do("fall brannoc,mira 4", faces=(3, 4))
    assert (fight.hp("brannoc"), fight.hp("mira")) == (37, 23)


def test_a_deep_fall_kills_as_other_damage_does(fight: Fight) -> None:
    """Orcus, Falling, Instant Death."""
    fight.do("fall mira 100 45")
    assert fight["mira"].life == "dead"
    fight.refuses("fall mira 4", "dead")


def test_a_fall_says_who_and_how_far(fight: Fight) -> None:
    """Orcus, Falling."""
    fight.refuses("fall", "expected the combatants who fall")
    fight.refuses("fall mira", "expected a distance in squares")
    fight.refuses("fall mira 0", "must be from 1")
    fight.refuses("fall mira far", "whole number")


# -- flying ----------------------------------------------------------------------------------------


def test_only_who_has_a_fly_speed_flies_and_as_far_as_that(aloft: NewFight) -> None:
    """Orcus, Fly."""
    fight = aloft()
    fight.refuses("fly 7", "6 squares at most")
    fight.refuses("aloft brannoc 3", "no fly speed")
    fight.do("fly 6 altitude 4")
    assert fight.actions("drake") == (1, 0, 1)
    assert fight.who("drake")["effects"][0]["amount"] == 4
    fight.do("next").refuses("fly", "no fly speed")
    fight.do("modifier brannoc +12 fly for 2 turns", "fly 12")
    assert (fight.total("brannoc", "fly"), fight.actions("brannoc")) == (12, (1, 0, 1))


def test_without_2_squares_in_a_round_it_crashes(aloft: NewFight) -> None:
    """Orcus, Flying Movement, Falling."""
    fight = aloft("", "attack brannoc miss").do("next", faces=[2] * 5)
    assert (fight.hp("drake"), fight.effects("drake")) == (50, {"prone"})
    fight = aloft("", "fly 1").do("next", faces=[2] * 5)
    assert "flying" not in fight.effects("drake")


@pytest.mark.parametrize("lines", [["fly"], ["fly 2"], ["fly 1", "fly 1"], ["walk"], ["dash"]])
def test_2_squares_in_a_round_keep_it_up(aloft: NewFight, lines: list[str]) -> None:
    """Orcus, Flying Movement."""
    fight = aloft("", *lines, "next")
    assert "flying" in fight.effects("drake")
    fight.do("next").do("next", faces=[1] * 5)  # and so it is in the next round
    assert "flying" not in fight.effects("drake")


def test_a_charge_is_flight_enough(aloft: NewFight) -> None:
    """Orcus, Charge (2 squares at least), Flying Movement."""
    assert "flying" in aloft("", "charge brannoc miss", "next").effects("drake")


def test_it_is_said_before_it_crashes_and_that_it_may_land(aloft: NewFight) -> None:
    """Orcus, Flying Movement."""
    fight = aloft()
    assert fight.pending == [("drake", "Drake crashes unless it flies 2 squares")]
    assert fight.do("land").pending == []
    assert fight.do("undo", "fly").pending == []
    assert fight.do("next").effects("drake") == {"flying"}


@pytest.mark.parametrize(
    ("key", "answer", "stays"), [("f", "flies on", {"flying"}), ("l", "lands", set[str]())]
)
def test_what_keeps_it_from_a_crash_can_be_chosen(
    aloft: NewFight, key: str, answer: str, stays: set[str]
) -> None:
    """Orcus, Flying Movement."""
    fight = aloft()
    (waits,) = fight.ruleset.turns.pending_decisions(fight.ruleset.tables, fight.state)
    (choice,) = (c for c in waits.choices if c.key == key)
    assert (choice.label, waits.holds) == (answer, True)
    assert fight.do(choice.command).pending == []
    assert fight.do("next").effects("drake") == stays


def test_who_lands_falls_no_more(aloft: NewFight) -> None:
    """Orcus, Flying Movement."""
    fight = aloft("", "land", "next")
    assert (fight.hp("drake"), fight.effects("drake")) == (60, set())
    fight.do("next").refuses("land", "not flying")


def test_who_hovers_stays_shifts_and_strikes_in_passing(aloft: NewFight) -> None:
    """Orcus, Flying Movement (hover)."""
    fight = aloft("hover", "five-foot-step", "next")
    assert "flying" in fight.effects("drake")
    fight.do("react opportunity-attack brannoc hit 5 by drake")
    assert fight.hp("brannoc") == 39


def test_in_the_air_nobody_else_shifts_or_strikes_in_passing(aloft: NewFight) -> None:
    """Orcus, Flying Movement."""
    fight = aloft()
    fight.refuses("five-foot-step", "flying, and can't shift")
    fight.do("fly", "next")
    fight.refuses("react opportunity-attack brannoc hit 5 by drake", "opportunity attacks")


def test_above_its_highest_it_crashes(aloft: NewFight) -> None:
    """Orcus, Flying Movement."""
    fight = aloft("altitude 12").do("fly altitude 13", faces=[1] * 6)
    assert (fight.hp("drake"), fight.effects("drake")) == (54, {"prone"})
    assert "flying" in aloft("altitude 12", "fly altitude 12").effects("drake")


def test_who_falls_prone_descends_as_far_as_it_flies_and_falls_the_rest(aloft: NewFight) -> None:
    """Orcus, Prone. 10 squares up with wings for 6: it falls 4."""
    fight = aloft().do("inflict drake prone", faces=(3, 4))
    assert (fight.hp("drake"), fight.effects("drake")) == (53, {"prone"})


def test_low_enough_it_comes_down_unhurt(aloft: NewFight) -> None:
    """Orcus, Prone."""
    fight = aloft("", "fly altitude 7", "inflict drake unconscious")
    assert (fight.hp("drake"), fight.effects("drake")) == (60, {"unconscious", "prone"})


def test_slowed_wings_are_wings_all_the_same(aloft: NewFight) -> None:
    """Orcus, Slowed (any form of movement), Prone."""
    fight = aloft("", "inflict drake slowed")
    assert fight.total("drake", "fly") == 2
    fight.refuses("fly 3", "2 squares at most")
    assert fight.why("drake", "fly") == [(6, "own fly"), ("at most 2", "slowed")]


def test_who_can_not_move_can_not_stay_up(aloft: NewFight) -> None:
    """Orcus, Flying Movement, Immobile."""
    fight = aloft("", "inflict drake immobile")
    fight.refuses("fly", "immobile")
    assert fight.do("next", faces=[1] * 5).hp("drake") == 55


def test_where_nobody_said_how_high_the_fall_is_asked_for(aloft: NewFight) -> None:
    """Orcus, Falling."""
    fight = aloft("", "land", "fly", "next", "next", "next")
    assert (fight.hp("drake"), fight.effects("drake")) == (60, set())
    assert any("fall drake SQUARES" in getattr(e, "text", "") for e in fight.events)


def test_who_is_prone_is_on_the_ground(aloft: NewFight) -> None:
    """Orcus, Prone."""
    fight = aloft("", "land", "drop-prone")
    fight.refuses("aloft drake 4", "prone")
    fight.refuses("fly", "prone")


def test_what_has_no_hp_crashes_unhurt(new_fight: NewFight) -> None:
    """Orcus, Falling. A turn ends all the same."""
    fight = new_fight("add hazard Kite fly 4", "init kite 5", "aloft kite 8", "start")
    assert fight.do("next", faces=[1] * 4).effects("kite") == set()
    fight.refuses("fall kite 4", "no HP")


def test_the_dead_fly_no_more(aloft: NewFight) -> None:
    """Orcus, Flying Movement (it stops hovering when it dies)."""
    fight = aloft("hover", "damage drake 60")
    assert (fight["drake"].life, "flying" in fight.effects("drake")) == ("dead", False)


def test_the_clumsy_lose_4_where_they_are_not_at_home(aloft: NewFight) -> None:
    """Orcus, Flying Movement (clumsy)."""
    fight = aloft("clumsy-in-air")
    assert [fight.total("drake", t) for t in ("attack", "ac", "will")] == [-4, 13, 10]
    fight.do("land")
    assert [fight.total("drake", t) for t in ("attack", "ac", "will")] == [0, 17, 14]
    fight = aloft("clumsy-on-ground")
    assert fight.total("drake", "attack") == 0
    assert fight.do("land").total("drake", "fortitude") == 12
    assert (-4, "clumsy on ground") in fight.why("drake", "ac")


def test_the_flight_of_a_companion_counts_for_its_own_turn(new_fight: NewFight) -> None:
    """Orcus, Companions (it acts on its owner's initiative), Flying Movement (per round)."""
    fight = new_fight(
        "add pc Brannoc hp 44 ac 18",
        "add monster Owl side party companion of Brannoc hp 12 fly 8",
        "init brannoc 10",
        "aloft owl 4",
        "start",
        "command owl move",
        "fly 8 by owl",
        "next",
    )
    assert fight.state.turn == "owl"
    assert "flying" in fight.do("next").effects("owl")

"""Orcus with a group: several who take one turn, each with a turn's own actions.

Orcus, Initiative: one roll for a group of identical creatures, whose members act at the same
time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Make = Callable[..., Any]
MOTHS = ("moth-1", "moth-2", "moth-3")


@pytest.fixture
def pack(new_fight: Make) -> Any:
    """Brannoc 17, three moths in a group 10, Mira 5; the moths are up in round 1."""
    return new_fight(
        "add pc Brannoc hp 44 ac 18 fort 16 ref 14 will 13 init 3 recoveries 8",
        "add pc Mira hp 30 ac 15 fort 12 ref 16 will 15 init 5 recoveries 6",
        "add monster Moth x3 hp 20 ac 14 fort 12 ref 14 will 10 init 2"
        " attack wings +6 vs ac 5 group",
        "init brannoc 17",
        "init moth 10",
        "init mira 5",
        "start",
        "next",
    )


def test_each_member_attacks_in_the_one_turn_with_actions_of_its_own(pack: Any) -> None:
    assert [pack.actions(who) for who in MOTHS] == [(1, 1, 1)] * 3
    pack.do("attack brannoc hit 5 by moth-2", "attack brannoc hit 5", "walk by moth-3")
    assert [pack.actions(who) for who in MOTHS] == [(0, 1, 1), (0, 1, 1), (1, 0, 1)]
    pack.refuses("attack brannoc hit 5 by moth-2", "standard action used")
    pack.refuses("attack moth-1 hit 5 by brannoc", "it is Moth ×3's turn")


def test_an_immediate_action_is_never_taken_in_the_groups_own_turn(pack: Any) -> None:
    """Orcus, Immediate Actions; each has its own, back with the turn."""
    pack.refuses("react opportunity-attack brannoc miss by moth-3", "not on its own turn")
    pack.do("next", "react opportunity-attack mira miss by moth-3")
    assert [pack.track(who, "immediate") for who in MOTHS] == [1, 1, 0]
    pack.do("next", "next")
    assert [pack.track(who, "immediate") for who in MOTHS] == [1, 1, 1]


def test_one_free_action_a_turn_is_counted_for_each_in_the_one_turn(pack: Any) -> None:
    pack.do("setting free-actions one", "free by moth-1", "free by moth-2")
    pack.refuses("free by moth-1", "one free action a turn")
    pack.do("damage moth-1 20", "free by moth-3")
    pack.refuses("free by moth-2", "one free action a turn")


def test_the_turns_start_and_end_come_for_each_living_member(pack: Any) -> None:
    """Orcus, Your Turn, The End of Your Turn, Saving Throws."""
    pack.do("inflict moth-1,moth-2,moth-3 persistent 5 fire save ends")
    pack.do("damage moth-2 20").do("next", faces=[3, 15])
    assert [pack.hp(who) for who in MOTHS] == [20, 0, 20]
    pack.do("next", "next")
    assert [pack.hp(who) for who in MOTHS] == [15, 0, 20], "Moth 3 has saved, Moth 2 is dead"
    assert pack.state.taking_turn() == ("moth-1", "moth-3")


def test_a_member_that_dies_as_its_turn_starts_leaves_it_to_the_others(pack: Any) -> None:
    pack.do("inflict moth-1 persistent 50 fire until fight", "next", "next", "next")
    assert pack.who("moth-1")["life"] == "dead" and pack.shown["turn"] == "moth-2"
    assert pack.actions("moth-3") == (1, 1, 1)


def test_every_mook_of_a_group_falls_and_its_turn_is_passed_over(new_fight: Make) -> None:
    fight = new_fight(
        "add pc Mira hp 30 ac 15 fort 12 ref 16 will 15",
        "add monster Rat x4 mook ac 14 fort 12 ref 14 will 10 group",
        "init mira 12",
        "init rat 4",
        "start",
        "damage rat-1,rat-2,rat-3,rat-4 1",
        "next",
    )
    assert fight.shown["turn"] == "mira" and fight.shown["round"] == 2


def test_a_save_entered_in_the_groups_turn_takes_effect_when_it_ends(pack: Any) -> None:
    """Orcus, Saving Throws, The End of Your Turn."""
    pack.do("inflict moth-2 dazed save ends", "save moth-2 success")
    assert pack.until("moth-2", "dazed") == "end of moth-2's turn"
    pack.refuses("save moth-2 dazed success", "already")
    pack.do("next")
    assert "dazed" not in pack.effects("moth-2")


def test_members_who_are_characters_are_asked_for_their_saves_and_their_upkeep(
    new_fight: Make,
) -> None:
    fight = new_fight(
        "add pc Mira hp 30 ac 15 fort 12 ref 16 will 15",
        "add pc Odo hp 40 ac 17 fort 12 ref 16 will 15",
        "add monster Rat hp 9 ac 14 fort 12 ref 14 will 10",
        'group mira,odo "The Two"',
        "init odo 12",
        "init rat 3",
        "start",
        "zone Smoke maintain swift by odo",
        "inflict mira,odo dazed save ends",
    )
    assert [who for who, _ in fight.pending] == ["mira", "odo"]
    fight.do("remove mira dazed", "remove odo dazed", "next", "next")
    (waiting,) = fight.ruleset.turns.pending_decisions(fight.ruleset.tables, fight.state)
    assert (waiting.who, waiting.choices[0].command) == ("odo", "maintain smoke by odo")
    fight.do(waiting.choices[0].command)
    assert fight.actions("odo")[2] == 0 and fight.actions("mira")[2] == 1
    fight.do("next")
    assert "zone" in fight.effects("odo")


def test_flyers_of_a_group_are_each_asked_to_fly_on(new_fight: Make) -> None:
    """Orcus, Flying Movement."""
    fight = new_fight(
        "add monster Drake x2 hp 20 ac 14 fort 12 ref 14 will 10 fly 6 altitude 9 group",
        "init drake 5",
        "start",
        "aloft drake-1,drake-2 4",
    )
    waiting = fight.ruleset.turns.pending_decisions(fight.ruleset.tables, fight.state)
    assert [(p.what, p.choices[0].command) for p in waiting] == [
        ("Drake 1 crashes unless it flies 2 squares", "fly"),
        ("Drake 2 crashes unless it flies 2 squares", "fly by drake-2"),
    ]


def test_every_dying_member_makes_its_death_save(new_fight: Make) -> None:
    """Orcus, Death Saving Throws."""
    fight = new_fight(
        "add pc Mira hp 30 ac 15 fort 12 ref 16 will 15",
        "add monster Knight x2 important hp 20 ac 14 fort 12 ref 14 will 10 group",
        "init mira 20",
        "init knight 4",
        "start",
        "damage knight-1,knight-2 22",
        "next",
    )
    assert [who for who, _ in fight.pending] == ["knight-1", "knight-2"]
    fight.do("death knight-2 success").do("next", faces=[4])
    assert fight.track("knight-1", "death_failures") == 1
    assert fight.track("knight-2", "death_successes") == 1
    assert fight.shown["turn"] == "mira"


def test_who_takes_a_readied_action_has_a_place_of_its_own_then(pack: Any) -> None:
    """Orcus, Ready: one acts from then on just before the one whose turn it is."""
    pack.do('ready attack "Mira moves" by moth-2')
    pack.refuses("trigger", "own turn is not over")
    pack.do("next", "trigger mira hit 5")
    assert pack.shown["order"] == ["brannoc", "moth-1", "moth-3", "moth-2", "mira"]
    assert [pack.who(who).get("group") for who in MOTHS] == ["Moth", None, "Moth"]
    pack.do("next", "next", "next")
    assert pack.shown["turn"] == "moth-2"


def test_a_delayed_group_maintains_nothing_and_its_members_turns_are_lost_in_one(pack: Any) -> None:
    """Orcus, Delay."""
    pack.do("next", "modifier moth-2 +2 ac until end of moth-2", "next", "next")
    assert pack.effects("moth-2") == {"modifier"}
    pack.do("delay")
    assert pack.effects("moth-2") == set(), "what helps and ends with this turn ends"
    pack.do("next")
    assert pack.notes.count("loses the delayed turn") == 3 and pack.shown["round"] == 3


def test_an_action_point_is_a_members_own(new_fight: Make) -> None:
    fight = new_fight(
        "add monster Boss x2 points 1 hp 20 ac 14 fort 12 ref 14 will 10 group",
        "init boss 5",
        "start",
        "action-point by boss-2",
    )
    assert [fight.actions(who) for who in ("boss-1", "boss-2")] == [(1, 1, 1), (2, 1, 1)]


def test_a_companion_of_a_member_is_commanded_in_the_groups_turn_and_acts_behind_it(
    new_fight: Make,
) -> None:
    """Orcus, Companions. A companion itself is in no group."""
    fight = new_fight(
        "add monster Hunter x2 hp 20 ac 14 fort 12 ref 14 will 10 group",
        "add monster Wolf hp 18 ac 14 fort 12 ref 14 will 10 companion of hunter-2",
        "init hunter 9",
        "start",
        "command wolf move by hunter-2",
    )
    assert fight.shown["order"] == ["hunter-1", "hunter-2", "wolf"]
    fight.refuses("group wolf,hunter-1", "Wolf acts right after its owner")
    assert fight.actions("wolf") == (0, 1, 0) and fight.actions("hunter-1") == (1, 1, 1)
    fight.do("next")
    assert fight.shown["turn"] == "wolf"
    fight.do("next")
    assert fight.state.taking_turn() == ("hunter-1", "hunter-2")


def test_identical_newcomers_have_the_groups_roll_and_a_group_ties_once(new_fight: Make) -> None:
    """Orcus, Initiative: one roll, and on a tie one coin, for all of it."""
    fight = new_fight("add pc Mira hp 30 init 2", "add monster Rat x3 hp 9 init 2 group")
    fight.do("init mira 12").do("init rat 12", faces=[2])
    assert fight.shown["order"] == ["rat-1", "rat-2", "rat-3", "mira"]
    fight.do("start", "add monster Rat hp 9 init 2")
    assert fight.who("rat-4")["initiative"] == 12 and "group" not in fight.who("rat-4")


@pytest.mark.parametrize(
    ("line", "faces", "total"), [("init roll all", [1, 4, 9], 6), ("init moth roll", [11], 13)]
)
def test_a_group_that_rolls_anew_rolls_once(
    pack: Any, line: str, faces: list[int], total: int
) -> None:
    pack.do(line, faces=faces)
    assert {pack.who(who)["initiative"] for who in MOTHS} == {total}


def test_a_grapple_by_a_member_drags_until_its_own_turn_ends(pack: Any) -> None:
    pack.do("grapple mira hit by moth-2", "next", "next", "next")
    pack.do("move-grappled mira hit by moth-2")
    assert pack.until("moth-2", "dragging") == "end of moth-2's turn"

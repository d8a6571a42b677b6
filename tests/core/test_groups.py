"""Groups: several combatants with one place in the order and one turn."""

from __future__ import annotations

from affray.core import groups
from affray.core.events import Became, Delayed, Left, Ordered, TurnEnded, TurnStarted
from affray.core.evolve import evolve_all
from affray.core.state import Combatant, Encounter, Slot


def a_pack() -> Encounter:
    """Ann, then the three rats of a group, then Bob; nobody is up."""
    people = ("ann", "rat-1", "rat-2", "rat-3", "bob")
    return Encounter(
        phase="combat",
        round=1,
        slots=tuple(Slot(who, 10, group="Rat" if "rat" in who else "") for who in people),
        combatants=tuple(Combatant(who, who.title(), "foes", "monster") for who in people),
    )


def a_pack_that_is_up() -> Encounter:
    return evolve_all(a_pack(), [TurnStarted(f"rat-{number}") for number in (1, 2, 3)])


# -- how a group is read from the order ------------------------------------------------------------


def test_a_row_is_one_combatant_or_all_of_a_group():
    rows = groups.rows(a_pack())
    assert [[c.id for c in row.members] for row in rows] == [
        ["ann"],
        ["rat-1", "rat-2", "rat-3"],
        ["bob"],
    ]
    assert [row.name for row in rows] == ["Ann", "Rat ×3", "Bob"]
    assert [row.group for row in rows] == ["", "Rat", ""]


def test_a_groups_name_counts_the_living_and_its_row_holds_the_dead_but_not_those_who_left():
    state = evolve_all(a_pack(), [Became("rat-1", "dead"), Left("rat-3")])
    (row,) = (row for row in groups.rows(state) if row.group)
    assert [c.id for c in row.members] == ["rat-1", "rat-2"]
    assert row.name == "Rat ×1"


# -- whose turn it is ------------------------------------------------------------------------------


def test_all_members_of_a_group_take_one_turn_and_the_first_is_the_one_it_is_said_to_be():
    state = a_pack_that_is_up()
    assert state.turn == "rat-1"
    assert state.taking_turn() == ("rat-1", "rat-2", "rat-3")
    assert [who for who in ("ann", "rat-1", "rat-3", "bob", "") if state.takes_turn(who)] == [
        "rat-1",
        "rat-3",
    ]


def test_when_the_first_member_falls_the_next_that_can_act_is_up():
    state = evolve_all(a_pack_that_is_up(), [Became("rat-1", "dead"), Became("rat-2", "dying")])
    assert state.turn == "rat-3"
    state = evolve_all(state, [Became("rat-3", "dead")])
    assert state.turn == "rat-2", "who is alive comes before the dead"
    state = evolve_all(state, [Became("rat-1", "up")])
    assert state.turn == "rat-1", "and who gets up is up"


def test_a_groups_turn_is_over_when_that_of_every_member_is():
    state = a_pack_that_is_up()
    for who, left in (("rat-1", "rat-2"), ("rat-3", "rat-2"), ("rat-2", "")):
        state = evolve_all(state, [TurnEnded(who)])
        assert state.turn == left


def test_a_member_who_holds_back_takes_no_turn_along_with_the_others():
    state = evolve_all(a_pack_that_is_up(), [Delayed("rat-1")])
    assert state.turn == "rat-2" and not state.takes_turn("rat-1")


def test_who_is_in_no_group_takes_a_turn_alone():
    state = evolve_all(a_pack(), [TurnStarted("ann")])
    assert state.taking_turn() == ("ann",)
    assert Encounter().taking_turn() == ()


def test_those_taken_out_of_a_group_in_its_turn_have_turns_of_their_own():
    state = a_pack_that_is_up()
    alone = tuple(Slot(s.who, s.initiative, s.turns, s.round, s.open) for s in state.slots)
    state = evolve_all(state, [Ordered(alone)])
    assert state.taking_turn() == ("rat-1",)

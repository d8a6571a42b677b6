"""Groups: several combatants with one place in the order and one turn."""

from __future__ import annotations

from tests.core.conftest import ruled
from tests.core.rats import RATS, groups_of, kill, order_of, turns_of

from affray.core.engine import turn_order
from affray.core.engine.events import (
    Delayed,
    InitiativeSet,
    Left,
    LifeChanged,
    TurnEnded,
    TurnStarted,
)
from affray.core.engine.evolve import evolve_all
from affray.core.engine.state import Combatant, Encounter, Slot


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
    rows = turn_order.turn_order_rows(a_pack())
    assert [[c.id for c in row.members] for row in rows] == [
        ["ann"],
        ["rat-1", "rat-2", "rat-3"],
        ["bob"],
    ]
    assert [row.name for row in rows] == ["Ann", "Rat ×3", "Bob"]
    assert [row.group for row in rows] == ["", "Rat", ""]


def test_a_groups_name_counts_the_living_and_its_row_holds_the_dead_but_not_those_who_left():
    state = evolve_all(a_pack(), [LifeChanged("rat-1", "dead"), Left("rat-3")])
    (row,) = (row for row in turn_order.turn_order_rows(state) if row.group)
    assert [c.id for c in row.members] == ["rat-1", "rat-2"]
    assert row.name == "Rat ×1"


def test_a_group_of_which_nobody_lives_has_its_name_alone():
    state = evolve_all(a_pack(), [LifeChanged(f"rat-{n}", "dead") for n in (1, 2, 3)])
    (row,) = (row for row in turn_order.turn_order_rows(state) if row.group)
    assert row.name == "Rat"


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
    state = evolve_all(
        a_pack_that_is_up(), [LifeChanged("rat-1", "dead"), LifeChanged("rat-2", "dying")]
    )
    assert state.turn == "rat-3"
    state = evolve_all(state, [LifeChanged("rat-3", "dead")])
    assert state.turn == "rat-2", "who is alive comes before the dead"
    state = evolve_all(state, [LifeChanged("rat-1", "up")])
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
    state = evolve_all(state, [InitiativeSet(alone)])
    assert state.taking_turn() == ("rat-1",)


# -- the commands ----------------------------------------------------------------------------------


def test_a_group_is_added_in_one_command_with_one_roll_for_all_of_it(pack):
    assert groups_of(pack) == {"Rat": RATS}
    assert {pack.state.slot(who).initiative for who in RATS} == {15}
    assert order_of(pack) == ["ann", *RATS, "bob"]
    added = pack.history.entries[2]
    assert added.text == "Rat 1, Rat 2 and Rat 3 join as Rat ×3"


def test_a_group_has_one_turn_and_next_ends_it_for_all(pack):
    pack("next")
    assert pack.state.taking_turn() == RATS
    assert pack.text == "Ann's turn ends; Rat ×3 is up"
    pack("act by rat-3", "act by rat-1", "act")
    assert [pack.who(who).used("something") for who in RATS] == [2, 0, 1], "unsaid it is the first"
    pack("next")
    assert pack.state.turn == "bob" and turns_of(pack, *RATS) == [1, 1, 1]
    assert pack.text == "Rat ×3's turn ends; Bob is up"
    assert pack.round() == ["bob"]
    assert pack.round() == ["ann", "rat-1", "bob"]


def test_a_turns_start_and_end_happen_for_each_living_member_in_one_entry(pack):
    told = []
    pack.ruleset = ruled(
        pack.ruleset,
        on_turn_start=lambda ctx, who: told.append(f"{who} starts"),
        on_turn_ending=lambda ctx, who: told.append(f"{who} ends"),
    )
    kill(pack, "rat-2")
    before = pack.history.last
    pack("next")
    assert pack.history.last == before + 1
    assert told == ["ann ends", "rat-1 starts", "rat-3 starts"]
    pack("next")
    assert told[3:] == ["rat-1 ends", "rat-3 ends", "bob starts"]


def test_what_lasts_until_a_members_turn_ends_with_the_groups(pack):
    pack("effect bob slow start of rat-2", "effect bob dazed end of rat-3", "next")
    assert pack.names("bob") == ["dazed"]
    pack("next")
    assert pack.names("bob") == []


def test_a_dead_members_slot_ticks_with_the_group(pack):
    pack("effect bob slow start of rat-2", "effect bob dazed end of rat-2")
    kill(pack, "rat-2")
    pack("next")
    assert pack.names("bob") == ["dazed"], "its turn begins with theirs"
    pack("next")
    assert pack.names("bob") == [], "and ends with it"
    assert turns_of(pack, *RATS) == [1, 1, 1]


def test_who_dies_while_the_groups_turn_waits_has_had_that_turn(pack):
    pack("delay", "return")
    assert pack.state.turn == "ann" and turns_of(pack, *RATS) == [1, 1, 1]
    pack("effect bob slow end of rat-2 2", "effect bob dazed end of rat-3 2")
    kill(pack, "rat-2")
    pack("next")
    assert pack.state.taking_turn() == ("rat-1", "rat-3") and turns_of(pack, *RATS) == [1, 1, 1]
    pack("next")
    assert pack.names("bob") == ["slow", "dazed"], "the turn after that one was meant"
    assert pack.round() == ["bob"]
    pack("next")
    assert turns_of(pack, *RATS) == [2, 2, 2]
    pack("next")
    assert pack.names("bob") == []


def test_members_who_fall_leave_the_turn_to_the_others_and_a_whole_group_is_passed_over(pack):
    pack("next")
    kill(pack, "rat-1")
    assert pack.state.turn == "rat-2"
    pack("act")
    assert pack.who("rat-2").used("something")
    kill(pack, "rat-2", "rat-3")
    assert pack.state.taking_turn() == RATS, "the turn goes on until it is ended"
    pack("next")
    assert pack.round() == ["bob"]
    assert pack.round() == ["ann", "bob"]
    assert turns_of(pack, *RATS) == [2, 2, 2], "and their turns are counted"


def test_who_leaves_in_the_groups_turn_leaves_it_to_the_others(pack):
    pack("next", "leave rat-1")
    assert pack.state.taking_turn() == ("rat-2", "rat-3")
    pack("leave rat-2,rat-3")
    assert pack.state.turn == "bob" and groups_of(pack) == {}


def test_the_turn_of_a_group_that_leaves_ends_what_its_dead_would_have_ended(pack):
    pack("effect bob dazed end of rat-1")
    kill(pack, "rat-1")
    pack("next", "leave rat-2", "leave rat-3")
    assert pack.names("bob") == []


def test_who_acts_without_the_others_of_the_group_is_called_by_name(pack):
    pack("group ann,bob Pair")
    assert turn_order.current_turn_label(pack.state) == "Ann", "Bob's turn is still to come"
    pack("delay")
    assert pack.history.undo_title == "Ann delays; Bob is up"
    pack("next", "group rat-1,bob,rat-2 Mixed", "next")
    assert pack.history.undo_title == "Mixed ×2's turn ends; Rat 3 is up"
    pack("next", "next")
    assert turn_order.current_turn_label(pack.state) == "Mixed ×3", (
        "in the next round they act together"
    )

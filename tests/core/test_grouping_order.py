"""Groups: their initiative, how they delay and swap, who joins and leaves, and the log of it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.core.conftest import ruled
from tests.core.rats import RATS, groups_of, kill, order_of, turns_of

from affray.core.engine.decide import complete
from affray.core.formatting.reports import json_report
from affray.core.parser.errors import Refused

# -- initiative ------------------------------------------------------------------------------------


@pytest.mark.parametrize("said", ["rat", '"Rat"', "rat-1", "rat-3"])
def test_the_initiative_of_a_member_is_the_whole_groups(pack, said):
    pack(f"init {said} 7")
    assert order_of(pack) == ["ann", "bob", *RATS]
    assert {pack.state.slot(who).initiative for who in RATS} == {7}
    assert pack.text == "Initiative of Rat ×3: 7, was 15"


def test_init_roll_rolls_once_for_a_group(new_play):
    play = new_play((11, 3, 12, 4))
    play("add pc Ann", "add monster Rat x3 group", "init roll")
    assert [s.initiative for s in play.state.slots] == [11, 3, 3, 3]
    play("init roll all")
    assert [s.initiative for s in play.state.slots] == [12, 4, 4, 4]


def test_a_groups_first_who_is_alive_rolls_for_it(new_play):
    play = new_play((9,))
    play("add monster Rat x3 group")
    kill(play, "rat-1")
    play("init roll")
    assert {s.initiative for s in play.state.slots} == {9}


def test_a_group_that_joins_late_takes_its_turn_where_that_is_still_to_come(new_play):
    play = new_play((8, 16))
    play("add pc Ann", "add pc Bob", "init ann 10", "init bob 5", "start")
    play("add monster Rat x3 group")
    assert play.round() == ["ann", "rat-1", "bob"]
    play("add monster Cat x2 group")
    assert play.round() == ["ann", "rat-1", "bob"], "its place was past"
    assert play.round() == ["cat-1", "ann", "rat-1", "bob"]


def test_newcomers_to_a_group_that_has_had_its_turn_act_with_it_in_the_next_round(pack):
    pack("next", "next", "add monster Rat x2 group rat")
    assert groups_of(pack) == {"Rat": (*RATS, "rat-4", "rat-5")}
    assert pack.round() == ["bob"]
    pack("next")
    assert pack.state.taking_turn() == (*RATS, "rat-4", "rat-5")


def test_newcomers_take_the_place_of_a_group_that_is_down(pack):
    kill(pack, *RATS)
    pack("add monster Rat x2 group rat")
    assert order_of(pack) == ["ann", *RATS, "rat-4", "rat-5", "bob"]
    assert pack.round() == ["ann", "rat-4", "bob"]


def test_newcomers_to_a_group_whose_turn_is_to_come_take_it_along(pack):
    pack("add monster Rat group rat", "next")
    assert pack.state.taking_turn() == (*RATS, "rat-4")


def test_a_new_encounter_keeps_groups_and_rolls_for_them_anew(pack):
    pack("end", "init ann 1", "init bob 2", "start")
    assert groups_of(pack) == {"Rat": RATS} and order_of(pack) == [*RATS, "bob", "ann"]
    assert pack.state.taking_turn() == RATS


# -- delay, return, swap ---------------------------------------------------------------------------


def test_a_group_holds_back_and_comes_back_as_one(pack):
    pack("next", "delay")
    assert pack.text == "Rat ×3 delays; Bob is up"
    assert [pack.state.slot(who).held for who in RATS] == [True] * 3
    pack("return")
    assert pack.text == "Rat ×3 comes back in"
    assert pack.state.taking_turn() == RATS and turns_of(pack, *RATS) == [1, 1, 1]
    assert order_of(pack) == ["ann", *RATS, "bob"]
    assert {pack.state.slot(who).initiative for who in RATS} == {10}
    pack("next")
    assert pack.state.turn == "bob"


def test_a_group_delays_to_a_lower_count(pack):
    pack("next", "delay 3 by rat-2")
    assert pack.state.turn == "bob"
    pack("next")
    assert pack.state.taking_turn() == RATS and order_of(pack) == ["ann", "bob", *RATS]


def test_a_group_that_waits_the_round_away_loses_that_turn(pack):
    pack("next", "delay", "next", "next")
    assert (pack.state.round, pack.state.taking_turn()) == (2, RATS)
    assert turns_of(pack, *RATS) == [2, 2, 2]


def test_a_group_of_which_one_has_acted_can_not_delay(pack):
    pack("next", "act by rat-2")
    with pytest.raises(Refused, match="Rat 2 has already acted"):
        pack("delay")


def test_a_return_between_turns_ends_that_of_a_whole_group(pack):
    pack.ruleset = replace(pack.ruleset, delayed_turns_interrupt=False)
    pack("init rat 1", "delay", "next")
    assert pack.state.taking_turn() == RATS
    pack("act by rat-3", "return")
    assert pack.state.turn == "ann" and not any(pack.state.slot(who).open for who in RATS)


def test_tied_groups_swap_and_the_start_of_every_turn_is_taken_back(pack):
    pack("add monster Cat x2 group", "init cat 15", "effect bob slow start of rat-3", "next")
    assert pack.state.taking_turn() == RATS and pack.names("bob") == []
    pack("swap cat")
    assert pack.text == "Cat ×2 goes before Rat ×3"
    assert pack.state.taking_turn() == ("cat-1", "cat-2")
    assert turns_of(pack, *RATS) == [0, 0, 0] and pack.names("bob") == ["slow"]
    pack("next")
    assert pack.state.taking_turn() == RATS and pack.names("bob") == []


def test_a_swap_takes_back_that_a_dead_members_turn_was_counted(pack):
    kill(pack, "rat-2")
    pack("add monster Cat", "init cat 15", "effect bob slow start of rat-2", "next", "swap cat")
    assert pack.names("bob") == ["slow"] and turns_of(pack, *RATS) == [0, 0, 0]
    pack("next")
    assert pack.names("bob") == [] and turns_of(pack, *RATS) == [1, 1, 1]


def test_a_group_of_which_one_has_acted_waits_and_goes_before_nobody(pack):
    pack("init ann 15", "set ann side foes", "delay", "act by rat-2", "return")
    assert pack.state.turn == "ann" and all(pack.state.slot(who).open for who in RATS)
    with pytest.raises(Refused, match="Rat ×3 has already had a turn this round"):
        pack("swap rat")


def test_members_of_one_group_do_not_swap(pack):
    pack("next")
    with pytest.raises(Refused, match="somebody else"):
        pack("swap rat-2")


def test_a_members_companion_comes_behind_the_whole_group(pack):
    pack.ruleset = ruled(pack.ruleset, owner_of=lambda c: "rat-1" if c.id == "flea" else "")
    pack("add monster Flea", "init bob 9")
    assert order_of(pack) == ["ann", *RATS, "flea", "bob"]
    with pytest.raises(Refused, match="acts right after its owner"):
        pack("group flea,bob")
    assert pack.round() == ["ann", "rat-1", "flea", "bob"]


# -- joining and parting ---------------------------------------------------------------------------


def test_people_are_grouped_where_the_first_of_them_stands(pack):
    pack('group bob,ann "The Two"')
    assert groups_of(pack) == {"Rat": RATS, "The Two": ("bob", "ann")}
    assert order_of(pack) == [*RATS, "bob", "ann"]
    assert {pack.state.slot(who).initiative for who in ("ann", "bob")} == {10}
    assert pack.text == ("Bob and Ann act together, as The Two ×2")


def test_unnamed_a_group_is_called_like_its_first_or_is_the_firsts(pack):
    pack("add monster Cat x2", "group cat-1,cat-2", "group rat-2,bob")
    assert groups_of(pack) == {"Cat": ("cat-1", "cat-2"), "Rat": (*RATS, "bob")}
    pack("add monster Cat x2 group")
    assert groups_of(pack)["Cat B"] == ("cat-3", "cat-4"), "a second pack has a name of its own"


def test_some_of_a_group_make_another(pack):
    pack("add monster Rat group rat", "group rat-1,rat-3 Pack")
    assert groups_of(pack) == {"Pack": ("rat-1", "rat-3"), "Rat": ("rat-2", "rat-4")}
    assert order_of(pack) == ["ann", "rat-1", "rat-3", "rat-2", "rat-4", "bob"]
    pack("group rat-2 pack")
    assert groups_of(pack) == {"Pack": ("rat-1", "rat-3", "rat-2")}, "of one there is no group"


def test_nobody_gains_or_loses_a_turn_by_joining(pack):
    pack("group bob,ann")  # in Ann's turn, before Bob's
    assert pack.state.taking_turn() == ("ann",)
    assert pack.round() == ["ann", "rat-1", "bob"]
    assert pack.round() == ["rat-1", "bob"] and turns_of(pack, "ann", "bob") == [2, 2]


def test_who_is_taken_out_acts_right_behind_the_group(pack):
    pack("ungroup rat-2")
    assert groups_of(pack) == {"Rat": ("rat-1", "rat-3")}
    assert pack.round() == ["ann", "rat-1", "rat-2", "bob"]


def test_a_turn_that_has_begun_goes_on_for_each_who_is_taken_out(pack):
    pack("next", "ungroup rat")
    assert groups_of(pack) == {} and pack.state.taking_turn() == ("rat-1",)
    assert pack.round() == ["rat-1", "rat-2", "rat-3", "bob"]
    assert turns_of(pack, *RATS) == [1, 1, 1], "begun once"


def test_the_name_of_a_group_that_has_left_is_free_for_another_that_rolls(new_play):
    play = new_play((15, 8))
    play("add pc Ann", "init ann 10", "add monster Rat x2 group", "start")
    play("leave rat-1,rat-2", "add monster Rat x2 group")
    assert groups_of(play) == {"Rat": ("rat-3", "rat-4")}
    assert {s.who: s.initiative for s in play.state.slots} == {
        "rat-1": 15,
        "rat-2": 15,
        "ann": 10,
        "rat-3": 8,
        "rat-4": 8,
    }


def test_the_last_of_a_group_is_in_none(pack):
    pack("ungroup rat-1,rat-3")
    assert groups_of(pack) == {} and not pack.state.slot("rat-2").group


@pytest.mark.parametrize("up", [0, 1], ids=["in another's turn", "in its own turn"])
def test_whoever_is_left_when_the_others_leave_is_in_no_group(pack, up):
    pack(*["next"] * up, "leave rat-1,rat-3")
    assert groups_of(pack) == {} and not pack.state.slot("rat-2").group
    assert pack.state.taking_turn() == (("rat-2",) if up else ("ann",))
    pack("next")
    assert pack.state.turn == ("bob" if up else "rat-2")


def test_who_is_called_like_a_group_goes_before_it(pack):
    pack("add pc Cid", "group ann,bob,cid")
    assert groups_of(pack)["Ann"] == ("ann", "bob", "cid")
    pack("ungroup ann")
    assert groups_of(pack)["Ann"] == ("bob", "cid"), "Ann alone was meant"


def test_a_new_group_is_called_like_nobody_else(pack):
    pack("add monster Cat", "add monster Cat x2 group")
    assert groups_of(pack)["Cat B"] == ("cat-2", "cat-3"), "`cat` means the one who was there"


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("group ann", "two or more"),
        ("group ann nobody", "two or more"),
        ("group ann,bob x,y", "no comma"),
        (f"group ann,bob {'x' * 41}", "1 to 40 characters"),
        ("group ann,nobody", "nobody here is called"),
        ("group ann,bob Pair and more", "did not expect"),
        ("ungroup ann", "Ann is in no group; there are Rat"),
        ("ungroup", "expected a group"),
        ("add monster Cat group", "two or more"),
        ("add monster Cat x2 group a,b", "no comma"),
        ('group ann,bob "two\tnames"', "1 to 40 characters"),
        ("group rat-1,bob Ann", "'Ann' already means others"),
        ("group ann,bob rat-1", "'rat-1' already means others"),
        ("group ann,bob foes", "'foes' already means others"),
        ("group ann,bob All", "'All' already means others"),
        ("group ann,bob 2-4", "'2-4' already means others"),
        ("group ann,bob 7", "'7' already means others"),
        ("add monster Cat x2 group party", "'party' already means others"),
    ],
)
def test_what_makes_no_group_is_refused(pack, line, answer):
    with pytest.raises(Refused, match=answer):
        pack(line)


def test_who_holds_back_joins_no_group_and_nobody_joins_them(pack):
    pack("delay")
    with pytest.raises(Refused, match="Ann has delayed: `return ann` first"):
        pack("group ann,bob")
    pack("delay")
    with pytest.raises(Refused, match="Rat ×3 has delayed"):
        pack("group bob rat")


def test_ungroup_without_groups_says_how_to_make_one(fight):
    with pytest.raises(Refused, match="nobody is in a group; `group NAME,NAME` makes one"):
        fight("ungroup ann")


def test_groups_are_offered_where_they_can_be_named(pack):
    pack('group ann,bob "Odd Two"')
    both = ["odd-two", "rat"]
    assert complete(pack.state, "ungroup ", pack.ruleset)[:7] == [*both, "ann", *RATS, "bob"]
    assert set(both) <= set(complete(pack.state, "init ", pack.ruleset))
    assert "group" in complete(pack.state, "add monster Cat x2 ", pack.ruleset)
    assert complete(pack.state, "add monster Cat x2 group r", pack.ruleset) == ["rat"]
    assert complete(pack.state, "group bob ", pack.ruleset) == both


# -- the log ---------------------------------------------------------------------------------------


def test_undo_takes_a_groups_whole_turn_back(pack):
    at = pack.history.last
    pack("next", "act by rat-2", "ungroup rat-3", "next")
    pack.move(at)
    assert pack.state.turn == "ann" and groups_of(pack) == {"Rat": RATS}
    pack("next")
    assert pack.state.taking_turn() == RATS


def test_show_tells_a_groups_name_and_the_first_that_can_act(pack):
    kill(pack, "rat-1")
    pack("next")
    shown = json_report(pack.history, pack.ruleset)
    assert shown["turn"] == "rat-2" and shown["order"] == ["ann", *RATS, "bob"]
    assert {c["id"]: c.get("group") for c in shown["combatants"]} == {
        "ann": None,
        **dict.fromkeys(RATS, "Rat"),
        "bob": None,
    }


def test_each_member_has_a_number_of_its_own(pack):
    assert {c.id: n for n, c in pack.state.by_number().items()} == {
        "ann": 1,
        "rat-1": 2,
        "rat-2": 3,
        "rat-3": 4,
        "bob": 5,
    }


def test_a_groups_name_stands_for_its_members_where_several_can_be_meant(pack):
    pack("conceal rat")
    assert [c.id for c in pack.state.combatants if c.hidden] == list(RATS)
    pack("init ann,rat 3")
    assert pack.text == "Initiative of Ann and Rat ×3: 3"
    with pytest.raises(Refused, match="'rat' could be rat-1, rat-2 or rat-3"):
        pack("act by rat")

"""Groups: several combatants with one place in the order and one turn."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from affray.core import groups
from affray.core.decide import complete
from affray.core.events import Became, Delayed, Left, Ordered, TurnEnded, TurnStarted
from affray.core.evolve import evolve_all
from affray.core.refusal import Refused
from affray.core.report import report
from affray.core.ruleset import Verb
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


# -- the commands ----------------------------------------------------------------------------------


@pytest.fixture
def pack(new_play):
    """Ann 20, the rats 1 to 3 of a group 15, Bob 10; Ann is up. Later rolls show 5."""
    play = new_play((15, *(5,) * 30))
    play("add pc Ann", "add monster Rat x3 group", "add pc Bob")
    play("init ann 20", "init bob 10", "start")
    return play


RATS = ("rat-1", "rat-2", "rat-3")


def groups_of(play) -> dict[str, tuple[str, ...]]:
    """The bare name of each group, and the ids of its members in the fight."""
    return {
        row.group: tuple(c.id for c in row.members) for row in groups.rows(play.state) if row.group
    }


def order_of(play) -> list[str]:
    return [s.who for s in play.state.slots]


def turns_of(play, *people) -> list[int]:
    return [play.state.slot(who).turns for who in people]


def test_a_group_is_added_in_one_command_with_one_roll_for_all_of_it(pack):
    assert groups_of(pack) == {"Rat": RATS}
    assert {pack.state.slot(who).initiative for who in RATS} == {15}
    assert order_of(pack) == ["ann", *RATS, "bob"]
    added = pack.history.entries[2]
    assert added.text == "Rat 1, Rat 2 and Rat 3 join as Rat ×3"


def test_a_group_has_one_turn_and_next_ends_it_for_all(pack):
    pack("next")
    assert pack.state.taking_turn() == RATS
    assert pack.history.entries[pack.history.last].text == "Ann's turn ends; Rat ×3 is up"
    pack("act by rat-3", "act by rat-1", "act")
    assert [pack.who(who).used("something") for who in RATS] == [2, 0, 1], "unsaid it is the first"
    pack("next")
    assert pack.state.turn == "bob" and turns_of(pack, *RATS) == [1, 1, 1]
    assert pack.history.entries[pack.history.last].text == "Rat ×3's turn ends; Bob is up"
    assert pack.round() == ["bob"]
    assert pack.round() == ["ann", "rat-1", "bob"]


def test_a_turns_start_and_end_happen_for_each_living_member_in_one_entry(pack):
    told = []
    pack.ruleset = replace(
        pack.ruleset,
        turn_started=lambda ctx, who: told.append(f"{who} starts"),
        turn_ending=lambda ctx, who: told.append(f"{who} ends"),
    )
    kill(pack, "rat-2")
    before = pack.history.last
    pack("next")
    assert pack.history.last == before + 1
    assert told == ["ann ends", "rat-1 starts", "rat-3 starts"]
    pack("next")
    assert told[3:] == ["rat-1 ends", "rat-3 ends", "bob starts"]


def kill(play, *people):
    """The rules' `dead`, as the smallest rule system has no damage."""
    verb = Verb("kill", "kill NAME", "kills", _kill)
    play.ruleset = replace(play.ruleset, verbs={**play.ruleset.verbs, "kill": verb})
    for who in people:
        play(f"kill {who}")


def _kill(ctx, words):
    ctx.emit(Became(words.combatant().id, "dead"))


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
    pack("effect bob slow end of rat-2", "effect bob dazed end of rat-3")
    kill(pack, "rat-2")
    pack("next")
    assert pack.state.taking_turn() == ("rat-1", "rat-3") and turns_of(pack, *RATS) == [1, 1, 1]
    pack("next")
    assert pack.names("bob") == ["slow", "dazed"], "their next turn was meant"
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


# -- initiative ------------------------------------------------------------------------------------


@pytest.mark.parametrize("said", ["rat", '"Rat"', "rat-1", "rat-3"])
def test_the_initiative_of_a_member_is_the_whole_groups(pack, said):
    pack(f"init {said} 7")
    assert order_of(pack) == ["ann", "bob", *RATS]
    assert {pack.state.slot(who).initiative for who in RATS} == {7}
    assert pack.history.entries[pack.history.last].text == "Initiative of Rat ×3: 7, was 15"


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
    assert pack.history.entries[pack.history.last].text == "Rat ×3 delays; Bob is up"
    assert [pack.state.slot(who).held for who in RATS] == [True] * 3
    pack("return")
    assert pack.history.entries[pack.history.last].text == "Rat ×3 comes back in"
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
    pack.ruleset = replace(pack.ruleset, interrupts=False)
    pack("init rat 1", "delay", "next")
    assert pack.state.taking_turn() == RATS
    pack("act by rat-3", "return")
    assert pack.state.turn == "ann" and not any(pack.state.slot(who).open for who in RATS)


def test_tied_groups_swap_and_the_start_of_every_turn_is_taken_back(pack):
    pack("add monster Cat x2 group", "init cat 15", "effect bob slow start of rat-3", "next")
    assert pack.state.taking_turn() == RATS and pack.names("bob") == []
    pack("swap cat")
    assert pack.history.entries[pack.history.last].text == "Cat ×2 goes before Rat ×3"
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
    pack.ruleset = replace(pack.ruleset, master=lambda c: "rat-1" if c.id == "flea" else "")
    pack("add monster Flea", "init bob 9")
    assert order_of(pack) == ["ann", *RATS, "flea", "bob"]
    with pytest.raises(Refused, match="acts right behind another"):
        pack("group flea,bob")
    assert pack.round() == ["ann", "rat-1", "flea", "bob"]


# -- joining and parting ---------------------------------------------------------------------------


def test_people_are_grouped_where_the_first_of_them_stands(pack):
    pack('group bob,ann "The Two"')
    assert groups_of(pack) == {"Rat": RATS, "The Two": ("bob", "ann")}
    assert order_of(pack) == [*RATS, "bob", "ann"]
    assert {pack.state.slot(who).initiative for who in ("ann", "bob")} == {10}
    assert pack.history.entries[pack.history.last].text == (
        "Bob and Ann act together, as The Two ×2"
    )


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
    assert groups_of(pack)["Cat B"] == ("cat-1", "cat-2"), "`cat` means the one who was there"


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
        ("group rat-1,bob Ann", "'Ann' means others already"),
        ("group ann,bob rat-1", "'rat-1' means others already"),
        ("group ann,bob foes", "'foes' means others already"),
        ("group ann,bob All", "'All' means others already"),
        ("group ann,bob 2-4", "'2-4' means others already"),
        ("group ann,bob 7", "'7' means others already"),
        ("add monster Cat x2 group party", "'party' means others already"),
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
    shown = report(pack.history, pack.ruleset)
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
    assert pack.history.entries[pack.history.last].text == "Initiative of Ann and Rat ×3: 3"
    with pytest.raises(Refused):
        pack("act by rat")

"""The order of turns, delay and coming back, latecomers, and those who leave."""

import pytest
from msgspec.structs import replace
from tests.core.conftest import ruled

from affray.core.engine import durations, turns
from affray.core.engine.events import LifeChanged
from affray.core.engine.history import History
from affray.core.engine.state import Slot
from affray.core.parser.errors import Refused
from affray.core.rules.ruleset import Command


def test_highest_initiative_goes_first_and_rounds_go_on(fight):
    assert fight.state.turn == "ann"
    assert fight.round() == ["ann", "bob", "cat", "dan"]
    assert (fight.state.round, fight.state.turn) == (2, "ann")


def test_ties_go_as_the_ruleset_ranks_them_then_as_they_were_added(play):
    play("add monster Cat", "add pc Ann", "add pc Bob")
    play("init cat 9", "init bob 9", "init ann 9", "start")
    assert play.round() == ["bob", "ann", "cat"]


def test_initiative_of_nothing_and_less_counts(play):
    play("add pc Ann", "add pc Bob", "init ann -2", "init bob 0", "start")
    assert play.round() == ["bob", "ann"]


def test_start_rolls_what_is_missing_and_keeps_what_was_given(new_play):
    play = new_play((17,))
    play("add pc Ann", "add pc Bob", "init ann 3", "start")
    assert [slot.initiative for slot in play.state.slots] == [17, 3]


def test_a_delayed_turn_is_taken_later_and_no_turn_is_lost(fight):
    fight("delay")
    assert fight.state.turn == "bob"
    fight("next", "return")
    assert fight.state.turn == "ann"
    fight("next")
    assert fight.state.turn == "cat", "the one who was interrupted goes on"
    assert fight.round() == ["cat", "dan"]
    assert fight.round() == ["bob", "ann", "cat", "dan"], "the new place stays"


def test_the_interrupted_turn_starts_only_once(fight):
    fight("delay", "return")
    turns = {slot.who: slot.turns for slot in fight.state.slots}
    assert turns["bob"] == 1 and turns["ann"] == 1
    fight("next")
    assert fight.state.turn == "bob"
    assert {slot.who: slot.turns for slot in fight.state.slots}["bob"] == 1


def test_who_delays_a_whole_round_loses_that_turn(fight):
    fight("delay", "next", "next", "next")
    assert (fight.state.round, fight.state.turn) == (2, "ann")
    assert fight.state.slot("ann").turns == 2 and not fight.state.slot("ann").held


def test_who_has_acted_can_not_delay(fight):
    fight("act")
    with pytest.raises(Refused, match="already acted"):
        fight("delay")


def test_only_the_one_whose_turn_it_is_can_delay(fight):
    with pytest.raises(Refused, match="not Bob's turn"):
        fight("delay by bob")


def skipping(fight):
    """Lets `skip NAME before|after` be said, as the rules of a game may have it."""

    def skip(ctx, words):
        other = words.combatant().id
        turns.skip_turn(ctx, ctx.actor().id, other, words.choice("a side", ("before", "after")))

    verb = Command("skip", "skip NAME before|after", "skips", skip, True)
    fight.ruleset = replace(fight.ruleset, commands={**fight.ruleset.commands, "skip": verb})
    return fight


@pytest.mark.parametrize(
    ("line", "now", "then"),
    [
        ("skip cat after", ["bob", "cat", "dan"], ["bob", "cat", "ann", "dan"]),
        ("skip cat before", ["bob", "cat", "dan"], ["bob", "ann", "cat", "dan"]),
        ("skip dan after", ["bob", "cat", "dan"], ["bob", "cat", "dan", "ann"]),
    ],
)
def test_a_skipped_turn_is_given_up_for_another_place(fight, line, now, then):
    skipping(fight)(line)
    assert (fight.round(), fight.round(), fight.round()) == (now, then, then)


def test_the_last_can_skip_to_the_first_place_and_the_round_is_over(fight):
    skipping(fight)("next", "next", "next", "skip ann before")
    assert (fight.state.round, fight.state.turn) == (2, "dan")
    assert fight.round() == ["dan", "ann", "bob", "cat"]


def test_what_a_skipped_turns_end_would_end_has_ended(fight):
    skipping(fight)("effect bob dazed end of bob", "next", "skip dan after")
    assert fight.names("bob") == []


@pytest.mark.parametrize(
    ("lines", "saying"),
    [
        (("act", "skip dan after"), "already acted this turn, so can't skip it"),
        (("skip dan after by bob",), "it is not Bob's turn, so there is nothing to skip"),
        (("skip ann after",), "can only go after somebody else"),
        (("add pc Eel", "skip eel before"), "Eel has no initiative yet"),
    ],
)
def test_when_no_turn_can_be_skipped(fight, lines, saying):
    with pytest.raises(Refused, match=saying):
        skipping(fight)(*lines)


def test_a_group_skips_together(play):
    play("add monster Rat x2", "add pc Ann", "group rat-1,rat-2")
    skipping(play)("init rat-1 15", "init ann 4", "start", "skip ann after")
    assert play.round() == ["ann"]
    assert [slot.who for slot in play.state.slots] == ["ann", "rat-1", "rat-2"]


def test_whatever_gives_an_initiative_brings_what_the_rules_say(new_play):
    """Said, rolled, as it lies, or at the start; for all of a group, which has one."""
    got: list[str] = []
    play = new_play((12, 7, 1, 2, 3, 4, 5))
    play.ruleset = ruled(play.ruleset, on_given=lambda ctx, who: got.append(who))
    play("add monster Rat x2", "add pc Ann", "add pc Bob", "add pc Cat", "group rat-1,rat-2")
    play("init ann 4", "init bob natural 9", "start")
    assert got == ["ann", "bob", "rat-1", "rat-2", "cat"]
    got.clear()
    play("init roll all")
    assert sorted(got) == ["ann", "bob", "cat", "rat-1", "rat-2"]
    got.clear()
    play("delay", "return")
    assert got == [], "a delayed turn brings no initiative"


def test_return_needs_to_know_who_when_several_wait(fight):
    fight("delay", "delay")
    with pytest.raises(Refused, match="ann or bob"):
        fight("return")
    fight("return bob")
    assert fight.state.turn == "bob"


def test_what_lasts_to_the_next_turn_of_who_was_interrupted_counts_the_turn_to_come(fight):
    """The delayed turn comes just before it; it counted the one after, and lasted a round more."""
    fight("delay", "return", "effect ann dazed end of bob", "effect cat slow start of bob")
    until = fight.who("ann").effects[0].until
    assert durations.format_duration(fight.state, until) == "end of bob's turn"
    fight("next")
    assert (fight.state.turn, fight.names("cat"), fight.names("ann")) == ("bob", [], ["dazed"])
    fight("next")
    assert fight.names("ann") == []


def test_a_turn_in_which_something_was_done_is_not_to_come_any_more(fight):
    fight("delay", "act", "return ann", "effect ann dazed end of bob", "next", "next")
    assert (fight.state.turn, fight.names("ann")) == ("cat", ["dazed"])


def test_tied_allies_go_in_either_order(play):
    play("add pc Ann", "add pc Bob", "add monster Cat")
    play("init ann 9", "init bob 9", "init cat 9", "start", "swap bob")
    assert play.state.turn == "bob"
    assert play.round() == ["bob", "ann", "cat"]


@pytest.mark.parametrize("other", ["cat", "dan"])
def test_who_is_no_tied_ally_can_not_be_let_first(play, other):
    play("add pc Ann", "add pc Dan", "add monster Cat")
    play("init ann 9", "init dan 8", "init cat 9", "start")
    with pytest.raises(Refused, match="tied"):
        play(f"swap {other}")


def test_a_monster_that_joins_rolls_and_waits_when_its_place_is_past(new_play):
    play = new_play((18,))
    play(
        "add pc Ann",
        "add pc Bob",
        "init ann 20",
        "init bob 15",
        "start",
        "next",
        "add monster Wolf",
    )
    assert [c.id for c in play.state.in_order()] == ["ann", "wolf", "bob"]
    assert play.round() == ["bob"]
    assert play.round() == ["ann", "wolf", "bob"]


def test_a_monster_that_joins_acts_this_round_when_its_place_is_to_come(new_play):
    play = new_play((12,))
    play("add pc Ann", "add pc Bob", "init ann 20", "init bob 15", "start", "add monster Wolf")
    assert play.round() == ["ann", "bob", "wolf"]


def test_a_character_that_joins_is_told_to_be_last_until_initiative_is_called(new_play):
    play = new_play()
    play("add pc Ann", "add pc Bob", "init ann 20", "init bob 15", "start", "next")
    assert play.told("add pc Cat") == "Cat joins; initiative not called yet: `init`"
    assert play.told("init cat 17") == "Initiative of Cat: 17, first in round 2"


def test_a_character_whose_place_is_to_come_is_told_nothing_of_the_next_round(new_play):
    play = new_play()
    assert play.told("add pc Ann") == "Ann joins"
    play("add pc Bob", "init ann 20", "init bob 15", "start", "add pc Cat")
    assert play.told("init cat 17") == "Initiative of Cat: 17"
    assert play.told("init ann 12") == "Initiative of Ann: 12, was 20"


def test_initiative_changed_in_mid_round_gives_nobody_a_second_turn(fight):
    fight("next", "init ann 1")
    assert fight.round() == ["bob", "cat", "dan"]
    assert fight.round() == ["bob", "cat", "dan", "ann"]


def test_who_leaves_in_their_turn_passes_it_on(fight):
    fight("leave ann")
    assert fight.state.turn == "bob"
    assert [c.id for c in fight.state.in_order()] == ["bob", "cat", "dan"]


def test_the_last_to_leave_leaves_the_fight_without_a_turn(play):
    play("add pc Ann", "init ann 3", "start", "leave ann")
    assert play.state.turn == "" and not play.state.combatants
    with pytest.raises(Refused, match="nobody is left"):
        play("next")


def test_a_clock_of_rounds_runs_down_and_a_pool_loses_its_sixes(new_play):
    play = new_play((6, 5, 1, 5, 1))
    play("add pc Ann", "init ann 3", 'clock "flood" 2 rounds', 'clock "bridge" 3d6 slow', "start")
    play("next")
    clocks = {clock.name: clock.value for clock in play.state.clocks}
    assert clocks == {"flood": 1, "bridge": 2}


@pytest.mark.parametrize("line", ["next", "delay", "return", "swap ann", "end"])
def test_turns_need_a_fight(play, line):
    play("add pc Ann")
    with pytest.raises(Refused, match="the fight has not begun"):
        play(line)


def all_fall(ctx, *_):
    for combatant in ctx.state.combatants:
        ctx.emit(LifeChanged(combatant.id, "dead"))


def ann_falls(ctx, *_):
    ctx.emit(LifeChanged("ann", "dead"))


FALLS = Command("falls", "falls", "kills Ann", ann_falls)


@pytest.mark.parametrize("edge", ["on_turn_ending", "on_round_end"])
@pytest.mark.parametrize("line", ["next", "delay"])
def test_nobody_is_up_when_an_end_leaves_nobody_who_can_act(play, line, edge):
    play("add pc Ann", "add pc Bob", "init ann 9", "init bob 5", "start")
    play.ruleset = ruled(play.ruleset, **{edge: all_fall})
    for _ in range(4):
        play(line)
        if not play.state.turn:
            break
    assert play.state.turn == ""
    assert play.text.endswith("; it is nobody's turn")
    with pytest.raises(Refused, match="nobody is left"):
        play("next")


def test_who_falls_at_the_end_of_a_delayed_turn_begins_no_other(play):
    def falls(ctx, who):
        if who == "ann":
            ctx.emit(LifeChanged("ann", "dead"))

    play("add pc Ann", "add pc Bob", "init ann 9", "init bob 5", "start", "delay")
    play.ruleset = ruled(play.ruleset, on_turn_ending=falls)
    play("next")
    assert (play.state.round, play.state.turn) == (2, "bob")


def test_who_falls_while_waiting_does_not_come_back(play):
    """The dead had a turn; and `return` alone asked for them beside the one who still waits."""
    people = ("add pc Ann", "add pc Bob", "add pc Cat", "init ann 9", "init bob 5", "init cat 3")
    play(*people, "start", "delay", "delay")
    play.ruleset = replace(play.ruleset, commands=play.ruleset.commands | {"falls": FALLS})
    play("falls")
    with pytest.raises(Refused, match="Ann can't come back in: dead"):
        play("return ann")
    play("return")
    assert play.state.turn == "bob"


def test_who_falls_in_a_turn_that_was_interrupted_loses_that_turn_alone(play):
    """Their next was counted with it: what it would end ended a round too early."""
    people = ("add pc Bob", "add pc Ann", "add pc Cat", "init bob 9", "init ann 5", "init cat 3")
    play(*people, "start", "delay")
    play("effect bob dazed start of ann", "effect cat dazed end of ann")
    play.ruleset = replace(play.ruleset, commands=play.ruleset.commands | {"falls": FALLS})
    play("falls", "return bob", "next")
    assert (play.state.round, play.state.turn) == (1, "cat")
    assert "dazed" in play.names("bob") and "dazed" in play.names("cat")
    play("next", "next")
    assert (play.state.round, play.state.turn) == (2, "cat")
    assert "dazed" not in play.names("bob") and "dazed" not in play.names("cat")


def test_the_rules_hear_of_turns_that_pass_over_who_is_out_of_the_fight(play):
    passed, ended = [], []

    def falls(ctx, who):
        ended.append(who)
        if who == "ann":
            ctx.emit(LifeChanged("bob", "defeated"))

    play(
        "add pc Ann", "add pc Bob", "add pc Dan", "init ann 9", "init bob 5", "init dan 3", "start"
    )
    heard = {"on_turn_ending": falls, "on_turn_passed": lambda ctx, who: passed.append(who)}
    play.ruleset = ruled(play.ruleset, **heard)
    play("next")
    assert (play.state.turn, ended, passed) == ("dan", ["ann"], ["bob"])
    play("leave bob", "next", "next")
    assert passed == ["bob"]


def test_who_is_kept_from_the_players_is_told_in_a_sentence(fight):
    last = {"conceal ann": "Ann is unknown to the players"}
    last["conceal bob,cat"] = "Bob and Cat are unknown to the players"
    last["reveal ann,bob"] = "Ann and Bob are known to the players"
    for line, text in last.items():
        fight(line)
        assert fight.text == text


def test_remove_without_an_effect_takes_somebody_out(fight):
    fight("remove bob")
    assert [c.id for c in fight.state.in_order()] == ["ann", "cat", "dan"]
    assert fight.round() == ["ann", "cat", "dan"]


def test_a_latecomers_corrected_initiative_gives_it_the_turn_that_is_still_to_come(new_play):
    play = new_play((17,))
    play("add pc Ann", "add pc Bob", "init ann 20", "init bob 15", "start", "next")
    play("add monster Wolf", "init wolf 12")
    assert play.round() == ["bob", "wolf"]


def test_an_initiative_corrected_to_an_earlier_place_costs_nobody_the_turn(fight):
    fight("next", "init dan 19")
    assert fight.round() == ["bob", "dan", "cat"]


def test_initiative_is_rolled_past_a_place_that_is_nobodys(new_play):
    """A log that was edited by hand may name somebody in the order who was never added."""
    play = new_play((7,))
    play("add pc Ann")
    slots = (*play.state.slots, Slot("nobody", 3))
    play.history = History(replace(play.state, slots=slots))
    play("init roll all")
    assert play.state.slot("ann").initiative == 7
    play("start")
    assert play.state.turn == "ann"


@pytest.mark.parametrize("rolled", [10, 17])
@pytest.mark.parametrize(("called", "turns"), {12: ["bob", "wolf"], 16: ["bob"]}.items())
def test_a_latecomers_called_initiative_counts_as_if_nothing_had_been_rolled(
    new_play, rolled, called, turns
):
    """Every game, ruling 7."""
    play = new_play((rolled,))
    play("add pc Ann", "add pc Bob", "init ann 20", "init bob 15", "start", "next")
    play("add monster Wolf")
    assert play.state.slot("wolf").initiative == rolled
    play(f"init wolf {called}")
    assert play.round() == turns
    assert play.round() == (["ann", "wolf", "bob"] if called == 16 else ["ann", "bob", "wolf"])

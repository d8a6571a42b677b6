"""Those whose turn comes right behind another's, ranks among equals, and what always follows."""

import pytest
from msgspec.structs import replace
from tests.core.conftest import ruled

from affray.core.engine.events import NoteAdded
from affray.core.engine.state import Track
from affray.core.parser.errors import Refused

PACK = {"dog": "ann", "rat": "cat"}
"""Who goes behind whom."""


def master(combatant):
    return PACK.get(combatant.id, "")


@pytest.fixture
def pack(new_play):
    """Ann 20 with her dog, Bob 15, Cat 10 with its rat; Ann is up."""
    play = new_play((1,) * 20)
    play.ruleset = ruled(play.ruleset, owner_of=master)
    play("add pc Dog", "add pc Ann", "add pc Bob", "add monster Rat", "add monster Cat")
    play("init ann 20", "init bob 15", "init cat 10", "init dog 3", "init rat 30", "start")
    return play


def turns_of(play, who):
    return play.state.slot(who).turns


def test_a_follower_acts_right_behind_its_master_at_the_same_initiative(pack):
    assert pack.round() == ["ann", "dog", "bob", "cat", "rat"]
    assert pack.state.slot("rat").initiative == 10


def test_a_follower_goes_where_its_masters_initiative_goes(pack):
    pack("init ann 5")
    assert [s.who for s in pack.state.slots] == ["bob", "cat", "rat", "ann", "dog"]


def test_a_follower_waits_while_its_master_holds_back_and_comes_behind_the_delayed_turn(pack):
    pack("delay")
    assert pack.state.turn == "bob", "not the dog"
    pack("next", "return")
    assert pack.state.turn == "ann"
    assert pack.round() == ["ann", "dog", "cat", "rat"]


def test_who_waits_the_round_away_loses_the_followers_turn_as_well_but_it_is_counted(pack):
    pack("delay", "next", "next", "next")
    assert (pack.state.round, pack.state.turn) == (2, "ann")
    assert turns_of(pack, "dog") == 1
    pack("next")
    assert pack.state.turn == "dog" and turns_of(pack, "dog") == 2


def test_a_follower_whose_master_left_keeps_its_place(pack):
    pack("leave ann")
    assert pack.state.turn == "dog"


@pytest.fixture
def led(new_play):
    """Ann 20 with her dog, which has no turns, and Bob 15; Ann is up."""
    play = new_play((1,) * 20)
    dog = {"has_no_turn": lambda state, combatant: combatant.id == "dog"}
    play.ruleset = ruled(play.ruleset, owner_of=master, **dog)
    play("add pc Dog", "add pc Ann", "add pc Bob", "init ann 20", "init bob 15", "start")
    return play


def test_who_has_no_turns_stands_in_the_order_and_is_passed_over(led):
    assert [s.who for s in led.state.slots] == ["ann", "dog", "bob"]
    assert led.round() == ["ann", "bob"]
    assert turns_of(led, "dog") == 1


def test_turns_that_nobody_takes_are_counted_so_that_effects_end_with_them(led):
    led("effect bob slow end of dog 1", "effect bob dazed end of dog 2")
    led("next")
    assert led.names("bob") == ["dazed"]
    led("next", "next")
    assert led.names("bob") == []


def test_where_only_those_without_turns_are_left_nobody_is_up(led):
    with pytest.raises(Refused, match="nobody is left"):
        led("leave ann", "leave bob", "next")


def test_whoever_is_given_turns_again_takes_them(led):
    led.ruleset = ruled(led.ruleset, has_no_turn=lambda state, combatant: False)
    led("init ann 21")
    assert led.round() == ["ann", "dog", "bob"]


def test_a_rank_decides_among_equals_and_stays_with_the_slot(new_play):
    ranks = {"ann": (2,), "bob": (1,), "cat": (1, 5)}
    play = new_play(())
    play.ruleset = ruled(play.ruleset, tie_rank=lambda ctx, who, total, placed: ranks[who])
    play("add pc Ann", "add pc Bob", "add monster Cat")
    play("init ann 10", "init cat 10", "init bob 10", "start")
    assert play.round() == ["bob", "cat", "ann"]
    assert play.state.slot("ann").rank == (2,)


def test_the_ranking_sees_who_is_placed_already(new_play):
    seen = []

    def rank(ctx, who, total, placed):
        seen.append((who, [s.who for s in placed if s.initiative == total]))
        return ()

    play = new_play(())
    play.ruleset = ruled(play.ruleset, tie_rank=rank)
    play("add pc Ann", "add pc Bob", "init ann 10", "init bob 10")
    assert seen == [("ann", []), ("bob", ["ann"])]


def test_what_the_rules_say_always_follows_comes_after_every_command_until_nothing_more_does(play):
    def settled(ctx):
        if len(ctx.state.combatants) == 1 and ctx.state.combatants[0].track("hp") > 7:
            from affray.core.engine.events import TrackChanged

            ctx.emit(TrackChanged("ann", "hp", -1, why="it wears off"))

    play.ruleset = ruled(play.ruleset, apply_invariants=settled)
    play("add pc Ann hp 10")
    assert play.who("ann").tracks["hp"] == Track(7, 10)
    entry = play.history.entries[play.history.last]
    assert len(entry.events) == 4, "they belong to the entry that caused them"


def test_what_a_delay_brings_is_of_the_same_entry(fight):
    def delayed(ctx, who):
        ctx.emit(NoteAdded(f"{who} waits"))

    fight.ruleset = ruled(fight.ruleset, on_turn_delayed=delayed)
    fight("delay")
    events = fight.history.entries[fight.history.last].events
    assert NoteAdded("ann waits") in events and fight.state.turn == "bob"


def test_where_turns_are_not_interrupted_a_delayed_one_waits_until_nobody_is_in_the_middle(fight):
    fight.ruleset = replace(fight.ruleset, delayed_turns_interrupt=False)
    fight("delay", "act")
    with pytest.raises(Refused, match="Bob has acted"):
        fight("return")
    fight("next", "return")
    assert fight.state.turn == "ann"

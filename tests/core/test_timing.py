"""Durations: they end at the right edge of the right turn, whatever happens to the order."""

from typing import get_args

import pytest

from affray.core.engine import durations
from affray.core.engine.state import Duration, Ends


def test_end_of_next_turn_is_not_the_present_turn(fight):
    fight("effect ann dazed end of ann")
    fight("next")
    assert fight.names("ann") == ["dazed"]
    fight("next", "next", "next")
    assert fight.names("ann") == ["dazed"]
    fight("next")
    assert fight.names("ann") == []


def test_start_of_another_s_next_turn(fight):
    fight("effect ann dazed start of bob")
    assert fight.names("ann") == ["dazed"]
    fight("next")
    assert fight.names("ann") == []


def test_the_second_next_turn(fight):
    fight("effect bob slow end of bob 2")
    fight("next", "next")
    assert fight.names("bob") == ["slow"]
    fight("next", "next", "next", "next")
    assert fight.names("bob") == []


def test_a_duration_outlives_its_anchor_s_leaving(fight):
    fight("effect ann dazed end of bob", "leave bob")
    assert fight.names("ann") == ["dazed"]
    fight("next")
    assert fight.names("ann") == [], "Bob's slot was counted though he is gone"


def test_a_duration_survives_delay(fight):
    fight("effect dan slow end of ann", "delay", "next")
    fight("return", "next")
    assert fight.state.turn == "cat" and fight.names("dan") == ["slow"]
    fight("next", "next", "next")
    assert fight.state.turn == "ann" and fight.names("dan") == ["slow"]
    fight("next")
    assert fight.names("dan") == []


def test_a_duration_survives_a_new_initiative(fight):
    fight("effect dan slow end of bob", "init bob 1")
    fight("next", "next", "next")
    assert fight.state.turn == "bob" and fight.names("dan") == ["slow"]
    fight("next")
    assert fight.names("dan") == []


def test_an_effect_laid_on_somebody_who_has_delayed_ends_with_the_turn_to_come(fight):
    fight("delay", "effect ann dazed end of ann", "return")
    assert fight.names("ann") == ["dazed"]
    fight("next")
    assert fight.names("ann") == []


def test_what_lasts_until_a_held_turn_starts_ends_as_it_is_taken(fight):
    fight("delay", "effect ann dazed start of ann")
    assert fight.names("ann") == ["dazed"]
    fight("return")
    assert fight.names("ann") == []


def test_a_turn_that_goes_on_after_another_ends_nothing_by_starting_twice(fight):
    fight("delay", "effect cat slow start of bob")
    assert fight.state.turn == "bob"
    fight("return", "next")
    assert fight.state.turn == "bob" and fight.names("cat") == ["slow"]


def test_undo_brings_a_timer_back(fight):
    fight("effect ann dazed start of bob", "next")
    assert fight.names("ann") == []
    fight.move(fight.history.last - 1)
    assert fight.names("ann") == ["dazed"]


def test_durations_in_words(fight):
    state = fight("effect ann dazed end of bob")
    words = durations.format_duration(state, fight.who("ann").effects[0].until)
    assert words == "end of bob's next turn"
    state = fight("next")
    assert (
        durations.format_duration(state, fight.who("ann").effects[0].until, "name")
        == "end of Bob's turn"
    )


def test_rests_in_words(fight):
    ends = [Duration("rest"), Duration("long-rest")]
    words = ["until a rest", "until a long rest"]
    assert [durations.format_duration(fight.state, end) for end in ends] == words


def test_sooner_sorts_before_later(fight):
    state = fight.state
    soon = durations.turn_edge(state, "bob", "start")
    later = durations.turn_edge(state, "bob", "end")
    last = durations.turn_edge(state, "ann", "start")
    places = [durations.end_positions(state)(d) for d in (last, later, soon, durations.Duration())]
    assert sorted(places) == [places[2], places[1], places[0], durations.NEVER]


@pytest.mark.parametrize("ends", sorted(set(get_args(Ends)) - {"turn", "round"}))
def test_an_end_that_no_turn_brings_sorts_behind_all_that_some_turn_does(fight, ends):
    position = durations.end_positions(fight.state)
    rounds_away = durations.Duration("round", count=99_999)
    assert position(durations.Duration(ends)) == durations.NEVER > position(rounds_away)


def test_the_end_of_a_turn_that_nobody_takes_never_comes(fight):
    """Who has no place in the order, as in a log that was edited by hand, has no turn to come."""
    nobodys = durations.Duration("turn", who="nobody", edge="end", count=1)
    assert durations.end_positions(fight.state)(nobodys) == durations.NEVER


def test_ordinals():
    numbers = (1, 2, 3, 4, 11, 12, 13, 21, 22, 103, 111)
    assert " ".join(map(durations.ordinal, numbers)) == (
        "1st 2nd 3rd 4th 11th 12th 13th 21st 22nd 103rd 111th"
    )

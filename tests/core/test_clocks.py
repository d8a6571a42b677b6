"""Clocks that count successes before failures; the others are in test_turns."""

from __future__ import annotations

import pytest

from affray.core.heart.state import Clock
from affray.core.language.refusal import Refused
from affray.core.telling.narrate import clock_in_words

CLIMB = 'clock "the climb"'


@pytest.fixture
def race(play):
    """A race that takes three successes before two failures."""
    play("add pc Ann", f"{CLIMB} 3 before 2")
    return play


def stands(play) -> tuple[int, int]:
    clock = play.state.clocks[0]
    return clock.value, clock.failures


def test_successes_and_failures_are_counted_apart(race):
    assert stands(race) == (0, 0)
    race(f"{CLIMB} success", f"{CLIMB} failure", f"{CLIMB} success")
    assert stands(race) == (2, 1)
    assert clock_in_words(race.state.clocks[0]) == "2 of 3 done, 1 of 2 failed"


def test_enough_successes_win_it(race):
    race(f"{CLIMB} failure", f"{CLIMB} success 5")
    assert stands(race) == (3, 1)
    assert race.state.clocks[0].is_won and not race.state.clocks[0].is_lost
    assert clock_in_words(race.state.clocks[0]) == "won"


def test_enough_failures_lose_it(race):
    race(f"{CLIMB} success 2", f"{CLIMB} failure 2")
    assert race.state.clocks[0].is_lost and not race.state.clocks[0].is_won
    assert clock_in_words(race.state.clocks[0]) == "lost"


@pytest.mark.parametrize("end", ["success 3", "failure 2"])
@pytest.mark.parametrize("more", ["success", "failure"])
def test_what_is_over_counts_no_more(race, end, more):
    race(f"{CLIMB} {end}")
    with pytest.raises(Refused, match=r"is (won|lost); `off`"):
        race(f"{CLIMB} {more}")
    race(f"{CLIMB} off")
    assert race.state.clocks == ()


@pytest.mark.parametrize("move", ["tick", "add", "roll"])
def test_a_race_is_no_countdown(race, move):
    with pytest.raises(Refused, match="success, failure or off"):
        race(f"{CLIMB} {move}")


@pytest.mark.parametrize("move", ["success", "failure"])
def test_a_countdown_is_no_race(play, move):
    play("add pc Ann", 'clock "flood" 3')
    with pytest.raises(Refused, match="tick, add, roll or off"):
        play(f'clock "flood" {move}')


@pytest.mark.parametrize("line", ["3 before", "3 before 0", "0 before 3", "3 before many"])
def test_a_race_needs_both_its_numbers(play, line):
    with pytest.raises(Refused):
        play(f"{CLIMB} {line}")


def test_rounds_do_nothing_to_a_race(race):
    race("init ann 3", "start", "next")
    assert stands(race) == (0, 0)


def test_what_is_no_race_is_neither_won_nor_lost():
    for clock in (Clock("flood", 0, 3), Clock("bridge", 4, 4, sides=6)):
        assert not clock.is_won and not clock.is_lost

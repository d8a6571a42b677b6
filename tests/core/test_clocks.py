"""Clocks: races, and pools of dice; countdowns of rounds are in test_turns too."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from affray.core.commands.queries import answer_query
from affray.core.engine.durations import expected_rolls, rolls_expected
from affray.core.engine.events import Rolled
from affray.core.engine.state import Clock
from affray.core.formatting.log_lines import outcome_lines
from affray.core.formatting.pieces import format_clock
from affray.core.formatting.reports import json_report, text_report
from affray.core.parser.errors import Refused

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
    assert format_clock(race.state.clocks[0]) == "2 of 3 done, 1 of 2 failed"


def test_enough_successes_win_it(race):
    race(f"{CLIMB} failure", f"{CLIMB} success 5")
    assert stands(race) == (3, 1)
    assert race.state.clocks[0].is_won and not race.state.clocks[0].is_lost
    assert format_clock(race.state.clocks[0]) == "won"


def test_enough_failures_lose_it(race):
    race(f"{CLIMB} success 2", f"{CLIMB} failure 2")
    assert race.state.clocks[0].is_lost and not race.state.clocks[0].is_won
    assert format_clock(race.state.clocks[0]) == "lost"


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
    with pytest.raises(Refused, match="success, failure, conceal or off"):
        race(f"{CLIMB} {move}")


@pytest.mark.parametrize("move", ["success", "failure"])
def test_a_countdown_is_no_race(play, move):
    play("add pc Ann", 'clock "flood" 3')
    with pytest.raises(Refused, match="tick, add, roll, stop, conceal or off"):
        play(f'clock "flood" {move}')


@pytest.mark.parametrize(
    ("line", "saying"),
    [
        ("3 before", "expected the number of failures"),
        ("3 before 0", "the number of failures that lose it must be from 1 to 99"),
        ("0 before 3", "successes must be from 1 to 99"),
        ("3 before many", "a whole number"),
    ],
)
def test_a_race_needs_both_its_numbers(play, line, saying):
    with pytest.raises(Refused, match=saying):
        play(f"{CLIMB} {line}")


def test_rounds_do_nothing_to_a_race(race):
    race("init ann 3", "start", "next")
    assert stands(race) == (0, 0)


def test_what_is_no_race_is_neither_won_nor_lost():
    for clock in (Clock("flood", 0, 3), Clock("bridge", 4, 4, sides=6)):
        assert not clock.is_won and not clock.is_lost


FLOOD = 'clock "flood"'
SLOW = (6, 9, 11, 12, 13, 14, 15, 15, 16, 17)
MEDIUM = (3, 4, 5, 6, 6, 7, 7, 7, 7, 8)
FAST = (2, 3, 3, 4, 4, 4, 4, 4, 5, 5)


@pytest.fixture
def pool(new_play):
    """Somebody, and a pool of 4d6 of which 5s and 6s leave."""

    def begin(*faces: int):
        begun = new_play(faces)
        begun("add pc Ann", "init ann 3", f"{FLOOD} 4d6 medium")
        return begun

    return begin


def flood(play) -> Clock:
    return play.state.clocks[0]


@pytest.mark.parametrize(("drops", "row"), [(6, SLOW), (5, MEDIUM), (4, FAST)])
def test_how_long_a_pool_lasts_is_as_the_table_of_the_countdowns_has_it(drops, row):
    """Level Up, Countdowns: all thirty cells."""
    assert tuple(rolls_expected(dice, 6, drops) for dice in range(1, 11)) == row


def test_how_long_a_pool_lasts_is_reckoned_beyond_the_table():
    assert rolls_expected(20, 6, 6) == 20  # the mean of the greatest of 20 waits is 20.2
    assert rolls_expected(99, 6, 4) == 8
    assert rolls_expected(2, 4, 4) == 6
    assert rolls_expected(0, 6, 6) == 0
    assert rolls_expected(10**9, 10**6, 10**6) > rolls_expected(99, 6, 6)
    assert expected_rolls(Clock("edited", 3, sides=6, drops=7)) == 0


def test_dice_that_lie_on_the_table_leave_a_pool(pool):
    play = pool()
    play(f"{FLOOD} roll natural 6,2,5,4")
    assert (flood(play).value, flood(play).max) == (2, 4)
    (rolled,) = [e for e in play.history.entries[play.history.head].events if isinstance(e, Rolled)]
    assert rolled.faces == (6, 2, 5, 4) and rolled.by_hand


@pytest.mark.parametrize("lie", ["6", "6,6", "6,2,5,4,1", "7,1,1,1", "0,1,1,1", "a,1,1,1", ""])
def test_a_pool_takes_one_face_for_each_of_its_dice(pool, lie):
    play = pool()
    with pytest.raises(Refused, match="the 4 dice as rolled, 1 to 6 each"):
        play(f"{FLOOD} roll natural {lie}")


def test_a_pool_from_before_the_fight_is_rolled_in_its_first_round(pool):
    """Level Up, ruling 26."""
    play = pool(6, 1, 1, 1, 5, 5, 4)
    play("start")
    assert (play.state.round, flood(play).value) == (1, 3)
    play("next")
    assert (play.state.round, flood(play).value) == (2, 1)


def test_a_countdown_of_rounds_loses_none_as_the_fight_begins(play):
    play("add pc Ann", "init ann 3", f"{FLOOD} 3 rounds", "start")
    assert flood(play).value == 3
    play("next")
    assert flood(play).value == 2


def test_what_is_stopped_is_moved_by_hand_alone(pool):
    play = pool(6, 6)
    play(f"{FLOOD} stop", 'clock "dawn" 3 rounds', 'clock "dawn" stop', "start", "next")
    assert [clock.value for clock in play.state.clocks] == [4, 3]
    assert format_clock(flood(play)) == "4d6 left, stopped"
    play(f"{FLOOD} roll natural 5,1,1,1", f"{FLOOD} tick", f"{FLOOD} go", 'clock "dawn" go')
    play("next")
    assert [clock.value for clock in play.state.clocks] == [0, 2]


def test_what_is_stopped_is_said_in_the_report(pool):
    play = pool()
    assert "stopped" not in json_report(play.history, play.ruleset)["clocks"][0]
    play(f"{FLOOD} stop")
    assert json_report(play.history, play.ruleset)["clocks"][0]["stopped"] is True


def test_only_a_game_with_pools_of_its_own_reports_how_long_they_last(pool):
    play = pool()
    assert "expected" not in json_report(play.history, play.ruleset)["clocks"][0]
    ruleset = replace(play.ruleset, has_countdown_pools=True)
    play(f"{FLOOD} tick")
    assert json_report(play.history, ruleset)["clocks"] == [
        {"name": "flood", "value": 3, "max": 4, "sides": 6, "drops": 5, "expected": 5}
    ]
    play(f"{FLOOD} tick 3")
    assert json_report(play.history, ruleset)["clocks"][0]["expected"] == 0


def test_a_pool_that_has_run_out_is_said_loudly_and_rolled_no_more(pool):
    play = pool(5, 5, 6, 6)
    before = play.state
    play("start")
    told = outcome_lines(play.history.entries[play.history.head].events, before, {})
    assert "FLOOD: RUN OUT" in told
    with pytest.raises(Refused, match="'flood' has run out"):
        play(f"{FLOOD} roll")
    play("next", f"{FLOOD} add", f"{FLOOD} roll natural 1")
    assert flood(play).value == 1


def test_a_pool_never_grows_beyond_what_is_rolled_at_once(pool):
    play = pool()
    with pytest.raises(Refused, match="no more than 99 dice"):
        play(f"{FLOOD} add 96")


def ask(play, line: str):
    return answer_query(play.history, line, play.ruleset, play.dice)


def test_how_long_a_pool_would_last_is_a_question(pool):
    play = pool()
    last = play.history.last
    found = ask(play, "clock expect 4d6")
    assert found.numbers == {"slow": 12, "medium": 6, "fast": 4}
    assert found.lines == ["4d6 lasts this many rolls on average: 12 slow, 6 medium, 4 fast"]
    assert ask(play, "CLOCK Expect 1D6").numbers["slow"] == 6
    assert play.history.last == last
    with pytest.raises(Refused, match="only asks"):
        play("clock expect 4d6")


@pytest.mark.parametrize("line", ["", "four", "0d6", "4d3", "100d6", "4d6 slow", "4"])
def test_what_is_asked_of_a_pool_is_dice_alone(pool, line):
    with pytest.raises(Refused, match=r"usage: clock"):
        ask(pool(), f"clock expect {line}")


def test_a_clock_may_be_called_expect(play):
    play("add pc Ann", 'clock "expect" 3', 'clock "expect" tick')
    assert ask(play, 'clock "expect" tick') is None
    assert play.state.clocks[0].value == 2


# -- races of effort -------------------------------------------------------------------------------

BOG, GATE = 'clock "the bog"', 'clock "the gate"'


def shown(play) -> dict[str, object]:
    """The first clock as `show --json` prints it."""
    clock: dict[str, object] = json_report(play.history, play.ruleset)["clocks"][0]
    return clock


def test_effort_adds_up_to_a_total_and_no_further(play):
    play(f"{BOG} effort 20", 'effort "the bog" 9', 'effort "The Bog" 4')
    assert shown(play) == {"name": "the bog", "value": 13, "max": 20}
    assert format_clock(play.state.clocks[0]) == "13 of 20 done"
    play('effort "the bog" 9')
    assert shown(play) == {"name": "the bog", "value": 20, "max": 20}
    assert format_clock(play.state.clocks[0]) == "done"
    assert not play.state.clocks[0].has_run_out
    with pytest.raises(Refused, match="is done; `off`"):
        play('effort "the bog" 1')


def test_difficult_ground_takes_twice_the_effort(play):
    play(f"{BOG} effort 20 difficult")
    assert shown(play)["max"] == 40


def test_a_group_races_for_half_its_total_for_each_of_the_party_against_as_much(play):
    play("add pc Ann", "add pc Bob", "add pc Cid", "add monster Rat", "add pc Foe hp 3")
    play("set foe side foes", f"{GATE} effort 5 group difficult", 'effort "the gate" 6')
    play('effort "the gate" 2 fail', f"{GATE} failure 3", f"{GATE} success")
    assert shown(play) == {"name": "the gate", "value": 7, "max": 15, "against": 5}
    assert format_clock(play.state.clocks[0]) == "7 of 15 done, 5 failed"
    play('effort "the gate" 99 fail')
    assert shown(play)["against"] == 15
    assert format_clock(play.state.clocks[0]) == "lost"
    assert play.state.clocks[0].has_run_out


def test_the_half_of_a_group_is_rounded_up(play):
    play("add pc Ann", "add pc Bob", "add pc Cid", f"{GATE} effort 5 group")
    assert shown(play)["max"] == 8


def test_a_group_takes_somebody_in_the_party(play):
    play("add monster Rat")
    with pytest.raises(Refused, match="there is none"):
        play(f"{GATE} effort 20 group")


def test_nothing_counts_against_who_works_alone(play):
    play(f"{BOG} effort 20")
    with pytest.raises(Refused, match="not a group race"):
        play('effort "the bog" 3 fail')


def test_effort_can_be_rolled(new_play):
    play = new_play((3, 4))
    play("add pc Ann", f"{BOG} effort 20", 'effort "the bog" 2d4')
    assert shown(play)["value"] == 7


def test_effort_goes_toward_races_of_effort_alone(race):
    with pytest.raises(Refused, match=r'there is no race of effort: `clock "NAME" effort TOTAL`'):
        race('effort "the climb" 3')


@pytest.mark.parametrize(
    ("line", "saying"),
    [
        ("effort", "expected the effort it needs"),
        ("effort 0", "must be from 1 to 9999"),
        ("effort much", "a whole number"),
        ("effort 20 alone", "did not expect 'alone'"),
    ],
)
def test_a_race_of_effort_needs_its_total(play, line, saying):
    with pytest.raises(Refused, match=saying):
        play(f"{BOG} {line}")


def test_effort_is_told_beside_what_stands_against_it(play):
    play("add pc Ann", "add pc Bob", f"{GATE} effort 20 group", 'effort "the gate" 3 fail')
    lines = text_report(json_report(play.history, play.ruleset), play.ruleset)
    assert "clock: the gate 0/20 effort, 3/20 against it" in lines

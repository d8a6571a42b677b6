"""Who waits for a wave, and joins when it comes; what is read to the players."""

from __future__ import annotations

import pytest
from tests.core.conftest import BARE

from affray.core.engine.decide import complete
from affray.core.engine.events import NoteAdded
from affray.core.formatting.reports import json_report, text_report
from affray.core.parser.errors import Refused


def names(play) -> list[str]:
    return [c.name for c in play.state.in_order()]


def test_who_waits_for_a_wave_is_not_here_and_takes_no_turn(fight):
    fight("add monster Rat x3 hidden wave 2")
    assert names(fight) == ["Ann", "Bob", "Cat", "Dan"]
    assert fight.state.waves == {2: ("monster Rat x3 hidden",)}
    assert fight.round() == ["ann", "bob", "cat", "dan"]


def test_a_wave_joins_with_its_initiative_and_as_it_was_said(new_play):
    play = new_play((15, 4, 4, 12))
    play("add pc Ann", "add monster Cat", "init ann 20", "start")
    play(
        'add monster "Big Rat" x2 hidden wave 2', "add monster Owl wave 2", "add monster Elk wave 3"
    )
    play("wave")
    assert names(play) == ["Ann", "Cat", "Owl", "Big Rat 1", "Big Rat 2"]
    assert [c.hidden for c in play.state.in_order()] == [False, False, False, True, True]
    assert play.state.waves == {3: ("monster Elk",)}


def test_a_wave_is_called_by_its_number_out_of_turn(play):
    play("add monster Rat wave 2", "add monster Owl wave 5", "wave 5")
    assert names(play) == ["Owl"]
    assert list(play.state.waves) == [2]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("wave", "no wave is waiting"),
        ("add monster Rat wave", "wave number"),
        ("add monster Rat wave 0", "wave number"),
        ("add monster Rat wave 100", "wave number"),
        ("add monster Rat wave 0500", "wave number"),
        ("add monster wave 2", "expected a name"),
        ("add rat wave 2", "neither pc, monster, hazard"),
    ],
)
def test_what_could_not_be_done_now_is_refused_now(play, line, answer):
    with pytest.raises(Refused, match=answer):
        play(line)


def test_a_wave_for_which_nobody_waits_is_refused_with_those_that_do(play):
    play("add monster Rat wave 2", "add monster Rat wave 4")
    with pytest.raises(Refused, match="wave 3 is empty; waiting: 2 and 4"):
        play("wave 3")


def test_waves_are_told_and_only_where_there_are_some(play):
    play("add monster Rat")
    assert "waves" not in json_report(play.history, BARE)
    play("add monster Rat x2 wave 2")
    shown = json_report(play.history, BARE)
    assert shown["waves"] == {"2": ["monster Rat x2"]}
    assert "wave 2: monster Rat x2" in text_report(shown, BARE)


def test_planning_rolls_none_of_the_dice(play):
    play(
        "add pc Ann", "init ann 20", "start", "add monster Rat x3 wave 2"
    )  # no face is left to fall
    assert not play.history.entries[play.history.last].events[0].adds.endswith("wave 2")


def test_wave_is_offered_behind_the_numbers(play):
    assert "wave" in complete(play.state, "add monster Rat hp 4 w", BARE)


def test_a_text_to_be_read_aloud_is_kept_in_the_log(play):
    play('read aloud "The bell tolls: once."')
    assert play.history.entries[1].events == (NoteAdded("The bell tolls: once.", read_aloud=True),)
    with pytest.raises(Refused, match="expected the text"):
        play("read-aloud")

"""The turn's timer: what is left of a turn, by the times in the log and never by a real clock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace

from affray import Fight
from affray.core.formatting.players_view import players_view
from affray.core.formatting.turn_timer import TurnTimer, rings, timer_of, timer_seconds
from affray.core.parser.errors import Refused

BEGIN = datetime(2026, 11, 20, 19, tzinfo=UTC)


class Table:
    """A fight at a table whose clock goes on by ten seconds before each command."""

    def __init__(self, *lines: str) -> None:
        self.now = BEGIN
        self.fight = Fight("orcus", seed=1)
        self.fight.read_time = lambda: self.now
        self.fight.do("add pc Mira hp 30", "add monster Ghoul hp 20", "add monster Imp hp 9 hidden")
        self.fight.do("init mira 20", "init ghoul 15", "init imp 10", *lines)

    def do(self, *lines: str) -> None:
        for line in lines:
            self.now += timedelta(seconds=10)
            self.fight.do(line)

    def left(self) -> int | None:
        timer = timer_of(self.fight.history)
        return None if timer is None else timer.left(self.now)

    def left_for_players(self) -> int | None:
        timer = players_view(self.fight.history, self.fight.ruleset).timer
        return None if timer is None else timer.left(self.now)


@pytest.fixture
def table() -> Table:
    return Table("setting turn-timer 90")


def test_a_turn_is_counted_from_its_start_whatever_is_done_in_it(table: Table) -> None:
    assert table.left() is None  # nobody is up
    table.do("start")
    assert table.left() == 90
    table.do("damage ghoul 1", "damage ghoul 1")
    assert table.left() == table.left_for_players() == 70
    table.do("next")
    assert table.left() == 90


def test_nothing_happens_at_0(table: Table) -> None:
    table.do("start")
    before = table.fight.state
    table.now += timedelta(days=8)
    assert table.left() == table.left_for_players() == 0
    assert table.fight.state is before


def test_an_undone_turn_is_the_one_before(table: Table) -> None:
    table.do("start", "damage ghoul 1", "next", "undo")
    assert table.left() == 60  # of Mira's, which began with `start`
    table.do("redo")
    assert table.left() == 70  # of the ghoul's, which began with `next`


def test_a_clock_that_was_put_back_leaves_a_whole_turn() -> None:
    timer = TurnTimer(90, BEGIN)
    assert timer.left(BEGIN - timedelta(hours=1)) == 90
    assert timer.left(BEGIN + timedelta(seconds=89.5)) == 1
    assert timer.left(BEGIN + timedelta(seconds=90)) == 0


def test_a_time_written_by_hand_without_a_zone_is_in_utc(table: Table) -> None:
    table.do("start")
    history = table.fight.history
    last = history.entries[history.head]
    assert last.at is not None
    history.entries[history.head] = replace(last, at=last.at.replace(tzinfo=None))
    assert table.left() == 90


def test_without_times_in_the_log_there_is_no_timer(table: Table) -> None:
    table.do("start")
    history = table.fight.history
    history.entries[history.head] = replace(history.entries[history.head], at=None)
    assert table.left() is None


def test_without_the_setting_there_is_no_timer() -> None:
    table = Table()
    table.do("start")
    assert table.left() is table.left_for_players() is None
    table.do("setting turn-timer 5", "setting turn-timer off")
    assert table.left() is None


def test_the_turn_of_somebody_hidden_is_the_turn_before_to_the_players(table: Table) -> None:
    table.do("start", "next", "damage mira 1", "next")
    assert table.fight.state.turn == "imp"
    assert (table.left(), table.left_for_players()) == (90, 70)
    table.do("next")
    assert (table.left(), table.left_for_players()) == (90, 90)


def test_a_turn_that_somebody_hidden_interrupts_goes_on_for_the_players() -> None:
    table = Table("setting turn-timer 90", "init imp 30")
    table.do("start", "delay by imp", "damage ghoul 1")
    assert table.left_for_players() == 80
    table.do("return imp")
    assert table.fight.state.turn == "imp"
    table.do("next")
    assert table.fight.state.turn == "mira"
    assert table.left_for_players() == 60


@pytest.mark.parametrize(
    ("word", "why"),
    [
        *((word, "must be from 5 to 3600") for word in ("4", "3601", "-90")),
        *((word, "expected a value for turn-timer") for word in ("soon", "9999999", "1e3")),
    ],
)
def test_a_timer_is_of_5_seconds_to_an_hour(table: Table, word: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        table.fight.do(f"setting turn-timer {word}")


@pytest.mark.parametrize("word", ["", "4", "3601", "-90", "soon", "9" * 5000, "1e3", "٩٠", "²"])
def test_a_value_written_by_hand_that_is_no_timer_is_none(table: Table, word: str) -> None:
    assert timer_seconds(replace(table.fight.state, settings={"turn-timer": word})) == 0


def test_the_bell_is_off_until_it_is_set(table: Table) -> None:
    assert not rings(table.fight.state)
    table.do("setting bell on")
    assert rings(table.fight.state)
    table.do("setting bell off")
    assert not rings(table.fight.state)

"""A group on the screen: its one turn, and who of it the keys act for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.tui.seen import panes_of

from affray.core.engine.turns import upcoming_turns
from affray.store.open_encounter import OpenEncounter
from affray.tui.widgets.header_footer import Header
from affray.tui.widgets.prompt import PromptWidget
from affray.tui.widgets.timers import TimersPane
from affray.tui.widgets.turn_order import TurnOrderList
from affray.tui.widgets.turn_summary import TurnSummaryPane

FIGHT = """
add pc Brannoc hp 30 ac 4 power 2 cunning 1 focus 0 luck 1 pb 2
add monster Ghoul x3 cr 2 hp 18 ac 2 attack claw 1d6+2 slashing group
add pc Mira hp 24 ac 2 power 0 cunning 3 focus 2 luck 2 pb 1
init brannoc 17
init ghoul 10
init mira 5
start
"""
Play = Callable[..., Any]


@pytest.fixture
def play(opened: Play) -> Play:
    """Opens the fight: Brannoc (1), the ghouls (2 to 4) as a group, Mira (5); Brannoc is up."""
    return lambda more="", size=(120, 40): opened(FIGHT + more, size)


async def test_space_goes_to_the_group_once_and_ends_its_turn_for_all(play: Play) -> None:
    async with play() as game:
        await game.type(" ")
        assert game.encounter.state.taking_turn() == ("ghoul-1", "ghoul-2", "ghoul-3")
        assert game.screen.cursor == "ghoul-1"
        await game.type(" ")
        assert game.encounter.state.turn == "mira"


async def test_the_keys_act_for_the_member_under_the_cursor_which_stays_there(play: Play) -> None:
    async with play("next") as game:
        await game.type("s1↵")
        assert game.last == "strike brannoc roll"
        await game.type("jjs↵")
        assert game.last == "strike brannoc roll by ghoul-3"
        assert game.screen.cursor == "ghoul-3", "that was no reaction: it goes on"
        await game.type("d")
        assert game.last == "dodge by ghoul-3"
        assert [game.who(f"ghoul-{n}").track("ap") for n in (1, 2, 3)] == [2, 3, 0]


async def test_a_long_group_that_is_up_tells_what_is_left_of_those_who_have_acted(
    play: Play,
) -> None:
    rats = "add monster Rat x6 hp 4 group\ninit rat 12\nnext"
    async with play(rats, size=(160, 48)) as game:

        def group() -> str:
            rows = (str(game.screen.query_one(TurnOrderList).render_line(y).text) for y in range(9))
            return next(row for row in rows if "RAT ×6" in row)

        assert group().count("4/4") == 6 and "●" not in group()
        await game.type("s1m")
        assert group().count("4/4") == 6 and group().count("●●○ 4/4") == 1


@pytest.mark.parametrize("size", [(100, 30), (120, 40), (160, 48)])
async def test_members_that_have_no_room_in_the_row_stand_below_it(
    play: Play, size: tuple[int, int]
) -> None:
    rats = "add monster Rat x12 hp 4 group\ninflict rat-3 prone\ndamage rat-11 1\nnext"
    async with play(rats, size) as game:
        order = panes_of(game.screen)["initiative"]
        at = next(y for y, row in enumerate(order.rows) if "Rat ×12" in row)
        told = " ".join(order.rows[at:])
        assert told.count("4/4") == 11 and "16 3/4" in told and "8 prone" in told
        assert "…" not in told


async def test_in_a_crowd_members_without_room_are_counted(play: Play) -> None:
    crowd = "add monster Hound x40 hp 9\nadd monster Rat x12 hp 4 group\ninit rat 16"
    async with play(crowd, (80, 24)) as game:
        order = panes_of(game.screen)["initiative"]
        row = next(row for row in order.rows if "rat ×12" in row.casefold())
        assert row.count("4/4") + int(row.rpartition("…")[2].removesuffix(" more ")) == 12


async def test_each_number_of_a_member_has_the_sign_of_the_numbers(play: Play) -> None:
    """`4 ✗ 5 7/9` was read as four of something; the head of the order has `#` above numbers."""
    fight = "inflict ghoul-2 prone\nset ghoul-3 hp 0"
    async with play(fight, (120, 40)) as game:
        panes = panes_of(game.screen)
        at = next(y for y, row in enumerate(panes["initiative"].rows) if "Ghoul ×2" in row)
        row, below = panes["initiative"].rows[at : at + 2]
        assert row.split()[5:] == ["2", "#2", "18/18", "#3", "18/18", "#4", "✗"]
        assert below.split() == ["#3", "prone", "until", "it", "stands"]
        assert panes["tracks"].rows[at].split() == ["#2", "0/5", "0/5"]


async def test_what_a_members_turn_leaves_undone_is_asked_before_it_ends(play: Play) -> None:
    knights = "add monster Knight x2 important cr 1 hp 9 group\ninit knight 7\n"
    async with play(f"{knights}damage knight-2 9\nnext\nnext") as game:
        await game.type(" ")
        asked = "".join(game.row(PromptWidget, y) for y in range(game.line.size.height))
        assert "Knight 2 is dying: luck roll" in asked
        assert game.encounter.state.turn == "knight-1"
        await game.type("w ")
        assert game.encounter.state.turn == "mira"


async def test_the_turns_edge_tells_what_a_start_has_set_off_for_a_member(play: Play) -> None:
    async with play("inflict ghoul-2 doomed\nnext") as game:
        timers = game.screen.query_one(TimersPane)
        shown = "\n".join(line.text for line in timers.head)
        assert "Ghoul 2 +1 Fatigue" in shown


async def test_the_header_tells_of_the_group_as_one(play: Play) -> None:
    async with play() as game:
        assert "Round 1 · 1 of 3" in game.row(Header) and "next Ghoul ×3, then Mira" in game.row(
            Header
        )
        await game.type(" ")
        assert "Round 1 · 2 of 3" in game.row(Header)
        assert "▶ GHOUL ×3 " in game.row(Header) and "next Mira" in game.row(Header)


async def test_what_a_turn_went_on_is_that_of_the_member_the_keys_act_for(play: Play) -> None:
    async with play("next") as game:
        pane = game.screen.query_one(TurnSummaryPane)

        def shown() -> str:
            rows = (pane.render_line(y) for y in range(pane.size.height))
            return "\n".join(row.text for row in rows)

        await game.type("jd")
        assert "Dodge" in shown()
        await game.type("k")
        assert "Dodge" not in shown() and "3 AP left" in shown()


def test_who_comes_next_is_told_by_rows(played: Callable[..., OpenEncounter]) -> None:
    state = played(f"{FIGHT}damage ghoul-1 40").state
    assert upcoming_turns(state, 9) == ("ghoul-2", "mira")
    state = played(f"{FIGHT}next").state
    assert upcoming_turns(state, 9) == ("mira", "brannoc")
    state = played(f"{FIGHT}next\nnext\nleave ghoul-1").state
    assert upcoming_turns(state, 9) == ("brannoc", "ghoul-2")
    assert upcoming_turns(state, 1) == ("brannoc",)


async def test_when_a_member_has_nothing_left_the_keys_act_for_the_next_that_has(
    play: Play,
) -> None:
    async with play("next") as game:
        await game.type("s1↵")
        assert game.screen.cursor == "ghoul-1"  # 2 AP left
        await game.type("s↵")
        assert game.who("ghoul-1").track("ap") == 0
        assert game.screen.cursor == "ghoul-2"
        await game.type("s↵s↵s↵s↵")
        assert {game.who(f"ghoul-{n}").track("ap") for n in (1, 2, 3)} == {0}

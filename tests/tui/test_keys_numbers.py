"""Digits on the main screen put the cursor on whoever has the number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from affray.store.open_encounter import OpenEncounter
from affray.tui.prompts.combatant_fields import append_digit, may_grow
from affray.tui.widgets.prompt import PromptWidget

TWELVE = """
add pc Mira hp 24 ac 2
add pc Brannoc hp 30 ac 4
add monster Rat x10 cr 0 hp 2 ac 0
init mira 30
init brannoc 29
start
"""
Play = Callable[..., Any]


@pytest.fixture
def play(played: Callable[..., OpenEncounter], game_of: Callable[..., Any]) -> Play:
    """Opens the fight: Mira (1) is up, then Brannoc (2), then ten rats (3 to 12)."""

    def open_(more: str = "") -> Any:
        return game_of(played(TWELVE + more))

    return open_


def cursor(game: Any) -> int:
    """The number of the one under the cursor."""
    numbers = game.encounter.state.by_number()
    return next(n for n, c in numbers.items() if c.id == game.screen.cursor)


@pytest.mark.parametrize(
    ("keys", "number"),
    [
        ("3", 3),
        ("12", 12),
        ("1", 1),
        ("15", 5),  # there is no 15
        ("123", 3),
        ("30", 1),  # no 30: back to whoever is up
        ("10", 10),
        ("70", 1),
        ("1j2", 2),  # another key ends the number
        ("3j", 4),
        ("0", 1),
    ],
)
async def test_a_digit_moves_the_cursor_at_once_and_another_makes_it_longer(
    play: Play, keys: str, number: int
) -> None:
    async with play() as game:
        await game.type(keys)
        assert cursor(game) == number


async def test_the_cursor_is_there_before_the_number_is_whole(play: Play) -> None:
    async with play("next\n") as game:
        assert cursor(game) == 2
        await game.type("1")
        assert cursor(game) == 1
        await game.type("1")
        assert cursor(game) == 11


async def test_nought_goes_back_to_whoever_is_up(play: Play) -> None:
    async with play("next\n") as game:
        await game.type("50")
        assert game.screen.cursor == game.encounter.state.turn == "brannoc"


async def test_a_number_that_nobody_has_any_more_is_told(play: Play) -> None:
    async with play("leave 4\n") as game:
        await game.type("4")
        assert game.said == "4 is no longer anybody's number"
        await game.type("5")
        assert cursor(game) == 5


async def test_keys_act_for_whom_the_number_has_been_typed(play: Play) -> None:
    async with play() as game:
        await game.type("2f↵2↵")
        assert game.who("brannoc").track("fatigue") == 2
        await game.type("s")
        assert "it is Mira's turn" in game.line.prompt.barred
        await game.type("0s3m")
        assert game.encounter.history.undo_title.startswith("Mira strikes")


async def test_while_something_is_looked_at_the_cursor_moves_there(play: Play) -> None:
    async with play("next\n") as game:
        await game.type(",")
        assert game.screen.view_at is not None
        await game.type("4")
        assert cursor(game) == 4
        await game.type("0")
        assert game.screen.cursor == "mira"


def test_digits_grow_only_into_numbers_that_somebody_has() -> None:
    numbers = (1, 3, 12)
    assert append_digit("", "1", numbers) == "1"
    assert append_digit("1", "2", numbers) == "12"
    assert append_digit("1", "3", numbers) == "3"
    assert append_digit("1", "5", numbers) == ""
    assert may_grow("1", numbers) and not may_grow("12", numbers) and not may_grow("3", numbers)
    assert append_digit("", "1", (12,)) == "1"


@pytest.mark.parametrize("key", ["s", "-", "c"])
async def test_a_number_that_nobody_has_leaves_nobody_on_offer(
    fight: OpenEncounter, game_of: Play, key: str
) -> None:
    """Enter would else do it to somebody who wasn't meant; backspace brings the offer back."""
    entries = len(fight.history.path)
    async with game_of(fight) as game:
        await game.type(key)
        offered = game.line.prompt.field.pick
        assert offered
        await game.type("9")
        assert "9 is not a number in the order: use 1 to 4" in game.row(PromptWidget, 1)
        assert not game.line.prompt.field.pick
        await game.type("↵↵")
        assert len(fight.history.path) == entries
        await game.type("<backspace>")
        assert game.line.prompt.field.pick == offered

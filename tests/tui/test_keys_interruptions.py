"""What comes between: a reaction, a refusal, a look back, a word that was begun."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace
from tests.tui.ghouls import FIGHT

from affray.core.engine.events import Rolled
from affray.tui.widgets.log import LogPane
from affray.tui.widgets.prompt import PromptWidget

Play = Callable[..., Any]


@pytest.fixture
def play(opened: Play) -> Play:
    """Opens the fight: Brannoc (1), Mira (2), Ghoul 1 (3), Ghoul 2 (4); Brannoc is up."""
    return lambda more="", size=(120, 40): opened(FIGHT + more, size)


# -- a reaction ------------------------------------------------------------------------------------


async def test_after_a_reaction_the_cursor_is_back_at_whoever_is_up(play: Play) -> None:
    async with play("next\nnext") as game:
        await game.type("k")
        assert game.screen.cursor == "mira"
        await game.type("o3s6↵")
        assert game.screen.cursor == game.encounter.state.turn == "ghoul-1"
        await game.type("s↵")
        assert game.last == "strike brannoc roll"


async def test_a_reaction_that_is_refused_leaves_the_cursor_where_it_is(play: Play) -> None:
    async with play("next\nnext\nset mira reaction 0") as game:
        await game.type("ko⎋")
        assert game.screen.cursor == "mira"


@pytest.mark.parametrize("typed", ["o", "o3", "l"])
async def test_a_reaction_that_is_left_puts_the_cursor_back_as_one_that_is_done(
    play: Play, typed: str
) -> None:
    async with play("next\nnext") as game:
        await game.type(f"2{typed}⎋")
        assert game.screen.cursor == game.encounter.state.turn == "ghoul-1"


async def test_who_retaliates_is_offered_as_whom_the_last_blow_was_at(play: Play) -> None:
    async with play("next\nnext\nstrike mira weak 6\nnote a cry\n") as game:
        await game.type("l")
        assert "Retaliate › Mira" in game.row(PromptWidget)
        await game.type("↵")
        assert game.last == "react retaliate ghoul-1 by mira"


async def test_nobody_is_offered_for_a_blow_of_their_own_side(play: Play) -> None:
    async with play("strike ghoul-2 weak 6\nnext\nnext\n") as game:
        await game.type("l")
        assert "Retaliate › Brannoc" in game.row(PromptWidget)


# -- a refusal -------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["j", "u", "w", "?", ":", "/", "-"])
async def test_the_key_after_a_refusal_works_as_a_key(play: Play, key: str) -> None:
    async with play("note one\nset brannoc ap 0") as game:
        await game.type(key)
        done = _looks(game)
    async with play("note one\nset brannoc ap 0") as game:
        await game.type("s")
        assert "0 AP left" in game.row(PromptWidget)
        await game.type(key)
        assert _looks(game) == done


def _looks(game: Any) -> tuple[object, ...]:
    """What a key has done: the screen above, the cursor, what is asked, the last command."""
    screen = game.pilot.app.screen_stack[-1]
    line = game.pilot.app.screen_stack[1].query_one(PromptWidget)
    asked = line.prompt.spec.id if line.prompt else line.bar is not None
    return type(screen), game.pilot.app.screen_stack[1].view.cursor, asked, game.last


async def test_a_strike_that_is_typed_blindly_does_nothing(play: Play) -> None:
    async with play("set brannoc ap 0") as game:
        await game.type("s3m↵")
        assert (game.last, game.screen.cursor) == ("set brannoc ap 0", "brannoc")
        assert "Strike: 0 AP left" in game.row(PromptWidget)  # for whoever looks up then


# -- tab -------------------------------------------------------------------------------------------


async def test_tab_in_a_last_slot_writes_nothing(play: Play) -> None:
    async with play() as game:
        await game.type("s3s8⇥⇥⇥⇥")
        assert game.line.prompt.line == "strike ghoul-1 strong 8"
        assert "nothing is missing: enter does it" in game.row(PromptWidget, 1)


async def test_more_is_a_list_of_what_the_command_takes_next(play: Play) -> None:
    async with play() as game:
        await game.type("s3s8⇥co")
        row = game.row(PromptWidget)
        assert "cold" in row and "cover" in row
        await game.type("v")
        assert game.line.prompt.line == "strike ghoul-1 strong 8 cover"
        await game.type("⇥plus⇥")
        assert game.line.prompt.line == "strike ghoul-1 strong 8 cover plus"
        await game.type("↵")
        assert "plus" not in game.last and "a number" in game.row(PromptWidget, 1)
        await game.type("2↵")
        assert game.last == "strike ghoul-1 strong 8 cover plus 2"


async def test_what_was_picked_from_more_can_be_taken_back(play: Play) -> None:
    async with play() as game:
        await game.type("s3s8⇥plus⇥2")
        assert game.line.prompt.line == "strike ghoul-1 strong 8 plus 2"
        await game.type("<backspace>" * 6)
        await game.type("cover↵")
        assert game.last == "strike ghoul-1 strong 8 cover"
        assert game.last == "strike ghoul-1 strong 8 cover"


# -- looking back in the log -----------------------------------------------------------------------

LONG = "\n".join(f"note {number}" for number in range(60))


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
@pytest.mark.parametrize("keys", ["[", "[[[", "[↵", "[[[[↵", "[↵[[[[[[", "[[[[↵]]"])
async def test_one_esc_has_the_log_follow_again(
    play: Play, keys: str, size: tuple[int, int]
) -> None:
    async with play(LONG, size) as game:
        await game.type(keys)
        log = game.screen.query_one(LogPane)
        assert log.stays and "esc: the newest" in log.aside
        await game.type("⎋")
        assert not log.stays and log.aside == ""
        assert game.screen.view_at is None
        await game.type(":note the newest↵")
        assert "the newest" in _foot(log)


async def test_esc_has_a_log_that_was_scrolled_follow_again(play: Play) -> None:
    async with play(LONG) as game:
        await game.type("⇥" * 4)
        while game.screen.chosen != "log":
            await game.type("⇥")
        await game.type("<pageup>")
        log = game.screen.query_one(LogPane)
        assert log.stays and "an earlier part" in log.aside
        await game.type("⎋")
        assert not log.stays and "Note: 59" in _foot(log)


def _foot(log: LogPane) -> str:
    return log.render_line(log.room.height - 1).text


# -- previews --------------------------------------------------------------------------------------


async def test_bent_luck_shows_what_it_comes_to_and_rolls_nothing(play: Play) -> None:
    async with play("strike ghoul-1 natural 12 8") as game:
        await game.type("T1 b")
        shown = game.row(PromptWidget, 1)
        assert "rolls" not in shown
        assert "17" in shown and "1 Thr" in shown


async def test_dice_that_bent_luck_has_yet_to_roll_are_named(play: Play) -> None:
    dull = "add pc Ash hp 20 luck -3 pb 2 threads 2\nnext\nnext\nstrike ash natural 7"
    async with play(dull) as game:  # a miss, which 3 more make a hit
        assert game.encounter.state.turn == "ghoul-1"
        await game.type(":thread ash bend-luck")
        assert "rolls 1d6+2 · 1 Thr" in game.row(PromptWidget, 1)


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("undo", "→ undoes: Note: c"),
        ("undo 3", "→ undoes 3: Note: c; Note: b; Note: a"),
        ("undo 101", "✗ only 11 entries can be undone, not 101"),
        ("goto 9", "→ back to entry 9: Note: a · undoes 2: Note: c; Note: b"),
        ("goto 90", "✗ no entry 90: the log goes from 0 to 11"),
        ("goto", "expected the entry"),
        ("redo", "✗ nothing to redo"),
    ],
)
async def test_a_move_through_the_log_is_told_before_it_is_made(
    play: Play, typed: str, shown: str
) -> None:
    async with play("note a\nnote b\nnote c") as game:
        await game.type(f":{typed}")
        assert shown in game.row(PromptWidget, 1)
        assert game.encounter.history.head == game.encounter.history.last


async def test_a_way_on_is_told_before_it_is_gone(play: Play) -> None:
    async with play("note a\nnote b\nnote c\nundo 2") as game:
        await game.type(":goto 11")
        shown = "on to entry 11: Note: c · redoes 2: Note: b; Note: c"
        assert shown in game.row(PromptWidget, 1)
        await game.type("⎋N10")
        assert "on to entry 10: Note: b · redoes: Note: b" in game.row(PromptWidget, 1)


# -- what a spell costs ----------------------------------------------------------------------------


@pytest.mark.parametrize("keys", ["Cfireball ap 3↵", "Cfireball ap 3⇥⇥", "Cfireball⇥⇥"])
async def test_a_spells_price_is_shown_before_it_is_cast(play: Play, keys: str) -> None:
    async with play() as game:
        await game.type(keys)
        assert f"{3 if 'ap' in keys else 1} AP" in game.row(PromptWidget, 1)
        await game.type("↵")
        assert game.last == ('cast "fireball" ap 3' if "ap" in keys else 'cast "fireball"')


async def test_a_roll_that_was_edited_to_no_dice_is_no_fault_of_the_preview(play: Play) -> None:
    async with play("strike ghoul-1 natural 12 8") as game:
        history = game.encounter.history
        entry = history.entries[history.last]
        events = tuple(
            replace(event, dice="a handful") if isinstance(event, Rolled) else event
            for event in entry.events
        )
        history.entries[history.last] = replace(entry, events=events)
        await game.type(":thread brannoc bend-luck")
        assert "17" in game.row(PromptWidget, 1) and "rolls" not in game.row(PromptWidget, 1)

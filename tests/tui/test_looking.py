"""Looking: at earlier entries, without leave to write, in small windows, at creatures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from affray.core.engine.state import Effect
from affray.core.formatting.effects import effect_with_amounts
from affray.core.parser.errors import Refused
from affray.store.open_encounter import OpenEncounter
from affray.tui.prompts.context import PromptContext
from affray.tui.widgets.header_footer import TooSmall
from affray.tui.widgets.prompt import PromptWidget


async def test_going_to_an_entry_shows_it_first(
    fight: OpenEncounter, game_of: Callable[..., Any]
) -> None:
    fight.do("damage mira 5")
    entries = len(fight.history.entries)
    async with game_of(fight) as game:
        await game.type("N7↵")
        assert game.screen.view_at == 7
        assert len(fight.history.entries) == entries
        assert "enter continues from here" in game.said
        await game.type("⎋N7↵↵")
        assert game.screen.view_at is None
        assert fight.history.head == 7
        await game.type("N99↵")
        assert "no entry 99" in game.said


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (60, 16)])
async def test_the_entry_that_is_chosen_in_the_log_is_named_with_what_can_be_done(
    fight: OpenEncounter, game_of: Callable[..., Any], size: tuple[int, int]
) -> None:
    """Where the log has one row, too, and right behind an undo."""
    for line in ("damage mira 5", "damage mira 4", "undo"):
        fight.do(line)
    async with game_of(fight, size) as game:
        await game.type("[")
        assert game.said.startswith("entry 9 is selected: Mira takes 5 · ")
        assert "shows the fight there · ctrl+e amends it · esc deselects it" in game.said
        await game.type("[")
        assert game.said.startswith("entry 8 is selected: ")
        await game.type("]]")
        assert game.said == ""  # behind the newest there is none
        await game.type("[⎋")
        assert game.said == ""


async def test_nothing_is_said_of_undo_where_its_key_is_none(
    fight: OpenEncounter, game_of: Callable[..., Any]
) -> None:
    fight.do("damage mira 5")
    async with game_of(fight) as game:
        assert "u undoes" in game.row(PromptWidget, 1)
        for opens in ("ctrl+l", "ctrl+u", "slash", "comma"):
            await game.pilot.press(opens)
            await game.pilot.pause()
            assert "takes back" not in game.row(PromptWidget) + game.row(PromptWidget, 1)
            await game.type("⎋")
        assert "u undoes" in game.row(PromptWidget, 1)


async def test_read_only_is_said_first_and_a_key_says_why(
    fight: OpenEncounter, tmp_path: Path, game_of: Callable[..., Any]
) -> None:
    path = fight.path
    looked = OpenEncounter.open_or_view(path)
    assert looked.read_only
    async with game_of(looked, (80, 24)) as game:
        from affray.tui.widgets.header_footer import Header

        assert game.row(Header).strip().startswith("READ-ONLY  Ambush")
        await game.type("s")
        assert looked.read_only[:20] in game.row(PromptWidget)
        await game.type("⎋ ")
        assert looked.read_only in game.said and not game.line.is_open
    looked.close()


async def test_a_window_that_is_too_small_says_so(
    fight: OpenEncounter, game_of: Callable[..., Any]
) -> None:
    async with game_of(fight, (40, 10)) as game:
        told = " ".join(game.row(TooSmall, y).strip() for y in range(3))
        assert "affray needs at least 60x16; this window is 40x10" in told
        entries = len(fight.history.entries)
        await game.type(" ")
        assert len(fight.history.entries) == entries
        await game.pilot.resize_terminal(80, 24)
        await game.type(" ")
        assert len(fight.history.entries) == entries + 1


async def test_the_card_tells_what_a_monster_is(
    fight: OpenEncounter, game_of: Callable[..., Any]
) -> None:
    async with game_of(fight, (200, 60)) as game:
        game.screen.put_cursor("ghoul-1")
        await game.pilot.pause()
        card = game.screen.query_one("#second")
        told = " ".join(str(card.render_line(y).text) for y in range(card.size.height))
        for words in ("Attacks claw 1d6+2 slashing", "CR 2", "Resist fire, cold"):
            assert words in told
        game.screen.put_cursor("brannoc")
        await game.pilot.pause()
        card = game.screen.query_one("#card")
        told = " ".join(str(card.render_line(y).text) for y in range(card.size.height))
        assert "Power +2" in told and "PB +2" in told


def test_a_forward_tells_how_much(fight: OpenEncounter) -> None:
    fight.do('forward mira +2 "next check"')
    fight.do("inflict mira weakened")
    forward, weakened = fight.state["mira"].effects
    assert effect_with_amounts(forward) == "forward +2"
    assert effect_with_amounts(weakened) == "weakened"
    bare = Effect("ongoing", "ongoing", "ongoing", forward.until, "", {"ac": -1})
    assert effect_with_amounts(bare) == "ongoing −1 ac"


def test_clearing_what_is_not_there_says_so(fight: OpenEncounter) -> None:
    with pytest.raises(Refused, match="Mira has no fatigue to clear"):
        fight.do("clear mira fatigue 2")


def test_the_likely_target_is_an_opponent_before_a_bystander_and_up_before_down(
    played: Callable[..., OpenEncounter],
) -> None:
    fight = played(
        "add pc Ann hp 9\nadd pc Bea hp 9\nadd monster Cow side others hp 9\n"
        "add monster Wolf hp 9 attack bite 1d4\ninit ann 9\ninit cow 8\ninit bea 7\ninit wolf 6\n"
        "start\ndamage ann 9"
    )
    assert PromptContext(fight.state, fight.ruleset, "bea", "bea").likely("target") == "wolf"
    fight.do("next")
    fight.do("next")
    assert fight.state.turn == "bea"
    fight.do("next")
    assert PromptContext(fight.state, fight.ruleset, "wolf", "wolf").likely("target") == "bea"

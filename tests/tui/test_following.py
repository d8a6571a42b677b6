"""A second screen shows what the first saves, and says so when it can't."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from affray.store.open_encounter import OpenEncounter
from affray.tui.app import AffrayApp
from affray.tui.screens.fight import FightScreen
from affray.tui.widgets.header_footer import Footer, Header
from affray.tui.widgets.prompt import PromptWidget

Played = Callable[..., OpenEncounter]


@pytest.fixture
def looking(ambush: OpenEncounter) -> Callable[..., Any]:
    """The fight, opened on a second screen while it is played on the first."""

    @asynccontextmanager
    async def open_() -> AsyncIterator[FightScreen]:
        second = OpenEncounter.open_or_view(ambush.path)
        async with AffrayApp(second).run_test(size=(120, 40)) as pilot:
            await pilot.pause()
            screen = pilot.app.screen
            assert isinstance(screen, FightScreen)
            yield screen

    return open_


def header(screen: FightScreen) -> str:
    return str(screen.query_one(Header).render_line(0).text)


def said(screen: FightScreen) -> str:
    return screen.query_one(PromptWidget).message[0]


async def test_it_shows_what_was_saved_and_whose_turn_it_is(
    ambush: OpenEncounter, looking: Callable[..., Any]
) -> None:
    async with looking() as screen:
        assert "READ-ONLY" in header(screen) and "follows ✓" in header(screen)
        assert "open for writing elsewhere" in said(screen)
        ambush.do("next")
        screen.follow()
        assert f"entry {ambush.history.head}" in header(screen)
        assert screen.cursor == ambush.state.turn
        assert screen.encounter.state.round == ambush.state.round


async def test_what_cant_be_done_there_is_not_offered(looking: Callable[..., Any]) -> None:
    async with looking() as screen:
        keymap, footer = screen.keymap, screen.query_one(Footer)
        for looked_at in (None, 20):
            screen.look_at(looked_at)
            offered = [keymap.by_key[item.pressed] for item in footer._last]
            assert {"look.back", "help"} <= {key.id for key in offered}
            assert [key.id for key in offered if key.prompt is not None] == []
            assert not {"undo", "redo", "answer", "reveal"} & {key.id for key in offered}
        screen.look_at(None)
        screen.show_message("")
        assert "takes back" not in screen.query_one(PromptWidget).render_line(1).text


async def test_it_says_that_it_is_stale_and_since_when_until_it_follows_again(
    ambush: OpenEncounter, looking: Callable[..., Any]
) -> None:
    async with looking() as screen:
        raw, head = ambush.path.read_bytes(), ambush.history.head
        ambush.path.unlink()
        screen.follow()
        assert f"stale ✗ since entry {head}" in header(screen)
        assert said(screen).startswith(f"stale since entry {head}: there is no file")
        screen.show_message("")
        screen.follow()
        assert said(screen) == "", "it is said once"
        ambush.path.write_bytes(raw)
        screen.follow()
        assert "follows ✓" in header(screen) and said(screen) == ""


async def test_an_entry_that_was_looked_at_may_be_gone(
    ambush: OpenEncounter, looking: Callable[..., Any], played: Played
) -> None:
    other = played("add monster Ghoul hp 18")
    async with looking() as screen:
        screen.look_at(20)
        ambush.path.write_bytes(other.path.read_bytes())
        screen.follow()
        assert screen.view_at is None and "entry 1" in header(screen)


async def test_who_plays_follows_nobody(ambush: OpenEncounter, game_of: Callable[..., Any]) -> None:
    async with game_of(ambush) as game:
        assert not ambush.is_viewed
        assert "saved ✓" in header(game.screen)

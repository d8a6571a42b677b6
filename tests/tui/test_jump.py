"""Jump mode: a letter on each pane, and one key to go there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from textual.geometry import Region

from affray.store.open_encounter import OpenEncounter
from affray.tui.screens.fight import FightScreen
from affray.tui.screens.fight_layout import LETTERS, PANES, jump_letters
from affray.tui.widgets.base import Pane
from affray.tui.widgets.prompt import PromptWidget

Play = Callable[..., Any]
SIZES = [(60, 16), (80, 24), (80, 40), (110, 20), (100, 32), (120, 40), (200, 60)]


def edges(screen: FightScreen) -> dict[str, str]:
    """The upper edge of each pane that can be seen."""
    places = screen.layout.arrangement.regions(screen.size)
    rows = {name: Region(0, 0, places[name].width, 1) for name in PANES if name in places}
    return {n: screen.query_one(f"#{n}", Pane).render_lines(r)[0].text for n, r in rows.items()}


def test_every_pane_has_a_letter_of_its_own() -> None:
    assert set(LETTERS) == set(PANES)
    assert len(set(LETTERS.values())) == len(PANES)
    assert jump_letters(["log", "list", "gold"]) == {"log": "l", "list": "i", "gold": "g"}


@pytest.mark.parametrize("size", SIZES)
async def test_each_pane_that_is_seen_shows_its_letter(
    ambush: OpenEncounter, game_of: Play, size: tuple[int, int]
) -> None:
    async with game_of(ambush, size) as game:
        before = edges(game.screen)
        await game.type("<ctrl+g>")
        shown = edges(game.screen)
        assert set(shown) == set(before) and len(shown) >= 3
        for pane, edge in shown.items():
            assert f"[{LETTERS[pane]}]" in edge, edge
        tabs = game.screen.layout.arrangement.tabs(game.screen.size)  # which share one edge
        for front in set(tabs) & set(shown):
            assert all(f"[{LETTERS[tab]}]" in shown[front] for tab in tabs), shown[front]
        rows = f"{game.row(PromptWidget)} {game.row(PromptWidget, 1)}"
        assert set(shown) | set(tabs) | {"tracks"} == set(game.screen.panes.reachable())
        assert all(f"[{LETTERS[pane]}]{pane}" in rows for pane in game.screen.panes.reachable()), (
            rows
        )
        await game.type("⎋")
        assert edges(game.screen) == before and game.said == ""


@pytest.mark.parametrize("size", SIZES)
async def test_the_key_of_a_pane_goes_there(
    ambush: OpenEncounter, game_of: Play, size: tuple[int, int]
) -> None:
    async with game_of(ambush, size) as game:
        entries = len(game.encounter.history.entries)
        for pane in game.screen.panes.reachable():
            await game.type(f"<ctrl+g>{LETTERS[pane]}")
            await game.pilot.pause()
            assert game.screen.chosen == pane
            assert pane in edges(game.screen), f"{pane} is not seen"
            assert not game.screen.panes.letters
        assert len(game.encounter.history.entries) == entries


async def test_a_pane_that_has_no_place_at_that_size_has_no_letter(
    ambush: OpenEncounter, game_of: Play
) -> None:
    async with game_of(ambush, (80, 24)) as game:
        assert "second" not in game.screen.panes.reachable()
        chosen = game.screen.chosen
        await game.type(f"<ctrl+g>{LETTERS['second']}")
        assert game.screen.chosen == chosen and not game.screen.panes.letters


async def test_z_maximises_the_pane_that_was_gone_to_and_a_jump_goes_on_from_there(
    ambush: OpenEncounter, game_of: Play
) -> None:
    async with game_of(ambush, (80, 24)) as game:
        await game.type("<ctrl+g>lz")
        await game.pilot.pause()
        assert set(edges(game.screen)) == {"log"}
        await game.type("<ctrl+g>i")
        await game.pilot.pause()
        assert set(edges(game.screen)) == {"initiative"}


@pytest.mark.parametrize("key", [" ", "u", "S", "⎋", "<ctrl+g>", "7", "⇥", "<f5>"])
async def test_any_other_key_leaves_and_does_nothing(
    ambush: OpenEncounter, game_of: Play, key: str
) -> None:
    async with game_of(ambush) as game:
        entries, chosen = len(game.encounter.history.entries), game.screen.chosen
        await game.type(f"<ctrl+g>{key}")
        assert not game.screen.panes.letters and not game.line.is_open
        assert len(game.encounter.history.entries) == entries
        assert game.screen.chosen == chosen


async def test_the_mouse_takes_the_letters_away(ambush: OpenEncounter, game_of: Play) -> None:
    async with game_of(ambush) as game:
        await game.type("<ctrl+g>")
        await game.pilot.click("#initiative", offset=(8, 2))
        assert not game.screen.panes.letters and game.screen.cursor == "brannoc"


async def test_an_open_prompt_keeps_its_keys(ambush: OpenEncounter, game_of: Play) -> None:
    async with game_of(ambush) as game:
        await game.type("c<ctrl+g>")
        assert game.line.is_open and not game.screen.panes.letters

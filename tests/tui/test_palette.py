"""How the palette finds: the title before what it does, and never with more than a look at each."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from rich.style import Style
from tests.fuzz.limits import by_work
from textual.app import App
from textual.events import Click

from affray.rulesets import load_ruleset
from affray.store.open_encounter import OpenEncounter
from affray.tui.app import AffrayApp
from affray.tui.keymap import keymap_for
from affray.tui.palette import FightCommandProvider, FoundList, Palette, how_well
from affray.tui.screens.fight import FightScreen
from affray.tui.widgets.prompt import PromptWidget

WHAT = "the next one in the order of initiative is up; whoever was ends the turn " * 5


def test_the_title_counts_before_what_it_does() -> None:
    found = [
        how_well("the end", "To the end of the fight", ""),
        how_well("the end", "Bathe endlessly", ""),
        how_well("the end", "End the fight  (E)", ""),
        how_well("the end", "Throw here and there", ""),
        how_well("the end", "Next turn", "ends the turn"),
    ]
    assert found == sorted(found, reverse=True) and len(set(found)) == 5 and found[-1] > 0
    assert how_well("end", "Next turn", "is up") == how_well("  ", "Next turn", WHAT) == 0


@pytest.mark.parametrize("query", ["eeeeeee", "e" * 60, "tententente", "e e e e e e e"])
def test_no_number_of_letters_makes_it_look_longer(query: str) -> None:
    with by_work(200):
        assert how_well(query, "Next turn  (space)", WHAT) >= 0


async def test_the_same_letter_over_and_over_is_answered(
    ambush: OpenEncounter, game_of: Callable[..., Any]
) -> None:
    async with game_of(ambush) as game:
        with by_work(100_000):
            assert [hit async for hit in FightCommandProvider(game.screen).search("eeeeeee")] == []
        await game.type("<ctrl+p>eeeeeee⎋:")
        assert game.row(PromptWidget).startswith(" :")


async def test_a_palette_opens_while_another_is_being_taken_away(ambush: OpenEncounter) -> None:
    app = AffrayApp(ambush)
    async with app.run_test() as pilot:
        await pilot.pause()
        first = Palette()
        app.push_screen(first)
        await pilot.pause()
        first.dismiss()
        app.action_command_palette()
        await pilot.pause()
        assert isinstance(app.screen, Palette) and app.screen is not first


KEYLESS = {
    "fly": "Fly",
    "land": "Land",
    "form": "Form",
    "hustle": "Hustle",
    "push on": "Push on",
}


def test_these_have_no_key_of_their_own() -> None:
    keys = keymap_for(load_ruleset("orcus")).keys
    keyless = {key.label for key in keys if not key.keys}
    assert {*KEYLESS.values(), "Rename", "Read aloud"} <= keyless


@pytest.mark.parametrize("typed", KEYLESS)
async def test_what_has_no_key_is_begun_by_the_palette(
    stair: Callable[..., OpenEncounter], game_of: Callable[..., Any], typed: str
) -> None:
    async with game_of(stair("damage brannoc 1\n")) as game:
        await game.find(typed)
        await game.type("↵")
        await game.until(lambda: isinstance(game.pilot.app.screen, FightScreen))
        assert KEYLESS[typed] in game.row(PromptWidget) or game.said, game.row(PromptWidget)


@pytest.mark.parametrize("typed", KEYLESS)
async def test_what_has_no_key_is_completed_in_the_command_bar(
    stair: Callable[..., OpenEncounter], game_of: Callable[..., Any], typed: str
) -> None:
    verb = typed.replace(" ", "-")
    async with game_of(stair()) as game:
        await game.type(f":{verb[:-1]}")
        offers = game.line.bar.offers()
        assert verb in offers, offers


@pytest.mark.parametrize(("row", "chosen"), [(1, 1), (6, 0)])
async def test_a_click_on_a_row_that_is_gone_does_nothing(row: int, chosen: int) -> None:
    """The screen shows rows a moment longer than the list has them."""
    found = FoundList("one", "two")
    async with App[None]().run_test() as pilot:
        await pilot.app.mount(found)
        meta = Style(meta={"option": row})
        found.post_message(Click(found, 1, 1, 0, 0, 1, False, False, False, style=meta))
        await pilot.pause()
        assert found.highlighted == chosen


async def test_what_searches_in_a_palette_that_closes_is_broken_off() -> None:
    app = AffrayApp(None)
    async with app.run_test() as pilot:
        await pilot.press("ctrl+p")
        palette = app.screen
        await pilot.press("escape")
        with pytest.raises(asyncio.CancelledError):
            palette.query_one("#no-such-thing")

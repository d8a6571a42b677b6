"""A fight of two against two ghouls, and hands to play it with."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from textual.pilot import Pilot

from affray.store.encounter import OpenEncounter
from affray.tui.app import AffrayApp
from affray.tui.panes.prompt import PromptLine
from affray.tui.prompts import Prompt, Step
from affray.tui.screens.fight import FightScreen

FIGHT = """
add pc Brannoc hp 30 ac 4 power 2 cunning 1 focus 0 luck 1 pb 2
add pc Mira hp 24 ac 2 power 0 cunning 3 focus 2 luck 2 pb 1
add monster Ghoul x2 cr 2 hp 18 ac 2 resist fire,cold attack claw 1d6+2 slashing
init brannoc 17
init mira 12
init ghoul-1 10
init ghoul-2 9
start
"""
NAMES = {" ": "space", "↵": "enter", "⎋": "escape", "⇥": "tab"}

Made = Callable[..., Prompt]


def finished(prompt: Prompt) -> bool:
    """Whether the last key finished it."""
    return getattr(prompt, "last_step", None) is Step.FINISHED


@asynccontextmanager
async def playing(
    encounter: OpenEncounter, size: tuple[int, int] = (120, 40)
) -> AsyncIterator[Pilot[Any]]:
    """The fight on the screen."""
    async with AffrayApp(encounter).run_test(size=size) as pilot:
        await pilot.pause()
        yield pilot


async def press(pilot: Pilot[Any], keys: str) -> None:
    """Press these keys one after the other."""
    await pilot.press(*(NAMES.get(key, key) for key in keys))
    await pilot.pause()


def screen(pilot: Pilot[Any]) -> FightScreen:
    """The fight's screen."""
    found = pilot.app.screen
    assert isinstance(found, FightScreen)
    return found


def said(pilot: Pilot[Any]) -> str:
    """The message that stands there."""
    return screen(pilot).query_one(PromptLine).message[0]


def row(pilot: Pilot[Any], y: int = 0, widget: type[Any] = PromptLine) -> str:
    """What a row of a widget shows."""
    return str(screen(pilot).query_one(widget).render_line(y).text)

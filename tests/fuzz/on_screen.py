"""Any keys, pastes and sizes on the real screen: what the models take at full speed, painted."""

from __future__ import annotations

import asyncio
import os
from contextlib import chdir
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from tests.fuzz import oddities
from tests.fuzz.fights import ENCOUNTERS
from tests.fuzz.keys import COMMON, NAMED
from tests.fuzz.painted import check_screen
from tests.fuzz.target import same
from textual import events
from textual.pilot import Pilot

from affray.core.dice import SeededDice
from affray.store.log_recovery import build_history, parse_log
from affray.store.open_encounter import OpenEncounter
from affray.tui.app import AffrayApp
from affray.tui.screens.fight import FightScreen
from affray.tui.terminal import END, START, PasteFilter

AT = datetime(2026, 11, 20, 19, 30, tzinfo=UTC)
SIZES = ((80, 24), (120, 40), (60, 20), (30, 5), (200, 60))
LEAVING = ("ctrl+q", "ctrl+c")
AT_ONCE = 10


def press_anything(folder: Path, rng: Random, tries: int) -> int:
    """Press random keys on a sample fight, many times over; gives how many entries came of it."""
    name = rng.choice(list(ENCOUNTERS))
    path = folder / f"{name}.toml"
    raw = ENCOUNTERS[name].read_bytes()
    path.write_bytes(raw[: raw.find(b"\n[[entry]]", len(raw) // 2)])
    with OpenEncounter.open(path, SeededDice(1), lambda: AT) as fight:
        before = fight.history.last
        where = patch.dict(os.environ, AFFRAY_CAMPAIGNS=str(folder), AFFRAY_CONFIG=str(folder))
        with where, chdir(folder):  # a key may save a picture of the screen
            asyncio.run(_play(fight, rng, tries))
        history, reason = build_history(parse_log(path.read_bytes(), path.name))
        assert reason == "" and history.path == fight.history.path
        assert same(history.state, fight.state)
        return fight.history.last - before


async def _play(fight: OpenEncounter, rng: Random, tries: int) -> None:
    async with AffrayApp(fight).run_test(size=SIZES[0]) as pilot:
        await pilot.pause()
        screen = pilot.app.screen
        assert isinstance(screen, FightScreen)
        wanted = [key for key in screen.keymap.keys if key.id not in ("quit", "home")]
        keys = [pressed for key in wanted for pressed in key.keys[:2]]  # not all nine digits
        for _ in range(tries):
            for _ in range(AT_ONCE):
                await _one(pilot, rng, keys)
            await pilot.pause()
            if not pilot.app.is_running:  # the palette offers to quit
                return
            check_screen(pilot.app.screen)


async def _one(pilot: Pilot[Any], rng: Random, keys: list[str]) -> None:
    what = rng.random()
    if what < 0.02:
        await pilot.resize_terminal(*rng.choice(SIZES))
    elif what < 0.06:
        pilot.app.screen.post_message(events.Paste(pasted(oddities.text(rng))))
    elif what < 0.1:
        pilot.app.screen.post_message(press("escape"))
    else:
        row = keys if what < 0.5 else NAMED if what < 0.7 else COMMON
        pressed = rng.choice(row)
        if pressed and pressed not in LEAVING:
            pilot.app.post_message(press("space" if pressed == " " else pressed))


def pasted(text: str) -> str:
    """A pasted text as the terminal's reader hands it on."""
    return PasteFilter().feed(f"{START}{text}{END}").removeprefix(START).removesuffix(END)


def press(name: str) -> events.Key:
    return events.Key(name, name if len(name) == 1 else None)

"""Keys in bursts, on every screen while it opens and closes, with sizes, pastes and the mouse.

All of a burst is there before the first of it is looked at, as over a slow line. Nothing may end
the program but what is meant to, and nothing may keep it from answering.
"""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from random import Random
from unittest.mock import patch

from tests.fuzz import oddities
from tests.fuzz.fights import CAMPAIGNS
from tests.fuzz.keys import COMMON, NAMED
from tests.fuzz.on_screen import AT, SIZES, pasted, press
from textual import events
from textual.geometry import Size
from textual.pilot import Pilot

from affray.core.dice import SeededDice
from affray.store.open_encounter import OpenEncounter
from affray.tui.app import AffrayApp
from affray.tui.keymap import keymap_for

MOST = 9
"""So many keys are in a burst at most."""
HUNG = 30.0
"""Seconds in which any burst has been answered, several hundred times as long as it takes."""
OPENING = (
    *("ctrl+p", "ctrl+o", "ctrl+t", "ctrl+d", "ctrl+l", "ctrl+u", "ctrl+y", "ctrl+g"),
    *("ctrl+e", "enter", "enter", "escape", "escape", "pageup", "?", "f1", ":", "/", "w", "p", "b"),
)
"""Keys that open and close what there is, here or on the list of fights."""
WORDS = ("undo", "theme", "quit", "story", "next")
"""What the palette may be asked for."""


class Ended(Exception):  # noqa: N818
    """The program ended, or answered no more; the text has the last keys."""


def press_bursts(folder: Path, ruleset: str, rng: Random, keys: int) -> int:
    """Press so many keys in bursts, by one rule system; gives how many there were.

    Raises Ended where the program does.
    """
    pressed = 0
    while pressed < keys:
        place = folder / "campaigns"
        shutil.rmtree(place, ignore_errors=True)
        fight = _prepared(place, ruleset)
        where = {"AFFRAY_CAMPAIGNS": str(place), "AFFRAY_CONFIG": str(folder)}
        enough = patch("affray.odds.simulation.ENOUGH", 2)
        with patch.dict(os.environ, where), chdir(folder), enough:
            pressed += asyncio.run(_evening(fight, rng, min(keys - pressed, 2000)))
    return pressed


def _prepared(place: Path, ruleset: str) -> Path:
    """A fight of the sample campaign of those rules, half played, in that folder."""
    made = (
        c for c in CAMPAIGNS.iterdir() if f'"{ruleset}"' in (c / "campaign.toml").read_text("utf-8")
    )
    sample = min(made)
    shutil.copytree(sample, place / sample.name)
    path = min((place / sample.name / "encounters").glob("*.toml"))
    raw = path.read_bytes()
    path.write_bytes(raw[: raw.find(b"\n[[entry]]", len(raw) // 2)])
    return path


async def _evening(path: Path, rng: Random, keys: int) -> int:
    """Keys until the program is told to end, or there were so many."""
    pressed, last = 0, ""
    fight = OpenEncounter.open(path, SeededDice(1), lambda: AT) if rng.random() < 0.7 else None
    known = _known(path)
    app = AffrayApp(fight)
    try:
        async with app.run_test(size=rng.choice(SIZES)) as pilot:
            while pressed < keys and app.is_running and app.return_code is None:
                burst = [*_burst(rng, known)]
                last = f"{last} {' '.join(map(_told, burst))} |"[-400:]
                pressed += len(burst)
                await asyncio.wait_for(_send(pilot, burst, rng), HUNG)
    except TimeoutError:
        raise Ended(f"no answer in {HUNG:g} seconds: {last}") from None
    except BaseException as error:
        raise Ended(f"{type(error).__name__}: {error}: {last}") from error
    finally:
        app.close_fight()
    return pressed


def _known(path: Path) -> list[str]:
    with OpenEncounter.view(path) as fight:
        return [*keymap_for(fight.ruleset).by_key]


def _burst(rng: Random, known: list[str]) -> Iterator[events.Event | tuple[int, int]]:
    """What comes at once: keys mostly."""
    for _ in range(rng.randint(1, MOST)):
        what = rng.random()
        if what < 0.01:
            yield rng.choice(SIZES)
        elif what < 0.02:
            yield events.Paste(pasted(oddities.text(rng)))
        elif what < 0.06:
            yield from _mouse(rng)
        elif what < 0.07:
            yield from map(press, rng.choice(WORDS))
        else:
            row = OPENING if what < 0.4 else known if what < 0.7 else (*NAMED, *COMMON)
            key = rng.choice(row)
            for _ in range(rng.choice((1, 1, 1, 1, 2, 3))):
                yield press("space" if key == " " else key or "a")


def _mouse(rng: Random) -> Iterator[events.Event]:
    x, y, button = rng.randrange(120), rng.randrange(40), rng.choice((1, 1, 1, 3))
    made = [events.MouseDown, events.MouseUp]
    if rng.random() < 0.3:
        made = [rng.choice((events.MouseScrollDown, events.MouseScrollUp, events.MouseMove))]
    for kind in made:
        yield kind(None, x, y, 0, 0, button, False, False, False, x, y)


def _told(each: events.Event | tuple[int, int]) -> str:
    return each.key if isinstance(each, events.Key) else str(each)[:60]


async def _send(
    pilot: Pilot[None], burst: list[events.Event | tuple[int, int]], rng: Random
) -> None:
    app = pilot.app
    assert isinstance(app, AffrayApp)
    for each in burst:
        if isinstance(each, tuple):
            app.post_message(events.Resize(Size(*each), Size(*each)))
        else:
            app.post_message(each)
        if rng.random() < 0.1:
            await asyncio.sleep(rng.choice((0, 0, 0.001, 0.01)))
    while app.is_running and (app.one_by_one.is_busy or app.message_queue_size):
        await asyncio.sleep(0.001)

"""SIGKILL while keys stream into the screen, of which there are several at once."""

from __future__ import annotations

import os
import random
import signal
import time
from concurrent.futures import ThreadPoolExecutor

from tests.torture.resident import Resident
from tests.torture.screens import LEAST_WAIT, START, Screen, fresh, verify
from tests.torture.table import Tally, fault

LONG = "\x1b[200~" + "y" * 480 + "\x1b[201~"
"""A pasted text; it is in its entry three times, so that this lies in several sectors."""

KEYS = [" ", ":note 'she laughs'\r", " ", "-17\r", "u", " ", f":note {LONG}\r"]
AT_ONCE = 4
LONGEST = 0.4
"""Seconds of keys before a kill, at most."""

STARTING = 5
"""One kill in so many comes while it starts, the others while it is played."""


@fault("SIGKILL while keys stream into the screen")
def screen_killed(tally: Tally) -> None:
    """While it starts, and just behind a key; an entry that was painted as saved is there."""
    hands = tally.times(AT_ONCE, 1)
    parts = [_part(tally, number) for number in range(hands)]
    with ThreadPoolExecutor(hands) as pool:
        done = list(pool.map(lambda part: _kill(part, tally.times(1000, 3) // hands), parts))
    for part in parts:
        tally.add(part)
    saved, painted = (sum(counts) for counts in zip(*done, strict=True))
    said = f"{saved} commands were saved, {painted} of them painted before the kill"
    tally.say(f"(nobody is there to be told; {said})")
    if painted < tally.times(tally.tries, 1):
        tally.fails(f"too few to tell: {said}")


def _part(tally: Tally, number: int) -> Tally:
    folder = tally.folder / str(number)
    folder.mkdir()
    return Tally(folder, random.Random(tally.rng.random()), tally.short)


def _kill(tally: Tally, kills: int) -> tuple[int, int]:
    """So many kills, one after the other; gives how many commands were saved and painted in all."""
    saved = painted = 0
    with Resident("affray.tui.app") as resident:
        startup = _time_to_start(tally, resident)
        for number in range(kills):
            path = fresh(tally.folder)
            tally.tries += 1
            screen = Screen(resident, path)
            if number % STARTING:
                screen.read(LEAST_WAIT, until=b"saved")
                _play(screen, tally.rng)
            else:
                screen.read(tally.rng.uniform(0, startup))
            os.kill(screen.pid, signal.SIGKILL)
            screen.ended()
            screen.close()
            saved += verify(tally, path, screen, f"kill {number}") - START
            painted += max(screen.saved() - START, 0)
    return saved, painted


def _time_to_start(tally: Tally, resident: Resident) -> float:
    """Seconds until the fight is painted."""
    screen = Screen(resident, fresh(tally.folder))
    began = time.perf_counter()
    screen.read(LEAST_WAIT, until=b"saved")
    took = time.perf_counter() - began
    os.kill(screen.pid, signal.SIGKILL)
    screen.ended()
    screen.close()
    return took


def _play(screen: Screen, rng: random.Random) -> None:
    """Keys as fast as they can be read, then one more, and at once or a little later the end."""
    end = time.perf_counter() + rng.uniform(0, LONGEST)
    while time.perf_counter() < end:
        screen.press(rng.choice(KEYS))
        screen.read(rng.uniform(0, 0.03))
    screen.press(rng.choice(KEYS))
    screen.read(rng.uniform(0, 0.015))

"""SIGKILL while keys stream into the screen, of which there are several at once."""

from __future__ import annotations

import os
import random
import signal
from concurrent.futures import ThreadPoolExecutor

from tests.torture.resident import Resident
from tests.torture.screens import LEAST_WAIT, START, Screen, fresh, verify
from tests.torture.table import Tally, fault

LONG = "\x1b[200~" + "y" * 480 + "\x1b[201~"
"""A pasted text; it is in its entry three times, so that this lies in several sectors."""

KEYS = [" ", ":note 'she laughs'\r", " ", "-1\t7\r", "u", " ", f":note {LONG}\r"]
AT_ONCE = 4
MOST_PAINTED = 6
"""After so many commands, at most, that were painted as saved, a kill comes."""

MOST_KEYS = 60
"""So many keys are pressed at most; then what they have come to is waited for."""

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


def _part(tally: Tally, number: int) -> Tally:
    folder = tally.folder / str(number)
    folder.mkdir()
    return Tally(folder, random.Random(tally.rng.random()), tally.short)


def _kill(tally: Tally, kills: int) -> tuple[int, int]:
    """So many kills, one after the other; gives how many commands were saved and painted in all."""
    saved = painted = 0
    with Resident("affray.tui.app") as resident:
        whole = _painted_at_start(tally, resident)
        for number in range(kills):
            path = fresh(tally.folder)
            tally.tries += 1
            screen = Screen(resident, path)
            if number % STARTING:
                _play(tally, screen, START + tally.rng.randint(1, MOST_PAINTED), f"kill {number}")
            else:
                _read_bytes(screen, tally.rng.randrange(whole))
            os.kill(screen.pid, signal.SIGKILL)
            screen.ended()
            screen.close()
            saved += verify(tally, path, screen, f"kill {number}") - START
            painted += max(screen.saved() - START, 0)
    return saved, painted


def _painted_at_start(tally: Tally, resident: Resident) -> int:
    """How many bytes it writes to the terminal until the fight is painted."""
    screen = Screen(resident, fresh(tally.folder))
    screen.read(LEAST_WAIT, until=b"saved")
    os.kill(screen.pid, signal.SIGKILL)
    screen.ended()
    screen.close()
    return len(screen.painted)


def _read_bytes(screen: Screen, count: int) -> None:
    """Read until so many bytes were painted."""
    while len(screen.painted) < count and screen.read_some(LEAST_WAIT):
        pass


def _play(tally: Tally, screen: Screen, wanted: int, where: str) -> None:
    """Keys as fast as they can be read until that entry is painted as saved; then one more key,
    and at once or a little later the end."""
    if not screen.read(LEAST_WAIT, until=b"saved"):
        tally.fails(f"{where}: it ended by itself")
    waited = 0
    while screen.saved() < wanted and waited < MOST_KEYS:
        screen.press(tally.rng.choice(KEYS))
        screen.read(tally.rng.uniform(0, 0.03))
        waited += 1
    while screen.saved() < wanted and screen.read_some(LEAST_WAIT):
        pass
    if screen.saved() < wanted:
        tally.fails(f"{where}: entry {screen.saved()} after {waited} keys, waiting for {wanted}")
    screen.press(tally.rng.choice(KEYS))
    screen.read(tally.rng.uniform(0, 0.015))

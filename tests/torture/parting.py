"""What others did to the file since the last command: who closes the fight is told, and loses none.

An older text is saved over the file, or it is deleted, while the screen waits for the next command;
and what it is told then is to end.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

from tests.torture.fights import kept, log_of, saved_commands
from tests.torture.plays import save_by_rename
from tests.torture.resident import Resident
from tests.torture.screens import LEAST_WAIT, LEFT, START, Screen, fresh, without_codes
from tests.torture.table import Tally, fault

LEAVE = "\x11"


def _older(path: Path) -> None:
    save_by_rename(path, log_of(START))


DEEDS: dict[str, Callable[[Path], None]] = {"an older text": _older, "deleted": os.unlink}


@fault("a file that is saved over or deleted before the screen closes")
def parting(tally: Tally) -> None:
    """Left by a key, by a signal, or because the terminal has gone: then nobody can be told."""
    with Resident("affray.tui.app") as resident:
        for attempt in range(tally.times(5, 1)):
            for what, deed in DEEDS.items():
                for way, leave in WAYS.items():
                    tally.tries += 1
                    path = fresh(tally.folder)
                    screen = _played(resident, path)
                    given = saved_commands(path)
                    deed(path)
                    status = leave(screen)
                    where = f"{what}, left by {way}, {attempt}"
                    if status is not None:
                        _told(tally, screen, status, where)
                    elif resident.ended(screen.pid) == -signal.SIGKILL:
                        tally.breaks(f"{where}: it went on without a terminal")
                    _kept(tally, path, given, where)


def _played(resident: Resident, path: Path) -> Screen:
    """The screen, with one command given that was painted as saved."""
    screen = Screen(resident, path)
    screen.read(LEAST_WAIT, until=b"saved")
    screen.press(" ")
    end = time.monotonic() + LEAST_WAIT
    while screen.saved() <= START and time.monotonic() < end:
        screen.read(0.01)
    return screen


def _by_key(screen: Screen) -> int:
    screen.press(LEAVE)
    return 0


def _by_signal(screen: Screen) -> int:
    os.kill(screen.pid, signal.SIGTERM)
    return 128 + signal.SIGTERM


def _by_hangup(screen: Screen) -> None:
    screen.close()


WAYS: dict[str, Callable[[Screen], int | None]] = {
    "a key": _by_key,
    "SIGTERM": _by_signal,
    "hanging up": _by_hangup,
}
"""Each gives the exit status that is to come of it, if there is a terminal to be told on."""


def _told(tally: Tally, screen: Screen, status: int, where: str) -> None:
    if (found := screen.ended()) != status:
        tally.breaks(f"{where}: it ended with {found}")
    screen.close()
    said = without_codes(screen.painted.rpartition(LEFT)[2]).decode(errors="replace")
    lines = [line for line in said.splitlines() if line.startswith("affray: ")]
    for line in lines:
        tally.say(line)
    if len(lines) != 1 or " in fight.toml.torn-1" not in lines[0]:
        tally.fails(f"{where}: the terminal was told {said[-200:]!r}")


def _kept(tally: Tally, path: Path, given: list[str], where: str) -> None:
    torn = path.with_name(f"{path.name}.torn-1")
    if len(given) != START + 1 or f'command = "{given[-1]}"' not in kept(path).decode():
        tally.lose(f"{where}: {given[START:]}")
    if not path.exists() and saved_commands(torn) != given:
        tally.lose(f"{where}: what was kept is not all that the file held")

"""The terminal: taken away without a word, and left standing while the program is stopped."""

from __future__ import annotations

import os
import signal
import termios
import time
from collections.abc import Callable
from pathlib import Path

from tests.torture.fights import saved_commands
from tests.torture.resident import Resident
from tests.torture.screens import LEAST_WAIT, LEFT, START, Screen, fresh, verify
from tests.torture.table import Tally, fault

ENTERED = b"\x1b[?1049h"
HUNG_UP = 128 + signal.SIGHUP


@fault("the terminal goes away without a word")
def gone(tally: Tally) -> None:
    """No SIGHUP comes, as to what a wrapper has started: an end of the input is all there is."""
    tally.told = "(nobody is there to be told; all was saved already)"
    with Resident("affray.tui.app") as resident:
        for attempt in range(tally.times(30, 2)):
            path = fresh(tally.folder)
            tally.tries += 1
            screen = Screen(resident, path, leads=False)
            screen.read(LEAST_WAIT, until=b"saved")
            screen.press(tally.rng.choice(["", " ", ":note 'half", "?", "jk" * 60]))
            screen.read(tally.rng.uniform(0, 0.05))
            screen.close()
            if (status := resident.ended(screen.pid)) != HUNG_UP:
                tally.breaks(f"{attempt}: it ended with {status}")
            verify(tally, path, screen, f"{attempt}")


@fault("stopped, and going on")
def stopped(tally: Tally) -> None:
    """Once or more, the terminal set by a shell meanwhile; then it is played on, and left."""
    if not Path("/proc/self/task").exists():
        tally.skipped = "there is no /proc here"
        return
    with Resident("affray.tui.app") as resident:
        for attempt in range(tally.times(20, 2)):
            path = fresh(tally.folder)
            tally.tries += 1
            screen = Screen(resident, path)
            screen.read(LEAST_WAIT, until=b"saved")
            threads = _threads(screen)
            number = (signal.SIGSTOP, signal.SIGTSTP)[attempt % 2]
            for _ in range(tally.rng.randint(1, 3)):
                _stop_and_go_on(screen, number)
            where = f"{attempt}, {number.name}"
            if (now := _threads(screen)) > threads:
                tally.fails(f"{where}: {now} threads, where there were {threads}")
            screen.press(":note 'still here'\r")
            _wait(screen, lambda screen=screen: screen.saved() > START)
            screen.press("\x11")
            if (status := screen.ended()) != 0:
                tally.breaks(f"{where}: it ended with {status}")
            if termios.tcgetattr(screen.fd) != screen.before:
                tally.fails(f"{where}: the terminal is not set as it was")
            if not screen.painted.rstrip().rpartition(LEFT)[1]:
                tally.fails(f"{where}: the terminal was not given back")
            verify(tally, path, screen, where)
            if saved_commands(path)[START:] != ["note 'still here'"]:
                tally.lose(f"{where}: {saved_commands(path)[START:]}")
            screen.close()
    tally.told = "(nothing: the screen is there again, and the terminal is as before in the end)"


def _stop_and_go_on(screen: Screen, number: int) -> None:
    """As a shell does it, which sets the terminal in its own way while the program stands still."""
    os.kill(screen.pid, number)
    _wait(screen, lambda: _state(screen) == "T")
    termios.tcsetattr(screen.fd, termios.TCSANOW, screen.before)
    while screen.read_some(0):  # it paints no more while it stands still
        pass
    screen.painted = b""
    os.kill(screen.pid, signal.SIGCONT)
    _wait(screen, lambda: b"saved" in screen.painted.partition(ENTERED)[2])


def _wait(screen: Screen, until: Callable[[], bool]) -> None:
    end = time.monotonic() + LEAST_WAIT
    while not until() and time.monotonic() < end:
        screen.read(0.01)


def _state(screen: Screen) -> str:
    stat = Path(f"/proc/{screen.pid}/stat").read_text("utf-8")
    return stat.rpartition(")")[2].split()[0]


def _threads(screen: Screen) -> int:
    return len(list(Path(f"/proc/{screen.pid}/task").iterdir()))


@fault("told to go on before it has stopped")
def hurried(tally: Tally) -> None:
    """A stop and, a moment later, the word to go on, with keys in between: it answers again."""
    tally.told = "(nothing: it goes on)"
    with Resident("affray.tui.app") as resident:
        for attempt in range(tally.times(40, 2)):
            path = fresh(tally.folder)
            tally.tries += 1
            screen = Screen(resident, path)
            screen.read(LEAST_WAIT, until=b"saved")
            screen.press(tally.rng.choice(["", "?", "jk" * 60, ":"]))
            os.kill(screen.pid, signal.SIGTSTP)
            screen.read(tally.rng.choice((0.0, 0.001, 0.01, 0.05)))
            os.kill(screen.pid, signal.SIGCONT)
            for _ in range(3):  # what is typed while the terminal is taken anew is lost
                screen.press("\x1b")
                screen.read(0.3)
                screen.press("\x1b")
                screen.read(0.3)
                screen.press(":note 'still here'\r")
                _wait(screen, lambda screen=screen: screen.saved() > START)
                if screen.saved() > START:
                    break
            else:
                tally.fails(f"{attempt}: it answers no more")
            screen.press("\x11")
            screen.ended()
            verify(tally, path, screen, f"{attempt}")
            screen.close()

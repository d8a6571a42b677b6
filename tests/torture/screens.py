"""The screen in a pseudo-terminal: hung up on, told to end, made smaller in mid-prompt."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from pathlib import Path

from tests.torture.fights import log_of
from tests.torture.resident import Resident
from tests.torture.table import Tally, fault

from affray.store import LogError
from affray.store.log_file import LogFile

START = 8
LEAST_WAIT = 10.0
_CODES = re.compile(rb"\x1b\[[0-9;?:]*[ -/]*[@-~]|\x1b[=>]")
_SAVED = re.compile(rb"(?:entry|\xe2\x9c\x93)\s+([0-9]+)")
"""`saved ✓ entry 41`, or `✓ 41` in brief."""
STILL_HERE = b"still here"
LEFT = b"\x1b[?1049l"
"""What gives the terminal back as it was."""


class Screen:
    """affray on the screen, in a terminal of its own; what it painted is kept in `painted`.

    `before` is how the terminal was set, as `termios` tells it. Unless `leads`, the program does
    not lead the terminal's session, so that the system tells it nothing of the terminal.
    """

    def __init__(self, resident: Resident, path: Path, leads: bool = True, **more: object) -> None:
        self._resident = resident
        self.fd, inner = pty.openpty()
        self.resize(120, 40, inner)
        self.before = termios.tcgetattr(inner)
        self.pid = resident.start([str(path)], inner, inner, inner, terminal=leads, **more)
        os.close(inner)
        os.set_blocking(self.fd, False)
        self.painted = b""

    def resize(self, columns: int, lines: int, fd: int | None = None) -> None:
        """Make the terminal another size; the program is told by the system."""
        size = struct.pack("HHHH", lines, columns, 0, 0)
        fcntl.ioctl(self.fd if fd is None else fd, termios.TIOCSWINSZ, size)

    def press(self, keys: str) -> None:
        """Write keys, and don't wait until they are read, unless they are too many."""
        left = keys.encode()
        while left:
            try:
                left = left[os.write(self.fd, left) :]
            except BlockingIOError:
                self.read(0.01)

    def read(self, seconds: float, until: bytes = b"") -> bool:
        """Read what is painted for so long, or until there is something; False when it has gone."""
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            if until and until in self.painted:
                return True
            if not select.select([self.fd], [], [], left)[0]:
                break
            if not self.read_some(0):
                return False
        return True

    def read_some(self, seconds: float) -> bool:
        """Read what is painted next, waiting so long for it; False when nothing comes any more."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self.fd, 1 << 16)
        except OSError:  # nobody has the other end any more
            return False
        self.painted += data
        return bool(data)

    def ended(self) -> int:
        """Read all that is left, and give the exit status."""
        while self.read(LEAST_WAIT):
            os.kill(self.pid, signal.SIGKILL)
        return self._resident.ended(self.pid)

    def close(self) -> None:
        """Take the terminal away."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def saved(self) -> int:
        """The greatest entry that was painted as saved."""
        numbers = (int(match[1]) for match in _SAVED.finditer(without_codes(self.painted)))
        return max(numbers, default=0)


def without_codes(painted: bytes) -> bytes:
    """What was painted, without where and in which colours."""
    return _CODES.sub(b"", painted)


def fresh(folder: Path) -> Path:
    """A small fight in an empty folder."""
    for file in folder.iterdir():
        file.unlink()
    path = folder / "fight.toml"
    path.write_bytes(log_of(START))
    return path


def verify(tally: Tally, path: Path, screen: Screen, where: str) -> int:
    """What was painted as saved is there; gives how many entries there are."""
    if b"Traceback" in screen.painted:
        tally.breaks(f"{where}: {screen.painted[-400:].decode(errors='replace')}")
    try:
        with LogFile.open(path) as log:
            text = log.text
    except LogError as error:
        tally.fails(f"{where}: {error}")
        return 0
    for note in text.notes:
        tally.say(note)
    if text.last_seq < screen.saved():
        tally.lose(f"{where}: {screen.saved()} painted, {text.last_seq} there")
    numbers = [block.seq for block in text.blocks]
    if numbers != list(range(1, len(numbers) + 1)) or any(b.edited for b in text.blocks):
        tally.misreads(f"{where}: entries {numbers}")
    return text.last_seq


def _signalled(tally: Tally, number: int, name: str, given_back: bool) -> None:
    """The signal in mid-prompt and between commands, with a command just given."""
    with Resident("affray.tui.app") as resident:
        for attempt in range(tally.times(15, 1)):
            path = fresh(tally.folder)
            tally.tries += 1
            screen = Screen(resident, path)
            screen.read(LEAST_WAIT, until=b"saved")
            screen.press(" ")
            screen.read(0.3, until=b"entry 9")
            screen.press(tally.rng.choice(["-1", "", ":note 'half", "?"]))
            screen.read(tally.rng.uniform(0, 0.1))
            os.kill(screen.pid, number)
            status = screen.ended()
            where = f"{name} {attempt}"
            verify(tally, path, screen, where)
            if status == -signal.SIGKILL:
                tally.breaks(f"{where}: it hung")
            if given_back and LEFT not in screen.painted:
                tally.fails(f"{where}: the terminal was not given back")
            screen.close()


@fault("SIGTERM at the screen")
def ended(tally: Tally) -> None:
    """The program ends, and gives the terminal back as it was."""
    tally.told = "(the screen closes, the terminal is as before; all was saved already)"
    _signalled(tally, signal.SIGTERM, "SIGTERM", given_back=True)


@fault("SIGHUP at the screen")
def hung_up(tally: Tally) -> None:
    """As when a connection breaks."""
    tally.told = "(nobody is there to be told; all was saved already)"
    _signalled(tally, signal.SIGHUP, "SIGHUP", given_back=True)


@fault("the terminal goes away")
def gone(tally: Tally) -> None:
    """The window is closed, also for a program that was started so as to outlive that."""
    tally.told = "(nobody is there to be told; all was saved already)"
    with Resident("affray.tui.app") as resident:
        for attempt in range(tally.times(14, 2)):
            path = fresh(tally.folder)
            tally.tries += 1
            screen = Screen(resident, path, ignore_hangup=bool(attempt % 2))
            screen.read(LEAST_WAIT, until=b"saved")
            screen.press("  ")
            screen.read(0.2)
            screen.close()
            end = time.monotonic() + LEAST_WAIT
            while _is_locked(path) and time.monotonic() < end:
                time.sleep(0.01)
            if _is_locked(path):
                os.kill(screen.pid, signal.SIGKILL)
            if resident.ended(screen.pid) == -signal.SIGKILL:
                tally.breaks(f"{attempt}: it went on without a terminal")
            verify(tally, path, screen, f"{attempt}")


def _is_locked(path: Path) -> bool:
    try:
        LogFile.open(path).close()
    except LogError:
        return True
    return False


def _noted(screen: Screen, path: Path) -> None:
    """Leave what is open, and write a note; once more where keys came so late that they ran into
    one another: an escape and what stands behind it are then one key."""
    for wait in (0.1, 0.5, 2.0):
        for _ in range(3):
            screen.press("\x1b")
            screen.read(wait)
        screen.press(":note 'still here'\r")
        end = time.monotonic() + 10 * wait
        while time.monotonic() < end:
            if STILL_HERE in path.read_bytes():
                return
            screen.read(0.01)


@fault("the terminal is resized in mid-prompt")
def resized(tally: Tally) -> None:
    """Any size, down to one cell, while a prompt is open; then the prompt is answered."""
    with Resident("affray.tui.app") as resident:
        for attempt in range(tally.times(12, 1)):
            path = fresh(tally.folder)
            screen = Screen(resident, path)
            screen.read(LEAST_WAIT, until=b"saved")
            for step in range(tally.times(12, 3)):
                tally.tries += 1
                screen.press(tally.rng.choice(["-", ":note 'half", "s", "c", "?", "+1"]))
                screen.read(0.02)
                screen.resize(tally.rng.randint(1, 250), tally.rng.randint(1, 70))
                screen.read(0.03)
                screen.press(tally.rng.choice(["7\r", "\x1b", "2", "'\r"]))
                screen.read(0.02)
                if step % 4 == 3:
                    screen.press("\x1b")
                    screen.read(0.05)
            screen.resize(120, 40)
            _noted(screen, path)
            screen.press("\x11")
            if screen.ended() != 0:
                tally.breaks(f"{attempt}: it did not end in peace")
            verify(tally, path, screen, f"{attempt}")
            if STILL_HERE not in path.read_bytes():
                tally.fails(f"{attempt}: a command was not taken afterwards")
            screen.close()
    tally.told = (
        "affray needs at least 60x16; this window is 40x10" if not tally.told else tally.told
    )

"""A server beside the screen: `affray FILE --serve`, as a process of its own.

It is the same as `affray watch FILE --players --serve`. It ends with the screen, and the screen
goes on without it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

from affray import debug_log
from affray.core.formatting.safe_text import to_one_line

BESIDE_A_SCREEN = "AFFRAY_BESIDE_A_SCREEN"
"""The variable that a server has beside a screen. Its standard input is a pipe then, of which the
screen has the other end: the system closes that, however the screen ends."""
TRACEBACK = "Traceback "
MOST_SHOWN = 120
"""The characters of an error's line that are shown."""
REFUSES = "affray: "
"""What a line begins with that says why a command can't be done."""
START = f"""import sys
sys.path.append({os.fspath(Path(__file__).parents[1])!r})
from affray.__main__ import run
sys.exit(run())"""
"""Starts affray, with `-P`, from where it is: nothing of the working folder is looked at."""
END_AFTER = 3.0
"""Seconds that a server has to end by itself."""


class BesideServer:
    """A server process, with the address that it has told, and how it ended.

    url      the address for browsers; empty until it is told
    trouble  why it ended by itself, as far as it has told that; empty while it runs
    """

    def __init__(self, log: Path, address: str, more: Sequence[str] = ()) -> None:
        command = ["watch", os.fspath(log), "--players", f"--serve={address}", *more]
        self.url = ""
        self.trouble = ""
        self._words, self._told = "", ""
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", START, *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, BESIDE_A_SCREEN: "1", "PYTHONUNBUFFERED": "1"},
            text=True,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,  # ctrl+c is for the screen; and so on Windows, by the flag
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        words, last, is_traceback = "", "", False
        with suppress(ValueError, OSError):
            for line in self._process.stdout:
                text = line.strip()
                if text.startswith(("http://", "https://")):
                    self.url = text
                is_traceback |= text.startswith(TRACEBACK)
                if text and (is_traceback or not self.url):  # else the page's picture, for cameras
                    debug_log.log_line("the server: %s", line.rstrip())
                    last = text
                if text.startswith(REFUSES):
                    words = self._words = text.removeprefix(REFUSES)
        how = f" ({to_one_line(last)[:MOST_SHOWN]})" if last else ""
        self.trouble = words or f"its process ended{how}"
        debug_log.log_line("the server is gone: %s", self.trouble)

    def new_words(self) -> str:
        """Return what it says for the GM while it runs, each once; empty for nothing new."""
        is_new, self._told = self._words != self._told, self._words
        return self._words if is_new else ""

    def end(self) -> None:
        """End it, and wait until it has."""
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()
            self._process.terminate()
        try:
            self._process.wait(END_AFTER)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def is_beside_a_screen() -> bool:
    """True if this process serves beside a screen, which tells the GM what there is to tell."""
    return bool(os.environ.get(BESIDE_A_SCREEN))


def screen_watch() -> Callable[[], bool]:
    """Return what tells whether the screen beside which this process serves is gone.

    A parent's process id would not do: Windows keeps that of one which is gone, and in a virtual
    environment there another program stands between the two.
    """
    gone = Event()

    def wait() -> None:
        with suppress(OSError):
            while os.read(0, 1):
                pass
        gone.set()

    if is_beside_a_screen():
        Thread(target=wait, daemon=True).start()
    return gone.is_set

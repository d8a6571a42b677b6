"""A server beside the screen: `affray FILE --serve`, as a process of its own.

It is the same as `affray watch FILE --players --serve`. It ends with the screen, and the screen
goes on without it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import Thread

SERVED_FOR = "AFFRAY_SERVED_FOR"
"""The variable with the process for which a server runs, and without which it ends."""
REFUSES = "affray: "
"""What a line begins with that says why a command can't be done."""
END_AFTER = 3.0
"""Seconds that a server has to end by itself."""


class BesideServer:
    """A server process, with the address that it has told, and how it ended.

    url      the address for browsers; empty until it is told
    trouble  why it ended by itself, as far as it has told that; empty while it runs
    """

    def __init__(self, log: Path, address: str, more: Sequence[str] = ()) -> None:
        command = [sys.executable, "-m", "affray", "watch", os.fspath(log), "--players"]
        self.url = ""
        self.trouble = ""
        self._process = subprocess.Popen(
            [*command, f"--serve={address}", *more],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, SERVED_FOR: str(os.getpid()), "PYTHONUNBUFFERED": "1"},
            text=True,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,  # ctrl+c is for the screen
        )
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        words = ""
        with suppress(ValueError, OSError):
            for line in self._process.stdout:
                text = line.strip()
                if text.startswith(("http://", "https://")):
                    self.url = text
                words = text.removeprefix(REFUSES) if text.startswith(REFUSES) else words
        self.trouble = words or "its process ended"

    def end(self) -> None:
        """End it, and wait until it has."""
        with suppress(OSError):
            self._process.terminate()
        try:
            self._process.wait(END_AFTER)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def is_left_alone() -> bool:
    """Whether the screen for which this process serves is gone."""
    owner = os.environ.get(SERVED_FOR, "")
    return owner.isdecimal() and os.getppid() != int(owner)

"""A program in a pseudo-terminal: keys are written, and the painted bytes are timed."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from types import TracebackType

QUIET = 0.04
"""Seconds without a byte after which a frame counts as painted: more than two of Textual's."""


class Terminal:
    """A Python program running in a terminal of its own, 120 columns by 40 lines."""

    def __init__(self, *arguments: str, columns: int = 120, lines: int = 40) -> None:
        self._fd, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        environment = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
        self.began = time.perf_counter()
        self._process = subprocess.Popen(
            [sys.executable, *arguments],
            stdin=inner,
            stdout=inner,
            stderr=inner,
            env=environment,
            start_new_session=True,
        )
        os.close(inner)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._fd)

    def painted(self, within: float = 30.0, quiet: float = QUIET) -> float:
        """Wait until something was painted and all is quiet; gives when the last byte came.

        Raises TimeoutError when nothing is painted, or the painting does not end.
        """
        last, end = 0.0, time.perf_counter() + within
        while time.perf_counter() < end:
            ready, _, _ = select.select([self._fd], [], [], quiet)
            if ready:
                if not os.read(self._fd, 1 << 16):
                    break
                last = time.perf_counter()
            elif last:
                return last
        raise TimeoutError("nothing was painted, or without an end")

    def press(self, keys: str) -> float:
        """Write keys; gives the seconds until the last byte of what was painted for them."""
        began = time.perf_counter()
        os.write(self._fd, keys.encode())
        try:
            return self.painted(within=5.0) - began
        except TimeoutError as error:
            raise TimeoutError(f"{error}, for the key {keys!r}") from None

    def memory(self) -> int:
        """The resident memory of the program in bytes."""
        statm = Path(f"/proc/{self._process.pid}/statm")
        if statm.exists():
            return int(statm.read_text("utf-8").split()[1]) * os.sysconf("SC_PAGE_SIZE")
        asked = ["ps", "-o", "rss=", "-p", str(self._process.pid)]  # on a Mac
        return int(subprocess.check_output(asked)) * 1024

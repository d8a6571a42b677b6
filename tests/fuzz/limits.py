"""When a try has gone on for too long: by the work that it did, or by the clock."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

MOST_CALLS = 2_000_000
"""The dearest input of the corpus makes a tenth of so many calls."""

MOST_SECONDS = 20.0


class Hang(Exception):  # noqa: N818
    """A try that does not come to its end."""


@contextmanager
def by_work(most: int = MOST_CALLS) -> Iterator[None]:
    """Raise Hang after so many calls of functions: the same on a slow machine and on a fast one."""
    left = most

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise Hang(f"more than {most} calls")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        yield
    finally:
        sys.setprofile(before)


@contextmanager
def by_the_clock(seconds: float = MOST_SECONDS) -> Iterator[None]:
    """Raise Hang after so many seconds, where the system has an alarm."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def ring(number: int, frame: FrameType | None) -> None:
        raise Hang(f"more than {seconds:g} seconds")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)

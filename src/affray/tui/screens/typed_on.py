"""Keys that are typed on for a prompt which did not open, or was over sooner than the fingers knew.

`s 1 0 n 1 8 enter` is a strike, whether the `s` was refused or not: what comes behind a refused key
belongs to it, and does nothing.
"""

from __future__ import annotations

from collections.abc import Callable

PAUSE = 1.0
"""Seconds without a key, after which the next one is meant as it stands."""
ENDS = ("enter", "escape")
"""The keys that end an answer, and so what is typed on."""


class TypedOn:
    """Whether a key belongs to an answer that nobody asks for any more.

    `clock` gives seconds; only differences of what it gives count.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._last: float | None = None  # when the last key came that belonged to it

    def begin(self) -> None:
        """Take the keys that follow for typed on."""
        self._last = self._clock()

    def end(self) -> None:
        """Take no more keys for typed on."""
        self._last = None

    def swallows(self, pressed: str) -> bool:
        """Whether a key does nothing, since it was typed on. Keys that no answer has, with ctrl or
        a number behind an F, always act, as escape does: it closes what stands there."""
        if self._last is None:
            return False
        now = self._clock()
        is_over = now - self._last >= PAUSE or _is_no_answer(pressed)
        self._last = None if is_over or pressed in ENDS else now
        return not is_over and pressed != "escape"


def _is_no_answer(pressed: str) -> bool:
    return "ctrl+" in pressed or (pressed[:1] == "f" and pressed[1:].isdecimal())

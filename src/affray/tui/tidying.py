"""What is done between two keys, never in the midst of one: memory that nobody uses any more is
looked for, and what the next key may bring into sight is drawn.

Python looks for memory whenever so many objects have been made, which is while something is drawn.
A young generation takes it about a millisecond, and all of them five: as much as the key itself.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.screen import Screen
    from textual.timer import Timer

PAUSE = 0.02
"""Seconds after a key. Nobody types the next one so soon, and one that comes waits a moment."""

ALL_EVERY = 50
"""Mostly the young ones are looked at; every so often all."""


class Tidying:
    """Looks for what can be given back, a moment after the last key; and has `prepare` done."""

    def __init__(self, screen: Screen[None], prepare: Callable[[], None]) -> None:
        self._timer: Timer = screen.set_interval(PAUSE, self.tidy, pause=True)
        self._prepare = prepare
        self._times = 0

    def after_key(self) -> None:
        """Do it when no other key has come for a moment."""
        self._timer.reset()
        self._timer.resume()

    def tidy(self) -> None:
        """Do it now."""
        self._timer.pause()
        self._times += 1
        gc.collect(1 if self._times % ALL_EVERY else 2)
        self._prepare()


def put_away() -> None:
    """Put all that is there now out of the collector's sight.

    An opened fight and its screen are a hundred thousand objects that live until they are left.
    Those of a fight that was left are given back first; for the first one there is nothing to look
    for, which would take as long as painting it.
    """
    if gc.get_freeze_count():
        gc.unfreeze()
        gc.collect()
    gc.freeze()

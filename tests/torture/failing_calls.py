"""A disk that answers with an error, and an editor that saves, at every system call in turn."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

from tests.torture.calls import watched
from tests.torture.plays import (
    DELETED,
    OLDER_TEXT,
    SCENES,
    Played,
    Scene,
    save_by_rename,
    stage,
    verify,
)
from tests.torture.table import Tally, fault

MOST_CALLS = 500


def _every_call(
    tally: Tally, scene: Scene, where: str, meddle: Callable[[int, Played], Any], strict: bool
) -> None:
    """Play the scene once for each system call it makes, with something done at that call."""
    for number in count(1 if not tally.short else tally.rng.randint(1, 4), tally.times(1, 7)):
        played = stage(scene, tally.folder / "table")
        tally.tries += 1
        at = f"{scene.name}, {where} at call {number}"
        hook = meddle(number, played)
        try:
            with watched(hook):
                scene.play(played)
        except Exception as error:
            tally.breaks(at, error)
        for line in played.told:
            tally.say(line, best="NOT saved")
        verify(tally, played, f"{at} ({hook.name})", strict=strict)
        if not hook.happened:
            tally.tries -= 1
            return
        if number > MOST_CALLS:
            tally.fails(f"{at}: it never ends")
            return


class Refuses:
    """The n-th system call fails, or that and all that follow."""

    def __init__(self, number: int, code: int, for_good: bool) -> None:
        self.number, self.code, self.for_good = number, code, for_good
        self.calls, self.happened, self.name = 0, False, ""

    def __call__(self, name: str, arguments: tuple[Any, ...]) -> None:
        self.calls += 1
        if self.calls == self.number or (self.for_good and self.calls > self.number):
            self.happened, self.name = True, self.name or name
            raise OSError(self.code, os.strerror(self.code))


@fault("an I/O error at every system call, once")
def fails_once(tally: Tally) -> None:
    """Creating, appending, mending, repairing and reading anew.

    What is told not to be saved is not there.
    """
    for code in (errno.EIO, errno.ENOSPC, errno.EACCES)[: tally.times(3, 1)]:
        for scene in (*SCENES, OLDER_TEXT, DELETED):
            _every_call(
                tally,
                scene,
                errno.errorcode[code],
                lambda number, _, code=code: Refuses(number, code, for_good=False),
                strict=True,
            )


@fault("an I/O error at every system call, for good")
def fails_for_good(tally: Tally) -> None:
    """From one call on everything fails; afterwards the disk works again."""
    for scene in SCENES:
        _every_call(
            tally,
            scene,
            "EIO for good",
            lambda number, _: Refuses(number, errno.EIO, for_good=True),
            strict=False,
        )


class _Editor:
    """At the n-th system call an editor saves its text, which it read when the fight was opened."""

    def __init__(self, number: int, path: Path, edit: Callable[[bytes], bytes], whole: bool):
        self.number, self.path, self.edit, self.whole = number, path, edit, whole
        self.calls, self.happened, self.name = 0, False, ""
        self.older, self.locks = path.read_bytes(), 0

    def __call__(self, name: str, arguments: tuple[Any, ...]) -> None:
        self.calls += 1
        self.locks += name == "flock"  # the second one lets go of the file: then it is not ours
        if self.calls == self.number and self.locks < 2:
            self.happened, self.name = True, name
            save_by_rename(
                self.path, self.edit(self.path.read_bytes() if self.whole else self.older)
            )


@fault("an editor saves by rename at every system call")
def edited(tally: Tally) -> None:
    """The text as it is with a change in it, and an older text over newer entries."""
    append = next(scene for scene in SCENES if scene.name == "append")

    def change(raw: bytes) -> bytes:
        return raw.replace(b"by = -2", b"by = -1", 1)

    for whole in (True, False):
        which = "an edited text" if whole else "an older text"
        _every_call(
            tally,
            append,
            which,
            lambda number, played, whole=whole: _Editor(number, played.path, change, whole),
            strict=True,
        )

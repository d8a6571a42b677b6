"""Two writers that share no lock; a disk that is full when a fight begins or is opened torn."""

from __future__ import annotations

import errno
import os
import resource
import signal
from itertools import count
from pathlib import Path
from typing import Any

from tests.torture.calls import watched
from tests.torture.failing_calls import Refuses
from tests.torture.fights import log_of, saved_commands, table_clock
from tests.torture.places import fresh
from tests.torture.plays import Played
from tests.torture.table import Tally, fault

from affray.core.dice import SeededDice
from affray.rulesets import load_ruleset
from affray.store.log_file import read_log
from affray.store.open_encounter import OpenEncounter


class _Rival:
    """At the n-th system call of one writer the other gives a command, whole."""

    def __init__(self, number: int, played: Played, fight: OpenEncounter) -> None:
        self.number, self.played, self.fight = number, played, fight
        self.calls, self.happened = 0, False

    def __call__(self, name: str, arguments: tuple[Any, ...]) -> None:
        self.calls += 1
        if self.calls == self.number:
            self.happened = True
            self.played.give(self.fight, f"note 'theirs {self.number}'")


@fault("two writers that share no lock")
def rivals(tally: Tally) -> None:
    """Through a hard link in another folder: one saves at every system call of the other."""
    for number in count(1):
        played = fresh(tally.folder / "table")
        other = tally.folder / "other" / "fight.toml"
        other.parent.mkdir(exist_ok=True)
        for file in other.parent.iterdir():
            file.unlink()
        os.link(played.path, other)
        theirs = Played(other)
        tally.tries += 1
        with (
            OpenEncounter.open(played.path, SeededDice(1), table_clock()) as ours,
            OpenEncounter.open(other, SeededDice(2), table_clock()) as rival,
        ):
            hook = _Rival(number, theirs, rival)
            with watched(hook):
                played.give(ours, "note 'ours'")
                played.give(ours, "note 'and ours'")
        for line in (
            *played.told,
            *theirs.told,
            *ours.foreign_edit_notes,
            *rival.foreign_edit_notes,
        ):
            tally.say(line)
        text = read_log(played.path)
        there = saved_commands(played.path)
        if gone := [c for c in (*played.saved, *theirs.saved) if there.count(c) != 1]:
            tally.lose(f"call {number}: {gone}", len(gone))
        if text.notes or len(there) != len(played.saved) + len(theirs.saved):
            tally.misreads(f"call {number}: {text.notes}, {len(there)} entries")
        if not hook.happened:
            tally.tries -= 1
            tally.told = tally.told or "(nothing: each command is decided on what is there)"
            return


@fault("a torn log on a full disk")
def torn_and_full(tally: Tally) -> None:
    """It can't be moved to a file beside it: then it stays where it is, and no empty file comes."""
    before, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.getsignal(signal.SIGXFSZ)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    path = tally.folder / "fight.toml"
    raw = log_of(9)[:-30]
    try:
        for room in range(0, 60, tally.times(1, 20)):
            path.write_bytes(raw)
            tally.tries += 1
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
            opened = tally.attempt(f"room for {room}", lambda: OpenEncounter.open(path).close())
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
            left = sorted(file.name for file in tally.folder.iterdir())
            if opened or left != ["fight.toml", "fight.toml.lock"]:
                tally.fails(f"room for {room}: {left}")
            if path.read_bytes() != raw:
                tally.lose(f"room for {room}: the torn end")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


@fault("a fight that can't be begun")
def not_begun(tally: Tally) -> None:
    """Each system call of beginning one fails; and its name is a link to itself."""
    folder = tally.folder / "table"
    folder.mkdir()
    path = folder / "fight.toml"
    load_ruleset("monsters-and-magic")  # the program's own files are none that can be lacking
    for number in count(1):
        tally.tries += 1
        hook = Refuses(number, errno.ENOSPC, for_good=False)
        with watched(hook):
            begun = tally.attempt(f"call {number}", lambda: _begun(path))
        left = sorted(file.name for file in folder.iterdir())
        if not path.exists() and left and hook.name not in ("unlink", "close"):
            tally.fails(f"call {number} ({hook.name}): {left}")
        for file in folder.iterdir():
            file.unlink()
        if not hook.happened:
            tally.tries -= 1
            if not begun:
                tally.fails("it can't be begun at all")
            break
    path.symlink_to(path)
    for command in ("new", "show", "log", "check", "do"):
        tally.tries += 1
        if _status(tally, command, path) != 2 or [*folder.iterdir()] != [path]:
            tally.fails(f"{command} of a link to itself")


def _begun(path: Path) -> None:
    OpenEncounter.create(path, "monsters-and-magic", "New", SeededDice(1), table_clock()).close()


def _status(tally: Tally, command: str, path: Path) -> int:
    from tests.torture.not_all import said_by

    try:
        return said_by(command, str(path))[0]
    except Exception as error:
        tally.breaks(f"{command} of a link to itself", error)
        return 0

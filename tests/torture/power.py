"""Power lost: what a file system may keep of what was not yet forced to the disk.

The system calls of a play are recorded. Behind each of them the power may go; then of every file
any part of its unsynced sectors is there, its size is any on the way, what is missing reads as
zeros or as what lay there before, and of the names in the folder any part is there.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice, product
from pathlib import Path
from typing import Any

from tests.torture.calls import watched
from tests.torture.damaged_bytes import SECTOR
from tests.torture.fights import kept, log_of
from tests.torture.plays import SCENES, Played, Scene, stage, verify
from tests.torture.table import Tally, fault

Names = dict[str, int]
MOST_SECTORS = 5


@dataclass
class File:
    """What of a file is surely on the disk, and what the program sees."""

    synced: bytes = b""
    seen: bytes = b""


@dataclass
class Disk:
    """A folder as the program sees it, and as it surely is after the power was lost."""

    names: Names = field(default_factory=dict)
    pending: list[Callable[[Names], None]] = field(default_factory=list)
    files: list[File] = field(default_factory=list)
    open_files: dict[int, int] = field(default_factory=dict)
    folders: set[int] = field(default_factory=set)
    acknowledged: list[str] = field(default_factory=list)
    created: bool = False

    def name(self, change: Callable[[Names], None]) -> None:
        """A name changes; on the disk only once the folder is."""
        self.pending.append(change)

    def now(self) -> Names:
        """The names as the program sees them."""
        names = dict(self.names)
        for change in self.pending:
            change(names)
        return names

    def opened(self, fd: int, path: str, new: bool) -> None:
        """A file or a folder was opened; locks are nothing that must last."""
        self.open_files.pop(fd, None)
        self.folders.discard(fd)
        name = Path(path).name
        if os.path.isdir(path):  # noqa: PTH112
            self.folders.add(fd)
        elif not name.endswith(".lock"):
            if new:
                self.files.append(File())
                number = len(self.files) - 1
                self.name(lambda names: names.update({name: number}))
            self.open_files[fd] = self.now()[name]

    def wrote(self, fd: int, data: bytes) -> None:
        """Bytes at the end of a file."""
        if fd in self.open_files:
            self.files[self.open_files[fd]].seen += data

    def cut(self, fd: int, size: int) -> None:
        """A file became shorter."""
        file = self.files[self.open_files[fd]]
        file.seen = file.seen[:size]

    def synced(self, fd: int) -> None:
        """What was seen is on the disk now."""
        if fd in self.folders:
            self.names, self.pending = self.now(), []
        elif fd in self.open_files:
            file = self.files[self.open_files[fd]]
            file.synced = file.seen

    def linked(self, old: str, new: str) -> None:
        """A file has a second name."""
        number = self.now()[Path(old).name]
        self.name(lambda names: names.update({Path(new).name: number}))

    def moved(self, old: str, new: str) -> None:
        """A file has another name."""
        self.linked(old, new)
        self.unlinked(old)

    def unlinked(self, path: str) -> None:
        """A name is gone."""
        self.name(lambda names: names.pop(Path(path).name, None) and None)

    # -- what may be left --------------------------------------------------------------------------

    def left(self, rng: random.Random, fill: bytes, most: int) -> Iterator[dict[str, bytes]]:
        """Folders as they may be found afterwards, some of many when there are too many."""
        found = set()
        for names in self._names_left():
            rows = sorted(names.items())
            for contents in product(
                *(list(islice(_left(self.files[n], rng, fill), most)) for _, n in rows)
            ):
                state = tuple((name, raw) for (name, _), raw in zip(rows, contents, strict=True))
                if state not in found:
                    found.add(state)
                    yield dict(state)

    def _names_left(self) -> Iterator[Names]:
        pending = self.pending[-MOST_SECTORS:]
        for chosen in product((True, False), repeat=len(pending)):
            names = dict(self.names)
            for change in self.pending[: -len(pending)] if pending else ():
                change(names)
            for change, done in zip(pending, chosen, strict=True):
                if done:
                    change(names)
            yield names


def _left(file: File, rng: random.Random, fill: bytes) -> Iterator[bytes]:
    """A file of which nobody knows how much of the last writes is there."""
    if file.seen == file.synced:
        yield file.seen
        return
    short, long = sorted((len(file.synced), len(file.seen)))
    edges = range(short - short % SECTOR + SECTOR, long, SECTOR)
    sizes = [long, short, *edges, *(rng.randint(short, long) for _ in range(3))]
    if len(file.seen) < len(file.synced):  # cut off, or not yet
        yield from (file.synced[:size] for size in sizes)
        return
    dirty = list(range(short // SECTOR, (long - 1) // SECTOR + 1))
    subsets = list(product((True, False), repeat=len(dirty)))
    for size in sizes:
        for there in rng.sample(subsets, min(len(subsets), 2**MOST_SECTORS)):
            raw = bytearray(file.synced + (fill * (long // len(fill) + 1))[short:long])
            for sector in (s for s, done in zip(dirty, there, strict=True) if done):
                place = slice(sector * SECTOR, min((sector + 1) * SECTOR, long))
                raw[place] = file.seen[place]
            yield bytes(raw[:size])


def _recorded(disk: Disk, at_each: Callable[[], None], play: Callable[[], None]) -> None:
    """Play, and keep the model of the disk in step; `at_each` is called behind every change."""

    def changed(name: str, row: tuple[Any, ...]) -> None:
        result, *arguments = row
        if name == "open":
            disk.opened(result, os.fspath(arguments[0]), bool(arguments[1] & os.O_CREAT))
        elif name == "write":
            disk.wrote(arguments[0], bytes(arguments[1][:result]))
        elif name == "ftruncate":
            disk.cut(arguments[0], arguments[1])
        elif name == "fsync":
            disk.synced(arguments[0])
        elif name == "link":
            disk.linked(*map(os.fspath, arguments))
        elif name in ("replace", "rename"):
            disk.moved(*map(os.fspath, arguments))
        elif name == "unlink":
            disk.unlinked(os.fspath(arguments[0]))
        else:
            return
        at_each()

    with watched(lambda name, arguments: None, changed):
        play()


def _lose_power(tally: Tally, scene: Scene, fill: bytes, what: str, playable: bool) -> None:
    played = stage(scene, tally.folder / "table")
    played.long = "x" * tally.rng.randint(300, 3000)
    disk = Disk(created=played.created, acknowledged=list(played.saved))
    begun = scene.begins()
    if begun is not None:
        disk.files.append(File(begun, begun))
        disk.names[scene.file] = 0
    found: set[tuple[object, ...]] = set()
    step = 0

    def acknowledged(command: str) -> None:
        disk.created = True
        disk.acknowledged += [command] if command else []

    def power_lost() -> None:
        nonlocal step
        step += 1
        for state in disk.left(tally.rng, fill, tally.times(400, 6)):
            key = (*sorted(state.items()), len(disk.acknowledged), disk.created)
            if key not in found:
                found.add(key)
                where = f"{scene.name}, {what}, behind change {step}"
                _found_so(tally, disk, state, where, playable)

    played.on_saved = acknowledged
    _recorded(disk, power_lost, lambda: scene.play(played))
    if played.told:
        tally.fails(f"{scene.name}: {played.told[0]}")


def _found_so(
    tally: Tally, disk: Disk, state: dict[str, bytes], where: str, playable: bool
) -> None:
    """The power is back, and this is what is there."""
    folder = tally.folder / "afterwards"
    folder.mkdir(exist_ok=True)
    for file in folder.iterdir():
        file.unlink()
    for name, raw in state.items():
        (folder / name).write_bytes(raw)
    tally.tries += 1
    played = Played(folder / "fight.toml", disk.created, list(disk.acknowledged))
    if disk.created and not played.path.exists():
        tally.lose(f"{where}: the file is gone", 1 + len(disk.acknowledged))
        return
    verify(tally, played, where, playable=playable)
    if scene_tail and played.path.exists() and scene_tail not in kept(played.path):
        tally.lose(f"{where}: the unfinished entry that was there is not kept")


scene_tail = b""


@fault("power lost at every point, what is missing reads as zeros")
def zeros(tally: Tally) -> None:
    """Creating, appending, mending, repairing: afterwards the fight opens and is played on."""
    _every_scene(tally, b"\0", "zeros", True)


@fault("power lost at every point, what is missing reads as old bytes")
def old_bytes(tally: Tally) -> None:
    """As the other, with another log's bytes in the gaps: the fight may be open to be read only."""
    _every_scene(tally, log_of(60, seed=3)[700:], "old bytes", False)


def _every_scene(tally: Tally, fill: bytes, what: str, playable: bool) -> None:
    global scene_tail
    for scene in SCENES[:4]:
        begun = scene.begins() if scene.name == "mend" else None
        scene_tail = begun[len(log_of(8)) :].strip() if begun else b""
        for _ in range(tally.times(6, 1)):
            _lose_power(tally, scene, fill, what, playable)

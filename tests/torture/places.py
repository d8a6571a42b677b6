"""Where the file lies turns against it: full, read-only, deleted, replaced; and a wrong clock."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from itertools import product
from pathlib import Path

from tests.torture.fights import BEGUN, commands, log_of, saved_commands, table_clock
from tests.torture.plays import Played, save_by_rename, verify
from tests.torture.table import Tally, fault

from affray.core.dice import SeededDice
from affray.core.parser.errors import Refused
from affray.store import LogError
from affray.store.open_encounter import OpenEncounter


def fresh(folder: Path) -> Played:
    """A fight of eight entries in a folder, and nothing else in it."""
    folder.mkdir(exist_ok=True)
    for file in folder.iterdir():
        file.unlink()
    path = folder / "fight.toml"
    path.write_bytes(log_of(8))
    return Played(path, created=True, saved=commands(8))


def _played_until_refused(tally: Tally, played: Played, where: str, most: int = 400) -> None:
    """Commands of any length until one is told not to be saved, and one more after that."""
    try:
        with OpenEncounter.open(played.path, SeededDice(1), table_clock()) as fight:
            for number in range(most):
                played.give(fight, f"note 'word {number} {'z' * tally.rng.randint(0, 900)}'")
                if len(played.refused) == 2:
                    break
    except (LogError, Refused) as error:
        played.told.append(str(error))
    except Exception as error:
        tally.breaks(where, error)
    for line in played.told:
        tally.say(line, best="NOT saved")


@fault("a full disk, by a limit of the file's size")
def limited(tally: Tally) -> None:
    """The file may grow by so many bytes, and not by one more."""
    before, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.getsignal(signal.SIGXFSZ)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        for room in range(0, 3000, tally.times(7, 400)):
            played = fresh(tally.folder / "table")
            tally.tries += 1
            limit = played.path.stat().st_size + room
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, before[1]))
            _played_until_refused(tally, played, f"room for {room}")
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
            _refused(tally, played, f"room for {room}")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


def _refused(tally: Tally, played: Played, where: str) -> None:
    if not played.told:
        tally.fails(f"{where}: nothing was said")
    verify(tally, played, where)


@fault("a full disk, on a small tmpfs")
def full(tally: Tally) -> None:
    """A disk of a few pages, nearly filled by another file."""
    disk = tally.folder / "disk"
    disk.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(disk)], capture_output=True
    )
    if done.returncode:
        tally.skipped = "no tmpfs may be mounted here"
        return
    try:
        for filling in range(0, 48, tally.times(2, 24)):
            for file in disk.iterdir():
                file.unlink()
            played = fresh(disk)
            tally.tries += 1
            with suppress(OSError):
                (disk / "filling").write_bytes(bytes(1024 * filling))
            _played_until_refused(tally, played, f"{filling} kB")
            (disk / "filling").unlink()
            _moved_to_room(tally, played, f"{filling} kB")
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def _moved_to_room(tally: Tally, played: Played, where: str) -> None:
    """The GM makes room, by copying the fight to a larger disk."""
    folder = tally.folder / "room"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(played.path.parent, folder)
    played.path = folder / played.path.name
    _refused(tally, played, where)


@contextmanager
def _fixed(path: Path) -> Iterator[bool]:
    """Nobody may write it, not even root: no mode binds root, but this flag of the file does."""
    done = subprocess.run(["chattr", "+i", str(path)], capture_output=True)
    try:
        yield done.returncode == 0
    finally:
        subprocess.run(["chattr", "-i", str(path)], capture_output=True)


@fault("a read-only file")
def read_only_file(tally: Tally) -> None:
    """From before it is opened, and from the third command on."""
    _read_only(tally, lambda played: played.path)


@fault("a read-only folder")
def read_only_folder(tally: Tally) -> None:
    """The lock can't be made; a fight that is open already goes on, for its file may be written."""
    _read_only(tally, lambda played: played.path.parent)


def _read_only(tally: Tally, which: Callable[[Played], Path]) -> None:
    if shutil.which("chattr") is None:
        tally.skipped = "there is no chattr here"
        return
    for commands_before in (None, 0, 3):
        played = fresh(tally.folder / "table")
        tally.tries += 1
        if commands_before is None:
            with _fixed(which(played)) as is_fixed:
                if not is_fixed:
                    tally.skipped = "no file can be made unchangeable here"
                    return
                _played_until_refused(tally, played, "from the start", most=5)
                _looked_at(tally, played)
                if not played.told:
                    tally.fails("nothing was said")
        else:
            with OpenEncounter.open(played.path, SeededDice(1), table_clock()) as fight:
                for number in range(commands_before):
                    played.give(fight, f"note 'before {number}'")
                with _fixed(which(played)):
                    played.give(fight, "note 'meanwhile'")
        for line in played.told:
            tally.say(line)
        verify(tally, played, f"after {commands_before} commands")


def _looked_at(tally: Tally, played: Played) -> None:
    with OpenEncounter.open_or_view(played.path) as fight:
        if len(fight.history.entries) != len(played.saved):
            tally.misreads("looked at only")


@fault("a file that is deleted while open")
def deleted(tally: Tally) -> None:
    """After any command, found at the next one or on closing. Nothing is made in its place.

    All that it held is put beside it, as a log, when the next command finds it gone, or on closing
    if entries were saved; who only looked at it may have deleted it on purpose.
    """
    for before, goes_on in product(range(tally.times(20, 3)), (True, False)):
        where = f"after {before}{', and on' if goes_on else ''}"
        played = fresh(tally.folder / "table")
        tally.tries += 1
        aside = played.path.with_name("deleted")
        with OpenEncounter.open(played.path, SeededDice(1), table_clock()) as fight:
            for number in range(before):
                played.give(fight, f"note 'before {number}'")
            played.path.replace(aside)
            if goes_on:
                played.give(fight, "note 'meanwhile'")
            if len(fight.history.entries) != len(played.saved):
                tally.misreads(f"{where}: the fight went on without its file")
        played.told += fight.foreign_edit_notes
        if before or goes_on:
            _say_all(tally, played, where)
        if played.path.exists():
            tally.fails(f"{where}: a file was made in its place")
            continue
        _kept_whole(tally, played, aside, before > 0 or goes_on, where)
        aside.replace(played.path)
        verify(tally, played, f"{where}, taken out of the bin")


def _kept_whole(tally: Tally, played: Played, aside: Path, is_kept: bool, where: str) -> None:
    """What was deleted with new entries in it lies beside it, as it was."""
    found = list(played.path.parent.glob(f"{played.path.name}.torn-*"))
    if not is_kept and found:
        tally.fails(f"{where}: {found[0].name} was made for nothing")
    if is_kept and [file.read_bytes() for file in found] != [aside.read_bytes()]:
        tally.lose(f"{where}: what was kept is not what was deleted")


@fault("a file that is replaced while open")
def replaced(tally: Tally) -> None:
    """By an older text, another fight, no log at all, a folder; and by a link to another."""
    texts = (log_of(5), log_of(40, seed=3), b"Dear diary", b"", log_of(9)[:-20], log_of(8) * 2)
    for text in texts:
        for before in range(tally.times(6, 2)):
            played = fresh(tally.folder / "table")
            first, played.saved = played.saved, []
            tally.tries += 1
            aside = played.path.with_name("aside")
            try:
                with OpenEncounter.open(played.path, SeededDice(1), table_clock()) as fight:
                    for number in range(before):
                        played.give(fight, f"note 'before {number}'")
                    shutil.copyfile(played.path, aside)
                    save_by_rename(played.path, text)
                    played.give(fight, "note 'after the one'")
                    played.give(fight, "note 'after the other'")
            except Exception as error:
                tally.breaks(f"{text[:20]!r} after {before}", error)
            for line in played.told:
                tally.say(line, best="torn")
            _in_any(tally, played, first, aside)


def _in_any(tally: Tally, played: Played, first: list[str], aside: Path) -> None:
    """What was acknowledged here is in the file, or in one beside it."""
    from tests.torture.fights import kept

    beside = kept(played.path).decode(errors="replace")
    gone = [command for command in played.saved if f'command = "{command}"' not in beside]
    if gone:
        tally.lose(f"{gone[0]!r}", len(gone))
    if saved_commands(aside)[:8] != first:
        tally.misreads("the old file was changed")


def _say_all(tally: Tally, played: Played, where: str) -> None:
    if not played.told:
        tally.fails(f"{where}: nothing was said")
    for line in played.told:
        tally.say(line, best="kept")


@fault("a clock that jumps back")
def clock(tally: Tally) -> None:
    """The clock of the commands, by up to centuries, and the times that the file bears."""
    for attempt in range(tally.times(40, 3)):
        played = fresh(tally.folder / "table")

        def jumping() -> datetime:
            moved = timedelta(seconds=tally.rng.choice((-1, -3600, -(10**9), 10**9, 0)))
            return max(min(BEGUN + moved * tally.rng.randint(0, 9), _LATEST), _EARLIEST)

        with OpenEncounter.open(played.path, SeededDice(1), jumping) as fight:
            for number in range(12):
                tally.tries += 1
                played.give(fight, f"note 'tick {number}'")
                if tally.rng.random() < 0.5:
                    moment = tally.rng.randint(0, 2 * 10**9)
                    os.utime(played.path, (moment, moment))
        if played.refused:
            tally.lose(f"{attempt}: {played.told[0]}", len(played.refused))
        verify(tally, played, f"{attempt}")
        if saved_commands(played.path)[: len(played.saved)] != played.saved:
            tally.misreads(f"{attempt}: the order is another")
    tally.told = tally.told or "(nothing: entries are ordered by their numbers)"


_EARLIEST, _LATEST = datetime(1, 1, 2, tzinfo=UTC), datetime(9999, 12, 30, tzinfo=UTC)

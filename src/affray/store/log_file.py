"""A log on the disk: read by any number of processes, appended to by one (`LogFile`).

A command is saved by one write of its whole block to the end of the file, and an fsync; only then
does the GM see it. The file is opened by name for each write and compared with its last stamp, so
that a save by an editor is noticed first. A failed write or fsync is never retried: what is on the
disk then is only known after the log was opened anew.
"""

import errno
import os
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self

from msgspec.structs import replace

from affray.core.engine.history import LAST_SEQ
from affray.data_text import Table
from affray.store import InUse, LogError, SaveFailed, StaleLog
from affray.store.entry_toml import format_entry, sealed_header
from affray.store.filesystem import (
    MOST_BYTES,
    ON_WINDOWS,
    keep_beside,
    log_error_from,
    open_plain,
    os_error_text,
    patiently,
    publish_atomically,
    read_fd,
    sync,
)
from affray.store.foreign_edits import WriterMemory, snapshot_bytes, snapshot_log
from affray.store.log_recovery import FORMAT, ParsedLog, Stamp, judge_more, parse_log

if TYPE_CHECKING:
    from filelock import FileLock


# -------------------------------------------------------------------------------------------------
# The lock: one process writes, any number read.


MOST_OF_LOCK = 512
"""The bytes of a lock."""


def acquire_lock(path: Path, name: str) -> "FileLock":
    """Lock the log at `path` for this process. Raises InUse if another one has the lock."""
    # Imported here: reading takes no lock, and the import costs 10 ms.
    from filelock import FileLock, Timeout

    if not is_lock(Path(f"{path}.lock")):
        raise LogError(f"{name} can't be locked for writing ({path.name}.lock is not affray's)")
    # Not bound to a thread: another thread may close the log than opened it.
    lock = FileLock(f"{path}.lock", timeout=0, thread_local=False)
    try:
        lock.acquire()
    except Timeout:
        raise InUse(f"{name} is open for writing elsewhere") from None
    except (OSError, NotImplementedError, RuntimeError) as error:
        remove_orphaned_lock(path)
        raise LogError(f"{name} can't be locked for writing ({os_error_text(error)})") from error
    return lock


def is_lock(path: Path) -> bool:
    """True for a plain file that is empty, as locks are, or if none is.

    On a disk without locks, the number of the process stands in it.
    """
    try:
        content = read_fd(open_plain(path, os.O_RDONLY, follows=False), MOST_OF_LOCK)
    except FileNotFoundError:
        return True
    except OSError as error:
        return isinstance(error, PermissionError)  # on Windows nobody reads one that is held
    return not content or re.match(rb"[0-9]+\n", content) is not None


def remove_orphaned_lock(path: Path) -> None:
    """Remove the lock file of a log that doesn't exist."""
    if not os.path.lexists(path) and is_lock(Path(f"{path}.lock")):
        with suppress(OSError):
            os.unlink(f"{path}.lock")  # noqa: PTH108


def check_writable(path: Path, name: str) -> None:
    """Raises LogError if the file at `path` may not be written, and OSError for other faults."""
    try:
        os.close(_opened(path, os.O_WRONLY | os.O_APPEND))
    except OSError as error:
        if error.errno not in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise
        raise LogError(f"{name} can't be written ({os_error_text(error)})") from error


def read_log(path: str | os.PathLike[str]) -> ParsedLog:
    """Read the log at `path` without a lock, and without repairing anything.

    An unfinished last entry is left out, kept in `torn`, and noted. It may be a write in progress,
    so the file is read again if it has changed meanwhile. Raises LogError or a subclass.
    """
    for _ in range(3):
        with log_error_from(path):
            raw, stamp = _read(path)
            text = parse_log(raw, os.fspath(path), stamp)
            if text.torn is None or _stamp(os.stat(path)) == stamp:  # noqa: PTH116
                break
    return replace(text, crc=zlib.crc32(raw))


def read_more(path: str | os.PathLike[str], before: ParsedLog) -> ParsedLog | None:
    """Read the entries saved since `before` was read, as a log of these alone.

    Returns None if the checksum shows any other change: then the file must be read anew. `before`
    needs its last block only. Raises LogError.
    """
    if before.torn is not None or not before.ends_line:
        return None
    with log_error_from(path), os.fdopen(_opened(path, os.O_RDONLY), "rb") as file:
        stamp = _stamp(os.fstat(file.fileno()))
        if stamp[0] != before.stamp[0] or stamp[1] <= before.end:
            return None
        is_unchanged = zlib.crc32(file.read(before.end)) == before.crc
        raw = file.read(stamp[1] - before.end)
        is_stable = _stamp(os.fstat(file.fileno())) == stamp
    return judge_more(raw, before, stamp) if is_unchanged and is_stable else None


def file_stamp(path: str | os.PathLike[str]) -> Stamp:
    """Return the file's present stamp, which changes with each save. Raises LogError."""
    with log_error_from(path):
        return _stamp(os.stat(path))  # noqa: PTH116


class LogFile:
    """A log that is open for its one writer, who holds the lock until `close`.

    Attributes:
        text: the log as last read; its notes are for the GM.
        last_seq: the number of the last entry in it.
        failure: why the log has become read-only, or None.
        failed_by: the system's own words for that: `disk full`.
        memory: notices entries that others remove from the file, and keeps them.
    """

    text: ParsedLog
    last_seq: int
    _stamp: Stamp
    _line_open: bool  # the last line of the file lacks its end

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Take the lock; callers use `open` or `create`, which call this."""
        self.name = os.fspath(path)
        self.failure: str | None = None
        self.failed_by = ""
        # Two names of one file, through a link, must use one lock.
        self.path = _resolved(path)
        self.memory = WriterMemory(self.path)
        self._lock = acquire_lock(self.path, self.name)

    @classmethod
    def create(cls, path: str | os.PathLike[str], header: Table) -> Self:
        """Create a log at `path`, on the disk before this returns; adds `format` to the header.

        Raises LogError if the name is taken or the file can't be written, and ValueError for a
        header that can't be written.
        """
        content = sealed_header({"format": FORMAT, **header})
        parse_log(content, os.fspath(path))
        target = _resolved(path)
        with log_error_from(path):
            if os.path.lexists(path):  # a link that leads nowhere as well
                raise LogError(f"{os.fspath(path)} exists already; nothing was changed")
            if not target.parent.is_dir():
                raise LogError(f"there is no folder {target.parent}")
        log = cls(path)
        with log._closed_on_error(), log_error_from(path):
            try:
                publish_atomically(target, content)
            except OSError:
                remove_orphaned_lock(target)
                raise
            log._load()
        return log

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Self:
        """Open and lock the log at `path`; a torn tail is moved to a file beside it, and noted.

        Raises InUse if another writer has it; Damaged, NotALog or NewerFormat for its content;
        LogError if it is missing, unreadable or may not be written.
        """
        with log_error_from(path):
            os.close(_opened(path, os.O_RDONLY))  # a missing file should not leave a lock behind
            if not os.path.lexists(f"{_resolved(path)}.lock"):  # nor what can't be played
                read_log(path)
                check_writable(_resolved(path), os.fspath(path))
        log = cls(path)
        with log._closed_on_error(), log_error_from(path):
            log._load()
        return log

    def append(self, body: Table) -> int:
        """Save one entry, and return its number; when this returns, it is on the disk.

        Raises:
            StaleLog: another program saved the file since it was read. Nothing was saved: the
                caller must `reread`, and decide the command anew.
            SaveFailed: the entry can't be written as TOML, and the log stays usable; or the disk
                refused, and the log is read-only from now on.
        """
        if self.failure is not None:
            raise SaveFailed(f"the command was NOT saved: {self.failure}")
        seq = self.last_seq + 1
        if seq > LAST_SEQ:
            raise SaveFailed(
                f"the command was NOT saved: {self.name} ends with entry {self.last_seq}, the "
                "highest number there is; give its last entry a lower `seq` by hand"
            )
        try:
            block = format_entry(body, seq)
        except (ValueError, RecursionError) as error:
            raise SaveFailed(f"the command was NOT saved: {error}") from error
        try:
            self._write(b"\n" + block if self._line_open else block)
        except OSError as error:
            self.failure = self._rescue_removed()
            if not self.failure:
                self.failed_by = os_error_text(error)
                self.failure = f"{self.name} is read-only from here on ({self.failed_by})"
            raise SaveFailed(f"the command was NOT saved: {self.failure}") from error
        self.memory.add(seq, block)
        self._line_open = False
        self.last_seq = seq
        return seq

    def reread(self) -> ParsedLog:
        """Read the file again after `StaleLog`; sets `text` to the log, and returns it.

        If entries known to this object are missing, because another program saved an older text
        or another fight over them, the log as it was is saved beside it, and noted. Raises as
        `open` does.
        """
        with log_error_from(self.name):
            return self._load()

    def close(self) -> None:
        """Release the lock; a second call does nothing.

        Entries that others removed since the last command are kept: see `memory`.
        """
        if self.memory.has_saved and self._lock.is_locked:
            self._rescue_removed()
        self.memory.remembered = None  # breaks a cycle of references with the open encounter
        self.failure = self.failure or f"{self.name} is closed"
        for _ in range(2):  # if both fail, the end of this process frees the lock
            with suppress(OSError):
                self._lock.release()

    def _rescue_removed(self) -> str:
        """Keep entries that others removed; returns a line on that, empty if none are missing."""
        try:
            if _stamp(os.stat(self.path)) == self._stamp:  # noqa: PTH116
                return ""
            raw, _ = _read(self.path)
        except OSError as error:
            return self.memory.keep_whole(error)
        found = snapshot_bytes(raw, self.name)
        try:
            return self.memory.rescue(found)
        except OSError as error:
            return self.memory.tell_lost(found, error)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _closed_on_error(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self.close()
            raise

    def _load(self) -> ParsedLog:
        raw, stamp = self._read_or_keep()
        try:
            check_writable(self.path, self.name)
            text = parse_log(raw, self.name, stamp)
        except LogError as error:
            rescued = self.memory.rescue(snapshot_bytes(raw, self.name))
            error.args = ("; ".join(filter(None, [str(error), rescued])),)
            raise
        if text.torn is not None:
            text = self._cut_torn_tail(text, text.torn)
        rescued = self.memory.rescue(snapshot_log(text)) if len(self.memory) else ""
        self.text = text = replace(text, notes=(*text.notes, *filter(None, [rescued])))
        self.last_seq, self._stamp, self._line_open = text.last_seq, text.stamp, not text.ends_line
        self.memory.take(text)
        return text

    def _read_or_keep(self) -> tuple[bytes, Stamp]:
        """Read the file; if that fails, keep the log as it was, and raise LogError."""
        try:
            return _read(self.path)
        except OSError as error:
            text = self.memory.keep_whole(error)
            if not text:
                raise
            raise LogError(text) from error

    def _cut_torn_tail(self, text: ParsedLog, torn: bytes) -> ParsedLog:
        """Save the torn tail to a file of its own, and only then cut it off the log."""
        beside = keep_beside(self.path, torn)
        fd = _opened(self.path, os.O_RDWR)
        try:
            if _stamp(os.fstat(fd)) != text.stamp:
                raise StaleLog(f"{self.name} was saved by another program meanwhile: read it again")
            os.ftruncate(fd, text.end)
            sync(fd)
            stamp = _stamp(os.fstat(fd))
        finally:
            os.close(fd)
        note = f"an unfinished entry ({len(torn)} bytes) at the end was moved to {beside.name}"
        return replace(text, torn=None, stamp=stamp, notes=(*text.notes[:-1], note))

    def _write(self, data: bytes) -> None:
        fd = _opened(self.path, os.O_WRONLY | os.O_APPEND)
        try:
            before = os.fstat(fd)
            if _stamp(before) != self._stamp:
                raise self._stale()
            try:
                written = os.write(fd, data)
                if written != len(data):
                    text = f"only {written} of {len(data)} bytes could be written"
                    raise OSError(errno.ENOSPC, text)
                sync(fd)
                after = os.stat(self.path)  # noqa: PTH116
            except OSError:
                # An entry reported as not saved should not turn up later; recovery does the rest.
                _take_back(fd, before.st_size, len(data))
                raise
            start = os.lseek(fd, 0, os.SEEK_CUR) - len(data)
            if start != before.st_size:  # a writer without our lock took our number
                _take_back(fd, start, len(data))
                raise self._stale()
        finally:
            with suppress(OSError):  # by now the entry is on the disk, or reported as not saved
                os.close(fd)
        if after.st_ino != before.st_ino:  # a save by rename came between: we wrote to the old file
            raise self._stale()
        # The size we expect: bytes that others wrote meanwhile show as a change next time.
        self._stamp = (after.st_ino, before.st_size + len(data), after.st_mtime_ns)
        if ON_WINDOWS:  # it may tell the time of a write only once the file is closed
            with suppress(OSError):
                closed = _stamp(os.stat(self.path))  # noqa: PTH116
                self._stamp = closed if closed[:2] == self._stamp[:2] else self._stamp

    def _stale(self) -> StaleLog:
        return StaleLog(
            f"{self.name} was saved by another program meanwhile: "
            "the command was NOT saved, and the log must be read again first"
        )


def _take_back(fd: int, start: int, size: int) -> None:
    """Cut off the bytes written from `start` on, unless others have written after them."""
    with suppress(OSError):
        if os.fstat(fd).st_size <= start + size:
            os.ftruncate(fd, start)


def _resolved(path: str | os.PathLike[str]) -> Path:
    with log_error_from(path):
        return Path(os.path.realpath(path))  # unlike Path.resolve, accepts a link to itself


def _opened(path: str | os.PathLike[str], flags: int) -> int:
    return patiently(partial(open_plain, path, flags))


def _read(path: str | os.PathLike[str]) -> tuple[bytes, Stamp]:
    """Return the file's bytes and stamp; reads again if the file changed meanwhile."""
    with os.fdopen(_opened(path, os.O_RDONLY), "rb") as file:
        for _ in range(3):
            stamp = _stamp(os.fstat(file.fileno()))
            file.seek(0)
            if stamp[1] > MOST_BYTES:
                raise OSError(errno.EFBIG, f"larger than {MOST_BYTES // 2**20} MB")
            raw = file.read()
            if _stamp(os.fstat(file.fileno())) == stamp:
                break
    return raw, stamp


def _stamp(status: os.stat_result) -> Stamp:
    return status.st_ino, status.st_size, status.st_mtime_ns

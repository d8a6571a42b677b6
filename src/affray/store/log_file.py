"""A log on the disk: read by any number of processes, appended to by one (`LogFile`).

A command is saved by one write of its whole block to the end of the file, and an fsync; only then
is the GM told. The file is opened by its name each time and compared with how it was left, so that
an editor's save is noticed before it is built on. Nothing is tried twice: after a failed write or
fsync nobody knows what is on the disk until the log is opened anew.
"""

import errno
import os
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from msgspec.structs import replace

from affray.core.engine.history import LAST_SEQ
from affray.store import InUse, LogError, SaveFailed, StaleLog
from affray.store.entry_toml import format_entry, sealed_header
from affray.store.filesystem import (
    FLAGS,
    keep_beside,
    log_error_from,
    os_error_text,
    publish_atomically,
    sync,
)
from affray.store.foreign_edits import WriterMemory, snapshot_bytes, snapshot_log
from affray.store.log_recovery import FORMAT, ParsedLog, Stamp, judge_more, parse_log

if TYPE_CHECKING:
    from filelock import FileLock


# -------------------------------------------------------------------------------------------------
# The lock: one process writes, any number read.


def acquire_lock(path: Path, name: str) -> "FileLock":
    """The lock of the log at `path`, held by this process. Raises InUse if another has it."""
    # Imported here, because those who only read take no lock, and it costs them 10 ms.
    from filelock import FileLock, Timeout

    # Not bound to a thread: whoever closes the log may not be who opened it.
    lock = FileLock(f"{path}.lock", timeout=0, thread_local=False)
    try:
        lock.acquire()
    except Timeout:
        raise InUse(f"{name} is open for writing elsewhere") from None
    except (OSError, NotImplementedError, RuntimeError) as error:
        without_orphan(path)
        raise LogError(f"{name} can't be locked for writing ({os_error_text(error)})") from error
    return lock


def without_orphan(path: Path) -> None:
    """Take the lock away again where no log has come to be: there is nothing to lock."""
    if not os.path.lexists(path):
        with suppress(OSError):
            os.unlink(f"{path}.lock")  # noqa: PTH108


def read_log(path: str | os.PathLike[str]) -> ParsedLog:
    """The log at `path`, for those who only read: no lock is taken and nothing is repaired.

    An unfinished last entry is left out, kept in `torn`, and noted. Who meets one may have come in
    the middle of a write: if the file has changed since, it is read again. Raises LogError, or one
    of its kinds.
    """
    for _ in range(3):
        with log_error_from(path):
            raw, stamp = _read(path)
            text = parse_log(raw, os.fspath(path), stamp)
            if text.torn is None or _stamp(os.stat(path)) == stamp:  # noqa: PTH116
                break
    return replace(text, crc=zlib.crc32(raw))


def read_more(path: str | os.PathLike[str], before: ParsedLog) -> ParsedLog | None:
    """Read the entries saved after a log was read, as a log of these alone. None when more has
    happened to the file, which its checksum tells: then it must be read anew.

    Of `before` no more is needed than its last block. Raises LogError.
    """
    if before.torn is not None or not before.ends_line:
        return None
    with log_error_from(path), os.fdopen(_opened(path, os.O_RDONLY), "rb") as file:
        stamp = _stamp(os.fstat(file.fileno()))
        if stamp[0] != before.stamp[0] or stamp[1] <= before.end:
            return None
        is_as_it_was = zlib.crc32(file.read(before.end)) == before.crc
        raw = file.read(stamp[1] - before.end)
        is_still = _stamp(os.fstat(file.fileno())) == stamp
    return judge_more(raw, before, stamp) if is_as_it_was and is_still else None


def file_stamp(path: str | os.PathLike[str]) -> Stamp:
    """The stamp of the file at `path` now: another one tells that it was saved. Raises LogError."""
    with log_error_from(path):
        return _stamp(os.stat(path))  # noqa: PTH116


class LogFile:
    """A log that is open for its one writer, who holds the lock until `close`.

    `text` is the log as last read (its notes say what the GM should know), `last_seq` the number
    of the last entry in it, and `failure` why the log has turned read-only, or None. `held` notices
    what others take out of the file, and keeps it.
    """

    text: ParsedLog
    last_seq: int
    _stamp: Stamp
    _line_open: bool  # the last line of the file lacks its end

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Take the lock. Callers want `open` or `create`, which call this."""
        self.name = os.fspath(path)
        self.failure: str | None = None
        # Two names of one file, through a link, must come to one lock.
        self.path = _resolved(path)
        self.held = WriterMemory(self.path)
        self._lock = acquire_lock(self.path, self.name)

    @classmethod
    def create(cls, path: str | os.PathLike[str], header: dict[str, Any]) -> Self:
        """A new log at `path`, on the disk before this returns; `format` is added to `header`.

        Raises LogError if something has that name already, or the folder takes no new file, and
        ValueError for a header that can't be written.
        """
        content = sealed_header({"format": FORMAT, **header})
        parse_log(content, os.fspath(path))
        target = _resolved(path)
        with log_error_from(path):
            if os.path.lexists(target):
                raise LogError(f"{os.fspath(path)} exists already; nothing was changed")
            if not target.parent.is_dir():
                raise LogError(f"there is no folder {target.parent}")
        log = cls(path)
        with log._closed_on_error(), log_error_from(path):
            try:
                publish_atomically(target, content)
            except OSError:
                without_orphan(target)
                raise
            log._load()
        return log

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Self:
        """The log at `path`, locked; a torn tail is moved to a file beside it, and noted.

        Raises InUse if another writer has it, Damaged, NotALog or LaterFormat for what is in it,
        and LogError if it is missing, unreadable or may not be written.
        """
        with log_error_from(path):
            os.close(_opened(path, os.O_RDONLY))  # a missing file should not leave a lock behind
        log = cls(path)
        with log._closed_on_error(), log_error_from(path):
            log._load()
        return log

    def append(self, body: dict[str, Any]) -> int:
        """Save one entry, and return its number; when this returns, it is on the disk.

        Raises Outdated, with nothing saved, if somebody else saved the file since it was read:
        `reread`, and decide anew. Raises NotSaved if the entry can't be written as TOML (the log
        stays usable), or if the disk refuses: then the log is read-only from there on.
        """
        if self.failure is not None:
            raise SaveFailed(f"the command was NOT saved: {self.failure}")
        seq = self.last_seq + 1
        if seq > LAST_SEQ:
            raise SaveFailed(
                f"the command was NOT saved: {self.name} ends with entry {self.last_seq}, and no "
                "number comes after that; give its last entry a lower `seq` by hand"
            )
        try:
            block = format_entry(body, seq)
        except (ValueError, RecursionError) as error:
            raise SaveFailed(f"the command was NOT saved: {error}") from error
        try:
            self._write(b"\n" + block if self._line_open else block)
        except OSError as error:
            read_only = f"{self.name} is read-only from here on ({os_error_text(error)})"
            self.failure = self._looked_at() or read_only
            raise SaveFailed(f"the command was NOT saved: {self.failure}") from error
        self.held.add(seq, block)
        self._line_open = False
        self.last_seq = seq
        return seq

    def reread(self) -> ParsedLog:
        """Read the file again after `StaleLog`; returns, and sets `text` to, what is there now.

        If entries that were read or appended through this object are no longer in the file, because
        somebody saved an older text or another fight over it, all that it held is put into a file
        beside it, and noted. Raises as `open` does.
        """
        with log_error_from(self.name):
            return self._load()

    def close(self) -> None:
        """Let go of the lock. Nothing needs saving, and a second call does nothing.

        What others have done to the file since the last command is looked for: see `held`.
        """
        if self.held.has_saved and self._lock.is_locked:
            self._looked_at()
        self.held.remembered = None  # it leads back to whoever holds this: let both be given back
        self.failure = self.failure or f"{self.name} is closed"
        for _ in range(2):  # what can't be unlocked even then is free when this process ends
            with suppress(OSError):
                self._lock.release()

    def _looked_at(self) -> str:
        """What others did to the file, in a line; empty when all that is held is in it."""
        try:
            if _stamp(os.stat(self.path)) == self._stamp:  # noqa: PTH116
                return ""
            raw, _ = _read(self.path)
        except OSError as error:
            return self.held.keep_whole(error)
        found = snapshot_bytes(raw, self.name)
        try:
            return self.held.rescue(found)
        except OSError as error:
            return self.held.tell_lost(found, error)

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
        raw, stamp = self._read_or_kept()
        try:
            self._check_writable()
            text = parse_log(raw, self.name, stamp)
        except LogError as error:
            rescued = self.held.rescue(snapshot_bytes(raw, self.name))
            error.args = ("; ".join(filter(None, [str(error), rescued])),)
            raise
        if text.torn is not None:
            text = self._recovered(text, text.torn)
        rescued = self.held.rescue(snapshot_log(text)) if len(self.held) else ""
        self.text = text = replace(text, notes=(*text.notes, *filter(None, [rescued])))
        self.last_seq, self._stamp, self._line_open = text.last_seq, text.stamp, not text.ends_line
        self.held.take(text)
        return text

    def _read_or_kept(self) -> tuple[bytes, Stamp]:
        """The file's bytes; when it can't be read, all that it held is kept, and that is raised."""
        try:
            return _read(self.path)
        except OSError as error:
            text = self.held.keep_whole(error)
            if not text:
                raise
            raise LogError(text) from error

    def _check_writable(self) -> None:
        try:
            os.close(_opened(self.path, os.O_WRONLY | os.O_APPEND))
        except OSError as error:
            if error.errno not in (errno.EACCES, errno.EPERM, errno.EROFS):
                raise
            raise LogError(f"{self.name} may not be written ({os_error_text(error)})") from error

    def _recovered(self, text: ParsedLog, torn: bytes) -> ParsedLog:
        """The torn tail is safe in a file of its own before it is cut off the log."""
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
                raise self._outdated()
            try:
                self._write_through(fd, data)
                after = os.stat(self.path)  # noqa: PTH116
            except OSError:
                # What the GM is told is not saved should not turn up later; recovery does the rest.
                _take_back(fd, before.st_size, len(data))
                raise
            start = os.lseek(fd, 0, os.SEEK_CUR) - len(data)
            if start != before.st_size:  # a writer that shares no lock with us took our number
                _take_back(fd, start, len(data))
                raise self._outdated()
        finally:
            with suppress(OSError):  # all is on the disk, or is told not to be
                os.close(fd)
        if after.st_ino != before.st_ino:  # a save by rename came between: we wrote to the old file
            raise self._outdated()
        # With the size that we expect: bytes that came in between show as a change next time.
        self._stamp = (after.st_ino, before.st_size + len(data), after.st_mtime_ns)

    def _write_through(self, fd: int, data: bytes) -> None:
        written = os.write(fd, data)
        if written != len(data):
            raise OSError(errno.ENOSPC, f"only {written} of {len(data)} bytes could be written")
        sync(fd)

    def _outdated(self) -> StaleLog:
        return StaleLog(
            f"{self.name} was saved by another program meanwhile: "
            "the command was NOT saved, and the log must be read again first"
        )


def _take_back(fd: int, start: int, size: int) -> None:
    """Cut off what was written from `start` on, unless somebody else has written behind it."""
    with suppress(OSError):
        if os.fstat(fd).st_size <= start + size:
            os.ftruncate(fd, start)


def _resolved(path: str | os.PathLike[str]) -> Path:
    with log_error_from(path):
        return Path(os.path.realpath(path))  # which a link to itself doesn't trouble


def _opened(path: str | os.PathLike[str], flags: int) -> int:
    """A descriptor of the file, never a new file. Raises OSError for what is no plain file."""
    mode = os.stat(path).st_mode  # noqa: PTH116
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(mode):  # opening a pipe would wait for its other end
        raise OSError(errno.EINVAL, "not a plain file")
    return os.open(path, flags | FLAGS)


def _read(path: str | os.PathLike[str]) -> tuple[bytes, Stamp]:
    """The file's bytes and its stamp, read once more if somebody wrote meanwhile."""
    with os.fdopen(_opened(path, os.O_RDONLY), "rb") as file:
        for _ in range(3):
            stamp = _stamp(os.fstat(file.fileno()))
            file.seek(0)
            raw = file.read()
            if _stamp(os.fstat(file.fileno())) == stamp:
                break
    return raw, stamp


def _stamp(status: os.stat_result) -> Stamp:
    return status.st_ino, status.st_size, status.st_mtime_ns

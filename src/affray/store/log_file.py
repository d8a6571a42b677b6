"""The log on disk: read by any number, appended to by one.

A command is saved by one write of its whole block to the end of the file, and an fsync; only then
is the GM told. The file is opened by its name each time and compared with how it was left, so that
an editor's save is noticed before it is built on. Nothing is tried twice: after a failed write or
fsync nobody knows what is on the disk until the log is opened anew.
"""

import errno
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import tomli

from affray.store.disk import FLAGS, explained, keep_beside, publish, reason, sync
from affray.store.recovery import (
    FORMAT,
    Block,
    Changed,
    Damaged,
    InUse,
    LaterFormat,
    LogError,
    LogText,
    NotALog,
    NotSaved,
    Stamp,
    judge,
)
from affray.store.toml_block import emit_block, sealed_header

if TYPE_CHECKING:
    from filelock import FileLock

__all__ = ["FORMAT", "Block", "LogFile", "LogText", "Stamp", "read_log", "stamp_of"]
__all__ += ["Changed", "Damaged", "InUse", "LaterFormat", "LogError", "NotALog", "NotSaved"]

_GONE = (FileNotFoundError, NotADirectoryError, IsADirectoryError)


def read_log(path: str | os.PathLike[str]) -> LogText:
    """The log at `path`, for those who only read: no lock is taken and nothing is repaired.

    An unfinished last entry is left out, kept in `torn`, and noted: a follower that meets one may
    have come in the middle of a write, and reads again. Raises LogError, or one of its kinds.
    """
    with explained(path):
        raw, stamp = _read(path)
    return judge(raw, os.fspath(path), stamp)


def stamp_of(path: str | os.PathLike[str]) -> Stamp:
    """The stamp of the file at `path` now: another one tells that it was saved. Raises LogError."""
    with explained(path):
        return _stamp(os.stat(path))  # noqa: PTH116


class LogFile:
    """A log that is open for its one writer, who holds the lock until `close`.

    `text` is the log as last read (its notes say what the GM should know), `last_seq` the number
    of the last entry in it, and `failure` why the log has turned read-only, or None. `kept` says in
    lines what saved entries were taken out of the file by others, and where they are; `remembered`
    makes the bytes that are kept when all of the file was taken away.
    """

    text: LogText
    last_seq: int
    _stamp: Stamp
    _line_open: bool  # the last line of the file lacks its end

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Take the lock. Callers want `open` or `create`, which call this."""
        self.name = os.fspath(path)
        self.failure: str | None = None
        # Two names of one file, through a link, must come to one lock.
        self.path = _resolved(path)
        self._appended: dict[int, bytes] = {}
        self.kept: tuple[str, ...] = ()
        self.remembered: Callable[[], bytes] | None = None
        self._lock = _locked(self.path, self.name)

    @classmethod
    def create(cls, path: str | os.PathLike[str], header: dict[str, Any]) -> Self:
        """A new log at `path`, on the disk before this returns; `format` is added to `header`.

        Raises LogError if something has that name already, or the folder takes no new file, and
        ValueError for a header that can't be written.
        """
        content = sealed_header({"format": FORMAT, **header})
        judge(content, os.fspath(path))
        target = _resolved(path)
        with explained(path):
            if os.path.lexists(target):
                raise LogError(f"{os.fspath(path)} exists already; nothing was changed")
            if not target.parent.is_dir():
                raise LogError(f"there is no folder {target.parent}")
        log = cls(path)
        with log._closed_on_error(), explained(path):
            publish(target, content)
            log._load()
        return log

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Self:
        """The log at `path`, locked; a torn tail is moved to a file beside it, and noted.

        Raises InUse if another writer has it, Damaged, NotALog or LaterFormat for what is in it,
        and LogError if it is missing, unreadable or may not be written.
        """
        with explained(path):
            os.close(_opened(path, os.O_RDONLY))  # a missing file should not leave a lock behind
        log = cls(path)
        with log._closed_on_error(), explained(path):
            log._load()
        return log

    def append(self, body: dict[str, Any]) -> int:
        """Save one entry, and return its number; when this returns, it is on the disk.

        Raises Changed, with nothing saved, if somebody else saved the file since it was read:
        `reread`, and decide anew. Raises NotSaved if the entry can't be written as TOML (the log
        stays usable), or if the disk refuses: then the log is read-only from there on.
        """
        if self.failure is not None:
            raise NotSaved(f"the command was NOT saved: {self.failure}")
        seq = self.last_seq + 1
        try:
            block = emit_block(body, seq)
        except (ValueError, RecursionError) as error:
            raise NotSaved(f"the command was NOT saved: {error}") from error
        try:
            self._write(b"\n" + block if self._line_open else block)
        except OSError as error:
            self.failure = f"{self.name} is read-only from here on ({reason(error)})"
            if isinstance(error, _GONE):
                self.failure = self._kept_whole() or self.failure
            raise NotSaved(f"the command was NOT saved: {self.failure}") from error
        self._appended[seq] = block
        self._line_open = False
        self.last_seq = seq
        return seq

    def reread(self) -> LogText:
        """Read the file again after `Changed`; returns, and sets `text` to, what is there now.

        Entries appended through this object that are no longer in the file, because an editor
        saved an older text over them, are put into a file beside it, and noted.
        Raises as `open` does.
        """
        with explained(self.name):
            return self._load()

    def close(self) -> None:
        """Let go of the lock. Nothing needs saving, and a second call does nothing.

        What others have done to the file since the last command is looked for: see `kept`.
        """
        if self._appended and self._lock.is_locked:
            self._look_once_more()
        self.remembered = None  # it leads back to whoever holds this: let both be given back
        self.failure = self.failure or f"{self.name} is closed"
        for _ in range(2):  # what can't be unlocked even then is free when this process ends
            with suppress(OSError):
                self._lock.release()

    def _look_once_more(self) -> None:
        """An editor may have saved an older text since the last command: keep what it removed."""
        try:
            if _stamp(os.stat(self.path)) != self._stamp:  # noqa: PTH116
                self._load()
        except _GONE:
            self._kept_whole()
        except LogError:  # what is there now is told to whoever opens it
            pass
        except OSError as error:
            self._keeps(f"{self.name} can't be looked at any more ({reason(error)})")

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

    def _load(self) -> LogText:
        raw, stamp = _read(self.path)
        try:
            self._check_writable()
            text = judge(raw, self.name, stamp)
        except LogError as error:
            gone = [seq for seq, block in self._appended.items() if block.strip() not in raw]
            error.args = ("; ".join([str(error), *self._rescued(gone)]),)
            raise
        if text.torn is not None:
            text = self._recovered(text, text.torn)
        rescued = self._rescued(self._gone_from(text))
        self.text = text = replace(text, notes=(*text.notes, *rescued))
        self.last_seq, self._stamp, self._line_open = text.last_seq, text.stamp, not text.ends_line
        return text

    def _gone_from(self, text: LogText) -> list[int]:
        """Which of the entries saved here are not there: gone, or another's under their number."""
        there = {block.seq: block for block in text.blocks}
        return [
            seq
            for seq, ours in self._appended.items()
            if seq not in there or not (there[seq].edited or there[seq].data == _data_of(ours))
        ]

    def _check_writable(self) -> None:
        try:
            os.close(_opened(self.path, os.O_WRONLY | os.O_APPEND))
        except OSError as error:
            if error.errno not in (errno.EACCES, errno.EPERM, errno.EROFS):
                raise
            raise LogError(f"{self.name} may not be written ({reason(error)})") from error

    def _recovered(self, text: LogText, torn: bytes) -> LogText:
        """The torn tail is safe in a file of its own before it is cut off the log."""
        beside = keep_beside(self.path, torn)
        fd = _opened(self.path, os.O_RDWR)
        try:
            if _stamp(os.fstat(fd)) != text.stamp:
                raise Changed(f"{self.name} was saved by another program meanwhile: read it again")
            os.ftruncate(fd, text.end)
            sync(fd)
            stamp = _stamp(os.fstat(fd))
        finally:
            os.close(fd)
        note = f"an unfinished entry ({len(torn)} bytes) at the end was moved to {beside.name}"
        return replace(text, torn=None, stamp=stamp, notes=(*text.notes[:-1], note))

    def _rescued(self, gone: list[int]) -> list[str]:
        """Put entries that were saved here, and that another program removed, beside the log."""
        if not gone:
            return []
        try:
            content = self._as_it_was(gone)
        except ValueError:  # a hand may write into a head what affray can't
            content = b"".join(self._appended[seq] for seq in gone)
        beside = keep_beside(self.path, content)
        for seq in gone:
            del self._appended[seq]
        which = ", ".join(map(str, gone[:5])) + (", …" if len(gone) > 5 else "")
        said = f"entry {which}, removed by another program's save, was kept in {beside.name}"
        return [self._keeps(said)]

    def _kept_whole(self) -> str:
        """The file is gone. If entries were saved here, put all that it held beside its place."""
        if not self._appended:
            return ""
        try:
            beside = keep_beside(self.path, self._as_it_was(self._appended))
        except (OSError, ValueError) as error:  # a hand may write into a head what affray can't
            return self._keeps(f"{self.path.name} is gone, and can't be kept ({reason(error)})")
        self._appended.clear()
        return self._keeps(f"{self.path.name} is gone; all that it held is in {beside.name}")

    def _as_it_was(self, gone: Iterable[int]) -> bytes:
        """All that the log held, as a log; or of one that nobody else remembers, what is gone."""
        if self.remembered is not None:
            return self.remembered()
        return sealed_header(self.text.header) + b"".join(self._appended[seq] for seq in gone)

    def _keeps(self, line: str) -> str:
        if line not in self.kept:
            self.kept = (*self.kept, line)
        return line

    def _write(self, data: bytes) -> None:
        fd = _opened(self.path, os.O_WRONLY | os.O_APPEND)
        try:
            before = os.fstat(fd)
            if _stamp(before) != self._stamp:
                raise self._changed()
            try:
                self._write_through(fd, data)
                after = os.stat(self.path)  # noqa: PTH116
            except OSError:
                # What the GM is told is not saved should not turn up later; recovery does the rest.
                with suppress(OSError):
                    os.ftruncate(fd, before.st_size)
                raise
        finally:
            with suppress(OSError):  # all is on the disk, or is told not to be
                os.close(fd)
        if after.st_ino != before.st_ino:  # a save by rename came between: we wrote to the old file
            raise self._changed()
        # With the size that we expect: bytes that came in between show as a change next time.
        self._stamp = (after.st_ino, before.st_size + len(data), after.st_mtime_ns)

    def _write_through(self, fd: int, data: bytes) -> None:
        written = os.write(fd, data)
        if written != len(data):
            raise OSError(errno.ENOSPC, f"only {written} of {len(data)} bytes could be written")
        sync(fd)

    def _changed(self) -> Changed:
        return Changed(
            f"{self.name} was saved by another program meanwhile: "
            "the command was NOT saved, and the log must be read again first"
        )


def _data_of(block: bytes) -> dict[str, Any]:
    """What an entry that was written here says."""
    (entry,) = tomli.loads(block.decode())["entry"]
    return {key: value for key, value in entry.items() if key not in ("sum", "seq")}


def _locked(path: Path, name: str) -> "FileLock":
    # Imported here, because those who only read take no lock, and it costs them 10 ms.
    from filelock import FileLock, Timeout

    # Not bound to a thread: whoever closes the log may not be who opened it.
    lock = FileLock(f"{path}.lock", timeout=0, thread_local=False)
    try:
        lock.acquire()
    except Timeout:
        raise InUse(f"{name} is open for writing elsewhere; it can be opened read-only") from None
    except (OSError, NotImplementedError, RuntimeError) as error:
        raise LogError(f"{name} can't be locked for writing ({reason(error)})") from error
    return lock


def _resolved(path: str | os.PathLike[str]) -> Path:
    with explained(path):
        return Path(path).resolve()


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

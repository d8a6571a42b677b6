"""Write files atomically and durably: whole or not at all, and safe from a loss of power."""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from affray.store import LogError

# O_BINARY keeps Windows from changing line ends; other systems don't have it.
FLAGS = getattr(os, "O_BINARY", 0)


@contextmanager
def log_error_from(path: str | os.PathLike[str]) -> Iterator[None]:
    """Turn an OSError about a log into a LogError that says in one line what it means."""
    name = os.fspath(path)
    try:
        yield
    except LogError:
        raise
    except FileNotFoundError as error:
        raise LogError(f"there is no file {name}") from error
    except FileExistsError as error:
        raise LogError(f"{name} exists already; nothing was changed") from error
    except IsADirectoryError as error:
        raise LogError(f"{name} is a folder, not a log") from error
    except PermissionError as error:
        raise LogError(f"{name}: permission denied; nothing was changed") from error
    except (OSError, ValueError, RuntimeError) as error:
        raise LogError(f"{name!r} can't be opened ({os_error_text(error)})") from error


@contextmanager
def file_error_from(path: str | os.PathLike[str]) -> Iterator[None]:
    """Turn an OSError about any other file into a LogError: `FILE: Permission denied`."""
    try:
        yield
    except OSError as error:
        raise LogError(f"{os.fspath(path)}: {os_error_text(error)}") from error


def is_file(path: Path) -> bool:
    """True if a plain file has that name. Raises LogError if the system can't tell."""
    with file_error_from(path):
        return path.is_file()


def os_error_text(error: BaseException) -> str:
    """Return the system's description of an error, on one line."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return " ".join(str(error).split())


def read_head(path: Path, size: int) -> bytes:
    """Return a file's first bytes; empty if it is not a plain file, or can't be read."""
    try:
        if not path.is_file():  # opening a pipe would wait for its other end
            return b""
        with path.open("rb") as file:
            return file.read(size)
    except OSError:
        return b""


def sync(fd: int) -> None:
    """Flush a file to the disk itself; on macOS a plain fsync stops at the drive's cache."""
    if sys.platform == "darwin":
        import fcntl

        try:
            fcntl.fcntl(fd, fcntl.F_FULLFSYNC)
        except OSError as error:
            if error.errno not in (errno.ENOTSUP, errno.EINVAL):  # a network folder: fsync is all
                raise
            os.fsync(fd)
    else:
        os.fsync(fd)


def sync_folder(folder: Path) -> None:
    """Flush a folder, so that the names of new files are on the disk; Windows can't."""
    if sys.platform == "win32":
        return
    fd = os.open(folder, os.O_RDONLY | FLAGS)
    try:
        os.fsync(fd)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # some network folders can't
            raise
    finally:
        os.close(fd)


def create_file(path: Path, content: bytes) -> None:
    """Write a new file and flush it to the disk; raises FileExistsError if the name is taken.

    A file that could not be written whole is removed. A whole one stays, even if the flush failed.
    """
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | FLAGS, 0o666)
    is_whole = False
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(content)
            file.flush()
            is_whole = True
            sync(file.fileno())
    except OSError:
        if not is_whole:
            with suppress(OSError):
                path.unlink()
        raise


@contextmanager
def written_draft(path: Path, content: bytes) -> Iterator[Path]:
    """Write content to a hidden file beside `path`, for the caller to move there."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.new")
    draft.unlink(missing_ok=True)  # of a killed process that had our id
    try:
        create_file(draft, content)
        yield draft
    finally:
        draft.unlink(missing_ok=True)


def publish_atomically(path: Path, content: bytes) -> None:
    """Create `path` whole or not at all, and never replace another file."""
    with written_draft(path, content) as draft:
        try:
            os.link(draft, path)
        except FileExistsError:
            raise
        except OSError:  # no hard links here; callers hold the lock, or write the same content
            if os.path.lexists(path):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
            draft.replace(path)
    sync_folder(path.parent)


def replace_file(path: Path, was: bytes | None, content: bytes) -> None:
    """Replace a file's content, whole or not at all.

    `was` is the content that the caller has seen, None for no file. Raises FileExistsError, and
    changes nothing, if the file has other content by now.
    """
    if was is None:
        publish_atomically(path, content)
        return
    with written_draft(path, content) as draft:
        if path.read_bytes() != was:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
        draft.chmod(path.stat().st_mode & 0o777)
        draft.replace(path)
    sync_folder(path.parent)


def keep_beside(path: Path, content: bytes) -> Path:
    """Save bytes that are cut from a log to a new file `<log>.torn-N`; returns its path."""
    number = 1
    while True:
        beside = path.with_name(f"{path.name}.torn-{number}")
        try:
            create_file(beside, content)
            break
        except FileExistsError:
            number += 1
    sync_folder(path.parent)
    return beside

"""Write files atomically and durably: whole or not at all, and safe from a loss of power.

What differs from one system to another is here, too: names, and files that others have open.
"""

import errno
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TypeVar
from unicodedata import normalize

from affray.core.formatting.safe_text import to_id
from affray.store import LogError

# O_BINARY keeps Windows from changing line ends; other systems don't have it.
FLAGS = getattr(os, "O_BINARY", 0)
ON_WINDOWS = os.name == "nt"
_CANNOT_SYNC = (errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOTTY)
"""How network folders and drivers of other disks say that they can't flush anything."""

# -------------------------------------------------------------------------------------------------
# Names of files: one for a title that every system takes, and one spelling of each.

MAX_STEM = 60
"""Characters of a file's name that come from a title."""
_RESERVED = re.compile("con|prn|aux|nul|(com|lpt)[0-9¹²³]")
"""Devices of Windows, which their names open in each folder, whatever stands behind a dot."""
_FORBIDDEN = re.compile(r'[\x00-\x1f<>:"/\\|?*]|[. ]\Z')


def stem_for(title: str) -> str:
    """Return the name of a file after a title, which every system takes; empty for one without
    letters or digits."""
    stem = to_id(title)[:MAX_STEM].strip("-")
    return f"{stem}-1" if _RESERVED.fullmatch(stem) else stem


def is_name_on_windows(name: str) -> bool:
    """Whether Windows takes a name as it is, for a plain file or a folder."""
    stem = name.partition(".")[0].rstrip(" ").casefold()
    return not _RESERVED.fullmatch(stem) and not _FORBIDDEN.search(name)


def one_spelling(name: str) -> str:
    """Return a file's name as other names are compared with it.

    Older disks of a Mac list an é as an e and its accent, however it was written.
    """
    return normalize("NFC", name)


def as_listed(path: str | os.PathLike[str]) -> Path:
    """Return a path with each name as its folder lists it.

    Macs and Windows open `Ford.TOML` for ford.toml; a name that isn't there stays as it is.
    """
    given = Path(path)
    found = Path(given.anchor)
    for part in given.parts[bool(given.anchor) :]:
        name, other = part, part.swapcase()
        if other != part and os.path.lexists(found / other):  # most systems tell them apart
            with suppress(OSError):
                names = [each.name for each in found.iterdir()]
                alike = one_spelling(part).casefold()
                near = (each for each in names if one_spelling(each).casefold() == alike)
                name = part if part in names else next(near, part)
        found /= name
    return found


# -------------------------------------------------------------------------------------------------
# Errors, in the words of the GM.


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


# -------------------------------------------------------------------------------------------------
# Files that others have open: Windows refuses to open, move or remove such a file, until they let
# go of it. A virus scanner, a synchronised folder or a second screen has it for milliseconds.

PAUSES = (0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32)
"""Seconds to wait behind each try; after them the refusal counts."""
_Result = TypeVar("_Result")


def patiently(do: Callable[[], _Result]) -> _Result:
    """Do something with a file; on Windows try it again shortly while permission is denied."""
    for pause in PAUSES if ON_WINDOWS else ():
        try:
            return do()
        except PermissionError:
            time.sleep(pause)
    return do()


def read_bytes(path: Path) -> bytes:
    """Return a file's content. Raises OSError."""
    return patiently(path.read_bytes)


def move(source: Path, target: Path) -> None:
    """Move a file in one step, in place of the one that is there. Raises OSError."""
    patiently(partial(source.replace, target))


def remove(path: Path) -> None:
    """Remove a file, if it is there. Raises OSError."""
    patiently(partial(path.unlink, missing_ok=True))


# -------------------------------------------------------------------------------------------------
# Reading and writing.


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
            if error.errno not in _CANNOT_SYNC:  # a network folder: fsync is all
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
        if error.errno not in _CANNOT_SYNC:
            raise
    finally:
        os.close(fd)


def create_file(path: Path, content: bytes) -> None:
    """Write a new file and flush it to the disk; raises FileExistsError if the name is taken.

    A file that could not be written whole is removed. A whole one stays, even if the flush failed.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | FLAGS
    fd = patiently(partial(os.open, path, flags, 0o666))
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
                remove(path)
        raise


@contextmanager
def written_draft(path: Path, content: bytes) -> Iterator[Path]:
    """Write content to a hidden file beside `path`, for the caller to move there."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.new")
    remove(draft)  # of a killed process that had our id
    try:
        create_file(draft, content)
        yield draft
    finally:
        with suppress(OSError):  # by now the file is whole, or the caller knows why it isn't
            remove(draft)


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
            move(draft, path)
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
        if read_bytes(path) != was:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
        if not ON_WINDOWS:  # there it could only forbid to write, or to remove the draft
            draft.chmod(path.stat().st_mode & 0o777)
        move(draft, path)
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

"""Write files atomically and durably: whole or not at all, and safe from a loss of power.

What differs from one system to another is here, too: names, and files that others have open.
"""

import errno
import os
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TypeVar
from unicodedata import normalize

from affray.core.formatting.safe_text import to_id
from affray.core.late_pattern import late_pattern
from affray.store import LogError

# O_BINARY keeps Windows from changing line ends; other systems don't have it.
FLAGS = getattr(os, "O_BINARY", 0)
NOFOLLOW, _NONBLOCK = getattr(os, "O_NOFOLLOW", 0), getattr(os, "O_NONBLOCK", 0)
LINK = "a link, and links are not followed"
ON_WINDOWS = os.name == "nt"
_CANNOT_SYNC = (errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOTTY)
"""How network folders and drivers of other disks say that they can't flush anything."""

# -------------------------------------------------------------------------------------------------
# Names of files: one for a title that every system takes, and one spelling of each.

MAX_STEM = 60
"""Characters of a file's name that come from a title."""
_RESERVED = late_pattern("con|prn|aux|nul|(com|lpt)[0-9¹²³]")
"""Devices of Windows, which their names open in each folder, whatever stands behind a dot."""
_FORBIDDEN = late_pattern(r'[\x00-\x1f<>:"/\\|?*]|[. ]\Z')


def stem_for(title: str) -> str:
    """Return the name of a file after a title, which every system takes; empty for one without
    letters or digits."""
    stem = to_id(title)[:MAX_STEM].strip("-")
    return f"{stem}-1" if _RESERVED.fullmatch(stem) else stem


def is_name_on_windows(name: str) -> bool:
    """True if Windows takes a name as it is, for a plain file or a folder."""
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


def is_open_elsewhere(error: OSError) -> bool:
    """True if Windows may have refused a file because another program has it open."""
    return ON_WINDOWS and isinstance(error, PermissionError)


def patiently(do: Callable[[], _Result]) -> _Result:
    """Do something with a file; on Windows try it again shortly while permission is denied."""
    for pause in PAUSES if ON_WINDOWS else ():
        try:
            return do()
        except PermissionError:
            time.sleep(pause)
    return do()


MOST_BYTES = 512 * 1024 * 1024
"""The largest file that is read, by default: a log of a million entries."""


def read_bytes(path: Path, at_most: int = MOST_BYTES) -> bytes:
    """Return the content of a plain file. Raises OSError, also if it is none or is larger."""
    return patiently(lambda: read_fd(open_plain(path, os.O_RDONLY), at_most))


def open_plain(
    path: str | os.PathLike[str], flags: int, dir_fd: int | None = None, follows: bool = True
) -> int:
    """Open an existing plain file, and return its descriptor. Raises OSError for anything else.

    A pipe or a device is not even opened: that might wait for its other end, or set it going. With
    `follows` False, a link is nothing else either.
    """
    _check_plain(os.stat(path, dir_fd=dir_fd, follow_symlinks=follows))
    flags |= FLAGS | _NONBLOCK | (0 if follows else NOFOLLOW)
    return os.open(path, flags) if dir_fd is None else os.open(path, flags, dir_fd=dir_fd)


def _check_plain(status: os.stat_result) -> None:
    if stat.S_ISLNK(status.st_mode):
        raise OSError(errno.ELOOP, LINK)
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "not a plain file")


def read_fd(fd: int, at_most: int) -> bytes:
    """Read an open file to its end, and close it. Raises OSError if it has more than `at_most`."""
    with os.fdopen(fd, "rb") as file:
        status = os.fstat(fd)
        _check_plain(status)  # it may have been changed for a pipe before it was opened
        content = file.read(at_most + 1) if status.st_size <= at_most else b""
    if status.st_size > at_most or len(content) > at_most:
        large = f"{at_most // 2**20} MB" if at_most >= 2**20 else f"{at_most:,} bytes"
        raise OSError(errno.EFBIG, f"larger than {large}")
    return content


def move(source: Path, target: Path) -> None:
    """Move a file in one step, replacing one of that name. Raises OSError."""
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


def draft_name(path: Path) -> Path:
    """Return an unused hidden name beside `path`, even after a process was killed."""
    return path.with_name(f".{path.name}.{os.urandom(4).hex()}.new")


@contextmanager
def written_draft(path: Path, content: bytes) -> Iterator[Path]:
    """Write content to a hidden file beside `path`, for the caller to move there."""
    draft, is_ours = draft_name(path), True
    try:
        try:
            create_file(draft, content)
        except FileExistsError:
            is_ours = False
            raise
        yield draft
    finally:
        with suppress(OSError):  # by now the file is whole, or the caller knows why it isn't
            if is_ours:
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

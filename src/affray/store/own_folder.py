"""A folder in which affray alone writes, such as a fight's inbox, where anybody may put something.

No link in it or on the way to it is followed, nothing is read but plain files, and nothing goes
that was not read as affray's before. So whatever somebody puts there loses nothing.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from affray.store.filesystem import FLAGS, LINK, NOFOLLOW, open_plain, patiently, read_fd, sync

BY_DESCRIPTOR = {os.open, os.stat, os.mkdir, os.link, os.rename, os.unlink} <= os.supports_dir_fd
"""True if files can be named from an open folder, which nobody can change for another meanwhile.
Windows can't: there each folder is looked at right before."""
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0)


class OwnFolder:
    """A folder of affray's, by its names within `place`, which may lie behind links itself.

    All of it raises OSError, also where a link or a file is in the folder's place.
    """

    def __init__(self, place: Path, *names: str) -> None:
        self.place, self.names = place, names
        self.path = place.joinpath(*names)

    def listed(self) -> list[str]:
        """Return all names in it, sorted; none if there is no folder yet."""
        try:
            with self._opened() as (at, fd):
                return sorted(os.listdir(at or fd))  # noqa: PTH208
        except FileNotFoundError:
            return []

    def has(self, name: str) -> bool:
        """True if something of that name is there, whatever it is."""
        return name in self.listed()

    def stamp(self, name: str) -> tuple[int, int, int]:
        """Return a value that changes when a file is saved again."""
        with self._opened() as (at, fd):
            found = os.stat(f"{at}{name}", dir_fd=fd, follow_symlinks=False)
            return found.st_ino, found.st_size, found.st_mtime_ns

    def read(self, name: str, at_most: int) -> bytes:
        """Return the content of a plain file of at most so many bytes."""
        with self._opened() as (at, fd):
            opened = partial(open_plain, f"{at}{name}", os.O_RDONLY, fd, follows=False)
            return read_fd(patiently(opened), at_most)

    def create(self, name: str, content: bytes) -> None:
        """Write a new file, whole or not at all. Raises FileExistsError if the name is taken."""
        with self._drafted(name, content) as (at, fd, draft):
            try:
                os.link(draft, f"{at}{name}", src_dir_fd=fd, dst_dir_fd=fd)
            except FileExistsError:
                raise
            except (OSError, NotImplementedError):  # no hard links here
                _move_to_free_name(draft, f"{at}{name}", fd, fd)

    def replace(self, name: str, content: bytes) -> None:
        """Write a file, whole or not at all, in place of one that was read as ours."""
        with self._drafted(name, content) as (at, fd, draft):
            patiently(partial(os.replace, draft, f"{at}{name}", src_dir_fd=fd, dst_dir_fd=fd))

    def move(self, name: str, to: OwnFolder) -> None:
        """Move a file to another folder. Raises FileExistsError if the name is taken there."""
        with self._opened() as (at, fd), to._opened(is_made=True) as (there, to_fd):
            _move_to_free_name(f"{at}{name}", f"{there}{name}", fd, to_fd)

    def remove(self, name: str) -> None:
        """Remove a file that was read as ours; nothing happens if it is gone."""
        with suppress(FileNotFoundError), self._opened() as (at, fd):
            patiently(partial(os.unlink, f"{at}{name}", dir_fd=fd))

    @contextmanager
    def _drafted(self, name: str, content: bytes) -> Iterator[tuple[str, int | None, str]]:
        """Write a hidden file of a name that nobody has, to be linked or moved into place."""
        with self._opened(is_made=True) as (at, fd):
            draft = f"{at}.{name}.{os.urandom(4).hex()}.new"
            new = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | FLAGS, 0o666, dir_fd=fd)
            try:
                with os.fdopen(new, "wb") as file:
                    file.write(content)
                    file.flush()
                    sync(file.fileno())
                yield at, fd, draft
            finally:
                with suppress(OSError):  # moved by now, or the caller knows why it isn't
                    os.unlink(draft, dir_fd=fd)
            if fd is not None:
                with suppress(OSError):
                    os.fsync(fd)

    @contextmanager
    def _opened(self, is_made: bool = False) -> Iterator[tuple[str, int | None]]:
        """Give the path before a name in it, and the descriptor that it starts from."""
        if is_made:
            self.place.mkdir(parents=True, exist_ok=True)
        if not BY_DESCRIPTOR:
            yield self._looked_at(is_made), None
            return
        fd = os.open(self.place, _FOLDER)
        try:
            for name in self.names:
                if is_made:
                    with suppress(FileExistsError):
                        os.mkdir(name, dir_fd=fd)
                _check_folder(os.stat(name, dir_fd=fd, follow_symlinks=False))
                inner = os.open(name, _FOLDER | NOFOLLOW, dir_fd=fd)
                os.close(fd)
                fd = inner
            yield "", fd
        finally:
            os.close(fd)

    def _looked_at(self, is_made: bool) -> str:
        path = self.place
        for name in self.names:
            path /= name
            if is_made:
                with suppress(FileExistsError):
                    path.mkdir()
            _check_folder(path.lstat())
        return f"{path}{os.sep}"


def _check_folder(found: os.stat_result) -> None:
    is_junction = getattr(found, "st_reparse_tag", 0) == getattr(
        stat, "IO_REPARSE_TAG_MOUNT_POINT", -1
    )
    if stat.S_ISLNK(found.st_mode) or is_junction:
        raise OSError(errno.ELOOP, LINK)
    if not stat.S_ISDIR(found.st_mode):
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))


def _move_to_free_name(source: str, target: str, fd: int | None, to_fd: int | None) -> None:
    with suppress(FileNotFoundError):
        os.stat(target, dir_fd=to_fd, follow_symlinks=False)
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
    patiently(partial(os.rename, source, target, src_dir_fd=fd, dst_dir_fd=to_fd))

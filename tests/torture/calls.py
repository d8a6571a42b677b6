"""Every system call that the store makes, so that something can happen just before or in it."""

from __future__ import annotations

import fcntl
import io
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

Hook = Callable[[str, tuple[Any, ...]], None]
NAMES = (
    *("open", "close", "read", "write", "fsync", "ftruncate", "fstat", "stat", "lstat"),
    *("link", "unlink", "replace", "rename"),
)


class _File:
    """What `os.fdopen` gives, with every read and write of it a call of its own."""

    def __init__(self, fd: int, mode: str = "rb") -> None:
        self._fd, self._writes = fd, "w" in mode

    def fileno(self) -> int:
        return self._fd

    def seek(self, place: int) -> int:
        return os.lseek(self._fd, place, os.SEEK_SET)

    def read(self, most: int = -1) -> bytes:
        parts = []
        while part := os.read(self._fd, 1 << 20):
            parts.append(part)
        whole = b"".join(parts)
        return whole if most < 0 else whole[:most]

    def write(self, data: bytes) -> int:
        written = 0
        while written < len(data):  # as a buffered file does, which writes until all is written
            written += os.write(self._fd, data[written:])
        return written

    def flush(self) -> None:
        if not self._writes:
            raise io.UnsupportedOperation("flush")

    def __enter__(self) -> _File:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._fd)


@contextmanager
def watched(before: Hook, after: Hook = lambda name, arguments: None) -> Iterator[None]:
    """Have `before` called before each system call, and `after` behind it with its result first.

    What `before` raises is raised in the call's place, except that a file is closed all the same.
    What the two themselves call is not watched.
    """
    inside = False
    locks: dict[int, str] = {}

    def note(name: str, result: Any, arguments: tuple[Any, ...]) -> None:
        if name == "open" and str(arguments[0]).endswith(".lock"):
            locks[result] = str(arguments[0])
        elif name == "close":
            locks.pop(arguments[0], None)

    def watch(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            nonlocal inside
            if inside:
                return real(*arguments, **named)
            inside = True
            try:
                try:
                    before(name, arguments)
                except OSError:
                    if name == "close":
                        note(name, real(*arguments), arguments)
                    raise
                result = real(*arguments, **named)
                note(name, result, arguments)
                after(name, (result, *arguments))
                return result
            finally:
                inside = False

        return call

    calls = {name: watch(name, getattr(os, name)) for name in NAMES}
    flock = watch("flock", fcntl.flock)
    with (
        patch.multiple(os, fdopen=_File, **calls),
        patch.object(fcntl, "flock", flock),
    ):
        try:
            yield
        finally:
            inside = True  # the process ends, and lets go of what it could not unlock
            for fd in locks:
                _let_go(fd)


def _let_go(fd: int) -> None:
    """Free a lock, but not its number: the lock's own object closes that once more, when it is
    collected, and would close what somebody else has opened under it meanwhile."""
    nowhere = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nowhere, fd)
    os.close(nowhere)

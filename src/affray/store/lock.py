"""The lock of a log: one writes it, and any number read."""

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from affray.store.disk import reason
from affray.store.errors import InUse, LogError

if TYPE_CHECKING:
    from filelock import FileLock


def locked(path: Path, name: str) -> "FileLock":
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
        raise LogError(f"{name} can't be locked for writing ({reason(error)})") from error
    return lock


def without_orphan(path: Path) -> None:
    """Take the lock away again where no log has come to be: there is nothing to lock."""
    if not os.path.lexists(path):
        with suppress(OSError):
            os.unlink(f"{path}.lock")  # noqa: PTH108

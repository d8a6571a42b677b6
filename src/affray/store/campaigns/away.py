"""Put away, and brought back: out of the list, and not lost. It is moved, never changed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from affray.core.language.refusal import Refused
from affray.store.campaigns.files import AWAY, ENCOUNTERS
from affray.store.campaigns.names import free_name
from affray.store.disk import sync_folder
from affray.store.errors import LogError
from affray.store.lock import locked, without_orphan

if TYPE_CHECKING:
    from filelock import FileLock


def put_away(path: Path) -> Path:
    """Move an encounter or a campaign to the folder of what was put away; gives where it is.

    An encounter of a campaign goes beside `encounters`; any other, and a campaign, into a folder
    beside it. Raises InUse for one that is open elsewhere, LogError for one that can't be moved.
    """
    folder = path.parent
    in_campaign = path.is_file() and folder.name == ENCOUNTERS
    return _moved(path, (folder.parent if in_campaign else folder) / AWAY)


def bring_back(path: Path) -> Path:
    """Move what was put away back to where it was; gives where it is now. Raises as `put_away`."""
    away = path.parent
    if away.name != AWAY:
        raise Refused(f"{path.name} was not put away")
    home = away.parent
    in_campaign = path.is_file() and (home / ENCOUNTERS).is_dir()
    return _moved(path, home / ENCOUNTERS if in_campaign else home)


def _moved(path: Path, folder: Path) -> Path:
    """Under its own name, or with a number behind it where that is taken."""
    is_file = path.is_file()
    logs = [path] if is_file else [lock.with_suffix("") for lock in path.rglob("*.lock")]
    locks: list[FileLock] = []
    try:
        for log in logs:
            locks.append(locked(log, str(log)))
        if not is_file:  # a folder in which files are open can't be moved everywhere
            _release(locks)
        folder.mkdir(exist_ok=True)
        target = free_name(folder, *((path.stem, path.suffix) if is_file else (path.name,)))
        path.rename(target)
        sync_folder(folder)
    except OSError as error:
        raise LogError(f"{path} can't be moved ({error.strerror})") from error
    finally:
        _release(locks)
    if is_file:
        without_orphan(path)
    return target


def _release(locks: list[FileLock]) -> None:
    for lock in locks:
        lock.release()

"""Create, copy, archive and bring back encounters and campaigns: their folders and files."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from affray.core.engine.events import Began, InitiativeSet, LedgerImported, Rolled
from affray.core.engine.history import Entry, History
from affray.core.formatting.safe_text import to_one_line
from affray.core.parser.errors import Refused
from affray.fight import utc_now
from affray.rulesets import DEFAULT, load_ruleset
from affray.store import LogError
from affray.store.campaigns import files, find
from affray.store.entries import format_log
from affray.store.entry_toml import format_header
from affray.store.filesystem import (
    create_file,
    draft_name,
    file_error_from,
    os_error_text,
    patiently,
    publish_atomically,
    read_bytes,
    sync_folder,
)
from affray.store.log_file import LogFile, acquire_lock, is_lock, read_log, remove_orphaned_lock
from affray.store.log_recovery import build_history

if TYPE_CHECKING:
    from filelock import FileLock

FIRST_CAMPAIGN = "My campaign"


def create_encounter(folder: Path, title: str) -> Path:
    """Create an encounter in a campaign; returns its file, which is named after the title.

    Raises Refused for a title without letters or an unknown ruleset, LogError if the file can't be
    written.
    """
    return create_loose_encounter(
        folder / files.ENCOUNTERS, title, files.campaign_ruleset_id(folder)
    )


def create_loose_encounter(folder: Path, title: str, ruleset_id: str) -> Path:
    """Create an encounter directly in a folder, which need not belong to a campaign."""
    stem = find.file_stem(title, "a title")
    load_ruleset(ruleset_id)
    with file_error_from(folder):
        folder.mkdir(parents=True, exist_ok=True)
    path = find.free_name(folder, stem, ".toml")
    _begin_log(path, title, ruleset_id)
    return path


def _begin_log(path: Path, title: str, ruleset_id: str) -> None:
    header = {"title": title, "ruleset": ruleset_id, "created": utc_now()}
    LogFile.create(path, header).close()


def create_campaign(name: str = FIRST_CAMPAIGN, ruleset_id: str = DEFAULT) -> Path:
    """Create a campaign with a ledger in the user's campaigns folder; returns its folder.

    Raises Refused for a name without letters or one that is taken, LogError if the folder can't be
    made.
    """
    folder = find.campaign_folders()[-1] / find.file_stem(name, "a name")
    load_ruleset(ruleset_id)
    try:
        if (folder / files.ENCOUNTERS).exists():  # a campaign, even without campaign.toml
            raise FileExistsError
        folder.mkdir(parents=True, exist_ok=True)
        publish_atomically(
            folder / files.ABOUT, format_header({"name": name, "ruleset": ruleset_id})
        )
        (folder / files.ENCOUNTERS).mkdir()
        _begin_log(folder / files.LEDGER, files.LEDGER_TITLE, ruleset_id)
    except FileExistsError:
        raise Refused(f"there is already a campaign {folder.name!r} in {folder.parent}") from None
    except OSError as error:
        raise LogError(f"{folder}: {os_error_text(error)}") from error
    return folder


# -------------------------------------------------------------------------------------------------
# Copies of an encounter, in its present state or as it was before round 1, and of a campaign.


def copy_encounter(path: Path, title: str) -> Path:
    """Copy an encounter beside it under another title; returns the new file.

    Raises Refused for a title without letters, LogError for a log that can't be read or written.
    """
    text = read_log(path)
    with file_error_from(path):
        raw = read_bytes(path)[: text.end]
    return _publish(path.parent, title, find.with_title(raw, text, to_one_line(title), utc_now()))


def copy_unbegun(path: Path, title: str) -> Path:
    """Copy an encounter as it was before round 1, without initiative and undone entries.

    Returns the new file. Raises as `copy_encounter`, and Refused for the log of a later affray.
    """
    text = read_log(path)
    history, reason = build_history(text)
    if reason:
        raise Refused(reason)
    header = {key: value for key, value in text.header.items() if key != "sum"}
    header |= {"title": to_one_line(title), "created": utc_now()}
    return _publish(path.parent, title, format_log(header, _entries_before_round_1(history)))


def _entries_before_round_1(history: History) -> Iterator[Entry]:
    """Yield the entries before round 1, renumbered, without initiative and ledger imports."""
    number = 0
    for seq in history.path:
        entry = history.entries[seq]
        if any(isinstance(event, Began) for event in entry.events):
            return
        if entry.events and all(
            isinstance(event, InitiativeSet | Rolled) for event in entry.events
        ):
            continue
        if any(isinstance(event, LedgerImported) for event in entry.events):
            continue
        number += 1
        yield replace(entry, seq=number)


def _publish(folder: Path, title: str, content: bytes) -> Path:
    path = find.free_name(folder, find.file_stem(title, "a title"), ".toml")
    with file_error_from(path):
        publish_atomically(path, content)
    return path


def copy_campaign(folder: Path, name: str) -> Path:
    """Copy a campaign beside it under another name; returns the new folder.

    Raises Refused for a name without letters, LogError if it can't be copied; then nothing is left.
    """
    target = find.free_name(folder.parent, find.file_stem(name, "a name"))
    try:
        with stage_folder(target) as draft:
            shutil.copytree(folder, draft, symlinks=True, ignore=_not_copied)
            about = draft / files.ABOUT
            if about.is_symlink():  # else the original would be renamed with it
                content = read_bytes(folder / files.ABOUT)
                about.unlink()
                create_file(about, content)
            find.rename_campaign(draft, name)
    except (OSError, shutil.Error) as error:
        raise LogError(f"{folder} can't be copied ({error})") from error
    return target


def _not_copied(folder: str, names: list[str]) -> list[str]:
    """Locks, a repository, and what can't be copied: pipes and devices."""
    paths = [Path(folder, name) for name in names]
    return [
        path.name
        for path in paths
        if path.name == ".git"
        or (path.suffix == ".lock" and is_lock(path))
        or not (path.is_symlink() or path.is_file() or path.is_dir())
    ]


@contextmanager
def stage_folder(target: Path) -> Iterator[Path]:
    """Yield a hidden folder to be filled: it becomes `target` as a whole, or is removed."""
    draft = draft_name(target)
    try:
        yield draft
        patiently(partial(draft.rename, target))
    finally:
        shutil.rmtree(draft, ignore_errors=True)


# -------------------------------------------------------------------------------------------------
# Archiving moves a file or folder out of the lists, and never changes it.


def archive(path: Path) -> Path:
    """Move an encounter or a campaign to an archive folder; returns its new path.

    An encounter of a campaign goes beside `encounters`; any other, and a campaign, into a folder
    beside it. Raises InUse if it is open elsewhere, LogError if it can't be moved.
    """
    folder = path.parent
    in_campaign = path.is_file() and folder.name == files.ENCOUNTERS
    return _move(path, (folder.parent if in_campaign else folder) / files.AWAY)


def unarchive(path: Path) -> Path:
    """Move an archived item back to its place; returns its new path. Raises as `archive`."""
    away = path.parent
    if away.name != files.AWAY:
        raise Refused(f"{path.name} is not archived")
    home = away.parent
    in_campaign = path.is_file() and (home / files.ENCOUNTERS).is_dir()
    return _move(path, home / files.ENCOUNTERS if in_campaign else home)


def _move(path: Path, folder: Path) -> Path:
    """Move a file or folder under its own name, with a number if that is taken."""
    is_file = path.is_file()
    found = [] if is_file else filter(is_lock, path.rglob("*.lock"))
    logs = [path] if is_file else [lock.with_suffix("") for lock in found]
    locks: list[FileLock] = []
    try:
        for log in logs:
            locks.append(acquire_lock(log, str(log)))
        if not is_file:  # a folder in which files are open can't be moved everywhere
            _release(locks)
        folder.mkdir(exist_ok=True)
        target = find.free_name(folder, *((path.stem, path.suffix) if is_file else (path.name,)))
        patiently(partial(path.rename, target))
        sync_folder(folder)
    except OSError as error:
        raise LogError(f"{path} can't be moved ({error.strerror})") from error
    finally:
        _release(locks)
    if is_file:
        remove_orphaned_lock(path)
    return target


def _release(locks: list[FileLock]) -> None:
    for lock in locks:
        lock.release()

"""Create, copy, archive and bring back encounters and campaigns: their folders and files."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
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
from affray.store.entries import build_history, format_log
from affray.store.entry_toml import format_header
from affray.store.filesystem import file_error_from, os_error_text, publish_atomically, sync_folder
from affray.store.log_file import LogFile, acquire_lock, read_log, remove_orphaned_lock

if TYPE_CHECKING:
    from filelock import FileLock

FIRST_CAMPAIGN = "My campaign"


def create_encounter(folder: Path, title: str) -> Path:
    """Begin an encounter of that title in a campaign's folder; gives its file, named after it.

    Raises Refused for a title without letters or a ruleset that is not there, LogError for a file
    that can't be made.
    """
    return create_loose_encounter(
        folder / files.ENCOUNTERS, title, files.campaign_ruleset_id(folder)
    )


def create_loose_encounter(folder: Path, title: str, ruleset_id: str) -> Path:
    """Create an encounter in that very folder, which need be no campaign's."""
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
    """Make a campaign's folder, named after it, where the user's campaigns are; gives it.

    A ledger is in it, and no encounter yet.

    Raises Refused for a name without letters or one that another campaign there has, which may be
    no more than a folder with encounters; LogError when the folder can't be made.
    """
    folder = find.campaign_folders()[-1] / find.file_stem(name, "a name")
    load_ruleset(ruleset_id)
    try:
        if (
            folder / files.ENCOUNTERS
        ).exists():  # by which a folder without campaign.toml is one, too
            raise FileExistsError
        folder.mkdir(parents=True, exist_ok=True)
        publish_atomically(
            folder / files.ABOUT, format_header({"name": name, "ruleset": ruleset_id})
        )
        (folder / files.ENCOUNTERS).mkdir()
        _begin_log(folder / files.LEDGER, files.LEDGER_TITLE, ruleset_id)
    except FileExistsError:
        raise Refused(f"there already is a campaign {folder.name!r} in {folder.parent}") from None
    except OSError as error:
        raise LogError(f"{folder}: {os_error_text(error)}") from error
    return folder


# -------------------------------------------------------------------------------------------------
# Copies: of an encounter as it stands or as it was before round 1, and of a campaign.


def copy_encounter(path: Path, title: str) -> Path:
    """A copy of an encounter under another title, beside it; gives its file.

    Raises Refused for a title without letters, LogError for a log that can't be read or written.
    """
    text = read_log(path)
    with file_error_from(path):
        raw = path.read_bytes()[: text.end]
    return _published(path.parent, title, find.with_title(raw, text, to_one_line(title), utc_now()))


def copy_unbegun(path: Path, title: str) -> Path:
    """A copy of an encounter as it was before its first round, and without initiative; its file.

    What was undone is not in it. Raises as `copy_encounter`; Refused for one of which not all is
    known.
    """
    text = read_log(path)
    history, reason = build_history(text)
    if reason:
        raise Refused(reason)
    header = {key: value for key, value in text.header.items() if key != "sum"}
    header |= {"title": to_one_line(title), "created": utc_now()}
    return _published(path.parent, title, format_log(header, _unbegun(history)))


def _unbegun(history: History) -> Iterator[Entry]:
    """The entries before the first round, numbered anew, without those that only tell initiative,
    or bring what another fight has left."""
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


def _published(folder: Path, title: str, content: bytes) -> Path:
    path = find.free_name(folder, find.file_stem(title, "a title"), ".toml")
    with file_error_from(path):
        publish_atomically(path, content)
    return path


def copy_campaign(folder: Path, name: str) -> Path:
    """A copy of a campaign with all that is in it, beside it under another name; gives its folder.

    Raises Refused for a name without letters, LogError when it can't be made; then nothing is left.
    """
    target = find.free_name(folder.parent, find.file_stem(name, "a name"))
    try:
        with stage_folder(target) as draft:
            shutil.copytree(folder, draft, ignore=shutil.ignore_patterns("*.lock", ".git"))
            find.rename_campaign(draft, name)
    except (OSError, shutil.Error) as error:
        raise LogError(f"{folder} can't be copied ({error})") from error
    return target


@contextmanager
def stage_folder(target: Path) -> Iterator[Path]:
    """Give a hidden folder's path, to be filled: it becomes `target`, whole, or nothing is left."""
    draft = target.with_name(f".{target.name}.{os.getpid()}.new")
    shutil.rmtree(draft, ignore_errors=True)  # a killed process may have had our number
    try:
        yield draft
        draft.rename(target)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


# -------------------------------------------------------------------------------------------------
# Archiving moves a file or folder out of the lists, and never changes it.


def archive(path: Path) -> Path:
    """Move an encounter or a campaign to the folder of what was put away; gives where it is.

    An encounter of a campaign goes beside `encounters`; any other, and a campaign, into a folder
    beside it. Raises InUse for one that is open elsewhere, LogError for one that can't be moved.
    """
    folder = path.parent
    in_campaign = path.is_file() and folder.name == files.ENCOUNTERS
    return _moved(path, (folder.parent if in_campaign else folder) / files.AWAY)


def unarchive(path: Path) -> Path:
    """Move what was put away back to where it was; gives where it is now. Raises as `put_away`."""
    away = path.parent
    if away.name != files.AWAY:
        raise Refused(f"{path.name} was not put away")
    home = away.parent
    in_campaign = path.is_file() and (home / files.ENCOUNTERS).is_dir()
    return _moved(path, home / files.ENCOUNTERS if in_campaign else home)


def _moved(path: Path, folder: Path) -> Path:
    """Under its own name, or with a number behind it where that is taken."""
    is_file = path.is_file()
    logs = [path] if is_file else [lock.with_suffix("") for lock in path.rglob("*.lock")]
    locks: list[FileLock] = []
    try:
        for log in logs:
            locks.append(acquire_lock(log, str(log)))
        if not is_file:  # a folder in which files are open can't be moved everywhere
            _release(locks)
        folder.mkdir(exist_ok=True)
        target = find.free_name(folder, *((path.stem, path.suffix) if is_file else (path.name,)))
        path.rename(target)
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

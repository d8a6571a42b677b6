"""Copies: of an encounter as it stands, or as it was before its first round, and of a campaign."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec.structs import replace

from affray.core.heart.events import Began, Carried, Ordered, Rolled
from affray.core.heart.history import Entry, History
from affray.core.language.refusal import Refused
from affray.core.telling.plain import one_line
from affray.fight import utc_now
from affray.store.campaigns.names import free_name, rename_campaign, retitled, stem_of
from affray.store.disk import publish, said_of
from affray.store.entries import history_of, whole_log
from affray.store.errors import LogError
from affray.store.log_file import read_log


def copy_encounter(path: Path, title: str) -> Path:
    """A copy of an encounter under another title, beside it; gives its file.

    Raises Refused for a title without letters, LogError for a log that can't be read or written.
    """
    text = read_log(path)
    with said_of(path):
        raw = path.read_bytes()[: text.end]
    return _published(path.parent, title, retitled(raw, text, one_line(title), utc_now()))


def copy_unbegun(path: Path, title: str) -> Path:
    """A copy of an encounter as it was before its first round, and without initiative; its file.

    What was undone is not in it. Raises as `copy_encounter`; Refused for one of which not all is
    known.
    """
    text = read_log(path)
    history, reason = history_of(text)
    if reason:
        raise Refused(reason)
    header = {key: value for key, value in text.header.items() if key != "sum"}
    header |= {"title": one_line(title), "created": utc_now()}
    return _published(path.parent, title, whole_log(header, _unbegun(history)))


def _unbegun(history: History) -> Iterator[Entry]:
    """The entries before the first round, numbered anew, without those that only tell initiative,
    or bring what another fight has left."""
    number = 0
    for seq in history.path:
        entry = history.entries[seq]
        if any(isinstance(event, Began) for event in entry.events):
            return
        if entry.events and all(isinstance(event, Ordered | Rolled) for event in entry.events):
            continue
        if any(isinstance(event, Carried) for event in entry.events):
            continue
        number += 1
        yield replace(entry, seq=number)


def _published(folder: Path, title: str, content: bytes) -> Path:
    path = free_name(folder, stem_of(title, "a title"), ".toml")
    with said_of(path):
        publish(path, content)
    return path


def copy_campaign(folder: Path, name: str) -> Path:
    """A copy of a campaign with all that is in it, beside it under another name; gives its folder.

    Raises Refused for a name without letters, LogError when it can't be made; then nothing is left.
    """
    target = free_name(folder.parent, stem_of(name, "a name"))
    try:
        with made_apart(target) as draft:
            shutil.copytree(folder, draft, ignore=shutil.ignore_patterns("*.lock", ".git"))
            rename_campaign(draft, name)
    except (OSError, shutil.Error) as error:
        raise LogError(f"{folder} can't be copied ({error})") from error
    return target


@contextmanager
def made_apart(target: Path) -> Iterator[Path]:
    """Give a hidden folder's path, to be filled: it becomes `target`, whole, or nothing is left."""
    draft = target.with_name(f".{target.name}.{os.getpid()}.new")
    shutil.rmtree(draft, ignore_errors=True)  # a killed process may have had our number
    try:
        yield draft
        draft.rename(target)
    finally:
        shutil.rmtree(draft, ignore_errors=True)

"""What the logs of a campaign see of one another: ledger in fights, fights in the ledger."""

from __future__ import annotations

import os
import zlib
from abc import ABC, abstractmethod
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Self

from affray.core.dice import DiceSource
from affray.core.engine.events import LedgerImported
from affray.core.engine.history import History, OtherLog, OtherLogs
from affray.core.engine.ledger import THE_LEDGER, as_text, fight_id, is_same_fight, made_at
from affray.core.engine.state import Encounter
from affray.core.parser.errors import Refused
from affray.fight import Fight, Now, utc_now
from affray.store import LogError
from affray.store.campaigns import files
from affray.store.entries import build_history
from affray.store.filesystem import log_error_from
from affray.store.log_file import file_stamp, read_log
from affray.store.log_recovery import Stamp

CARRY = "carry"
OLDER = "older"
"""The key of a ledger's header for what `read_header` gives."""


class SavedFight(Fight, ABC):
    """A fight with a log, as a campaign's ledger needs it. The ledger is a `SavedFight`, too.

    path         the file of its log
    rules_fault  why a view lacks some of the campaign's rules; empty if it has them all
    """

    path: Path
    rules_fault: str

    @classmethod
    @abstractmethod
    def create(
        cls,
        path: Path,
        ruleset_id: str,
        title: str,
        dice: DiceSource | None = None,
        now: Now = utc_now,
    ) -> Self:
        """Begin a fight in a new file. Raises Refused for the ruleset, LogError for the file."""

    @classmethod
    @abstractmethod
    def open(cls, path: Path, dice: DiceSource | None = None, now: Now = utc_now) -> Self:
        """Open a fight to be played. Raises LogError for the file, Refused for the ruleset."""

    @classmethod
    @abstractmethod
    def view(cls, path: Path) -> Self:
        """Open a fight to be looked at. Raises LogError for a file that is no log."""

    @property
    @abstractmethod
    def header(self) -> dict[str, Any]:
        """The header of the log, above its entries."""

    @property
    @abstractmethod
    def is_viewed(self) -> bool:
        """Whether it is only looked at."""

    @abstractmethod
    def take_in_rules(self) -> None:
        """Use the campaign's rules as they are now."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the file."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def other_logs(path: Path) -> OtherLogs:
    """The other logs in the campaign of a fight or a ledger.

    A log is read when it is asked for, and again only after it was saved.
    """

    def ledger() -> OtherLog | None:
        folder = None if files.is_ledger(path) else files.campaign_of(path)
        return None if folder is None else _read(folder, files.LEDGER)

    def fights() -> list[str]:
        folder = files.campaign_of(path) if files.is_ledger(path) else None
        return [] if folder is None else [file.stem for file in files.encounters_of(folder)]

    def read(log: str) -> OtherLog | None:
        folder = files.campaign_of(path)
        return None if folder is None else _read(folder, log)

    def find(carried: LedgerImported) -> OtherLog | None:
        folder = files.campaign_of(path)
        return None if folder is None else _source_of(folder, carried)

    return OtherLogs(ledger, fights, read, files.is_ledger(path), find)


def name_in_campaign(file: Path) -> str:
    """The name by which the ledger knows a log: `ledger.toml`, `encounters/ford.toml`."""
    name = Path(os.path.realpath(file)).name  # by whichever link it was opened
    return files.LEDGER if files.is_ledger(file) else f"{files.ENCOUNTERS}/{name}"


def log_checksum(file: Path) -> str:
    """A checksum of a log's entries; its title doesn't count. Raises OSError."""
    _, _, entries = file.read_bytes().partition(b"[[entry]]")
    return f"{zlib.crc32(entries):08x}"


def is_carry_command(path: Path, state: Encounter, line: str) -> bool:
    """Whether a line asks to carry an ended fight into its campaign's ledger."""
    is_over = state.phase == "ended" and line.casefold().split() == [CARRY]
    return is_over and files.campaign_of(path) is not None and not files.is_ledger(path)


def read_header(path: Path) -> dict[str, list[str]]:
    """The extra header for a new log at `path`; empty unless it is a ledger.

    It holds the checksums of the fights that have ended already, which need not be carried.
    """
    folder = files.campaign_of(path) if files.is_ledger(path) else None
    if folder is None:
        return {}
    from affray.store.campaigns.summaries import summary  # here, since a ledger is seldom begun

    with log_error_from(folder):
        older = [
            log_checksum(file)
            for file in files.encounters_of(folder)
            if summary(file).phase == "ended"
        ]
    return {OLDER: older} if older else {}


def title_of(file: Path, title: str) -> str:
    """The title of a log for people."""
    return THE_LEDGER if files.is_ledger(file) else title or file.stem


def _read(folder: Path, log: str) -> OtherLog | None:
    """The log with a name, which may come from a file: only the campaign's own logs are read."""
    file = folder / files.LEDGER if log == files.LEDGER else _fight_called(folder, log)
    if file is None or not files.exists(file):
        return None
    try:
        return _cached_log(file, file_stamp(file))
    except LogError as error:
        raise Refused(str(error)) from None
    except OSError as error:
        raise Refused(f"{file}: {error.strerror}") from None


def _fight_called(folder: Path, log: str) -> Path | None:
    """The file of the fight `ford` or `encounters/ford.toml`, even if it was archived."""
    name = log.removeprefix(f"{files.ENCOUNTERS}/").removesuffix(".toml")
    paths = (*files.encounters_of(folder), *files.encounters_of(folder, files.AWAY))
    return next((path for path in paths if path.stem == name), None)


def _source_of(folder: Path, carried: LedgerImported) -> OtherLog | None:
    """The log from which something was carried, even if renamed; None if it is gone."""
    there = _read(folder, carried.log)
    if not carried.fight or (there is not None and is_same_fight(there.carried, carried)):
        return there
    for file in (*files.encounters_of(folder), *files.encounters_of(folder, files.AWAY)):
        other = _read(folder, file.stem) if may_be_source(file, carried) else None
        if other is not None and is_same_fight(other.carried, carried):
            return other
    return None


def may_be_source(file: Path, carried: LedgerImported) -> bool:
    """Whether something may have been carried from a log, by the time at which it was made."""
    from affray.store.campaigns.summaries import quick_summary  # here, since it is seldom asked

    if not carried.fight:
        return name_in_campaign(file) == carried.log
    return as_text(quick_summary(file).created) == made_at(carried)


@lru_cache(maxsize=4)
def _cached_log(file: Path, stamp: Stamp) -> OtherLog:
    checksum = log_checksum(file)  # before reading, so that a save in between is noticed
    text = read_log(file)
    history, _ = build_history(text)
    return other_log(file, text.header, history, checksum)


def other_log(file: Path, header: Mapping[str, Any], history: History, checksum: str) -> OtherLog:
    """A log as the other logs of its campaign see it."""
    created = header.get("created")
    created = created if isinstance(created, datetime) else None
    fight = "" if files.is_ledger(file) else fight_id(created, history)
    title = title_of(file, history.state.title)
    return OtherLog(name_in_campaign(file), title, checksum, history, fight)

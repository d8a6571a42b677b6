"""The exchange between a campaign's ledger and its fights. The first half is their view of each
other's logs; from `sync_to_ledger` on it carries a fight's end, and reports differences.
"""

from __future__ import annotations

import os
import zlib
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from functools import lru_cache
from pathlib import Path, PurePath
from typing import Any, NamedTuple, Self

from affray.core.commands.newcomers import has_party_member, last_import, require_same_rules
from affray.core.dice import DiceSource
from affray.core.engine import ledger as engine
from affray.core.engine.events import LedgerImported
from affray.core.engine.history import History, OtherLog, OtherLogs
from affray.core.engine.ledger import THE_LEDGER, is_same_fight, ledger_import_of
from affray.core.engine.state import Encounter
from affray.core.formatting.log_lines import entry_line
from affray.core.parser.errors import Refused
from affray.fight import Fight, Now, utc_now
from affray.store import LogError
from affray.store.campaigns import files
from affray.store.campaigns.summaries import quick_summary, summary
from affray.store.entry_toml import plain_lines
from affray.store.filesystem import log_error_from, one_spelling, read_bytes
from affray.store.log_file import file_stamp, read_log
from affray.store.log_recovery import Stamp, build_history

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
        """True if it is read-only."""

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
        return [] if folder is None else [*map(files.stem_of, files.encounters_of(folder))]

    def read(log: str) -> OtherLog | None:
        folder = files.campaign_of(path)
        return None if folder is None else _read(folder, log)

    def find(carried: LedgerImported) -> OtherLog | None:
        folder = files.campaign_of(path)
        return None if folder is None else _source_of(folder, carried)

    return OtherLogs(ledger, fights, read, files.is_ledger(path), find)


def name_in_campaign(file: Path) -> str:
    """The name by which the ledger knows a log: `ledger.toml`, `encounters/ford.toml`."""
    name = one_spelling(Path(os.path.realpath(file)).name)  # by whichever link it was opened
    return files.LEDGER if files.is_ledger(file) else f"{files.ENCOUNTERS}/{name}"


def log_checksum(file: Path) -> str:
    """A checksum of a log's entries; its title and line ends don't count. Raises OSError."""
    _, _, entries = plain_lines(read_bytes(file)).partition(b"[[entry]]")
    return f"{zlib.crc32(entries):08x}"


def is_carry_command(path: Path, state: Encounter, line: str) -> bool:
    """True if a line asks to carry an ended fight into its campaign's ledger."""
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
    name = one_spelling(log).removeprefix(f"{files.ENCOUNTERS}/").removesuffix(".toml")
    paths = (*files.encounters_of(folder), *files.encounters_of(folder, files.AWAY))
    return next((path for path in paths if files.stem_of(path) == name), None)


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
    """True if something may have been carried from a log, by the time at which it was made."""
    if not carried.fight:
        return name_in_campaign(file) == carried.log
    return engine.as_text(quick_summary(file).created) == engine.made_at(carried)


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
    fight = "" if files.is_ledger(file) else engine.fight_id(created, history)
    title = title_of(file, history.state.title)
    return OtherLog(name_in_campaign(file), title, checksum, history, fight)


# -------------------------------------------------------------------------------------------------
# affray carries a fight's end into the ledger, and reports differences when a log is opened.
# Nothing is carried twice. Only the end of a fight is carried by itself; a notice names every other
# difference, and the command `carry` takes it in.

_FAULTS = (Refused, LogError, OSError)


def sync_to_ledger(fight: SavedFight) -> str:
    """Carry a fight's result into the ledger, and give the new ledger entry as a line.

    A missing ledger is begun. Raises Refused if nothing differs, LogError if the ledger can't be
    read or written.
    """
    path = _ledger_of(fight)
    if files.exists(path):
        ledger = type(fight).open(path, fight.dice, fight.read_time)
    else:
        ledger = type(fight).create(
            path, fight.ruleset.id, files.LEDGER_TITLE, fight.dice, fight.read_time
        )
    with ledger:
        _provide_log(ledger, _other_log_of(fight))
        ledger.do(_carry_command(fight.path))
        return _last_entry_text(ledger)


def preview_sync(fight: SavedFight) -> str:
    """Describe in a line what carrying a fight would do. Raises Refused if it can't be carried."""
    path = _ledger_of(fight)
    if not files.exists(path):
        return f"begins {THE_LEDGER} with what the party has left"
    try:
        ledger = type(fight).view(path)
        _provide_log(ledger, _other_log_of(fight))
    except LogError as error:
        raise Refused(str(error)) from None
    ledger.do_in_memory(_carry_command(fight.path))
    return _last_entry_text(ledger)


class LedgerNotice(NamedTuple):
    """A notice after an entry that ended a fight or followed its end; with `done`, it asks for
    nothing."""

    line: str
    done: bool = False


def needs_sync(opened: SavedFight) -> bool:
    """True if `carry` would change something now: the ledger, or begin one when a fight is over."""
    if opened.is_viewed or files.is_ledger(opened.path) or opened.state.in_combat:
        return False
    try:
        if not files.exists(_ledger_of(opened)):
            return opened.state.phase == "ended" and _has_party(opened)
        if opened.state.phase != "ended":
            return _has_effect(opened, CARRY)
        ledger = _ledger_for(opened, _other_log_of(opened))
        return not ledger.rules_fault and _has_effect(ledger, _carry_command(opened.path))
    except _FAULTS:
        return False


def sync_notice(fight: SavedFight, before: Encounter) -> LedgerNotice:
    """Carry a fight's result after an entry that ended it or followed its end, and give a notice.

    `before` is the state before that entry. The notice's line is empty if there is nothing to say.
    """
    if files.is_ledger(fight.path) or not _has_party(fight):
        return LedgerNotice("")
    try:
        return _carry_or_notice(fight, before)
    except _FAULTS as error:
        left = f"the result of {fight.title} was not carried over into {THE_LEDGER}"
        return LedgerNotice(f"{left}: {error}; `{CARRY}` does it")


def _carry_or_notice(fight: SavedFight, before: Encounter) -> LedgerNotice:
    path, over = _ledger_of(fight), fight.state.phase == "ended"
    if not files.exists(path):
        hint = f"nothing is carried over yet: `{CARRY}` begins a ledger for the next fight"
        return LedgerNotice(hint if over and before.phase != "ended" else "", done=True)
    log = _other_log_of(fight)
    ledger = _ledger_for(fight, log)
    own = log.carried
    copied = _import_of_other_copy(ledger, own)
    if not over:
        goes_on = copied is None and _last_import(ledger, own) is not None
        return LedgerNotice(
            f"{fight.title} was carried over into {THE_LEDGER}, but is still going on"
            if goes_on
            else ""
        )
    require_same_rules(ledger.state, log)
    if not _has_effect(ledger, _carry_command(fight.path)):
        return LedgerNotice("")
    if copied is not None:
        return LedgerNotice(f"{_copy_text(fight.path, copied)}: `{CARRY}` adds the differences")
    if _is_carried_unasked(ledger, own, before.phase != "ended"):
        return LedgerNotice(sync_to_ledger(fight), done=True)
    return LedgerNotice(f"{THE_LEDGER} has changed since: `{CARRY}` adds the differences")


def _is_carried_unasked(ledger: SavedFight, own: LedgerImported, has_just_ended: bool) -> bool:
    """True if a fight's result goes into the ledger without being asked for.

    It doesn't if another fight was carried after this one, or if carrying this one was undone.
    """
    history = ledger.history
    of_this = [seq for seq, entry in history.entries.items() if engine.is_carried_in(entry, own)]
    on_path = [seq for seq in history.path if ledger_import_of(history.entries[seq]) is not None]
    if not set(of_this) & set(on_path):
        return has_just_ended or not of_this
    return of_this[-1] == on_path[-1]


def open_notices(opened: SavedFight) -> tuple[str, ...]:
    """The notices when a log is opened.

    They tell of fights whose results are not in the ledger, and, before a fight begins, of a party
    that differs from the ledger's.
    """
    folder = files.campaign_of(opened.path)
    if folder is None:
        return ()
    try:
        return tuple(_notices(opened, folder)) if files.exists(folder / files.LEDGER) else ()
    except _FAULTS as error:
        return (str(error),)


def _notices(opened: SavedFight, folder: Path) -> Iterator[str]:
    if files.is_ledger(opened.path):
        yield from _missing_fights(opened, folder, "")
        return
    log = _other_log_of(opened)
    ledger = _ledger_for(opened, log)
    copied = _import_of_other_copy(ledger, log.carried)
    if copied is not None:
        yield _copy_text(opened.path, copied)
    elif (
        opened.state.phase == "ended"
        and _has_party(opened)
        and _may_need_carrying(ledger, opened.path, _known_checksums(ledger))
    ):
        yield f"{THE_LEDGER} does not have the end of {opened.title}: `{CARRY}` adds it"
    if opened.state.phase != "setup":
        return
    yield from _missing_fights(ledger, folder, f" in {THE_LEDGER}")
    if last_import(opened.history.previous) != ledger.history.head and _has_effect(opened, CARRY):
        yield f"the party no longer matches {THE_LEDGER}: `{CARRY}` updates it"


def _missing_fights(ledger: SavedFight, folder: Path, where: str) -> Iterator[str]:
    """A notice for each fight whose present result is not in the ledger, in the order of play."""
    known_sums = _known_checksums(ledger)
    for file in sorted(files.encounters_of(folder), key=lambda file: quick_summary(file).played):
        with suppress(*_FAULTS):  # a fault in that log is for whoever opens it
            if _may_need_carrying(ledger, file, known_sums):
                fight = ledger.other_logs.read(file.stem)
                notice = _fight_notice(ledger, file, fight, where) if fight is not None else ""
                if notice:
                    yield notice


def _fight_notice(ledger: SavedFight, file: Path, fight: OtherLog, where: str) -> str:
    """The difference between a fight and the ledger's record of it; empty without news."""
    carried = _last_import(ledger, fight.carried)
    copied = _import_of_other_copy(ledger, fight.carried)
    is_over = fight.state.phase == "ended"
    takes = f"`{_carry_command(file)}`{where} adds"
    if copied is not None:
        return f"{_copy_text(file, copied)}: {takes} the differences" if is_over else ""
    if is_over:
        how = (
            ("is not carried over") if carried is None else "has changed since it was carried over"
        )
        return f"{fight.title} {how}: {takes} it"
    if carried is not None:
        return f"{fight.title} was carried over into {THE_LEDGER}, but is still going on"
    return ""


def _may_need_carrying(ledger: SavedFight, file: Path, known_sums: Collection[object]) -> bool:
    """True if the ledger may lack a fight's result, or hold one that is out of date."""
    if log_checksum(file) in known_sums:  # unchanged since it was carried, even if renamed
        return False
    if summary(file).phase != "ended":
        return any(may_be_source(file, carried) for carried in _imports(ledger))
    return _has_effect(ledger, _carry_command(file))


def _imports(ledger: SavedFight) -> list[LedgerImported]:
    """The entries that carried something into the ledger, oldest first."""
    history = ledger.history
    found = (ledger_import_of(history.entries[seq]) for seq in history.path)
    return [carried for carried in found if carried is not None]


def _last_import(ledger: SavedFight, own: LedgerImported) -> LedgerImported | None:
    """The last numbers carried over from this fight; None before the first time."""
    history = ledger.history
    entries = (history.entries[seq] for seq in reversed(history.path))
    return next(
        (ledger_import_of(entry) for entry in entries if engine.is_carried_in(entry, own)), None
    )


def _import_of_other_copy(ledger: SavedFight, own: LedgerImported) -> LedgerImported | None:
    """The numbers carried over from another existing copy of this fight; else None.

    A file sync leaves two copies of a log that was saved on two machines.
    """
    carried = _last_import(ledger, own)
    if carried is None or carried.log == own.log:
        return None
    original = ledger.other_logs.read(carried.log)
    is_there = original is not None and is_same_fight(original.carried, carried)
    return carried if is_there else None


def _copy_text(file: Path, copied: LedgerImported) -> str:
    return f"{file.name} is another copy of {copied.title}, which is already in {THE_LEDGER}"


def _known_checksums(ledger: SavedFight) -> list[object]:
    """The checksums of fights when they were last carried, one for each file name, and of the
    fights that had ended before the ledger was begun."""
    older = ledger.header.get(OLDER)
    last = {(carried.log, carried.fight): carried.sum for carried in _imports(ledger)}
    return [*(older if isinstance(older, list) else ()), *last.values()]


# -- the ledger, opened for a fight ----------------------------------------------------------------


def _ledger_of(fight: SavedFight) -> Path:
    folder = files.campaign_of(fight.path)
    return (folder or fight.path.parent) / files.LEDGER


def _has_party(fight: SavedFight) -> bool:
    return files.campaign_of(fight.path) is not None and has_party_member(
        fight.ruleset.tables, fight.state
    )


def _carry_command(file: Path) -> str:
    return f'{CARRY} from "{PurePath(name_in_campaign(file)).stem}"'


def _ledger_for(fight: SavedFight, log: OtherLog) -> SavedFight:
    """The ledger as a view that takes the fight from `log`; read again only when it was saved."""
    path = _ledger_of(fight)
    ledger = _cached_view(type(fight), path, file_stamp(path))
    ledger.take_in_rules()
    _provide_log(ledger, log)
    return ledger


@lru_cache(maxsize=1)
def _cached_view(kind: type[SavedFight], path: Path, stamp: Stamp) -> SavedFight:
    return kind.view(path)


def _provide_log(ledger: SavedFight, log: OtherLog) -> None:
    """Let the ledger take a fight from memory, without reading its file."""
    others, names = other_logs(ledger.path), (log.log, PurePath(log.log).stem)
    ledger.other_logs = others._replace(
        read=lambda text: log if text in names else others.read(text)
    )


def _other_log_of(fight: SavedFight) -> OtherLog:
    with log_error_from(fight.path):
        checksum = log_checksum(fight.path)
    return other_log(fight.path, fight.header, fight.history, checksum)


def _has_effect(opened: SavedFight, line: str) -> bool:
    try:
        opened.preview(line)
    except Refused:
        return False
    return True


def _last_entry_text(ledger: SavedFight) -> str:
    history = ledger.history
    entry = history.entries[history.last]
    before = history.before(entry.seq)
    line = entry_line(entry, before, ledger.ruleset.tables.tracks)
    return f"{THE_LEDGER}, entry {entry.seq}: {line}"

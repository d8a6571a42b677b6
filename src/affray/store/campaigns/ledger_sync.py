"""Carry a fight's end into the campaign's ledger, and tell what differs when a log is opened.

Nothing is carried twice, and only a fight's end by itself: where anything else differs, a notice
says so, and the command `carry` takes it in.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path, PurePath
from typing import NamedTuple

from affray.core.commands.combatants import has_party_member, last_import, require_same_rules
from affray.core.engine.events import LedgerImported
from affray.core.engine.history import OtherLog
from affray.core.engine.ledger import THE_LEDGER, is_carried_in, is_same_fight, ledger_import_of
from affray.core.engine.state import Encounter
from affray.core.formatting.log_lines import entry_line
from affray.core.parser.errors import Refused
from affray.store import LogError
from affray.store.campaigns import files
from affray.store.campaigns.ledger import (
    CARRY,
    OLDER,
    SavedFight,
    log_checksum,
    may_be,
    name_in_campaign,
    other_log,
    other_logs,
)
from affray.store.campaigns.summaries import quick_summary, summary
from affray.store.filesystem import log_error_from
from affray.store.log_file import file_stamp
from affray.store.log_recovery import Stamp

_FAULTS = (Refused, LogError, OSError)


def sync_to_ledger(fight: SavedFight) -> str:
    """Carry what a fight's end has left into the ledger, which is begun where there is none; gives
    what came of it, in a line. Raises Refused where nothing differs, LogError for the ledger."""
    path = _ledger_of(fight)
    if files.exists(path):
        ledger = type(fight).open(path, fight.dice, fight.clock)
    else:
        ledger = type(fight).create(
            path, fight.ruleset.id, files.LEDGER_TITLE, fight.dice, fight.clock
        )
    with ledger:
        _let_know(ledger, _as_other(fight))
        ledger.do(_line(fight.path))
        return _last_entry_text(ledger)


def preview_sync(fight: SavedFight) -> str:
    """Describe what carrying a fight would do, in a line. Raises Refused where that isn't known."""
    path = _ledger_of(fight)
    if not files.exists(path):
        return f"begins {THE_LEDGER}, and carries what the party is left with into it"
    try:
        ledger = type(fight).view(path)
        _let_know(ledger, _as_other(fight))
    except LogError as error:
        raise Refused(str(error)) from None
    ledger.do_in_memory(_line(fight.path))
    return _last_entry_text(ledger)


class LedgerNotice(NamedTuple):
    """A notice after an entry that has ended a fight, or came behind its end; `done` for mere
    news."""

    line: str
    done: bool = False


def needs_sync(opened: SavedFight) -> bool:
    """Whether `carry` would do anything here now, in a campaign that has a ledger already."""
    if opened.is_viewed or files.is_ledger(opened.path) or opened.state.phase == "combat":
        return False
    try:
        if not files.exists(_ledger_of(opened)):
            return False
        if opened.state.phase != "ended":
            return _can(opened, CARRY)
        ledger = _ledger_for(opened, _as_other(opened))
        return not ledger.rules_fault and _can(ledger, _line(opened.path))
    except _FAULTS:
        return False


def sync_notice(fight: SavedFight, before: Encounter) -> LedgerNotice:
    """Carry what an entry leaves that has ended a fight, or came behind its end, and give the
    notice; its line is empty for nothing."""
    if files.is_ledger(fight.path) or not _has_party(fight):
        return LedgerNotice("")
    try:
        return _after(fight, before)
    except _FAULTS as error:
        left = f"what {fight.title} leaves the party with was not carried into {THE_LEDGER}"
        return LedgerNotice(f"{left}: {error}; `{CARRY}` does it")


def _after(fight: SavedFight, before: Encounter) -> LedgerNotice:
    path, over = _ledger_of(fight), fight.state.phase == "ended"
    if not files.exists(path):
        hint = f"`{CARRY}` begins a ledger: the next fight takes the party as this one leaves it"
        return LedgerNotice(hint if over and before.phase != "ended" else "", done=True)
    log = _as_other(fight)
    ledger = _ledger_for(fight, log)
    own = log.carried
    copied = _copied(ledger, own)
    if not over:
        goes_on = copied is None and _last(ledger, own) is not None
        return LedgerNotice(
            f"{fight.title} was carried into {THE_LEDGER}, and goes on" if goes_on else ""
        )
    require_same_rules(ledger.state, log)
    if not _can(ledger, _line(fight.path)):
        return LedgerNotice("")
    if copied is not None:
        return LedgerNotice(f"{_as_copy(fight.path, copied)}: `{CARRY}` takes in what differs here")
    if _goes_by_itself(ledger, own, before.phase != "ended"):
        return LedgerNotice(sync_to_ledger(fight), done=True)
    return LedgerNotice(f"{THE_LEDGER} has gone on since: `{CARRY}` takes in what differs")


def _goes_by_itself(ledger: SavedFight, own: LedgerImported, has_just_ended: bool) -> bool:
    """Whether what a fight leaves goes into the ledger unasked: if no other fight has been carried
    since this one was, and nobody has taken that back."""
    history = ledger.history
    ever = [seq for seq, entry in history.entries.items() if is_carried_in(entry, own)]
    now = [seq for seq in history.path if ledger_import_of(history.entries[seq]) is not None]
    if not set(ever) & set(now):
        return has_just_ended or not ever
    return ever[-1] == now[-1]


def open_notices(opened: SavedFight) -> tuple[str, ...]:
    """The notices when a log is opened: fights whose end the ledger lacks, and a party that the
    ledger has otherwise in a fight that has yet to begin."""
    folder = files.campaign_of(opened.path)
    if folder is None:
        return ()
    try:
        return tuple(_news(opened, folder)) if files.exists(folder / files.LEDGER) else ()
    except _FAULTS as error:
        return (str(error),)


def _news(opened: SavedFight, folder: Path) -> Iterator[str]:
    if files.is_ledger(opened.path):
        yield from _untaken(opened, folder, "")
        return
    log = _as_other(opened)
    ledger = _ledger_for(opened, log)
    copied = _copied(ledger, log.carried)
    if copied is not None:
        yield _as_copy(opened.path, copied)
    elif _is_over(opened) and _is_awaited(ledger, opened.path, _known_sums(ledger)):
        yield f"{opened.title} is not in {THE_LEDGER} as it ended: `{CARRY}` takes it in"
    if opened.state.phase != "setup":
        return
    yield from _untaken(ledger, folder, f" in {THE_LEDGER}")
    if last_import(opened.history.previous) != ledger.history.head and _can(opened, CARRY):
        yield f"the party is no longer as {THE_LEDGER} has it: `{CARRY}` brings it there"


def _is_over(fight: SavedFight) -> bool:
    """Whether a fight has ended, and left the party with something."""
    return fight.state.phase == "ended" and _has_party(fight)


def _untaken(ledger: SavedFight, folder: Path, where: str) -> Iterator[str]:
    """A line for each fight whose end is not in the ledger as it is, the one played first before
    the others."""
    known_sums = _known_sums(ledger)
    for file in sorted(files.encounters_of(folder), key=lambda file: quick_summary(file).played):
        with suppress(*_FAULTS):  # who opens that one is told
            if _is_awaited(ledger, file, known_sums):
                fight = ledger.other_logs.read(file.stem)
                yield from _about(ledger, file, fight, where) if fight is not None else ()


def _about(ledger: SavedFight, file: Path, fight: OtherLog, where: str) -> Iterator[str]:
    """What is to be said of a fight of which the ledger has not what it leaves by now."""
    was, copied = _last(ledger, fight.carried), _copied(ledger, fight.carried)
    is_over = fight.state.phase == "ended"
    takes = f"`{_line(file)}`{where} takes"
    if copied is not None:
        yield from [f"{_as_copy(file, copied)}: {takes} in what differs there"] if is_over else []
    elif is_over:
        how = "is not carried" if was is None else "is no longer as it was carried"
        yield f"{fight.title} {how}: {takes} it in"
    elif was is not None:
        yield f"{fight.title} was carried into {THE_LEDGER}, and goes on"


def _is_awaited(ledger: SavedFight, file: Path, known_sums: Collection[object]) -> bool:
    """Whether what the ledger has of a fight may not be, or no longer, what its end leaves.

    Of those whose checksum is known that needn't be looked at.
    """
    if log_checksum(file) in known_sums:  # by another name, too
        return False
    if summary(file).phase != "ended":
        return any(may_be(file, carried) for carried in _carried(ledger))
    return _can(ledger, _line(file))


def _carried(ledger: SavedFight) -> list[LedgerImported]:
    """What entries tell that have carried something, the first first."""
    history = ledger.history
    found = (ledger_import_of(history.entries[seq]) for seq in history.path)
    return [carried for carried in found if carried is not None]


def _last(ledger: SavedFight, own: LedgerImported) -> LedgerImported | None:
    """What the last entry tells that has carried that fight; None for never."""
    history = ledger.history
    entries = (history.entries[seq] for seq in reversed(history.path))
    return next((ledger_import_of(entry) for entry in entries if is_carried_in(entry, own)), None)


def _copied(ledger: SavedFight, own: LedgerImported) -> LedgerImported | None:
    """What was carried of that fight by another file of it, which is there as well; else None.

    So it is with what a sync leaves of a log that was saved on two machines.
    """
    carried = _last(ledger, own)
    if carried is None or carried.log == own.log:
        return None
    original = ledger.other_logs.read(carried.log)
    is_there = original is not None and is_same_fight(original.carried, carried)
    return carried if is_there else None


def _as_copy(file: Path, copied: LedgerImported) -> str:
    return f"{file.name} is another copy of {copied.title}, which is in {THE_LEDGER} already"


def _known_sums(ledger: SavedFight) -> list[object]:
    """The checksums of fights as they were carried last, by each of their names, and of those that
    were over before the ledger was begun, as they were then."""
    older = ledger.header.get(OLDER)
    last = {(carried.log, carried.fight): carried.sum for carried in _carried(ledger)}
    return [*(older if isinstance(older, list) else ()), *last.values()]


# -- the ledger, opened for a fight ----------------------------------------------------------------


def _ledger_of(fight: SavedFight) -> Path:
    folder = files.campaign_of(fight.path)
    return (folder or fight.path.parent) / files.LEDGER


def _has_party(fight: SavedFight) -> bool:
    return files.campaign_of(fight.path) is not None and has_party_member(
        fight.ruleset.tables, fight.state
    )


def _line(file: Path) -> str:
    return f'{CARRY} from "{PurePath(name_in_campaign(file)).stem}"'


def _ledger_for(fight: SavedFight, log: OtherLog) -> SavedFight:
    """The ledger, to be asked for a fight that is so `log`. It is read anew only when it was saved
    anew."""
    path = _ledger_of(fight)
    ledger = _viewed(type(fight), path, file_stamp(path))
    ledger.take_in_rules()
    _let_know(ledger, log)
    return ledger


@lru_cache(maxsize=1)
def _viewed(kind: type[SavedFight], path: Path, stamp: Stamp) -> SavedFight:
    return kind.view(path)


def _let_know(ledger: SavedFight, log: OtherLog) -> None:
    """Let the ledger have a fight as it is here, without reading its file."""
    others, names = other_logs(ledger.path), (log.log, PurePath(log.log).stem)
    ledger.other_logs = others._replace(
        read=lambda text: log if text in names else others.read(text)
    )


def _as_other(fight: SavedFight) -> OtherLog:
    """A fight as the ledger sees it."""
    with log_error_from(fight.path):
        checksum = log_checksum(fight.path)
    return other_log(fight.path, fight.header, fight.history, checksum)


def _can(opened: SavedFight, line: str) -> bool:
    """Whether a command would do anything now."""
    try:
        opened.preview(line)
    except Refused:
        return False
    return True


def _last_entry_text(ledger: SavedFight) -> str:
    """The last entry of the ledger in a line, with its number."""
    history = ledger.history
    entry = history.entries[history.last]
    before = history.before(entry.seq)
    line = entry_line(entry, before, ledger.ruleset.tables.tracks)
    return f"{THE_LEDGER}, entry {entry.seq}: {line}"

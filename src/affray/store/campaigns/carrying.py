"""A fight's end goes into the campaign's ledger; what is to be said of that as a log is opened.

Nothing is carried twice, and nothing by itself but a fight's end: where anything else differs, a
line says so, and `carry` takes it in.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path, PurePath
from typing import NamedTuple

from affray.core.commands.adding import is_of_party
from affray.core.commands.from_ledger import taken_from
from affray.core.heart.carrying import THE_LEDGER, OtherLog, carried_in
from affray.core.heart.events import Carried
from affray.core.heart.state import Encounter
from affray.core.language.refusal import Refused
from affray.core.telling.narrate import entry_line
from affray.store.campaigns.files import (
    LEDGER,
    LEDGER_TITLE,
    campaign_of,
    encounters_of,
    is_ledger,
    is_there,
)
from affray.store.campaigns.ledger import (
    CARRY,
    OLDER,
    elsewhere_of,
    name_in_campaign,
    sum_of,
    title_of,
)
from affray.store.campaigns.summaries import glance, summary
from affray.store.disk import explained
from affray.store.encounter import OpenEncounter
from affray.store.errors import LogError
from affray.store.log_file import stamp_of
from affray.store.recovery import Stamp

_FAULTS = (Refused, LogError, OSError)


def give(fight: OpenEncounter) -> str:
    """Carry what a fight's end has left into the ledger, which is begun where there is none; gives
    what came of it, in a line. Raises Refused where nothing differs, LogError for the ledger."""
    path = _ledger_of(fight)
    if is_there(path):
        ledger = OpenEncounter.open(path, fight.dice, fight.now)
    else:
        ledger = OpenEncounter.create(path, fight.ruleset.id, LEDGER_TITLE, fight.dice, fight.now)
    with ledger:
        _let_know(ledger, fight)
        ledger.do(_line(fight.path))
        return _told(ledger)


def foresee(fight: OpenEncounter) -> str:
    """What carrying a fight would come to, in a line. Raises Refused where that can't be said."""
    path = _ledger_of(fight)
    if not is_there(path):
        return f"begins {THE_LEDGER}, and carries what the party is left with into it"
    try:
        ledger = OpenEncounter.view(path)
        _let_know(ledger, fight)
    except LogError as error:
        raise Refused(str(error)) from None
    ledger.rehearse(_line(fight.path))
    return _told(ledger)


class After(NamedTuple):
    """What is to be said when an entry has ended a fight, or came behind its end, in a line; and
    whether that is news of what was done, and nothing to be minded."""

    line: str
    done: bool = False


def differs(opened: OpenEncounter) -> bool:
    """Whether `carry` would do anything here now, in a campaign that has a ledger already."""
    if opened.is_viewed or is_ledger(opened.path) or opened.state.phase == "combat":
        return False
    try:
        if not is_there(_ledger_of(opened)):
            return False
        if opened.state.phase != "ended":
            return _can(opened, CARRY)
        ledger = _ledger_for(opened)
        return not ledger.rules_fault and _can(ledger, _line(opened.path))
    except _FAULTS:
        return False


def after(fight: OpenEncounter, before: Encounter) -> After:
    """What an entry brings that has ended a fight, or came behind its end; by the former what it
    leaves is carried. An empty line for nothing."""
    if is_ledger(fight.path) or not _has_party(fight):
        return After("")
    try:
        return _after(fight, before)
    except _FAULTS as error:
        left = f"what {fight.title} leaves the party with was not carried into {THE_LEDGER}"
        return After(f"{left}: {error}; `{CARRY}` does it")


def _after(fight: OpenEncounter, before: Encounter) -> After:
    path, over = _ledger_of(fight), fight.state.phase == "ended"
    if not is_there(path):
        hint = f"`{CARRY}` begins a ledger: the next fight takes the party as this one leaves it"
        return After(hint if over and before.phase != "ended" else "", done=True)
    ledger = _ledger_for(fight)
    seq, _ = _carried(ledger).get(name_in_campaign(fight.path), (0, None))
    if not over:
        return After(f"{fight.title} was carried into {THE_LEDGER}, and goes on" if seq else "")
    if not _can(ledger, _line(fight.path)):
        return After("")
    if before.phase != "ended" and (not seq or seq == ledger.history.head):
        return After(give(fight), done=True)
    told = f"{THE_LEDGER} has the party as it was carried before"
    return After(f"{told}: `{CARRY}` takes in what differs")


def news(opened: OpenEncounter) -> tuple[str, ...]:
    """What is to be said when a log is opened: fights whose end is not in the ledger as it is, and
    that the party in a fight that has yet to begin is no longer as the ledger has it."""
    folder = campaign_of(opened.path)
    if folder is None or opened.state.phase == "combat":
        return ()
    try:
        return tuple(_news(opened, folder)) if is_there(folder / LEDGER) else ()
    except _FAULTS as error:
        return (str(error),)


def _news(opened: OpenEncounter, folder: Path) -> Iterator[str]:
    if is_ledger(opened.path):
        yield from _untaken(opened, folder, "")
        return
    ledger = _ledger_for(opened)
    if opened.state.phase == "ended":
        if _has_party(opened) and _is_awaited(ledger, opened.path, _known(ledger)):
            yield f"{opened.title} is not in {THE_LEDGER} as it ended: `{CARRY}` takes it in"
        return
    yield from _untaken(ledger, folder, f" in {THE_LEDGER}")
    if taken_from(opened.history.previous) != ledger.history.head and _can(opened, CARRY):
        yield f"the party is no longer as {THE_LEDGER} has it: `{CARRY}` brings it there"


def _untaken(ledger: OpenEncounter, folder: Path, where: str) -> Iterator[str]:
    """A line for each fight whose end is not in the ledger as it is, the one played first before
    the others."""
    carried, known = _carried(ledger), _known(ledger)
    for file in sorted(encounters_of(folder), key=lambda file: glance(file).played):
        with suppress(*_FAULTS):  # who opens that one is told
            fight = ledger.elsewhere.read(file.stem) if _is_awaited(ledger, file, known) else None
            was = name_in_campaign(file) in carried
            if fight is not None and fight.state.phase != "ended":
                yield f"{fight.title} was carried into {THE_LEDGER}, and goes on"
            elif fight is not None:
                how = "is no longer as it was carried" if was else "is not carried"
                yield f"{fight.title} {how}: `{_line(file)}`{where} takes it in"


def _is_awaited(ledger: OpenEncounter, file: Path, known: Collection[object]) -> bool:
    """Whether what the ledger has of a fight is not, or no longer, what its end leaves.

    Of those whose checksum is known that needn't be looked at.
    """
    if sum_of(file) in known:  # by another name, too
        return False
    if summary(file).phase != "ended":
        return name_in_campaign(file) in _carried(ledger)
    return _can(ledger, _line(file))


def _carried(ledger: OpenEncounter) -> dict[str, tuple[int, Carried]]:
    """Of each log from which something was carried, the last entry that did, and what it tells."""
    history = ledger.history
    rows = ((seq, carried_in(history.entries[seq])) for seq in history.path)
    return {found.log: (seq, found) for seq, found in rows if found is not None}


def _known(ledger: OpenEncounter) -> list[object]:
    """The checksums of fights as they were carried last, and of those that were over before the
    ledger was begun, as they were then."""
    older = ledger.header.get(OLDER)
    last = (each.sum for _, each in _carried(ledger).values())
    return [*(older if isinstance(older, list) else ()), *last]


# -- the ledger, opened for a fight ----------------------------------------------------------------


def _ledger_of(fight: OpenEncounter) -> Path:
    folder = campaign_of(fight.path)
    return (folder or fight.path.parent) / LEDGER


def _has_party(fight: OpenEncounter) -> bool:
    return campaign_of(fight.path) is not None and is_of_party(fight.ruleset.tables, fight.state)


def _line(file: Path) -> str:
    return f'{CARRY} from "{PurePath(name_in_campaign(file)).stem}"'


def _ledger_for(fight: OpenEncounter) -> OpenEncounter:
    """The ledger, to be asked for that fight. It is read anew only when it was saved anew."""
    path = _ledger_of(fight)
    ledger = _viewed(path, stamp_of(path))
    ledger.take_in_rules()
    _let_know(ledger, fight)
    return ledger


@lru_cache(maxsize=1)
def _viewed(path: Path, stamp: Stamp) -> OpenEncounter:
    return OpenEncounter.view(path)


def _let_know(ledger: OpenEncounter, fight: OpenEncounter) -> None:
    """Let the ledger have that fight as it is here, without reading its file."""
    log, others = name_in_campaign(fight.path), elsewhere_of(ledger.path)
    with explained(fight.path):
        checksum = sum_of(fight.path)
    title = title_of(fight.path, fight.title)
    as_here = OtherLog(log, title, checksum, fight.history)
    here = (log, PurePath(log).stem)
    ledger.elsewhere = others._replace(
        read=lambda said: as_here if said in here else others.read(said)
    )


def _can(opened: OpenEncounter, line: str) -> bool:
    """Whether a command would do anything now."""
    try:
        opened.preview(line)
    except Refused:
        return False
    return True


def _told(ledger: OpenEncounter) -> str:
    """The last entry of the ledger in a line, with its number."""
    history = ledger.history
    entry = history.entries[history.last]
    before = history.before(entry.seq)
    line = entry_line(entry, before, ledger.ruleset.tables.tracks)
    return f"{THE_LEDGER}, entry {entry.seq}: {line}"

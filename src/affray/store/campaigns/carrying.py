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
from affray.core.commands.from_ledger import refuse_other_rules, taken_from
from affray.core.heart.carrying import (
    THE_LEDGER,
    OtherLog,
    carried_in,
    is_carried_in,
    is_same_fight,
)
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
    may_be,
    name_in_campaign,
    other_log,
    sum_of,
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
        _let_know(ledger, _as_other(fight))
        ledger.do(_line(fight.path))
        return _told(ledger)


def foresee(fight: OpenEncounter) -> str:
    """What carrying a fight would come to, in a line. Raises Refused where that can't be said."""
    path = _ledger_of(fight)
    if not is_there(path):
        return f"begins {THE_LEDGER}, and carries what the party is left with into it"
    try:
        ledger = OpenEncounter.view(path)
        _let_know(ledger, _as_other(fight))
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
        ledger = _ledger_for(opened, _as_other(opened))
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
    here = _as_other(fight)
    ledger = _ledger_for(fight, here)
    own = here.carried
    copied = _copied(ledger, own)
    if not over:
        goes_on = copied is None and _last(ledger, own) is not None
        return After(f"{fight.title} was carried into {THE_LEDGER}, and goes on" if goes_on else "")
    refuse_other_rules(ledger.state, here)
    if not _can(ledger, _line(fight.path)):
        return After("")
    if copied is not None:
        return After(f"{_as_copy(fight.path, copied)}: `{CARRY}` takes in what differs here")
    if _goes_by_itself(ledger, own, before.phase != "ended"):
        return After(give(fight), done=True)
    return After(f"{THE_LEDGER} has gone on since: `{CARRY}` takes in what differs")


def _goes_by_itself(ledger: OpenEncounter, own: Carried, has_just_ended: bool) -> bool:
    """Whether what a fight leaves goes into the ledger unasked: if no other fight has been carried
    since this one was, and nobody has taken that back."""
    history = ledger.history
    ever = [seq for seq, entry in history.entries.items() if is_carried_in(entry, own)]
    now = [seq for seq in history.path if carried_in(history.entries[seq]) is not None]
    if not set(ever) & set(now):
        return has_just_ended or not ever
    return ever[-1] == now[-1]


def news(opened: OpenEncounter) -> tuple[str, ...]:
    """What is to be said when a log is opened: fights whose end is not in the ledger as it is, and
    that the party in a fight that has yet to begin is no longer as the ledger has it."""
    folder = campaign_of(opened.path)
    if folder is None:
        return ()
    try:
        return tuple(_news(opened, folder)) if is_there(folder / LEDGER) else ()
    except _FAULTS as error:
        return (str(error),)


def _news(opened: OpenEncounter, folder: Path) -> Iterator[str]:
    if is_ledger(opened.path):
        yield from _untaken(opened, folder, "")
        return
    here = _as_other(opened)
    ledger = _ledger_for(opened, here)
    copied = _copied(ledger, here.carried)
    if copied is not None:
        yield _as_copy(opened.path, copied)
    elif _is_over(opened) and _is_awaited(ledger, opened.path, _known(ledger)):
        yield f"{opened.title} is not in {THE_LEDGER} as it ended: `{CARRY}` takes it in"
    if opened.state.phase != "setup":
        return
    yield from _untaken(ledger, folder, f" in {THE_LEDGER}")
    if taken_from(opened.history.previous) != ledger.history.head and _can(opened, CARRY):
        yield f"the party is no longer as {THE_LEDGER} has it: `{CARRY}` brings it there"


def _is_over(fight: OpenEncounter) -> bool:
    """Whether a fight has ended, and left the party with something."""
    return fight.state.phase == "ended" and _has_party(fight)


def _untaken(ledger: OpenEncounter, folder: Path, where: str) -> Iterator[str]:
    """A line for each fight whose end is not in the ledger as it is, the one played first before
    the others."""
    known = _known(ledger)
    for file in sorted(encounters_of(folder), key=lambda file: glance(file).played):
        with suppress(*_FAULTS):  # who opens that one is told
            if _is_awaited(ledger, file, known):
                fight = ledger.elsewhere.read(file.stem)
                yield from _about(ledger, file, fight, where) if fight is not None else ()


def _about(ledger: OpenEncounter, file: Path, fight: OtherLog, where: str) -> Iterator[str]:
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


def _is_awaited(ledger: OpenEncounter, file: Path, known: Collection[object]) -> bool:
    """Whether what the ledger has of a fight may not be, or no longer, what its end leaves.

    Of those whose checksum is known that needn't be looked at.
    """
    if sum_of(file) in known:  # by another name, too
        return False
    if summary(file).phase != "ended":
        return any(may_be(file, carried) for carried in _carried(ledger))
    return _can(ledger, _line(file))


def _carried(ledger: OpenEncounter) -> list[Carried]:
    """What entries tell that have carried something, the first first."""
    history = ledger.history
    found = (carried_in(history.entries[seq]) for seq in history.path)
    return [carried for carried in found if carried is not None]


def _last(ledger: OpenEncounter, own: Carried) -> Carried | None:
    """What the last entry tells that has carried that fight; None for never."""
    history = ledger.history
    entries = (history.entries[seq] for seq in reversed(history.path))
    return next((carried_in(entry) for entry in entries if is_carried_in(entry, own)), None)


def _copied(ledger: OpenEncounter, own: Carried) -> Carried | None:
    """What was carried of that fight by another file of it, which is there as well; else None.

    So it is with what a sync leaves of a log that was saved on two machines.
    """
    carried = _last(ledger, own)
    if carried is None or carried.log == own.log:
        return None
    original = ledger.elsewhere.read(carried.log)
    is_there = original is not None and is_same_fight(original.carried, carried)
    return carried if is_there else None


def _as_copy(file: Path, copied: Carried) -> str:
    return f"{file.name} is another copy of {copied.title}, which is in {THE_LEDGER} already"


def _known(ledger: OpenEncounter) -> list[object]:
    """The checksums of fights as they were carried last, by each of their names, and of those that
    were over before the ledger was begun, as they were then."""
    older = ledger.header.get(OLDER)
    last = {(carried.log, carried.fight): carried.sum for carried in _carried(ledger)}
    return [*(older if isinstance(older, list) else ()), *last.values()]


# -- the ledger, opened for a fight ----------------------------------------------------------------


def _ledger_of(fight: OpenEncounter) -> Path:
    folder = campaign_of(fight.path)
    return (folder or fight.path.parent) / LEDGER


def _has_party(fight: OpenEncounter) -> bool:
    return campaign_of(fight.path) is not None and is_of_party(fight.ruleset.tables, fight.state)


def _line(file: Path) -> str:
    return f'{CARRY} from "{PurePath(name_in_campaign(file)).stem}"'


def _ledger_for(fight: OpenEncounter, here: OtherLog) -> OpenEncounter:
    """The ledger, to be asked for a fight that is so `here`. It is read anew only when it was saved
    anew."""
    path = _ledger_of(fight)
    ledger = _viewed(path, stamp_of(path))
    ledger.take_in_rules()
    _let_know(ledger, here)
    return ledger


@lru_cache(maxsize=1)
def _viewed(path: Path, stamp: Stamp) -> OpenEncounter:
    return OpenEncounter.view(path)


def _let_know(ledger: OpenEncounter, here: OtherLog) -> None:
    """Let the ledger have a fight as it is here, without reading its file."""
    others, names = elsewhere_of(ledger.path), (here.log, PurePath(here.log).stem)
    ledger.elsewhere = others._replace(
        read=lambda said: here if said in names else others.read(said)
    )


def _as_other(fight: OpenEncounter) -> OtherLog:
    """A fight as the ledger sees it."""
    with explained(fight.path):
        checksum = sum_of(fight.path)
    return other_log(fight.path, fight.header, fight.history, checksum)


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

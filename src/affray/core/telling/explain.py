"""`why`: where a number comes from, told from the log and the rules."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from affray.core.heart.carrying import NOWHERE, Elsewhere, carried_before, carried_in
from affray.core.heart.events import Added, AnyEvent, Carried, Changed, Spent
from affray.core.heart.history import START, Entry, History
from affray.core.heart.state import Combatant, Encounter, Track
from affray.core.language.refusal import Refused, signed
from affray.core.rules.ruleset import Ruleset
from affray.core.telling.shares import MOST_HOPS, Total, told_parts

MOST = 12
"""How many changes of a track are told; the log has them all."""


def explain(
    history: History,
    ruleset: Ruleset,
    who: str,
    what: str,
    at: int | None = None,
    most: int = MOST,
    elsewhere: Elsewhere = NOWHERE,
) -> list[str]:
    """Lines that say how a track or a total of a combatant came to be what it is.

    A total is told by its parts; a track by its last changes, newest first, `most` of them. What
    was carried here from another log of the campaign is followed there, and on from there. For
    nobody it is a track of the GM's. `at` asks about the fight as it was after that entry.
    """
    seq = history.head if at is None else history.goto_target(at)
    state = history.states[seq]
    combatant = state[who] if who else None
    track = (combatant.tracks if combatant else state.tracks).get(what)
    if track is None and combatant is not None:
        return _total(history, ruleset, seq, combatant, what, elsewhere)
    track = track or Track(0)
    label = ruleset.tables.track(what).label
    top = f"/{track.max}" if track.max is not None else ""
    lines = [f"{combatant.name if combatant else 'GM'}: {label} {track.value}{top}"]
    changes = [*islice(_changes(_Way(history, elsewhere, who, what), seq), most + 1)]
    return [*lines, *changes[:most], *(["..."] if len(changes) > most else [])]


def _total(
    history: History,
    ruleset: Ruleset,
    seq: int,
    combatant: Combatant,
    what: str,
    elsewhere: Elsewhere,
) -> list[str]:
    state = history.states[seq]
    total = ruleset.totals(ruleset.tables, state, combatant).get(what, 0)
    lines = [f"{combatant.name}: {what} {ruleset.tables.total(what).told(total)}"]
    lines += told_parts(Total(history, ruleset, seq, combatant, what), elsewhere)
    return lines if len(lines) > 1 else [*lines, "nothing changes it now"]


class _Way(NamedTuple):
    """The way back of one track: of whom, or of the GM, and in which log; `title` is that of
    another log than the one that was asked, which so many others led to."""

    history: History
    elsewhere: Elsewhere
    who: str
    track: str
    title: str = ""
    hops: int = 0

    def bearer(self, seq: int) -> Combatant | Encounter | None:
        """Who has the track after an entry: a state of their own, or the fight's."""
        state = self.history.states[seq]
        return state.find(self.who) if self.who else state


def _changes(way: _Way, seq: int) -> Iterator[str]:
    """The changes on the way to an entry, newest first. Where nobody changed, nothing is read."""
    while seq != START and way.bearer(seq) is None:  # who has left is told of up to then
        seq = way.history.parents[seq]
    here = way.bearer(seq)
    while seq != START and here is not None:
        before = way.bearer(way.history.parents[seq])
        entry = way.history.entries[seq]
        events = reversed(entry.events) if before is not here else ()
        told = [(event, words) for event in events if (words := _told(event, way))]
        carried = carried_in(entry) if told else None
        if carried is not None and _is_again(way.history, seq, carried):
            carried = None
        for event, words in told:
            if carried is None or not isinstance(event, Added):  # how it began is told there
                yield _line(way, entry, words)
        if carried is not None:
            yield from _there(way, carried)
            return
        seq, here = way.history.parents[seq], before


def _is_again(history: History, seq: int, carried: Carried) -> bool:
    """Whether the entry only has what differs since something was carried from that log before."""
    return carried_before(history.previous_of(seq), carried, history.before(seq)) is not None


def _line(way: _Way, entry: Entry, told: str) -> str:
    if way.title:
        what = told if carried_in(entry) else f"{entry.title}: {told}"  # which names the log itself
        return f"comes from {way.title}, entry {entry.seq}: {what}"
    return f"{entry.seq}  {told}  ({entry.title})"


def _there(way: _Way, carried: Carried) -> Iterator[str]:
    """The way on in the log from which it was carried."""
    where = f"comes from {carried.title}, entry {carried.entry}"
    try:
        other = way.elsewhere.find(carried)
    except Refused as refusal:
        yield f"{where}: {refusal}"
        return
    if other is None or carried.entry not in other.history.states:
        yield f"{where}, which is not there any more"
        return
    if way.hops == MOST_HOPS:  # edited by hand, two logs may lead to each other
        yield f"{where}, and so on"
        return
    there = other.history.goto_target(carried.entry)
    yield from _changes(
        way._replace(history=other.history, title=other.title, hops=way.hops + 1), there
    )


def _told(event: AnyEvent, way: _Way) -> str:
    who, track = way.who, way.track
    if isinstance(event, Added) and event.who == who and track in event.tracks:
        return f"began at {event.tracks[track].value}"
    if not isinstance(event, Changed | Spent) or (event.who, event.track) != (who, track):
        return ""
    if isinstance(event, Spent):
        return f"{signed(-event.by)}{f' for {event.for_}' if event.for_ else ''}"
    return f"{signed(event.by)}{f' {event.why}' if event.why else ''}"

"""Explain where a number comes from, by the log and the rules, for the query `why` (`explain`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import NamedTuple

from affray.core.engine.events import Added, AnyEvent, CostPaid, LedgerImported, TrackChanged
from affray.core.engine.history import NOWHERE, START, Entry, History, OtherLogs
from affray.core.engine.ledger import carried_before, ledger_import_of
from affray.core.engine.state import Combatant, Effect, Encounter, Track
from affray.core.formatting.effects import until_in_words
from affray.core.formatting.media import SPOKEN, WRITTEN, number_aloud, signed_aloud
from affray.core.formatting.pieces import why_in_words
from affray.core.parser.errors import Refused, format_signed
from affray.core.rules.ruleset import NumberPart, Ruleset
from affray.core.rules.tables import LEVEL

# -------------------------------------------------------------------------------------------------
# The parts of a total: how much, from which source, since which entry, by whom, how long.

MOST_HOPS = 64
"""The most logs through which an import is followed; edited by hand, two may lead to each other."""

SINCE = " · "
"""The text between a part and the description of its beginning."""


class Total(NamedTuple):
    """A combatant's total as it was after the entry `seq` of a log."""

    history: History
    ruleset: Ruleset
    seq: int
    who: Combatant
    name: str
    medium: int = WRITTEN

    @property
    def state(self) -> Encounter:
        """The state of the fight at that entry."""
        return self.history.states[self.seq]


def total_parts(total: Total, other_logs: OtherLogs) -> list[tuple[str, str]]:
    """Return each part of a total, and its beginning, which is empty if nothing is to be said.

    Such as "−2 weakened" and "entry 98 of The Toll Bridge, from Ghoul 1, until freed". An import is
    followed to the log in which the part began.
    """
    rules = total.ruleset
    parts = rules.numbers.explain(rules.tables, total.state, total.who, total.name)
    return [_part_line(total, part, other_logs) for part in parts]


def _part_line(total: Total, part: NumberPart, other_logs: OtherLogs) -> tuple[str, str]:
    signed = signed_aloud if total.medium == SPOKEN else format_signed
    amount = signed(part.amount) if isinstance(part.amount, int) else part.amount
    counts = "" if total.ruleset.tables.total(total.name).truth else f"{amount} "
    own = _on_bearer(total.who, part.effect)
    of = part.effect.because if part.effect is not None and part.effect.kind == LEVEL else part.of
    start = _Start(total.history, total.who.id)
    if own is not None:
        start = start.followed(total.seq, lambda combatant: _has(combatant, own), other_logs)
    elif of:
        start = start.followed(total.seq, lambda combatant: _value(combatant, of), other_logs)
    aside = [start.where(is_number=own is None)]
    if own is not None:
        aside += [_by_whom(start, total, part, own), _end(total, own)]
    return f"{counts}{part.source}", ", ".join(filter(None, aside))


def _on_bearer(combatant: Combatant, effect: Effect | None) -> Effect | None:
    """The bearer's own effect behind a part: the effect itself, or the one that implies it."""
    if effect is None:
        return None
    return combatant.effect(effect.id) or combatant.effect(effect.id.rpartition("@")[2])


def _has(combatant: Combatant, effect: Effect) -> object:
    found = combatant.effect(effect.id)
    return found is not None and found.name == effect.name


def _value(combatant: Combatant, name: str) -> object:
    track = combatant.tracks.get(name)
    return combatant.stats.get(name), track and (track.value, track.max)


class _Start(NamedTuple):
    """The beginning of something that still holds: the entry, its log, or why it can't be found."""

    history: History
    who: str
    entry: Entry | None = None
    title: str = ""
    lost: str = ""

    def followed(
        self, seq: int, look: Callable[[Combatant], object], other_logs: OtherLogs
    ) -> _Start:
        """Go back from the entry `seq`, through imports, to the last entry that changed `look`."""
        start = self
        for _ in range(MOST_HOPS):
            entry = _since(start.history, seq, start.who, look)
            start = start._replace(entry=entry)
            carried = ledger_import_of(entry) if entry is not None else None
            if carried is None:
                break
            lost = f"entry {carried.entry} of {carried.title}"
            try:
                other = other_logs.find(carried)
            except Refused as refusal:
                return start._replace(lost=f"{lost}: {refusal}")
            if other is None or carried.entry not in other.history.states:
                return start._replace(lost=f"{lost}, which is no longer there")
            start = _Start(other.history, start.who, None, other.title)
            seq = other.history.goto_target(carried.entry)
        return start

    def where(self, is_number: bool) -> str:
        """Write it as `entry 98 of The Toll Bridge`; empty for a number that joined so."""
        if self.lost or self.entry is None:
            return self.lost
        added = (e for e in self.entry.events if isinstance(e, Added) and e.who == self.who)
        if is_number and any(added):
            return ""
        return f"entry {self.entry.seq}{f' of {self.title}' if self.title else ''}"


def _since(
    history: History, seq: int, combatant_id: str, look: Callable[[Combatant], object]
) -> Entry | None:
    """The last entry up to `seq` that changed what `look` returns for a combatant."""
    combatant = history.states[seq].find(combatant_id)
    while seq != START and combatant is not None:
        before = history.states[history.parents[seq]].find(combatant_id)
        if before is not combatant and (before is None or look(before) != look(combatant)):
            return history.entries[seq]
        seq, combatant = history.parents[seq], before
    return None


def _by_whom(start: _Start, total: Total, part: NumberPart, effect: Effect) -> str:
    """`from NAME` for the one who caused a part, unless the part's own words say so."""
    source, state = effect.source, total.state
    if start.entry is not None and (start.title or not source):
        state = start.history.states[start.entry.seq]
        its = state[start.who].effect(effect.id)  # whose source has no log's title there
        by = start.entry.by if start.entry.by != start.who else ""
        source = (its.source if its else source) or by
    name = state.name(source)
    return f"from {name}" if name and name not in part.source else ""


def _end(total: Total, effect: Effect) -> str:
    keeper = effect.attached_to
    if keeper is not None and effect.until.ends == "removed" and not effect.until.says:
        if keeper.bearer != total.who.id:
            return f"until {total.state.name(keeper.bearer)} no longer keeps it up"
        effect = total.who.effect(keeper.effect) or effect  # one that came with another ends so
    return until_in_words(total.state, total.who, effect.until) or "until removed"


MOST = 12
"""How many changes of a track are listed."""


def explain(
    history: History,
    ruleset: Ruleset,
    combatant_id: str,
    what: str,
    at: int | None = None,
    most: int = MOST,
    other_logs: OtherLogs = NOWHERE,
    medium: int = WRITTEN,
) -> list[str]:
    """Explain a combatant's track by its last changes, newest first, or a total by its parts.

    It follows imports into other logs of the campaign.

    Args:
        combatant_id: whose number it is; empty for a track of the GM's.
        what: the track or the total.
        at: the entry after which to look at the fight; None for now.
        most: the most changes to list.
    """
    seq = history.head if at is None else history.goto_target(at)
    state = history.states[seq]
    combatant = state[combatant_id] if combatant_id else None
    track = (combatant.tracks if combatant else state.tracks).get(what)
    if track is None and combatant is not None:
        return _total(Total(history, ruleset, seq, combatant, what, medium), other_logs)
    track = track or Track(0)
    label = ruleset.tables.track(what).label
    of = " of " if medium == SPOKEN else "/"
    top = f"{of}{track.max}" if track.max is not None else ""
    number = number_aloud if medium == SPOKEN else str
    lines = [f"{combatant.name if combatant else 'GM'}: {label} {number(track.value)}{top}"]
    way = _TrackTrail(history, other_logs, combatant_id, what, medium=medium)
    changes = [*islice(_changes(way, seq), most + 1)]
    return [*lines, *changes[:most], *(["..."] if len(changes) > most else [])]


def _total(total: Total, other_logs: OtherLogs) -> list[str]:
    tables, combatant = total.ruleset.tables, total.who
    number = total.ruleset.numbers.totals(tables, total.state, combatant).get(total.name, 0)
    rule = tables.total(total.name)
    signed = signed_aloud if total.medium == SPOKEN else format_signed
    value = "yes" if rule.truth and number else "no" if rule.truth else None
    head = f"{total.name} {value or rule.format_value(number, signed)}"
    if total.medium == SPOKEN and not value:
        head = rule.for_the_ear(number, signed)
    lines = [f"{combatant.name}: {head}"]
    since = ", " if total.medium == SPOKEN else SINCE
    parts = total_parts(total, other_logs)
    lines += [since.join(filter(None, part)) for part in parts]
    return lines if parts else [*lines, "no effect changes it now"]


class _TrackTrail(NamedTuple):
    """One track in one log.

    who    id of its owner; empty for the GM
    title  the log's title; empty for the log of the question
    hops   the number of imports that led to this log
    """

    history: History
    other_logs: OtherLogs
    who: str
    track: str
    title: str = ""
    hops: int = 0
    medium: int = WRITTEN

    def bearer(self, seq: int) -> Combatant | Encounter | None:
        """The owner of the track after an entry: a combatant, or the fight for the GM's."""
        state = self.history.states[seq]
        if not self.who:
            return state
        return state.find_ever(self.who)


def _changes(way: _TrackTrail, seq: int) -> Iterator[str]:
    """Describe the track's changes up to an entry, newest first."""
    bearer = way.bearer(seq)
    while seq != START and bearer is not None:
        before = way.bearer(way.history.parents[seq])
        entry = way.history.entries[seq]
        events = reversed(entry.events) if before is not bearer else ()
        described = [(event, words) for event in events if (words := _describe_event(event, way))]
        carried = ledger_import_of(entry) if described else None
        if carried is not None:
            previous, before_it = way.history.previous_of(seq), way.history.before(seq)
            if carried_before(previous, carried, before_it) is not None:
                carried = None  # a later import has only the differences to an earlier one
        for event, words in described:
            if carried is None or not isinstance(event, Added):  # that log tells how it began
                yield _line(way, entry, words)
        if carried is not None:
            yield from _changes_in_other_log(way, carried)
            return
        seq, bearer = way.history.parents[seq], before


def _line(way: _TrackTrail, entry: Entry, text: str) -> str:
    if way.title:
        what = (
            text if ledger_import_of(entry) else f"{entry.title}: {text}"
        )  # which names the log itself
        return f"comes from {way.title}, entry {entry.seq}: {what}"
    if way.medium == SPOKEN:
        return f"{entry.seq}, {text} ({entry.title})"
    return f"{entry.seq}  {text}  ({entry.title})"


def _changes_in_other_log(way: _TrackTrail, carried: LedgerImported) -> Iterator[str]:
    where = f"comes from {carried.title}, entry {carried.entry}"
    try:
        other = way.other_logs.find(carried)
    except Refused as refusal:
        yield f"{where}: {refusal}"
        return
    if other is None or carried.entry not in other.history.states:
        yield f"{where}, which is no longer there"
        return
    if way.hops == MOST_HOPS:  # edited by hand, two logs may lead to each other
        yield f"{where}, and so on"
        return
    there = other.history.goto_target(carried.entry)
    yield from _changes(
        way._replace(history=other.history, title=other.title, hops=way.hops + 1), there
    )


def _describe_event(event: AnyEvent, way: _TrackTrail) -> str:
    combatant_id, track = way.who, way.track
    if isinstance(event, Added) and event.who == combatant_id and track in event.tracks:
        return f"began at {event.tracks[track].value}"
    if not isinstance(event, TrackChanged | CostPaid) or (event.who, event.track) != (
        combatant_id,
        track,
    ):
        return ""
    if isinstance(event, TrackChanged) and event.parts and not event.by:
        return ""  # damage reduced to nothing
    signed = signed_aloud if way.medium == SPOKEN else format_signed
    if isinstance(event, CostPaid):
        return f"{signed(-event.by)}{f' for {event.for_}' if event.for_ else ''}"
    why = why_in_words(event, way.medium)
    between = ", " if way.medium == SPOKEN else " "
    return f"{signed(event.by)}{between if why else ''}{why}"

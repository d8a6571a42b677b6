"""Carry a party from a fight into the campaign's ledger, and from the ledger into a fight.

The tables say what is carried (`TrackRow.carries`, `EffectRow.carries`), with all uses that outlast
a fight. Everything else is read from the present sheet, so that a character that has risen a level
joins with its new numbers. Exceptions are maxima that play has changed, and the game's
`Ruleset.carried_stats`: gold earned, a potion drunk. Start with `state_as_left`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple
from zlib import crc32

from msgspec.structs import replace

from affray.core.engine import events
from affray.core.engine.effects import effect_row
from affray.core.engine.evolve import diff_events, evolve_all
from affray.core.engine.history import EarlierEntry, Entry, History, OtherLog, earlier_entries
from affray.core.engine.state import Combatant, Effect, Encounter, Track
from affray.core.rules.ruleset import Ruleset
from affray.core.rules.tables import Tables

THE_LEDGER = "the ledger"
"""The title of the ledger's log."""
OF_THE_FIGHT = ("turn", "round", "fight")
"""The ends of effects, and the spans of uses, that are over with the fight."""


class SheetChanges(NamedTuple):
    """The changes that play has made to a sheet: numbers and words, and the maxima of tracks."""

    stats: dict[str, Any]
    tops: Mapping[str, int | None]


def sheet_changes(
    ruleset: Ruleset, previous: EarlierEntry | None, combatant: Combatant
) -> SheetChanges:
    """Return what differs between a combatant after the entry `previous` and their sheet.

    The sheet is the last one in the log: from their joining, or from a later change of the file.
    """
    sheet = last_sheet_of(previous, combatant.id)
    if sheet is None:
        return SheetChanges({}, {})
    own = (
        (stat, combatant.stats[stat]) for stat in ruleset.carried_stats if stat in combatant.stats
    )
    stats = {stat: value for stat, value in own if sheet.stats.get(stat) != value}
    tops = {
        name: track.full
        for name, track in combatant.tracks.items()
        if name in sheet.tracks and track.full not in (None, sheet.tracks[name].full)
    }
    return SheetChanges(stats, tops)


def last_sheet_of(
    previous: EarlierEntry | None, combatant_id: str
) -> events.Added | events.SheetWritten | None:
    """Return the last event with somebody's sheet, up to the entry `previous`; None for none."""
    for each in earlier_entries(previous):
        for event in reversed(each.entry.events):
            if isinstance(event, events.Added | events.SheetWritten) and event.who == combatant_id:
                return event
    return None


def state_as_left(
    ruleset: Ruleset,
    onto: Encounter,
    sheets: Mapping[str, Combatant],
    other: OtherLog,
    there: Encounter,
    played: Mapping[str, SheetChanges],
) -> Encounter:
    """Return the state `onto`, with characters and the GM's tracks as another log left them.

    Args:
        onto: the present state of this log.
        sheets: the characters' present sheets by id; nobody else is changed.
        other: the log from which they come.
        there: the state of that log.
        played: what play has changed in this log; changes in the other log win over these.
    """
    tables, title = ruleset.tables, other.title

    def coming(combatant: Combatant) -> Combatant:
        left, sheet = there.find(combatant.id), sheets.get(combatant.id)
        if left is None or sheet is None:
            return combatant
        changes = played.get(combatant.id, SheetChanges({}, {}))
        away = sheet_changes(ruleset, other.history.previous, left)
        tops = {**changes.tops, **away.tops}
        return replace(
            combatant,
            stats={**combatant.stats, **sheet.stats, **changes.stats, **away.stats},
            tracks=_tracks(tables, sheet, left, combatant, tops),
            effects=tuple(_effects(tables, onto, left, there, title)),
            life=left.life,
            uses={use: n for use, n in left.uses.items() if _outlasts_fight(use)},
        )

    gm = {n: t for n, t in there.tracks.items() if tables.track(n).carries}
    combatants = tuple(coming(combatant) for combatant in onto.combatants)
    return replace(onto, combatants=combatants, tracks={**onto.tracks, **gm})


def with_those_gone(history: History, people: Collection[str]) -> Encounter:
    """Return the present fight, with those of `people` who have left as they last were.

    It leaves out who was absent, and who was there only before the fight began.
    """
    state = history.state
    gone = [
        combatant
        for combatant in state.gone
        if combatant.id in people and not was_absent(history.previous, combatant.id)
    ]
    return replace(state, combatants=(*state.combatants, *gone))


def was_absent(previous: EarlierEntry | None, combatant_id: str) -> bool:
    """True if somebody last left before the fight began, unchanged since joining. Then the ledger,
    which may be newer, knows their state better than this fight.
    """
    as_left, after = None, None
    for each in earlier_entries(previous):
        happened = each.entry.events
        if as_left is None:
            if any(isinstance(e, events.Left) and e.who == combatant_id for e in happened):
                as_left = each.before.find(combatant_id)
                if as_left is None or each.before.phase != "setup":
                    return False
        elif any(
            isinstance(e, events.LedgerImported)
            or (isinstance(e, events.Added | events.Returned) and e.who == combatant_id)
            for e in happened
        ):
            return after is not None and after.find(combatant_id) is as_left
        after = each.before
    return False


def _tracks(
    tables: Tables,
    sheet: Combatant,
    left: Combatant,
    combatant: Combatant,
    tops: Mapping[str, int | None],
) -> dict[str, Track]:
    """Merge a character's tracks: maxima by the sheet or `tops`, values as they were left.

    Tracks that are not carried stay as the combatant has them here.
    """
    by_sheet = {n: replace(t, max=tops.get(n, t.max)) for n, t in sheet.tracks.items()}
    tracks = {**by_sheet, **combatant.tracks}
    for name in {**tracks, **left.tracks}:
        rule, own = tables.track(name), by_sheet.get(name)
        if rule.carries:
            was = left.tracks.get(name) or own or Track(0)
            tracks[name] = was if own is None else _fit_to_sheet(own, was, rule.counts == "left")
    return tracks


def _fit_to_sheet(own: Track, left: Track, is_left: bool) -> Track:
    """Fit a carried track to the current sheet's maximum. A full track, such as HP, is full by the
    new maximum, too; a lower value stays.
    """
    if own.full is None or left.full is None:
        return replace(left, max=own.max)
    top = own.full - left.lowered
    value = top if is_left and left.max is not None and left.value >= left.max else left.value
    return replace(left, value=min(value, top), max=top)


def _effects(
    tables: Tables, onto: Encounter, left: Combatant, there: Encounter, title: str
) -> Iterator[Effect]:
    """Yield the effects that go along. Those who are up leave behind what belongs to a place.

    A source that isn't here is named with its log's title: somebody here may have the same id.
    """

    def named(combatant_id: str) -> str:
        if (
            not combatant_id or " " in combatant_id or onto.find(combatant_id)
        ):  # no id holds a space: it is named so already
            return combatant_id
        return f"{there.name(combatant_id)} of {title}"

    for effect in left.effects:
        stays = effect_row(tables, effect.name).carries or left.life != "up"
        if not stays or effect.until.ends in OF_THE_FIGHT:
            continue
        on = effect.attached_to
        yield replace(
            effect,
            source=named(effect.source),
            against=named(effect.against),
            spares=named(effect.spares),
            hangs=str(on._replace(bearer=named(on.bearer))) if on is not None else "",
        )


def _outlasts_fight(use: str) -> bool:
    span = use.partition("/")[0]
    return span.partition(" ")[0] not in OF_THE_FIGHT


def ledger_events(was: Encounter, wanted: Encounter, why: str) -> list[events.AnyEvent]:
    """Return the events from one state to another of the same people, stats included."""
    adjusted = [
        events.StatChanged(now.id, stat, value)
        for now in wanted.combatants
        for stat, value in now.stats.items()
        if was[now.id].stats.get(stat) != value
    ]
    return [*adjusted, *diff_events(was, wanted, why)]


def ledger_import_of(entry: Entry) -> events.LedgerImported | None:
    """The event of an entry that names another log; None for an entry that imported nothing."""
    return next((event for event in entry.events if isinstance(event, events.LedgerImported)), None)


def fight_id(created: datetime | None, history: History) -> str:
    """Return an id of a log's fight that stays when its file is renamed.

    It has the times of the file's making and of the first round, and a checksum of the entries up
    to then.
    """
    checksum, begun = 0, None
    for entry in history.entries.values():
        checksum = crc32(f"{as_text(entry.at)} {entry.title}\n".encode(), checksum)
        if any(isinstance(event, events.Began) for event in entry.events):
            begun = entry.at
            break
    return f"{as_text(created)} {as_text(begun)} {checksum:08x}"


def as_text(at: datetime | None) -> str:
    """Return a time as text that can be compared; empty for None."""
    if at is None:
        return ""
    in_utc = at.astimezone(UTC) if at.tzinfo else at
    return f"{in_utc.replace(tzinfo=None, microsecond=0).isoformat()}Z"


def is_same_fight(one: events.LedgerImported, other: events.LedgerImported) -> bool:
    """True if two imports came from the same fight.

    In one file the times at which it was made and began decide, so that a hand may edit the rest.
    In two files the entries up to the first round decide as well; without a fight's id, the file's
    name.
    """
    if not one.fight or not other.fight:
        return one.log == other.log
    if one.log != other.log:
        return one.fight == other.fight
    return one.fight.rpartition(" ")[0] == other.fight.rpartition(" ")[0]


def made_at(fight: events.LedgerImported) -> str:
    """Return when the log of a fight was made, as text; empty where unknown."""
    return fight.fight.partition(" ")[0]


def is_carried_in(entry: Entry, fight: events.LedgerImported) -> bool:
    """True if an entry has imported that fight; an entry older than the fight has not."""
    carried = ledger_import_of(entry)
    if carried is None or not is_same_fight(carried, fight):
        return False
    return bool(carried.fight) or entry.at is None or made_at(fight) <= as_text(entry.at)


def carried_before(
    previous: EarlierEntry | None, fight: events.LedgerImported, now: Encounter
) -> Encounter | None:
    """Return the party as earlier imports from that fight left it; None for no such import.

    A later import brought only what differed then, so its events are applied on top.
    """
    anew: list[EarlierEntry] = []
    left = None
    for each in earlier_entries(previous):
        if is_carried_in(each.entry, fight):
            anew.append(each)
            left = now
        now = each.before
    for each in reversed(anew[:-1]):
        assert left is not None
        left = with_newcomers(left, each.before)
        left = evolve_all(
            left, [with_relative_maximum(each.before, left, e) for e in each.entry.events]
        )
    return left


def with_newcomers(then: Encounter, now: Encounter) -> Encounter:
    """Return the earlier state, with those who have joined since as they are now."""
    since = (combatant for combatant in now.combatants if then.find(combatant.id) is None)
    return replace(then, combatants=(*then.combatants, *since))


def with_relative_maximum(
    base: Encounter, now: Encounter, event: events.AnyEvent
) -> events.AnyEvent:
    """Turn the new maximum in an event into the same change of the present maximum."""
    if not isinstance(event, events.TrackChanged) or event.max is None:
        return event
    then, present = base.find(event.who), now.find(event.who)
    was = then.tracks.get(event.track) if then is not None else None
    track = present.tracks.get(event.track) if present is not None else None
    if was is None or track is None or was.max is None or track.max is None:
        return event
    return replace(event, max=track.max + event.max - was.max)

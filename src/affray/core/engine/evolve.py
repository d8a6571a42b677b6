"""Replay: `evolve(state, event) -> state` applies one event.

It knows no rule, so that an old log gives the same fight for ever. An event about a combatant who
is not there changes nothing, instead of failing: a log that was edited by hand still opens.
`diff_events` is the way back: the events between two states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from typing import Any, TypeVar, get_args

from msgspec.structs import replace

from affray.core.engine import events, events as e
from affray.core.engine.state import Combatant, Encounter, Side, Slot, Track
from affray.core.engine.turn_order import first_able
from affray.core.rules.tables import Tables

_SIDES = get_args(Side)


def evolve(state: Encounter, event: events.AnyEvent) -> Encounter:
    """The encounter after the event. Never fails on an event of a known kind."""
    return _FOLDS[type(event)](state, event)


def evolve_all(state: Encounter, events: Iterable[events.AnyEvent]) -> Encounter:
    """The encounter after all the events, in order."""
    return reduce(evolve, events, state)


def _of_somebody(
    become: Callable[[Combatant, Any], Combatant],
) -> Callable[[Encounter, Any], Encounter]:
    """Make the fold of an event that changes one combatant alone, `event.who`.

    `become` returns that combatant after the event. Nothing changes if they aren't in the fight.
    """

    def fold(state: Encounter, event: Any) -> Encounter:
        place = state.place_of(event.who)
        if place is None:
            return state
        row = list(state.combatants)
        row[place] = become(row[place], event)
        if row[place] is state.combatants[place]:
            return state
        return replace(state, combatants=tuple(row))

    return fold


def _with_slot(state: Encounter, combatant_id: str, **changes: Any) -> Encounter:
    slots = [replace(s, **changes) if s.who == combatant_id else s for s in state.slots]
    return replace(state, slots=tuple(slots))


def _up(state: Encounter, combatant_id: str) -> Encounter:
    """Make it somebody's turn, together with those of their group or side whose turns are open.

    `turn` is the first of them who can act.
    """
    slot = state.slot(combatant_id)
    if slot is None or not slot.unit:
        return replace(state, turn=combatant_id, acting=())
    acting = tuple(
        s.who
        for s in state.slots
        if s.who == combatant_id or (s.unit == slot.unit and s.open and not s.held and not s.gone)
    )
    first = first_able(filter(None, map(state.find, acting)))
    return replace(state, turn=combatant_id if first is None else first.id, acting=acting)


def _no_longer_up(state: Encounter, combatant_id: str) -> Encounter:
    """End somebody's part in the present turn; the others of a group go on with it."""
    others = [member for member in state.acting if member != combatant_id]
    if combatant_id in state.acting and others:
        return _up(state, others[0])
    return replace(state, turn="", acting=()) if state.turn == combatant_id else state


def _added(state: Encounter, event: events.Added) -> Encounter:
    if state.find(event.who):
        return state
    combatant = Combatant(
        event.who,
        event.name,
        event.side,
        event.kind,
        event.stats,
        event.tracks,
        hidden=event.hidden,
    )
    slots = (*(s for s in state.slots if s.who != event.who), Slot(event.who))
    everybody = (*state.combatants, combatant)
    gone = tuple(c for c in state.gone if c.id != event.who)
    joined = replace(state, combatants=everybody, slots=slots, gone=gone)
    if event.number:
        return replace(joined, numbers={**state.numbers, event.who: event.number}, numbered=True)
    if state.numbers and event.who not in state.numbers:
        return replace(joined, numbers={**state.numbers, event.who: state.next_number()})
    return joined


def _planned(state: Encounter, event: events.WavePlanned) -> Encounter:
    waves = {wave: lines for wave, lines in state.waves.items() if wave != event.wave}
    if event.adds:
        waves[event.wave] = (*state.waves.get(event.wave, ()), event.adds)
    return replace(state, waves=waves)


def _left(state: Encounter, event: events.Left) -> Encounter:
    leaving = state.find(event.who)
    stay = tuple(c for c in state.combatants if c is not leaving)
    gone = state.gone if leaving is None else (leaving, *state.gone)
    state = replace(state, combatants=stay, gone=gone)
    state = _with_slot(state, event.who, gone=True, held=False)
    return _up(state, state.turn) if event.who in state.acting else state


def _returned(state: Encounter, event: events.Returned) -> Encounter:
    back = next((c for c in state.gone if c.id == event.who), None)
    if back is None:
        return state
    same = back if back.hidden == event.hidden else replace(back, hidden=event.hidden)
    gone = tuple(c for c in state.gone if c is not back)
    there = replace(state, combatants=(*state.combatants, same), gone=gone)
    return _with_slot(there, event.who, gone=False)


def _ordered(state: Encounter, event: events.InitiativeSet) -> Encounter:
    state = replace(state, slots=event.slots)
    return _up(state, state.turn) if state.turn else state


def _began(state: Encounter, event: events.Began) -> Encounter:
    numbers = state.numbers if state.numbered else {}
    return replace(state, phase="combat", round=event.round, numbers=numbers)


def _ended(state: Encounter, event: events.Ended) -> Encounter:
    slots = tuple(replace(s, open=False, held=False) for s in state.slots)
    return replace(state, phase="ended", turn="", acting=(), slots=slots)


def _round_started(state: Encounter, event: events.RoundStarted) -> Encounter:
    return replace(state, round=event.round)


def _numbers(state: Encounter) -> dict[str, int]:
    """The numbers of all, with new ones for those who had none."""
    if all(combatant.id in state.numbers for combatant in state.combatants):
        return state.numbers
    return {
        **state.numbers,
        **{combatant.id: number for number, combatant in state.by_number().items()},
    }


def _turn_started(state: Encounter, event: events.TurnStarted) -> Encounter:
    state = replace(state, turn=event.who, acting=(), numbers=_numbers(state))
    if event.resumed:
        return _up(_with_slot(state, event.who, held=False), event.who)
    slot = state.slot(event.who)
    if slot is None:
        return state
    state = _with_slot(
        state, event.who, turns=slot.turns + 1, round=state.round, open=True, held=False
    )
    state = _forgot(state, events.UsesReset(event.who, "turn"))
    return _up(state, event.who) if slot.unit else state


def _turn_ended(state: Encounter, event: events.TurnEnded) -> Encounter:
    if event.passed:
        slot = state.slot(event.who)
        turns = slot.turns + 1 if slot else 0
        return _with_slot(state, event.who, turns=turns, round=state.round, open=False)
    return _no_longer_up(_with_slot(state, event.who, open=False, held=False), event.who)


def _delayed(state: Encounter, event: events.Delayed) -> Encounter:
    return _no_longer_up(_with_slot(state, event.who, held=True), event.who)


def _unchanged(state: Encounter, event: events.AnyEvent) -> Encounter:
    return state


def _moved(tracks: dict[str, Track], event: events.TrackChanged) -> dict[str, Track]:
    old = tracks.get(event.track, Track(0))
    top = old.max if event.max is None else event.max
    value = old.value + event.by
    unfelt = old.unfelt + event.unfelt
    if unfelt:
        unfelt = max(0, min(unfelt, value))
    lowered = old.lowered + event.lowered
    return {**tracks, event.track: Track(value, top, unfelt, lowered)}


def _changed(state: Encounter, event: events.TrackChanged) -> Encounter:
    if not event.who:
        return replace(state, tracks=_moved(state.tracks, event))
    return _with_track_moved(state, event)


@_of_somebody
def _with_track_moved(combatant: Combatant, event: events.TrackChanged) -> Combatant:
    return replace(combatant, tracks=_moved(combatant.tracks, event))


def _spent(state: Encounter, event: events.CostPaid) -> Encounter:
    return _changed(state, events.TrackChanged(event.who, event.track, -event.by))


@_of_somebody
def _adjusted(combatant: Combatant, event: events.StatChanged) -> Combatant:
    if event.stat == "name":
        return replace(combatant, name=event.value) if isinstance(event.value, str) else combatant
    if event.stat == "side":
        return replace(combatant, side=event.value) if event.value in _SIDES else combatant
    return replace(combatant, stats={**combatant.stats, event.stat: event.value})


@_of_somebody
def _used(combatant: Combatant, event: events.UseCounted) -> Combatant:
    what = f"{event.span}/{event.what}"
    return replace(combatant, uses={**combatant.uses, what: combatant.uses.get(what, 0) + 1})


@_of_somebody
def _forgot(combatant: Combatant, event: events.UsesReset) -> Combatant:
    if not combatant.uses:
        return combatant
    span = f"{event.span}/"
    return replace(
        combatant, uses={key: n for key, n in combatant.uses.items() if not key.startswith(span)}
    )


@_of_somebody
def _gained(combatant: Combatant, event: events.EffectGained) -> Combatant:
    return replace(combatant, effects=(*combatant.effects, event.effect))


@_of_somebody
def _lost(combatant: Combatant, event: events.EffectLost) -> Combatant:
    return replace(combatant, effects=tuple([x for x in combatant.effects if x.id != event.effect]))


@_of_somebody
def _altered(combatant: Combatant, event: events.EffectChanged) -> Combatant:
    new = event.effect
    return replace(
        combatant, effects=tuple([new if x.id == new.id else x for x in combatant.effects])
    )


def _became(state: Encounter, event: events.LifeChanged) -> Encounter:
    state = _with_life(state, event)
    return _up(state, state.turn) if event.who in state.acting else state


@_of_somebody
def _with_life(combatant: Combatant, event: events.LifeChanged) -> Combatant:
    return replace(combatant, life=event.life)


@_of_somebody
def _add_note(combatant: Combatant, event: events.NoteAdded) -> Combatant:
    if event.goes_on or event.aside:  # notes of the rules are in the log alone
        return combatant
    return replace(combatant, notes=(*combatant.notes, event.text))


def _counted(state: Encounter, event: events.ClockChanged) -> Encounter:
    names = [c.name for c in state.clocks]
    if event.clock is None:
        clocks = tuple(c for c in state.clocks if c.name != event.name)
    elif event.name in names:
        clocks = tuple(event.clock if c.name == event.name else c for c in state.clocks)
    else:
        clocks = (*state.clocks, event.clock)
    return replace(state, clocks=clocks)


def _chose(state: Encounter, event: events.SettingChanged) -> Encounter:
    settings = {k: v for k, v in state.settings.items() if k != event.setting}
    if event.value:
        settings[event.setting] = event.value
    return replace(state, settings=settings)


@_of_somebody
def _revealed(combatant: Combatant, event: events.Revealed) -> Combatant:
    return replace(combatant, hidden=event.hidden)


_FOLDS: dict[type, Callable[[Encounter, Any], Encounter]] = {
    events.Added: _added,
    events.WavePlanned: _planned,
    events.Left: _left,
    events.Returned: _returned,
    events.InitiativeSet: _ordered,
    events.Began: _began,
    events.Ended: _ended,
    events.RoundStarted: _round_started,
    events.TurnStarted: _turn_started,
    events.TurnEnded: _turn_ended,
    events.Delayed: _delayed,
    events.Rolled: _unchanged,
    events.CostPaid: _spent,
    events.TrackChanged: _changed,
    events.StatChanged: _adjusted,
    events.UseCounted: _used,
    events.UsesReset: _forgot,
    events.EffectGained: _gained,
    events.EffectLost: _lost,
    events.EffectChanged: _altered,
    events.LifeChanged: _became,
    events.NoteAdded: _add_note,
    events.ClockChanged: _counted,
    events.SettingChanged: _chose,
    events.Revealed: _revealed,
    events.LedgerImported: _unchanged,
    events.SheetWritten: _unchanged,
}


# -------------------------------------------------------------------------------------------------
# Events that lead from one state to another, for rules that change what has just happened, such as
# a thread of fate that changes a roll. They compare tracks, effects, life, uses and clocks.

_Event = TypeVar("_Event", bound=e.AnyEvent)


def diff_events(was: Encounter, wanted: Encounter, why: str = "") -> list[e.AnyEvent]:
    """The events that lead from `was` to `wanted`, those of the same combatants."""
    events = list(_tracks("", was.tracks, wanted.tracks, why))
    for new in wanted.combatants:
        old = was.find(new.id)
        if old is not None and old is not new:
            events += _combatant(old, new, why)
    events += (e.ClockChanged(c.name, c, why) for c in wanted.clocks if c not in was.clocks)
    return events


def clamp_event(tables: Tables, state: Encounter, event: _Event) -> _Event:
    """The event limited to what can happen now: a change of a track is cut to the room that the
    track has. Any other event stays unchanged.
    """
    if not isinstance(event, e.TrackChanged):
        return event
    owner = state.find(event.who)
    track = (owner.tracks if owner else state.tracks).get(event.track, Track(0))
    rule = tables.tracks.get(event.track)
    top = track.max if event.max is None else event.max
    value = track.value + event.by
    value = value if rule is not None and rule.below else max(0, value)
    return replace(event, by=(value if top is None else min(value, top)) - track.value)


def _combatant(old: Combatant, new: Combatant, why: str) -> Iterator[e.AnyEvent]:
    yield from _tracks(new.id, old.tracks, new.tracks, why)
    for effect in old.effects:
        if effect not in new.effects:
            yield e.EffectLost(new.id, effect.id, why)
    for effect in new.effects:
        if effect not in old.effects:
            yield e.EffectGained(new.id, effect)
    if old.life != new.life:
        yield e.LifeChanged(new.id, new.life, why)
    yield from _uses(old, new)


def _uses(old: Combatant, new: Combatant) -> Iterator[e.AnyEvent]:
    """The uses that were added; if one went down, its span has started again from 0."""
    fewer = {key.partition("/")[0] for key, n in old.uses.items() if new.uses.get(key, 0) < n}
    for span in sorted(fewer):
        yield e.UsesReset(new.id, span)
    for key, count in new.uses.items():
        span, _, what = key.partition("/")
        before = 0 if span in fewer else old.uses.get(key, 0)
        for _ in range(count - before):
            yield e.UseCounted(new.id, what, span)


def _tracks(
    combatant_id: str, old: dict[str, Track], new: dict[str, Track], why: str
) -> Iterator[e.AnyEvent]:
    for name in dict.fromkeys((*new, *old)):  # some come with the first that is counted on them
        before, track = old.get(name, Track(0)), new.get(name, Track(0))
        if before != track:
            top = track.max if track.max != before.max else None
            by, unfelt = track.value - before.value, track.unfelt - before.unfelt
            lowered = track.lowered - before.lowered
            yield e.TrackChanged(combatant_id, name, by, top, why, unfelt=unfelt, lowered=lowered)

"""Replay: `evolve(state, event) -> state`. It knows no rule, so an old log replays for ever.

An event about somebody who is not there changes nothing, instead of failing: a log that was edited
by hand still opens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any, get_args

from msgspec.structs import replace

from affray.core.heart import events as e
from affray.core.heart.groups import first_able
from affray.core.heart.state import Combatant, Encounter, Side, Slot, Track

_SIDES = get_args(Side)


def evolve(state: Encounter, event: e.AnyEvent) -> Encounter:
    """The encounter after the event. Never fails on an event of a known kind."""
    return _FOLDS[type(event)](state, event)


def evolve_all(state: Encounter, events: Iterable[e.AnyEvent]) -> Encounter:
    """The encounter after all the events, in order."""
    return reduce(evolve, events, state)


def _of_somebody(
    become: Callable[[Combatant, Any], Combatant],
) -> Callable[[Encounter, Any], Encounter]:
    """Make the fold of an event that changes one combatant alone, `event.who`.

    `become` gives that combatant as the event leaves them. Of somebody who is not in the fight
    nothing changes.
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


def _with_slot(state: Encounter, who: str, **changes: Any) -> Encounter:
    slots = [replace(s, **changes) if s.who == who else s for s in state.slots]
    return replace(state, slots=tuple(slots))


def _up(state: Encounter, who: str) -> Encounter:
    """The fight in which it is somebody's turn, and of the others of a group whose turns are open.

    `turn` is then the first of them that can act.
    """
    slot = state.slot(who)
    if slot is None or not slot.group:
        return replace(state, turn=who, acting=())
    acting = tuple(
        s.who
        for s in state.slots
        if s.who == who or (s.group == slot.group and s.open and not s.held and not s.gone)
    )
    first = first_able(filter(None, map(state.find, acting)))
    return replace(state, turn=who if first is None else first.id, acting=acting)


def _no_longer_up(state: Encounter, who: str) -> Encounter:
    """The fight in which that one takes no turn; if it is a group's, the others take it."""
    others = [member for member in state.acting if member != who]
    if who in state.acting and others:
        return _up(state, others[0])
    return replace(state, turn="", acting=()) if state.turn == who else state


def _added(state: Encounter, event: e.Added) -> Encounter:
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
    joined = replace(state, combatants=everybody, slots=slots)
    if event.number:
        return replace(joined, numbers={**state.numbers, event.who: event.number}, numbered=True)
    if state.numbers and event.who not in state.numbers:
        return replace(joined, numbers={**state.numbers, event.who: state.next_number()})
    return joined


def _planned(state: Encounter, event: e.Planned) -> Encounter:
    waves = {wave: lines for wave, lines in state.waves.items() if wave != event.wave}
    if event.adds:
        waves[event.wave] = (*state.waves.get(event.wave, ()), event.adds)
    return replace(state, waves=waves)


def _left(state: Encounter, event: e.Left) -> Encounter:
    stay = tuple(c for c in state.combatants if c.id != event.who)
    state = _with_slot(replace(state, combatants=stay), event.who, gone=True, held=False)
    return _up(state, state.turn) if event.who in state.acting else state


def _ordered(state: Encounter, event: e.Ordered) -> Encounter:
    state = replace(state, slots=event.slots)
    return _up(state, state.turn) if state.turn else state


def _began(state: Encounter, event: e.Began) -> Encounter:
    numbers = state.numbers if state.numbered else {}
    return replace(state, phase="combat", round=event.round, numbers=numbers)


def _ended(state: Encounter, event: e.Ended) -> Encounter:
    slots = tuple(replace(s, open=False, held=False) for s in state.slots)
    return replace(state, phase="ended", turn="", acting=(), slots=slots)


def _round_started(state: Encounter, event: e.RoundStarted) -> Encounter:
    return replace(state, round=event.round)


def _numbers(state: Encounter) -> dict[str, int]:
    """The numbers with those of everybody who had none."""
    if all(who.id in state.numbers for who in state.combatants):
        return state.numbers
    return {**state.numbers, **{who.id: number for number, who in state.by_number().items()}}


def _turn_started(state: Encounter, event: e.TurnStarted) -> Encounter:
    state = replace(state, turn=event.who, acting=(), numbers=_numbers(state))
    if event.resumed:
        return _up(_with_slot(state, event.who, held=False), event.who)
    slot = state.slot(event.who)
    if slot is None:
        return state
    state = _with_slot(
        state, event.who, turns=slot.turns + 1, round=state.round, open=True, held=False
    )
    state = _forgot(state, e.Forgot(event.who, "turn"))
    return _up(state, event.who) if slot.group else state


def _turn_ended(state: Encounter, event: e.TurnEnded) -> Encounter:
    if event.passed:
        slot = state.slot(event.who)
        turns = slot.turns + 1 if slot else 0
        return _with_slot(state, event.who, turns=turns, round=state.round, open=False)
    return _no_longer_up(_with_slot(state, event.who, open=False, held=False), event.who)


def _delayed(state: Encounter, event: e.Delayed) -> Encounter:
    return _no_longer_up(_with_slot(state, event.who, held=True), event.who)


def _unchanged(state: Encounter, event: e.AnyEvent) -> Encounter:
    return state


def _moved(tracks: dict[str, Track], event: e.Changed) -> dict[str, Track]:
    old = tracks.get(event.track, Track(0))
    top = old.max if event.max is None else event.max
    value = old.value + event.by
    unfelt = old.unfelt + event.unfelt
    if unfelt:
        unfelt = max(0, min(unfelt, value))
    lowered = old.lowered + event.lowered
    return {**tracks, event.track: Track(value, top, unfelt, lowered)}


def _changed(state: Encounter, event: e.Changed) -> Encounter:
    if not event.who:
        return replace(state, tracks=_moved(state.tracks, event))
    return _with_track_moved(state, event)


@_of_somebody
def _with_track_moved(who: Combatant, event: e.Changed) -> Combatant:
    return replace(who, tracks=_moved(who.tracks, event))


def _spent(state: Encounter, event: e.Spent) -> Encounter:
    return _changed(state, e.Changed(event.who, event.track, -event.by))


@_of_somebody
def _adjusted(who: Combatant, event: e.Adjusted) -> Combatant:
    if event.stat == "name":
        return replace(who, name=event.value) if isinstance(event.value, str) else who
    if event.stat == "side":
        return replace(who, side=event.value) if event.value in _SIDES else who
    return replace(who, stats={**who.stats, event.stat: event.value})


@_of_somebody
def _used(who: Combatant, event: e.Used) -> Combatant:
    what = f"{event.span}/{event.what}"
    return replace(who, uses={**who.uses, what: who.uses.get(what, 0) + 1})


@_of_somebody
def _forgot(who: Combatant, event: e.Forgot) -> Combatant:
    if not who.uses:
        return who
    span = f"{event.span}/"
    return replace(who, uses={key: n for key, n in who.uses.items() if not key.startswith(span)})


@_of_somebody
def _gained(who: Combatant, event: e.Gained) -> Combatant:
    return replace(who, effects=(*who.effects, event.effect))


@_of_somebody
def _lost(who: Combatant, event: e.Lost) -> Combatant:
    return replace(who, effects=tuple([x for x in who.effects if x.id != event.effect]))


@_of_somebody
def _altered(who: Combatant, event: e.Altered) -> Combatant:
    new = event.effect
    return replace(who, effects=tuple([new if x.id == new.id else x for x in who.effects]))


def _became(state: Encounter, event: e.Became) -> Encounter:
    state = _with_life(state, event)
    return _up(state, state.turn) if event.who in state.acting else state


@_of_somebody
def _with_life(who: Combatant, event: e.Became) -> Combatant:
    return replace(who, life=event.life)


@_of_somebody
def _noted(who: Combatant, event: e.Noted) -> Combatant:
    return replace(who, notes=(*who.notes, event.text))


def _counted(state: Encounter, event: e.Counted) -> Encounter:
    names = [c.name for c in state.clocks]
    if event.clock is None:
        clocks = tuple(c for c in state.clocks if c.name != event.name)
    elif event.name in names:
        clocks = tuple(event.clock if c.name == event.name else c for c in state.clocks)
    else:
        clocks = (*state.clocks, event.clock)
    return replace(state, clocks=clocks)


def _chose(state: Encounter, event: e.Chose) -> Encounter:
    settings = {k: v for k, v in state.settings.items() if k != event.setting}
    if event.value:
        settings[event.setting] = event.value
    return replace(state, settings=settings)


@_of_somebody
def _revealed(who: Combatant, event: e.Revealed) -> Combatant:
    return replace(who, hidden=event.hidden)


_FOLDS: dict[type, Callable[[Encounter, Any], Encounter]] = {
    e.Added: _added,
    e.Planned: _planned,
    e.Left: _left,
    e.Ordered: _ordered,
    e.Began: _began,
    e.Ended: _ended,
    e.RoundStarted: _round_started,
    e.TurnStarted: _turn_started,
    e.TurnEnded: _turn_ended,
    e.Delayed: _delayed,
    e.Rolled: _unchanged,
    e.Spent: _spent,
    e.Changed: _changed,
    e.Adjusted: _adjusted,
    e.Used: _used,
    e.Forgot: _forgot,
    e.Gained: _gained,
    e.Lost: _lost,
    e.Altered: _altered,
    e.Became: _became,
    e.Noted: _noted,
    e.Counted: _counted,
    e.Chose: _chose,
    e.Revealed: _revealed,
    e.Carried: _unchanged,
    e.Written: _unchanged,
}

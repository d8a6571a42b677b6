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
from affray.core.heart.state import Combatant, Encounter, Side, Slot, Track, with_track

_SIDES = get_args(Side)


def evolve(state: Encounter, event: e.AnyEvent) -> Encounter:
    """The encounter after the event. Never fails on an event of a known kind."""
    return _FOLDS[type(event)](state, event)


def evolve_all(state: Encounter, events: Iterable[e.AnyEvent]) -> Encounter:
    """The encounter after all the events, in order."""
    return reduce(evolve, events, state)


def _with_combatant(state: Encounter, who: str, **changes: Any) -> Encounter:
    place = state.place_of(who)
    return state if place is None else _with_change(state, place, **changes)


def _with_change(state: Encounter, place: int, **changes: Any) -> Encounter:
    """The fight in which the combatant at that place has changed."""
    row = list(state.combatants)
    row[place] = replace(row[place], **changes)
    return replace(state, combatants=tuple(row))


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
    numbers = state.numbers
    if numbers and event.who not in numbers:
        numbers = (*numbers, event.who)
    everybody = (*state.combatants, combatant)
    return replace(state, combatants=everybody, slots=slots, numbers=numbers)


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
    return replace(state, phase="combat", round=event.round, numbers=())


def _ended(state: Encounter, event: e.Ended) -> Encounter:
    slots = tuple(replace(s, open=False, held=False) for s in state.slots)
    return replace(state, phase="ended", turn="", acting=(), slots=slots)


def _round_started(state: Encounter, event: e.RoundStarted) -> Encounter:
    return replace(state, round=event.round)


def _turn_started(state: Encounter, event: e.TurnStarted) -> Encounter:
    numbers = state.numbers or tuple(c.id for c in state.in_order())
    state = replace(state, turn=event.who, acting=(), numbers=numbers)
    if event.resumed:
        return _up(_with_slot(state, event.who, held=False), event.who)
    slot = state.slot(event.who)
    if slot is None:
        return state
    state = _with_slot(
        state, event.who, turns=slot.turns + 1, round=state.round, open=True, held=False
    )
    state = _forget(state, event.who, "turn")
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
    return with_track(tracks, event.track, Track(value, top, unfelt, lowered))


def _spent(state: Encounter, event: e.Spent) -> Encounter:
    return _changed(state, e.Changed(event.who, event.track, -event.by))


def _changed(state: Encounter, event: e.Changed) -> Encounter:
    if not event.who:
        return replace(state, tracks=_moved(state.tracks, event))
    place = state.place_of(event.who)
    if place is None:
        return state
    return _with_change(state, place, tracks=_moved(state.combatants[place].tracks, event))


def _adjusted(state: Encounter, event: e.Adjusted) -> Encounter:
    combatant = state.find(event.who)
    if combatant is None:
        return state
    if event.stat in ("name", "side"):
        fits = isinstance(event.value, str) and (event.stat == "name" or event.value in _SIDES)
        return _with_combatant(state, event.who, **{event.stat: event.value}) if fits else state
    return _with_combatant(state, event.who, stats={**combatant.stats, event.stat: event.value})


def _used(state: Encounter, event: e.Used) -> Encounter:
    place = state.place_of(event.who)
    if place is None:
        return state
    uses, what = state.combatants[place].uses, f"{event.span}/{event.what}"
    return _with_change(state, place, uses={**uses, what: uses.get(what, 0) + 1})


def _forget(state: Encounter, who: str, span: str) -> Encounter:
    combatant = state.find(who)
    if combatant is None or not combatant.uses:
        return state
    uses = {key: n for key, n in combatant.uses.items() if not key.startswith(f"{span}/")}
    return _with_combatant(state, who, uses=uses)


def _forgot(state: Encounter, event: e.Forgot) -> Encounter:
    return _forget(state, event.who, event.span)


def _gained(state: Encounter, event: e.Gained) -> Encounter:
    combatant = state.find(event.who)
    if combatant is None:
        return state
    return _with_combatant(state, event.who, effects=(*combatant.effects, event.effect))


def _lost(state: Encounter, event: e.Lost) -> Encounter:
    combatant = state.find(event.who)
    if combatant is None:
        return state
    effects = tuple([x for x in combatant.effects if x.id != event.effect])
    return _with_combatant(state, event.who, effects=effects)


def _altered(state: Encounter, event: e.Altered) -> Encounter:
    combatant = state.find(event.who)
    if combatant is None:
        return state
    effects = tuple([event.effect if x.id == event.effect.id else x for x in combatant.effects])
    return _with_combatant(state, event.who, effects=effects)


def _became(state: Encounter, event: e.Became) -> Encounter:
    state = _with_combatant(state, event.who, life=event.life)
    return _up(state, state.turn) if event.who in state.acting else state


def _noted(state: Encounter, event: e.Noted) -> Encounter:
    combatant = state.find(event.who) if event.who else None
    if combatant is None:
        return state
    return _with_combatant(state, event.who, notes=(*combatant.notes, event.text))


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


def _revealed(state: Encounter, event: e.Revealed) -> Encounter:
    return _with_combatant(state, event.who, hidden=event.hidden)


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

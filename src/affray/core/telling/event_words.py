"""Events in words that any game's table can read: what each came to, in one short piece.

Nothing here knows a rule. How a track is called and counted comes from the ruleset.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from affray.core.heart import events as e
from affray.core.heart.evolve import evolve
from affray.core.heart.state import Clock, Encounter, Life, Track
from affray.core.language.refusal import listed, plain_number, signed
from affray.core.rules.tables import TrackRule
from affray.core.telling.effect_words import (
    called,
    in_full,
    note_beside,
    until_in_words,
    with_amounts,
)
from affray.core.telling.own_numbers import is_of_tables

LIVES: dict[Life, str] = {
    "up": "is up again",
    "dying": "is dying",
    "stable": "is stable",
    "unconscious": "is unconscious",
    "defeated": "is defeated",
    "dead": "is dead",
}


def one_by_one(
    events: Iterable[e.AnyEvent], before: Encounter, tracks: Mapping[str, TrackRule], by: str
) -> Iterator[tuple[e.AnyEvent, str]]:
    """Each event that people care about, and what it came to.

    Changes of one combatant's tracks for one reason are told together, with the first of them, and
    so is the same note on several. `before` is the state in which the events came. `tracks` is the
    ruleset's table; a track that it doesn't have goes by its id. Rolls of `by`, who acts, don't
    repeat the name.
    """
    state = before
    for run in _runs(events):
        start = state
        for event in run:
            state = evolve(state, event)
        if isinstance(run[0], e.Changed):
            text = "" if run[0].routine else _changes(run, start, state, tracks)
        elif isinstance(run[0], e.Noted):
            text = _notes(run, state)
        else:
            tell = _TELLS.get(type(run[0]))
            text = tell(run[0], start, state, by) if tell is not None else ""
        if text:
            yield run[0], text


def _runs(events: Iterable[e.AnyEvent]) -> Iterator[list[Any]]:
    """Events one by one, but for changes of one combatant's tracks for one reason, and for the same
    note on several: these stay together."""
    run: list[Any] = []
    for event in events:
        if run and not _same_run(run[0], event):
            yield run
            run = []
        run.append(event)
    if run:
        yield run


def _same_run(first: e.AnyEvent, event: e.AnyEvent) -> bool:
    if isinstance(first, e.Noted) and isinstance(event, e.Noted):
        return bool(first.who and event.who) and first.text == event.text
    return (
        isinstance(first, e.Changed)
        and isinstance(event, e.Changed)
        and first.who == event.who
        and (first.why, first.routine) == (event.why, event.routine)
    )


def _changes(
    run: list[e.Changed], before: Encounter, after: Encounter, tracks: Mapping[str, TrackRule]
) -> str:
    who, why = run[0].who, f"{run[0].why}: " if run[0].why else ""
    told: dict[str, list[str]] = {}
    for track in dict.fromkeys(event.track for event in run):
        moves = [event.by for event in run if event.track == track]
        raised = any(event.max is not None for event in run if event.track == track)
        old, new = _track(before, who, track), _track(after, who, track)
        rule = tracks.get(track) or TrackRule(label=track)
        piece = (
            _move(rule, moves, old, new) if any(moves) else _unmoved(rule, old, new, raised, why)
        )
        if piece:
            told.setdefault(after.name(who) if who else rule.whose, []).append(piece)
    each = [f"{owner} {', '.join(pieces)}" for owner, pieces in told.items()]
    return f"{why}{' · '.join(each)}" if each else ""


def _move(rule: TrackRule, moves: list[int], old: Track, new: Track) -> str:
    """`−6 HP, 12 left`; a track that went up and down on the way is told by where it stands now,
    and a die by its sides."""
    if rule.shown == "die":
        return f"{rule.label} {die(old)} → {die(new)}"
    if min(moves) < 0 < max(moves):
        return f"{rule.label} {plain_number(old.value)} → {plain_number(new.value)}"
    moved = f"{signed(sum(moves))} {rule.label}"
    if sum(moves) < 0 <= new.value and rule.counts == "left":
        return f"{moved}, {new.value} left"
    is_of = new.max is not None and new.value >= 0
    return f"{moved}, now {plain_number(new.value)}{f' of {new.max}' if is_of else ''}"


def die(track: Track) -> str:
    """A die by its sides: `d6`; `out` where none is left."""
    return f"d{track.value}" if track.value else "out"


def _unmoved(rule: TrackRule, old: Track, new: Track, raised: bool, why: str) -> str:
    """What is told of a track whose number is the same: `feels 2 fatigue`, `HP at most 30`.

    Where nothing at all has changed, and the log is to say why, it is what there is: `has 2 AP`.
    """
    if new.unfelt < old.unfelt:
        return f"feels {new.felt} {rule.label}"
    if raised:
        return f"{rule.label} at most {new.max}"
    return f"has {new.value} {rule.label}" if why and new == old else ""


def _track(state: Encounter, who: str, track: str) -> Track:
    owner = state.find(who) if who else state
    return Track(0) if owner is None else owner.tracks.get(track, Track(0))


def _left(event: e.Left, before: Encounter, after: Encounter, by: str) -> str:
    return f"{before.name(event.who)} leaves: {event.why}" if event.why else ""


def _round(event: e.RoundStarted, before: Encounter, after: Encounter, by: str) -> str:
    return f"round {event.round} begins"


def _rolled(event: e.Rolled, before: Encounter, after: Encounter, by: str) -> str:
    if not event.faces:
        return ""
    who = after.name(event.who) if event.who and event.who != by else ""
    what = " ".join(part for part in (who, event.for_, event.dice) if part)
    faces = " ".join(str(face) for face in event.faces)
    total = "" if event.total is None else f" {event.total}"
    against = "" if event.dc is None else f" against {event.dc}"
    outcome = f" {event.outcome}" if event.outcome else ""
    if (saved := _SAVES.get(event.outcome)) and event.is_save:
        has_said = event.dc == _USUAL_SAVE and " against " in event.for_
        return f"{what}: [{faces}]{total}{'' if has_said else against}, {saved}"
    return f"{what}: [{faces}]{total}{against}{outcome}"


_SAVES = {"success": "saved", "failure": "failed"}
"""How a save comes out, in its own words; those of an attack are no words for it."""
_USUAL_SAVE = 10
"""The number that isn't told of a save whose own words say what it is against: "save against
slowed" is against this one unless another is said."""


def _adjusted(event: e.Adjusted, before: Encounter, after: Encounter, by: str) -> str:
    if event.stat in ("name", "side") or is_of_tables(event.value):
        return ""
    return f"{after.name(event.who)}: {event.stat} is {_plain(event.value)}"


def _plain(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(str(part) for part in value) or "nothing"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _gained(event: e.Gained | e.Altered, before: Encounter, after: Encounter, by: str) -> str:
    bearer = after.find(event.who)
    if bearer is None:
        return ""
    effect = event.effect
    note = f" ({note_beside(effect)})" if note_beside(effect) else ""
    until = until_in_words(after, bearer, effect.until)
    return f"{bearer.name} {in_full(effect)}{note}{' ' if until else ''}{until}"


def _lost(event: e.Lost, before: Encounter, after: Encounter, by: str) -> str:
    bearer = before.find(event.who)
    effect = bearer.effect(event.effect) if bearer else None
    if bearer is None or effect is None:
        return ""
    why = f" ({event.why})" if event.why else ""
    still = after.find(event.who)
    is_one_less = still is not None and effect.name != effect.kind and still.named(effect.name)
    if is_one_less and not effect.note:
        return f"{bearer.name} {called(effect)} once less{why}"
    if is_one_less or (effect.name == effect.kind and effect.modifiers):
        notes = "; ".join(filter(None, (note_beside(effect), event.why)))
        has = "" if is_one_less else "has "
        return (
            f"{bearer.name} no longer {has}{with_amounts(effect)}{f' ({notes})' if notes else ''}"
        )
    return f"{bearer.name} no longer {called(effect)}{why}"


def _became(event: e.Became, before: Encounter, after: Encounter, by: str) -> str:
    why = f" ({event.why})" if event.why else ""
    return f"{after.name(event.who)} {LIVES[event.life]}{why}"


def _notes(run: list[e.Noted], after: Encounter) -> str:
    who = listed((after.name(event.who) for event in run if event.who), "and")
    return f"{who}: {run[0].text}" if who else run[0].text


def _counted(event: e.Counted, before: Encounter, after: Encounter, by: str) -> str:
    if event.clock is None:
        return f"{event.name}: put away"
    if event.clock.has_run_out:
        return f"{event.name.upper()}: {clock_in_words(event.clock).upper()}"
    return f"{event.name}: {clock_in_words(event.clock)}"


def clock_in_words(clock: Clock) -> str:
    """How a clock stands, in words; with it, that the players don't know of it."""
    return f"{_stands(clock)}, hidden" if clock.hidden else _stands(clock)


def _stands(clock: Clock) -> str:
    if clock.verdict:
        return clock.verdict
    if clock.is_race:
        done = f"{clock.value} of {clock.max} done"
        return f"{done}, {clock.failures} of {clock.limit} failed" if clock.limit else done
    if clock.value == 0:
        return "run out"
    if clock.sides:
        left = f"{clock.value}d{clock.sides} left"
    else:
        what = "round" if clock.every else "step"
        left = f"{clock.value} {what}{'s' if clock.value != 1 else ''} left"
    return f"{left}, stopped" if clock.stopped else left


_TELLS: dict[type, Callable[[Any, Encounter, Encounter, str], str]] = {
    e.Left: _left,
    e.RoundStarted: _round,
    e.Rolled: _rolled,
    e.Adjusted: _adjusted,
    e.Gained: _gained,
    e.Altered: _gained,
    e.Lost: _lost,
    e.Became: _became,
    e.Counted: _counted,
}
"""All other kinds are bookkeeping: what nobody would say aloud, or what the entry's title says."""

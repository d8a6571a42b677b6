"""From one state to another in events: what would have to become true to stand there.

Used where the rules change what has just happened, such as a thread of fate that bends a roll.
Only what rules can change in one command is compared: tracks, effects, life, uses and clocks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from msgspec.structs import replace

from affray.core.heart.events import (
    AnyEvent,
    Became,
    Changed,
    Counted,
    Forgot,
    Gained,
    Lost,
    Used,
)
from affray.core.heart.state import Combatant, Encounter, Track
from affray.core.rules.tables import Tables

_Event = TypeVar("_Event", bound=AnyEvent)


def difference(was: Encounter, wanted: Encounter, why: str = "") -> list[AnyEvent]:
    """The events that lead from `was` to `wanted`, those of the same combatants."""
    events = list(_tracks("", was.tracks, wanted.tracks, why))
    for new in wanted.combatants:
        old = was.find(new.id)
        if old is not None and old is not new:
            events += _combatant(old, new, why)
    events += (Counted(c.name, c, why) for c in wanted.clocks if c not in was.clocks)
    return events


def bounded(tables: Tables, state: Encounter, event: _Event) -> _Event:
    """The event as it can become true now.

    Of a change of a track that is as much as the track has room for, by 0 where it has none; any
    other event stays as it is.
    """
    if not isinstance(event, Changed):
        return event
    owner = state.find(event.who)
    track = (owner.tracks if owner else state.tracks).get(event.track, Track(0))
    rule = tables.tracks.get(event.track)
    top = track.max if event.max is None else event.max
    value = track.value + event.by
    value = value if rule is not None and rule.below else max(0, value)
    return replace(event, by=(value if top is None else min(value, top)) - track.value)


def _combatant(old: Combatant, new: Combatant, why: str) -> Iterator[AnyEvent]:
    yield from _tracks(new.id, old.tracks, new.tracks, why)
    for effect in old.effects:
        if effect not in new.effects:
            yield Lost(new.id, effect.id, why)
    for effect in new.effects:
        if effect not in old.effects:
            yield Gained(new.id, effect)
    if old.life != new.life:
        yield Became(new.id, new.life, why)
    yield from _uses(old, new)


def _uses(old: Combatant, new: Combatant) -> Iterator[AnyEvent]:
    """What was done once more. A span in which something counts less is counted from its start."""
    fewer = {key.partition("/")[0] for key, n in old.uses.items() if new.uses.get(key, 0) < n}
    for span in sorted(fewer):
        yield Forgot(new.id, span)
    for key, count in new.uses.items():
        span, _, what = key.partition("/")
        before = 0 if span in fewer else old.uses.get(key, 0)
        for _ in range(count - before):
            yield Used(new.id, what, span)


def _tracks(who: str, old: dict[str, Track], new: dict[str, Track], why: str) -> Iterator[AnyEvent]:
    for name in dict.fromkeys((*new, *old)):  # some come with the first that is counted on them
        before, track = old.get(name, Track(0)), new.get(name, Track(0))
        if before != track:
            top = track.max if track.max != before.max else None
            by, unfelt = track.value - before.value, track.unfelt - before.unfelt
            lowered = track.lowered - before.lowered
            yield Changed(who, name, by, top, why, unfelt=unfelt, lowered=lowered)

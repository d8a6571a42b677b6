"""The encounter as one JSON-like object: the contract for scripts and tests."""

from __future__ import annotations

from math import isfinite
from typing import Any

from affray.core.heart import timing
from affray.core.heart.countdowns import lasts
from affray.core.heart.effects import called, in_force
from affray.core.heart.history import History
from affray.core.heart.state import Clock, Combatant, Effect, Encounter, Track
from affray.core.rules.ruleset import Ruleset, all_options
from affray.core.rules.tables import LEVEL, Tables

FORMAT = 1


def report(
    history: History, ruleset: Ruleset, at: int | None = None, options: bool = True
) -> dict[str, Any]:
    """The fight as plain dicts, lists, numbers and texts; `at` shows it after that entry.

    Without `options` it leaves out what everybody could do, which takes longest to find out.
    Raises Refused when there is no such entry.
    """
    state = history.state if at is None else history.states[history.goto_target(at)]
    shown = {
        "format": FORMAT,
        "title": state.title,
        "ruleset": state.ruleset,
        "phase": state.phase,
        "round": state.round,
        "turn": state.turn or None,
        "order": [c.id for c in state.in_order()],
        "entries": history.last,
        "undo": history.undo_title,
        "redo": history.redo_title,
        "gm": _gm(ruleset, state),
        "settings": dict(state.settings),
        "clocks": [_clock(ruleset, clock) for clock in state.clocks],
        "combatants": [
            _combatant(ruleset, state, number, c, options)
            for number, c in state.by_number().items()
        ],
    }
    waves = {str(wave): list(state.waves[wave]) for wave in sorted(state.waves)}
    return shown | ({"waves": waves} if waves else {})


def _gm(ruleset: Ruleset, state: Encounter) -> dict[str, int]:
    counted = {name: track.value for name, track in state.tracks.items()}
    return dict.fromkeys(ruleset.gm_tracks, 0) | counted


def _clock(ruleset: Ruleset, clock: Clock) -> dict[str, Any]:
    shown: dict[str, Any] = {"name": clock.name, "value": clock.value, "max": clock.max}
    if clock.sides:
        shown |= {"sides": clock.sides, "drops": clock.drops}
        shown |= {"expected": lasts(clock)} if ruleset.pools else {}
    if clock.limit and clock.effort:
        shown["against"] = clock.failures
    elif clock.limit:
        shown |= {"failures": clock.failures, "limit": clock.limit}
    if clock.stopped:
        shown["stopped"] = True
    if clock.hidden:
        shown["hidden"] = True
    return shown


def _combatant(
    ruleset: Ruleset, state: Encounter, number: int, combatant: Combatant, options: bool
) -> dict[str, Any]:
    tables = ruleset.tables
    slot = state.slot(combatant.id)
    shown: dict[str, Any] = {
        "id": combatant.id,
        "number": number,
        "name": combatant.name,
        "side": combatant.side,
        "kind": combatant.kind,
        "initiative": slot.initiative if slot else None,
        "life": combatant.life,
        "stats": _plain(combatant.stats),
        "tracks": {name: _track(track) for name, track in combatant.tracks.items()},
        "effects": [_effect(tables, state, e) for e in _effects(ruleset, state, combatant)],
        "totals": ruleset.totals(tables, state, combatant),
    }
    if options:
        shown["options"] = [
            {"technique": o.technique, "cost": o.cost, "available": o.available}
            | ({"reason": o.reason} if o.reason else {})
            for o in all_options(ruleset, state, combatant)
        ]
    if slot is not None and slot.held:
        shown["delayed"] = True
    if slot is not None and slot.group:
        shown["group"] = slot.group
    if combatant.hidden:
        shown["hidden"] = True
    if combatant.notes:
        shown["notes"] = list(combatant.notes)
    return shown


def _effects(ruleset: Ruleset, state: Encounter, combatant: Combatant) -> list[Effect]:
    """All that the combatant has, each forward of its own, then what those imply.

    What levels do isn't among it: the track says how many are felt.
    """
    ids = {effect.id for effect in combatant.effects}
    implied = in_force(ruleset.tables, state, combatant).values()
    more = (each for each in implied if each.id not in ids and each.kind != LEVEL)
    return [*combatant.effects, *more]


def _plain(value: Any) -> Any:
    """As JSON can hold it: what else a log that was edited by hand may hold becomes text."""
    if isinstance(value, dict):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    is_number = isinstance(value, int) or (isinstance(value, float) and isfinite(value))
    return value if is_number or isinstance(value, str) else str(value)


def _track(track: Track) -> dict[str, int]:
    shown = {"value": track.value}
    if track.max is not None:
        shown["max"] = track.max
        shown |= {"full": track.max + track.lowered} if track.lowered else {}
    if track.unfelt:
        shown["unfelt"] = track.unfelt
    return shown


_SHOWN_WHERE_SAID = (
    "amount", "dice", "type", "against", "spares", "only_with", "advantage", "disadvantage",
    "upkeep", "note",
)  # fmt: skip
"""The fields of an effect that most have nothing in."""


def _effect(tables: Tables, state: Encounter, effect: Effect) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "name": effect.name,
        "kind": effect.kind,
        "source": effect.source or None,
        "until": timing.in_words(state, effect.until),
        "modifiers": dict(effect.modifiers),
    }
    for field in _SHOWN_WHERE_SAID:
        if value := getattr(effect, field):
            shown[field] = list(value) if isinstance(value, tuple) else value
    if effect.because:
        shown["because"] = called(tables, effect.because)
    return shown

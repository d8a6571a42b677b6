"""A fight as one JSON-like object (`json_report`, for scripts) and as text (`text_report`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Any

from affray.core.engine import durations
from affray.core.engine.durations import expected_rolls
from affray.core.engine.effects import active_effects, effect_name
from affray.core.engine.history import History
from affray.core.engine.state import Clock, Combatant, Effect, Encounter, Track
from affray.core.formatting.effects import is_of_tables, other_stat_lines
from affray.core.formatting.safe_text import pad
from affray.core.parser.errors import format_number
from affray.core.rules.ruleset import Difficulty, Ruleset, all_options
from affray.core.rules.tables import LEVEL, Tables

FORMAT = 1


def json_report(
    history: History, ruleset: Ruleset, at: int | None = None, options: bool = True
) -> dict[str, Any]:
    """Return the fight as plain dicts, lists, numbers and texts.

    Args:
        at: the entry after which the fight is shown; None for now.
        options: True if each combatant's possible actions are listed, which takes longest.

    Raises:
        Refused: when there is no such entry.
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
        "settings": {
            **state.settings,
            **{s.name: s.value(state) for s in ruleset.all_settings.values()},
        },
        "clocks": [_clock(ruleset, clock) for clock in state.clocks],
        "combatants": [
            _combatant(ruleset, state, number, c, options)
            for number, c in state.by_number().items()
        ],
    }
    hard = ruleset.numbers.difficulty(ruleset.tables, state)
    if hard is not None:
        shown["difficulty"] = {
            "xp": hard.worth,
            "grade": hard.grade,
            "budget": dict(hard.budget),
            "unknown": list(hard.unknown),
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
        shown |= {"expected": expected_rolls(clock)} if ruleset.has_countdown_pools else {}
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
        "totals": ruleset.numbers.totals(tables, state, combatant),
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
    """A combatant's own effects, then the implied ones; none of levels, which the tracks show."""
    ids = {effect.id for effect in combatant.effects}
    implied = active_effects(ruleset.tables, state, combatant).values()
    more = (each for each in implied if each.id not in ids and each.kind != LEVEL)
    return [*combatant.effects, *more]


def _plain(value: Any) -> Any:
    """Make a value fit for JSON: anything odd in a log that was edited by hand becomes text."""
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
"""The fields of an effect that are left out of the report when empty."""


def _effect(tables: Tables, state: Encounter, effect: Effect) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "name": effect.name,
        "kind": effect.kind,
        "source": effect.source or None,
        "until": durations.format_duration(state, effect.until),
        "modifiers": dict(effect.modifiers),
    }
    for field in _SHOWN_WHERE_SAID:
        if value := getattr(effect, field):
            shown[field] = list(value) if isinstance(value, tuple) else value
    if effect.because:
        shown["because"] = effect_name(tables, effect.because)
    return shown


# -------------------------------------------------------------------------------------------------
# Plain text for `affray show`: the order, and what is on everybody.


def text_report(shown: dict[str, Any], ruleset: Ruleset) -> list[str]:
    """Lines that show a report, as `affray.core.formatting.reports.json_report` gives it, to a
    person."""
    lines = [f"{shown['title']} · {ruleset.name}", _phase(shown)]
    lines += _of_gm_and_party(shown["gm"], ruleset)
    lines += [f"clock: {c['name']} {_sheet_clock(c)}" for c in shown["clocks"]]
    if hard := shown.get("difficulty"):
        lines.append(Difficulty(hard["xp"], hard["budget"], tuple(hard["unknown"])).line)
    waves = shown.get("waves", {}).items()
    lines += [f"wave {wave}: {', '.join(waiting)}" for wave, waiting in waves]
    lines.append("")
    names = {combatant["id"]: combatant["name"] for combatant in shown["combatants"]}
    for combatant in shown["combatants"]:
        lines += _sheet_combatant(combatant, shown["turn"], names, ruleset)
    if not shown["combatants"]:
        lines.append("Nobody is here yet: affray do FILE 'add pc NAME ...'")
    return lines


def _of_gm_and_party(tracks: dict[str, int], ruleset: Ruleset) -> Iterator[str]:
    owned: dict[str, list[str]] = {}
    for name, value in tracks.items():
        rule = ruleset.tables.track(name)
        if value:
            owned.setdefault(rule.whose, []).append(f"{rule.label} {value}")
    for whose, amounts in owned.items():
        yield f"{whose}: {', '.join(amounts)}"


def _sheet_clock(clock: dict[str, Any]) -> str:
    stands = f"{clock['value']}/{clock['max']}"
    stands += "".join(f", {word}" for word in ("stopped", "hidden") if word in clock)
    if "against" in clock:
        return f"{stands} effort, {clock['against']}/{clock['max']} against it"
    if "limit" not in clock:
        return stands
    return f"{stands} successes, {clock['failures']}/{clock['limit']} failures"


def _phase(shown: dict[str, Any]) -> str:
    if shown["phase"] == "combat":
        return f"Round {shown['round']}, entry {shown['entries']}"
    return f"{'Over' if shown['phase'] == 'ended' else 'Not begun'}, entry {shown['entries']}"


def _sheet_combatant(
    combatant: dict[str, Any], turn: str | None, names: Mapping[str, str], ruleset: Ruleset
) -> Iterator[str]:
    mark = ">" if combatant["id"] == turn else " "
    initiative = "-" if combatant["initiative"] is None else combatant["initiative"]
    life = "" if combatant["life"] == "up" else f"  {combatant['life'].upper()}"
    tracks = "  ".join(_tracks(combatant["tracks"], ruleset))
    name = pad(combatant["name"], 18)
    yield f"{mark}{combatant['number']:>2} {initiative:>3}  {name} {tracks}{life}"
    about = [f"in the group {combatant['group']}"] if "group" in combatant else []
    about += [f"{_called(e)} ({e['until']})" for e in combatant["effects"]]
    total = ruleset.tables.total
    about += [
        f"{k.replace('_', ' ')} {total(k).format_value(v)}".rstrip()
        for k, v in combatant["totals"].items()
        if total(k).tells(v) and not total(k).whole
    ]
    if about:
        yield f"         {'; '.join(about)}"
    numbers = list(_numbers(combatant, names, ruleset))
    if numbers:
        yield f"         {', '.join(numbers)}"


def _numbers(
    combatant: dict[str, Any], names: Mapping[str, str], ruleset: Ruleset
) -> Iterator[str]:
    """Yield the whole totals, then the stats that fit into a line.

    Lists of actions, the description, and dice, which the tracks show, are left out.
    """
    totals = combatant["totals"]
    for name, value in totals.items():
        rule = ruleset.tables.total(name)
        if rule.whole:
            yield f"{rule.label} {value}"
    stats = combatant["stats"].items()
    tracks = ruleset.tables.tracks.items()
    apart = {name for name, rule in tracks if rule.shown == "die"}
    apart.update(name.replace("_", "-") for name in combatant["tracks"])
    if owner := combatant["stats"].get("owner"):
        apart.update(("owner", "companion"))
        bond = combatant["stats"].get("companion", "companion").capitalize()
        yield f"{bond} of {names.get(owner, owner)}"
    plain = {k: v for k, v in stats if k not in apart and not is_of_tables(v)}
    yield from other_stat_lines(ruleset.tables, plain, totals)


def _called(effect: dict[str, Any]) -> str:
    """An effect's name with its amount and type, or with the note that tells it apart."""
    words = [effect["name"], effect.get("amount"), effect.get("type") if "amount" in effect else ""]
    if effect["name"] == effect["kind"] and effect.get("note"):
        words = [effect["name"], effect["note"]]
    return " ".join(str(word) for word in words if word)


def _tracks(tracks: dict[str, dict[str, int]], ruleset: Ruleset) -> Iterator[str]:
    for name, track in tracks.items():
        rule = ruleset.tables.tracks.get(name)
        always = rule is not None and (
            rule.shown in ("bar", "pips") or (rule.shown == "number" and "max" in track)
        )
        if track["value"] or always:
            label = rule.short or rule.label if rule else name
            if rule is not None and rule.shown == "die":
                yield f"{label} d{track['value']} of d{track['max']}"
            else:
                top = f"/{track['max']}" if "max" in track else ""
                yield f"{label} {format_number(track['value'])}{top}"

"""The fight as plain lines of text, for `affray show`: the order, and what is on everybody."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from affray.core.language.refusal import plain_number
from affray.core.rules.ruleset import Ruleset
from affray.core.telling.own_numbers import is_of_tables, own_numbers


def sheet(shown: dict[str, Any], ruleset: Ruleset) -> list[str]:
    """Lines that show a report, as `affray.core.telling.report.report` gives it, to a person."""
    lines = [f"{shown['title']} · {ruleset.name}", _phase(shown)]
    lines += _of_gm_and_party(shown["gm"], ruleset)
    lines += [f"clock: {c['name']} {_clock(c)}" for c in shown["clocks"]]
    waves = shown.get("waves", {}).items()
    lines += [f"wave {wave}: {', '.join(waiting)}" for wave, waiting in waves]
    lines.append("")
    for combatant in shown["combatants"]:
        lines += _combatant(combatant, shown["turn"], ruleset)
    if not shown["combatants"]:
        lines.append("Nobody is here yet: affray do FILE 'add pc NAME ...'")
    return lines


def _of_gm_and_party(tracks: dict[str, int], ruleset: Ruleset) -> Iterator[str]:
    owned: dict[str, list[str]] = {}
    for name, value in tracks.items():
        rule = ruleset.tables.track(name)
        if value:
            owned.setdefault(rule.whose, []).append(f"{rule.label} {value}")
    for whose, told in owned.items():
        yield f"{whose}: {', '.join(told)}"


def _clock(clock: dict[str, Any]) -> str:
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


def _combatant(combatant: dict[str, Any], turn: str | None, ruleset: Ruleset) -> Iterator[str]:
    mark = ">" if combatant["id"] == turn else " "
    initiative = "-" if combatant["initiative"] is None else combatant["initiative"]
    life = "" if combatant["life"] == "up" else f"  {combatant['life'].upper()}"
    tracks = "  ".join(_tracks(combatant["tracks"], ruleset))
    yield f"{mark}{combatant['number']:>2} {initiative:>3}  {combatant['name']:<18} {tracks}{life}"
    about = [f"in the group {combatant['group']}"] if "group" in combatant else []
    about += [f"{_called(e)} ({e['until']})" for e in combatant["effects"]]
    total = ruleset.tables.total
    about += [
        f"{k.replace('_', ' ')} {total(k).told(v)}"
        for k, v in combatant["totals"].items()
        if total(k).tells(v) and not total(k).whole
    ]
    if about:
        yield f"         {'; '.join(about)}"
    numbers = list(_numbers(combatant, ruleset))
    if numbers:
        yield f"         {', '.join(numbers)}"


def _numbers(combatant: dict[str, Any], ruleset: Ruleset) -> Iterator[str]:
    """Its whole totals, then its own numbers and words; what it can do has no room in a line, nor
    has its text, and of a die its track tells."""
    totals = combatant["totals"]
    for name, value in totals.items():
        rule = ruleset.tables.total(name)
        if rule.whole:
            yield f"{rule.label} {value}"
    stats = combatant["stats"].items()
    tracks = ruleset.tables.tracks.items()
    apart = {"text", *(name for name, rule in tracks if rule.shown == "die")}
    apart.update(name.replace("_", "-") for name in combatant["tracks"])
    if owner := combatant["stats"].get("owner"):
        apart.update(("owner", "companion"))
        yield f"{combatant['stats'].get('companion', 'companion').capitalize()} of {owner}"
    plain = {k: v for k, v in stats if k not in apart and not is_of_tables(v)}
    yield from own_numbers(ruleset.tables, plain, totals)


def _called(effect: dict[str, Any]) -> str:
    """An effect with what tells it apart: how much of what, or the note that is its name."""
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
                yield f"{label} {plain_number(track['value'])}{top}"

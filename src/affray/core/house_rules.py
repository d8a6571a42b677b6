"""Whether a ruleset can work with a campaign's own rows, asked before anything is played by them.

What a row's fields are is held by `affray.core.tables`; here is what only shows beside the
ruleset's own tables, and in a fight from which such a row was taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from affray.core.dice import DiceError, parse_dice
from affray.core.refusal import Refused, did_you_mean, listed
from affray.core.state import Encounter
from affray.core.tables import PromptRule, Tables, Technique

MOST = 999_999


def check_house_rules(own: Tables, more: Tables) -> None:
    """Raises Refused, in one line, for the first of `more` that doesn't go with the tables `own`.

    That is: a plain number that the ruleset doesn't have or of another kind than its own, an amount
    of a track that is not there, a technique without the price that its rules ask for, and a blank
    where a word must stand.
    """
    for name, value in more.economy.items():
        if name not in own.economy:
            near = did_you_mean(name, own.economy) or f"; there are {listed(own.economy, 'and')}"
            raise Refused(f"[economy] has no {name!r}{near}")
        _check_number(name, own.economy[name], value)
    known = {**own.tracks, **more.tracks}
    for where, amounts in _amounts(more):
        for track in amounts:
            if track not in known:
                raise Refused(f"{where} names no track: {track!r}{did_you_mean(track, known)}")
    for name, technique in more.techniques.items():
        base = own.techniques.get(name)
        missing = [t for t in (base.cost if base else ()) if t not in technique.cost]
        if missing or not technique.cost:
            what = listed(missing, "and") if missing else "what it takes"
            raise Refused(f"[techniques.{name}] needs a `cost` that names {what}")
    for where, row in (*_rows("techniques", more.techniques), *_rows("prompts", more.prompts)):
        if any(text.isspace() for text in (row.key, row.command)) or any(
            _asks_nothing(ask) for ask in row.asks
        ):
            raise Refused(f"{where}: `key`, `command` and each of `asks` must hold a word")


def _rows(
    table: str, rows: Mapping[str, Technique | PromptRule]
) -> Iterator[tuple[str, Technique | PromptRule]]:
    return ((f"[{table}.{name}]", row) for name, row in rows.items())


def _asks_nothing(ask: str) -> bool:
    """Whether there is no word in it, or none behind what must be answered before: `a>?`."""
    before, arrow, behind = ask.partition(">")
    return all(ch in "?!" or ch.isspace() for ch in (behind if arrow else before))


def _amounts(tables: Tables) -> Iterator[tuple[str, Mapping[str, int]]]:
    """Everything that maps tracks to amounts, with the place where it stands."""
    for name, technique in tables.techniques.items():
        yield f"[techniques.{name}] cost", technique.cost
        yield f"[techniques.{name}] marks", technique.marks
    for name, effect in tables.effects.items():
        yield f"[effects.{name}] at_start", effect.at_start
        yield f"[effects.{name}] escape", effect.escape


def without_row(tables: Tables, state: Encounter) -> str:
    """One line on effects in force for which the tables have no row, as they once had.

    What such a row would imply, forbid or bring about doesn't happen. Empty when there are none.
    Kinds that have no rows at all, such as a forward, need none.
    """
    kinds = {rule.kind for rule in tables.effects.values()}
    bearers: dict[str, list[str]] = {}
    for combatant in state.combatants:
        for effect in combatant.effects:
            if effect.kind in kinds and effect.name not in tables.effects:
                bearers.setdefault(effect.name, []).append(combatant.name)
    if not bearers:
        return ""
    which = listed((f"{name} on {listed(who, 'and')}" for name, who in bearers.items()), "and")
    return f"no rule is known for {which}, so it does nothing: was it one of the campaign's own?"


def _check_number(name: str, own: Any, value: Any) -> None:
    """Raises Refused when a value can't stand in for the ruleset's own: they must be of a kind."""
    if isinstance(own, list):
        fits = isinstance(value, list) and bool(value or not own)
        if not fits or not all(_alike(one, part) for one in own[:1] for part in value):
            raise _refused(name, f"a list such as {own}", value)
    elif isinstance(own, str) and _is_dice(own):
        if not isinstance(value, str) or not _is_dice(value):
            raise _refused(name, f'dice such as "{own}"', value)
    elif not _alike(own, value):
        raise _refused(name, "a text" if isinstance(own, str) else f"a number such as {own}", value)
    elif isinstance(own, int) and not (-MOST if own < 0 else 0) <= value <= MOST:
        raise _refused(name, f"a number from {-MOST if own < 0 else 0} to {MOST}", value)


def _alike(own: Any, value: Any) -> bool:
    return type(value) is type(own)


def _is_dice(text: str) -> bool:
    try:
        return bool(parse_dice(text).pools)
    except DiceError:
        return False


def _refused(name: str, expected: str, value: Any) -> Refused:
    found = repr(value)
    return Refused(f"[economy] {name}: expected {expected}, found {found[:40]}")

"""`keep`: save a combatant of a fight as a row of the campaign's roster, in the words of `add`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

from affray.core.commands.join_terms import parse_description, take_terms
from affray.core.commands.log_commands import KEEP, SESSION_COMMANDS
from affray.core.commands.newcomers import SIDES, slug, take_name
from affray.core.dice import SeededDice
from affray.core.engine.events import Added
from affray.core.engine.history import History
from affray.core.engine.state import Combatant, Encounter
from affray.core.parser.errors import Refused
from affray.core.parser.tokens import TokenStream, is_count, tokenize
from affray.core.rules.ruleset import Context, Ruleset

Where = Literal["party", "bestiary"]


class RosterRow(NamedTuple):
    """A row to be saved: its file, its id, and its fields."""

    where: Where
    key: str
    row: dict[str, Any]


def read_keep(line: str, history: History, ruleset: Ruleset) -> RosterRow:
    """Read `keep NAME [as ID] [party|bestiary]`; characters go to the party by default.

    Raises Refused if the log doesn't show how the combatant was added.
    """
    cursor = TokenStream(tokenize(line)[1:], history.state, SESSION_COMMANDS[KEEP].usage)
    combatant = cursor.combatant("the combatant to keep")
    key = slug(cursor.next("an id")) if cursor.take("as") else ""
    party = "party" if combatant.kind == "pc" else "bestiary"
    where: Where = "party" if (cursor.take("party", "bestiary") or party) == "party" else "bestiary"
    cursor.finish()
    row = roster_row(history, ruleset, combatant)
    if combatant.kind == "pc":  # by its name here: a character's number is part of who it is
        row["name"] = combatant.name
    is_usual = where == "party" or combatant.kind == "monster"
    kind = {} if is_usual else {"kind": combatant.kind}
    return RosterRow(where, key or slug(row["name"]), {"name": row.pop("name"), **kind, **row})


def roster_row(history: History, ruleset: Ruleset, combatant: Combatant) -> dict[str, Any]:
    """Make a combatant's row from the line that added them and later corrections by hand.

    Only the maxima of tracks are part of it, not what is left of them.
    """
    for seq in reversed(history.path):
        for event in history.entries[seq].events:
            if isinstance(event, Added) and event.who == combatant.id:
                row = _row_as_typed(history, ruleset, seq, event)
                field_names = {w.name: w.name_in(row) for w in ruleset.sheet.fields(ruleset.tables)}
                return row | _changes(event, combatant, field_names)
    raise Refused(f"the log doesn't show how {combatant.name} was added")


def _row_as_typed(history: History, ruleset: Ruleset, seq: int, event: Added) -> dict[str, Any]:
    before = history.before(seq)
    for line in _lines(history.entries[seq].command, before):
        for row in _typed_rows(line, before, ruleset):
            if re.fullmatch(rf"{re.escape(row['name'])}(?: \d+)?", event.name):
                return row
    raise Refused(
        f"{event.name} was added by {history.entries[seq].command!r}, which has no numbers"
    )


def _lines(command: str, before: Encounter) -> list[str]:
    """The lines of `add` in a command; for `wave`, those that waited for it."""
    name, _, rest = command.partition(" ")
    if name.casefold() == "wave":
        waves = before.waves
        number = int(rest) if is_count(rest.strip(" ")) else min(waves, default=0)
        return [*waves.get(number, ())]
    return [rest] if name.casefold() == "add" else []


def _typed_rows(line: str, before: Encounter, ruleset: Ruleset) -> Iterator[dict[str, Any]]:
    """Yield the rows for a line of `add`, from the campaign or from the line itself."""
    tokens, rows = TokenStream(tokenize(line), before), ruleset.tables.bestiary
    if tokens.take("party"):
        tables = ruleset.tables
        yield from (_named(row, tables.name_of(key)) for key, row in tables.party.items())
        return
    kind = tokens.take(*SIDES, *rows)
    name = take_name(tokens) if kind and kind not in rows else ""
    terms = take_terms(tokens, ruleset.sheet.fields(ruleset.tables))
    if kind in rows:
        yield _named(rows[kind], terms.called or ruleset.tables.name_of(kind))
    elif kind:
        spelt = ruleset.sheet.read_fields(Context(before, ruleset, SeededDice(0)), tokens)
        text = parse_description(tokens) or terms.text
        yield _named(fields_of(spelt) | ({"text": text} if text else {}), name)


def _named(row: dict[str, Any], name: str) -> dict[str, Any]:
    return {"name": name, **{k: v for k, v in row.items() if k not in ("name", "kind")}}


def fields_of(spelt: list[tuple[str, str]]) -> dict[str, Any]:
    """Convert a sheet's words to a row: `[("ac", "4"), ("swim", "")]` is ac = 4, swim = true.

    A word that was said several times becomes a list.
    """
    fields: dict[str, list[Any]] = {}
    for name, text in spelt:
        is_number = re.fullmatch(r"[+-]?\d{1,9}", text)
        fields.setdefault(name, []).append(int(text) if is_number else text or True)
    return {name: values if len(values) > 1 else values[0] for name, values in fields.items()}


def _changes(event: Added, combatant: Combatant, field_names: Mapping[str, str]) -> dict[str, Any]:
    """The fields of a row for a name, stats and maxima that were changed since the joining.

    `field_names` maps the words of a sheet to the row's names for them.
    """
    changed: dict[str, Any] = {"name": combatant.name} if combatant.name != event.name else {}
    for stat in field_names.keys() & combatant.stats.keys():
        value = combatant.stats[stat]
        if isinstance(value, int | str) and value != event.stats.get(stat):
            is_phrase = isinstance(value, str) and " " in value
            changed[field_names[stat]] = f'"{value}"' if is_phrase else value
    for name in field_names.keys() & combatant.tracks.keys() & event.tracks.keys():
        top = combatant.tracks[name].max
        if top is not None and top != event.tracks[name].max:
            changed[field_names[name]] = top
    return changed

"""Tables from their TOML: the documents of a ruleset's folder, or a campaign's rules.toml.

What is wrong in them is told in one line, with the table, the row and the field.
"""

from __future__ import annotations

from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from affray.core.language.refusal import Refused, close_or_all, listed
from affray.core.rules.random_tables import RandomTable
from affray.core.rules.tables import (
    LEVEL,
    EffectRule,
    LevelRule,
    Tables,
    Technique,
    TextRule,
)

_Row = TypeVar("_Row", RandomTable, EffectRule, LevelRule, Technique, TextRule)


def read_tables(*parts: dict[str, Any]) -> Tables:
    """Tables from parsed TOML documents, one after the other.

    Rows without a name take their id. Raises Refused, in one line with the path of what is wrong.
    """
    tables = Tables()
    for part in parts:
        try:
            tables = tables.merged(msgspec.convert(part, Tables))
        except msgspec.ValidationError as error:
            raise Refused(_fault(part) or f"rules: {error}") from error
    levels = {key: replace(row, kind=LEVEL) for key, row in _named(tables.levels).items()}
    return replace(
        tables,
        effects=_named(tables.effects) | levels,
        levels=levels,
        techniques=_named(tables.techniques),
        texts=_named(tables.texts),
        random=_named(tables.random),
    )


def _named(rows: dict[str, _Row]) -> dict[str, _Row]:
    """The rows, each with a name: its id, where it has none of its own."""
    return {key: row if row.name else replace(row, name=key) for key, row in rows.items()}


def _fault(part: dict[str, Any]) -> str:
    """What is wrong with a document, by table and field; empty when that can't be told so."""
    known = Tables.__struct_fields__
    for table, rows in part.items():
        if table not in known:
            return f"there is no table [{table}]{close_or_all(table, known)}"
        fault = _fault_of_rows(table, rows, _rows_of(Tables, table))
        if fault:
            return fault
    return ""


def _fault_of_rows(path: str, rows: Any, made: type[Struct] | None) -> str:
    """What is wrong with the first wrong row of a table, as `[environments.cave.features.ice] ...`.

    A row may hold tables of its own, as surroundings hold their features: these come before it.
    """
    if made is None or not isinstance(rows, dict):
        return ""
    for key, row in rows.items():
        where = f"{path}.{key}"
        for field, within in row.items() if isinstance(row, dict) else ():
            fault = _fault_of_rows(f"{where}.{field}", within, _rows_of(made, field))
            if fault:
                return fault
        fault = _fault_of_row(row, made)
        if fault:
            return f"[{where}]{fault}"
    return ""


def _rows_of(made: type[Struct], field: str) -> type[Struct] | None:
    """What the rows of a field are, where that is a table; None for any other field."""
    hint = get_type_hints(made).get(field)
    row = get_args(hint)[-1] if get_origin(hint) is dict else None
    return row if hasattr(row, "__struct_fields__") else None


def _fault_of_row(row: Any, made: type[Struct]) -> str:
    fields = made.__struct_fields__
    for field_ in row if isinstance(row, dict) else ():
        if field_ not in fields:
            return f" has no field {field_!r}{close_or_all(field_, fields)}"
    try:
        msgspec.convert(row, made)
    except msgspec.ValidationError as error:
        said, _, where = str(error).partition(" - at ")
        place = where.strip("`").removeprefix("$").removeprefix(".")
        known = _choices(made, place)
        said = f"must be {listed(known)}" if known else said[:1].lower() + said[1:]
        return f"{f' {place}' if place else ''}: {said}"
    return ""


def _choices(made: type[Struct], place: str) -> list[str]:
    """The words between which the field at a place chooses; empty for one that is free."""
    hint: Any = made
    for name in place.split("."):
        within = next((h for h in (hint, *get_args(hint)) if hasattr(h, "__struct_fields__")), None)
        hint = get_type_hints(within).get(name) if within is not None else None
    found = get_args(hint) if get_origin(hint) is Literal else ()
    return [repr(word) for word in found if word]

"""Events in short: each on a line of its own, with all its fields, for a person to read.

    changed ghoul-1 hp by=-5 why="5 slashing"
    gained mira (slowed slowed condition until=(turn who=mira count=2))

A field that has no default stands without its name, any other with it, unless it is as usual. What
somebody joins with stands below: a line for their stats, and one for their tracks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from functools import cache
from hashlib import blake2b
from typing import Any

from msgspec import NODEFAULT, Struct
from msgspec.structs import FieldInfo, fields

from affray.core.engine.events import AnyEvent

_WORD = re.compile(r"(?!(?:true|false|null)$)[A-Za-z][\w.+-]*")
MOST = 100
"""The length of a text that is written out; of a longer one its begin, and a hash of the whole."""


def written_events(events: Iterable[AnyEvent]) -> Iterator[str]:
    """The lines of some events, each indented."""
    for event in events:
        beside, below = [str(event.__struct_config__.tag)], []
        for key, value in _fields(event):
            if isinstance(value, dict):
                below.append(f"    {key} {_short(value)}")
            else:
                beside.append(f"{key}={_short(value)}" if key else _short(value))
        yield f"  {' '.join(beside)}"
        yield from below


def difference(old: Iterable[AnyEvent], new: Iterable[AnyEvent]) -> Iterator[str]:
    """The lines of events that are gone, each behind a minus, and of those that are new."""
    was, now = list(written_events(old)), list(written_events(new))
    for what, begin, end, new_begin, new_end in SequenceMatcher(None, was, now).get_opcodes():
        if what != "equal":
            yield from (f"  −{line[1:]}" for line in was[begin:end])
            yield from (f"  +{line[1:]}" for line in now[new_begin:new_end])


def _fields(value: Struct) -> Iterator[tuple[str, Any]]:
    """Each field that has no default, by no name; then each that isn't at its default, by its."""
    for name, key, default in _known(type(value)):
        found = getattr(value, name)
        if not key or found != default:
            yield key, found


@cache
def _known(kind: type[Struct]) -> list[tuple[str, str, Any]]:
    """The fields of a kind: name, that in the log, which is empty without a default, and that."""
    return [
        (each.name, "" if each.required else each.encode_name, default_of(each))
        for each in fields(kind)
    ]


def default_of(field: FieldInfo) -> Any:
    """The default of a field; None where it has none."""
    if field.default_factory is not NODEFAULT:
        return field.default_factory()
    return None if field.required else field.default


def _short(value: object) -> str:
    """A value, so written that no other value is written like it."""
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Struct):
        return f"({_row(_fields(value))})"
    if isinstance(value, dict):
        return f"{{{_row(value.items())}}}"
    if isinstance(value, tuple | list):
        return f"[{' '.join(map(_short, value))}]"
    return json.dumps(value)


def _row(named: Iterable[tuple[str, object]]) -> str:
    return " ".join(f"{key}={_short(value)}" if key else _short(value) for key, value in named)


@cache
def _text(value: str) -> str:
    if _WORD.fullmatch(value):
        return value
    if len(value) > MOST:
        rest = blake2b(value.encode(), digest_size=4).hexdigest()
        return f"{json.dumps(value[:MOST], ensure_ascii=False)}…{rest}"
    return json.dumps(value, ensure_ascii=False)

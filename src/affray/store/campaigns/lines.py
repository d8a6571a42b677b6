"""Where in a campaign's file something stands: the line of a row, or of a field in it."""

from __future__ import annotations

import re
from collections.abc import Iterator

_PART = re.compile(r"\"([^\"]*)\"|'([^']*)'|([\w-]+)")
_HEADER = re.compile(r"\s*\[\[?([^\]]+)\]")
_FIELD = re.compile(r"\s*([\w\"'.-]+(?:\s*\.\s*[\w\"'-]+)*)\s*=")
_NAMED = re.compile(r"\[([^\]]+)\]|`([\w-]+)`")


def line_of(text: str, said: str) -> int:
    """The line of a TOML file that a refusal is about, which names its table: 3 for
    "[effects.mired] speed: ...", where that field stands there, else the line of its row or table.

    0 where it names none that is there.
    """
    named = _NAMED.match(said)
    if named is None:
        return 0
    begun = ((path[:n], at) for at, path in _paths(text) for n in range(1, len(path) + 1))
    lines = dict(reversed([*begun]))
    row = tuple((named[1] or named[2]).split("."))
    fields = ((*row, word) for word in _parts(said[named.end() :]))
    tables = (row[:length] for length in range(len(row), 0, -1))
    return next((lines[path] for path in (*fields, *tables) if path in lines), 0)


def _parts(text: str) -> tuple[str, ...]:
    """A dotted key part by part, or the words of a sentence: `effects."evil eye"`."""
    return tuple("".join(part) for part in _PART.findall(text))


def _paths(text: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Each line with a header or a field, and what stands there: ("effects", "mired", "speed")."""
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            table = _parts(header[1])
            yield number, table
        elif field := _FIELD.match(line):
            yield number, (*table, *_parts(field[1]))

"""Where in a campaign's file something stands: the line of a row, or of a field in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from affray.store.campaigns.rows import parts

if TYPE_CHECKING:  # loaded only where a fault is to be found
    from tomlkit import TOMLDocument

_PART = re.compile(r"\"([^\"]*)\"|'([^']*)'|([\w-]+)")
_NAMED = re.compile(r"\[([^\]]+)\]|`([\w-]+)`")
_MARK = "\ue000"


def line_of(text: str, said: str) -> int:
    """The line of a TOML file that a refusal is about, which names its table: 3 for
    "[effects.mired] speed: ...", where that field stands there, else the line of its row or table.

    0 where it names none that is there.
    """
    named = _NAMED.match(said)
    if named is None:
        return 0
    row = tuple((named[1] or named[2]).split("."))
    fields = ((*row, "".join(word)) for word in _PART.findall(said[named.end() :]))
    tables = (row[:length] for length in range(len(row), 0, -1))
    return line_at(text, [*fields, *tables])


def line_at(text: str, paths: Iterable[Sequence[str]]) -> int:
    """The line of the first of these that is in a TOML file: `("mired", "speed")` is a field of a
    table. 0 where none is."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    paths = [*paths]
    for head, part, _ in parts(text, {path[0] for path in paths}):
        try:
            document = tomlkit.parse(part)
        except TOMLKitError:
            continue
        lines = (_line(document, item) for path in paths for item in _items(document.body, path))
        found = next(filter(None, lines), 0)
        if found:
            return found + head.count("\n")
    return 0


def _items(body: Iterable[tuple[Any, Any]], path: Sequence[str]) -> Iterator[Any]:
    """What stands there by that name, in whichever letters that is written."""
    for key, item in body:
        if key is None or key.key.casefold() != path[0].casefold():
            continue
        if len(path) == 1:
            yield item
            continue
        for inner in _inside(item):
            yield from _items(inner, path[1:])


def _inside(item: Any) -> list[list[tuple[Any, Any]]]:
    """What stands in a table, or in each of several of one name."""
    tables = getattr(item, "body", None) or [item]
    return [table.value.body for table in tables if hasattr(table.value, "body")]


def _line(document: TOMLDocument, item: Any) -> int:
    """The line on which it begins, found by a mark before it; of a table that has no heading, that
    of the first that is in it."""
    was = item.trivia.indent
    item.trivia.indent = _MARK
    before, mark, _ = document.as_string().partition(_MARK)
    item.trivia.indent = was
    if mark:
        return before.count("\n") + 1
    inner = (each for body in _inside(item) for key, each in body if key is not None)
    return next(filter(None, (_line(document, each) for each in inner)), 0)

"""Rows of people in a TOML file: added behind what is there, which keeps its words and comments."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

import tomli
import tomli_w

from affray.core.language.refusal import Refused

_HEADING = re.compile(r"^[ \t]*\[", re.MULTILINE)


def with_rows(text: str, rows: Mapping[str, dict[str, Any]], replaced: Collection[str] = ()) -> str:
    """The text of a file with more rows behind the others, those `replaced` being taken out.

    Raises Refused where a row that is replaced is written in a way that can't be told apart.
    """
    kept = _without(text, replaced) if replaced else text
    more = tomli_w.dumps(rows, multiline_strings=True)
    if not more:
        return kept
    return f"{kept.rstrip()}\n\n{more}" if kept.strip() else more


def _without(text: str, keys: Collection[str]) -> str:
    """The text without the tables of those keys."""
    starts = [match.start() for match in _HEADING.finditer(text)]
    pieces = [text[: starts[0]]] if starts else [text]
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        block = text[start:end]
        if _key_of(block) not in keys:
            pieces.append(block)
    kept = "".join(pieces)
    try:
        left = {key.casefold() for key in tomli.loads(kept)}
        as_before = {key.casefold() for key in tomli.loads(text)} - {*keys}
    except tomli.TOMLDecodeError:
        left, as_before = set(), {""}
    if left != as_before:
        raise Refused("what is to be replaced is no table of its own; take it out by hand")
    return kept


def _key_of(block: str) -> str:
    """The first key of the heading with which a table begins: `ghoul` of `[ghoul]`."""
    match = re.match(r"""[ \t]*\[[ \t]*(?:"([^"]*)"|'([^']*)'|([\w-]+))""", block)
    return (match[1] or match[2] or match[3] or "").casefold() if match else ""

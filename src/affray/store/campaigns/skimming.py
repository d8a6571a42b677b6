"""A log skimmed: what a list tells of a fight, without reading what it doesn't tell of.

A log of a thousand entries takes a seventh of a second to read, and a hundredth to skim, so a list
of hundreds is there at once. What is skimmed is only what affray has written and sealed, and blocks
that a hand has edited are read one by one; whatever is odd beyond that is left to who reads it all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import msgspec
import tomli
from msgspec import Struct

from affray.core.heart.events import AnyEvent
from affray.core.heart.evolve import evolve_all
from affray.core.heart.state import Encounter
from affray.store.entries import KNOWN
from affray.store.errors import LogError
from affray.store.recovery import FORMAT
from affray.store.toml_block import SEPARATOR, is_sealed
from affray.store.upcasting import current

_LASTING = frozenset({"added", "left", "began", "ended", "round", "became", "adjusted"})
"""Kinds of event of which a list tells, however long ago they came."""
_RECENT = frozenset({"turn", "turn-ended", "delayed", "ordered"})
"""Kinds that tell whose turn it is: those of the last two rounds do."""

_EVENT = re.compile(rb'^    (\{ event = "([^"]*)".*),$', re.MULTILINE)
_SEQ, _TO, _PARENT = b"\nseq = ", b"\nto = ", b"\nparent = "


class _Block(Struct):
    """An entry: its number, where it moves to if it does, what it stands behind if it was written
    aside, as an amended past is, and its events.

    Those of a sealed one are not read yet, and stand in its `text`.
    """

    seq: int
    to: int | None
    parent: int | None
    text: bytes = b""
    events: tuple[Any, ...] = ()


def skimmed(raw: bytes) -> Encounter | None:
    """The fight as a list tells of it: phase, round, whose turn, who is in it and how they are.

    None for a log that is not as affray writes it, apart from entries that were edited by hand.
    """
    if b"\r" in raw or not raw.startswith(b"format = "):
        return None
    head, *parts = raw.split(SEPARATOR)
    try:
        header = tomli.loads(head.decode())
        blocks = [_block(part) for part in parts]
        events = _told(_path(blocks))
    except (ValueError, KeyError, TypeError, RecursionError, LogError, msgspec.ValidationError):
        return None
    if header.get("format") != FORMAT:
        return None
    start = Encounter(title=str(header.get("title", "")), ruleset=str(header.get("ruleset", "")))
    return evolve_all(start, events)


def _block(part: bytes) -> _Block:
    """A block, of which no more is read than is needed. Raises ValueError for one that is none."""
    if is_sealed(part):
        to, parent = (_number(part, part.find(k), k) if k in part else None for k in (_TO, _PARENT))
        return _Block(_number(part, part.rfind(_SEQ), _SEQ), to, parent, part)
    (row,) = tomli.loads(f"[[entry]]{part.decode()}")["entry"]
    events = tuple(row.get("events", ()))
    return _Block(int(row["seq"]), row.get("to"), row.get("parent"), events=events)


def _number(part: bytes, at: int, key: bytes) -> int:
    """The number behind a key that stands there."""
    return int(part[at + len(key) :].split(b"\n", 1)[0])


def _path(blocks: Sequence[_Block]) -> Iterator[_Block]:
    """The effective entries, the last first. Raises KeyError for a move to what is not there."""
    places: dict[int, int] = {}
    at = _before(blocks, len(blocks))
    while at >= 0:
        block = blocks[at]
        behind = block.parent if block.to is None else block.to
        if block.to is None:
            yield block
        if behind == 0:
            return
        if behind is None:
            at = _before(blocks, at)
            continue
        places = places or {block.seq: place for place, block in enumerate(blocks)}
        if places[behind] >= at:
            raise ValueError("an entry behind a later one")
        at = places[behind]


def _before(blocks: Sequence[_Block], at: int) -> int:
    """The place before, but for what was written aside: only a move leads to that."""
    at -= 1
    while at >= 0 and blocks[at].parent is not None and blocks[at].to is None:
        at -= 1
    return at


def _told(path: Iterator[_Block]) -> list[AnyEvent]:
    """The events that a list tells of, the first first."""
    found: list[Any] = []
    rounds, ordered = 0, False
    for block in path:
        for kind, event in reversed(list(_events(block))):
            if kind in _LASTING or (kind in _RECENT and not (rounds >= 2 and ordered)):
                found.append(event)
            rounds += kind in ("round", "began")
            ordered = ordered or kind == "ordered"
    rows = [current(_read(event)) for event in reversed(found)]
    return msgspec.convert(rows, list[AnyEvent])


def _events(block: _Block) -> Iterator[tuple[str, Any]]:
    """Each event with its kind; of a sealed block as text, which is not read yet.

    Raises ValueError for a kind that only a later affray knows.
    """
    found: Iterator[tuple[str, Any]] = (
        (match[2].decode(), match[1]) for match in _EVENT.finditer(block.text)
    )
    for kind, event in chain(found, ((str(each["event"]), each) for each in block.events)):
        if kind not in KNOWN:
            raise ValueError(f"an event {kind!r}")
        yield kind, event


def _read(event: Any) -> Any:
    return tomli.loads(f"event = {event.decode()}")["event"] if type(event) is bytes else event

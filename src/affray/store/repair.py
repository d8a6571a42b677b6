"""A new log with all that is whole in a damaged one. The damaged one is only read.

Every whole entry is copied byte for byte, also those behind the damage, and also what only a later
affray can read. A lost entry counts as one that did nothing: where entries are missing a note
stands in their place, with the number of the last of them, and another with each number that an
undo, redo or goto behind the damage goes to. So every such goal is there.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import tomli

from affray.store.disk import explained, publish
from affray.store.entries import history_of
from affray.store.errors import LogError
from affray.store.recovery import FORMAT, entries_in_words, judge
from affray.store.survey import Survey, lines_in_words
from affray.store.toml_block import emit_block

_BOM = b"\xef\xbb\xbf"


def repaired_name(path: Path) -> Path:
    """The file that a repair makes of `path` unless it is told another."""
    return path.with_name(f"{path.stem}.repaired.toml")


def write_repaired(found: Survey, target: Path) -> int:
    """Write what is whole to a new file, on the disk before this returns; gives its entries' count.

    Raises LogError when there is such a file already, when it can't be written, or when the header
    has lost what can't be known.
    """
    content = repaired(found)
    history, _ = history_of(judge(content, str(target)))
    with explained(target):
        publish(target.resolve(), content)
    return len(history.entries)


def repaired(found: Survey) -> bytes:
    """The bytes of the new log. Raises LogError when the header has lost what can't be known."""
    header = found.raw[: found.header_end]
    if found.header_fault:
        header = _header_of(header)
    end = b"\r\n" if b"\r\n" in found.raw else b"\n"
    parts = [_with_remarks(header.rstrip(b"\r\n"), found, end) + end]
    goals = _goals(found)
    last = 0
    for piece in found.entries:
        parts += [block.replace(b"\n", end) for block in _places(last, piece.seq, goals)]
        parts.append(end + found.raw[piece.start : piece.end] + end)
        last = piece.seq
    return b"".join(parts)


def _goals(found: Survey) -> list[int]:
    """The numbers to which an undo, redo or goto goes, rising."""
    goals = {piece.block.data.get("to") for piece in found.entries if piece.block}
    return sorted(goal for goal in goals if isinstance(goal, int))


def _places(last: int, following: int, goals: Sequence[int]) -> list[bytes]:
    """Notes in the place of the entries that are missing between two; `goals` rise."""
    numbers = [*goals[bisect_right(goals, last) : bisect_left(goals, following - 1)]]
    if following - 1 > last:
        numbers.append(following - 1)
    blocks = []
    for before, number in pairwise([last, *numbers]):
        text = f"{entries_in_words(before + 1, number)} lost"
        event = {"event": "noted", "text": text}
        blocks.append(
            emit_block(
                {"command": f'note "{text}"', "text": f"Note: {text}", "events": [event]}, number
            )
        )
    return blocks


def _with_remarks(header: bytes, found: Survey, end: bytes) -> bytes:
    """The header below comments that say what this file is."""
    lost = [f"{entries_in_words(first, last)} lost" for first, last in found.lost]
    left = [
        f"{lines_in_words(piece.line, piece.last_line)} left out"
        for piece in found.pieces
        if not piece.whole
    ]
    remarks = ["Made by `affray check --repair` of a damaged log, with all that was whole in it."]
    lines = [f"# {remark}".encode() for remark in [*remarks, *lost, *left]]
    bom = _BOM if header.startswith(_BOM) else b""
    return bom + end.join([*lines, header.removeprefix(_BOM)])


def _header_of(damaged: bytes) -> bytes:
    """The lines of a damaged header that are whole. Raises LogError without the rule system."""
    lines, known = list[bytes](), dict[str, object]()
    for line in damaged.removeprefix(_BOM).splitlines():
        try:
            more = tomli.loads(b"\n".join([*lines, _plain_line(line)]).decode())
        except (ValueError, RecursionError):
            continue
        version = more.get("format", FORMAT)
        if type(version) is int and version > 0:  # 0 has lost a bit
            known = more
            lines.append(line)
    if not isinstance(known.get("ruleset"), str):
        raise LogError(
            'its header has lost the rule system: write the line `ruleset = "..."` into a copy, '
            "and repair that"
        )
    if "format" not in known:
        lines.insert(0, b"format = %d" % FORMAT)
    return b"\n".join(lines)


def _plain_line(line: bytes) -> bytes:
    """A line of a header as it may be kept: one key. Raises ValueError for the head of a table."""
    if line.lstrip().startswith(b"["):
        raise ValueError
    return line

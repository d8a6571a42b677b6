"""What a log's writer remembers of its file, so that what others take out of it is noticed."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import NamedTuple

from affray.store.errors import LogError
from affray.store.recovery import Block, LogText, judge, sealed_in

_EDITED = -1
_MOST_NAMED = 5


class Found(NamedTuple):
    """What is in a file now: its sealed entries by number and seal, and the edited by number."""

    sealed: Collection[tuple[int, str]]
    edited: Collection[int]


def found_in(text: LogText) -> Found:
    """What a log that was read holds."""
    sealed = {(block.seq, block.seal) for block in text.blocks if block.seal}
    return Found(sealed, {block.seq for block in text.blocks if block.edited})


def found_in_any(raw: bytes, name: str) -> Found:
    """What bytes hold that may be no log: of an edited entry there nobody can say that it is it."""
    try:
        return found_in(judge(raw, name))
    except LogError:
        return Found(sealed_in(raw), ())


class Held:
    """The number and the seal of every entry that the file held, in sixteen bytes each."""

    def __init__(self, blocks: Sequence[Block] = ()) -> None:
        self._numbers = array("q", [block.seq for block in blocks])
        self._seals = array("q", [_number(block.seal) for block in blocks])

    def __len__(self) -> int:
        return len(self._numbers)

    def add(self, seq: int, seal: str) -> None:
        """One more entry was saved."""
        self._numbers.append(seq)
        self._seals.append(_number(seal))

    def gone_from(self, found: Found) -> list[int]:
        """The numbers of the entries that are not there any more, or not as they were saved.

        One that a hand has edited since is there: that was somebody's will.
        """
        there = {(seq, _number(seal)) for seq, seal in found.sealed}
        return [
            seq
            for seq, seal in zip(self._numbers, self._seals, strict=True)
            if (seq, seal) not in there and seq not in found.edited
        ]


def _number(seal: str) -> int:
    return int(seal, 16) if seal else _EDITED


def removed(gone: Sequence[int]) -> str:
    """What happened to entries that others took out of the file, up to what became of them."""
    was = "was" if len(gone) == 1 else "were"
    return f"{named(gone)}, removed by another program's save, {was}"


def named(numbers: Sequence[int]) -> str:
    """Entries in words, those in a row together: `entry 3`, `entries 3, 8 to 10`."""
    starts = [a for before, a in pairwise([-1, *numbers]) if a != before + 1]
    ends = [a for a, behind in pairwise([*numbers, -1]) if behind != a + 1]
    runs = [str(a) if a == b else f"{a} to {b}" for a, b in zip(starts, ends, strict=True)]
    more = ["…"] if len(runs) > _MOST_NAMED else []
    which = ", ".join([*runs[:_MOST_NAMED], *more])
    return f"entry {which}" if len(numbers) == 1 else f"entries {which}"

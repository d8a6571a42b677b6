"""Changes that another program makes to an open log: noticed, and what they remove kept in a file.

`WriterMemory` is what the writer of a log remembers of its file.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from affray.core.engine.history import Entry
from affray.core.engine.state import Encounter
from affray.core.parser.errors import Refused
from affray.store import LogError
from affray.store.entry_toml import seal_of, writable_header
from affray.store.filesystem import keep_beside, os_error_text
from affray.store.log_recovery import ParsedLog, parse_log, sealed_in

_GONE = (FileNotFoundError, NotADirectoryError, IsADirectoryError)
_EDITED = -1
_MOST_NAMED = 5


class FileSnapshot(NamedTuple):
    """The entries in a file now: the sealed by number and seal, and the edited by number."""

    sealed: Collection[tuple[int, str]]
    edited: Collection[int]


def snapshot_log(text: ParsedLog) -> FileSnapshot:
    """The entries of a log that was read."""
    sealed = {(block.seq, block.seal) for block in text.blocks if block.seal}
    return FileSnapshot(sealed, {block.seq for block in text.blocks if block.edited})


def snapshot_bytes(raw: bytes, name: str) -> FileSnapshot:
    """The entries in bytes that may be no log any more: of those only sealed entries are
    certain."""
    try:
        return snapshot_log(parse_log(raw, name))
    except LogError:
        return FileSnapshot(sealed_in(raw), ())


class WriterMemory:
    """The entries of the log at `path` when it was read or saved last: the number and the seal of
    each, in sixteen bytes, and the blocks that were saved here.

    kept        lines on what others took out of the file, and where it is now
    remembered  makes the whole log as it was, which is what is kept then; it may raise ValueError
    """

    def __init__(self, path: Path) -> None:
        self.notes: tuple[str, ...] = ()
        self.remembered: Callable[[], bytes] | None = None
        self._path = path
        self._header: dict[str, Any] = {}
        self._forget()

    def _forget(self) -> None:
        self._numbers, self._seals = array("q"), array("q")
        self._saved: list[bytes] = []

    def take(self, text: ParsedLog) -> None:
        """Take down what the file holds, as it was just read."""
        self._header = text.header
        self._numbers = array("q", [block.seq for block in text.blocks])
        self._seals = array("q", [_number(block.seal) for block in text.blocks])

    def add(self, seq: int, block: bytes) -> None:
        """One more entry was saved."""
        self._numbers.append(seq)
        self._seals.append(_number(seal_of(block)))
        self._saved.append(block)

    def __len__(self) -> int:
        return len(self._numbers)

    @property
    def has_saved(self) -> bool:
        """Whether anything was saved here."""
        return bool(self._saved)

    def gone_from(self, found: FileSnapshot) -> list[int]:
        """The numbers of the entries that are not there any more, or not as they were saved.

        One that a hand has edited since is there: that was somebody's will.
        """
        there = {(seq, _number(seal)) for seq, seal in found.sealed}
        return [
            seq
            for seq, seal in zip(self._numbers, self._seals, strict=True)
            if (seq, seal) not in there and seq not in found.edited
        ]

    def rescue(self, found: FileSnapshot) -> str:
        """Put all that the file held beside it, if another program took entries out of it; gives a
        line on that. Raises OSError when it can't be kept."""
        gone = self.gone_from(found)
        return (
            self._put_beside(f"{describe_removed(gone)} kept in")
            if gone and self._remembers
            else ""
        )

    def tell_lost(self, found: FileSnapshot, error: OSError) -> str:
        """Tell of entries that were taken out and could not be kept; gives a line on that."""
        return self._tell(
            f"{describe_removed(self.gone_from(found))} not kept ({os_error_text(error)})"
        )

    def keep_whole(self, error: OSError) -> str:
        """The file is gone, or can't be read: put all that it held beside its place; gives a line
        on that, empty where there is nothing to keep."""
        if not (len(self) and self._remembers):
            return ""
        lost = f"can't be looked at any more ({os_error_text(error)})"
        text = f"{self._path.name} {'is gone' if isinstance(error, _GONE) else lost}"
        try:
            return self._put_beside(f"{text}; all that it held is in")
        except OSError as failed:
            return self._tell(f"{text}, and can't be kept ({os_error_text(failed)})")

    @property
    def _remembers(self) -> bool:
        """Whether there is anything to put beside the log: what it held, or what was saved here."""
        return self.remembered is not None or self.has_saved

    def _put_beside(self, text: str) -> str:
        """Keep the log as it was in a file of its own, and tell that with its name."""
        content, lack = self._as_it_was()
        beside = keep_beside(self._path, content)
        self._forget()
        return self._tell(f"{text} {beside.name}{lack}")

    def _as_it_was(self) -> tuple[bytes, str]:
        """The log as it was, and what of it is lacking: a hand may write what affray can't."""
        lack = ""
        try:
            if self.remembered is not None:
                return self.remembered(), lack
        except ValueError as error:
            lack = f", but for what was there before it was opened ({error})"
        return writable_header(self._header) + b"".join(self._saved), lack

    def _tell(self, line: str) -> str:
        if line not in self.notes:
            self.notes = (*self.notes, line)
        return line


def _number(seal: str) -> int:
    return int(seal, 16) if seal else _EDITED


def describe_removed(gone: Sequence[int]) -> str:
    """Describe the removal of entries by others, up to the verb: `entry 2, removed by another
    program's save, was`."""
    was = "was" if len(gone) == 1 else "were"
    return f"{format_entry_ranges(gone)}, removed by another program's save, {was}"


def format_entry_ranges(numbers: Sequence[int]) -> str:
    """Entries in words, those in a row together: `entry 3`, `entries 3, 8 to 10`."""
    starts = [a for before, a in pairwise([-1, *numbers]) if a != before + 1]
    ends = [a for a, following in pairwise([*numbers, -1]) if following != a + 1]
    runs = [str(a) if a == b else f"{a} to {b}" for a, b in zip(starts, ends, strict=True)]
    more = ["…"] if len(runs) > _MOST_NAMED else []
    which = ", ".join([*runs[:_MOST_NAMED], *more])
    return f"entry {which}" if len(numbers) == 1 else f"entries {which}"


# -------------------------------------------------------------------------------------------------
# After a foreign edit: refuse a command that the GM can no longer mean.


def is_same_entry(there: Entry, entry: Entry) -> bool:
    """Whether an entry that was read is the one that was to be saved, by the second it is of."""
    seconds = (at.replace(microsecond=0) if at else None for at in (there.at, entry.at))
    return there.command == entry.command and len(set(seconds)) == 1


def require_same_turn(before: Encounter, now: Encounter) -> None:
    """Raises Refused where it is another fight by now, or another turn of it."""
    if (now.title, now.ruleset) != (before.title, before.ruleset):
        raise Refused(
            f"not done: another program saved it, and it is another fight there: {now.title}"
        )
    if (now.turn, now.round) != (before.turn, before.round):
        up = f"{now.name(now.turn)} is up there" if now.turn else "it is nobody's turn there"
        raise Refused(f"not done: another program saved the fight, and {up}; give it once more")


def require_same_head(meant: Entry, now: Entry) -> None:
    """Raises Refused where an undo, a redo or a goto would lead elsewhere by now."""
    if meant.to is not None and (now.to, now.text) != (meant.to, meant.text):
        raise Refused(
            f"not done: another program saved the fight, and what was meant is {meant.text!r}; "
            f"there it is {now.text!r}: give it once more"
        )

"""Notice changes that another program makes to an open log, and keep the entries it removes.

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
    """The entries in a file now: sealed ones by number and seal, edited ones by number."""

    sealed: Collection[tuple[int, str]]
    edited: Collection[int]


def snapshot_log(text: ParsedLog) -> FileSnapshot:
    """Return the entries of a log that was read."""
    sealed = {(block.seq, block.seal) for block in text.blocks if block.seal}
    return FileSnapshot(sealed, {block.seq for block in text.blocks if block.edited})


def snapshot_bytes(raw: bytes, name: str) -> FileSnapshot:
    """Return the entries in bytes; if they are no longer a valid log, only the sealed ones."""
    try:
        return snapshot_log(parse_log(raw, name))
    except LogError:
        return FileSnapshot(sealed_in(raw), ())


class WriterMemory:
    """The entries that the log at `path` had when it was read or saved last.

    Each takes sixteen bytes, for its number and seal; blocks saved by this process are kept whole.

    Attributes:
        notes: lines on entries that others removed from the file, and where they are now.
        remembered: formats the whole log as it was, to be kept; it may raise ValueError.
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
        """Remember the entries of the file, which was just read."""
        self._header = text.header
        self._numbers = array("q", [block.seq for block in text.blocks])
        self._seals = array("q", [_number(block.seal) for block in text.blocks])

    def add(self, seq: int, block: bytes) -> None:
        """Remember one more entry, which was just saved."""
        self._numbers.append(seq)
        self._seals.append(_number(seal_of(block)))
        self._saved.append(block)

    def __len__(self) -> int:
        return len(self._numbers)

    @property
    def has_saved(self) -> bool:
        """True if this process has saved an entry."""
        return bool(self._saved)

    def gone_from(self, found: FileSnapshot) -> list[int]:
        """Return the numbers of remembered entries that are missing, or differ from what was saved.

        An entry edited by hand since counts as present: somebody wanted it so.
        """
        present = {(seq, _number(seal)) for seq, seal in found.sealed}
        return [
            seq
            for seq, seal in zip(self._numbers, self._seals, strict=True)
            if (seq, seal) not in present and seq not in found.edited
        ]

    def rescue(self, found: FileSnapshot) -> str:
        """Save the log as it was to a file beside it, if another program removed entries.

        Returns a line on that, empty if nothing was removed. Raises OSError if that file can't be
        written.
        """
        gone = self.gone_from(found)
        if not (gone and self._has_content):
            return ""
        return self._put_beside(f"{describe_removed(gone)} kept in")

    def tell_lost(self, found: FileSnapshot, error: OSError) -> str:
        """Note that removed entries could not be kept; returns the line."""
        return self._note(
            f"{describe_removed(self.gone_from(found))} not kept ({os_error_text(error)})"
        )

    def keep_whole(self, error: OSError) -> str:
        """Save the log as it was beside its place, since the file is gone or can't be read.

        Returns a line on that, empty if there is nothing to keep.
        """
        if not (len(self) and self._has_content):
            return ""
        lost = f"can no longer be read ({os_error_text(error)})"
        text = f"{self._path.name} {'is gone' if isinstance(error, _GONE) else lost}"
        try:
            return self._put_beside(f"{text}; all its content is in")
        except OSError as failed:
            return self._note(f"{text}, and can't be kept ({os_error_text(failed)})")

    @property
    def _has_content(self) -> bool:
        return self.remembered is not None or self.has_saved

    def _put_beside(self, text: str) -> str:
        content, lack = self._as_it_was()
        beside = keep_beside(self._path, content)
        self._forget()
        return self._note(f"{text} {beside.name}{lack}")

    def _as_it_was(self) -> tuple[bytes, str]:
        """Return the log as it was, and a remark if hand-written parts of it can't be written."""
        lack = ""
        try:
            if self.remembered is not None:
                return self.remembered(), lack
        except ValueError as error:
            lack = f", except what was there before it was opened ({error})"
        return writable_header(self._header) + b"".join(self._saved), lack

    def _note(self, line: str) -> str:
        if line not in self.notes:
            self.notes = (*self.notes, line)
        return line


def _number(seal: str) -> int:
    return int(seal, 16) if seal else _EDITED


def describe_removed(gone: Sequence[int]) -> str:
    """Begin a sentence on removed entries: `entry 2, removed by another program's save, was`."""
    was = "was" if len(gone) == 1 else "were"
    return f"{format_entry_ranges(gone)}, removed when another program saved, {was}"


def format_entry_ranges(numbers: Sequence[int]) -> str:
    """Format entry numbers, consecutive ones as a range: `entry 3`, `entries 3, 8 to 10`."""
    starts = [a for before, a in pairwise([-1, *numbers]) if a != before + 1]
    ends = [a for a, following in pairwise([*numbers, -1]) if following != a + 1]
    runs = [str(a) if a == b else f"{a} to {b}" for a, b in zip(starts, ends, strict=True)]
    more = ["…"] if len(runs) > _MOST_NAMED else []
    which = ", ".join([*runs[:_MOST_NAMED], *more])
    return f"entry {which}" if len(numbers) == 1 else f"entries {which}"


# -------------------------------------------------------------------------------------------------
# After a foreign edit: refuse a command that was meant for another state of the fight.


def is_same_entry(read: Entry, entry: Entry) -> bool:
    """True if an entry that was read has the command, the proposal and the time, in seconds, of
    another one."""
    seconds = (at.replace(microsecond=0) if at else None for at in (read.at, entry.at))
    is_alike = (read.command, read.proposal) == (entry.command, entry.proposal)
    return is_alike and len(set(seconds)) == 1


def require_same_turn(before: Encounter, now: Encounter) -> None:
    """Raise Refused if the file holds another fight by now, or another turn of it."""
    if (now.title, now.ruleset) != (before.title, before.ruleset):
        raise Refused(f"not done: another program saved another fight in its place: {now.title}")
    if (now.turn, now.round) != (before.turn, before.round):
        up = (
            (f"it is now the turn of {now.name(now.turn)}")
            if now.turn
            else "it is now nobody's turn"
        )
        raise Refused(
            f"not done: another program saved the fight, and {up}; give the command again"
        )


def require_same_head(meant: Entry, now: Entry) -> None:
    """Raise Refused if an undo, redo or goto would now lead elsewhere than was meant."""
    if meant.to is not None and (now.to, now.text) != (meant.to, meant.text):
        raise Refused(
            f"not done: another program saved the fight; instead of {meant.text!r} it would be "
            f"{now.text!r}: give the command again"
        )

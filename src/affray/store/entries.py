"""Convert a log's tables to entries with events (`convert_blocks`), and back (`to_body`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any

import msgspec
from msgspec import Struct

from affray.core.engine.events import AnyEvent
from affray.core.engine.history import Entry, History
from affray.core.engine.state import Encounter
from affray.core.formatting.safe_text import to_one_line
from affray.core.late_pattern import late_pattern
from affray.data_text import Table
from affray.store import LogError, NewerFormat
from affray.store.entry_toml import format_entry, writable_header

# -------------------------------------------------------------------------------------------------
# Upcasters: an event stores the version of its kind as `v` when that is above 1. Reading converts
# the dict of an older version to the current one. Forms that affray never wrote are left alone.

_REASON_IDS = {"0 HP": "at-zero", "knocked out": "knocked-out"}


def _reason_by_id(data: Table) -> Table:
    """Version 1 stored an effect's `because` as displayed text; version 2 stores an id."""
    effect = data.get("effect")
    if not isinstance(effect, dict):
        return data
    because = effect.get("because")
    if not isinstance(because, str) or because not in _REASON_IDS:
        return data
    return {**data, "effect": {**effect, "because": _REASON_IDS[because]}}


# (kind, version) -> the function that converts an event of that version to the next one.
UPCASTERS: dict[tuple[str, int], Callable[[Table], Table]] = {
    ("gained", 1): _reason_by_id,
    ("altered", 1): _reason_by_id,
}

# The version of each kind that this program writes; 1 for kinds that are not listed.
CURRENT: dict[str, int] = {"gained": 2, "altered": 2}


def upcast(event: Any) -> Any:
    """Return a stored event in the current version of its kind, without its `v`.

    `event` itself is not changed; a value that is no event is returned as it is.

    Raises:
        NewerFormat: the event's version is later than this program knows.
        LogError: `v` is not a version number.
    """
    kind = event.get("event") if isinstance(event, dict) else None
    if not isinstance(kind, str) or ("v" not in event and kind not in CURRENT):  # nearly all
        return event
    version, latest = event.get("v", 1), CURRENT.get(kind, 1)
    if type(version) is not int or version < 1:
        raise LogError(f"an event `{kind}` has version {version!r}, which is not a version number")
    if version > latest:
        raise NewerFormat(
            f"an event `{kind}` has version {version}, but this affray reads versions up to "
            f"{latest}: a later affray wrote it"
        )
    data = {key: value for key, value in event.items() if key != "v"}
    for step in range(version, latest):
        data = UPCASTERS[kind, step](data)
    return data


def with_version(event: Table) -> Table:
    """Return the event as it is stored: with `v` if the current version of its kind is above 1."""
    version = CURRENT.get(event["event"], 1)
    return event if version == 1 else {**event, "v": version}


KNOWN_KINDS = {event.__struct_config__.tag for event in AnyEvent.__args__}
_KEYS = {"at", "command", "verb", "by", "proposal", "text", "to", "parent", "events"}
_SEAL = late_pattern(rb'^sum = "[0-9a-f]{8}"\n', re.MULTILINE)
# How msgspec reports an unknown field, or an unknown word of an enumeration.
_UNKNOWN = late_pattern("Object contains unknown (field `.*?`)|Invalid enum (value '.*?')")


class EntryBlock(Struct):
    """One entry as read, and its line in the file.

    Attributes:
        data: its table without `sum` and `seq`; empty once `entry` was made of it.
        entry: None if the table is no entry that this affray knows: `decode_entry` tells why.
        seal: its `sum` if that matches the content; empty for an entry edited by hand.
    """

    data: Table
    seq: int
    line: int
    seal: str
    entry: Entry | None = None

    @property
    def table(self) -> Table:
        """Its table as it is written, without `sum` and `seq`."""
        return to_body(self.entry) if self.entry else self.data

    @property
    def edited(self) -> bool:
        """True if the entry was changed by hand since it was saved."""
        return not self.seal


def to_body(entry: Entry) -> Table:
    """Return the table to write for an entry, without `sum` and `seq`, which the log adds."""
    body = {
        "at": entry.at,
        "command": entry.command,
        "verb": entry.verb or None,
        "by": entry.by or None,
        "proposal": entry.proposal or None,
        "text": entry.text or None,
        "to": entry.to,
        "parent": entry.parent,
        "events": [with_version(_without_none(msgspec.to_builtins(e))) for e in entry.events]
        or None,
    }
    return {key: value for key, value in body.items() if value is not None}


def format_log(header: Table, entries: Iterable[Entry]) -> bytes:
    """Return the bytes of a log with these entries; entries edited by hand get no seal.

    Raises ValueError for an entry with a value, put there by hand, that affray can't write.
    """
    blocks = ((format_entry(to_body(entry), entry.seq), entry.edited) for entry in entries)
    unsealed = (_SEAL.sub(b"", block) if edited else block for block, edited in blocks)
    return writable_header(header) + b"".join(unsealed)


def _without_none(value: Any) -> Any:
    """TOML has no null, so a None is left out; reading restores it as the default."""
    if isinstance(value, dict):
        return {k: _without_none(v) for k, v in value.items() if v is not None}
    if isinstance(value, list | tuple):
        return [_without_none(v) for v in value]
    return value


def replay(header: Table, entries: Iterable[Entry]) -> History:
    """Return the history of these entries, applied one after the other."""
    start = Encounter(title=str(header.get("title", "")), ruleset=str(header.get("ruleset", "")))
    history = History(start)
    for entry in entries:
        history.apply(entry)
    return history


def convert_blocks(blocks: Sequence[EntryBlock]) -> None:
    """Make the entries of blocks from their tables; if one of these is faulty, of none."""
    if not all(block.data.keys() <= _KEYS for block in blocks):
        return
    with suppress(msgspec.ValidationError, LogError):
        # converting many at once is many times faster
        entries = msgspec.convert([*map(_row, blocks)], list[Entry])
        for block, entry in zip(blocks, entries, strict=True):
            block.entry = entry
            block.data.clear()


def decode_entry(block: EntryBlock) -> Entry:
    """Return the entry that a block holds.

    Raises:
        NewerFormat: the block holds what only a later affray can have written: an unknown kind or
            version of an event or, if its seal is intact, an unknown key, field or word.
        LogError: the block is not a valid entry.
    """
    if block.entry is not None:
        return block.entry
    unknown = ", ".join(repr(key)[:40] for key in block.data if key not in _KEYS)
    if unknown and not block.edited:
        raise NewerFormat(f"{unknown} in an entry is unknown to this affray: a later one wrote it")
    try:
        return msgspec.convert(_row(block), Entry)
    except msgspec.ValidationError as error:
        why = to_one_line(str(error))
        later = _why_newer(block, why)
        raise NewerFormat(later) if later else LogError(f"is not an entry: {why}") from None
    except NewerFormat:
        raise
    except LogError as error:
        raise LogError(f"is not an entry: {error}") from None


def _why_newer(block: EntryBlock, error: str) -> str:
    """Say what in an unreadable block a later affray must have written; empty if nothing."""
    events = block.data.get("events")
    rows = events if isinstance(events, list) else []
    kinds = (str(row.get("event", "")) for row in rows if isinstance(row, dict))
    kind = next((kind for kind in kinds if kind not in KNOWN_KINDS), "")
    if kind:
        return f"it holds an event {kind!r} that this affray doesn't know: a later one wrote it"
    unknown = _UNKNOWN.match(error)
    if unknown and not block.edited:
        what = unknown[1] or unknown[2]
        return (
            f"it holds an event with a {what} that this affray doesn't know: a later one wrote it"
        )
    return ""


def _row(block: EntryBlock) -> Table:
    row = {**block.data, "seq": block.seq, "edited": block.edited}
    events = row.get("events")
    if isinstance(events, list):
        row["events"] = [upcast(event) for event in events]
    return row

"""Turn a file's tables into entries with events, and entries back into tables (`entries_in`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from affray.core.engine.events import AnyEvent
from affray.core.engine.history import START, Entry, History
from affray.core.engine.state import Encounter
from affray.core.formatting.safe_text import to_one_line
from affray.store import LogError, NewerFormat
from affray.store.entry_toml import format_entry, writable_header
from affray.store.log_recovery import Damaged, EntryBlock, ParsedLog

# -------------------------------------------------------------------------------------------------
# Upcasters: an event carries its kind's version as `v` when above 1, and is brought up to date from
# dict to dict as it is read. What a person wrote in any other form is left as it is.

_REASONS = {"0 HP": "at-zero", "knocked out": "knocked-out"}


def _reason_by_id(data: dict[str, Any]) -> dict[str, Any]:
    """An effect whose `because` was words that people read, with the id that stands for them."""
    effect = data.get("effect")
    if not isinstance(effect, dict):
        return data
    because = effect.get("because")
    if not isinstance(because, str) or because not in _REASONS:
        return data
    return {**data, "effect": {**effect, "because": _REASONS[because]}}


# (kind, version) -> what turns that version of an event into the one after it.
UPCASTERS: dict[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]] = {
    ("gained", 1): _reason_by_id,
    ("altered", 1): _reason_by_id,
}

# The version this program writes of each kind; 1 for those that are not named.
CURRENT: dict[str, int] = {"gained": 2, "altered": 2}


def current(event: Any) -> Any:
    """An event as it is stored, as this program's version of it, without its `v`.

    `event` is not changed, and what is none is left for the reader to name. Raises LaterFormat,
    naming the kind, when the version is later than this program knows, and LogError when it is no
    version at all.
    """
    kind = event.get("event") if isinstance(event, dict) else None
    if not isinstance(kind, str) or ("v" not in event and kind not in CURRENT):  # nearly all
        return event
    version, latest = event.get("v", 1), CURRENT.get(kind, 1)
    if type(version) is not int or version < 1:
        raise LogError(f"an event `{kind}` has version {version!r}, which is no version")
    if version > latest:
        raise NewerFormat(
            f"an event `{kind}` has version {version}, and this affray knows versions up to "
            f"{latest}: a later affray wrote it"
        )
    data = {key: value for key, value in event.items() if key != "v"}
    for step in range(version, latest):
        data = UPCASTERS[kind, step](data)
    return data


def with_version(event: dict[str, Any]) -> dict[str, Any]:
    """The event as it is stored: with `v` when this program's version of its kind is above 1."""
    version = CURRENT.get(event["event"], 1)
    return event if version == 1 else {**event, "v": version}


KNOWN = {event.__struct_config__.tag for event in AnyEvent.__args__}
_KEYS = {"at", "command", "verb", "by", "text", "to", "parent", "events"}
_AT_ONCE = 1000
"""So many entries are converted at once: the rows of all would take as much memory as the log."""
_SEAL = re.compile(rb'^sum = "[0-9a-f]{8}"\n', re.MULTILINE)
# How the conversion names a field, or a word of a field that knows only certain words.
_UNKNOWN = re.compile("Object contains unknown (field `.*?`)|Invalid enum (value '.*?')")


def to_body(entry: Entry) -> dict[str, Any]:
    """The entry as the table that is written, without `sum` and `seq`, which the log adds."""
    body = {
        "at": entry.at,
        "command": entry.command,
        "verb": entry.verb or None,
        "by": entry.by or None,
        "text": entry.text or None,
        "to": entry.to,
        "parent": entry.parent,
        "events": [with_version(_without_none(msgspec.to_builtins(e))) for e in entry.events]
        or None,
    }
    return {key: value for key, value in body.items() if value is not None}


def whole_log(header: dict[str, Any], entries: Iterable[Entry]) -> bytes:
    """A log of these entries, as it is written. Those that were edited by hand bear no seal.

    Raises ValueError for an entry into which a hand has put what affray can't write.
    """
    blocks = ((format_entry(to_body(entry), entry.seq), entry.edited) for entry in entries)
    unsealed = (_SEAL.sub(b"", block) if edited else block for block, edited in blocks)
    return writable_header(header) + b"".join(unsealed)


def _without_none(value: Any) -> Any:
    """TOML has no null: what is None is left out, and is None again when it is read."""
    if isinstance(value, dict):
        return {k: _without_none(v) for k, v in value.items() if v is not None}
    if isinstance(value, list | tuple):
        return [_without_none(v) for v in value]
    return value


def build_history(text: ParsedLog) -> tuple[History, str]:
    """The history that a log tells, and why it must stay read-only (empty when it needn't).

    A log with entries of a later affray is told up to the first of them. Raises Damaged for an
    entry that is no entry, naming its line; its prefix is the log before that entry.
    """
    entries, reason = entries_in(text)
    return replayed(text.header, entries), reason


def replayed(header: dict[str, Any], entries: Iterable[Entry]) -> History:
    """The history of entries that are in a log, one behind the other."""
    start = Encounter(title=str(header.get("title", "")), ruleset=str(header.get("ruleset", "")))
    history = History(start)
    for entry in entries:
        history.apply(entry)
    return history


def entries_of(text: ParsedLog) -> list[Entry] | None:
    """The entries of a log that this affray knows all of; None for another one."""
    try:
        entries, reason = _convert(text)
    except LogError:
        return None
    return None if reason else entries


def _damaged(text: ParsedLog, block: EntryBlock, what: str) -> Damaged:
    before = replace(text, blocks=text.blocks[: text.blocks.index(block)])
    return Damaged(f"line {block.line}: {what}", block.line, before)


def entries_in(text: ParsedLog) -> tuple[list[Entry], str]:
    """The entries of a log that `replayed` can take, and why it must stay read-only.

    As `build_history`, which raises the same.
    """
    entries, reason = _convert(text)
    there = {START}
    for entry, block in zip(entries, text.blocks, strict=False):
        for other in (entry.to, entry.parent):
            if other is not None and other not in there:
                raise _damaged(text, block, f"entry {other} is not in the log")
        there.add(entry.seq)
    return entries, reason


def _convert(text: ParsedLog) -> tuple[list[Entry], str]:
    blocks = text.blocks
    if all(block.data.keys() <= _KEYS for block in blocks):
        try:  # many at once is many times faster; one at a time finds which is wrong
            parts = (blocks[at : at + _AT_ONCE] for at in range(0, len(blocks), _AT_ONCE))
            converted = (msgspec.convert([*map(_row, part)], list[Entry]) for part in parts)
            return [entry for part in converted for entry in part], ""
        except (msgspec.ValidationError, LogError):
            pass
    return _convert_each(text)


def _convert_each(text: ParsedLog) -> tuple[list[Entry], str]:
    entries: list[Entry] = []
    for block in text.blocks:
        try:
            entries.append(decode_entry(block))
        except NewerFormat as error:
            return entries, f"entry {block.seq} (line {block.line}): {error}"
        except LogError as error:
            raise _damaged(text, block, f"entry {block.seq} {error}") from None
    return entries, ""


def decode_entry(block: EntryBlock) -> Entry:
    """The entry that a block holds.

    Raises LaterFormat for what only a later affray can have written: a kind of event or a version;
    and in an entry whose seal is whole a key, a field, or a word where only certain words may be. A
    key that a person wrote into an entry is left alone. Raises LogError, saying why, for what is no
    entry.
    """
    unknown = ", ".join(repr(key)[:40] for key in block.data if key not in _KEYS)
    if unknown and not block.edited:
        raise NewerFormat(f"{unknown} in an entry is unknown to this affray: a later one wrote it")
    try:
        return msgspec.convert(_row(block), Entry)
    except msgspec.ValidationError as error:
        why = to_one_line(str(error))
        later = _later(block, why)
        raise NewerFormat(later) if later else LogError(f"is no entry: {why}") from None
    except NewerFormat:
        raise
    except LogError as error:
        raise LogError(f"is no entry: {error}") from None


def _later(block: EntryBlock, error: str) -> str:
    """What of a block that can't be read a later affray must have written; else empty."""
    kind = next((k for k in _kinds(block.data) if k not in KNOWN), "")
    if kind:
        return f"it holds an event {kind!r} that this affray doesn't know: a later one wrote it"
    unknown = _UNKNOWN.match(error)
    if unknown and not block.edited:
        what = unknown[1] or unknown[2]
        return (
            f"it holds an event with a {what} that this affray doesn't know: a later one wrote it"
        )
    return ""


def _kinds(row: dict[str, Any]) -> list[str]:
    events = row.get("events")
    rows = events if isinstance(events, list) else []
    return [str(e.get("event", "")) for e in rows if isinstance(e, dict)]


def _row(block: EntryBlock) -> dict[str, Any]:
    row = {**block.data, "seq": block.seq, "edited": block.edited}
    events = row.get("events")
    if isinstance(events, list):
        row["events"] = [current(event) for event in events]
    return row

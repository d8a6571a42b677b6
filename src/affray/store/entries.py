"""Entries as they are in the file, and as they are in memory."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec

from affray.core.events import AnyEvent
from affray.core.history import Entry, History
from affray.core.state import Encounter
from affray.store.recovery import Block, Damaged, LaterFormat, LogError, LogText
from affray.store.upcasting import CURRENT, take_version, upcast, with_version

_KNOWN = {event.__struct_config__.tag for event in AnyEvent.__args__}


def to_body(entry: Entry) -> dict[str, Any]:
    """The entry as the table that is written, without `sum` and `seq`, which the log adds."""
    body: dict[str, Any] = {"at": entry.at, "command": entry.command}
    if entry.by:
        body["by"] = entry.by
    if entry.text:
        body["text"] = entry.text
    if entry.to is not None:
        body["to"] = entry.to
    if entry.events:
        body["events"] = [_event_body(event) for event in entry.events]
    return {key: value for key, value in body.items() if value is not None}


def _event_body(event: AnyEvent) -> dict[str, Any]:
    data: dict[str, Any] = msgspec.to_builtins(event)
    return with_version(data["event"], _without_none(data))


def _without_none(value: Any) -> Any:
    """TOML has no null: what is None is left out, and is None again when it is read."""
    if isinstance(value, dict):
        return {k: _without_none(v) for k, v in value.items() if v is not None}
    if isinstance(value, list | tuple):
        return [_without_none(v) for v in value]
    return value


def history_of(text: LogText) -> tuple[History, str]:
    """The history that a log tells, and why it must stay read-only (empty when it needn't).

    A log with entries of a later affray is told up to the first of them. Raises Damaged for an
    entry that is no entry, naming its line; its prefix is the log before that entry.
    """
    header = text.header
    start = Encounter(title=str(header.get("title", "")), ruleset=str(header.get("ruleset", "")))
    history = History(start)
    entries, reason = _convert(text)
    for entry, block in zip(entries, text.blocks, strict=False):
        try:
            history.apply(entry)
        except ValueError as error:
            raise _damaged(text, block, str(error)) from None
    return history, reason


def _damaged(text: LogText, block: Block, what: str) -> Damaged:
    before = replace(text, blocks=text.blocks[: text.blocks.index(block)])
    kept = f"what is before it can be read, up to entry {before.last_seq}"
    return Damaged(f"line {block.line}: {what}; {kept}", block.line, before)


def _convert(text: LogText) -> tuple[list[Entry], str]:
    try:  # all at once is many times faster; one at a time finds which is wrong
        return msgspec.convert([_row(block) for block in text.blocks], list[Entry]), ""
    except (msgspec.ValidationError, LogError):
        return _convert_each(text)


def _convert_each(text: LogText) -> tuple[list[Entry], str]:
    entries: list[Entry] = []
    for block in text.blocks:
        try:
            entries.append(msgspec.convert(_row(block), Entry))
        except LaterFormat as error:
            return entries, f"entry {block.seq} (line {block.line}): {error}"
        except msgspec.ValidationError as error:
            later = next((k for k in _kinds(block.data) if k not in _KNOWN), "")
            if later:
                return entries, (
                    f"entry {block.seq} (line {block.line}) holds an event {later!r} that this "
                    "affray doesn't know: a later one wrote it"
                )
            raise _damaged(text, block, f"entry {block.seq} is no entry: {error}") from None
        except LogError as error:
            raise _damaged(text, block, f"entry {block.seq} is no entry: {error}") from None
    return entries, ""


def _kinds(row: dict[str, Any]) -> list[str]:
    events = row.get("events")
    rows = events if isinstance(events, list) else []
    return [str(e.get("event", "")) for e in rows if isinstance(e, dict)]


def _row(block: Block) -> dict[str, Any]:
    row = {**block.data, "seq": block.seq, "edited": block.edited}
    events = row.get("events")
    if isinstance(events, list):
        row["events"] = [_current(event) for event in events]
    return row


def _current(event: Any) -> Any:
    """An event as this program's version of it; what is none is left for the conversion to name."""
    if not isinstance(event, dict):
        return event
    kind = event.get("event")
    if "v" not in event and kind not in CURRENT:  # nearly all: nothing to do
        return event
    version, data = take_version(event)
    return upcast(str(kind), version, data)

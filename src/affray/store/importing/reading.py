"""Files told apart by what they hold, never by their names, and read into `Contents`."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from affray.store.importing import (
    csv_table,
    fight_club,
    fivetools,
    foundry,
    improved_initiative,
    obsidian,
    open5e,
    open5e_v2,
    powers_sheet,
)
from affray.store.importing.contents import UNFIT, Contents, UnreadableError

UNKNOWN = "not of a known format"
LARGEST = 64 * 1024 * 1024
"""The bytes of a file that is still read: the largest bestiaries known have 20 MB."""
SKIPPED = (".git", ".svn", "node_modules", "__pycache__", ".obsidian", ".trash")


class Format(Struct, frozen=True):
    """A format of parsed data: its name, whether data are in it, and how it is read."""

    name: str
    holds: Callable[[Any], bool]
    read: Callable[[Any], Contents]


JSON_FORMATS = (
    Format("Orcus' monsters", powers_sheet.holds_records, powers_sheet.read_records),
    Format("Improved Initiative", improved_initiative.holds, improved_initiative.read),
    Format("Open5e", open5e.holds, open5e.read),
    Format("Open5e v2", open5e_v2.holds, open5e_v2.read),
    Format("Foundry", foundry.holds, foundry.read),
    Format("5etools", fivetools.holds, fivetools.read),
    Format("Initiative Tracker", obsidian.is_tracker, obsidian.read_tracker),
    Format("Fantasy Statblocks", obsidian.is_block, obsidian.read_json),
)
TABLE_FORMATS = (
    Format("Orcus' monsters", powers_sheet.holds, powers_sheet.read),
    Format("a list", csv_table.holds, csv_table.read),
)


class Source(Struct, frozen=True):
    """A file that was looked at: what format it is in, and what it holds; or why it isn't read.

    `table` is a table that says something only together with those of other files.
    """

    path: Path
    format: str = ""
    contents: Contents = Contents()
    fault: str = ""
    table: tuple[str, Any] | None = None


def files_of(path: Path) -> Iterator[Path]:
    """A file itself, or all files in a folder and those in it, in the order of their names.

    Hidden ones and links to folders are left out.
    """
    if not path.is_dir():
        yield path
        return
    for folder, within, names in os.walk(path):
        within[:] = sorted(n for n in within if n not in SKIPPED and not n.startswith("."))
        yield from (Path(folder, name) for name in sorted(names) if not name.startswith("."))


def read_file(path: Path) -> Source:
    """What a file holds. What can't be read is told in its `fault`, in one line."""
    try:
        if not path.is_file():  # opening a pipe would wait for its other end
            return Source(path, fault="no plain file")
        if path.stat().st_size > LARGEST:
            return Source(path, fault=f"larger than {LARGEST // 2**20} MB")
        data = path.read_bytes()
    except OSError as error:
        return Source(path, fault=error.strerror or "can't be read")
    try:
        return _recognised(path, data)
    except UnreadableError as error:
        return Source(path, fault=str(error))
    except RecursionError:
        return Source(path, fault="nested too deeply")
    except UNFIT:
        return Source(path, fault="laid out in a way that isn't understood")


def _recognised(path: Path, data: bytes) -> Source:
    if data[:4] == b"PK\x03\x04":
        from affray.store.importing.spreadsheet import tables_of  # here, since it is large

        return _of_tables(path, tables_of(data), "a spreadsheet, but no list of creatures")
    text = _text(data)
    if "\x00" in text:
        return Source(path, fault=UNKNOWN)
    start = text.lstrip("\ufeff \t\r\n")[:1]
    if start in ("{", "["):
        return _of_json(path, text)
    if start == "<":
        return _of_xml(path, text)
    text = text.replace("\r\n", "\n")
    if obsidian.holds(text):
        return Source(path, "Obsidian", _titled(path, obsidian.read(text)))
    return _of_tables(path, [csv_table.rows_of(text)], UNKNOWN)


def _of_tables(path: Path, tables: Sequence[Sequence[Sequence[Any]]], unknown: str) -> Source:
    """What lists hold, whichever of them are known."""
    for each in TABLE_FORMATS:
        found = [each.read(table) for table in tables if each.holds(table)]
        if found:
            return Source(path, each.name, _titled(path, sum(found, Contents())))
    lacks = (fault for table in tables if (fault := csv_table.fault_of(table)))
    return Source(path, fault=next(lacks, unknown))


def _text(data: bytes) -> str:
    """Text in whatever encoding: UTF-8 or UTF-16 by its mark, else what a Western editor writes."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def _of_json(path: Path, text: str) -> Source:
    parsed = _json_of(text.lstrip("\ufeff"))
    name = open5e_v2.table_of(parsed)
    if name:
        return Source(path, "Open5e v2", table=(name, parsed))
    for each in JSON_FORMATS:
        if each.holds(parsed):
            return Source(path, each.name, _titled(path, each.read(parsed)))
    return Source(path, fault="JSON of no known format")


def _titled(path: Path, contents: Contents) -> Contents:
    """Encounters without a title have their file's name."""
    meetings = (m if m.title else replace(m, title=path.stem) for m in contents.meetings)
    return replace(contents, meetings=tuple(meetings))


def _json_of(text: str) -> Any:
    """JSON, or a table of a row a line, as databases keep it."""
    try:
        return json.loads(text)
    except ValueError as error:
        if text.count("\n{") > 0:
            with suppress(ValueError):
                return [json.loads(line) for line in text.splitlines() if line.strip()]
        raise UnreadableError(f"no JSON: {' '.join(str(error).split())}") from None


def _of_xml(path: Path, text: str) -> Source:
    if not fight_club.may_hold(text):
        return Source(path, fault=UNKNOWN)
    root = fight_club.parsed(text)
    if not fight_club.holds(root):
        return Source(path, fault=UNKNOWN)
    return Source(path, "Fight Club", fight_club.read(root))


def joined(sources: list[Source]) -> list[Source]:
    """The same, where what the tables of one folder hold is read together, into the first."""
    folders: dict[Path, list[Source]] = {}
    for source in sources:
        if source.table is not None:
            folders.setdefault(source.path.parent, []).append(source)
    read = {
        group[0].path: open5e_v2.read_tables(s.table for s in group if s.table)
        for group in folders.values()
    }
    return [replace(s, table=None, contents=read.get(s.path, s.contents)) for s in sources]

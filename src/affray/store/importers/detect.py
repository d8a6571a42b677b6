"""Tell the formats of files apart by their content, never by their names, and read them."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from affray.data_text import read_json
from affray.store.filesystem import read_bytes
from affray.store.importers import (
    MISFIT,
    UNFIT,
    ImportContents,
    ImportFormat,
    UnreadableError,
    critterdb,
    dnd_beyond,
    fight_club,
    fivetools,
    foundry,
    improved_initiative,
    markdown,
    obsidian,
    open5e,
    orcus_monsters,
    spreadsheet,
    srd_api,
    tetracube,
    with_acts_and_spells,
)
from affray.store.importers.archives import is_archive, members_of
from affray.store.importers.installed import importer_for

UNKNOWN = "not in a known format"
_OTHER_DATA = {
    b"%PDF-": "a PDF, which affray does not read: copy its text into a .md file",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"RIFF": "a picture or a sound",
    b"7z\xbc\xaf": "an archive of another kind (7z): unpack it",
    b"Rar!": "an archive of another kind (RAR): unpack it",
    b"BZh": "an archive of another kind (bzip2): unpack it",
    b"\xfd7zXZ": "an archive of another kind (xz): unpack it",
    b"PK\x05\x06": "an empty archive",
    b"SQLite format 3": "a database (SQLite), which affray does not read",
    b"\xd0\xcf\x11\xe0": "an old spreadsheet or document: save it as .xlsx, .ods or .csv",
}
"""The first bytes of data that is no text -> what it is."""
LARGEST = 64 * 1024 * 1024
"""The bytes of a file that is still read: the largest bestiaries known have 20 MB."""
SKIPPED = (".git", ".svn", "node_modules", "__pycache__", ".obsidian", ".trash")


LEVELDB = (
    "a part of Foundry's database (LevelDB), which is not read: in Foundry, export the actors "
    "(right click, Export Data) and import those files"
)
"""Why a compendium of Foundry from version 11 on can't be read."""


def _read_blocks(data: Any) -> ImportContents:
    """The creatures of stat blocks in JSON, with the parts that stand elsewhere in them."""
    rows = [data] if isinstance(data, dict) and "monsters" not in data else data
    if isinstance(rows, list) and all(isinstance(row, dict) for row in rows):
        return obsidian.read_json([markdown.with_parts(row) for row in rows])
    return obsidian.read_json(data)


JSON_FORMATS = (
    ImportFormat("Orcus' monsters", orcus_monsters.holds_records, orcus_monsters.read_records),
    ImportFormat(
        "Improved Initiative", improved_initiative.matches, improved_initiative.import_data
    ),
    ImportFormat("5e SRD API", srd_api.matches, srd_api.import_data),
    ImportFormat("CritterDB", critterdb.matches, critterdb.import_data),
    ImportFormat("D&D Beyond", dnd_beyond.matches, dnd_beyond.import_data),
    ImportFormat("TetraCube", tetracube.matches, tetracube.import_data),
    ImportFormat("Open5e", open5e.matches, open5e.import_data),
    ImportFormat("Open5e v2", open5e.matches_v2, open5e.import_v2_data),
    ImportFormat("Foundry", foundry.matches, foundry.import_data),
    ImportFormat("5etools", fivetools.matches, fivetools.import_data),
    ImportFormat("Initiative Tracker", obsidian.is_tracker, obsidian.read_tracker),
    ImportFormat("Fantasy Statblocks", obsidian.is_block, _read_blocks),
)
ORCUS_LIST = ImportFormat("Orcus' monsters", orcus_monsters.matches, orcus_monsters.import_data)


class DetectedFile(Struct, frozen=True):
    """A file with its format and contents, or the fault for which it isn't read.

    `table` is a table that makes sense only together with those of other files; `unusable` are
    lines on importers of packages that couldn't be asked about it.
    """

    path: Path
    format: str = ""
    contents: ImportContents = ImportContents()
    fault: str = ""
    table: tuple[str, Any] | None = None
    unusable: tuple[str, ...] = ()


def files_of(path: Path) -> Iterator[Path]:
    """Return a file itself, or all files in a folder and its subfolders, sorted by name.

    Hidden ones and links to folders are left out; a folder that can't be opened stands for its
    files.
    """
    if not path.is_dir():
        yield path
        return
    closed: list[OSError] = []
    for folder, within, names in os.walk(path, onerror=closed.append):
        within[:] = sorted(n for n in within if n not in SKIPPED and not n.startswith("."))
        yield from (Path(folder, name) for name in sorted(names) if not name.startswith("."))
    yield from (Path(str(error.filename)) for error in closed)


def read_files(path: Path, own: Collection[str] = ()) -> list[DetectedFile]:
    """Read a file, or all that an archive holds, and detect each one's format.

    One that can't be read has its `fault`, in one line. `own` are the columns of a list that have a
    word of the game for their name (`SheetRules.columns`).
    """
    if _is_leveldb(path):
        return [DetectedFile(path, fault=LEVELDB)]
    if path.is_dir():
        return [DetectedFile(path, fault="a folder that can't be opened")]
    try:
        data = read_bytes(path, LARGEST)
        within = [*members_of(data, path.name)] if is_archive(data) else None
    except OSError as error:
        return [DetectedFile(path, fault=error.strerror or "can't be read")]
    except UnreadableError as error:
        return [DetectedFile(path, fault=str(error))]
    if within is None:
        return [_read(path, data, own)]
    if not within:
        return [DetectedFile(path, fault="an empty archive")]
    shown = [each for each in within if not _is_skipped(each[0])]
    return [
        DetectedFile(path / name, fault=fault) if fault else _read(path / name, inner, own)
        for name, inner, fault in shown
    ] or [DetectedFile(path, fault="an archive with nothing but hidden files")]


ASKED = 50
"""The number of files that decide the game of a folder's creatures."""


def games_in(paths: Iterable[Path]) -> list[str]:
    """The game of each creature in files and folders, of the first of them."""
    found = (file for path in paths if path.exists() for file in files_of(path))
    sources = join_tables([s for file in islice(found, ASKED) for s in read_files(file)])
    return [creature.game for source in sources for creature in source.contents.creatures]


def _is_skipped(name: str) -> bool:
    """True if a file in an archive is in a folder that imports skip, or is hidden."""
    return any(part in SKIPPED or part.startswith(".") for part in Path(name).parts)


def _is_leveldb(path: Path) -> bool:
    """True for a file of Foundry's database, which is a folder of them."""
    is_part = re.fullmatch(r"CURRENT|LOCK|LOG(\.old)?|MANIFEST-\d+|\d{6}\.log", path.name)
    return path.suffix in (".ldb", ".sst") or (
        is_part is not None and (path.parent / "CURRENT").exists()
    )


def _read(path: Path, data: bytes, own: Collection[str]) -> DetectedFile:
    if _is_leveldb(path):
        return DetectedFile(path, fault=LEVELDB)
    unusable: list[str] = []
    try:
        found = _recognised(path, data, own, unusable)
    except UnreadableError as error:
        found = DetectedFile(path, fault=str(error))
    except RecursionError:
        found = DetectedFile(path, fault="nested too deeply")
    except UNFIT:
        found = DetectedFile(path, fault=MISFIT)
    return replace(found, unusable=tuple(unusable))


def _recognised(path: Path, data: bytes, own: Collection[str], unusable: list[str]) -> DetectedFile:
    if is_archive(data):
        raise UnreadableError("an archive in an archive: unpack it, and import what is in it")
    if data[:4] == b"PK\x03\x04":
        from affray.store.importers.spreadsheet import (
            workbook_tables,  # here, since it is large
        )

        unknown = "a spreadsheet without a list of creatures"
        return _of_tables(path, workbook_tables(data), unknown, own)
    if fault := next((what for mark, what in _OTHER_DATA.items() if data.startswith(mark)), ""):
        raise UnreadableError(fault)
    text = _text(data)
    start = text.lstrip("\ufeff \t\r\n")[:2]
    if fault := _no_text(text, start):
        return DetectedFile(path, fault=fault)
    start = start[:1]
    if start in ("{", "[") and not _MARKUP.match(text):
        return _of_json(path, text, unusable)
    text = text.replace("\r\n", "\n")
    text = text if "\n" in text else text.replace("\r", "\n")
    theirs = importer_for("text", text, unusable)
    if theirs is not None:
        return _file_of(path, theirs.name, theirs.read(text))
    if start == "<" and fight_club.may_hold(text):
        return _of_xml(path, text)
    if obsidian.matches(text):
        return _file_of(path, "Obsidian", obsidian.import_data(text))
    if markdown.matches(text):
        return _file_of(path, "Markdown", markdown.import_data(text))
    if obsidian.has_numbers(text):
        return _file_of(path, "Obsidian", obsidian.import_data(text))
    return _of_tables(path, [spreadsheet.rows_of(text)], UNKNOWN, own)


def _no_text(text: str, start: str) -> str:
    """The reason why data can't be read, whatever is in it; empty for a text."""
    if not start:
        return "empty"
    if start in ("//", "/*"):
        return "begins with a comment (//), which JSON doesn't have: take it out"
    if re.match(r"[\ufeff\s]*<(?:!doctype html|html)\b", text[:999], re.IGNORECASE):
        return "a web page (HTML), which affray does not read: copy its text into a .md file"
    return "binary data, not text" if "\x00" in text else ""


_MARKUP = re.compile(r"[\ufeff\s]*(?:\{\{|\[\[?!?[A-Za-z][^\[\]{}\"\n]*\])")
"""The beginning of a note that is no JSON: `{{monster,frame`, `[[Fens]]`, `[Fens](fens.md)`."""


def _of_tables(
    path: Path, tables: Sequence[Sequence[Sequence[Any]]], unknown: str, own: Collection[str]
) -> DetectedFile:
    """The contents of all lists in a known format."""
    listed = partial(spreadsheet.import_data, own=own)
    for each in (ORCUS_LIST, ImportFormat("a list", spreadsheet.matches, listed)):
        found = [each.read(table) for table in tables if each.holds(table)]
        if found:
            return _file_of(path, each.name, sum(found, ImportContents()))
    lacks = (fault for table in tables if (fault := spreadsheet.fault_of(table)))
    return DetectedFile(path, fault=next(lacks, unknown))


def _text(data: bytes) -> str:
    """Decode a text: UTF-8, UTF-16 and UTF-32 by their marks or the zeros at their beginning, else
    the encoding of Western Windows editors."""
    if data[:4] in (b"\xff\xfe\0\0", b"\0\0\xfe\xff"):
        return data.decode("utf-32", errors="replace")
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", errors="replace")
    if data[:4:2] == b"\0\0" or data[1:4:2] == b"\0\0":
        order = "be" if data[:1] == b"\0" else "le"
        return data.decode(f"utf-16-{order}", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def _of_json(path: Path, text: str, unusable: list[str]) -> DetectedFile:
    parsed, spoilt = _json_of(text.lstrip("\ufeff"))
    theirs = importer_for("json", parsed, unusable)
    if theirs is None and (name := open5e.table_of(parsed)):
        return DetectedFile(path, "Open5e v2", table=(name, parsed))
    found = theirs or next((each for each in JSON_FORMATS if each.holds(parsed)), None)
    if found is not None:
        return _file_of(path, found.name, found.read(parsed) + ImportContents(left=spoilt))
    if isinstance(parsed, dict) and isinstance(meta := parsed.get("_meta"), dict):
        kinds = [key for key, rows in parsed.items() if isinstance(rows, list)]
        if kinds and isinstance(meta.get("sources"), list):
            fault = f"5etools' format without a monster: {', '.join(kinds[:4])}"
            return DetectedFile(path, fault=fault)
    return DetectedFile(path, fault="JSON in an unknown format")


def _file_of(path: Path, name: str, contents: ImportContents) -> DetectedFile:
    """A file of a format of that name. Encounters without a title have the file's name, and so has
    one creature alone without a name in a note."""
    meetings = (m if m.title else replace(m, title=path.stem) for m in contents.meetings)
    creatures = contents.creatures
    if len(creatures) == 1 and not creatures[0].name and path.suffix.casefold() == ".md":
        creatures = (replace(creatures[0], name=path.stem),)
    contents = replace(contents, meetings=tuple(meetings), creatures=creatures)
    return DetectedFile(path, name, with_acts_and_spells(contents))


def _json_of(text: str) -> tuple[Any, tuple[str, ...]]:
    """Parse JSON, or a database's lines of one row each, with a line for the report on each of them
    that is none."""
    try:
        return read_json(text), ()
    except ValueError as error:
        fault = f"not valid JSON: {' '.join(str(error).split())}"
    rows, left = [], []
    for number, line in enumerate(text.splitlines() if "\n{" in text else (), 1):
        try:
            rows += [read_json(line)] if line.strip() else []
        except ValueError:
            left.append(f"line {number} is not valid JSON")
    if len(left) >= len(rows):  # it isn't made of lines
        raise UnreadableError(fault)
    return rows, tuple(left)


def _of_xml(path: Path, text: str) -> DetectedFile:
    root = fight_club.parsed(text)
    if not fight_club.matches(root):
        return DetectedFile(path, fault=UNKNOWN)
    return _file_of(path, "Fight Club", fight_club.import_data(root))


def join_tables(sources: list[DetectedFile]) -> list[DetectedFile]:
    """Join the tables of each folder, which are read together, into the first of them."""
    folders: dict[Path, list[DetectedFile]] = {}
    for source in sources:
        if source.table is not None:
            folders.setdefault(source.path.parent, []).append(source)
    read = {
        group[0].path: with_acts_and_spells(open5e.read_tables(s.table for s in group if s.table))
        for group in folders.values()
    }
    return [replace(s, table=None, contents=read.get(s.path, s.contents)) for s in sources]

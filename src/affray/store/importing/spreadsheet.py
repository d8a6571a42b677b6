"""Spreadsheets (xlsx): their tables, with what their formulas come to."""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

from affray.store.importing.contents import UnreadableError
from affray.store.importing.formulas import computed

Table = list[tuple[Any, ...]]
MOST_UNPACKED = 256 * 1024 * 1024
MOST_COLUMNS = 16_384
MOST_STEPS = 20
"""How far formulas may lead from one to another."""
_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_STRICT = "{http://purl.oclc.org/ooxml/spreadsheetml/main}"
_REFERENCE = re.compile(r"(\$?)\b([A-Z]{1,3})(?=\$?\d{1,7}\b)")


def tables_of(data: bytes) -> list[Table]:
    """The tables of a workbook, a row a tuple. Raises UnreadableError for what can't be read."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = archive.namelist()
            if "xl/workbook.xml" not in names:
                raise UnreadableError("an archive, but no spreadsheet")
            if sum(each.file_size for each in archive.infolist()) > MOST_UNPACKED:
                raise UnreadableError("a spreadsheet that is too large unpacked")
            strings = _strings(archive) if "xl/sharedStrings.xml" in names else []
            return [[*_rows(archive, sheet, strings)] for sheet in _sheets(archive)]
    except (zipfile.BadZipFile, ElementTree.ParseError, zlib.error) as error:
        raise UnreadableError(f"no spreadsheet that can be read: {error}") from None
    except (KeyError, IndexError, ValueError, OSError, NotImplementedError, EOFError, RuntimeError):
        raise UnreadableError("no spreadsheet that can be read: it is damaged") from None


def _parsed(archive: zipfile.ZipFile, name: str) -> ElementTree.Element:
    text = archive.read(name)
    if b"<!DOCTYPE" in text or b"<!ENTITY" in text:
        raise UnreadableError("a spreadsheet with a document type of its own, which is not read")
    return ElementTree.fromstring(text.replace(_STRICT[1:-1].encode(), _MAIN[1:-1].encode()))


def _sheets(archive: zipfile.ZipFile) -> list[str]:
    """The files of the tables, in their order."""
    links = {
        link.get("Id"): str(link.get("Target"))
        for link in _parsed(archive, "xl/_rels/workbook.xml.rels")
    }
    found = []
    for sheet in _parsed(archive, "xl/workbook.xml").iter(f"{_MAIN}sheet"):
        key = next((value for name, value in sheet.items() if name.endswith("}id")), "")
        target = links.get(key, "")
        if "worksheets/" in target:
            found.append(
                posixpath.normpath(posixpath.join("xl", target))
                .lstrip("/")
                .replace("xl/xl/", "xl/")
            )
    return found


def _strings(archive: zipfile.ZipFile) -> list[str]:
    root = _parsed(archive, "xl/sharedStrings.xml")
    return ["".join(part.text or "" for part in each.iter(f"{_MAIN}t")) for each in root]


# -- cells -----------------------------------------------------------------------------------------


def _rows(archive: zipfile.ZipFile, sheet: str, strings: list[str]) -> Iterator[tuple[Any, ...]]:
    shared: dict[str, tuple[str, int]] = {}
    for row in _parsed(archive, sheet).iter(f"{_MAIN}row"):
        values: dict[int, Any] = {}
        formulas: dict[int, str] = {}
        for at, cell in enumerate(row.iter(f"{_MAIN}c")):
            place = column(cell.get("r", "").rstrip("0123456789")) if cell.get("r") else at
            if not 0 <= place < MOST_COLUMNS:
                continue
            value = _value(cell, strings)
            formula = _formula(cell, place, shared)
            if value is not None:
                values[place] = value
            elif formula:
                formulas[place] = formula
        yield _filled(values, formulas)


def _value(cell: ElementTree.Element, strings: list[str]) -> Any:
    kind = cell.get("t", "n")
    if kind == "inlineStr":
        return "".join(part.text or "" for part in cell.iter(f"{_MAIN}t"))
    said = cell.findtext(f"{_MAIN}v")
    if said is None or said == "":
        return None
    if kind == "s":
        return strings[int(said)]
    if kind == "n":
        given = float(said)
        return int(given) if given.is_integer() else given
    return None if kind == "e" else said


def _formula(cell: ElementTree.Element, place: int, shared: dict[str, tuple[str, int]]) -> str:
    """A cell's formula. Where it shares that of an earlier cell, its columns are moved as far as
    the two cells are apart."""
    own = cell.find(f"{_MAIN}f")
    if own is None:
        return ""
    key = own.get("si")
    if own.text and key is not None and own.get("t") == "shared":
        shared[key] = (own.text, place)
    if not own.text and key in shared:
        text, first = shared[key]
        return _moved(text, place - first)
    return own.text or ""


def _moved(text: str, columns: int) -> str:
    """A formula with its columns moved, but for those that `$` holds: `A1+$B1` by 1 is `B1+$B1`."""

    def moved(match: re.Match[str]) -> str:
        return match[0] if match[1] else _letters(column(match[2]) + columns)

    return _REFERENCE.sub(moved, text) if columns else text


def _filled(values: dict[int, Any], formulas: dict[int, str]) -> tuple[Any, ...]:
    """A row whose formulas are computed where no value is kept with them."""

    def cell(letters: str, depth: int = 0) -> Any:
        at = column(letters)
        if at not in values and at in formulas and depth < MOST_STEPS:
            values[at] = computed(formulas[at], lambda other: cell(other, depth + 1))
        return values.get(at)

    for at in formulas:
        if at not in values:
            values[at] = computed(formulas[at], cell)
    width = max(values, default=-1) + 1
    return tuple(values.get(at) for at in range(width))


def column(letters: str) -> int:
    """The place of a column in its row: A is 0, AA is 26."""
    place = 0
    for letter in letters:
        place = place * 26 + ord(letter) - ord("A") + 1
    return place - 1


def _letters(place: int) -> str:
    """The letters of a place: 0 is A, 26 is AA."""
    letters, left = "", max(place, 0) + 1
    while left:
        left, rest = divmod(left - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters

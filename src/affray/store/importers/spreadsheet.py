"""Creatures of a spreadsheet, CSV or xlsx: one row each, under a row of column names."""

from __future__ import annotations

import csv
import io
import math
import posixpath
import re
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any
from xml.etree import ElementTree

from msgspec.structs import replace

from affray.core.dice import WRITTEN
from affray.core.rules.imported_creature import ImportedCreature
from affray.store import importers
from affray.store.importers import arithmetic, stat_block
from affray.store.importers.archives import is_bounded
from affray.store.importers.arithmetic import FormulaError, to_number
from affray.store.importers.values import ABILITIES, WAYS, to_ability, to_int, to_one_line, to_words

COLUMNS = {
    "name": ("name", "creature", "monster", "character", "title"),
    "hp": ("hp", "hit points", "hitpoints", "health", "max hp", "maxhp", "life"),
    "hit_dice": ("hit dice", "hd", "hp dice", "hp formula"),
    "ac": ("ac", "armor class", "armour class", "armor", "armour", "defence", "defense"),
    "initiative": ("initiative", "init", "initiative bonus", "init mod", "initiative modifier"),
    "speed": ("speed", "speeds", "move", "movement", "spd"),
    "size": ("size",),
    "type": ("type", "creature type", "race"),
    "alignment": ("alignment",),
    "cr": ("cr", "challenge", "challenge rating"),
    "level": ("level", "lvl"),
    "senses": ("senses",),
    "languages": ("languages", "language"),
    "damage_resistances": ("damage resistances", "resistances", "resist", "resistance"),
    "damage_immunities": ("damage immunities", "immunities", "immune", "immunity"),
    "damage_vulnerabilities": ("damage vulnerabilities", "vulnerabilities", "vulnerable", "weak"),
    "condition_immunities": ("condition immunities",),
    "skillsaves": ("skills", "skill"),
    "saves": ("saves", "saving throws"),
    "traits": ("traits", "trait", "abilities", "special abilities", "features"),
    "actions": ("actions", "action", "attacks", "attack"),
    "reactions": ("reactions", "reaction"),
    "legendary_actions": ("legendary actions",),
    "description": ("description", "notes", "note", "text", "desc"),
    "source": ("source", "book"),
    "pb": ("pb", "proficiency", "proficiency bonus", "prof", "prof bonus"),
    "player": ("player", "pc", "is player"),
}
"""Our name of a column -> how people call it."""
_BY_NAME = {label: ours for ours, names in COLUMNS.items() for label in names}


def rows_of(text: str) -> list[list[str]]:
    """Split a text with commas, semicolons, tabs or bars between cells into rows; else none."""
    text = re.sub(r"\Asep=.\n", "", text)  # which Excel writes first
    lines = [line for line in text.splitlines()[:1] if line.strip()]
    if not lines:
        return []
    mark = max(",;\t|", key=lines[0].count)
    if mark not in lines[0]:
        return []
    csv.field_size_limit(len(text) + 1)
    try:
        return [
            row for row in csv.reader(text.splitlines(keepends=True), delimiter=mark) if any(row)
        ]
    except csv.Error:
        return []


def matches(found: Sequence[Sequence[Any]]) -> bool:
    """True if the first row names columns of creatures: at least a name and HP."""
    ours = {_ours(cell) for cell in found[0]} if found else set()
    return {"name", "hp"} <= ours


def fault_of(found: Sequence[Sequence[Any]]) -> str:
    """Return the column that a list of creatures lacks; empty for other lists."""
    ours = {_ours(cell) for cell in found[0]} if found else set()
    return "a list without a column for HP" if {"name"} <= ours - {"hp"} and len(ours) > 1 else ""


def import_data(
    found: Sequence[Sequence[Any]], own: Collection[str] = ()
) -> importers.ImportContents:
    """Import a creature from each row; with a column `count` the list is an encounter as well.

    The numbers count as those of the campaign's game. `own` are columns that have a word of it for
    their name: their cells stay as they are, among the creature's `in_words`.
    """
    heads = [_ours(cell) for cell in found[0]]
    given = [dict(_given(heads, found[0], row, own)) for row in found[1:] if any(row)]
    members = [
        importers.EncounterMember(to_one_line(row.get("name")), count)
        for row in given
        if (count := to_int(row.get("count"), 1, 50)) and to_one_line(row.get("name"))
    ]
    meetings = (importers.ImportedEncounter("", tuple(members)),) if members else ()
    return importers.import_each(given, _creature, importers.name_value) + importers.ImportContents(
        meetings=meetings
    )


def _creature(given: dict[str, Any]) -> ImportedCreature:
    row = {name: value for name, value in given.items() if name not in ("player", "count", _OWN)}
    player = to_one_line(given.get("player"))
    if player.casefold() not in (*_YES, *_NO):
        row["played by"] = player
    creature = stat_block.parse_stat_block(row, pc=player.casefold() not in _NO, game="")
    return replace(creature, in_words=creature.in_words | given[_OWN])


_OWN = "own words"
"""Where a row has the cells of columns that are called by a word of the game."""


def _ours(cell: Any) -> str:
    """Our name of a column in any spelling: `hitPoints`, `HIT_POINTS`; empty for an unknown one."""
    text = _title(cell)
    if text in ("count", "number", "quantity", "qty"):
        return "count"
    way = text.removesuffix(" speed")
    return _BY_NAME.get(text) or to_ability(text) or (way if way in WAYS else "")


def _title(cell: Any) -> str:
    """The name of a column in small letters, its words apart."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", to_one_line(cell))
    return re.sub(r"[_\s]+", " ", apart).casefold().strip(" :*").removesuffix(" json")


def _given(
    heads: Sequence[str], titles: Sequence[Any], row: Sequence[Any], own: Collection[str]
) -> Iterator[tuple[str, Any]]:
    """The cells of a row by our column names; unknown columns go by their own."""
    scores, options, words = {}, {}, {}
    first: set[str] = set()
    lists: dict[str, list[Mapping[str, str]]] = {}
    for ours, title, cell in zip(heads, titles, row, strict=False):
        if cell in (None, ""):
            continue
        if (word := _title(title)) in own:
            words[word] = to_one_line(cell)
        elif ours in ABILITIES:
            scores[ours] = cell
        elif ours in WAYS:
            options[ours] = cell
        elif ours in ("actions", "traits", "reactions", "legendary_actions"):
            lists.setdefault(ours, []).extend(_listed(str(cell)))
        elif ours in first:  # such as notes beside a description
            yield to_one_line(title), cell
        elif ours or to_one_line(title):
            first.add(ours)
            yield ours or to_one_line(title), cell
    yield _OWN, words
    yield "stats", scores
    yield from lists.items()
    if options:  # which say more than a text that may have them as well
        walks = dict(zip(heads, row, strict=False)).get("speed")
        texts = [f"{way} {to_one_line(far)}" for way, far in options.items()]
        yield from ((f"{way} speed", far) for way, far in options.items() if to_int(far) is None)
        yield "speed", [*texts, *to_words(to_one_line(walks))]


def _listed(cell: str) -> Iterator[Mapping[str, str]]:
    """Entries of a cell, split at lines or `;`: `Claw. Melee ...`, `Claw: ...`.

    `Claw +4 1d8+2 slashing` is an attack as well.
    """
    for entry in re.split(r"\n+|;\s*(?=[A-Z])", cell):
        entry = entry.strip()
        short = _SHORT.match(entry)
        named = re.match(r"([A-Z][^.:\n]{1,60})[.:]\s+(.*)", entry, re.DOTALL)
        if short:
            dealt = " ".join(filter(None, (short["dice"], short["type"], "damage")))
            text = f"Melee Attack: {short['bonus']} to hit. Hit: {dealt}."
            yield {"name": short["name"], "desc": text}
        elif named:
            yield {"name": named[1], "desc": named[2]}
        elif entry:
            yield {"name": " ".join(entry.split()[:3]), "desc": entry}


_SHORT = re.compile(
    r"(?P<name>[A-Za-z][\w' -]{0,38}?)[:,]? (?P<bonus>[+-]\d{1,2})(?: to hit)?,? \(?"
    rf"(?P<dice>{WRITTEN})\)?(?: (?P<type>[a-z]+))?(?: damage)?\.?$"
)


_YES = ("yes", "true", "1", "x", "pc", "player")
_NO = ("", "no", "false", "0", "-", "npc", "monster")
"""What a column says of who is a player's, beside a player's name."""


# -------------------------------------------------------------------------------------------------
# Formulas, as far as lists of creatures use them: `=IF(AJ4="AC",5+$L4,3+$L4)`. Each cell named is
# taken from the formula's own row, whatever its number: lists that lost rows keep the old ones.

_SPELLING = re.compile(
    r'"(?P<text>(?:[^"]|"")*)"|\$?\b(?P<column>[A-Z]{1,3})\$?\d{1,7}\b|(?P<sign><>|(?<![<>])=)'
)
_PYTHONS = {"=": "==", "<>": "!="}
Cell = Callable[[str], Any]
"""A formula's cell: the column of that letter in its own row."""


def computed(formula: str, cell: Cell) -> Any:
    """Compute a formula; None if it isn't understood."""

    def named(name: str) -> Any:
        if re.fullmatch("[A-Z]{1,3}", name) is None:
            raise FormulaError
        return cell(name)

    return arithmetic.computed(
        _SPELLING.sub(_in_python, formula.strip().removeprefix("=")), _FUNCTIONS, named
    )


def _in_python(found: re.Match[str]) -> str:
    """A text, a cell or a sign of a formula, as Python spells it."""
    if found["text"] is not None:
        return repr(found["text"].replace('""', '"'))
    return found["column"] or _PYTHONS[found["sign"]]


def _rounded(value: Any, digits: Any, how: Callable[[float], float]) -> float:
    step = 10 ** to_number(digits)
    scaled = to_number(value) * step
    return math.copysign(how(abs(scaled)), scaled) / step


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "IF": lambda test, yes, no="": yes if test else no,
    "ROUNDDOWN": lambda value, digits=0: _rounded(value, digits, math.floor),
    "ROUNDUP": lambda value, digits=0: _rounded(value, digits, math.ceil),
    "ROUND": lambda value, digits=0: _rounded(value, digits, lambda x: math.floor(x + 0.5)),
    "INT": lambda value: math.floor(to_number(value)),
    "MIN": lambda *values: min(map(to_number, values)),
    "MAX": lambda *values: max(map(to_number, values)),
    "SUM": lambda *values: sum(map(to_number, values)),
}


# -------------------------------------------------------------------------------------------------
# xlsx files: their tables, with the results of their formulas.

MOST_UNPACKED = 256 * 1024 * 1024
MOST_COLUMNS = 16_384
MOST_STEPS = 20
"""How far formulas may lead from one to another."""
_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_STRICT = "{http://purl.oclc.org/ooxml/spreadsheetml/main}"
_REFERENCE = re.compile(r"(\$?)\b([A-Z]{1,3})(?=\$?\d{1,7}\b)")


def workbook_tables(data: bytes) -> list[list[tuple[Any, ...]]]:
    """Read the tables of a workbook, each row a tuple. Raises UnreadableError."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = archive.namelist()
            if "xl/workbook.xml" not in names:
                raise importers.UnreadableError("an archive, but not a spreadsheet")
            if sum(each.file_size for each in archive.infolist()) > MOST_UNPACKED:
                raise importers.UnreadableError("a spreadsheet that is too large when unpacked")
            if not is_bounded(archive):
                raise importers.UnreadableError("a spreadsheet packed by bzip2 or LZMA")
            strings = _strings(archive) if "xl/sharedStrings.xml" in names else []
            return [[*_rows(archive, sheet, strings)] for sheet in _sheets(archive)]
    except importers.UnreadableError:
        raise
    except (zipfile.BadZipFile, ElementTree.ParseError, zlib.error) as error:
        raise importers.UnreadableError(f"a spreadsheet that can't be read: {error}") from None
    except (KeyError, IndexError, ValueError, OSError, NotImplementedError, EOFError, RuntimeError):
        raise importers.UnreadableError("a spreadsheet that can't be read: it is damaged") from None


def _parsed(archive: zipfile.ZipFile, name: str) -> ElementTree.Element:
    text = archive.read(name)
    if b"<!DOCTYPE" in text or b"<!ENTITY" in text:
        raise importers.UnreadableError(
            "a spreadsheet with its own document type, which affray does not read"
        )
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
            place = column_index(cell.get("r", "").rstrip("0123456789")) if cell.get("r") else at
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
    text = cell.findtext(f"{_MAIN}v")
    if text is None or text == "":
        return None
    if kind == "s":
        return strings[int(text)]
    if kind == "n":
        given = float(text)
        return int(given) if given.is_integer() else given
    return None if kind == "e" else text


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
        return match[0] if match[1] else _letters(column_index(match[2]) + columns)

    return _REFERENCE.sub(moved, text) if columns else text


def _filled(values: dict[int, Any], formulas: dict[int, str]) -> tuple[Any, ...]:
    """A row with its formulas computed if the file has no values for them."""

    def cell(letters: str, depth: int = 0) -> Any:
        at = column_index(letters)
        if at not in values and at in formulas and depth < MOST_STEPS:
            values[at] = computed(formulas[at], lambda other: cell(other, depth + 1))
        return values.get(at)

    for at in formulas:
        if at not in values:
            values[at] = computed(formulas[at], cell)
    width = max(values, default=-1) + 1
    return tuple(values.get(at) for at in range(width))


def column_index(letters: str) -> int:
    """Return the index of a column by its letters: A is 0, AA is 26."""
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

"""A list with a row a creature and the names of its columns above, such as a spreadsheet's CSV."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from affray.core.rules.imported import Creature
from affray.store.importing import stat_block
from affray.store.importing.contents import Contents, Meeting, Member, name_of, read_each
from affray.store.importing.values import ABILITIES, WAYS, ability, number, one_line

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
_BY_NAME = {said: ours for ours, names in COLUMNS.items() for said in names}


def rows_of(text: str) -> list[list[str]]:
    """The rows of a text with commas, semicolons or tabs between cells; none for another text."""
    lines = [line for line in text.splitlines()[:1] if line.strip()]
    if not lines:
        return []
    mark = max(",;\t", key=lines[0].count)
    if mark not in lines[0]:
        return []
    csv.field_size_limit(len(text) + 1)
    try:
        return [
            row for row in csv.reader(text.splitlines(keepends=True), delimiter=mark) if any(row)
        ]
    except csv.Error:
        return []


def holds(found: Sequence[Sequence[Any]]) -> bool:
    """Whether the first row names columns of creatures: at least a name and HP."""
    ours = {_ours(cell) for cell in found[0]} if found else set()
    return {"name", "hp"} <= ours


def fault_of(found: Sequence[Sequence[Any]]) -> str:
    """What a list lacks that has names of creatures; empty for what is no such list."""
    ours = {_ours(cell) for cell in found[0]} if found else set()
    return "a list without a column for HP" if {"name"} <= ours - {"hp"} and len(ours) > 1 else ""


def read(found: Sequence[Sequence[Any]]) -> Contents:
    """A creature a row, whose numbers are those of the game that is played. With a column `count`
    the list is an encounter as well."""
    heads = [_ours(cell) for cell in found[0]]
    given = [dict(_given(heads, found[0], row)) for row in found[1:] if any(row)]
    members = [
        Member(one_line(row.get("name")), count)
        for row in given
        if (count := number(row.get("count"), 1, 50)) and one_line(row.get("name"))
    ]
    meetings = (Meeting("", tuple(members)),) if members else ()
    return read_each(given, _creature, name_of) + Contents(meetings=meetings)


def _creature(given: dict[str, Any]) -> Creature:
    row = {name: value for name, value in given.items() if name not in ("player", "count")}
    return stat_block.creature(row, pc=_is_player(given.get("player")), game="")


def _ours(cell: Any) -> str:
    """Our name of a column, however it is written: `hitPoints`, `HIT_POINTS`; empty for another."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", one_line(cell))
    said = re.sub(r"[_\s]+", " ", apart).casefold().strip(" :*").removesuffix(" json")
    if said in ("count", "number", "quantity", "qty"):
        return "count"
    way = said.removesuffix(" speed")
    return _BY_NAME.get(said) or ability(said) or (way if way in WAYS else "")


def _given(
    heads: Sequence[str], titles: Sequence[Any], row: Sequence[Any]
) -> Iterator[tuple[str, Any]]:
    """What a row says, by our names; a column of another name by its own."""
    scores, ways = {}, {}
    for ours, title, cell in zip(heads, titles, row, strict=False):
        if cell in (None, ""):
            continue
        if ours in ABILITIES:
            scores[ours] = cell
        elif ours in WAYS:
            ways[ours] = cell
        elif ours in ("actions", "traits", "reactions", "legendary_actions"):
            yield ours, [*_listed(str(cell))]
        elif ours or one_line(title):
            yield ours or one_line(title), cell
    yield "stats", scores
    if ways and "speed" not in heads:
        yield "speed", ways


def _listed(cell: str) -> Iterator[Mapping[str, str]]:
    """Entries of a cell, on lines of their own or with `;` between: `Claw. Melee ...`, `Claw: ...`.

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
    r"(?P<dice>\d{1,2}d\d{1,3}(?:\s?[+-]\s?\d{1,3})?)\)?(?: (?P<type>[a-z]+))?(?: damage)?\.?$"
)


def _is_player(value: Any) -> bool:
    return one_line(value).casefold() in ("yes", "true", "1", "x", "pc", "player")

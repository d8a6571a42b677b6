"""Orcus' published monsters: a sheet with ten powers a row, `Power 1 - Name` and so on.

As a spreadsheet, as CSV, or as records with the headings for names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from affray.core.rules.imported import Creature, Feature
from affray.store.importing.contents import Contents, read_each
from affray.store.importing.powers_text import DAMAGE_TYPES, powers
from affray.store.importing.values import (
    bonuses,
    clean,
    number,
    numbers,
    one_line,
    positive,
    rows,
    senses,
    size,
    speeds,
    table,
    words,
)

Record = Mapping[str, Any]
_AMOUNT = re.compile(
    r"^(?:(?P<kind>[a-z]+(?: and [a-z]+)?) (?P<amount>\d{1,3})"
    r"|(?P<first>\d{1,3}) (?P<after>[a-z]+))$"
)
TYPES = (*DAMAGE_TYPES, "all")


def holds(found: Sequence[Sequence[Any]]) -> bool:
    """Whether the first row has the sheet's headings."""
    return bool(found) and _are_headings({one_line(cell) for cell in found[0]})


def _are_headings(names: set[str]) -> bool:
    return {"Name", "HP", "AC", "Power 1 - Name"} <= names


def read(found: Sequence[Sequence[Any]]) -> Contents:
    """The monsters of the sheet; its other rows are prose of the book."""
    heads = [one_line(cell) for cell in found[0]]
    records = (
        {
            head: cell
            for head, cell in zip(heads, row, strict=False)
            if head and cell not in (None, "")
        }
        for row in found[1:]
    )
    return _read(records)


def holds_records(data: Any) -> bool:
    """Whether JSON has the sheet as records."""
    return any(
        _are_headings({*row}) or {"Name", "HP", "AC", "Fort"} <= {*row}
        for row in _records(data)[:20]
    )


def read_records(data: Any) -> Contents:
    """The monsters of the records."""
    return _read(_records(data))


def _records(data: Any) -> list[dict[str, Any]]:
    return rows(data) or rows(table(data).get("monsters"))


def _read(records: Any) -> Contents:
    found = [*records]
    theirs = [one_line(row.get("Name")) for row in found if _is_in_words(row)]
    own = (row for row in found if _is_monster(row) and not _is_in_words(row))
    said = f"companions and summons, whose numbers are their owner's: {', '.join(theirs)}"
    left = Contents(left=(said,) if theirs else ())
    return read_each(own, _creature, lambda row: row.get("Name")) + left


def _is_monster(row: Record) -> bool:
    """What has no AC is a chapter's prose, or the line below the headings; so is a part's."""
    return number(row.get("AC")) is not None and one_line(row.get("Name")) != "Sub-Chapter"


def _is_in_words(row: Record) -> bool:
    """A companion's or a summon's: `your defenses`, `10 + your level`."""
    return any("your" in one_line(row.get(key)).casefold() for key in ("AC", "HP"))


def _creature(row: Record) -> Creature:
    resist, resist_words = _amounts(row.get("Resistance to"))
    vulnerable, vulnerable_words = _amounts(row.get("Vulnerability to"))
    speed = one_line(row.get("Spd"))
    said = {
        "resistance, in words": resist_words,
        "vulnerability, in words": vulnerable_words,
        **_said(row, speed),
    }
    return Creature(
        name=one_line(row.get("Name")),
        game="orcus",
        source=one_line(row.get("Source")),
        size=size(row.get("Size")),
        type=one_line(row.get("Type")).casefold(),
        rank=one_line(row.get("Rank")).casefold(),
        role=one_line(row.get("Role")).casefold(),
        level=number(row.get("Level"), 0, 99),
        hp=positive(row.get("HP")),
        ac=number(row.get("AC"), 0),
        defences=numbers({ours: row.get(key) for ours, key in _DEFENCES.items()}, 0),
        initiative=number(row.get("Initiative"), -50, 99),
        speeds=speeds(speed),
        hover="hover" in speed,
        abilities=numbers({a: row.get(a.capitalize()) for a in _ABILITIES}, 1, 99),
        skills=bonuses(row.get("Skills")) | _perception(row),
        senses=senses(row.get("Senses")),
        languages=tuple(words(row.get("Language"))),
        resist=tuple(resist),
        vulnerable=tuple(vulnerable),
        immune=tuple(word.casefold() for word in words(row.get("Immunity to"))),
        amounts={f"resist {kind}": n for kind, n in resist.items()}
        | {f"vulnerable {kind}": n for kind, n in vulnerable.items()},
        save_bonus=number(row.get("Saving Throws"), 0, 20) or 0,
        points=number(row.get("Action Points"), 0, 9) or 0,
        features=tuple(_features(row)),
        said={what: told for what, told in said.items() if told},
        text=clean(row.get("Description")),
    )


_ABILITIES = ("str", "con", "dex", "int", "wis", "cha")
"""In the order in which the book has them."""
_DEFENCES = {"fortitude": "Fort", "reflex": "Ref", "will": "Will"}


def _said(row: Record, speed: str) -> dict[str, str]:
    """What is told of a monster in words, as the sheet has it."""
    return {
        "HP, in words": one_line(row.get("HP Extras")),
        "ways of moving": speed if re.search(r"\(|[a-z]{6,}", speed) else "",
        "aura": one_line(row.get("Aura")),
        "equipment": one_line(row.get("Equipment")),
        "XP": one_line(row.get("XP")),
        "alignment": one_line(row.get("Alignment")),
        "leader": "yes" if one_line(row.get("Leader?")) not in ("", "0", "no") else "",
        "tag": one_line(row.get("Tag")),
        "swarm": "yes" if "swarm" in one_line(row.get("Tag")).casefold() else "",
        "ancestry": one_line(row.get("Ancestry")).casefold(),
    }


def _perception(row: Record) -> dict[str, int]:
    bonus = number(row.get("Perception"), -50, 99)
    return {} if bonus is None else {"perception": bonus}


def _amounts(value: Any) -> tuple[dict[str, int], str]:
    """`necrotic 5, incorporeal`: how much of each type, and what else is said."""
    kinds: dict[str, int] = {}
    more, waiting = [], []
    for part in words(value):
        said = _AMOUNT.match(part.casefold())
        if part.casefold() in TYPES:
            waiting.append(part.casefold())  # `necrotic, poison 15`: both 15
        elif (
            said
            and (told := (said["kind"] or said["after"]).split(" and "))
            and set(told) <= set(TYPES)
        ):
            amount = int(said["amount"] or said["first"])
            kinds |= dict.fromkeys([*waiting, *told], amount)
            waiting = []
        else:
            more.append(part)
    return kinds, ", ".join([*waiting, *more])


def _features(row: Record) -> Iterator[Feature]:
    found: dict[str, dict[str, Any]] = {}
    for key, value in row.items():
        number_, mark, field = key.partition(" - ")
        if mark and number_.startswith("Power "):
            found.setdefault(number_, {})[field] = value
    for fields in found.values():
        if fields.get("Name") or fields.get("Effect"):
            yield from powers(fields)

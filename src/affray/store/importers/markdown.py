"""Stat blocks in plain Markdown: as the SRD's pages, Homebrewery, GM Binder and notes have them.

    ## Goblin
    *Small humanoid, neutral evil*
    **Armor Class** 15 (leather armor)
    **Hit Points** 7 (2d6)
    | STR | DEX | ...

A block is known by the armour class and the hit points below a name. What a block lacks that they
have otherwise is told, since such a text may be something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from affray.core.rules.imported_creature import ImportedCreature
from affray.store.importers import ImportContents, import_each, stat_block
from affray.store.importers.values import ABILITIES, to_clean_text, to_one_line

FIELDS = {
    "armor class": "ac", "ac": "ac", "hit points": "hp", "hp": "hp", "speed": "speed",
    "initiative": "initiative", "saving throws": "saves", "saves": "saves", "skills": "skillsaves",
    "damage resistances": "damage_resistances", "resistances": "damage_resistances",
    "damage immunities": "damage_immunities", "immunities": "damage_immunities",
    "damage vulnerabilities": "damage_vulnerabilities",
    "vulnerabilities": "damage_vulnerabilities", "condition immunities": "condition_immunities",
    "senses": "senses", "languages": "languages", "challenge": "cr", "challenge rating": "cr",
    "cr": "cr", "proficiency bonus": "pb", "gear": "gear", "armor": "ac", "hit point": "hp",
}  # fmt: skip
"""The labels of a block's lines -> a stat block's fields."""
SECTIONS = {
    "traits": "traits", "special traits": "traits", "features": "traits", "abilities": "traits",
    "special abilities": "traits", "actions": "actions", "bonus actions": "bonus_actions",
    "reactions": "reactions", "legendary actions": "legendary_actions",
    "mythic actions": "mythic_actions", "lair actions": "lair_actions",
}  # fmt: skip
"""The headings of a block's parts -> a stat block's lists."""
NEAR = 10
"""So many lines below its name a block has its armour class."""

_QUOTED = re.compile(r"^[ \t]*(?:>[ \t]?)+")
_HEADING = re.compile(r"^(#{1,6})[ \t]+(.+?)[ \t#]*$")
_LABEL = re.compile(
    rf"^[\s\-*_+]*?(?:\*\*|__)?({'|'.join(sorted(FIELDS, key=len, reverse=True))})(?![a-z])"
    r"(?:\*\*|__)?[ \t]*:{0,2}[ \t]*(?:\*\*|__)?[ \t]*:{0,2}[ \t]*(?=\S)(.*)$",
    re.IGNORECASE,
)
_MARKED = re.compile(r"^[\s\-+]*(?:\*\*|__)")
_ENTRY = re.compile(
    r"^[ \t]*(?:[-+][ \t]+)?(?:\*\*\*|\*\*_|_\*\*|___|\*\*|__)(?=\S)(?P<name>[^*_\n]{2,90}?)"
    r"(?P<in>[.:]?)[ \t]*(?:\*\*\*|_\*\*|\*\*_|___|\*\*|__)(?P<out>[.:]?)[ \t]*(?P<text>.*)$"
)
_COUNTED = re.compile(r"[^.]{0,25}?\d")
"""The beginning of a value with a number in it, and no sentence about what one is."""
_INITIATIVE = re.compile(r"(?:\*\*|__)?Initiative(?:\*\*|__)?:?\s*([+\-−–]?\d+)", re.IGNORECASE)
_SCORE = re.compile(rf"\b({'|'.join(ABILITIES)})\b[\W_]{{1,12}}(\d{{1,2}})\b", re.IGNORECASE)
_SIZE = re.compile(
    r"^[\s*_]*(?:Tiny|Small|Medium|Large|Huge|Gargantuan)\b[^.\n]{2,90}$", re.IGNORECASE
)


def matches(text: str) -> bool:
    """True if a text has a stat block."""
    may_be = "rmor" in text or "AC" in text
    return may_be and next(_starts(_lines(text)), None) is not None


def import_data(text: str) -> ImportContents:
    """All stat blocks of a text; one with no name below no heading is left nameless."""
    lines = _lines(text)
    starts = [*_starts(lines)]
    ends = [*(start for start, _ in starts[1:]), len(lines)]
    blocks = [
        _block(lines[start:end], name) for (start, name), end in zip(starts, ends, strict=True)
    ]
    contents = import_each(blocks, _creature, lambda row: row.get("name"))
    doubts = ((row["name"], lack) for row in blocks if (lack := _lacking(row)))
    return contents + ImportContents(doubts=tuple(doubts))


def _creature(row: dict[str, Any]) -> ImportedCreature:
    return stat_block.parse_stat_block(row, game="5e")


def _lacking(row: dict[str, Any]) -> str:
    """The lines of stat blocks that a block lacks; empty where it surely is one."""
    parts = {
        "abilities": row.get("stats"),
        "actions": row.get("actions"),
        "speed": row.get("speed"),
    }
    lacks = [what for what, value in parts.items() if not value]
    return f"a stat block without {' and '.join(lacks)}" if lacks else ""


def _lines(text: str) -> list[str]:
    """The lines without the marks of a quotation."""
    return [_QUOTED.sub("", line).rstrip() for line in text.split("\n")]


def _field_of(line: str) -> tuple[str, str] | None:
    """The field and the value of a line such as `**Armor Class** 15`; None for another line."""
    found = _LABEL.match(line)
    if found is None or not (_MARKED.match(line) or re.search(r"\d", found[2])):
        return None
    return FIELDS[found[1].casefold()], found[2]


def _starts(lines: list[str]) -> Iterator[tuple[int, str]]:
    """The line where a block begins, and its name: the last heading or bold line above the AC."""
    taken = -1
    for at, line in enumerate(lines):
        found = _field_of(line)
        if found is None or found[0] != "ac" or at <= taken:
            continue
        below = [each for each in map(_field_of, lines[at : at + NEAR]) if each is not None]
        is_living = any(field == "hp" and _COUNTED.match(value) for field, value in below)
        if not _COUNTED.match(found[1]) or not (is_living or re.search(r"\bHP\b", found[1])):
            continue
        above = range(at - 1, max(at - NEAR, taken, -1), -1)
        start = next((n for n in above if _name_of(lines[n])), None)
        if start is not None:
            taken = at
            yield start, _name_of(lines[start])


def _name_of(line: str) -> str:
    """The name that a heading or a line in bold is; empty for another line."""
    heading = _HEADING.match(line)
    if heading is not None:
        return "" if heading[2].strip("*_ :").casefold() in SECTIONS else to_one_line(heading[2])
    bold = re.fullmatch(r"\s*(?:\*\*|__)([^*_]{2,60})(?:\*\*|__)\s*", line)
    return to_one_line(bold[1]) if bold and bold[1].strip(" :").casefold() not in SECTIONS else ""


def _block(lines: list[str], name: str) -> dict[str, Any]:
    """The fields of a block, which ends at a heading that is none of its parts and as high."""
    row: dict[str, Any] = {"name": name, **{part: [] for part in SECTIONS.values()}}
    first = _HEADING.match(lines[0])
    level = len(first[1]) if first else 7
    section, is_head = "traits", True
    head: list[str] = []
    for line in lines[1:]:
        heading = _HEADING.match(line)
        title = heading[2] if heading else line if re.match(r"^\s*(?:\*\*|__)[A-Z]", line) else ""
        part = SECTIONS.get(re.sub(r"[*_:]|\(.*?\)", "", title).strip().casefold())
        if part is not None:
            section, is_head = part, False
            continue
        if heading is not None and (len(heading[1]) <= level or not is_head):
            break
        field = _field_of(line) if is_head else None
        if field is not None:
            _take(row, *field)
        elif (entry := _ENTRY.match(line)) and _is_entry(entry):
            row[section].append(_entry(entry))
        elif row[section] and (not is_head or not line.strip().startswith("|")):
            row[section][-1]["desc"] += f"\n{line}"
        else:
            head.append(line)
    _head(row, head)
    return {field: value for field, value in row.items() if value}


def _is_entry(entry: re.Match[str]) -> bool:
    """True if what is bold at a line's beginning names what the line tells of."""
    is_short = len(entry["name"].split()) < 12
    return is_short and bool(entry["in"] or entry["out"] or "***" in entry[0][:6])


def _entry(entry: re.Match[str]) -> dict[str, str]:
    """The bold name and its text; brackets after the name are a limit on uses, and part of it."""
    name, text = entry["name"].strip(), entry["text"]
    if found := re.match(r"(\([^()]*\))[.:]?\s*", text):
        name, text = f"{name} {found[1]}", text[found.end() :]
    return {"name": name, "desc": text}


def _take(row: dict[str, Any], field: str, value: str) -> None:
    """Put a line's value into the row; of the rules of 2024 initiative stands behind the AC."""
    if field == "ac" and (initiative := _INITIATIVE.search(value)):
        row.setdefault("initiative", initiative[1])
        value = value[: initiative.start()]
    plain = to_one_line(value)
    row.setdefault(field, "" if plain in ("-", "—", "–", "None", "none") else plain)


def _head(row: dict[str, Any], lines: list[str]) -> None:
    """The size with what is behind it, and the ability scores."""
    for line in lines:
        if "type" not in row and _SIZE.match(line):
            kind, _, alignment = to_one_line(line).partition(", ")
            row["type"], row["alignment"] = kind, alignment
    text = re.sub(r"[*_]{2}", "", "\n".join(lines))
    scores = {name.casefold(): number for name, number in _SCORE.findall(text)}
    if len(scores) < len(ABILITIES):
        tail = re.split(r"\bcha(?:risma)?\b", text, flags=re.IGNORECASE)[-1]
        numbers = re.findall(r"(?<![+\-−–(\d])\b(\d{1,2})(?!\d)", tail)
        scores = dict(zip(ABILITIES, numbers, strict=False)) if len(numbers) >= 6 else {}
    row["stats"] = scores


def entries_of(text: Any) -> list[dict[str, str]]:
    """The entries of a text in which each begins with its name in bold, as Markdown or HTML."""
    marked = re.sub(r"<(?:em|i)><(?:strong|b)>|</(?:strong|b)></(?:em|i)>", "***", str(text or ""))
    marked = re.sub(r"</?(?:strong|b)>", "**", marked)
    found: list[dict[str, str]] = []
    for line in to_lines(re.sub(r"</?(?:em|i)>", "", marked)):
        entry = _ENTRY.match(line)
        if entry is not None and _is_entry(entry):
            found.append(_entry(entry))
        elif found:
            found[-1]["desc"] += f"\n{line}"
        elif line.strip():
            found.append({"name": "", "desc": line})
    return [{**each, "desc": to_clean_text(each["desc"])} for each in found]


def to_lines(text: str) -> list[str]:
    """The lines of HTML, a paragraph or an item of a list each."""
    broken = re.sub(r"<\s*(?:br|/p|/li|/h\d)\b[^>]*>", "\n", text)
    return re.sub(r"<[^<>]{1,200}>", "", broken).split("\n")

"""Stat blocks in plain Markdown: as the SRD's pages, Homebrewery, GM Binder and notes have them.

    ## Goblin
    *Small humanoid, neutral evil*
    **Armor Class** 15 (leather armor)
    **Hit Points** 7 (2d6)
    | STR | DEX | ...

A block is known by the armour class and the hit points below a name. It may have no marks at all,
as a copy from a page or a PDF has none: then a line that begins with a name and a full stop is an
entry, and one that is the heading of a part begins it. What a block lacks that they have otherwise
is told, since such a text may be something else. A line that is none of all this stays text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from affray.core.rules.imported_creature import ImportedCreature
from affray.store.importers import ImportContents, import_each, stat_block
from affray.store.importers.values import (
    ABILITIES,
    ABILITY_NAMES,
    Table,
    to_clean_text,
    to_one_line,
)

FIELDS = {
    "armor class": "ac", "ac": "ac", "hit points": "hp", "hp": "hp", "speed": "speed",
    "initiative": "initiative", "saving throws": "saves", "saves": "saves", "skills": "skillsaves",
    "damage resistances": "damage_resistances", "resistances": "damage_resistances",
    "damage immunities": "damage_immunities", "immunities": "damage_immunities",
    "damage vulnerabilities": "damage_vulnerabilities",
    "vulnerabilities": "damage_vulnerabilities", "condition immunities": "condition_immunities",
    "senses": "senses", "languages": "languages", "challenge": "cr", "challenge rating": "cr",
    "cr": "cr", "proficiency bonus": "pb", "gear": "gear", "armor": "ac", "hit point": "hp",
    "saving throw": "saves", "save": "saves", "skill": "skillsaves", "sense": "senses",
    "language": "languages", "damage resistance": "damage_resistances",
    "damage immunity": "damage_immunities", "damage vulnerability": "damage_vulnerabilities",
    "condition immunity": "condition_immunities", "resistance": "damage_resistances",
    "immunity": "damage_immunities", "vulnerability": "damage_vulnerabilities",
}  # fmt: skip
"""The labels of a block's lines -> a stat block's fields."""
SECTIONS = {
    "traits": "traits", "special traits": "traits", "features": "traits", "abilities": "traits",
    "special abilities": "traits", "actions": "actions", "bonus actions": "bonus_actions",
    "reactions": "reactions", "legendary actions": "legendary_actions",
    "mythic actions": "mythic_actions", "lair actions": "lair_actions",
}  # fmt: skip
"""The headings of a block's parts -> a stat block's lists."""
UNREAD = "unread_lines"
NEAR = 10
"""So many lines below its name a block has its armour class."""

_QUOTED = re.compile(r"^[ \t]*(?:>[ \t]?)+")
_HALF_BOLD = re.compile(r"^(\s*\*\*[A-Z]\w+)\*\*([a-z]{1,5})\b")
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
_SPELLS = re.compile(
    r"cantrips?\b|at[ -]will\b|\d(?:st|nd|rd|th)[ -]level|level \d|\d+ ?/ ?(?:day|rest)\b",
    re.IGNORECASE,
)
"""The beginning of a line in a list of spells, which may be bold: `**1st level (4 slots)**:`."""
_COUNTED = re.compile(r"[^.]{0,25}?\d")
"""The beginning of a value with a number in it, and no sentence about what one is."""
_INITIATIVE = re.compile(r"(?:\*\*|__)?Initiative(?:\*\*|__)?:?\s*([+\-−–]?\d+)", re.IGNORECASE)
_SCORE = re.compile(rf"\b({'|'.join(ABILITIES)})\b[\W_]{{1,12}}(\d{{1,2}})\b", re.IGNORECASE)
_SIZE = re.compile(
    r"^[\s*_]*(?:Tiny|Small|Medium|Large|Huge|Gargantuan)\b[^.\n]{2,90}$", re.IGNORECASE
)
_PLAIN_NAME = re.compile(r"\s*([A-Z][\w'’,\-()/ ]{1,59})")
"""A name without marks, which is known by the size below it."""
_SMALL = "of|the|with|and|in|a|an|to|from|for|on|by|at|or"
_PLAIN_ENTRY = re.compile(
    rf"^\s*(?P<name>[A-Z][\w'’/\-]*,?(?: (?:(?:{_SMALL})\b|[A-Z&\d][\w'’/\-]*),?){{0,7}}"
    r"(?: \([^()]{1,60}\))?)\. +(?P<text>[\w\"“(+*_].{5,})$"
)
_ENDED = re.compile(r"[.!?:)\"”]\s*$|^\s*$")
"""The line before an entry without marks: it ends there, where another goes on."""
_PART_OF_ONE = re.compile(
    r"\s*(?:(?:first |second |third )?(?:failure|success)|hit|miss|trigger|response|failed|effect"
    r"|note|special|requirements?|frequency)\b",
    re.IGNORECASE,
)
"""The beginning of a line that goes on with the entry above it."""
_NO_WORDS = re.compile(
    rf"(?:\b(?:{'|'.join((*ABILITIES, 'mod', 'save', 'score', 'saving throws?'))})\b|[\W\d_])*",
    re.IGNORECASE,
)
_ABILITIES = re.compile(
    rf"\b(?:{'|'.join((*ABILITIES, *ABILITY_NAMES))})\b[\s*_|:]*"
    rf"(?:[+\-−–(]?\d|$|\W*\b(?:{'|'.join(ABILITIES)})\b)",
    re.IGNORECASE,
)
"""A line of the ability scores, or their heading."""
_FRAME = re.compile(r"^\s*(?:\{\{|\}\}|!\[|\\|<!--|:::|```|\^)")
"""A line that says how a page looks."""


def matches(text: str) -> bool:
    """True if a text has a stat block."""
    may_be = "rmor" in text or "AC" in text
    return may_be and next(_starts(_lines(text)), None) is not None


def import_data(text: str) -> ImportContents:
    """All stat blocks of a text. One without a name has that by which its own texts call it."""
    lines = _lines(text)
    starts = [*_starts(lines)]
    ends = [*(start for start, _ in starts[1:]), len(lines)]
    blocks = [
        _block(lines[start - (not name) : end], name)
        for (start, name), end in zip(starts, ends, strict=True)
    ]
    taken: set[str] = set()
    for at, (row, (_, name)) in enumerate(zip(blocks, starts, strict=True), 1):
        if not name or (at < len(starts) and not starts[at][1]):  # one of several below a heading
            name = _called(row) or name or starts[0][1]
            row["name"] = f"{name} {at}" if name in taken else name
            taken.add(name)
    contents = import_each(blocks, _creature, lambda row: row.get("name"))
    doubts = ((row["name"], lack) for row in blocks if (lack := _lacking(row)))
    unread = sum(len(row.get(UNREAD, ())) for row in blocks)
    what = f"{unread} line{'s' if unread > 1 else ''} of stat blocks, kept in their texts"
    return contents + ImportContents(left=(what,) if unread else (), doubts=tuple(doubts))


_CALLED = re.compile(
    r"\b[Tt]he ((?!target|creature)[a-z]+(?: [a-z]+)?)"
    r"(?:['’]s\b| (?:makes|has|can|targets|exhales)\b)"
)


def _called(row: Table) -> str:
    """The name by which a block's texts call it: `Planetar`, for `The planetar makes two ...`."""
    texts = (each["desc"] for part in SECTIONS.values() for each in row.get(part, ()))
    counted = Counter(_CALLED.findall("\n".join(texts))).most_common(1)
    return counted[0][0].title() if counted and counted[0][1] > 1 else ""


def with_parts(row: Table) -> Table:
    """Return a stat block of JSON with the parts that stand elsewhere in it: fields among its
    traits (`Skills`, `Senses`), and the actions in a text of Markdown."""
    rows = row["traits"] if isinstance(row.get("traits"), list) else []
    named = {
        field: each.get("text", each.get("desc"))
        for each in rows
        if isinstance(each, dict)
        and (field := FIELDS.get(str(each.get("name")).casefold()))
        and not row.get(field)
    }
    if named:
        traits = [e for e in rows if FIELDS.get(str(e.get("name")).casefold()) not in named]
        row = {**row, **named, "traits": traits}
    text = row.get("text")
    if row.get("actions") or not isinstance(text, str) or "# Actions" not in text:
        return row
    lines = _lines(text)
    found = _block(lines, "")
    own = [*row.get("traits", ()), *found.get("traits", ())]
    parts = {part: found[part] for part in SECTIONS.values() if part in found}
    return {**row, **parts, "traits": own, "text": ""}


def _creature(row: Table) -> ImportedCreature:
    return stat_block.parse_stat_block(row, game="5e")


def _lacking(row: Table) -> str:
    """The lines of stat blocks that a block lacks; empty where it surely is one."""
    parts = {
        "abilities": row.get("stats"),
        "actions": row.get("actions"),
        "speed": row.get("speed"),
    }
    lacks = [what for what, value in parts.items() if not value]
    return f"a stat block without {' and '.join(lacks)}" if lacks else ""


def _lines(text: str) -> list[str]:
    """The lines without the marks of a quotation, and with all of a word in bold."""
    lines = (_QUOTED.sub("", line).rstrip() for line in text.split("\n"))
    return [_HALF_BOLD.sub(r"\1\2**", line) for line in lines]


def _field_of(line: str, is_within: bool = False) -> tuple[str, str] | None:
    """The field and the value of a line such as `**Armor Class** 15`; None for another line. Within
    a block a line without marks may have no number, as that of the languages."""
    found = _LABEL.match(line)
    if found is None or not (is_within or _MARKED.match(line) or re.search(r"\d", found[2])):
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
        named = [n for n in above if _name_of(lines[n])]
        start = next((n for n in named if not _IS_BLOCK.match(lines[n])), next(iter(named), None))
        size = next((n for n in above if _SIZE.match(lines[n])), 0)
        plain = next((n for n in range(size - 1, max(at - NEAR, taken, -1), -1) if lines[n]), None)
        if plain is not None and (start is None or plain > start):
            start = plain if _PLAIN_NAME.fullmatch(lines[plain]) else start
        if start is not None:
            yield start, _name_of(lines[start]) or to_one_line(lines[start])
        elif taken >= 0 and size:  # another block below the same heading
            yield size, ""
        else:
            continue
        taken = at


_TITLE = re.compile(r"\s*title: *(\S.{1,89})")
"""The name in an `ad-statblock`."""
_IS_BLOCK = re.compile(r"[#*_\s]*stat(?: ?block|istics|s)?[*_:\s]*$", re.IGNORECASE)
"""A heading that says what follows, and not whose it is: `## Statblock`."""


def _name_of(line: str) -> str:
    """The name that a heading or a line in bold is; empty for another line."""
    heading = _HEADING.match(line)
    if heading is not None:
        return "" if heading[2].strip("*_ :").casefold() in SECTIONS else to_one_line(heading[2])
    if (title := _TITLE.fullmatch(line)) is not None:
        return to_one_line(title[1])
    bold = re.fullmatch(r"\s*(?:\*\*|__)([^*_]{2,60})(?:\*\*|__)\s*", line)
    return to_one_line(bold[1]) if bold and bold[1].strip(" :").casefold() not in SECTIONS else ""


def _block(lines: list[str], name: str) -> Table:
    """The fields of a block, which ends at a heading as high as its own. What stands below a
    heading that is none of its parts is a text of it, and so are lines that aren't understood."""
    row: Table = {"name": name, **{part: [] for part in SECTIONS.values()}}
    first = _HEADING.match(lines[0])
    level = len(first[1]) if first else 7
    section, field = "traits", ""
    head: list[str] = []
    unread: list[str] = []
    where = "above"
    for line in _marked(lines[1:]):
        heading = _HEADING.match(line)
        title = heading[2] if heading else line if re.match(r"^\s*(?:\*\*|__)[A-Z]", line) else ""
        part = SECTIONS.get(re.sub(r"[*_:]|\(.*?\)", "", title).strip().casefold())
        found = _field_of(line, where == "head") if where in ("above", "head") else None
        if part is not None:
            section, where = part, "parts"
        elif heading is not None and len(heading[1]) <= level:
            break
        elif heading is not None and where in ("parts", "beyond"):
            where = "beyond"
            unread.append(heading[2])
        elif where == "beyond":
            unread.append(line)
        elif found is not None:
            field, where = found[0], "head"
            _take(row, *found)
        elif (entry := _ENTRY.match(line)) and _is_entry(entry):
            row[section].append(_entry(entry))
        elif where == "parts" and _FRAME.match(line):
            continue
        elif row[section] and (where == "parts" or not line.strip().startswith("|")):
            row[section][-1]["desc"] += f"\n{line}"
        elif where == "parts":
            row[section] += [{"name": "", "desc": line}] if line.strip() else []
        elif field and str(row[field]).endswith(","):
            row[field] += f" {to_one_line(line)}"
        elif where == "above" and not (_SIZE.match(line) or _FRAME.match(line)):
            row["description"] = f"{row.get('description', '')}\n{line}".strip()
        else:
            head.append(line)
    if not row["actions"]:  # their heading is lost, or was none
        at = next(
            (n for n, each in enumerate(row["traits"]) if _IS_ACTION.search(_plain_text(each))), 99
        )
        row["traits"], row["actions"] = row["traits"][:at], row["traits"][at:]
    row[UNREAD] = [
        text
        for line in (*_head(row, head), *unread)
        if not (_NO_WORDS.fullmatch(line) or _FRAME.match(line)) and (text := to_one_line(line))
    ]
    return {key: value for key, value in row.items() if value}


_IS_ACTION = re.compile(
    r"^Multiattack\b|\b(?:Melee|Ranged)(?: or Ranged)? (?:Weapon |Spell )?Attack(?: Roll)?:|"
    r"^[^.]{2,40}\(Recharge ",
    re.IGNORECASE,
)
"""What only an action begins with."""


def _plain_text(entry: dict[str, str]) -> str:
    """An entry in plain words, its name first."""
    return f"{entry['name']}. {entry['desc'].replace('*', '').replace('_', '')}"


def _marked(lines: list[str]) -> list[str]:
    """The lines of a block that has no marks of Markdown, with them; of any other those entries
    that lack them."""
    if any(_ENTRY.match(line) and not _field_of(line) for line in lines):
        return [*_with_lacking_marks(lines)]
    marked: list[str] = []
    is_head, before = True, ""
    for line in lines:
        is_field = is_head and _field_of(line) is not None
        is_head = is_head and (is_field or not marked or not _PLAIN_ENTRY.match(line))
        entry = _PLAIN_ENTRY.match(line) if not is_field else None
        if line.strip(" :").casefold() in SECTIONS:
            line, before, is_head = f"**{line.strip(' :')}**", ".", False
        elif entry and (_ENDED.search(before) or _field_of(before) or _SIZE.match(before)):
            line, before = f"***{entry['name']}.*** {entry['text']}", line
        elif not (_field_of(before) and before.rstrip().endswith(",")):  # a field that goes on
            before = line
        marked.append(line)
    return marked


def _with_lacking_marks(lines: list[str]) -> Iterator[str]:
    """The lines of a block with marks, where an entry without them that stands right below the end
    of another has them. The lines of what an entry offers a choice of belong to it."""
    before, is_within, offers = "", False, False
    for line in lines:
        own = _ENTRY.match(line)
        if own is not None and _is_entry(own) and _field_of(line) is None:
            is_within, offers = True, False
        elif _HEADING.match(line):
            is_within, offers = False, False
        plain = _PLAIN_ENTRY.match(line) if is_within and before.strip() and not offers else None
        if plain and _ENDED.search(before) and not _PART_OF_ONE.match(line):
            line = f"***{plain['name']}.*** {plain['text']}"
        offers = offers or "following" in line or "hoose" in line
        yield line
        before = line


def _is_entry(entry: re.Match[str]) -> bool:
    """True if what is bold at a line's beginning names what the line tells of."""
    is_short = len(entry["name"].split()) < 12 and not _SPELLS.match(entry["name"])
    return is_short and bool(entry["in"] or entry["out"] or "***" in entry[0][:6])


def _entry(entry: re.Match[str]) -> dict[str, str]:
    """The bold name and its text; brackets after the name are a limit on uses, and part of it."""
    name, text = entry["name"].strip(), entry["text"]
    if found := re.match(r"(\([^()]*\))[.:]?\s*", text):
        name, text = f"{name} {found[1]}", text[found.end() :]
    return {"name": name, "desc": text}


def _take(row: Table, field: str, value: str) -> None:
    """Put a line's value into the row; in the rules of 2024 initiative follows the AC."""
    if field == "ac" and (initiative := _INITIATIVE.search(value)):
        row.setdefault("initiative", initiative[1])
        value = value[: initiative.start()]
    plain = to_one_line(value)
    row.setdefault(field, "" if plain in ("-", "—", "–", "⏤", "None", "none") else plain)


def _head(row: Table, lines: list[str]) -> list[str]:
    """Take the size with what follows it, and the ability scores; leave the other lines."""
    left = []
    for line in lines:
        if "type" not in row and _SIZE.match(line):
            kind, _, alignment = to_one_line(line).partition(", ")
            row["type"], row["alignment"] = kind, alignment
        elif not _ABILITIES.search(line):
            left.append(line)
    text = re.sub(r"[*_]{2}", "", "\n".join(lines))
    scores = {name.casefold(): number for name, number in _SCORE.findall(text)}
    if len(scores) < len(ABILITIES):
        tail = re.split(r"\bcha(?:risma)?\b", text, flags=re.IGNORECASE)[-1]
        numbers = re.findall(r"(?<![+\-−–(\d])\b(\d{1,2})(?!\d)", tail)
        scores = dict(zip(ABILITIES, numbers, strict=False)) if len(numbers) >= 6 else {}
    row["stats"] = scores
    return left


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

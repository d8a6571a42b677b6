"""Obsidian's notes: stat blocks (Fantasy Statblocks), and encounters (Initiative Tracker)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from affray.store.importing import stat_block
from affray.store.importing.contents import (
    Contents,
    Meeting,
    Member,
    UnreadableError,
    name_of,
    read_each,
)
from affray.store.importing.values import number, one_line, rows, table, words

_FRONT = re.compile(r"\A\s*---[ \t]*\n(.*?)\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_FENCED = re.compile(
    r"^```[ \t]*(statblock|encounter)[^\n]*\n(.*?)^[ \t]*```", re.DOTALL | re.MULTILINE
)

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]")


def holds(text: str) -> bool:
    """Whether a note has a stat block or an encounter."""
    front = _FRONT.search(text)
    is_block = front is not None and re.search(r"^statblock\s*:", front[1], re.MULTILINE)
    return bool(is_block) or _FENCED.search(text) is not None


def read(text: str) -> Contents:
    """The creatures and encounters of a note. Raises UnreadableError where YAML can't be read."""
    text = _CONTROL.sub("", text)
    found = Contents()
    front = _FRONT.search(text)
    if front is not None and re.search(r"^statblock\s*:\s*['\"]?true", front[1], re.MULTILINE):
        found += _blocks(yaml_of(front[1]))
    for number_, (kind, inner) in enumerate(_FENCED.findall(text), 1):
        if kind == "statblock":
            found += _blocks(yaml_of(_plain_links(inner)))
        else:
            found += _encounters(inner, number_)
    return found


def yaml_of(text: str) -> Any:
    """What YAML says. Raises UnreadableError for what is none, and where it refers to itself."""
    import yaml  # here, since it is large

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        if re.search(r"(?:^|[\s\[{,:-])&\w", text) and _has_aliases(yaml, text):
            raise UnreadableError("YAML with references, which are not followed")
        return yaml.load(_without_tabs(text), Loader=loader)
    except (yaml.YAMLError, ValueError) as error:
        said = " ".join(str(error).split())
        raise UnreadableError(f"no YAML: {said[:160]}") from None


def _has_aliases(yaml: Any, text: str) -> bool:
    return any(isinstance(token, yaml.AliasToken) for token in yaml.scan(text))


def _without_tabs(text: str) -> str:
    """Tabs, which YAML doesn't have at a line's beginning, as blanks."""
    return re.sub(r"^\t+", lambda m: "  " * len(m[0]), text, flags=re.MULTILINE)


def _plain_links(text: str) -> str:
    """Links of notes, `[[a.png]]`, in quotes: YAML would take them for lists."""
    return re.sub(r"^(\s*[\w -]+:\s*)(!?\[\[.*?\]\])\s*$", r'\1"\2"', text, flags=re.MULTILINE)


# -- stat blocks -----------------------------------------------------------------------------------


def _blocks(data: Any) -> Contents:
    blocks = [data] if isinstance(data, dict) else rows(data)
    left: list[str] = []
    for row in blocks:
        name = one_line(row.get("name"))
        if row.get("extends"):
            left.append(
                f"{name}: it extends {', '.join(words(row['extends']))}, of which nothing is taken"
            )
    own = (row for row in blocks if {"hp", "ac", "actions", "stats"} & row.keys())
    return read_each(own, stat_block.creature, name_of) + Contents(left=tuple(left))


def is_block(data: Any) -> bool:
    """Whether JSON is a stat block of the kind, or a list of them: the export of its settings."""
    found = _json_blocks(data)
    return any(
        "hp" in row and ("stats" in row or "hit_dice" in row or "cr" in row) for row in found[:20]
    )


def read_json(data: Any) -> Contents:
    """The creatures of an export."""
    return _blocks(_json_blocks(data))


def _json_blocks(data: Any) -> list[dict[str, Any]]:
    if isinstance(data, list):
        pairs = [each[1] for each in data if isinstance(each, list) and len(each) == 2]
        return rows(pairs) or rows(data)
    return rows(table(data).get("monsters")) or rows([data])


# -- encounters ------------------------------------------------------------------------------------


def _encounters(text: str, at: int) -> Contents:
    found = Contents()
    for part in re.split(r"^---[ \t]*$", text, flags=re.MULTILINE):
        data = table(yaml_of(part)) if part.strip() else {}
        members = [*_members(data.get("creatures"), _hidden(data.get("hide")))]
        if members:
            title = one_line(data.get("name")) or f"Encounter {at}"
            party = data.get("players", True) not in (False, "none", [])
            found += Contents(meetings=(Meeting(title, tuple(members), party),))
    return found


def _hidden(value: Any) -> bool:
    return "creatures" in words(value)


def _members(value: Any, hidden: bool) -> Iterator[Member]:
    for each in value if isinstance(value, list) else ():
        if isinstance(each, str):
            yield _member("", each, hidden)
        elif isinstance(each, dict) and "creature" in each:
            yield _of_table("", each, hidden)
        elif isinstance(each, dict):
            for count, what in each.items():
                yield (
                    _of_table(str(count), what, hidden)
                    if isinstance(what, dict)
                    else _member(str(count), what, hidden)
                )
        elif isinstance(each, list):
            yield _member("", each, hidden)


def _of_table(count: str, row: dict[str, Any], hidden: bool) -> Member:
    return Member(
        one_line(row.get("creature")),
        _times(count),
        called=one_line(row.get("name")),
        hp=number(row.get("hp"), 0),
        most=number(row.get("hp"), 1),
        hidden=hidden or bool(row.get("hidden")),
        friend=bool(row.get("friend")),
        notes=_rolled(count),
    )


def _member(count: str, what: Any, hidden: bool) -> Member:
    """`Goblin, 9, 13, 2, 50, hidden, friend`, or `[Goblin, Grik]` with the name it goes by."""
    parts = [one_line(p) for p in what] if isinstance(what, list) else words(what)
    name, *rest = parts or [""]
    numbers = [part for part in rest if re.fullmatch(r"[+-]?\d+", part)]
    flags = {part.casefold() for part in rest}
    other = [p for p in rest if p not in numbers and p.casefold() not in _FLAGS]
    hp = number(numbers[0], 1) if numbers else None
    return Member(
        name,
        _times(count),
        called=other[0] if isinstance(what, list) and other else "",
        hp=hp,
        most=hp,
        hidden=hidden or "hidden" in flags,
        friend=bool(flags & _FRIENDS),
        notes=_rolled(count),
    )


_FRIENDS = {"friend", "friendly", "ally"}
_FLAGS = _FRIENDS | {"hidden"}


def _times(count: str) -> int:
    """How many come over: one where no number says it."""
    return (number(count, 1, 50) if count.strip().isdecimal() else None) or 1


def _rolled(count: str) -> tuple[str, ...]:
    """A count that is rolled at the table, `1d4+1`, is noted on the one that comes over."""
    return (f"{count} of them",) if "d" in count.casefold() else ()


# -- Initiative Tracker's own file -----------------------------------------------------------------


def is_tracker(data: Any) -> bool:
    """Whether it is Initiative Tracker's data.json."""
    keys = table(data).keys()
    return "players" in keys and bool({"parties", "encounters", "statuses", "state"} & keys)


def read_tracker(data: Any) -> Contents:
    """Its players, and its encounters with who is in them as they were."""
    given = table(data)
    people = [stat_block.creature(row, pc=True) for row in rows(given.get("players"))]
    states = {str(name): table(state) for name, state in table(given.get("encounters")).items()}
    if rows(table(given.get("state")).get("creatures")):
        states.setdefault(one_line(table(given["state"]).get("name")) or "Going on", given["state"])
    creatures, meetings = [*people], []
    for title, state in states.items():
        members = []
        for row in rows(state.get("creatures")):
            creatures.append(stat_block.creature(row, pc=bool(row.get("player"))))
            members.append(_tracked(row))
        if members:
            meetings.append(Meeting(title, tuple(members)))
    return Contents(tuple(creatures), tuple(meetings))


def _tracked(row: dict[str, Any]) -> Member:
    statuses = [
        one_line(s.get("name") if isinstance(s, dict) else s) for s in row.get("status") or ()
    ]
    return Member(
        one_line(row.get("name")),
        called=one_line(row.get("display")),
        hp=number(row.get("currentHP"), 0),
        most=number(row.get("currentMaxHP") or row.get("hp"), 1),
        temp=number(row.get("tempHP"), 0) or 0,
        hidden=bool(row.get("hidden")),
        friend=bool(row.get("friendly")) and not row.get("player"),
        notes=tuple(filter(None, statuses)),
    )

"""Notes of Obsidian: stat blocks (Fantasy Statblocks), and encounters (Initiative Tracker)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from affray.core.rules.imported_creature import ImportedCreature
from affray.data_text import MOST_NESTED, TOO_DEEP
from affray.store import importers
from affray.store.importers import stat_block
from affray.store.importers.values import Table, to_int, to_one_line, to_table, to_tables, to_words

_FRONT = re.compile(r"\A\s*---[ \t]*\n(.*?)\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_FENCED = re.compile(
    r"^```[ \t]*(statblock|encounter)[^\n]*\n(.*?)(?:^[ \t]*```|\Z)", re.DOTALL | re.MULTILINE
)

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]")


def matches(text: str) -> bool:
    """True if a note has a stat block or an encounter."""
    front = _FRONT.search(text)
    is_block = front is not None and re.search(r"^statblock\s*:", front[1], re.MULTILINE)
    return bool(is_block) or _FENCED.search(text) is not None


def has_numbers(text: str) -> bool:
    """True if a note's frontmatter has HP beside another number of a fight: Initiative Tracker
    takes such notes, too."""
    front = _FRONT.search(text)
    return front is not None and all(
        re.search(rf"^(?:{keys})[ \t]*:[ \t]*['\"]?[+-]?\d", front[1], re.MULTILINE | re.IGNORECASE)
        for keys in ("(?:max[_ ]?)?hp", "ac|initiative|modifier|cr")
    )


def import_data(text: str) -> importers.ImportContents:
    """The creatures and encounters of a note. A block whose YAML can't be read is among what is
    left; raises UnreadableError where that is all of it."""
    text = _CONTROL.sub("", text)
    found = importers.ImportContents()
    faults: list[str] = []
    front = _FRONT.search(text)
    is_block = front is not None and re.search(
        r"^statblock\s*:\s*['\"]?true", front[1], re.MULTILINE
    )
    if front is not None and (is_block or has_numbers(text)):
        try:
            found += _blocks(_note_yaml(front[1]))
        except importers.UnreadableError as error:
            faults.append(str(error))
    for number_, (kind, inner) in enumerate(_FENCED.findall(text), 1):
        try:
            found += (
                _blocks(_note_yaml(inner)) if kind == "statblock" else _encounters(inner, number_)
            )
        except importers.UnreadableError as error:
            faults.append(f"block {number_}: {error}" if found.creatures else str(error))
    if faults and not (found.creatures or found.meetings):
        raise importers.UnreadableError(faults[0])
    return found + importers.ImportContents(left=tuple(faults))


def yaml_of(text: str) -> Any:
    """Parse YAML. Raises UnreadableError for what is none, and where it refers to itself."""
    import yaml  # here, since it is large

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        text = _without_tabs(text)
        depth = 0
        for event in yaml.parse(text, Loader=loader):  # to load what nests ends the process
            if isinstance(event, yaml.AliasEvent):
                raise importers.UnreadableError(
                    "YAML with references, which affray does not follow"
                )
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if depth > MOST_NESTED:
                raise importers.UnreadableError(f"not valid YAML: {TOO_DEEP}")
        return yaml.load(text, Loader=loader)
    except importers.UnreadableError:
        raise
    except (yaml.YAMLError, ValueError) as error:
        label = " ".join(str(error).split())
        raise importers.UnreadableError(f"not valid YAML: {label[:160]}") from None


def _without_tabs(text: str) -> str:
    """Tabs, which YAML doesn't have at a line's beginning, as blanks."""
    return re.sub(r"^\t+", lambda m: "  " * len(m[0]), text, flags=re.MULTILINE)


_LINK = re.compile(
    r"!?\[\[(?:[^\[\]|\n]{1,300}\|)?([^\[\]|\n]{1,300})\]\]"
    r"|!?\[([^\[\]\n]{1,300})\]\((?:[^()\n]|\([^()\n]*\)){1,500}\)"
)
_HELD = re.compile("\ue000(\\d{1,6})\ue001")
"""What stands in the place of a link while YAML is read."""


def _note_yaml(text: str) -> Any:
    """Parse a note's YAML with its links as what they show. The plugin takes them out before it
    parses, so that one may stand anywhere in a value: `[[Darkvision]] 60 ft.`, where YAML has a
    list. Raises UnreadableError."""
    shown: list[str] = []

    def hold(match: re.Match[str]) -> str:
        shown.append(match[1] or match[2])
        return f"\ue000{len(shown) - 1}\ue001"

    held = _LINK.sub(hold, text)
    try:
        read = yaml_of(held)
    except importers.UnreadableError:
        if (quoted := _UNQUOTED.sub(_in_quotes, held)) == held:
            raise
        read = yaml_of(quoted)
    return _with_links(read, shown)


_UNQUOTED = re.compile(
    r"^([ \t]*(?:- +)?[\w -]{1,40}:[ \t]+)"
    r"(?![\"'\[{|>&!#])((?=[*@`%])[^\n]*|[^\n]*?(?::[ \t]|[ \t]#|:$)[^\n]*)$",
    re.MULTILINE,
)
"""A value that YAML takes for something else, since it has no quotes: `desc: Hit: 5 (1d6 + 2)`,
`name: *Old* Ghost`."""


def _in_quotes(match: re.Match[str]) -> str:
    text = match[2].replace("'", "''")
    return f"{match[1]}'{text}'"


def _with_links(value: Any, shown: list[str]) -> Any:
    """The parsed value with what the links show."""
    if isinstance(value, str):
        return _HELD.sub(lambda match: shown[int(match[1])], value)
    if isinstance(value, list):
        return [_with_links(each, shown) for each in value]
    if isinstance(value, dict):
        pairs = value.items()
        return {_with_links(key, shown): _with_links(each, shown) for key, each in pairs}
    return value


# -- stat blocks -----------------------------------------------------------------------------------


def _blocks(data: Any) -> importers.ImportContents:
    blocks = [data] if isinstance(data, dict) else to_tables(data)
    left: list[str] = []
    for row in blocks:
        name = to_one_line(row.get("name"))
        if row.get("extends"):
            others = ", ".join(to_words(row["extends"]))
            left.append(f"{name}: it extends {others}, which affray does not read")
    own = (
        row
        for row in blocks
        if {str(key).casefold() for key in row} & {"hp", "ac", "actions", "stats", "hit_points"}
    )
    return importers.import_each(own, _creature, importers.name_value) + importers.ImportContents(
        left=tuple(left)
    )


def _creature(given: Table) -> ImportedCreature:
    """The creature of a block; a note that says so, by its icon, its role or a tag, is that of a
    player's character."""
    row = {re.sub(r"[-_ ]", "", str(key)).casefold(): value for key, value in given.items()}
    tags = [tag.rpartition("/")[2] for tag in to_words(row.get("tags"))]
    says = [word for key in ("noteicon", "role") for word in to_words(row.get(key))]
    if "player" not in {word.casefold() for word in (*says, *tags)}:
        return stat_block.parse_stat_block(given)
    renamed = re.compile("note[-_ ]?icon|max[-_ ]?hp|pasperc|darkvision", re.IGNORECASE)
    fields = {key: value for key, value in given.items() if not renamed.fullmatch(str(key))}
    senses = {"darkvision": row["darkvision"]} if row.get("darkvision") else row.get("senses")
    perception = row.get("passiveperception") or row.get("pasperc")
    own = {"max_hp": row.get("maxhp"), "senses": senses, "passive_perception": perception}
    return stat_block.parse_stat_block({**fields, **own}, pc=True)


def is_block(data: Any) -> bool:
    """True if JSON is a stat block of the kind, or a list of them: the export of its settings."""
    found = _json_blocks(data)
    return any(
        ("hp" in row and ("stats" in row or "hit_dice" in row or "cr" in row))
        or {"name", "armor_class", "hit_points"} <= row.keys()
        for row in found[:20]
    )


def read_json(data: Any) -> importers.ImportContents:
    """The creatures of an export."""
    return _blocks(_json_blocks(data))


def _json_blocks(data: Any) -> list[Table]:
    if isinstance(data, list):
        pairs = [each[1] for each in data if isinstance(each, list) and len(each) == 2]
        return to_tables(pairs) or to_tables(data)
    return to_tables(to_table(data).get("monsters")) or to_tables([data])


# -- encounters ------------------------------------------------------------------------------------


def _encounters(text: str, at: int) -> importers.ImportContents:
    found = importers.ImportContents()
    for part in re.split(r"^---[ \t]*$", text, flags=re.MULTILINE):
        data = to_table(_note_yaml(part)) if part.strip() else {}
        members = [*_members(data.get("creatures"), "creatures" in to_words(data.get("hide")))]
        if members:
            title = to_one_line(data.get("name")) or f"Encounter {at}"
            party = data.get("players", True) not in (False, "none", [])
            found += importers.ImportContents(
                meetings=(importers.ImportedEncounter(title, tuple(members), party),)
            )
    return found


def _members(value: Any, hidden: bool) -> Iterator[importers.EncounterMember]:
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


def _of_table(count: str, row: Table, hidden: bool) -> importers.EncounterMember:
    return importers.EncounterMember(
        to_one_line(row.get("creature")),
        _times(count),
        called=to_one_line(row.get("name")),
        hp=to_int(row.get("hp"), 0),
        most=to_int(row.get("hp"), 1),
        hidden=hidden or bool(row.get("hidden")),
        friend=bool(row.get("friend")),
        notes=_rolled(count),
    )


def _member(count: str, what: Any, hidden: bool) -> importers.EncounterMember:
    """`Goblin, 9, 13, 2, 50, hidden, friend`, or `[Goblin, Grik]` with the name it goes by."""
    parts = [to_one_line(p) for p in what] if isinstance(what, list) else to_words(what)
    name, *rest = parts or [""]
    numbers = [part for part in rest if re.fullmatch(r"[+-]?\d+", part)]
    flags = {part.casefold() for part in rest}
    other = [p for p in rest if p not in numbers and p.casefold() not in _FLAGS]
    hp = to_int(numbers[0], 1) if numbers else None
    return importers.EncounterMember(
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
    """The number of creatures to add: one without a number."""
    return (to_int(count, 1, 50) if count.strip().isdecimal() else None) or 1


def _rolled(count: str) -> tuple[str, ...]:
    """Note a count to roll at the table, `1d4+1`, on the one creature that is added."""
    return (f"{count} of them",) if "d" in count.casefold() else ()


# -- Initiative Tracker's own file -----------------------------------------------------------------


def is_tracker(data: Any) -> bool:
    """True if it is Initiative Tracker's data.json."""
    keys = to_table(data).keys()
    return "players" in keys and bool({"parties", "encounters", "statuses", "state"} & keys)


def read_tracker(data: Any) -> importers.ImportContents:
    """Its players, and its encounters with who is in them as they were."""
    given = to_table(data)
    people = [stat_block.parse_stat_block(row, pc=True) for row in to_tables(given.get("players"))]
    states = {
        str(name): to_table(state) for name, state in to_table(given.get("encounters")).items()
    }
    if to_tables(to_table(given.get("state")).get("creatures")):
        states.setdefault(
            to_one_line(to_table(given["state"]).get("name")) or "Going on", given["state"]
        )
    creatures, meetings = [*people], []
    for title, state in states.items():
        members = []
        for row in to_tables(state.get("creatures")):
            creatures.append(stat_block.parse_stat_block(row, pc=bool(row.get("player"))))
            members.append(_tracked(row))
        if members:
            meetings.append(importers.ImportedEncounter(title, tuple(members)))
    return importers.ImportContents(tuple(creatures), tuple(meetings))


def _tracked(row: Table) -> importers.EncounterMember:
    statuses = [
        to_one_line(s.get("name") if isinstance(s, dict) else s) for s in row.get("status") or ()
    ]
    return importers.EncounterMember(
        to_one_line(row.get("name")),
        called=to_one_line(row.get("display")),
        hp=to_int(row.get("currentHP"), 0),
        most=to_int(row.get("currentMaxHP") or row.get("hp"), 1),
        temp=to_int(row.get("tempHP"), 0) or 0,
        hidden=bool(row.get("hidden")),
        friend=bool(row.get("friendly")) and not row.get("player"),
        notes=tuple(filter(None, statuses)),
    )

"""Monsters in the shape of 5etools that are told as copies of others, with what is changed in them.

{"name": "Bog Crab", "_copy": {"name": "Marsh Crab", "source": "OWN", "_mod": {
    "*": {"mode": "replaceTxt", "replace": "the crab", "with": "it"},
    "action": {"mode": "removeArr", "names": "Claw"}}}}
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from affray.store.importing.values import one_line, table

Row = dict[str, Any]
Key = tuple[str, str]
DEEPEST = 8
"""How many copies may lead from one to another."""
MOST_LETTERS, MOST_CHOICES = 200, 12
"""So long may the pattern of a change be, and so many times may it say `|`."""
TEXTS = ("trait", "action", "bonus", "reaction", "legendary", "mythic", "spellcasting")
"""The fields in which a change of all texts is made."""


def whole(rows: list[Row]) -> tuple[list[Row], list[str]]:
    """The rows with what they are copies of, and a line for each whose original isn't among them,
    and for each change that is not understood."""
    originals = {_key(row): row for row in rows}
    found: list[Row] = []
    left: list[str] = []
    for row in rows:
        made = _copied(row, originals, left)
        found += [made] if made is not None else []
    return found, left


def _key(row: Mapping[str, Any]) -> Key:
    return one_line(row.get("name")).casefold(), one_line(row.get("source")).casefold()


def _copied(row: Row, originals: dict[Key, Row], left: list[str], depth: int = 0) -> Row | None:
    """A row that is whole; None where it can't be."""
    if "_copy" not in row:
        return row
    of, name = table(row["_copy"]), one_line(row.get("name"))
    original = originals.get(_key(of))
    if original is None or original is row or depth > DEEPEST:
        whose = f"{one_line(of.get('name'))} ({one_line(of.get('source'))})"
        why = "which is not in the file" if original is None else "which is a copy of it in turn"
        left.append(f"{name}: a copy of {whose}, {why}")
        return None
    base = _copied(original, originals, left, depth + 1)
    if base is None:
        return None
    made = base | {key: value for key, value in row.items() if key != "_copy"}
    for field, changes in table(of.get("_mod")).items():
        for change in changes if isinstance(changes, list) else [changes]:
            if not _change(made, field, change):
                left.append(f"{name}: a change of the copy that isn't understood: {_told(change)}")
    return made


def _told(change: Any) -> str:
    return one_line(table(change).get("mode") or change) or "without a name"


def _change(made: Row, field: str, change: Any) -> bool:
    """Make one change of a copy; tells whether it is understood."""
    if change == "remove":
        made.pop(field, None)
        return True
    said = table(change)
    if said.get("mode") == "replaceTxt":
        if not _can_be_replaced(said):
            return False
        fields = [name for name in TEXTS if name in made] if field in ("*", "_") else [field]
        made |= {name: _replaced(made.get(name), said) for name in fields}
        return True
    listing = _LISTS.get(str(said.get("mode")))
    if listing is None:
        return False
    items = said.get("items")
    new = items if isinstance(items, list) else [items] if items is not None else []
    old = made.get(field)
    made[field] = listing(old if isinstance(old, list) else [], new, said)
    return True


def _can_be_replaced(said: Row) -> bool:
    """Whether it says what by what. Of patterns those that search for ever are not understood."""
    old, new = said.get("replace"), said.get("with")
    if not isinstance(old, str) or not isinstance(new, str) or set("*+?{") & set(old):
        return False
    return len(old) <= MOST_LETTERS and old.count("|") <= MOST_CHOICES and _is_pattern(old)


def _is_pattern(said: str) -> bool:
    try:
        re.compile(said)
    except re.error:
        return False
    return True


def _replaced(value: Any, said: Row, depth: int = 0) -> Any:
    """Whatever texts are in a value, with words in the place of others."""
    if isinstance(value, str):
        how = re.IGNORECASE if "i" in str(said.get("flags")) else 0
        return re.sub(said["replace"], lambda _: str(said["with"]), value, flags=how)
    if depth > DEEPEST:
        return value
    if isinstance(value, list):
        return [_replaced(each, said, depth + 1) for each in value]
    if isinstance(value, dict):
        return {key: _replaced(each, said, depth + 1) for key, each in value.items()}
    return value


# -- changes of lists ------------------------------------------------------------------------------


def _is_named(each: Any, names: Any) -> bool:
    """Whether an entry has a name, or one of several."""
    wanted = names if isinstance(names, list) else [names]
    return (each.get("name") if isinstance(each, dict) else each) in wanted


def _inserted(old: list[Any], new: list[Any], said: Row) -> list[Any]:
    at = said.get("index")
    place = at if isinstance(at, int) else len(old)
    return [*old[:place], *new, *old[place:]]


def _in_place(old: list[Any], new: list[Any], said: Row) -> list[Any]:
    """New entries in the place of the one that `replace` names; behind all where there is none."""
    names = said.get("replace")
    at = next((place for place, each in enumerate(old) if _is_named(each, names)), None)
    return [*old, *new] if at is None else [*old[:at], *new, *old[at + 1 :]]


_LISTS: dict[str, Callable[[list[Any], list[Any], Row], list[Any]]] = {
    "appendArr": lambda old, new, _: [*old, *new],
    "prependArr": lambda old, new, _: [*new, *old],
    "appendIfNotExistsArr": lambda old, new, _: [*old, *(each for each in new if each not in old)],
    "insertArr": _inserted,
    "replaceArr": _in_place,
    "replaceOrAppendArr": _in_place,
    "removeArr": lambda old, _, said: [e for e in old if not _is_named(e, said.get("names"))],
}

"""Formats that other packages add, through the entry-point group `affray.importers`.

What such a package does wrong costs its own importer, file, creature or encounter, and a line says
so; affray's formats and other packages' go on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import msgspec
from msgspec.structs import replace

from affray import debug_log
from affray.core.formatting.safe_text import to_one_line
from affray.core.parser.errors import join_or
from affray.core.rules.imported_creature import ImportedCreature
from affray.rulesets import known_rulesets
from affray.store.importers import (
    NAMELESS,
    ImportContents,
    ImportedEncounter,
    ImportFormat,
    UnreadableError,
    error_words,
    place_of,
)
from affray.store.importers.foundry_others import ANOTHER

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "affray.importers"
_Kind = TypeVar("_Kind", ImportedCreature, ImportedEncounter)


def importer_for(of: Literal["json", "text"], data: Any, faults: list[str]) -> ImportFormat | None:
    """Return the importer of a package that says that the data are of its format; None for none.
    `faults` gets a line on each that can't be asked."""
    formats, unusable = _installed()
    faults += unusable
    for each in formats:
        try:
            if each.of == of and each.holds(data):
                return each
        except UnreadableError as error:
            faults.append(str(error))
    return None


def importer_names() -> tuple[str, ...]:
    """Return the installed importers, each with its package: `hedge (affray-hedge)`."""
    return tuple(f"{entry.name} ({_package_of(entry)})" for entry in _entries())


def _entries() -> list[EntryPoint]:
    from importlib.metadata import entry_points  # here: it costs 15 ms, and most imports need none

    return sorted(entry_points(group=GROUP), key=lambda each: each.name)


def _package_of(entry: EntryPoint) -> str:
    """The package as pip knows it."""
    return (entry.dist.name if entry.dist else "") or entry.module.partition(".")[0]


@lru_cache(1)
def _installed() -> tuple[tuple[ImportFormat, ...], tuple[str, ...]]:
    """The importers that can be used, by name, and a line on each other."""
    found, faults = [], []
    for entry in _entries():
        package = _package_of(entry)
        label = f"the importer {entry.name} of {package}"
        try:
            loaded = _asked(f"{label} can't be loaded", _load, entry)
            _check_format(label, loaded)
        except UnreadableError as error:
            faults.append(f"{error}; affray goes on without it (`pip uninstall {package}`)")
            continue
        holds = partial(_asked, f"{label} can't say whether a file is of its format", loaded.holds)
        found.append(replace(loaded, holds=holds, read=partial(_read, label, loaded.read)))
    return tuple(found), tuple(faults)


def _load(entry: EntryPoint) -> Any:
    return entry.load()


def _asked(failure: str, ask: Callable[[Any], Any], data: Any) -> Any:
    """The answer of a package's function. Raises UnreadableError for any error in it."""
    try:
        return ask(data)
    except UnreadableError:
        raise
    except (Exception, SystemExit) as error:
        debug_log.unexpected(error)
        raise UnreadableError(f"{failure}: {place_of(error) or error_words(error)}") from None


def _check_format(label: str, loaded: Any) -> None:
    if not isinstance(loaded, ImportFormat):
        raise UnreadableError(f"{label} is {_kind_of(loaded)}, not an ImportFormat")
    if loaded.of not in ("json", "text"):
        raise UnreadableError(f"{label} is of {loaded.of!r}; it can be of 'json' or of 'text'")
    if not (isinstance(loaded.name, str) and callable(loaded.holds) and callable(loaded.read)):
        raise UnreadableError(f"{label} needs a name, and functions for `holds` and `read`")


def _kind_of(value: Any) -> str:
    name = type(value).__name__
    return "nothing" if value is None else f"a{'n' if name[0] in 'aeiouAEIOU' else ''} {name}"


class _Lines(msgspec.Struct, frozen=True):
    left: tuple[str, ...]
    doubts: tuple[tuple[str, str], ...]


# -- what it reads ---------------------------------------------------------------------------------


def _read(label: str, read: Callable[[Any], Any], data: Any) -> ImportContents:
    """The contents that a package reads, with numbers if it gives them as texts. Raises
    UnreadableError; a creature or an encounter with a value that none can have is left out."""
    given = _asked(f"{label} failed", read, data)
    if not isinstance(given, ImportContents):
        fault = f"`read` returns {_kind_of(given)}, not ImportContents"
        raise UnreadableError(f"{label} failed: {fault}")
    left: list[str] = []
    creatures = _fitting(label, "creatures", given.creatures, ImportedCreature, left)
    meetings = _fitting(label, "meetings", given.meetings, ImportedEncounter, left)
    try:
        lines = _fit({"left": given.left, "doubts": given.doubts}, _Lines)
    except ValueError as error:
        raise UnreadableError(f"{label} failed: {error}") from None
    return ImportContents(creatures, meetings, (*lines.left, *left), lines.doubts)


def _fitting(
    label: str, field: str, rows: Iterable[Any], kind: type[_Kind], left: list[str]
) -> tuple[_Kind, ...]:
    """The rows that are of a kind in all their fields; `left` gets a line on each other."""
    if not isinstance(rows, list | tuple):
        raise UnreadableError(f"{label} failed: `{field}` is {_kind_of(rows)}, not a tuple")
    found = []
    games: list[str] = [each for each in known_rulesets() if each != "5e"]
    for at, row in enumerate(rows):
        if not isinstance(row, kind):
            left.append(f"{field}[{at}] is {_kind_of(row)}, not an {kind.__name__}")
            continue
        name = row.name if isinstance(row, ImportedCreature) else row.title
        try:
            one = _fit(row, kind)
            if isinstance(one, ImportedCreature) and one.game not in ("", "5e", ANOTHER, *games):
                there = join_or(["5e", f"{ANOTHER} (for any other)", *games], "and")
                raise ValueError(f"there is no game {one.game!r}; there are {there}")
            found.append(one)
        except ValueError as error:
            left.append(f"{to_one_line(name) or NAMELESS}: {error}")
    return tuple(found)


_AT = re.compile(r"(?P<what>.*) - at `\$\.?(?P<where>.*)`")


def _fit(value: Any, kind: Any) -> Any:
    """The value as one of the kind, its whole numbers read from texts. Raises ValueError."""
    try:
        return msgspec.convert(msgspec.to_builtins(value), kind, strict=False)
    except TypeError:
        raise ValueError("a field has something that is no text, number, list or table") from None
    except msgspec.ValidationError as error:
        found = _AT.fullmatch(str(error))
        why = (found["what"] if found else str(error)).replace("`", "")
        raise ValueError(
            f"{found['where']}: {why[:1].lower()}{why[1:]}" if found else why
        ) from None

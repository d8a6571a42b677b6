"""Import other programs' creatures, characters and encounters from their files into a campaign.

One module for each format: pure functions from what was parsed to `core.rules.imported_creature`
structs, most of them by way of `stat_block`. `detect` tells the formats apart; `run_import` puts
the rows that rule systems make of creatures into a campaign.

`ImportContents` is what each of them reads from a file: creatures, encounters, and what can't be
used of it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from traceback import walk_tb
from typing import Annotated, Any, Literal, TypeVar

from msgspec import Meta, Struct
from msgspec.structs import replace

from affray import debug_log
from affray.core.rules.imported_creature import ImportedCreature
from affray.store.importers.own_acts import (
    borrow_attacks,
    each_once,
    runs,
    sharing,
    with_what_is_taken,
)
from affray.store.importers.own_saves import without_own_saves
from affray.store.importers.proficiency_words import with_bonus
from affray.store.importers.spell_lists import cast_singly, join_spells, read_spells
from affray.store.importers.values import to_one_line

__all__ = [
    "EncounterMember",
    "ImportContents",
    "ImportFormat",
    "ImportedEncounter",
    "UnreadableError",
    "import_each",
]


class EncounterMember(Struct, frozen=True):
    """A member of an encounter, or several alike.

    creature  the name of its creature
    count     how many of it, 1 or more
    called    its own name in the encounter; empty for none
    hp        its present HP; None for all of them
    most      its maximum, where that isn't its creature's
    temp      its temporary HP
    hidden    True if the players don't see it
    friend    True if it is on the party's side
    notes     the file's other words on it, such as conditions
    """

    creature: str
    count: Annotated[int, Meta(ge=1)] = 1
    called: str = ""
    hp: int | None = None
    most: int | None = None
    temp: int = 0
    hidden: bool = False
    friend: bool = False
    notes: tuple[str, ...] = ()


class ImportedEncounter(Struct, frozen=True):
    """An encounter with its members.

    title  its name; empty for that of the file
    party  True if the campaign's characters are in it
    """

    title: str
    members: tuple[EncounterMember, ...]
    party: bool = False


class ImportContents(Struct, frozen=True):
    """The contents of a file.

    creatures  creatures, and characters
    meetings   encounters
    left       lines on the parts that can't be used
    doubts     creatures that may be none: the name, and what speaks against it
    """

    creatures: tuple[ImportedCreature, ...] = ()
    meetings: tuple[ImportedEncounter, ...] = ()
    left: tuple[str, ...] = ()
    doubts: tuple[tuple[str, str], ...] = ()

    def __add__(self, more: ImportContents) -> ImportContents:
        return ImportContents(
            self.creatures + more.creatures,
            self.meetings + more.meetings,
            self.left + more.left,
            self.doubts + more.doubts,
        )


class ImportFormat(Struct, frozen=True):
    """A format of files, such as a package may add (`affray.importers`).

    name   its name in reports
    holds  True if a file is of the format; it gets the parsed file
    read   reads its contents; may raise UnreadableError with the reason in one line
    of     what both get: `json`, parsed, or `text`, the whole text
    """

    name: str
    holds: Callable[[Any], bool]
    read: Callable[[Any], ImportContents]
    of: Literal["json", "text"] = "json"


Progress = Callable[[int, int, str], None]
"""A function that is told the progress: done, total, and of what. An error from it stops the
import."""
_PROGRESS: ContextVar[Progress] = ContextVar("progress", default=lambda *_: None)


@contextmanager
def reports_progress(progress: Progress) -> Iterator[None]:
    """Tell the progress within large files, which readers don't know of, to `progress`."""
    token = _PROGRESS.set(progress)
    try:
        yield
    finally:
        _PROGRESS.reset(token)


UNFIT = (TypeError, ValueError, AttributeError, KeyError, IndexError, ArithmeticError)
"""The errors from data of an unexpected form."""
MISFIT = "its layout isn't understood"
_Given = TypeVar("_Given")


def import_each(
    found: Iterable[_Given],
    build: Callable[[_Given], ImportedCreature],
    named: Callable[[_Given], Any],
) -> ImportContents:
    """Import a creature from each; those that `build` can't make are listed in `left` by name.

    Where the code of a package fails, the line says where.
    """
    creatures, left = [], []
    rows, progress = [*found], _PROGRESS.get()
    for number, row in enumerate(rows, 1):
        progress(number, len(rows), "creatures read")
        try:
            creatures.append(build(row))
        except Exception as error:
            debug_log.unexpected(error)
            why = str(error) if isinstance(error, UnreadableError) else place_of(error)
            if not why and not isinstance(error, UNFIT):
                raise
            left.append(f"{_name_of(row, named)}: {why or MISFIT}")
    return ImportContents(tuple(creatures), left=tuple(left))


def _name_of(row: _Given, named: Callable[[_Given], Any]) -> str:
    with suppress(*UNFIT):
        if name := to_one_line(named(row)):
            return name
    return NAMELESS


NAMELESS = "a creature without a name"


def place_of(error: BaseException) -> str:
    """An error that a package's code raised, with its place: `KeyError: 'hp' (hedge.py, line 12)`.

    Empty for an error in affray's own code.
    """
    author, place = "", ""
    for frame, line in walk_tb(error.__traceback__):
        package = str(frame.f_globals.get("__name__")).partition(".")[0]
        if package == "affray" or package in sys.stdlib_module_names:
            continue
        author = author or package
        if package == author:
            place = f"{Path(frame.f_code.co_filename).name}, line {line}"
    return f"{error_words(error)} ({place})" if place else ""


def error_words(error: BaseException) -> str:
    """An error on one line: `KeyError: 'hp'`."""
    return to_one_line(f"{type(error).__name__}: {error}").rstrip(" :")[:200]


def with_acts_and_spells(contents: ImportContents) -> ImportContents:
    """The contents of any file, each creature with what its texts say of each other: whose attack
    an act makes, which breaths share a recharge, which spells it casts."""
    creatures, left = [], [*contents.left]
    progress = _PROGRESS.get()
    for number, one in enumerate(contents.creatures, 1):
        progress(number, len(contents.creatures), "abilities read")
        try:
            creatures.append(_with_acts_and_spells(one))
        except UNFIT:
            left.append(f"{to_one_line(one.name) or NAMELESS}: {MISFIT}")
    return replace(contents, creatures=tuple(creatures), left=tuple(left))


def _with_acts_and_spells(one: ImportedCreature) -> ImportedCreature:
    one = with_bonus(one)
    own = without_own_saves(each_once(one.features), one.name)
    own = with_what_is_taken(own, one.name)
    features = sharing(runs(borrow_attacks(own)))
    read = [*map(read_spells, features)]
    listed = join_spells(read)
    casts = listed or one.casts
    if casts is not None and one.casts is not None and not casts.slots:
        casts = replace(casts, slots=one.casts.slots)  # which a text need not repeat
    return replace(one, features=cast_singly(features, read) if listed else features, casts=casts)


def name_value(row: Any) -> Any:
    """Return the value under `name`."""
    return row.get("name") if isinstance(row, dict) else ""


class UnreadableError(ValueError):
    """A file in a known format that can't be read; the message says why, in one line."""

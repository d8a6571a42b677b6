"""What was read from a file: creatures, encounters, and what of it can't be used."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from affray.core.rules.imported import Creature
from affray.store.importing.feature_text import sharing
from affray.store.importing.values import one_line


class Member(Struct, frozen=True):
    """Somebody of an encounter, by the name of its creature.

    called  another name that it goes by there
    hp      its HP then, of `most`; `temp` are temporary ones
    notes   what the file says of it then, such as its conditions
    """

    creature: str
    count: int = 1
    called: str = ""
    hp: int | None = None
    most: int | None = None
    temp: int = 0
    hidden: bool = False
    friend: bool = False
    notes: tuple[str, ...] = ()


class Meeting(Struct, frozen=True):
    """An encounter: who is in it."""

    title: str
    members: tuple[Member, ...]
    party: bool = False


class Contents(Struct, frozen=True):
    """All that a file has; `left` are lines on what of it is not understood."""

    creatures: tuple[Creature, ...] = ()
    meetings: tuple[Meeting, ...] = ()
    left: tuple[str, ...] = ()

    def __add__(self, more: Contents) -> Contents:
        return Contents(
            self.creatures + more.creatures, self.meetings + more.meetings, self.left + more.left
        )


UNFIT = (TypeError, ValueError, AttributeError, KeyError, IndexError, ArithmeticError)
"""What comes of data in which something stands where something else is expected."""
_Given = TypeVar("_Given")


def read_each(
    found: Iterable[_Given], made: Callable[[_Given], Creature], named: Callable[[_Given], Any]
) -> Contents:
    """A creature of each; those that are laid out in some other way are left out by their names."""
    creatures, left = [], []
    for row in found:
        try:
            one = made(row)
            creatures.append(replace(one, features=sharing(one.features)))
        except UNFIT:
            name = one_line(named(row)) or "one without a name"
            left.append(f"{name}: laid out in a way that isn't understood")
    return Contents(tuple(creatures), left=tuple(left))


def name_of(row: Any) -> Any:
    """What stands under `name`."""
    return row.get("name") if isinstance(row, dict) else ""


class UnreadableError(ValueError):
    """A file that begins like one of ours but can't be read; the message says why, in one line."""

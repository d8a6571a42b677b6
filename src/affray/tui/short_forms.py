"""The two or three letters by which an effect is told where there is no room for its name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import count

from affray.core.rules.tables import Tables
from affray.core.telling.plain import plain


def short_forms(tables: Tables, others: Iterable[str] = ()) -> dict[str, str]:
    """A short form for each effect of the tables, then of the `others`, by name; no two alike.

    Who comes first in the tables has the first choice, so a house rule's own effect changes no
    other's short form.
    """
    return _shared_out(tables, tuple(dict.fromkeys(n for n in others if n not in tables.effects)))


@lru_cache(maxsize=8)  # the same effects are there from key to key
def _shared_out(tables: Tables, others: tuple[str, ...]) -> dict[str, str]:
    marks = {name: tables.look(name, rule.kind).mark for name, rule in tables.effects.items()}
    forms: dict[str, str] = {}
    taken: set[str] = set()
    for name, mark in (marks | dict.fromkeys(others, "")).items():
        form = next(form for form in _choices(name, plain(mark)) if form not in taken)
        taken.add(form)
        forms[name] = form
    return forms


def _choices(name: str, mark: str) -> Iterator[str]:
    """The glyph of its kind, if there is one; its first letter with a later one, or a number."""
    if mark:
        yield mark
    letters = [letter for letter in name.casefold() if letter.isalnum()]
    first = letters[0] if letters else "?"
    yield from (first + later for later in letters[1:])
    yield from (f"{first}{number}" for number in count(1))

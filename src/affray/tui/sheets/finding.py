"""Finding rows by what is typed: the best first, and each looked at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

from affray.core.language.refusal import close_to

T = TypeVar("T")

LEAST_LETTERS = 4
"""What is shorter is like too many names to be one of them misspelt."""
NEARNESS = 0.75
"""How like a word must be, from 0 to 1: three letters of four in their places."""


class Sought(NamedTuple):
    """What a row is found by, in small letters but for the keys: `sought` makes it.

    `said` has the name in it, too, and a blank before each word.
    """

    name: str
    said: str
    keys: tuple[str, ...]


def sought(name: str, said: Iterable[str] = (), keys: tuple[str, ...] = ()) -> Sought:
    """What a row of that name is found by: its name, all that is said of it, its keys."""
    return Sought(name.casefold(), " ".join(["", name, *said]).casefold(), keys)


def found(rows: Sequence[tuple[Sought, T]], query: str) -> list[T]:
    """The rows that fit, the best first, and else in their order; all of them for no query.

    Best is a key or the whole name, then a name that begins so, a word of it that does, a name with
    all the words in it, and a word that begins so in what is said of it; then what has the query
    within a word, or its words anywhere. Where nothing fits, those are found whose names are spelt
    nearly so.
    """
    typed = " ".join(query.casefold().split())
    if not typed:
        return [row for _, row in rows]
    words = typed.split()
    ranked: list[tuple[int, int]] = []
    for index, (by, _) in enumerate(rows):
        rank = _rank(by, query, typed, words)
        if rank < _UNFIT:
            ranked.append((rank, index))
    ranked.sort()
    best = [index for _, index in ranked] or _nearly(rows, words)
    return [rows[index][1] for index in best]


_UNFIT = 8


def _rank(by: Sought, query: str, typed: str, words: list[str]) -> int:
    name, said, keys = by
    if typed == name or (keys and query in keys):
        return 0
    if name.startswith(typed):
        return 1
    if f" {typed}" in name:
        return 2
    several = len(words) > 1
    if several and _has_all(words, name):
        return 3
    if f" {typed}" in said:
        return 4
    if typed in said:
        return 5 if typed in name else 6
    return 7 if several and _has_all(words, said) else _UNFIT


def _has_all(words: list[str], text: str) -> bool:
    return all(word in text for word in words)


def _nearly(rows: Sequence[tuple[Sought, T]], words: list[str]) -> list[int]:
    """The rows with a word in their names that is close to one that was typed."""
    typed = [word for word in words if len(word) >= LEAST_LETTERS]
    if not typed:
        return []
    known: dict[str, list[int]] = {}
    for index, (by, _) in enumerate(rows):
        for word in by.name.split():
            known.setdefault(word, []).append(index)
    near = [like for word in typed for like in close_to(word, _worth_a_look(word, known), NEARNESS)]
    return list(dict.fromkeys(index for word in near for index in known[word]))


def _worth_a_look(word: str, known: Iterable[str]) -> list[str]:
    """The words that may be close to it: nearly as long, and mostly of its letters.

    To find out how close they are costs far more.
    """
    letters, most = set(word), len(word)
    return [
        o for o in known if abs(len(o) - most) <= 2 and 2 * len(letters & set(o)) > len(letters)
    ]

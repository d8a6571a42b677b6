"""Find rows by words that somebody types, the best first: rules, creatures, keys, past acts.

rows = [(search_key("Prone", ("on the ground",)), "prone")]
search(rows, "gro")  # ["prone"]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

from affray.core.parser.errors import close_matches
from affray.core.parser.spelling import fold

T = TypeVar("T")

LEAST_LETTERS = 4
"""The fewest letters of a misspelt name: shorter words are like too many names."""
NEARNESS = 0.75
"""How like a word must be, from 0 to 1: three letters of four in their places."""


class SearchKey(NamedTuple):
    """The words by which a row is found, folded but for the keys; made by `search_key`.

    `text` has the name in it, too, and a blank before each word, as has `also`.
    """

    name: str
    text: str
    keys: tuple[str, ...]
    also: str


def search_key(
    name: str, words: Iterable[str] = (), keys: tuple[str, ...] = (), also: str = ""
) -> SearchKey:
    """Make the search key of a row: its name, all words about it, its keys, and other words that
    find it nearly as well as its name."""
    other = fold(f" {also} ")
    return SearchKey(fold(name), fold(" ".join(["", name, *words])) + other, keys, other)


def search(rows: Sequence[tuple[SearchKey, T]], query: str) -> list[T]:
    """The rows that fit, best first, then in their own order; all of them for an empty query.

    Best is a key or the whole name. Then come, in this order: names that begin so, names with a
    word that begins so, synonyms, names with all the words of the query, rows with a word that
    begins so in their text, and rows with the query within a word or its words anywhere. If nothing
    fits, rows with a similar name are found.
    """
    typed = " ".join(fold(query).split())
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


_UNFIT = 9


def _rank(by: SearchKey, query: str, typed: str, words: list[str]) -> int:
    name, text, keys, also = by
    if typed == name or (keys and query in keys):
        return 0
    if name.startswith(typed):
        return 1
    if f" {typed}" in name:
        return 2
    if f" {typed} " in also:
        return 3
    several = len(words) > 1
    if several and _has_all(words, name):
        return 4
    if f" {typed}" in text:
        return 5
    if typed in text:
        return 6 if typed in name else 7
    return 8 if several and _has_all(words, text) else _UNFIT


def _has_all(words: list[str], text: str) -> bool:
    return all(word in text for word in words)


def _nearly(rows: Sequence[tuple[SearchKey, T]], words: list[str]) -> list[int]:
    """The rows with a word in their names that is close to one that was typed."""
    typed = [word for word in words if len(word) >= LEAST_LETTERS]
    if not typed:
        return []
    by_name: dict[str, list[int]] = {}
    for index, (by, _) in enumerate(rows):
        for word in by.name.split():
            by_name.setdefault(word, []).append(index)
    near = [
        like
        for word in typed
        for like in close_matches(word, _worth_a_look(word, by_name), NEARNESS)
    ]
    return list(dict.fromkeys(index for word in near for index in by_name[word]))


def _worth_a_look(word: str, choices: Iterable[str]) -> list[str]:
    """The words that may be close to it: nearly as long, and mostly of its letters.

    To find out how close they are costs far more.
    """
    letters, most = set(word), len(word)
    return [
        o for o in choices if abs(len(o) - most) <= 2 and 2 * len(letters & set(o)) > len(letters)
    ]

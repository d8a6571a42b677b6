"""How names are compared: capitals and accents make no difference.

`fold` is the one place that says which letters count as the same. A name spelt exactly as typed,
accents included, comes before a similar one.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from affray.core.late_pattern import late_pattern

_ACCENTS = late_pattern("[\u0300-\u036f]")
_PLAIN = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "ŧ": "t"}
    | {"æ": "ae", "œ": "oe", "þ": "th", "’": "'", "‘": "'", "ʼ": "'"}
)
"""Letters that no accent sets apart from those that people type for them."""
MOST_KEPT = 4096
"""The number of folded names to remember: more than a campaign has."""


def fold(text: str) -> str:
    """Return a text as names are compared, without capitals and accents: `Zoë` is `zoe`."""
    return text.lower() if text.isascii() else _folded(text)


@lru_cache(MOST_KEPT)
def _folded(text: str) -> str:
    bare = _ACCENTS.sub("", unicodedata.normalize("NFKD", text.casefold()))
    return unicodedata.normalize("NFC", bare).translate(_PLAIN)


def is_accented(text: str) -> bool:
    """True if folding takes away more of a text than its capitals."""
    return not text.isascii() and fold(text) != text.casefold()


def called_so(word: str, names: Iterable[str]) -> list[str]:
    """Return the names that are spelt as a word is, or else those that fold to the same."""
    row, typed = list(names), word.casefold()
    return [n for n in row if n.casefold() == typed] or [n for n in row if fold(n) == fold(word)]


def begun_so(word: str, names: Iterable[str]) -> list[str]:
    """Return the names that begin with a word; with accents in it, those that have them too come
    alone."""
    row, typed, folded = list(names), word.casefold(), fold(word)
    exact = [n for n in row if n.casefold().startswith(typed)] if typed != folded else []
    return exact or [n for n in row if fold(n).startswith(folded)]


def known_as(word: str, names: Iterable[str]) -> str:
    """Return the one of some names, all in small letters, that a word means; else the word so."""
    row = list(names)
    found = called_so(word, row) if word.casefold() not in row else []
    return found[0] if len(found) == 1 else word.casefold()

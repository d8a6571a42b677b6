"""A row of a table as the words of a command: `{ap = 2, thread = true}` is `ap 2 thread`.

So a creature of the bestiary is what `add` reads, and a campaign's power what a sheet says of one.
Each field stays a word that nothing before it can have, so that their order means nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from affray.core.language.words import Word, split_words


def words_of_row(row: Mapping[str, Any], leaving_out: Collection[str]) -> list[Word]:
    """Each field with its value behind it; what is true alone, and what is false not at all."""
    words: list[Word] = []
    for field, value in row.items():
        if field in leaving_out or value is False:
            continue
        for one in value if _is_list_of_phrases(value) else [value]:
            words.append(Word(field))
            words[-1].field = True
            if isinstance(one, list):
                words.append(Word(",".join(str(part) for part in one)))
            elif one is not True:
                words += split_words(str(one))
    return words


def quoted(text: object) -> Word:
    """A text as one word, whatever stands in it."""
    word = Word(text)
    word.quoted = True
    return word


def _is_list_of_phrases(value: object) -> bool:
    """Whether each part of it stands behind the word anew: attacks do, single words don't."""
    return isinstance(value, list) and any(" " in str(part) for part in value)

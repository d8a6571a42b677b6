"""Text as it may be shown: nothing in it can move a cursor, change a colour or turn a line round.

Everything that comes from a person or a file goes through here before a terminal gets it.
"""

from __future__ import annotations

import unicodedata

_BLANK = "\t\n\r"
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def plain(text: str) -> str:
    """The text without what would move the cursor, change colours or turn the direction of text."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(" " if ch in _BLANK else ch for ch in text if ch in _BLANK or _is_shown(ch))


def one_line(text: str) -> str:
    """The text on one line, plain, with single blanks between its words."""
    return " ".join(plain(text).split())


def _is_shown(character: str) -> bool:
    return unicodedata.category(character) not in _HIDDEN

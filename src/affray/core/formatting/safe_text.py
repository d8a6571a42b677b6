"""Text made safe to show: nothing in it can move a cursor, change a colour or turn a line round.

Everything that comes from a person or a file goes through here before a terminal gets it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from datetime import UTC, datetime

_BLANK = "\t\n\r"
_PICTURED = frozenset("\ufe0e\ufe0f")
"""They ask for the character before as a letter or as a picture, which some terminals draw over two
cells and others over one: a row with it would end at another place than it was made for."""
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def strip_control_chars(text: str) -> str:
    """The text without codes that move the cursor, change colours or turn the direction of text,
    and without characters whose width terminals disagree on.
    """
    if text.isprintable() and (text.isascii() or _PICTURED.isdisjoint(text)):
        return text  # as nearly all: nothing that is printable is hidden
    return "".join(" " if ch in _BLANK else ch for ch in text if ch in _BLANK or _is_shown(ch))


def cell_width(text: str) -> int:
    """The cells over which a terminal draws a text that is made safe."""
    if text.isascii():
        return len(text)
    return sum(_cells(character) for character in text)


def _cells(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def pad(text: str, cells: int) -> str:
    """The text, made safe, padded with blanks to a width."""
    shown = strip_control_chars(text)
    return shown + " " * (cells - cell_width(shown))


def widest(texts: Iterable[str]) -> int:
    """The width of the widest of some texts, made safe; 0 for none."""
    return max((cell_width(strip_control_chars(text)) for text in texts), default=0)


def to_one_line(text: str) -> str:
    """The text on one line, plain, with single blanks between its words."""
    return " ".join(strip_control_chars(text).split())


def _is_shown(character: str) -> bool:
    return character not in _PICTURED and unicodedata.category(character) not in _HIDDEN


def local_day(at: datetime) -> str:
    """The day of a time as people at this machine have it: `2026-11-29`. One without a zone is in
    UTC."""
    return f"{(at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone():%Y-%m-%d}"


# -------------------------------------------------------------------------------------------------
# Names as one word: `hyphenate` for commands and tables, `to_id` for the log.


def hyphenate(name: str) -> str:
    """A name of several words as commands and rows of tables have it: `Mira's Bow` is
    `mira's-bow`."""
    return "-".join(name.casefold().split())


def to_id(name: str) -> str:
    """A name as an id, of letters and digits alone: `Mira's Bow` is `mira-s-bow`. Empty for a name
    that has neither."""
    return "-".join(re.findall(r"\w+", unicodedata.normalize("NFC", name).casefold()))

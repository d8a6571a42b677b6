"""Words and numbers in two media: written, and for the ear.

A `Said` is a word with both forms. A `Notation` puts a sheet into words for one medium.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct

from affray.core.dice import DiceError, parse_dice
from affray.core.parser.errors import format_signed

WRITTEN, SPOKEN = 0, 1
"""The media, as indexes of `Said`."""


class Said(NamedTuple):
    """A word with another form for the ear, such as a number with its sign.

    titled  its form in the title of an entry, if different: `Luck −1`
    """

    written: str
    spoken: str
    titled: str = ""


Word = str | Said
"""A word with one form (typed words always are), or with two."""
Words = Mapping[str, str]
"""Words for the ear, by those that are written: `Tables.spoken`."""


def say(word: Word, medium: int) -> str:
    """The word as a medium has it."""
    return word if isinstance(word, str) else word[medium]


def without_hyphens(word: str) -> str:
    """A word that commands and tables write with hyphens, in plain words: `crit miss`."""
    return word.replace("-", " ")


def signed_aloud(number: int) -> str:
    """A bonus or penalty for the ear: `plus 2`."""
    return f"{'plus' if number >= 0 else 'minus'} {abs(number)}"


def number_aloud(number: int) -> str:
    """A number for the ear: `minus 3`, but `3`."""
    return str(number) if number >= 0 else signed_aloud(number)


@lru_cache(maxsize=256)
def dice_in_words(dice: str) -> Said:
    """Dice with a bonus: `1d8-1`, `1d8 minus 1`."""
    try:
        return Said(dice, parse_dice(dice).spoken)
    except DiceError:  # that a hand wrote into a log
        return Said(dice, dice)


TIMES = "times "
"""The word for the ear between a name and its number, such as those left of a group."""
_SIGNS = {"+": "plus", "-": "minus", "−": "minus", "×": "times"}
_ALOUD = re.compile(
    r"""(?P<typed>(?<!\w)'[^']*'(?!\w)|"[^"]*")|(?P<dice>\b\d*d\d+(?:[-−+kd][\dhl]+)+\b)"""
    r"""|(?<![\w.,])(?P<sign>[-−+×](?=\d)|\+(?= ))|(?P<short>\b[A-Z]{2,}\b)"""
)


def without_marks(text: str) -> str:
    """A text of the program's for the ear: no marks around commands, and `Ghoul times 2`."""
    return text.replace("`", "").replace(" ×", f" {TIMES}")


def prose_aloud(text: str, words: Words) -> str:
    """A text of the rules, or a refusal, for the ear: its signs, dice and short words in words.
    What it quotes stays as it was typed."""

    def in_words(found: re.Match[str]) -> str:
        if found["sign"]:
            after = "" if found.string[found.end()] == " " else " "
            return f"{_SIGNS[found['sign']]}{after}"
        if found["dice"]:
            return dice_in_words(found[0].replace("−", "-")).spoken
        return words.get(found[0], found[0])

    return _ALOUD.sub(in_words, without_marks(text))


class Notation(Struct, frozen=True):
    """The form in which a sheet is put into words: written, or for the ear.

    medium  `WRITTEN` or `SPOKEN`
    spoken  words for the ear in place of short ones: `Tables.spoken`
    """

    medium: int = WRITTEN
    spoken: Words = {}

    def signed(self, number: int) -> str:
        """A bonus or penalty: `+2`, or `plus 2`."""
        return signed_aloud(number) if self.medium == SPOKEN else format_signed(number)

    def dice(self, dice: str) -> str:
        """Dice with a bonus: `1d8+3`, or `1d8 plus 3`."""
        return dice_in_words(dice)[self.medium] if dice else ""

    def word(self, word: str) -> str:
        """A word of the tables, which may be short: `wis`, or `wisdom`."""
        return self.spoken.get(word, word) if self.medium == SPOKEN else word

    def counted(self, name: str, count: int) -> str:
        """A thing with its number: `torch ×3`, or `torch times 3`; without for one."""
        between = TIMES if self.medium == SPOKEN else "×"
        return name if count == 1 else f"{name} {between}{count}"

    @property
    def gap(self) -> str:
        """The text between the words of a row: the ear needs a pause."""
        return ", " if self.medium == SPOKEN else " "

    @property
    def between(self) -> str:
        """The text between rows."""
        return "; " if self.medium == SPOKEN else ", "


IN_WRITING = Notation()

"""What a sheet says of its moments: `when start "Heals unless burned"`, `when 20 "The lair acts"`.

It is told when that moment comes (`core.heart.moments`, which finds it in texts as well).
"""

from __future__ import annotations

from itertools import chain
from typing import Annotated

from msgspec import Struct

from affray.core.heart.moments import MOMENTS
from affray.core.language import arguments
from affray.core.language.declared import Argument, Reading
from affray.rulekit import sheets


def _read_moment(reading: Reading) -> str:
    words = reading.words
    words.take("count")
    if words.has_number():
        return str(words.number("a count of the initiative", 0, 99))
    called = chain.from_iterable(reading.ctx.tables.moments.values())
    return words.choice("a moment, or a count of the initiative", (*MOMENTS, *called))


class When(Struct, frozen=True):
    """One reminder: the moment, and what is told then."""

    at: Annotated[str, Argument(_read_moment, "MOMENT|COUNT")]
    text: Annotated[str, arguments.text("what is told then", usage='"TEXT"')]


ROW = sheets.attacks("when", When, usage="", stat="when")
"""The row of a sheet, which any game may have."""

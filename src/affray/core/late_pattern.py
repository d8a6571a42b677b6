"""Regular expressions that are compiled when they are first used.

There are dozens of them, and a start needs few: to compile all took a tenth of `affray show`.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Any, AnyStr, cast


class _LatePattern:
    """Stands for a compiled pattern; the first look at any of its methods compiles it."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self._compile = partial(re.compile, pattern, flags)

    def __getattr__(self, name: str) -> Any:
        compiled = self._compile()
        for each in ("findall", "finditer", "fullmatch", "match", "search", "split", "sub"):
            setattr(self, each, getattr(compiled, each))
        return getattr(compiled, name)


def late_pattern(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return what `re.compile` does, without doing it yet. What is wrong with it shows at its use.

    >>> late_pattern(r"d\\d+").search("2d6")[0]
    'd6'
    """
    return cast("re.Pattern[AnyStr]", _LatePattern(pattern, flags))

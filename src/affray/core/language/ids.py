"""Names as one word: as commands and tables have them, and as the log does."""

from __future__ import annotations

import re


def hyphened(name: str) -> str:
    """A name of several words as commands and rows of tables have it: `Mira's Bow` is
    `mira's-bow`."""
    return "-".join(name.casefold().split())


def id_of(name: str) -> str:
    """A name as an id, of letters and digits alone: `Mira's Bow` is `mira-s-bow`. Empty for a name
    that has neither."""
    return "-".join(re.findall(r"\w+", name.casefold()))

"""Random tables: what dice find, each result with what it is. A campaign has its own.

    [random.flotsam]
    dice = "1d6"
    rows = { "1-3" = "driftwood", "4-5" = "a sealed jar", "6" = "somebody's boot" }

`roll flotsam` rolls on it. Seed 004: What are Dice Used For, Random Tables.
"""

from __future__ import annotations

import re

from msgspec import Struct

from affray.core.dice.notation import parse_dice, roll
from affray.core.dice.sources import DiceSource
from affray.core.language.refusal import Refused
from affray.core.rules.checking import check_dice

_RANGE = re.compile(r"([0-9]{1,4})(?:-([0-9]{1,4}))?", re.ASCII)
_ID = re.compile(r"[a-z]+(-[a-z0-9]+)*", re.ASCII)


class RandomTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A random table: its dice, and `rows`: a total, or several such as `2-5` -> what it is."""

    dice: str
    rows: dict[str, str]
    name: str = ""


def span_of(key: str) -> range:
    """The totals that a row is for. Raises Refused for what is no total and none to another."""
    found = _RANGE.fullmatch(key)
    if found is None:
        raise Refused(f"expected a total or two with - between, such as 2-5, found {key!r}")
    return range(int(found[1]), int(found[2] or found[1]) + 1)


def rolled_on(table: RandomTable, source: DiceSource) -> str:
    """Roll on the table: the dice as they fell, and what that is; nothing for what has no row."""
    fell = roll(parse_dice(table.dice), source)
    what = next((what for key, what in table.rows.items() if fell.total in span_of(key)), "")
    return f"{table.name}: {fell}: {what}"


def check_random_table(name: str, table: RandomTable) -> None:
    """Raises Refused for a table of which a command can't be made, or dice find nothing."""
    where = f"[random.{name}]"
    if not _ID.fullmatch(name):
        raise Refused(f"{where}: its id must be words in small letters with - between")
    dice = check_dice(f"{where} dice", table.dice)
    row_of: dict[int, str] = {}
    for key in table.rows:
        try:
            span = span_of(key)
        except Refused as error:
            raise Refused(f"{where} rows: {error}") from None
        for total in span:
            if total in row_of:
                raise Refused(f"{where} rows: {total} is in {row_of[total]!r} and in {key!r}")
            row_of[total] = key
    missing = next((n for n in range(dice.minimum, dice.maximum + 1) if n not in row_of), None)
    if missing is not None:
        raise Refused(f"{where} rows: {missing} of {table.dice} has no row")

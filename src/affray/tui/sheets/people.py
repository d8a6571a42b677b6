"""A campaign's party and bestiary as a list to be searched, with a row that makes somebody."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.style import Style

from affray.core.commands.adding import BENCHED
from affray.core.heart.state import Encounter
from affray.core.language.refusal import listed
from affray.core.rules.ruleset import Ruleset, is_for
from affray.tui.drawing import Line, cut, flow, plain
from affray.tui.sheets.contents import Contents, row_line, wrapped_lines
from affray.tui.sheets.creatures import (
    BESTIARY,
    PARTY,
    Creature,
    campaign_creatures,
    creature_lines,
)
from affray.tui.sheets.finding import Sought, found, sought
from affray.tui.themes import Inks

KINDS = {PARTY: "pc", BESTIARY: "monster"}
NOBODY = "Nobody yet: type a name"
SHORT = 40
"""A part of a usage that is longer stands on lines of its own."""


class New(NamedTuple):
    """Somebody who is to be made: a name, and whether in the party or the bestiary."""

    name: str
    where: str


class People(Contents[Creature | New]):
    """Those of the party or the bestiary, then those of the other; found by any word of theirs.

    where  where somebody new is made, and whose rows stand first: `party` or `bestiary`
    """

    NAME = "Party and bestiary"
    KEY = "people"
    TAKES = "edits, or makes anew"

    def __init__(self, ruleset: Ruleset, where: str) -> None:
        self.ruleset, self.where = ruleset, where
        tables, nobody = ruleset.tables, Encounter()
        rows = sorted(campaign_creatures(tables), key=lambda row: row.sort != where)
        self._known: list[tuple[Sought, Creature | New]] = [
            (sought(row.name, row.words(tables, nobody)), row) for row in rows
        ]

    def rows(self, query: str) -> Sequence[Creature | New | str]:
        """Those whose names fit, who could be made of what was typed, and who fits otherwise."""
        new = self.new(query)
        fit = found(self._known, query)
        if not new.name:
            return fit or [NOBODY]
        words = new.name.casefold().split()
        named: list[Creature | New] = []
        others: list[Creature | New] = []
        for row in fit:
            is_named = all(word in row.name.casefold() for word in words)
            (named if is_named else others).append(row)
        return [*named, new, *others]

    def new(self, query: str) -> New:
        """Who could be made of what was typed."""
        return New(" ".join(query.split()), self.where)

    def at_key(self, key: str, rows: Sequence[Creature | New | str], otherwise: int) -> int:
        """The index of the row of that key, or else the one given."""
        here = (n for n, row in enumerate(rows) if isinstance(row, Creature) and row.id == key)
        return next(here, otherwise)

    def line(self, row: Creature | New, number: int, width: int, inks: Inks, chosen: bool) -> Line:
        """`› Mira   benched   party`"""
        line = row_line(chosen, inks)
        if isinstance(row, New):
            return line.add(cut(f"+ new: {plain(row.name)}", width - 2), inks.good)
        line.add(cut(plain(row.name), max(width - 22, 8)), inks.strong if chosen else inks.plain)
        benched = BENCHED if self.ruleset.tables.bestiary[row.id].get(BENCHED) else ""
        line.column(max(width - 18, 12)).add(benched, inks.warn)
        return line.column(max(width - 9, 20)).add(row.sort, inks.dim)

    def told(self, row: Creature | New, width: int, inks: Inks) -> list[Line]:
        """The stat block; of somebody new what can be said."""
        if isinstance(row, Creature):
            return creature_lines(self.ruleset, Encounter(), row, width, inks)
        tables, kind = self.ruleset.tables, KINDS[row.where]
        words = self.ruleset.sheet.words(tables)
        others = [w.name for w in words if not w.usual and is_for(w.of, kind)]
        asks = f"↵ asks for the numbers of {row.name}, all in one line:"
        return [
            *wrapped_lines([asks], width, inks.dim),
            *_parts(["[text TEXT]", *self.ruleset.sheet.usage(tables, kind)], width, inks.plain),
            *(wrapped_lines([f"and {listed(others, 'or')}"], width, inks.dim) if others else ()),
        ]


def _parts(usages: Sequence[str], width: int, ink: Style) -> list[Line]:
    """The parts of a usage side by side; what is long is wrapped on lines of its own."""
    short = [Line().add(plain(part), ink) for part in usages if len(part) <= SHORT]
    lines = flow(short, width)
    for part in usages:
        if len(part) > SHORT:
            first, *rest = wrapped_lines([part], width - 2, ink)
            lines += [first, *(Line().column(2).join(row) for row in rest)]
    return lines

"""What a sheet shows: rows to choose from, of which there may be very many, and more on one.

The pane asks for what can be seen alone, so contents may leave everything else unsaid.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, Generic, TypeVar

from rich.style import Style

from affray.core.heart.state import Encounter
from affray.core.rules.ruleset import Ruleset
from affray.tui.drawing import Line, plain, wrapped
from affray.tui.fight_view import FightView
from affray.tui.themes import Inks

Row = TypeVar("Row")


def row_line(chosen: bool, inks: Inks) -> Line:
    """The beginning of a row, with a mark where it is the chosen one."""
    return Line().add("› " if chosen else "  ", inks.accent)


def wrapped_lines(texts: Iterable[str], width: int, ink: Style) -> list[Line]:
    """Texts, each on as many lines as it needs."""
    return [Line().add(row, ink) for text in texts for row in wrapped(plain(text), width)]


class Contents(ABC, Generic[Row]):
    """The rows of a sheet. A row that is a text stands above others and can't be chosen.

    NAME      what the frame says
    KEY       the entry of the table of keys that opens it
    SEARCHED  whether typing narrows the rows
    REMEMBERS whether what was typed is there again the next time
    SHARE     how many cells of a hundred the list has where the rest stands beside it
    TAKES     what enter does; empty where it does no more than close
    KEYS      keys of its own, and what they do
    """

    NAME: ClassVar[str]
    KEY: ClassVar[str]
    SEARCHED: ClassVar[bool] = True
    REMEMBERS: ClassVar[bool] = False
    SHARE: ClassVar[int] = 42
    TAKES: ClassVar[str] = ""
    KEYS: ClassVar[Mapping[str, str]] = {}

    @abstractmethod
    def rows(self, query: str) -> Sequence[Row | str]:
        """The rows that fit what was typed, the best first; all of them for nothing."""

    @abstractmethod
    def line(self, row: Row, number: int, width: int, inks: Inks, chosen: bool) -> Line:
        """The row of that index, for so many cells."""

    @abstractmethod
    def told(self, row: Row, width: int, inks: Inks) -> list[Line]:
        """More on the chosen row."""

    def first(self, rows: Sequence[Row | str]) -> int:
        """The index of the row that is chosen when it opens."""
        return 0

    def choose(self, rows: Sequence[Row | str], at: int) -> None:
        """Take in which row is chosen, where others are drawn by that."""

    def renewed(self, view: FightView) -> bool:
        """Take in how the fight stands now; tells whether the rows are others for that."""
        return False


class OfTheFight(Contents[Row]):
    """Contents that are made of the rules and of the fight as it stands, and anew with these."""

    def __init__(self, ruleset: Ruleset, state: Encounter) -> None:
        self.take(ruleset, state)

    def take(self, ruleset: Ruleset, state: Encounter) -> None:
        """Take in the rules and the fight."""
        self.ruleset, self.state = ruleset, state

    def renewed(self, view: FightView) -> bool:
        """Other rows of the campaign's, or another state, make a difference."""
        changed = (view.ruleset, view.state) != (self.ruleset, self.state)
        if changed:
            self.take(view.ruleset, view.state)
        return changed

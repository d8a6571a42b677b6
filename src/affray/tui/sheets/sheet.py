"""A sheet as a model without a screen: what was typed, the rows that fit, and the chosen one."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto
from itertools import chain
from typing import Any

from affray.tui.fight_view import FightView
from affray.tui.sheets.contents import Contents

MOST_TYPED = 100
LETTERS = {"j": "down", "k": "up"}
"""They move the cursor, as on the fight's screen, where nothing is typed."""


class SheetStep(Enum):
    """What a key came to."""

    DONE = auto()
    LEFT = auto()
    TAKEN = auto()
    PASSED = auto()


class Sheet:
    """Contents that are looked through.

    query  what was typed
    kept   whether that was typed the time before: the next letter takes its place
    cleared  what esc took back of it
    rows   what fits
    at     the index of the chosen row
    """

    def __init__(self, contents: Contents[Any], query: str = "") -> None:
        self.contents = contents
        self.query, self.kept, self.cleared = query, bool(query), ""
        self.rows: Sequence[Any] = contents.rows(query)
        self.at = 0
        self.choose(contents.first(self.rows))

    @property
    def clears(self) -> bool:
        """Whether esc takes back what was typed, before the next one leaves."""
        return bool(self.query) and not self.kept

    @property
    def row(self) -> Any:
        """The chosen row; None where there is none to choose."""
        row = self.rows[self.at] if self.at < len(self.rows) else None
        return None if isinstance(row, str) else row

    def feed(self, pressed: str, page: int) -> SheetStep:
        """Take a key: it types, chooses, takes or leaves. `page` are the rows that are seen."""
        contents = self.contents
        if not contents.SEARCHED:
            pressed = LETTERS.get(pressed, pressed)
        if pressed == "escape" and self.clears:
            self.cleared = self.query
            self._type("")
        elif pressed == "enter" and contents.TAKES:
            return SheetStep.TAKEN
        elif pressed in ("escape", "enter"):
            return SheetStep.LEFT
        elif not (self._move(pressed, page) or (contents.SEARCHED and self._edit(pressed))):
            return SheetStep.PASSED
        return SheetStep.DONE

    def paste(self, text: str) -> None:
        """Put pasted text behind what was typed."""
        if self.contents.SEARCHED:
            self._type(self._begun + text)

    def renew(self, view: FightView) -> bool:
        """Take in how the fight stands now; stays on its row, as far as that is there still."""
        if not self.contents.renewed(view):
            return False
        row, self.rows = self.row, self.contents.rows(self.query)
        self.choose(self.rows.index(row) if row in self.rows else self.contents.first(self.rows))
        return True

    def choose(self, at: int, way: int = 1) -> None:
        """Put the cursor on a row: of a heading on the one behind it in that way, or before it."""
        many = len(self.rows)
        at = max(0, min(at, many - 1))
        down, up = range(at, many), reversed(range(min(at + 1, many)))
        order = chain(down, up) if way > 0 else chain(up, down)
        self.at = next((n for n in order if not isinstance(self.rows[n], str)), 0)
        if self.row is not None:
            self.contents.choose(self.rows, self.at)

    def move(self, by: int) -> None:
        """Move the cursor by so many rows."""
        self.choose(self.at + by, -1 if by < 0 else 1)

    def _move(self, pressed: str, page: int) -> bool:
        many = len(self.rows)
        steps = {"up": -1, "down": 1, "pageup": -page, "pagedown": page, "home": -many, "end": many}
        if pressed in steps:
            self.move(steps[pressed])
        return pressed in steps

    @property
    def _begun(self) -> str:
        return "" if self.kept else self.query

    def _edit(self, pressed: str) -> bool:
        if pressed == "backspace":
            self._type(self.query[:-1])
        elif pressed == "ctrl+w":
            self._type(self.query.rstrip().rpartition(" ")[0])
        elif pressed == "space" or len(pressed) == 1:
            self._type(self._begun + (" " if pressed == "space" else pressed))
        else:
            return False
        return True

    def _type(self, query: str) -> None:
        self.query, self.kept = query[:MOST_TYPED], False
        self.rows, self.at = self.contents.rows(self.query), 0
        self.choose(0)

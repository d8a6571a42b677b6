"""The model of a searchable list: its rows, the chosen row and its detail.

The pane asks only for visible rows, so contents need not prepare the rest.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum, auto
from itertools import chain
from typing import Any, ClassVar, Generic, TypeVar

from rich.style import Style

from affray.core.engine.state import Encounter
from affray.core.rules.ruleset import Ruleset
from affray.tui.drawing import StyledLine, wrap
from affray.tui.fight_view import FightView
from affray.tui.theme import Styles

Row = TypeVar("Row")


def wrapped_lines(texts: Iterable[str], width: int, ink: Style) -> list[StyledLine]:
    """Wrap texts, each on as many lines as it needs."""
    return [StyledLine().add(row, ink) for text in texts for row in wrap(text, width)]


class LookupSource(ABC, Generic[Row]):
    """The rows of a list. A row that is a text is a heading, and can't be chosen.

    NAME      the title in the frame
    KEY       the entry of the table of keys that opens it
    SEARCHED  True if typing narrows the rows
    REMEMBERS True if the typed words are there again the next time
    SHARE     the list's share of the width, in percent, if the detail is beside it
    HAS_ALL   True if it fills a small window, for rows that need the width; the detail is below it
              then
    TOLD      the most lines of that detail; 0 for as many as the list has
    FINDS     True if `/` begins a word that narrows the rows, until enter
    WAYS      the words for the rows above and below
    TAKES     what enter does; empty if it only closes the list
    KEYS      keys of its own, and what they do
    """

    NAME: ClassVar[str]
    KEY: ClassVar[str]
    SEARCHED: ClassVar[bool] = True
    REMEMBERS: ClassVar[bool] = False
    FINDS: ClassVar[bool] = False
    WAYS: ClassVar[tuple[str, str]] = ("before", "after")
    SHARE: ClassVar[int] = 42
    HAS_ALL: ClassVar[bool] = False
    TOLD: ClassVar[int] = 0
    TAKES: ClassVar[str] = ""
    KEYS: ClassVar[Mapping[str, str]] = {}

    @abstractmethod
    def rows(self, query: str) -> Sequence[Row | str]:
        """The rows that match the query, the best first; all of them for an empty one."""

    @abstractmethod
    def fill(
        self, line: StyledLine, row: Row, width: int, inks: Styles, chosen: bool
    ) -> StyledLine:
        """Fill a row's line, which has its mark already, up to that width."""

    @abstractmethod
    def render_detail(self, row: Row, width: int, inks: Styles) -> list[StyledLine]:
        """The detail of the chosen row."""

    def first(self, rows: Sequence[Row | str]) -> int:
        """The index of the row that is chosen when it opens."""
        return 0

    def choose(self, rows: Sequence[Row | str], at: int) -> None:
        """Take in which row is chosen, for lists that draw others by it."""

    def renewed(self, view: FightView) -> bool:
        """Take in how the fight stands now; returns True if that changes the rows."""
        return False


class FightLookupSource(LookupSource[Row]):
    """Contents made from the rules and the fight as it stands, and renewed with these."""

    def __init__(self, ruleset: Ruleset, state: Encounter) -> None:
        self.take(ruleset, state)

    def take(self, ruleset: Ruleset, state: Encounter) -> None:
        """Take in the rules and the fight."""
        self.ruleset, self.state = ruleset, state

    def renewed(self, view: FightView) -> bool:
        """True if the campaign's rows or the state have changed."""
        changed = (view.ruleset, view.state) != (self.ruleset, self.state)
        if changed:
            self.take(view.ruleset, view.state)
        return changed


# -------------------------------------------------------------------------------------------------
# The list: its query, the rows that match, the chosen one

MOST_TYPED = 100
FIND = "/"
"""The key that begins a word in a list where letters are keys."""
LETTERS = {"j": "down", "k": "up"}
"""The keys that move the cursor, as on the fight's screen, while nothing is typed."""


class LookupKeyResult(Enum):
    """The result of giving a key to a lookup list."""

    DONE = auto()
    LEFT = auto()
    TAKEN = auto()
    PASSED = auto()


class LookupList:
    """Contents to search.

    query  what was typed
    is_query_kept  True if that is from the time before: the next letter replaces it
    cleared  the words that esc has cleared
    types  True if letters are text now, and not keys
    rows   the rows that match
    at     the index of the chosen row
    """

    def __init__(self, contents: LookupSource[Any], query: str = "") -> None:
        self.contents = contents
        self.query, self.is_query_kept, self.cleared = query, bool(query), ""
        self.types = contents.SEARCHED
        self.rows: Sequence[Any] = contents.rows(query)
        self.at = 0
        self.choose(contents.first(self.rows))

    @property
    def clears(self) -> bool:
        """True if esc clears the typed words, before the next one leaves."""
        return bool(self.query) and not self.is_query_kept

    @property
    def is_finding(self) -> bool:
        """True while a word begun by `/` is typed."""
        return self.types and not self.contents.SEARCHED

    @property
    def has_line(self) -> bool:
        """True if typed words, now or earlier, are above the rows."""
        return self.types or bool(self.query)

    @property
    def row(self) -> Any:
        """The chosen row; None if there is none."""
        row = self.rows[self.at] if self.at < len(self.rows) else None
        return None if isinstance(row, str) else row

    def feed(self, pressed: str, page: int) -> LookupKeyResult:
        """Take a key: it types, chooses, takes or leaves. `page` is the number of visible rows."""
        contents = self.contents
        if contents.FINDS and pressed == FIND and not self.types:
            self.types = True
            return LookupKeyResult.DONE
        if not self.types:
            pressed = LETTERS.get(pressed, pressed)
        if pressed == "escape" and (self.clears or self.is_finding):
            self.cleared, self.types = self.query, contents.SEARCHED
            self._type("")
        elif pressed == "enter" and self.is_finding:
            self.types = False
        elif pressed == "enter" and contents.TAKES:
            return LookupKeyResult.TAKEN
        elif pressed in ("escape", "enter"):
            return LookupKeyResult.LEFT
        elif not (self._move(pressed, page) or (self.types and self._edit(pressed))):
            return LookupKeyResult.PASSED
        return LookupKeyResult.DONE

    def paste(self, text: str) -> None:
        """Add pasted text to the typed words."""
        if self.types:
            self._type(self._begun + text)

    def renew(self, view: FightView) -> bool:
        """Take in how the fight stands now; stays on its row, if that is still there."""
        if not self.contents.renewed(view):
            return False
        row, self.rows = self.row, self.contents.rows(self.query)
        self.choose(self.rows.index(row) if row in self.rows else self.contents.first(self.rows))
        return True

    def choose(self, at: int, way: int = 1) -> None:
        """Put the cursor on a row; for a heading on the next one in that direction, or the one
        before."""
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
        return "" if self.is_query_kept else self.query

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
        self.query, self.is_query_kept = query[:MOST_TYPED], False
        self.rows, self.at = self.contents.rows(self.query), 0
        self.choose(0 if query else self.contents.first(self.rows))

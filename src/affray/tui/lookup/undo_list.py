"""The lists of the log's entries to undo, redo and branch to, and the preview of an amendment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from affray.core.commands.log_commands import move_in_words
from affray.core.engine.amend import AmendedEntry, Amendment, Edit
from affray.core.engine.history import START, AbandonedBranch, History
from affray.core.formatting.log_lines import (
    describe_difference,
    entry_pieces,
    outcome_lines,
    step_in_words,
)
from affray.core.formatting.safe_text import strip_control_chars
from affray.core.parser.spelling import fold
from affray.tui.drawing import StyledLine, truncate
from affray.tui.fight_view import FightView
from affray.tui.lookup.model import FIND, LookupSource, wrapped_lines
from affray.tui.theme import Styles

LEFT, AHEAD, BACK = "Branches", "To redo", "To undo"
INSERTS, AMENDS, UNDOES = "i", "ctrl+e", "u"
"""The keys that insert a command after the chosen entry, that change it, and that undo it with
everything newer."""
MOST_TOLD = 100
"""The number of last entries named for an abandoned branch."""

Spot = int | AbandonedBranch
"""An entry, for the fight as it was after it; or an abandoned branch, to its end."""


class UndoList(LookupSource[Spot]):
    """The log's entries, newest first; the present stands between undone and done ones.

    A row means the fight as it was after that entry, so going there undoes newer ones: these are
    marked while the cursor is on the row. An act that asked for saves is one row with the entries
    that made them. Typed words narrow the list to entries with all of them in title or command.

    began  the view of the fight when it opened
    """

    NAME = "Undo"
    KEY = "ways"
    SEARCHED = False
    SHARE = 60
    FINDS = True
    WAYS = ("newer", "older")
    TAKES = "goes there"
    KEYS: ClassVar[Mapping[str, str]] = {
        FIND: "find",
        AMENDS: "amend",
        INSERTS: "insert after",
        UNDOES: "undo",
    }

    def __init__(self, view: FightView) -> None:
        self._view, self._stamp = view, _stamp(view)
        self.began = view
        self._back_to, self._on = view.head, frozenset[int]()
        self._words: dict[int, str] = {}  # those of an entry by which it is found
        self._acts: dict[int, list[int]] = {}  # the last entry of an act -> all of its entries

    @property
    def _history(self) -> History:
        return self._view.history

    def renewed(self, view: FightView) -> bool:
        """Take in the view of the fight; returns True if there is another entry."""
        changed = _stamp(view) != self._stamp
        self._view, self._stamp = view, _stamp(view)
        return changed

    def rows(self, query: str) -> Sequence[Spot | str]:
        """Branches, undone entries, the present, and the entries back to the beginning; with words
        only matching entries."""
        history, rows = self._history, list[Spot | str]()
        words = fold(query).split()
        self._acts = {}
        if words:
            found = [seq for seq in (*history.path, *history.ahead) if self._has(seq, words)]
            return found[::-1]
        branches, ahead = history.branches(), self._as_acts(history.ahead)
        if branches:
            rows += [LEFT, *branches]
        if ahead:
            rows += [AHEAD, *reversed(ahead)]
        rows += [BACK] if rows else []
        return [*rows, *reversed(self._as_acts(history.path)), START]

    def _as_acts(self, seqs: Sequence[int]) -> list[int]:
        """The last entry of each act among these entries."""
        acts = {act[-1]: act for act in self._history.as_acts(seqs)}
        self._acts |= acts
        return [*acts]

    def entries_of(self, row: int) -> list[int]:
        """The entries of a row: one, or an act that asked for saves and the entries that made
        them."""
        return self._acts.get(row, [row])

    def _has(self, seq: int, words: Sequence[str]) -> bool:
        if seq not in self._words:
            self._words[seq] = fold(
                f"{seq} {self._title(seq)} {self._history.entries[seq].command}"
            )
        return all(word in self._words[seq] for word in words)

    def first(self, rows: Sequence[Spot | str]) -> int:
        """The row of the entry on the screen, else of the present."""
        for spot in (self._view.view_at, self._history.head):
            for place, row in enumerate(rows):
                if isinstance(row, int) and spot in self.entries_of(row):
                    return place
        return len(rows) - 1

    def choose(self, rows: Sequence[Spot | str], at: int) -> None:
        """Find the entries that going there would undo or redo."""
        spot, path = rows[at], self._history.path
        if isinstance(spot, str):
            return
        back, on = self._history.way_to(target_entry(spot))
        self._on = frozenset(() if isinstance(spot, AbandonedBranch) else on)
        self._back_to = path[-1 - back] if back < len(path) else START

    def fill(
        self, line: StyledLine, row: Spot, width: int, inks: Styles, chosen: bool
    ) -> StyledLine:
        """`› − 104  Ilse concentrates on Fog Wall`"""
        if isinstance(row, AbandonedBranch):
            count = f"{len(row.entries)} {'entry' if len(row.entries) == 1 else 'entries'}"
            line.add(f"{count} after {row.parted_at}  ", inks.dim)
            return line.add(truncate(self._title(row.entries[-1]), width - line.width), inks.plain)
        mark = "+" if row in self._on else "−" if self._back_to < row <= self._history.head else " "
        line.add(f"{mark} ", inks.bad if mark == "−" else inks.good)
        act = self.entries_of(row)
        line.add(f"{act[0]:>{len(str(self._history.last))}}  ", inks.dim)
        line.add("now: " if row == self._history.head else "", inks.accent)
        return line.add(
            self._title_of_act(act, width - line.width), inks.dim if mark != " " else inks.plain
        )

    def _title_of_act(self, act: Sequence[int], width: int) -> str:
        """`Mira casts Fireball at… and 2 saves`"""
        count = len(act) - 1
        answers = f" and {count} {'save' if count == 1 else 'saves'}" if count else ""
        return truncate(self._title(act[0]), width - len(answers)) + answers

    def render_detail(self, row: Spot, width: int, inks: Styles) -> list[StyledLine]:
        """The effect of enter, then the entry's outcome, or the differences on that branch."""
        seq, history = target_entry(row), self._history
        does = wrapped_lines([self._does(row)], width, inks.strong)
        if isinstance(row, AbandonedBranch):
            now, there = self._history.state, self._history.states[seq]
            other = describe_difference(now, self._view.ruleset.tables, there)
            more = [f"there: {', '.join(other) or 'nothing is different'}"]
            more += [f"{s} {self._title(s)}" for s in reversed(row.entries[-MOST_TOLD:])]
        elif seq == START:
            more = []
        else:
            tracks = self._view.ruleset.tables.tracks
            more = [
                piece
                for each in self.entries_of(seq)
                for piece in entry_pieces(history.entries[each], history.before(each), tracks)
            ]
        return does + wrapped_lines(more, width, inks.dim)

    def _does(self, row: Spot) -> str:
        line = command_to(self._history, row)
        if not line:
            return "The fight now"
        return move_in_words(self._history, line.split()[0], target_entry(row))

    def _title(self, seq: int) -> str:
        return strip_control_chars(self._history.entries[seq].title) if seq else "the beginning"


def _stamp(view: FightView) -> tuple[object, ...]:
    return (view.history, view.head, view.history.last)


def target_entry(spot: Spot) -> int:
    """The entry to which a row goes."""
    return spot.entries[-1] if isinstance(spot, AbandonedBranch) else spot


def command_to(history: History, spot: Spot) -> str:
    """The command that goes there: `undo`, `redo` or `goto`; empty for the present."""
    seq = target_entry(spot)
    back, on = history.way_to(seq)
    is_other_way = isinstance(spot, AbandonedBranch) or (back and on)
    if is_other_way or (back and history.undo_target(back) != seq):  # as after an amendment
        return f"goto {seq}"
    return f"undo {back}" if back else f"redo {len(on)}" if on else ""


# -------------------------------------------------------------------------------------------------
# The preview of an amendment: what would be different, which commands come out otherwise

OTHERWISE = "What would be different"
OUT, CHANGE = "x", "c"
"""The keys that leave out the chosen command, and that change it."""


class AmendPreview(LookupSource[AmendedEntry]):
    """First the differences now, then each command that has another result, or none.

    amendment  the result of the amendment, and its line
    """

    NAME = "Amend"
    KEY = "last-roll"
    SEARCHED = False
    SHARE = 55
    TAKES = "amends it"
    KEYS: ClassVar[Mapping[str, str]] = {OUT: "left out", CHANGE: "change"}

    def __init__(self, amendment: Amendment, view: FightView) -> None:
        self.amendment, self._tables = amendment, view.ruleset.tables
        found = describe_difference(view.state, self._tables, amendment.state)
        self._now = [f"now: {each}" for each in found or ["nothing is different"]]

    def rows(self, query: str) -> Sequence[AmendedEntry | str]:
        """The differences, as headings, and the commands."""
        return [*self._now, OTHERWISE, *self.amendment.others]

    def fill(
        self, line: StyledLine, row: AmendedEntry, width: int, inks: Styles, chosen: bool
    ) -> StyledLine:
        """`› 11  Ghoul 2 strikes Mira, strong 8`"""
        ink = inks.bad if row.refused else inks.dim if not row.command else inks.plain
        return line.add(truncate(step_in_words(row), width - line.width), ink)

    def render_detail(self, row: AmendedEntry, width: int, inks: Styles) -> list[StyledLine]:
        """The outcome of the command as amended."""
        lines: list[str] = []
        if row.decision is not None:
            decision = row.decision
            lines = outcome_lines(
                decision.events, decision.before, self._tables.tracks, decision.by
            )
        title = wrapped_lines([step_in_words(row)], width, inks.strong)
        return title + wrapped_lines(lines, width, inks.dim)

    def without(self, step: AmendedEntry) -> str:
        """The line that also leaves out that command."""
        return self._with(step, "")

    def changing(self, step: AmendedEntry) -> str:
        """The line that gives that command again, to change it."""
        return self._with(step, step.command)

    def _with(self, step: AmendedEntry, command: str) -> str:
        """The line with the changed command; for an inserted one the line itself."""
        amendment, old = self.amendment, step.old
        return amendment.line if old is None else amendment.line_with(Edit(old.seq, command))

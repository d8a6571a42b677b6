"""The past amended, before it is: what becomes different, and which commands come out otherwise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from affray.core.heart.amending import Amendment, Edit, Step
from affray.core.telling.amended import step_in_words, what_is_different
from affray.core.telling.narrate import consequences
from affray.tui.drawing import Line, cut, plain
from affray.tui.fight_view import FightView
from affray.tui.sheets.contents import Contents, row_line, wrapped_lines
from affray.tui.themes import Inks

OTHERWISE = "What comes out otherwise"
OUT, CHANGE = "x", "c"
"""The keys that leave out the chosen command, and that give it another form."""


class Amending(Contents[Step]):
    """First what is different now, then each command that comes to something else, or to nothing.

    made  what the amendment comes to, and its line
    """

    NAME = "Amend"
    KEY = "last-roll"
    SEARCHED = False
    SHARE = 55
    TAKES = "amends it"
    KEYS: ClassVar[Mapping[str, str]] = {OUT: "left out", CHANGE: "change"}

    def __init__(self, made: Amendment, view: FightView) -> None:
        self.made, self._tables = made, view.ruleset.tables
        found = what_is_different(view.state, self._tables, made.state)
        self._now = [f"now: {plain(each)}" for each in found or ["nothing is different"]]

    def rows(self, query: str) -> Sequence[Step | str]:
        """What is different, as headings, and the commands."""
        return [*self._now, OTHERWISE, *self.made.others]

    def line(self, row: Step, number: int, width: int, inks: Inks, chosen: bool) -> Line:
        """`› 11  Ghoul 2 strikes Mira, strong 8`"""
        line = row_line(chosen, inks)
        ink = inks.bad if row.refused else inks.dim if not row.command else inks.plain
        return line.add(cut(plain(step_in_words(row)), width - line.width), ink)

    def told(self, row: Step, width: int, inks: Inks) -> list[Line]:
        """What it comes to now."""
        told: list[str] = []
        if row.made is not None:
            made = row.made
            told = consequences(made.events, made.before, self._tables.tracks, made.by)
        title = wrapped_lines([step_in_words(row)], width, inks.strong)
        return title + wrapped_lines(told, width, inks.dim)

    def without(self, step: Step) -> str:
        """The line that leaves that command out as well."""
        return self._with(step, "")

    def changing(self, step: Step) -> str:
        """The line that gives that command again, to be changed."""
        return self._with(step, step.command)

    def _with(self, step: Step, command: str) -> str:
        """For one that is put in, the line as it is, to be changed there."""
        made, old = self.made, step.old
        return made.line if old is None else made.line_with(Edit(old.seq, command))

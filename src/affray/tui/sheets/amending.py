"""The past amended, before it is: what becomes different, and which commands come out otherwise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from affray.core.heart.amending import Amendment, Edit, Step
from affray.core.telling.amended import step_in_words, what_is_different
from affray.core.telling.narrate import consequences
from affray.tui.drawing import Line, cut, plain, wrapped
from affray.tui.fight_view import FightView
from affray.tui.sheets.contents import Contents
from affray.tui.themes import Inks

OTHERWISE = "What comes out otherwise"
OUT, CHANGE = "x", "c"
"""The keys that leave out the chosen command, and that give it another form."""


class Amending(Contents[Step]):
    """First what is different now, then each command that comes to something else, or to nothing.

    made  what the amendment comes to, and its line
    """

    NAME: ClassVar[str] = "Amend"
    KEY: ClassVar[str] = "last-roll"
    SEARCHED: ClassVar[bool] = False
    SHARE: ClassVar[int] = 55
    TAKES: ClassVar[str] = "amends it"
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
        line = Line().add("› " if chosen else "  ", inks.accent)
        ink = inks.bad if row.refused else inks.dim if not row.command else inks.plain
        return line.add(cut(plain(step_in_words(row)), width - line.width), ink)

    def told(self, row: Step, width: int, inks: Inks) -> list[Line]:
        """What it comes to now."""
        told = [step_in_words(row)]
        if row.made is not None:
            made = row.made
            told += consequences(made.events, made.before, self._tables.tracks, made.by)
        lines = [Line().add(text, inks.strong) for text in wrapped(plain(told[0]), width)]
        return lines + [Line().add(t, inks.dim) for m in told[1:] for t in wrapped(plain(m), width)]

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

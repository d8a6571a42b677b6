"""The builder: the campaign's people and the waves beside the fight, brought in by enter."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from affray.core.commands.joining import TERMS, USAGE
from affray.core.heart.state import Encounter
from affray.core.language.refusal import did_you_mean
from affray.core.rules.ruleset import Ruleset
from affray.tui.drawing import Line, cut, plain
from affray.tui.sheets.contents import OfTheFight, row_line, wrapped_lines
from affray.tui.sheets.creatures import (
    PARTY,
    Creature,
    campaign_creatures,
    creature_lines,
    is_broken,
)
from affray.tui.sheets.finding import Sought, found, sought
from affray.tui.themes import Inks

NOBODY = "The campaign has neither party nor bestiary yet"
HOW_MANY = re.compile(r"x?(\d{1,2})$")


class Command(NamedTuple):
    """A row that is a command of its own: what it is called, what it does, and who that brings."""

    name: str
    line: str
    told: str


def parted(query: str) -> tuple[str, str]:
    """What is sought, and what `add` is told behind its id: `gho 3 hidden` -> `gho`, `x3 hidden`.

    How many there are, or a term of `add` such as `hidden`, ends the name, in whatever order they
    stand; all behind it is said to `add`, which refuses what it doesn't understand.
    """
    words = query.split()
    is_wave = len(words) > 1 and words[0].casefold() == "wave" and HOW_MANY.match(words[1])
    begins = next(
        (at for at in range(2 if is_wave else 1, len(words)) if _is_term(words, at)), None
    )
    if begins is None:
        return query, ""
    rest = words[begins:]
    for at, word in enumerate(rest):
        many = HOW_MANY.match(word)
        if many and _ends_term([each.casefold() for each in rest[:at]]):
            rest[at] = f"x{many[1]}"
            break
    return " ".join(words[:begins]), " ".join(rest)


def _ends_term(before: Sequence[str]) -> bool:
    """Whether how many there are may stand behind these: nothing of theirs is yet to be said."""
    *_, last_but_one, last = "", "", *before
    return not before or last in ("hidden", "group") or last_but_one in ("wave", "side")


def _is_term(words: Sequence[str], at: int) -> bool:
    """Whether no name goes on at a word: how many there are, or how they join, stands there."""
    word = words[at].casefold()
    if word == "wave":
        return at + 1 == len(words) or words[at + 1].isdecimal()
    return HOW_MANY.match(word) is not None or word in (*TERMS, "as")


class Bring(OfTheFight[Creature | Command]):
    """Who can join: the whole party, those who wait for waves, then everybody by name.

    query  what was typed last, of which the end is how many, and what else `add` is told
    """

    NAME = "Bring in"
    KEY = "bring"
    TAKES = "brings in"

    query = ""
    _is_sure = True
    _asked: tuple[str, Creature | Command] | None = None

    def take(self, ruleset: Ruleset, state: Encounter) -> None:
        """Other rows, another wave, or somebody who has joined make a difference."""
        super().take(ruleset, state)
        self._known = _known(ruleset)
        people = [row for _, row in self._known]
        party = [row.name for row in people if row.sort == PARTY]
        waves = sorted(state.waves.items())
        self._commands = [
            *([Command("The party", "add party", ", ".join(party))] if party else []),
            *(Command(f"Wave {wave}", f"wave {wave}", ", ".join(who)) for wave, who in waves),
        ]

    def rows(self, query: str) -> Sequence[Creature | Command | str]:
        """What fits; the party and the waves stand before all others."""
        self.query = query
        known: list[tuple[Sought, Creature | Command]] = [
            *((sought(each.name), each) for each in self._commands),
            *self._known,
        ]
        typed = parted(query)[0].casefold()
        fit = [(by.name != typed, row) for by, row in known if not _strange(by, typed)]
        self._is_sure = bool(fit)
        if fit:
            return [row for _, row in sorted(fit, key=lambda each: each[0])]
        return found(known, typed) if known else [NOBODY]

    def refusal(self, row: Creature | Command | None) -> str:
        """Why enter doesn't bring in whom a row names; empty where it does."""
        typed, terms = parted(self.query)
        if row is None:
            nobody = f"nobody of the campaign is called {typed!r}"
            return f"{nobody}; expected NAME [N] {USAGE}" if self._known else NOBODY
        if isinstance(row, Command):
            return ""
        strange = _strange(sought(row.name), typed.casefold())
        if strange and len(strange) < len(typed.split()):
            near = did_you_mean(strange[0], TERMS)
            return (
                f"{strange[0]!r} is no word of {row.name}, nor does it say how they join{near}; "
                f"expected NAME [N] {USAGE}"
            )
        named_otherwise = "as" in terms.casefold().split()
        if row.sort != PARTY or named_otherwise:
            return ""
        if any(who.name == row.name for who in self.state.combatants):
            return f"{row.name} is here already; `as NAME` brings in another"
        several = HOW_MANY.match(terms.partition(" ")[0])
        return f"{row.name} is one alone" if several and several[1] != "1" else ""

    def question(self, row: Creature | Command | None) -> str:
        """What is asked before a row is brought in that only resembles what was typed; else empty.

        Asked once: the next enter is the answer.
        """
        if row is None or self._is_sure or self._asked == (self.query, row):
            return ""
        self._asked = (self.query, row)
        typed = parted(self.query)[0]
        return f"nobody of the campaign is called {typed!r}: enter again brings in {row.name}"

    def command(self, row: Creature | Command) -> str:
        """The line that enter gives for a row, with what was typed behind its name."""
        line = row.line if isinstance(row, Command) else f"add {row.id}"
        return f"{line} {parted(self.query)[1]}".rstrip()

    def line(
        self, row: Creature | Command, number: int, width: int, inks: Inks, chosen: bool
    ) -> Line:
        """`› Bog Ghoul   bestiary`"""
        line = row_line(chosen, inks)
        line.add(cut(plain(row.name), max(width - 14, 8)), inks.strong if chosen else inks.plain)
        line.column(max(width - 9, 12))
        if isinstance(row, Creature) and is_broken(self.ruleset, row.id):
            return line.add("broken", inks.warn)
        return line.add(row.sort if isinstance(row, Creature) else "", inks.dim)

    def told(self, row: Creature | Command, width: int, inks: Inks) -> list[Line]:
        """What enter gives, and whom that brings."""
        lines = [Line().add("↵ ", inks.accent).add(plain(self.command(row)), inks.plain), Line()]
        if isinstance(row, Command):
            return lines + wrapped_lines([row.told], width, inks.plain)
        return [*lines, *creature_lines(self.ruleset, self.state, row, width, inks)]


@lru_cache(maxsize=2)
def _known(ruleset: Ruleset) -> list[tuple[Sought, Creature]]:
    """The campaign's rows with what names find them by, made once for all states of the fight."""
    return [(sought(row.name), row) for row in campaign_creatures(ruleset.tables)]


def _strange(by: Sought, typed: str) -> list[str]:
    """The words that begin no word of a name."""
    return [word for word in typed.split() if f" {word}" not in by.said]

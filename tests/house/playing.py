"""Fights by a campaign's rows: what a course of commands comes to, to be compared with another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import tomli

from affray.core.commands.queries import answer_query
from affray.core.dice import SeededDice
from affray.core.engine.decide import Decision, decide
from affray.core.engine.events import EffectChanged, EffectGained
from affray.core.engine.history import History
from affray.core.engine.state import Encounter
from affray.core.formatting.reports import json_report
from affray.core.parser.errors import Refused
from affray.core.rules.house_rules import with_house_rules
from affray.core.rules.ruleset import Ruleset
from affray.core.rules.tables import read_tables
from affray.rulesets import load_ruleset

GAMES = ("monsters-and-magic", "orcus", "level-up", "adventure-school", "5e")


def ruleset_with(game: str, rows: str | dict[str, Any]) -> Ruleset:
    """A game with a campaign's rows, as TOML or as the tables that TOML makes."""
    tables = tomli.loads(rows) if isinstance(rows, str) else rows
    return with_house_rules(load_ruleset(game), read_tables(tables))


@dataclass
class HouseFight:
    """A fight in memory by a campaign's rows."""

    ruleset: Ruleset
    history: History = field(init=False)

    def __post_init__(self) -> None:
        self.history = History(Encounter("A test", self.ruleset.id))

    @property
    def state(self) -> Encounter:
        """The fight as it stands."""
        return self.history.state

    def decided(self, line: str) -> Decision:
        """What a line would do; the dice are the same whatever was rolled before."""
        dice = SeededDice(len(self.history.entries))
        return decide(self.state, line, self.ruleset, dice, self.history.previous)

    def do(self, *lines: str) -> str:
        """Play lines, and give what the last one says of itself."""
        made = None
        for line in lines:
            made = self.decided(line)
            self.history.apply(made.entry(self.history.last + 1), made.state)
        return made.text if made is not None else ""

    def refused(self, line: str) -> str:
        """Why a line is refused; empty when it is not."""
        try:
            self.decided(line)
        except Refused as refusal:
            return refusal.message
        return ""

    def told_of(self, line: str) -> str:
        """What a line comes to: what it says, what a question is answered, or why not."""
        try:
            dice = SeededDice(len(self.history.entries))
            answered = answer_query(self.history, line, self.ruleset, dice)
            return answered.lines[0] if answered is not None else self.do(line)
        except Refused as refusal:
            return f"refused: {refusal.message}"

    def try_all(self, lines: Iterable[str]) -> Iterator[list[object]]:
        """Play what is not refused; of each line, what it came to, and then how all stand, and how
        hard the fight is.

        An effect's own fields are no part of it: what they say must show in something else.
        """
        for line in lines:
            try:
                made = self.decided(line)
            except Refused as refusal:
                yield [refusal.message]
                continue
            self.history.apply(made.entry(self.history.last + 1), made.state)
            shown = self.report
            standing = map(_standing, shown["combatants"])
            yield [made.text, *map(_bare, made.events), *standing, shown.get("difficulty")]

    @property
    def report(self) -> dict[str, Any]:
        """What `affray show --json` prints."""
        return json_report(self.history, self.ruleset)

    def who(self, who: str) -> dict[str, Any]:
        """What is shown of a combatant."""
        return next(c for c in self.report["combatants"] if c["id"] == who)

    def track(self, who: str, name: str) -> int:
        """The value of a track."""
        return self.state[who].track(name)

    def effects(self, who: str) -> set[str]:
        """The names of all effects in force."""
        return {effect["name"] for effect in self.who(who)["effects"]}


def _bare(event: object) -> object:
    if isinstance(event, EffectGained | EffectChanged):
        return type(event).__name__, event.who, event.effect.name
    return repr(event)


def _standing(who: dict[str, Any]) -> object:
    effects = [(e["name"], e["until"]) for e in who["effects"]]
    # Of the totals only speed is all there is to it; the others must show in what is rolled.
    speed = who["totals"]["speed"]
    return repr((who["life"], who["tracks"], speed, effects, who["options"]))

"""Whatever happens in a fight: it is carried once, all of it, and comes into the next as it was."""

from __future__ import annotations

from contextlib import suppress
from functools import cache

import pytest
from hypothesis import given, settings, strategies as st
from tests.store.evenings import carried

from affray.core.dice import SeededDice
from affray.core.engine.decide import decide
from affray.core.engine.history import History, OtherLog, OtherLogs
from affray.core.engine.state import Encounter
from affray.core.parser.errors import Refused
from affray.core.rules.house_rules import with_house_rules
from affray.core.rules.ruleset import Ruleset
from affray.core.rules.tables import read_tables
from affray.rulesets import load_ruleset

GAMES = ("monsters-and-magic", "orcus", "level-up", "adventure-school", "plain", "5e")
LINES = (
    "damage mira 5",
    "damage party 9",
    "damage odo 60",
    "heal mira 4",
    "temp odo 6",
    "set mira hp 3",
    "mark odo fatigue 3",
    "mark mira exhaustion",
    "set gm threads 2",
    "supplies +3",
    "hold mira arrows 2",
    "recovery odo",
    "inflict mira prone",
    "inflict odo weakened until rest from ghoul",
    'inflict mira "sworn" check +2',
    "add monster Ghoul hp 9",
    "next",
    "rest short",
    "rest long",
    "end",
    "start",
)


@cache
def rules(game: str) -> Ruleset:
    """The rule system with a party of two."""
    party = {"mira": {"kind": "pc", "hp": 30}, "odo": {"kind": "pc", "hp": 20}}
    return with_house_rules(load_ruleset(game), read_tables({"bestiary": party}))


class Log:
    """A log in memory, which sees another one."""

    def __init__(self, game: str, log: str, other: Log | None = None) -> None:
        self.rules, self.log = rules(game), log
        self.history = History(Encounter(title=log.title(), ruleset=game))
        ledger = (lambda: other.kept()) if other is not None else (lambda: None)
        self.elsewhere = OtherLogs(ledger, lambda: ["ford"], lambda said: self.fight)
        self.fight: OtherLog | None = None

    def kept(self) -> OtherLog:
        return OtherLog(self.log, self.log, "", self.history)

    def do(self, line: str) -> None:
        history = self.history
        made = decide(
            history.state,
            line,
            self.rules,
            SeededDice(3),
            history.previous,
            other_logs=self.elsewhere,
        )
        history.apply(made.entry(history.last + 1), made.state)

    def tries(self, line: str) -> None:
        """Give a command if it can be done; not each is one of every game."""
        with suppress(Refused):
            self.do(line)

    @property
    def party(self) -> list[object]:
        return [carried(who) for who in self.history.state.combatants if who.kind == "pc"]


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=15, deadline=None)
@given(lines=st.lists(st.sampled_from(LINES), max_size=8), more=st.sampled_from(LINES))
def test_a_fight_is_carried_whole_and_once(game: str, lines: list[str], more: str) -> None:
    ledger = Log(game, "ledger")
    ford, bridge = Log(game, "ford", ledger), Log(game, "bridge", ledger)
    for line in ("add party", "start"):
        ford.do(line)
    for line in lines:
        ford.tries(line)
    ford.tries("end")
    ledger.fight = ford.kept()
    ledger.do("carry from ford")
    once, state = ledger.party, ledger.history.state
    with pytest.raises(Refused, match="nothing to carry"):
        ledger.do("carry from ford")
    bridge.do("add party")
    assert bridge.party == once
    with pytest.raises(Refused, match="nothing to carry"):
        bridge.do("carry")
    ford.tries(more)
    ford.tries("end")
    ledger.tries("carry from ford")
    assert ledger.history.before(1).combatants == ()
    if ledger.history.last == 2:  # what differed since is taken in, and taken back as one
        assert ledger.history.before(2) is state
        with pytest.raises(Refused, match="nothing to carry"):
            ledger.do("carry from ford")

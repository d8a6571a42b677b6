"""Who is shown to the players, and who is hidden: those alone are named to whom it happens."""

from __future__ import annotations

import pytest

from affray import Fight
from affray.core.engine.decide import complete
from affray.core.parser.errors import Refused
from affray.core.rules.ruleset import Ruleset
from affray.rulesets import load_ruleset


@pytest.fixture
def ambush() -> Fight:
    fight = Fight("plain")
    for line in ("add pc Mira hp 9", "add monster Rat x3 hp 5", "add monster Owl x3 hp 5 hidden"):
        fight.do(line)
    return fight


def hidden(fight: Fight) -> list[str]:
    return [who.id for who in fight.state.in_order() if who.hidden]


def test_of_a_side_those_who_are_hidden_alone_are_revealed_and_named(ambush: Fight) -> None:
    told = ambush.do("reveal foes")
    assert told.text == "Owl 1, Owl 2 and Owl 3 are known to the players"
    assert len(told.events) == 3 and hidden(ambush) == []


def test_of_a_side_those_whom_the_players_know_alone_are_concealed(ambush: Fight) -> None:
    told = ambush.do("conceal foes")
    assert told.text == "Rat 1, Rat 2 and Rat 3 are unknown to the players"
    assert len(hidden(ambush)) == 6


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("reveal rat-1", "Rat 1 is known to the players already"),
        ("conceal owl-1,owl-2", "Owl 1 and Owl 2 are unknown to the players already"),
    ],
)
def test_what_is_so_already_is_said_and_nothing_changes(ambush: Fight, line: str, why: str) -> None:
    before = ambush.state
    with pytest.raises(Refused, match=why):
        ambush.do(line)
    assert ambush.state == before


def test_completion_offers_those_to_whom_it_can_be_done(ambush: Fight) -> None:
    rules: Ruleset = load_ruleset("plain")
    assert complete(ambush.state, "reveal ", rules) == ["owl-1", "owl-2", "owl-3"]
    assert complete(ambush.state, "conceal r", rules) == ["rat-1", "rat-2", "rat-3"]

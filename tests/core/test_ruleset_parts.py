"""A part of a rule system that is left out means that there is no rule for it."""

from __future__ import annotations

import pytest
from tests.core.conftest import Play

from affray.core.engine.history import History
from affray.core.engine.state import Encounter
from affray.core.parser.errors import Refused
from affray.core.rules.house_rules import with_house_rules
from affray.core.rules.ruleset import Ruleset, TurnRules, all_options
from affray.core.rules.tables import Tables, read_tables
from affray.rulesets import BUILT_IN, load_ruleset

NONE_AT_ALL = Ruleset(id="none", name="No rules", tables=Tables(), commands={})


@pytest.fixture
def play() -> Play:
    play = Play()
    play.ruleset, play.history = NONE_AT_ALL, History(Encounter(ruleset="none"))
    return play


def test_a_fight_without_any_rules_is_played(play: Play) -> None:
    play("add pc Ann", "add monster Bat x2", "init ann 9", "init bat-1 9", "init bat-2 3")
    play("start", "delay", "next", "return")
    assert play.state.turn == "ann"
    assert play.round() == ["ann", "bat-2"]
    play("end")
    assert play.state.phase == "ended"


def test_nothing_is_known_of_anybody_where_no_part_says_it(play: Play) -> None:
    play("add pc Ann", "init ann 9", "start")
    ann, tables = play.who("ann"), NONE_AT_ALL.tables
    assert (ann.stats, ann.tracks) == ({}, {})
    assert all_options(NONE_AT_ALL, play.state, ann) == []
    assert NONE_AT_ALL.numbers.totals(tables, play.state, ann) == {}
    assert NONE_AT_ALL.turns.pending_decisions(tables, play.state) == []


def test_where_there_is_no_rule_for_initiative_it_is_to_be_said(play: Play) -> None:
    play("add pc Ann", "add pc Bob")
    with pytest.raises(Refused, match="no rule for initiative: give each a number"):
        play("init all roll")


def test_a_method_that_nothing_calls_is_refused_with_the_one_that_is_meant() -> None:
    with pytest.raises(Refused, match="nothing asks for its 'on_turn_started'; did you mean on_tu"):

        class Turns(TurnRules):
            def on_turn_started(self, ctx: object, combatant_id: str) -> None:
                """Never called."""

    class Other(TurnRules):
        def _helper(self) -> None:
            """Of its own."""

    assert Other().pending_decisions(NONE_AT_ALL.tables, Encounter()) == []


@pytest.mark.parametrize("game", BUILT_IN)
def test_every_word_of_a_games_own_tables_means_something(game: str) -> None:
    ruleset = load_ruleset(game)
    with_house_rules(ruleset, ruleset.tables)


def test_a_campaigns_technique_is_refused_where_there_are_none_but_the_games_own() -> None:
    more = read_tables({"techniques": {"hop": {"does": {}}}})
    with pytest.raises(
        Refused, match=r"^\[techniques.hop\]: No rules allows no techniques but its"
    ):
        with_house_rules(NONE_AT_ALL, more)

"""A log may hold any event, written by hand: replaying and showing it never fails."""

from __future__ import annotations

from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, settings, strategies as st
from msgspec import Struct
from tests.invariants.games import GAMES
from tests.invariants.language import Game

from affray.core.dice import SeededDice
from affray.core.engine.decide import decide
from affray.core.engine.events import AnyEvent, SettingChanged, StatChanged, TrackChanged
from affray.core.engine.history import Entry, History
from affray.core.engine.state import Encounter
from affray.core.formatting.explain import explain
from affray.core.formatting.log_lines import entry_line
from affray.core.formatting.players_view import players_view
from affray.core.formatting.reports import json_report, text_report
from affray.serve.page import inside, page

WORDS = [
    *("mira", "ash", "nobody", "", "name", "side", "hp", "ac", "speed", "attacks", "important"),
    *dict.fromkeys(name for game in GAMES for name in game.ruleset.tables.tracks),
    *dict.fromkeys(name for game in GAMES for name in game.ruleset.tables.effects),
    *("readied", "forward", "mira/weakened", "turn", "fight", "the bridge falls", "1d20", "−"),
]
TEXT = st.one_of(st.sampled_from(WORDS), st.text(max_size=8))
NUMBER = st.one_of(st.integers(-3, 20), st.integers(-(2**63), 2**63 - 1))
VALUE = st.recursive(
    st.one_of(TEXT, NUMBER, st.booleans(), st.floats()),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(TEXT, inner, max_size=3)
    ),
    max_leaves=4,
)  # fmt: skip


def of(kind: Any) -> st.SearchStrategy[Any]:
    """Anything that a log's reader takes for a value of this type."""
    simple = {str: TEXT, int: NUMBER, bool: st.booleans(), NoneType: st.none(), Any: VALUE}
    if kind in simple:
        return simple[kind]
    arguments = get_args(kind)
    if get_origin(kind) is Literal:
        return st.sampled_from(arguments)
    if get_origin(kind) is UnionType:
        return st.one_of(*map(of, arguments))
    if get_origin(kind) is tuple:
        return st.lists(of(arguments[0]), max_size=4).map(tuple)
    if get_origin(kind) is dict:
        return st.dictionaries(of(arguments[0]), of(arguments[1]), max_size=4)
    assert issubclass(kind, Struct), kind
    hints = get_type_hints(kind)
    return st.builds(kind, **{name: of(hints[name]) for name in kind.__struct_fields__})


EVENTS = st.one_of(*map(of, get_args(AnyEvent)))


def fight(game: Game = GAMES[0]) -> History:
    """A fight of that game that has begun; Mira and Ash are in it."""
    history = History(Encounter("A test", game.ruleset.id))
    for entry, state in _begun(GAMES.index(game)):
        history.apply(entry, state)
    return history


@cache
def _begun(number: int) -> list[tuple[Entry, Encounter]]:
    """What has happened then, in the game of that number."""
    game, found = GAMES[number], []
    state = Encounter("A test", game.ruleset.id)
    for seq, line in enumerate((*game.setup, "start"), 1):
        made = decide(state, line, game.ruleset, SeededDice(1))
        state = made.state
        found.append((made.entry(seq), state))
    return found


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.ruleset.id)
@settings(max_examples=80)
@given(
    entries=st.lists(st.lists(EVENTS, min_size=1, max_size=4), min_size=1, max_size=4),
    names=st.sampled_from(["", "hidden"]),
)
def test_whatever_an_event_says_it_is_replayed_and_shown(
    game: Game, entries: list[list[AnyEvent]], names: str
) -> None:
    history, ruleset = fight(game), game.ruleset
    chosen = (SettingChanged("players-log", "shown"), SettingChanged("players-names", names))
    history.apply(Entry(history.last + 1, "by hand", events=chosen))
    for events in entries:
        entry = Entry(history.last + 1, "by hand", events=tuple(events))
        history.apply(entry)
        before = history.before(entry.seq)
        assert entry_line(entry, before, ruleset.tables.tracks)
        shown = json_report(history, ruleset)
        assert text_report(shown, ruleset)
        assert page(inside(players_view(history, ruleset))).encode()
        ruleset.turns.pending_decisions(ruleset.tables, history.state)
    for combatant in history.state.combatants:
        totals = ruleset.numbers.totals(ruleset.tables, history.state, combatant)
        for what in (*combatant.tracks, *totals):
            assert explain(history, ruleset, combatant.id, what)


@pytest.mark.parametrize("stat", ["name", "side"])
@pytest.mark.parametrize("value", [5, None, [], True])
def test_a_name_that_is_no_text_and_a_side_that_is_none_are_passed_over(
    stat: str, value: object
) -> None:
    history = fight()
    before = history.state["mira"]
    history.apply(Entry(history.last + 1, "x", events=(StatChanged("mira", stat, value),)))
    assert history.state["mira"] is before


def test_a_side_is_one_of_those_there_are() -> None:
    history = fight()
    for value, side in (("pirates", "party"), ("others", "others")):
        event = StatChanged("mira", "side", value)
        history.apply(Entry(history.last + 1, "x", events=(event,)))
        assert history.state["mira"].side == side


@pytest.mark.parametrize("marks", [-7, -1, 40, 10**6, 2**62])
def test_no_number_of_marks_is_too_many_or_too_few(marks: int) -> None:
    history = fight()
    event = TrackChanged("mira", "exhaustion", marks)
    history.apply(Entry(history.last + 1, "x", events=(event,)))
    shown = json_report(history, GAMES[0].ruleset)["combatants"]
    mira = next(combatant for combatant in shown if combatant["id"] == "mira")
    assert (mira["totals"]["check"] < 0) == (marks > 0)

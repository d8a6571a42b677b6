"""Whatever a game master types in play can be done by keys: the measure, and what it is made of.

The whole of it is `make by-keys`; here is a part of the cases.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.testing.lines import CASES, Exceptions, Given, exceptions, faults, given

from affray import Fight
from affray.core.parser.errors import Refused
from affray.testing import NoKeys, Typed, fewest_keys, keys_for

EVERY = 24
"""Of so many cases the first is played here: all files take half a minute on one core."""


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_each_command_of_the_cases_is_given_by_keys_but_for_those_that_say_why(path: Path) -> None:
    assert faults(given(path, EVERY), exceptions()) == []


def test_keys_come_to_the_events_of_the_typed_command(fight: Fight) -> None:
    line = "damage goblin-1,goblin-2 7 fire"
    typed = keys_for(fight, line)
    assert isinstance(typed, Typed)
    assert fight.preview(typed.line).events == fight.preview(line).events
    assert typed.pressed == len(typed.shown.split())


def test_fewest_keys_leave_out_what_changes_nothing(fight: Fight) -> None:
    line = "damage goblin-2 7"
    typed = keys_for(fight, line)
    assert isinstance(typed, Typed)
    longer = typed._replace(keys=("tab", *typed.keys))
    assert fewest_keys(fight, longer, line).pressed <= typed.pressed


def test_a_line_without_keys_is_told_with_the_nearest(fight: Fight) -> None:
    found = keys_for(fight, "damage goblin-2 7", most=3)
    assert isinstance(found, NoKeys)
    assert "none among" in found.why


def test_what_is_refused_has_no_keys(fight: Fight) -> None:
    with pytest.raises(Refused, match="is refused"):
        keys_for(fight, "damage nobody 7")


def test_words_typed_into_the_rest_of_a_line_are_no_keys(fight: Fight) -> None:
    """What is typed as words of a command could have been typed as that command."""
    found = keys_for(fight, "set goblin-1 ac 12")
    assert not isinstance(found, Typed) or "g o b l i n" not in found.shown


def test_an_exception_is_told_once_keys_give_it() -> None:
    by_keys = Given("orcus", "a case", "walk", 1, "m", "walk")
    lacks = Given("orcus", "a case", "rally with wolf", 0, "none among 2", "rally")
    allowed = Exceptions({("orcus", "walk")}, set())
    assert faults([by_keys], allowed) == ["no exception any more: orcus: walk"]
    assert "no keys give 'rally with wolf'" in faults([lacks], allowed)[0]
    assert faults([by_keys, lacks], Exceptions(set(), {("orcus", "rally with wolf")})) == []


@pytest.fixture
def fight() -> Fight:
    found = Fight("orcus", "case", 7)
    found.do("add pc Mira hp 30 ac 15", "add monster Goblin x2 hp 26 ac 16")
    found.do("init mira 15", "init goblin-1 12", "init goblin-2 10", "start")
    return found

"""How somebody joins is understood in whatever order it is said."""

from __future__ import annotations

from itertools import permutations

import pytest
from tests.core.conftest import BARE

from affray import Fight
from affray.core.engine.decide import complete
from affray.core.parser.errors import Refused

TERMS = ("x2", "hidden", "group", "hp 5", "side others")


def who_is_here(play):
    return [(c.name, c.hidden, c.side, c.track("hp")) for c in play.state.in_order()]


def test_the_order_of_the_words_of_add_never_changes_what_is_meant():
    for order in permutations(TERMS):
        line = " ".join(order)
        fight = Fight("plain")
        fight.do(f"add monster Rat {line}")
        assert who_is_here(fight) == [("Rat 1", True, "others", 5), ("Rat 2", True, "others", 5)]
        assert {slot.group for slot in fight.state.slots} == {"Rat"}, line


@pytest.mark.parametrize("line", ["wave 2 x2 hidden", "x2 wave 2 hidden", "hidden wave 2 x2"])
def test_a_wave_is_named_anywhere_and_the_rest_is_kept_in_order(play, line):
    play(f"add monster Rat {line}")
    assert who_is_here(play) == []
    play("wave 2")
    assert [(name, hidden) for name, hidden, *_ in who_is_here(play)] == [
        ("Rat 1", True),
        ("Rat 2", True),
    ]


@pytest.mark.parametrize(
    "line",
    ["x2 group hidden", "x2 group Pack hidden", "hidden x2 group Pack", "x2 hp 5 group hidden"],
)
def test_hidden_behind_a_group_is_no_name_of_it(play, line):
    play(f"add monster Rat {line}")
    assert [c.hidden for c in play.state.in_order()] == [True, True]
    assert {slot.group for slot in play.state.slots} in ({"Rat"}, {"Pack"})


def test_a_group_may_be_called_like_a_term_in_quotes(play):
    play('add monster Rat x2 group "hidden"')
    assert [(c.hidden, play.state.slot(c.id).group) for c in play.state.in_order()] == [
        (False, "hidden"),
        (False, "hidden"),
    ]


@pytest.mark.parametrize(
    ("ruleset", "line"),
    [
        ("monsters-and-magic", "hp 9 ac 3 attack {} 1d6"),
        ("orcus", "hp 9 ac 3 attack {} 3 1d6"),
        ("level-up", "hp 9 attack {} +3 1d6"),
        ("adventure-school", "hp 9 attack {} +3 vs ac 1d6"),
        ("5e", "hp 9 attack {} +3 1d6"),
    ],
)
@pytest.mark.parametrize("name", ["wave", "hidden", "group", "side", "x2"])
def test_an_attack_or_a_power_may_be_called_like_a_term(ruleset, line, name):
    fight = Fight(ruleset)
    fight.do(f"add monster Ogre {line.format(name)} hidden")
    (ogre,) = fight.state.combatants
    assert ogre.hidden and name in str(ogre.stats)


@pytest.mark.parametrize("ruleset", ["monsters-and-magic", "orcus", "adventure-school"])
def test_a_term_may_stand_behind_what_is_proposed(ruleset):
    fight = Fight(ruleset)
    fight.do("add monster Imp hp 5 proposed attack hidden")
    assert fight.state.combatants[0].hidden


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("x2 group hiden", "did you mean hidden"),
        ("hiden", "did you mean hidden"),
        ("hidden hidden", "given twice"),
        ("x2 x3", "given twice"),
        ("wave 2 wave 3", "one wave number"),
        ("hidden wave", "wave number"),
        ("hidden group", "two or more"),
        ('as "Old Rat" hp 3', "only creatures from the bestiary"),
        ("hidden side foe", "did you mean foes"),
    ],
)
def test_a_term_that_is_not_understood_is_refused(play, line, answer):
    with pytest.raises(Refused, match=answer):
        play(f"add monster Rat {line}")
    assert who_is_here(play) == [] and not play.state.waves


def test_terms_that_are_not_said_yet_are_offered(play):
    offered = complete(play.state, "add monster Rat hidden hp 4 ", BARE)
    assert {"wave", "group", "side"} <= {*offered} and "hidden" not in offered


RULESETS = ("monsters-and-magic", "orcus", "level-up", "adventure-school", "plain", "5e")


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize(
    ("slip", "meant"),
    [("hiden", "hidden"), ("wav 2", "wave"), ("sied party", "side"), ("gruop", "group")],
)
def test_a_slip_of_a_term_among_the_numbers_is_asked_about(ruleset, slip, meant):
    with pytest.raises(Refused, match=rf"did you mean [\w, -]*\b{meant}\b"):
        Fight(ruleset).do(f"add monster Rat {slip} hp 4")


@pytest.mark.parametrize(
    ("ruleset", "name", "wanted"),
    [
        ("orcus", "power", "the power's name after `power`"),
        ("level-up", "power", "the power's name after `power`"),
        ("monsters-and-magic", "power", "a number after `power`"),
        ("adventure-school", "ability", "the ability's name after `ability`"),
    ],
)
@pytest.mark.parametrize("line", ["hp 9 {} wave 2", "wave 2 hp 9 {}"])
def test_a_number_that_has_nothing_behind_it_is_named(ruleset, name, wanted, line):
    with pytest.raises(Refused) as refused:
        Fight(ruleset).do(f"add monster Rat {line.format(name)}")
    assert refused.value.bare == f"expected {wanted}"

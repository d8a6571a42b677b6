"""Dice as they lie are answered in the same way in every game."""

from __future__ import annotations

import pytest

from affray import Fight
from affray.core.parser.errors import Refused

GAMES = ("monsters-and-magic", "orcus", "level-up", "adventure-school", "plain", "5e")
NEITHER = "gives the two dice of advantage or disadvantage, but there is neither: give the one die"
CHECKS = {
    "monsters-and-magic": "check {} focus {} dc 10",
    "orcus": "check {} perception {} dc 10",
    "level-up": "check {} wis {} dc 10",
    "5e": "check {} wis {} dc 10",
    "adventure-school": "save {} health {} dc 10",
}
ATTACKS = {
    "monsters-and-magic": "strike ghoul natural {} 5",
    "orcus": "attack ghoul natural {} 5 plus 4",
    "level-up": "attack ghoul natural {} 5 plus 4",
    "5e": "attack ghoul natural {} 5 plus 4",
    "adventure-school": "attack ghoul natural {} 5 plus 4",
}


def begun(rules: str) -> Fight:
    fight = Fight(rules, seed=1)
    for line in (
        "add pc Mira hp 30 ac 15",
        "add pc Odo hp 30 ac 15",
        "add monster Ghoul hp 30 ac 10",
        "init mira 20",
        "init odo 15",
        "init ghoul 10",
        "start",
    ):
        fight.do(line)
    return fight


def naturals(fight: Fight, line: str) -> list[tuple[int, ...]]:
    """The dice of each roll of a d20 that a command makes."""
    return [e.faces for e in fight.do(line).events if "d20" in getattr(e, "dice", "")]


@pytest.mark.parametrize("rules", GAMES)
def test_an_initiative_is_taken_as_the_die_lies(rules: str) -> None:
    fight = begun(rules)
    assert naturals(fight, "init mira natural 7") == [(7,)]
    slot = fight.state.slot("mira")
    assert slot is not None and slot.initiative == 7
    assert naturals(fight, "init mira,odo natural 7,12") == [(7,), (12,)]
    assert naturals(fight, "init mira,odo natural 3 natural 5") == [(3,), (5,)]


@pytest.mark.parametrize("rules", GAMES)
def test_two_dice_of_an_initiative_without_advantage_are_refused(rules: str) -> None:
    fight = begun(rules)
    with pytest.raises(Refused, match=NEITHER):
        fight.do("init mira natural 4,15")
    with pytest.raises(Refused, match="expected the number on the d20, 1 to 20"):
        fight.do("init mira natural 21")
    with pytest.raises(Refused, match="expected 2 rolls: one die for each"):
        fight.do("init mira,odo natural 7")


@pytest.mark.parametrize("rules", CHECKS)
def test_two_dice_of_a_roll_without_advantage_are_refused(rules: str) -> None:
    for line in (CHECKS[rules].format("mira", "natural 4,15"), ATTACKS[rules].format("4,15")):
        with pytest.raises(Refused, match=NEITHER):
            begun(rules).do(line)


@pytest.mark.parametrize("rules", CHECKS)
def test_several_have_one_die_each_or_one_natural_each(rules: str) -> None:
    fight, line = begun(rules), CHECKS[rules]
    assert naturals(fight, line.format("mira,odo", "natural 4,15")) == [(4,), (15,)]
    assert naturals(fight, line.format("mira,odo", "natural 4 natural 9")) == [(4,), (9,)]
    with pytest.raises(Refused, match=NEITHER):
        fight.do(line.format("mira,odo", "natural 4,15 natural 9"))


@pytest.mark.parametrize("rules", ["monsters-and-magic", "level-up", "adventure-school", "5e"])
def test_of_several_the_one_with_advantage_has_both_dice(rules: str) -> None:
    fight, line = begun(rules), CHECKS[rules]
    fight.do("dodge" if rules == "monsters-and-magic" else "modifier mira adv check,save")
    line = line if rules != "monsters-and-magic" else "check {} cunning save {} dc 10"
    told = naturals(fight, line.format("mira,odo", "natural 4,15 natural 9"))
    assert told == [(4, 15), (9,)]

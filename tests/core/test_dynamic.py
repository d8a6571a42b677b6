"""Initiative anew each round, in every game; places in the order that the table says."""

from __future__ import annotations

import pytest
from tests.played import PlayedFight

GAMES = ("plain", "orcus", "level-up", "monsters-and-magic", "adventure-school", "5e")


def fight_of(game: str) -> PlayedFight:
    """Mira 20, a troll 10, Odo 5."""

    class Fight(PlayedFight):
        RULESET = game

    numbers = "cr 1" if game == "monsters-and-magic" else ""
    return Fight(
        "add pc Mira hp 30",
        "add pc Odo hp 30",
        f"add monster Troll hp 30 {numbers}",
        *("init mira 20", "init troll 10", "init odo 5", "start"),
    )


@pytest.mark.parametrize("game", GAMES)
def test_a_round_waits_for_the_players_and_goes_in_the_new_order(game):
    fight = fight_of(game).do("setting dynamic-initiative on", "next", "next")
    fight.do("next", faces=[9])
    assert fight.state.round == 2
    assert fight.state.turn == ""
    assert sorted(who for who, what in fight.pending if "initiative" in what) == ["mira", "odo"]
    fight.do("init mira 1", "init odo 30", "next")
    assert [slot.who for slot in fight.state.slots] == ["odo", "troll", "mira"]
    assert fight.state.turn == "odo"


@pytest.mark.parametrize("game", GAMES)
def test_it_stays_from_round_to_round_where_the_setting_is_off(game):
    fight = fight_of(game).do("next", "next", "next")
    assert fight.state.turn == "mira"


@pytest.mark.parametrize("game", GAMES)
def test_what_lasts_until_a_turn_lasts_until_it_wherever_that_goes(game):
    fight = fight_of(game).do("setting dynamic-initiative on")
    fight.do('inflict mira "hexed" until end of troll', "next", "next")
    assert not fight.state["mira"].effects, "the troll's turn of round 1 ended it"
    fight.do('inflict mira "hexed" until end of troll').do("next", faces=[9])
    fight.do("init mira 1", "init odo 40", "next")
    assert fight.state["mira"].effects
    fight.do("next", "next")
    assert not fight.state["mira"].effects


def test_a_tie_is_moved_by_a_word():
    fight = fight_of("plain").do("init odo 10")
    fight.do("init odo before troll")
    assert [slot.who for slot in fight.state.slots] == ["mira", "odo", "troll"]
    fight.do("init odo after troll")
    assert [slot.who for slot in fight.state.slots] == ["mira", "troll", "odo"]
    assert {slot.who: slot.initiative for slot in fight.state.slots}["odo"] == 10


def test_whose_turn_is_still_to_come_keeps_it():
    fight = fight_of("plain").do("init odo before mira", "next")
    assert fight.state.turn == "odo"
    fight.do("next", "next")
    assert (fight.state.turn, fight.state.round) == ("odo", 2)


def test_who_can_not_be_placed_is_refused():
    fight = fight_of("plain")
    fight.refuses("init odo before odo", "somebody else")
    fight.refuses("init odo,mira before troll", "name one")
    fight.refuses("init odo before nobody", "nobody here")


@pytest.mark.parametrize("game", GAMES)
def test_a_hazards_initiative_is_its_count_in_every_round(game):
    """A lair acts on 20, and no die falls for it: not as it joins, and not when a round is over."""
    fight = fight_of(game).do("add hazard Lair init 20", "setting dynamic-initiative on")
    assert fight.state.slot("lair").initiative == 20
    while fight.state.round == 1:
        is_last = fight.state.turn == fight.state.slots[-1].who
        fight.do("next", faces=[9] if is_last else [])
    assert fight.state.slot("lair").initiative == 20

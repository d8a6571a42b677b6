"""Initiative that is anew each round: of who was out as the round began, and is up again."""

from __future__ import annotations

import pytest

from affray import Fight

GAMES = ("plain", "5e", "level-up", "orcus", "adventure-school", "monsters-and-magic")


def _fight(game: str) -> Fight:
    fight = Fight(game, seed=3)
    fight.do("setting dynamic-initiative on")
    for name, number in (("Rat", 40), ("Cur", 15), ("Elk", 10)):
        fight.do(f"add monster {name} hp 9{' ac 5' * (game != 'plain')}")
        fight.do(f"init {name} {number}")
    fight.do("start", "kill rat" if game == "adventure-school" else "damage rat 99")
    fight.do("next", "next", "next")
    return fight


@pytest.mark.parametrize("game", GAMES)
def test_the_raised_have_an_initiative_of_this_round(game: str) -> None:
    fight = _fight(game)
    assert fight.state["rat"].is_out
    assert fight.state.slot("rat").initiative is None
    fight.do("revive rat 4 dead" if game == "adventure-school" else "set rat hp 4")
    if not fight.state["rat"].is_out:
        assert fight.state.slot("rat").initiative not in (None, 40)


def test_the_raised_act_in_this_round_if_their_place_is_to_come() -> None:
    fight = _fight("plain")
    fight.do("heal rat 4")
    assert fight.do("next").text.endswith("Rat is up")

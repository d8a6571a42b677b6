"""A rest is for the party alone, unless others are named; and says for whom it did nothing."""

from __future__ import annotations

import pytest
from tests.played import rules_said

from affray.core.parser.errors import Refused
from affray.fight import Fight

SHEETS = {
    "monsters-and-magic": "hp 30 pb 2",
    "orcus": "hp 30 ac 15",
    "level-up": "hp 30 ac 15 level 3",
    "5e": "hp 30 ac 15 hit-dice 3d8",
    "adventure-school": "hp 30 ac 15 stamina 5",
}
GAMES = list(SHEETS)


def after_a_fight(game: str) -> Fight:
    """A fight that is over, behind which a foe stands, hurt."""
    fight = Fight(game, seed=1)
    fight.do(f"add pc Mira {SHEETS[game]}", f"add pc Teo {SHEETS[game]}")
    fight.do("add monster Hound hp 20 ac 5", "init 1 30", "init 2 20", "init 3 10", "start")
    fight.do("damage hound 7", "end")
    return fight


def noted(fight: Fight) -> str:
    entry = fight.history.entries[fight.history.head]
    return " · ".join(rules_said(entry.events, fight.state))


@pytest.mark.parametrize("kind", ["short", "long"])
@pytest.mark.parametrize("game", GAMES)
def test_no_rest_does_a_foe_any_good_unless_it_is_named(game: str, kind: str) -> None:
    fight = after_a_fight(game)
    hound = fight.state["hound"]
    fight.do(f"rest {kind}")
    assert fight.state["hound"] == hound
    assert "Hound: not rested (a rest is for the party; add others `with NAME`)" in noted(fight)
    fight.do("undo", f"rest {kind} with hound")
    assert "not rested" not in noted(fight)


@pytest.mark.parametrize("game", ["orcus", "level-up", "adventure-school", "5e"])
def test_a_foe_that_is_named_sleeps_as_the_party_does(game: str) -> None:
    fight = after_a_fight(game)
    fight.do("rest long with hound")
    assert fight["hound"].hp == 20


@pytest.mark.parametrize("game", GAMES)
def test_many_who_have_no_rest_are_told_by_their_number(game: str) -> None:
    fight = after_a_fight(game)
    fight.do("add monster Rat x4 hp 5 ac 5", "rest short")
    assert "5 have not rested: a rest is for the party; add others `with NAME`" in noted(fight)


@pytest.mark.parametrize("game", GAMES)
def test_where_nobody_of_the_party_is_there_is_no_rest(game: str) -> None:
    fight = Fight(game, seed=1)
    fight.do("add monster Hound hp 20 ac 5")
    with pytest.raises(Refused, match="nobody from the party is here to rest; `with NAME`"):
        fight.do("rest short")


@pytest.mark.parametrize("game", ["monsters-and-magic", "orcus", "level-up", "5e"])
def test_a_rest_tells_of_who_is_dying(game: str) -> None:
    """Adventure School knows no dying: who is at 0 is defeated, and a long rest revives them."""
    fight = after_a_fight(game)
    fight.do("damage teo 30", "rest long")
    assert "Teo" in noted(fight) and "dying" in noted(fight)
    if game == "level-up":  # No HP for the dying
        assert fight["teo"].life == "dying" and "a rest gives no HP" in noted(fight)


STAYS = {"orcus": "blinded", "level-up": "blinded", "5e": "charmed", "adventure-school": "charmed"}


@pytest.mark.parametrize("kind", ["short", "long"])
@pytest.mark.parametrize("game", STAYS)
def test_a_rest_tells_of_conditions_that_nothing_ends(game: str, kind: str) -> None:
    """SRD 5.2.1, Long Rest: what it ends is listed there, and no condition but exhaustion is."""
    fight = after_a_fight(game)
    fight.do(f"inflict mira {STAYS[game]}", f"inflict teo {STAYS[game]} until rest", f"rest {kind}")
    assert f"Mira stays {STAYS[game]}: a rest doesn't end that, `remove` does" in noted(fight)
    assert "Teo stays" not in noted(fight)
    fight.do("undo", f"remove mira {STAYS[game]}", f"rest {kind}")
    assert "stays" not in noted(fight)

"""Initiative, what it gives back, delay and skip. Adventure School, Initiative, Delay."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.rulesets.adventure_school.conftest import BRANNOC, MIRA

Fight = Any


def test_initiative_is_a_d20_and_init_with_advantage_while_hidden(
    new_fight: Callable[..., Fight],
) -> None:
    """Adventure School, Initiative, Hide."""
    fight = new_fight(BRANNOC, MIRA, "init brannoc natural 9")
    assert fight.who("brannoc")["initiative"] == 11
    fight.do("inflict mira hidden", "init mira natural 4,15")
    assert fight.who("mira")["initiative"] == 19
    fight.do("modifier brannoc +2 initiative", "init brannoc natural 9")
    assert fight.who("brannoc")["initiative"] == 13
    fight.refuses("init brannoc natural 4,15", "there is neither")


def test_a_modifier_for_one_initiative_is_used_up_by_it(fight: Fight) -> None:
    """Commands, DURATION: until used."""
    fight.do("modifier brannoc +3 initiative until used", "init brannoc natural 9")
    assert "modifier" not in fight.effects("brannoc")


def test_ties_go_by_init_then_characters_then_as_added(new_fight: Callable[..., Fight]) -> None:
    """Adventure School, ruling 6."""
    fight = new_fight(
        "add monster Cat hp 5 init 2", "add monster Bat hp 5", "add pc Ann hp 5", "add pc Bob hp 5"
    )
    fight.do("init cat,bat,ann,bob 10")
    assert fight.order == ["cat", "ann", "bob", "bat"]


def test_stamina_is_back_and_diminish_gone_with_each_initiative(fight: Fight) -> None:
    """Adventure School, Stamina, Diminish: whether rolled, said or at the start."""
    fight.do("set brannoc stamina 1", "set brannoc diminish 2", "set mira diminish 3")
    fight.do("init brannoc 15")
    assert (fight.track("brannoc", "stamina"), fight.track("brannoc", "diminish")) == (4, 0)
    assert fight.track("mira", "diminish") == 3
    fight.do("set brannoc stamina 0", "init brannoc natural 9")
    assert fight.track("brannoc", "stamina") == 4
    fight.do("set brannoc stamina 0", "end", "start", faces=(1, 2, 3, 4))
    assert (fight.track("brannoc", "stamina"), fight.track("mira", "diminish")) == (4, 0)


def test_a_delayed_turn_is_no_initiative_and_the_place_stays(fight: Fight) -> None:
    """Adventure School, Delay."""
    fight.do("set brannoc stamina 1", "delay", "next", "return")
    assert fight.shown["turn"] == "brannoc" and fight.track("brannoc", "stamina") == 1
    fight.do("next", "next", "next")
    assert fight.order == ["mira", "brannoc", "ghoul-1", "ghoul-2"]
    assert (fight.shown["round"], fight.shown["turn"]) == (2, "mira")


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("skip after ghoul-2", ["mira", "ghoul-1", "ghoul-2", "brannoc"]),
        ("skip before ghoul-1", ["mira", "brannoc", "ghoul-1", "ghoul-2"]),
    ],
)
def test_a_turn_is_skipped_for_a_later_place(fight: Fight, line: str, order: list[str]) -> None:
    """Adventure School, Delay: not again in this round, and from the next on for the rest of the
    fight."""
    fight.do(line)
    assert fight.order == order and fight.shown["turn"] == "mira"
    fight.do("next", "next", "next")
    assert (fight.shown["round"], fight.shown["turn"]) == (2, "mira")
    for who in order[1:]:
        fight.do("next")
        assert fight.shown["turn"] == who


def test_a_turn_is_skipped_for_an_earlier_place(fight: Fight) -> None:
    """Adventure School, Delay."""
    fight.do("next", "next", "skip before brannoc")
    assert fight.order == ["ghoul-1", "brannoc", "mira", "ghoul-2"]
    assert (fight.shown["round"], fight.shown["turn"]) == (1, "ghoul-2")
    fight.do("next")
    assert (fight.shown["round"], fight.shown["turn"]) == (2, "ghoul-1")


def test_what_the_skipped_turns_end_would_end_has_ended(fight: Fight) -> None:
    """Adventure School, Turn, Delay."""
    fight.do("inflict mira afraid until end of mira", "next", "skip after ghoul-2")
    assert "afraid" not in fight.effects("mira")


def test_a_skip_is_refused_once_something_was_done_and_in_others_turns(fight: Fight) -> None:
    """Adventure School, Delay: the turn is given up."""
    fight.refuses("skip after brannoc", "can only go after somebody else")
    fight.refuses("skip after ghoul-2 by mira", "it is not Mira's turn")
    fight.refuses("skip ghoul-2", "before")
    fight.do("act")
    fight.refuses("skip after ghoul-2", "already acted this turn, so can't skip it")


def test_undo_across_a_skip(fight: Fight) -> None:
    """What it must show."""
    before = fight.shown
    fight.do("skip after ghoul-2", "undo")
    assert fight.order == before["order"] and fight.shown["turn"] == "brannoc"
    fight.do("next")
    assert fight.shown["turn"] == "mira"


def test_a_round_lasts_as_long_as_everybody_has_had_a_turn(fight: Fight) -> None:
    """Adventure School, Round, Initiative: and the highest goes first."""
    turns = []
    for _ in range(4):
        turns.append(fight.shown["turn"])
        fight.do("next")
    assert turns == ["brannoc", "mira", "ghoul-1", "ghoul-2"] and fight.shown["round"] == 2

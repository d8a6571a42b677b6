"""The actions of movement. Orcus, Actions in Combat, Being Prone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from affray.core.formatting.pieces import why_in_words

if TYPE_CHECKING:
    from tests.rulesets.orcus.conftest import Fight


@pytest.mark.parametrize("what", ["walk", "dash", "squeeze", "five-foot-step"])
def test_the_prone_only_crawl(fight: Fight, what: str) -> None:
    """Orcus, Being Prone, Conditions (Prone)."""
    fight.do("drop-prone").refuses(what, "prone")
    assert fight.do("crawl").actions("brannoc") == (1, 0, 1)


def test_standing_up_ends_prone(fight: Fight) -> None:
    """Orcus, Stand Up from Prone."""
    fight.do("inflict brannoc prone", "stand-up")
    assert "prone" not in fight.effects("brannoc")
    assert fight.actions("brannoc") == (1, 0, 1)
    fight.refuses("stand-up", "not prone")


def test_dropping_prone_is_free_and_done_once(fight: Fight) -> None:
    """Orcus, Free Actions, Being Prone."""
    fight.do("drop-prone")
    assert "prone" in fight.effects("brannoc")
    fight.refuses("drop-prone", "already")


def test_a_dash_exposes_until_the_end_of_the_next_turn(fight: Fight) -> None:
    """Orcus, Dash."""
    fight.do("dash")
    assert fight.total("brannoc", "attack") == -5
    fight.do("next", "attack brannoc natural 8 5 by mira")
    assert "combat advantage" in why_in_words(fight.rolled)
    fight.do("next", "next", "next")
    assert fight.state.turn == "brannoc" and "dashing" in fight.effects("brannoc")
    fight.do("next")
    assert "dashing" not in fight.effects("brannoc")


def test_squeezing_lasts_until_one_walks_out(fight: Fight) -> None:
    """Orcus, Squeeze."""
    fight.do("squeeze")
    assert fight.total("brannoc", "attack") == -5
    fight.do("squeeze")  # the standard action pays for it
    assert [e.name for e in fight["brannoc"].effects] == ["squeezing"]
    fight.do("next", "next", "next", "next", "walk")
    assert "squeezing" not in fight.effects("brannoc")

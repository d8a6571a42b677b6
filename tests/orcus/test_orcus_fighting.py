"""The actions that lay hands or weapons on somebody. Seed 003: Actions in Combat."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from affray.core.events import Rolled

if TYPE_CHECKING:
    from tests.orcus.conftest import Fight

NewFight = Callable[..., "Fight"]


# -- Basic Attack, Charge, Coup de Grace --------------------------------------------------------


def test_basic_attack_hits_for_what_was_rolled(fight: Fight) -> None:
    """Seed 003: Basic Attack."""
    fight.do("attack goblin-1 hit 8")
    assert fight.hp("goblin-1") == 18
    assert fight.shown["undo"] == "Brannoc attacks Goblin 1, hit 8"


def test_charge_adds_one_to_the_attack_roll(fight: Fight) -> None:
    """Seed 003: Charge. 7 + 1 + 8 = 16 hits AC 16, which 15 would not."""
    fight.do("charge goblin-1 natural 8 5")
    assert (fight.outcome, fight.rolled.total, fight.hp("goblin-1")) == ("hit", 16, 21)
    assert "charge" in fight.rolled.why


def test_charge_may_end_in_a_shove(usual: NewFight) -> None:
    """Seed 003: Charge, Shove. Strength 4 + 1 against Fortitude 13."""
    fight = usual("strength 4").do("charge shove goblin-1 natural 8")
    assert (fight.outcome, fight.rolled.total, fight.rolled.dc) == ("hit", 13, 13)


def test_charge_is_made_in_melee(fight: Fight) -> None:
    """Seed 003: Charge (a single basic melee attack)."""
    fight.do("next").refuses("charge goblin-1 hit 5 with Bow", "melee")


@pytest.mark.parametrize("what", ["charge goblin-1 hit 5", "walk", "dash", "five-foot-step"])
def test_nobody_moves_who_is_immobile(fight: Fight, what: str) -> None:
    """Seed 003: Conditions (Immobile)."""
    fight.do("inflict brannoc immobile").refuses(what, "immobile")


def test_coup_de_grace_makes_any_hit_critical(fight: Fight) -> None:
    """Seed 003: Coup de Grace."""
    fight.do("inflict goblin-1 helpless", "coup-de-grace goblin-1 hit 9")
    assert (fight.outcome, fight.hp("goblin-1")) == ("crit", 17)


def test_coup_de_grace_kills_with_the_staggered_value(fight: Fight) -> None:
    """Seed 003: Coup de Grace. Half of 26 is 13."""
    fight.do("inflict goblin-1 helpless", "coup-de-grace goblin-1 hit 13")
    assert fight["goblin-1"].life == "dead"


def test_coup_de_grace_needs_somebody_helpless(fight: Fight) -> None:
    """Seed 003: Coup de Grace. The unconscious are taken as helpless."""
    fight.refuses("coup-de-grace goblin-1 hit 9", "not helpless")
    fight.do("inflict goblin-1 unconscious", "coup-de-grace goblin-1 hit 9")
    assert fight.outcome == "crit"


# -- Grapple ------------------------------------------------------------------------------------


def test_grapple_is_strength_against_reflex(usual: NewFight) -> None:
    """Seed 003: Grapple. 10 + 4 reaches Reflex 14."""
    fight = usual("strength 4").do("grapple goblin-1 natural 10")
    assert (fight.outcome, fight.rolled.total, fight.rolled.dc) == ("hit", 14, 14)
    assert "grappled" in fight.effects("goblin-1")
    fight.do("next", "next").refuses("walk", "grappled")


def test_a_grapple_that_misses_holds_nobody(fight: Fight) -> None:
    """Seed 003: Grapple."""
    fight.do("grapple goblin-1 natural 13")
    assert fight.outcome == "miss" and "grappled" not in fight.effects("goblin-1")


def test_a_strength_attack_has_combat_advantage_too(usual: NewFight) -> None:
    """Seed 003: Combat Advantage, Grapple."""
    fight = usual("strength 4")
    fight.do("inflict goblin-1 restrained", "grapple goblin-1 natural 8")
    assert fight.rolled.total == 14 and fight.outcome == "hit"


@pytest.mark.parametrize("condition", ["stunned", "unconscious", "petrified"])
def test_the_incapacitated_are_grappled_without_a_roll(fight: Fight, condition: str) -> None:
    """Seed 003: Grapple."""
    fight.refuses("grapple goblin-1")
    fight.do(f"inflict goblin-1 {condition}", "grapple goblin-1")
    assert "grappled" in fight.effects("goblin-1")
    assert not any(isinstance(event, Rolled) for event in fight.events)


def test_a_grapple_ends_when_the_grappler_is_stunned(fight: Fight) -> None:
    """Seed 003: Grapple."""
    fight.do("grapple goblin-1 hit", "inflict brannoc stunned")
    assert "grappled" not in fight.effects("goblin-1")


def test_letting_go_is_free(fight: Fight) -> None:
    """Seed 003: Free Actions (End a grapple)."""
    fight.refuses("release goblin-1", "not grappled")
    fight.do("grapple goblin-1 hit", "release goblin-1")
    assert fight.actions("brannoc") == (0, 1, 1)
    assert "grappled" not in fight.effects("goblin-1")


@pytest.mark.parametrize(("skill", "dc"), [("athletics", 16), ("acrobatics", 14)])
def test_escape_is_against_the_grapplers_fortitude_or_reflex(
    fight: Fight, skill: str, dc: int
) -> None:
    """Seed 003: Escape a Grapple."""
    fight.do("grapple goblin-1 hit", "next", "next", f"escape {skill} natural {dc - 1}")
    assert (fight.outcome, fight.rolled.dc) == ("miss", dc)
    assert "grappled" in fight.effects("goblin-1")
    fight.do("undo", f"escape {skill} natural {dc}")
    assert "grappled" not in fight.effects("goblin-1")
    assert fight.actions("goblin-1") == (0, 1, 1)


def test_only_the_grappled_escape(fight: Fight) -> None:
    """Seed 003: Escape a Grapple."""
    fight.refuses("escape athletics hit", "not grappled")


def test_of_two_grapples_one_escapes_one(fight: Fight) -> None:
    """Seed 003: Escape a Grapple, Conditions (each instance by itself)."""
    fight.do("grapple goblin-1 hit", "next", "grapple goblin-1 hit", "next")
    fight.do("escape from mira hit")
    assert [e.source for e in fight["goblin-1"].effects if e.name == "grappled"] == ["brannoc"]


def test_dragging_is_strength_against_fortitude(usual: NewFight) -> None:
    """Seed 003: Move a Grappled Creature."""
    fight = usual("strength 4")
    fight.refuses("move-grappled hit", "holds nobody")
    fight.do("grapple goblin-1 hit", "next", "next", "next", "next", "move-grappled natural 9")
    assert (fight.outcome, fight.rolled.total, fight.rolled.dc) == ("hit", 13, 13)
    assert fight.shown["undo"] == "Brannoc drags Goblin 1 along at half the speed"


# -- Shove --------------------------------------------------------------------------------------


def test_shove_is_strength_against_fortitude(usual: NewFight) -> None:
    """Seed 003: Shove."""
    fight = usual("strength 4").do("shove goblin-1 natural 9")
    assert (fight.outcome, fight.rolled.total, fight.rolled.dc) == ("hit", 13, 13)


def test_a_natural_20_shoves_anybody(fight: Fight) -> None:
    """Seed 003: Rolling 1 or 20, Shove (a special melee attack)."""
    fight.do("set goblin-1 fortitude 40", "shove goblin-1 natural 20")
    assert fight.outcome == "hit"


def test_a_shove_deals_no_damage(fight: Fight) -> None:
    """Seed 003: Shove."""
    fight.refuses("shove goblin-1 hit 5", "no damage")
    fight.refuses("shove brannoc hit", "themself")

"""The actions that lay hands or weapons on somebody. Orcus, Actions in Combat."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from affray.core.engine.events import NoteAdded, Rolled
from affray.core.formatting.pieces import why_in_words
from affray.rulesets.orcus.action_economy import GRAPPLE

if TYPE_CHECKING:
    from tests.rulesets.orcus.conftest import Fight

NewFight = Callable[..., "Fight"]


# -- Basic Attack, Charge, Coup de Grace --------------------------------------------------------


def test_basic_attack_hits_for_what_was_rolled(fight: Fight) -> None:
    """Orcus, Basic Attack."""
    fight.do("attack goblin-1 hit 8")
    assert fight.hp("goblin-1") == 18
    assert fight.shown["undo"] == "Brannoc attacks Goblin 1, hit 8"


def test_charge_adds_one_to_the_attack_roll(fight: Fight) -> None:
    """Orcus, Charge. 7 + 1 + 8 = 16 hits AC 16, which 15 would not."""
    fight.do("charge goblin-1 natural 8 5")
    assert (fight.outcome, fight.rolled.total, fight.hp("goblin-1")) == ("hit", 16, 21)
    assert "charge" in why_in_words(fight.rolled)


def test_charge_may_end_in_a_shove(usual: NewFight) -> None:
    """Orcus, Charge, Shove. Strength 4 + 1 against Fortitude 13."""
    fight = usual("strength 4").do("charge shove goblin-1 natural 8")
    assert (fight.outcome, fight.rolled.total, fight.rolled.dc) == ("hit", 13, 13)


def test_charge_leads_out_of_a_narrow_space(fight: Fight) -> None:
    """Orcus, Charge, Squeeze."""
    fight.do("squeeze", "charge goblin-1 miss")
    assert "squeezing" not in fight.effects("brannoc")


def test_charge_is_made_in_melee(fight: Fight) -> None:
    """Orcus, Charge (a single basic melee attack)."""
    fight.do("next").refuses("charge goblin-1 hit 5 with Bow", "melee")


@pytest.mark.parametrize("what", ["charge goblin-1 hit 5", "walk", "dash", "five-foot-step"])
def test_nobody_moves_who_is_immobile(fight: Fight, what: str) -> None:
    """Orcus, Conditions (Immobile)."""
    fight.do("inflict brannoc immobile").refuses(what, "immobile")


def test_coup_de_grace_makes_any_hit_critical(fight: Fight) -> None:
    """Orcus, Coup de Grace."""
    fight.do("inflict goblin-1 helpless", "coup-de-grace goblin-1 hit 9")
    assert (fight.outcome, fight.hp("goblin-1")) == ("crit", 17)


def test_coup_de_grace_kills_with_the_staggered_value(fight: Fight) -> None:
    """Orcus, Coup de Grace. Half of 26 is 13."""
    fight.do("inflict goblin-1 helpless", "coup-de-grace goblin-1 hit 13")
    assert fight["goblin-1"].life == "dead"


def test_coup_de_grace_needs_somebody_helpless(fight: Fight) -> None:
    """Orcus, Coup de Grace. The unconscious are taken as helpless."""
    fight.refuses("coup-de-grace goblin-1 hit 9", "not helpless")
    fight.do("inflict goblin-1 unconscious", "coup-de-grace goblin-1 hit 9")
    assert fight.outcome == "crit"


@pytest.mark.parametrize(
    "line",
    [
        "attack goblin-1 hit 13",
        "attack goblin-1 natural 14 13",
        "charge goblin-1 hit 13",
        "coup-de-grace goblin-1 hit 13",
    ],
)
@pytest.mark.parametrize("state", ["helpless", "unconscious"])
def test_a_melee_attack_on_the_helpless_is_a_coup_de_grace_by_whatever_command(
    fight: Fight, line: str, state: str
) -> None:
    """Orcus, Coup de Grace: when you make an attack using a standard action, it is one."""
    fight.do(f"inflict goblin-1 {state}", line)
    assert (fight.outcome, fight["goblin-1"].life) == ("crit", "dead")
    assert "coup" in line or "Goblin 1: a coup de grace" in fight.notes


def test_of_several_it_says_on_whom_it_is_a_coup_de_grace(fight: Fight) -> None:
    """Orcus, Coup de Grace; ruling 15: the preview says so, hit or miss."""
    fight.do("inflict goblin-1 helpless", "attack goblin-1,goblin-2 hit 3")
    assert NoteAdded("a coup de grace", "goblin-1", aside=True) in fight.events


def test_less_than_the_staggered_value_is_only_damage(fight: Fight) -> None:
    """Orcus, Coup de Grace."""
    fight.do("inflict goblin-1 helpless", "attack goblin-1 hit 12")
    assert (fight.outcome, fight.hp("goblin-1"), fight["goblin-1"].life) == ("crit", 14, "up")


def test_a_miss_is_no_coup_de_grace(fight: Fight) -> None:
    """Orcus, Coup de Grace: if you hit."""
    fight.do("inflict goblin-1 helpless", "attack goblin-1 natural 1 13")
    assert (fight.outcome, fight.hp("goblin-1")) == ("miss", 26)


@pytest.mark.parametrize("line", ["attack goblin-1 hit 13 reach", "attack goblin-1 hit 13 ranged"])
def test_from_farther_away_it_is_an_attack_like_any_other(fight: Fight, line: str) -> None:
    """Orcus, Coup de Grace: a helpless adjacent opponent."""
    fight.do("inflict goblin-1 helpless", line)
    assert (fight.outcome, fight.hp("goblin-1")) == ("hit", 13)
    assert "coup" not in fight.shown["undo"]
    fight.do("next").refuses("coup-de-grace goblin-1 hit 13 reach", "not adjacent")


def test_a_charge_takes_two_squares(fight: Fight) -> None:
    """Orcus, Charge: you must move at least 2 squares, in the air as well."""
    fight.do("inflict brannoc slowed", "charge goblin-1 miss", "action-point")
    fight.do("modifier brannoc -5 speed").refuses("charge goblin-1 hit 5", "speed 1")
    fight.refuses("charge shove goblin-1 hit", "it needs 2 squares")
    fight.do("modifier brannoc +7 fly", "charge goblin-1 hit 5")
    assert fight.hp("goblin-1") == 21


def test_a_ranged_attack_from_the_next_square_is_a_coup_de_grace(fight: Fight) -> None:
    """Orcus, Coup de Grace: when you make an attack, of whatever kind, that is adjacent."""
    fight.do("next", "inflict goblin-1 helpless", "attack goblin-1 natural 7 13 adjacent")
    assert (fight.outcome, fight["goblin-1"].life) == ("crit", "dead")


def test_an_opportunity_attack_is_no_coup_de_grace(fight: Fight) -> None:
    """Orcus, Coup de Grace: using a standard action."""
    fight.do("inflict brannoc helpless", "react opportunity-attack brannoc hit 22 by goblin-1")
    assert (fight.outcome, fight.hp("brannoc")) == ("hit", 22)


def test_of_several_only_the_helpless_take_a_coup_de_grace(fight: Fight) -> None:
    """Orcus, Coup de Grace, Areas of effect (a roll for each)."""
    fight.do("inflict goblin-1 helpless", "attack goblin-1,goblin-2 hit,hit 11")
    outcomes = [e.outcome for e in fight.events if isinstance(e, Rolled) and e.outcome]
    assert outcomes == ["crit", "hit"]
    assert (fight.hp("goblin-1"), fight.hp("goblin-2")) == (26 - 12, 15), "12 is the Sword's most"


def test_a_readied_attack_may_be_a_coup_de_grace(fight: Fight) -> None:
    """Orcus, Coup de Grace, Ready (a standard action)."""
    fight.do('ready attack "it sleeps"', "next", "inflict goblin-1 unconscious")
    fight.do("trigger goblin-1 hit 13")
    assert fight["goblin-1"].life == "dead"


def test_a_knock_out_of_the_helpless_does_not_kill(fight: Fight) -> None:
    """Orcus, Coup de Grace, Knocking a Creature Out."""
    fight.do("inflict goblin-1 helpless", "attack goblin-1 hit 26 knockout")
    assert fight["goblin-1"].life == "unconscious"


@pytest.mark.parametrize("line", ["shove goblin-1 hit", "charge shove goblin-1 hit"])
def test_nobody_shoves_the_restrained(fight: Fight, line: str) -> None:
    """Orcus, Restrained: not with unwilling movement either."""
    fight.do("inflict goblin-1 restrained").refuses(line, "restrained")
    assert fight.actions("brannoc") == (1, 1, 1)


def test_nobody_drags_the_restrained(fight: Fight) -> None:
    """Orcus, Restrained, Move a Grappled Creature."""
    fight.do("grapple goblin-1 hit", "inflict goblin-1 restrained", "set brannoc standard 1")
    fight.refuses("move-grappled hit", "restrained")
    assert fight.reason("brannoc", "move-grappled") == "Goblin 1 is restrained"
    fight.do("remove goblin-1 restrained", "move-grappled hit")


def test_whoever_drags_has_half_the_speed_until_the_turn_ends(fight: Fight) -> None:
    """Orcus, Move a Grappled Creature, Rounding Fractions."""
    fight.do("set brannoc speed 7", "grapple goblin-1 hit", "set brannoc standard 1")
    fight.do("move-grappled hit")
    assert fight.total("brannoc", "speed") == 3
    assert ("halved", "dragging") in fight.why("brannoc", "speed")
    assert fight.do("next").total("brannoc", "speed") == 7


def test_what_caps_a_speed_comes_after_what_halves_it(fight: Fight) -> None:
    """Orcus, Slowed: after all other modifiers to the speed."""
    fight.do("inflict brannoc slowed", "modifier brannoc +2 speed", "grapple goblin-1 hit")
    fight.do("set brannoc standard 1", "move-grappled hit")
    assert fight.total("brannoc", "speed") == 2


def test_dragging_again_halves_the_speed_once(fight: Fight) -> None:
    """Orcus, Move a Grappled Creature."""
    fight.do("grapple goblin-1 hit", "next", "next", "next", "next", "move-grappled hit")
    fight.do("action-point", "move-grappled hit")
    assert [e.name for e in fight["brannoc"].effects] == ["dragging"]


def test_letting_go_ends_the_dragging(fight: Fight) -> None:
    """Orcus, Move a Grappled Creature."""
    fight.do("grapple goblin-1 hit", "set brannoc standard 1", "move-grappled hit", "release")
    assert fight.total("brannoc", "speed") == 6


def test_a_drag_that_misses_costs_no_speed(fight: Fight) -> None:
    """Orcus, Move a Grappled Creature."""
    fight.do("grapple goblin-1 hit", "set brannoc standard 1", "move-grappled miss")
    assert fight.total("brannoc", "speed") == 6


# -- Grapple ------------------------------------------------------------------------------------


def test_grapple_is_strength_against_reflex(usual: NewFight) -> None:
    """Orcus, Grapple. 10 + 4 reaches Reflex 14."""
    fight = usual("strength 4").do("grapple goblin-1 natural 10")
    assert (fight.outcome, fight.rolled.total, fight.rolled.dc) == ("hit", 14, 14)
    assert "grappled" in fight.effects("goblin-1")
    fight.do("next", "next").refuses("walk", "grappled")


def test_who_is_held_is_asked_of_each_state_anew_whatever_was_asked_before(fight: Fight) -> None:
    """Orcus, Grapple."""
    loose = fight.state
    assert fight.reason("brannoc", "release") == "holds nobody"
    held = fight.do("grapple goblin-1 hit").state
    assert fight.reason("brannoc", "release") == ""
    for state, names in ((loose, []), (held, ["goblin-1"]), (loose, [])):
        assert [who.id for who in GRAPPLE.held_by(state, "brannoc")] == names
    assert GRAPPLE.held_by(held, "mira") == []
    fight.do("inflict goblin-1 slowed", "release")
    assert GRAPPLE.held_by(fight.state, "brannoc") == []


def test_a_grapple_that_misses_holds_nobody(fight: Fight) -> None:
    """Orcus, Grapple."""
    fight.do("grapple goblin-1 natural 13")
    assert fight.outcome == "miss" and "grappled" not in fight.effects("goblin-1")


def test_a_strength_attack_has_combat_advantage_too(usual: NewFight) -> None:
    """Orcus, Combat Advantage, Grapple."""
    fight = usual("strength 4")
    fight.do("inflict goblin-1 restrained", "grapple goblin-1 natural 8")
    assert fight.rolled.total == 14 and fight.outcome == "hit"


@pytest.mark.parametrize("condition", ["stunned", "unconscious", "petrified"])
def test_the_incapacitated_are_grappled_without_a_roll(fight: Fight, condition: str) -> None:
    """Orcus, Grapple."""
    fight.refuses("grapple goblin-1", "expected an outcome")
    fight.do(f"inflict goblin-1 {condition}", "grapple goblin-1")
    assert "grappled" in fight.effects("goblin-1")
    assert not any(isinstance(event, Rolled) for event in fight.events)


def test_the_incapacitated_are_grappled_whatever_was_rolled(fight: Fight) -> None:
    """Orcus, Grapple: it succeeds without fail on the incapacitated."""
    fight.do("inflict goblin-1 stunned", "grapple goblin-1 miss")
    assert "grappled" in fight.effects("goblin-1")
    assert fight.shown["undo"] == "Brannoc grapples Goblin 1, who can't resist"


def test_a_grapple_ends_when_the_grappler_is_stunned(fight: Fight) -> None:
    """Orcus, Grapple."""
    fight.do("grapple goblin-1 hit", "inflict brannoc stunned")
    assert "grappled" not in fight.effects("goblin-1")


def test_letting_go_is_free(fight: Fight) -> None:
    """Orcus, Free Actions (End a grapple)."""
    fight.refuses("release goblin-1", "doesn't hold")
    fight.do("grapple goblin-1 hit", "release goblin-1")
    assert fight.actions("brannoc") == (0, 1, 1)
    assert "grappled" not in fight.effects("goblin-1")


@pytest.mark.parametrize(("skill", "dc"), [("athletics", 16), ("acrobatics", 14)])
def test_escape_is_against_the_grapplers_fortitude_or_reflex(
    fight: Fight, skill: str, dc: int
) -> None:
    """Orcus, Escape a Grapple."""
    fight.do("grapple goblin-1 hit", "next", "next", f"escape {skill} natural {dc - 1}")
    assert (fight.outcome, fight.rolled.dc) == ("failure", dc)
    assert "grappled" in fight.effects("goblin-1")
    fight.do("undo", f"escape {skill} natural {dc}")
    assert "grappled" not in fight.effects("goblin-1")
    assert fight.actions("goblin-1") == (0, 1, 1)


def test_only_the_grappled_escape(fight: Fight) -> None:
    """Orcus, Escape a Grapple."""
    fight.refuses("escape athletics hit", "not grappled")


def test_of_two_grapples_one_escapes_one(fight: Fight) -> None:
    """Orcus, Escape a Grapple, Conditions (each instance by itself)."""
    fight.do("grapple goblin-1 hit", "next", "grapple goblin-1 hit", "next")
    fight.do("escape from mira hit")
    assert [e.source for e in fight["goblin-1"].effects if e.name == "grappled"] == ["brannoc"]


def test_dragging_is_strength_against_fortitude(usual: NewFight) -> None:
    """Orcus, Move a Grappled Creature."""
    fight = usual("strength 4")
    fight.refuses("move-grappled hit", "holds nobody")
    fight.do("grapple goblin-1 hit", "next", "next", "next", "next", "move-grappled natural 9")
    assert (fight.outcome, fight.rolled.total, fight.rolled.dc) == ("hit", 13, 13)
    assert fight.shown["undo"] == "Brannoc drags Goblin 1 along at half the speed"


# -- Shove --------------------------------------------------------------------------------------


def test_shove_is_strength_against_fortitude(usual: NewFight) -> None:
    """Orcus, Shove."""
    fight = usual("strength 4").do("shove goblin-1 natural 9")
    assert (fight.outcome, fight.rolled.total, fight.rolled.dc) == ("hit", 13, 13)


def test_a_natural_20_shoves_anybody(fight: Fight) -> None:
    """Orcus, Rolling 1 or 20, Shove (a special melee attack)."""
    fight.do("set goblin-1 fortitude 40", "shove goblin-1 natural 20")
    assert fight.outcome == "hit"


def test_a_shove_deals_no_damage(fight: Fight) -> None:
    """Orcus, Shove."""
    fight.refuses("shove goblin-1 hit 5", "did not expect '5'")
    fight.refuses("shove brannoc hit", "themself")

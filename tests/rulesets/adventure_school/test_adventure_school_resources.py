"""Stamina, fortune, spirit, control, diminish: spent, kept back, and back again.

Adventure School, Stamina, Exhaust, Diminish, Fortune Points, Spirit Points,
Devote, Dedicate, Control and Chaos.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.rulesets.adventure_school.conftest import BRANNOC, GHOULS, MIRA, ORDER

Fight = Any
LUCKY = MIRA.replace("spirit 5", "spirit 5 fortune 1d6")
ROBOT = "add monster Robot hp 20 ac 12 init 0 fortune 2d4 control 6"


@pytest.fixture
def fight(new_fight: Callable[..., Fight]) -> Fight:
    """Brannoc is up in round 1; Mira, who rolls fortune, and two ghouls follow."""
    return new_fight(BRANNOC, LUCKY, GHOULS, *ORDER)


def points(fight: Fight, who: str, track: str) -> tuple[int | None, ...]:
    """What is left of a resource, its present maximum, and what that is when nothing lowers it."""
    found = fight[who].tracks[track]
    return found.value, found.max, found.full


# -- stamina ---------------------------------------------------------------------------------------


def test_characters_have_one_stamina_and_15_control_and_monsters_what_is_said(
    new_fight: Callable[..., Fight],
) -> None:
    """Adventure School, Stamina, Exhaust, Control and Chaos."""
    fight = new_fight("add pc Ann hp 9", "add monster Rat hp 3", ROBOT)
    assert points(fight, "ann", "stamina") == (1, 1, 1)
    assert points(fight, "ann", "control") == (15, 15, 15)
    assert not {"stamina", "control", "spirit"} & fight["rat"].tracks.keys()
    assert points(fight, "robot", "control") == (6, 6, 6)


def test_stamina_is_spent_and_what_is_missing_is_refused(fight: Fight) -> None:
    """Adventure School, Stamina."""
    fight.do('spend stamina 3 "a trick"')
    assert points(fight, "brannoc", "stamina") == (1, 4, 4)
    fight.refuses("spend stamina 2", "1 Stamina left, needs 2")
    fight.refuses("spend spirit 1", "stamina")


def test_exhausting_lowers_the_maximum_until_any_rest(fight: Fight) -> None:
    """Adventure School, Stamina, Exhaust, Short Rest, Long Rest: stamina itself comes with the next
    breather (ruling 27)."""
    fight.do("exhaust 3")
    assert points(fight, "brannoc", "stamina") == (1, 1, 4)
    fight.refuses("exhaust 2", "1 Stamina left, needs 2")
    fight.refuses("devote stamina 2 Veil by mira", "1 Stamina left, needs 2")
    fight.do("breather")
    assert points(fight, "brannoc", "stamina") == (1, 1, 4)
    fight.do("end", "rest short")
    assert points(fight, "brannoc", "stamina") == (1, 4, 4)
    fight.do("breather by brannoc")
    assert points(fight, "brannoc", "stamina") == (4, 4, 4)


def test_a_breather_takes_the_action_and_gives_back_what_is_not_exhausted(fight: Fight) -> None:
    """Adventure School, Stamina, Exhaust."""
    fight.do("spend stamina 2", "exhaust 1", "breather")
    assert points(fight, "brannoc", "stamina") == (3, 3, 4)
    assert fight.track("brannoc", "action") == 0
    fight.refuses("breather", "action used")


def test_initiative_gives_stamina_back_and_takes_diminish_away(fight: Fight) -> None:
    """Adventure School, Stamina."""
    fight.do("exhaust 1", "spend stamina 2", "diminish 2", "init brannoc 12")
    assert points(fight, "brannoc", "stamina") == (3, 3, 4)
    assert fight.track("brannoc", "diminish") == 0


# -- fortune ---------------------------------------------------------------------------------------


def test_fortune_waits_at_the_turns_edge_for_a_character(fight: Fight) -> None:
    """Adventure School, Fortune Points: 0 until it is said; none before the first own turn."""
    fight.refuses("fortune mira 4", "in Mira's turn")
    fight.do("next")
    assert fight.track("mira", "fortune") == 0
    assert fight.pending == [("mira", "Mira rolls 1d6 for fortune")]
    fight.do("fortune mira 4")
    assert fight.track("mira", "fortune") == 4 and not fight.pending
    fight.refuses("fortune mira 5", "`set mira fortune N` sets it")


def test_spending_rolls_it_and_so_does_the_turns_end(fight: Fight) -> None:
    """Adventure School, Fortune Points."""
    fight.do("next").do("spend fortune 2", faces=[5])
    assert fight.track("mira", "fortune") == 3
    fight.do("undo").do("next", faces=[6])
    assert fight.track("mira", "fortune") == 6


def test_fortune_that_turns_out_too_little_stands_and_nothing_is_spent(fight: Fight) -> None:
    """Adventure School, Fortune Points, Stamina: the die that has fallen can't be taken back by
    asking for too much."""
    fight.do("next").do("spend fortune 3", faces=[2])
    assert fight.track("mira", "fortune") == 2
    assert "2 Fortune left, needs 3" in fight.history.entries[fight.history.head].text
    fight.refuses("spend fortune 3", "2 Fortune left, needs 3")


def test_unspent_fortune_is_gone_with_the_next_turn_and_a_monsters_is_rolled(
    new_fight: Callable[..., Fight],
) -> None:
    """Adventure School, Fortune Points."""
    fight = new_fight(LUCKY, ROBOT, "init mira 9", "init robot 5", "start", "fortune mira 6")
    fight.do("next", faces=[3, 1])
    assert fight.track("robot", "fortune") == 4
    fight.do("next")
    assert fight.track("mira", "fortune") == 0 and fight.track("robot", "fortune") == 4
    fight.do("end")
    assert not fight.pending and fight.track("robot", "fortune") == 0


def test_outside_of_a_fight_fortune_is_what_the_table_says(new_fight: Callable[..., Fight]) -> None:
    """Adventure School, Action."""
    fight = new_fight(LUCKY, "fortune mira 5", "spend fortune 2 by mira")
    assert fight.track("mira", "fortune") == 3
    fight.refuses("fortune mira many", "roll")
    fight.do("add pc Ann hp 5").refuses("fortune ann 3", "no fortune")


# -- devote and dedicate ---------------------------------------------------------------------------


def test_what_is_devoted_lowers_the_maximum_which_its_end_gives_back_without_the_points(
    fight: Fight,
) -> None:
    """Adventure School, Devote, Dedicate."""
    fight.do("devote spirit 2 Halo by mira")
    assert points(fight, "mira", "spirit") == (3, 3, 5)
    (halo,) = fight["mira"].effects
    assert (halo.name, halo.note, halo.amount, halo.type) == ("devoted", "Halo", 2, "spirit")
    fight.do("drop halo by mira")
    assert points(fight, "mira", "spirit") == (3, 5, 5) and not fight["mira"].effects
    fight.do("undo", "end", "rest long")
    assert points(fight, "mira", "spirit") == (3, 3, 5)


@pytest.mark.parametrize("ends", ["drop Lamp by mira", "remove mira dedicated", "next"])
def test_what_was_dedicated_comes_back_whatever_ends_it(fight: Fight, ends: str) -> None:
    """Adventure School, Devote, Dedicate."""
    fight.do("dedicate spirit 2 Lamp until start of mira by mira")
    assert points(fight, "mira", "spirit") == (3, 5, 5)
    fight.do(ends)
    assert points(fight, "mira", "spirit") == (5, 5, 5)
    assert fight["mira"].named("dedicated") is None


def test_a_refund_stops_at_a_maximum_that_is_lowered(fight: Fight) -> None:
    """Adventure School, Devote, Dedicate."""
    fight.do("dedicate spirit 2 Lamp by mira", "devote spirit 1 Halo by mira")
    assert points(fight, "mira", "spirit") == (2, 4, 5)
    fight.do("set mira spirit 3", "drop Lamp by mira")
    assert points(fight, "mira", "spirit") == (4, 4, 5)


def test_both_are_for_any_resource_and_exhaustion_is_told_from_devotion(fight: Fight) -> None:
    """Adventure School, Stamina, Exhaust, Devote, Dedicate, Short Rest, Long Rest."""
    fight.do("devote stamina 1 Guard", "exhaust 1")
    assert points(fight, "brannoc", "stamina") == (2, 2, 4)
    fight.do("end", "rest short")
    assert points(fight, "brannoc", "stamina") == (2, 3, 4)


def test_devoted_fortune_is_missing_from_what_can_be_rolled(fight: Fight) -> None:
    """Adventure School, Devote, Dedicate: a maximum lowered, of a resource that is rolled anew."""
    fight.do("next", "fortune mira 4", "devote fortune 2 Snare", *["next"] * 4, "fortune mira 6")
    assert fight.track("mira", "fortune") == 4
    fight.do("drop Snare", *["next"] * 4, "fortune mira 6")
    assert fight.track("mira", "fortune") == 6


def test_what_can_not_be_paid_is_not_devoted_and_nobody_drops_what_is_not_kept(
    fight: Fight,
) -> None:
    """Adventure School, Stamina."""
    fight.refuses("devote spirit 6 Veil by mira", "needs 6")
    fight.refuses("drop Veil by mira", "expected the effect to drop")
    fight.do("devote spirit 2 Halo by mira").refuses("drop Hallo by mira", "did you mean Halo")


def test_what_an_ability_gives_ends_with_it(fight: Fight) -> None:
    """Adventure School, Devote, Dedicate: what hangs on nothing else than the ability's name and
    whose it is."""
    fight.do(
        "devote spirit 2 Halo by mira",
        'modifier brannoc +1 attack "Halo" from mira',
        'modifier brannoc +1 check "Halo" from ghoul-1',
        "drop Halo by mira",
    )
    assert [effect.source for effect in fight["brannoc"].effects] == ["ghoul-1"]


# -- control ---------------------------------------------------------------------------------------


def test_control_that_comes_to_0_is_chaos_and_is_never_refused(fight: Fight) -> None:
    """Adventure School, ruling 20."""
    fight.do('spend control 14 "roots"')
    assert fight.track("brannoc", "control") == 1 and fight.notes == ""
    fight.do('spend control 9 "more roots"')
    assert fight.track("brannoc", "control") == 0
    assert fight.notes == "chaos instead of more roots: the GM decides the result"
    fight.do("spend control 1")
    assert fight.notes.startswith("chaos")


def test_control_that_is_devoted_in_chaos_keeps_nothing_up(fight: Fight) -> None:
    """Adventure School, Devote, Dedicate."""
    fight.do("devote control 15 Grove")
    assert fight["brannoc"].effects == () and points(fight, "brannoc", "control") == (0, 15, 15)


def test_any_rest_fills_control_and_a_long_one_spirit(fight: Fight) -> None:
    """14, 20."""
    fight.do("spend control 9 by mira", "spend spirit 3 by mira", "end", "rest short")
    assert points(fight, "mira", "control") == (15, 15, 15)
    assert points(fight, "mira", "spirit") == (2, 5, 5)
    fight.do("rest long")
    assert points(fight, "mira", "spirit") == (5, 5, 5)


def test_fortune_is_what_its_dice_can_show(fight: Fight) -> None:
    """Adventure School, Fortune Points: a slip of the tongue is no fortune."""
    fight.do("next")
    fight.refuses("fortune mira 7", "1d6 shows 1 to 6, not 7")
    fight.refuses("fortune mira 0", "1 to 6")
    assert points(fight.do("fortune mira 6"), "mira", "fortune")[0] == 6


# -- diminish --------------------------------------------------------------------------------------


def test_levels_of_diminish_add_up_and_are_a_total_below_0(fight: Fight) -> None:
    """16."""
    fight.do("diminish 1", "diminish 2")
    assert fight.track("brannoc", "diminish") == 3
    totals = fight.who("brannoc")["totals"]
    assert totals["diminish"] == -3 and totals["attack"] == 0


def test_undo_takes_back_a_refund(fight: Fight) -> None:
    """What it must show."""
    fight.do("dedicate spirit 2 Lamp by mira", "drop Lamp by mira", "undo")
    assert points(fight, "mira", "spirit") == (3, 5, 5)
    assert fight["mira"].named("dedicated") is not None

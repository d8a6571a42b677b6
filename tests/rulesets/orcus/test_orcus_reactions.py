"""What is done out of turn. Orcus, Immediate Actions, Opportunity Attacks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.rulesets.orcus.conftest import Fight

NewFight = Callable[..., "Fight"]
RIPOSTE = 'power "Riposte" encounter react +7 vs ac 1d8+4 power "Fire Burst" daily'


def test_an_opportunity_attack_takes_the_immediate_action(fight: Fight) -> None:
    """Orcus, Opportunity Attacks."""
    fight.do("next", "next", "react opportunity-attack goblin-1 hit 6 by brannoc")
    assert (fight.hp("goblin-1"), fight.track("brannoc", "immediate")) == (20, 0)


def test_one_opportunity_attack_against_a_creature_in_its_turn(fight: Fight) -> None:
    """Orcus, Opportunity Attacks, Immediate Actions (one between two of one's turns)."""
    fight.do("next", "next", "react opportunity-attack goblin-1 miss by brannoc")
    fight.refuses("react opportunity-attack goblin-1 hit 6 by brannoc", "immediate action used")
    fight.do("next").refuses("react opportunity-attack goblin-2 hit 6 by brannoc", "used")
    fight.do("next", "next", "react opportunity-attack goblin-2 hit 6 by brannoc")
    assert fight.hp("goblin-2") == 20


def test_an_opportunity_attack_is_a_melee_attack(fight: Fight) -> None:
    """Orcus, Opportunity Attacks."""
    fight.refuses("react opportunity-attack goblin-1 hit 6 ranged by mira", "melee")
    fight.refuses("react opportunity-attack goblin-1 hit 6 with Bow by mira", "melee")


def test_the_dazed_make_no_opportunity_attacks(fight: Fight) -> None:
    """Orcus, Conditions (Dazed)."""
    fight.do("inflict mira dazed").refuses(
        "react opportunity-attack goblin-1 hit 6 by mira", "dazed"
    )


def test_who_can_do_nothing_is_told_that_and_not_that_they_see_nobody(fight: Fight) -> None:
    """Orcus, Opportunity Attacks, Immediate Actions."""
    swings = "react opportunity-attack goblin-1 hit 6 by mira"
    fight.do("inflict mira unconscious").refuses(swings, "unconscious: no immediate actions")
    fight.do("damage mira 100").refuses(swings, "can't use Opportunity Attack: dead")


def test_a_monsters_opportunity_attack_is_rolled_by_the_app(fight: Fight) -> None:
    """Orcus, Opportunity Attacks, Attack Rolls."""
    fight.do("react opportunity-attack brannoc by goblin-1", faces=(15, 4))
    assert fight.hp("brannoc") == 44 - 7


def test_counters_and_reactions_that_have_no_power(fight: Fight) -> None:
    """Orcus, Immediate Actions."""
    fight.do('react counter "steps between" by mira')
    assert fight.track("mira", "immediate") == 0
    assert fight.shown["undo"] == "Mira counters: steps between"
    fight.refuses("react react by mira", "used")


def test_an_immediate_power_is_used_with_react(usual: NewFight) -> None:
    """Orcus, Immediate Actions, Powers (Action Required)."""
    fight = usual(RIPOSTE, "next")
    fight.do("react riposte goblin-1 hit 6 by brannoc")
    assert (fight.hp("goblin-1"), fight.track("brannoc", "immediate")) == (20, 0)
    fight.do("next", "next", "next", "next").refuses(
        "react riposte goblin-1 hit 6 by brannoc", "short rest"
    )


def test_an_immediate_power_is_none_for_ones_own_turn(usual: NewFight) -> None:
    """Orcus, Immediate Actions. The command `power` pays with the immediate action as well."""
    fight = usual(RIPOSTE)
    fight.refuses("power riposte goblin-1 hit 6", "own turn")
    fight.do("next", "power riposte goblin-1 hit 6 by brannoc")
    assert fight.track("brannoc", "immediate") == 0


def test_a_power_of_another_action_is_no_reaction(usual: NewFight) -> None:
    """Orcus, Immediate Actions."""
    fight = usual(RIPOSTE, "next")
    fight.refuses('react "Fire Burst" by brannoc', "no immediate action")
    fight.refuses("react ripost-x by brannoc", "expected an immediate action")


def test_a_counter_is_no_power_that_begins_so(usual: NewFight) -> None:
    """Orcus, Immediate Actions. A power needs more of its name, or quotes."""
    counter = 'power "Counterspell" encounter counter'
    fight = usual(counter, "next", "react counter by brannoc")
    assert fight.shown["undo"] == "Brannoc counters"
    fight.do("undo", 'react counters "the bolt" by brannoc')
    assert fight.shown["undo"] == "Brannoc uses Counterspell: the bolt"
    assert fight.track("brannoc", "immediate") == 0


def test_a_power_of_that_kind_is_used_where_it_is_named(usual: NewFight) -> None:
    """Orcus, Immediate Actions: powers are counters or reacts, and these are expended."""
    fight = usual('power "Not So Fast" encounter react +8 vs ac 1d8')
    fight.do("next", 'react react "Not So Fast" mira hit 5 by brannoc')
    assert fight.hp("mira") == 25
    fight.do("next", "next", "next", "next")
    fight.refuses("react not-so-fast mira hit 5 by brannoc", "expended")
    fight.refuses('react counter "Not So Fast" mira hit 5 by brannoc', "no counter, but a react")
    assert fight.do('react counter "shouts" by brannoc').track("brannoc", "immediate") == 0

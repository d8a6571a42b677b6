"""Rests and streaks. Orcus, Resting, Streak, Action Points, Power Frequency."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from tests.rulesets.orcus.conftest import ORDER

if TYPE_CHECKING:
    from tests.rulesets.orcus.conftest import Fight


BOLT = (
    "add pc Ash hp 40 ac 15 recoveries 6 power Bolt encounter +5 vs reflex 1d6 ranged"
    " power Comet daily +5 vs reflex 3d6 ranged"
)


@pytest.fixture
def spent(new_fight: Callable[..., Fight]) -> Fight:
    """Ash has used both powers in a fight that is over, and a goblin is dead."""
    return new_fight(
        BOLT,
        "add monster Goblin x2 hp 26 ac 16",
        "init ash 10",
        "init goblin-1 5",
        "init goblin-2 5",
        "start",
        "power bolt goblin-1 hit 4",
        "action-point",
        "power comet goblin-1 miss",
        "damage goblin-1 30",
        "damage ash 30",
        "recovery ash",
        "temp ash 7",
        "end",
    )


def _usable(fight: Fight, power: str) -> bool:
    who = fight["ash"]
    return not who.used(power, "short") and not who.used(power, "long")


def test_no_rest_in_the_middle_of_a_fight(fight: Fight) -> None:
    """Orcus, Resting."""
    for kind in ("short", "long", "streak"):
        fight.refuses(f"rest {kind}", "`end` closes it")
    fight.refuses("rest forever", "expected the kind of rest")


@pytest.mark.parametrize("kind", ["short", "long"])
def test_a_rest_tells_of_the_dying(spent: Fight, kind: str) -> None:
    """Orcus, Death Saving Throws: one each turn, and no rest is over before three of a kind."""
    spent.do("damage ash 30", f"rest {kind}")
    assert "Ash: dying, a death save each turn" in spent.notes
    assert spent["ash"].life == ("dying" if kind == "short" else "up")


def test_a_short_rest_brings_encounter_powers_back(spent: Fight) -> None:
    """Orcus, Powers (Encounter: a short rest; Daily: a long rest)."""
    assert not _usable(spent, "Bolt")
    spent.do("rest short")
    assert (_usable(spent, "Bolt"), _usable(spent, "Comet")) == (True, False)
    spent.do("rest long")
    assert _usable(spent, "Comet")


def test_a_short_rest_ends_temporary_hp_and_heals_nothing(spent: Fight) -> None:
    """Orcus, Temporary Hit Points; Short Rest."""
    spent.do("rest short")
    assert (spent.track("ash", "temp_hp"), spent.hp("ash")) == (0, 20)
    assert spent.track("ash", "recoveries") == 5


def test_a_long_rest_restores_hp_and_recoveries(spent: Fight) -> None:
    """Orcus, Glossary (Long rest)."""
    spent.do("rest long")
    assert (spent.hp("ash"), spent.track("ash", "recoveries")) == (40, 6)
    assert (spent.track("ash", "temp_hp"), spent.hp("goblin-2")) == (0, 26)
    assert "staggered" not in spent.effects("ash")


def test_the_dead_stay_dead(spent: Fight) -> None:
    """Orcus, Healing: a creature that has died can't regain hit points."""
    spent.do("rest long")
    assert (spent["goblin-1"].life, spent.hp("goblin-1")) == ("dead", -8)


def test_a_second_long_rest_within_24_hours_does_nobody_any_good(spent: Fight) -> None:
    """Orcus, Long Rest."""
    spent.do("rest long", "damage ash 5")
    spent.refuses("rest long", "24 hours")
    hurt = spent.hp("ash")
    assert spent.do("rest short").hp("ash") == hurt
    assert spent.do("rest long next-day").hp("ash") == hurt + 5
    spent.refuses("rest long", "next-day")


def test_who_has_joined_since_has_not_rested_yet(spent: Fight) -> None:
    """Orcus, Long Rest: it is each character's own."""
    spent.do("rest long", "damage ash 5", "add pc Late hp 3/20 ac 12", "rest long")
    assert spent.hp("late") == 20
    assert spent.hp("ash") == spent["ash"].tracks["hp"].max - 5


def test_a_long_rest_sets_action_points_to_1_and_breaks_the_streak(spent: Fight) -> None:
    """Orcus, Action Points."""
    assert (spent.track("ash", "action_points"), spent.track("ash", "streak")) == (0, 1)
    spent.do("rest long")
    assert (spent.track("ash", "action_points"), spent.track("ash", "streak")) == (1, 0)
    spent.do("set ash action_points 3", "rest long next-day")
    assert spent.track("ash", "action_points") == 1


def test_every_second_encounter_gives_an_action_point(fight: Fight) -> None:
    """Orcus, Streak; Action Points."""
    fight.do("damage mira 60", "end")
    assert (fight.track("brannoc", "streak"), fight.track("brannoc", "action_points")) == (1, 1)
    fight.do("rest short", *ORDER, "end")
    assert (fight.track("brannoc", "streak"), fight.track("brannoc", "action_points")) == (0, 2)
    assert fight.track("mira", "streak") == 0  # dead


def test_the_gm_can_complete_a_streak(fight: Fight) -> None:
    """Orcus, Streak."""
    fight.do("end", "rest streak")
    assert (fight.track("brannoc", "streak"), fight.track("brannoc", "action_points")) == (0, 2)


def test_death_saves_are_forgotten_by_a_rest(fight: Fight) -> None:
    """Orcus, Death Saving Throws: reset to zero by a short or long rest."""
    fight.do("damage brannoc 45", "death brannoc failure", "heal brannoc 5", "end")
    assert fight.track("brannoc", "death_failures") == 1
    fight.do("rest short")
    assert fight.track("brannoc", "death_failures") == 0


def test_the_knocked_out_heal_1_hp_in_a_short_rest(fight: Fight) -> None:
    """Orcus, Knocking a Creature Out."""
    fight.do("damage goblin-1 30 knockout", "end", "rest short with goblin-1")
    assert (fight.hp("goblin-1"), fight["goblin-1"].life) == (1, "up")


def test_a_long_rest_wakes_the_stable(fight: Fight) -> None:
    """Orcus, Glossary (Long rest): heal to maximum HP."""
    fight.do("damage brannoc 45", *["death brannoc success extra"] * 3, "end", "rest long")
    assert (fight.hp("brannoc"), fight["brannoc"].life) == (44, "up")


def test_what_turns_would_end_has_ended_with_the_fight(fight: Fight) -> None:
    """Orcus, Duration; Aura: until the end of the encounter."""
    fight.do(
        "inflict brannoc dazed until end of mira",
        "inflict brannoc slowed save ends",
        "modifier brannoc +1 ac until rest",
        "aura Frost",
        "end",
    )
    assert fight.effects("brannoc") == {"slowed", "modifier"}
    fight.do("rest short")
    assert fight.effects("brannoc") == set()


def test_what_has_no_end_outlasts_a_rest(fight: Fight) -> None:
    """Orcus, Conditions: until it is countered."""
    fight.do("inflict brannoc petrified", "inflict mira prone", "end", "rest long")
    assert fight.effects("brannoc") == {"petrified"}
    assert fight.effects("mira") == set()  # stands up


def test_once_an_encounter_is_counted_anew(fight: Fight) -> None:
    """Orcus, Rally: once an encounter; Action Points: once per encounter."""
    fight.do("rally")
    assert fight.reason("brannoc", "rally")
    fight.do("end", *ORDER)
    assert fight["brannoc"].used("rally", "fight") == 0


def test_summoned_creatures_are_gone_with_the_encounter(new_fight: Callable[..., Fight]) -> None:
    """Orcus, Summons."""
    fight = new_fight(
        "add pc Mira hp 30 ac 15 recoveries 6",
        "add monster Imp side party hp 10 summon of mira",
        "init mira 5",
        "start",
        "end",
    )
    assert fight.state.find("imp") is None
    assert fight.track("mira", "recoveries") == 6

"""Healing. Orcus, Healing, Recoveries, Healing on Negative HP, Temporary HP, Regeneration."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.rulesets.orcus.conftest import Fight


def test_healing_stops_at_the_maximum(fight: Fight) -> None:
    """Orcus, Healing."""
    fight.do("damage brannoc 5", "heal brannoc 8")
    assert fight.hp("brannoc") == 44
    fight.do("heal brannoc 8")
    assert fight.history.entries[fight.history.head].text.endswith("already at full HP")


def test_healing_from_below_0_is_added_to_0(fight: Fight) -> None:
    """Orcus, Healing on Negative HP: on −10 HP, healing 7 gives 7."""
    fight.do("damage brannoc 54", "heal brannoc 7")
    assert (fight.hp("brannoc"), fight["brannoc"].life) == (7, "up")
    assert fight.effects("brannoc") == {"prone", "staggered"}


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("damage mira 5", "Mira takes 5"),
        ("damage mira,brannoc 5 fire", "Mira and Brannoc take 5 fire"),
        ("heal mira 5", "Mira is healed"),
        ("heal mira,brannoc 5", "Mira and Brannoc are healed"),
        ("heal brannoc 5", "Brannoc is healed, already at full HP"),
    ],
)
def test_it_is_told_who_is_hurt_and_healed(fight: Fight, line: str, text: str) -> None:
    """Orcus, Damage, Healing; of several, one who has something to heal is enough."""
    fight.do("damage mira 9", line)
    assert fight.shown["undo"] == text


def test_the_dead_are_not_healed(fight: Fight) -> None:
    """Orcus, Healing: a creature that has died can't regain hit points."""
    fight.do("damage goblin-1 30")
    fight.refuses("heal goblin-1 5", "is dead")
    fight.refuses("temp goblin-1 5", "is dead")
    fight.refuses("recovery goblin-1", "is dead")


def test_a_recovery_heals_a_quarter(fight: Fight) -> None:
    """Orcus, Recoveries: a quarter of the maximum HP, rounded down."""
    fight.do("damage mira 20", "recovery mira")
    assert (fight.hp("mira"), fight.track("mira", "recoveries")) == (17, 5)
    fight.do("recovery mira plus 3")
    assert (fight.hp("mira"), fight.track("mira", "recoveries")) == (27, 4)


def test_nobody_spends_recoveries_that_are_gone(fight: Fight) -> None:
    """Orcus, Recoveries."""
    fight.do("damage mira 5", "set mira recoveries 0")
    fight.refuses("recovery mira", "no recoveries left")
    fight.refuses("recovery goblin-1", "no recoveries left")


def test_the_dying_without_a_recovery_have_1_hp(fight: Fight) -> None:
    """Orcus, Stabilizing a Creature."""
    fight.do("set mira recoveries 0", "damage mira 36", "recovery mira")
    assert (fight.hp("mira"), fight["mira"].life) == (1, "up")


def test_the_dying_with_a_recovery_count_it_from_0(fight: Fight) -> None:
    """Orcus, Recoveries; Healing on Negative HP."""
    fight.do("damage mira 36", "recovery mira")
    assert (fight.hp("mira"), fight.track("mira", "recoveries")) == (7, 5)


@pytest.fixture
def with_wolf(new_fight: Callable[..., Fight]) -> Fight:
    """Brannoc, his wolf, and Mira, before a fight."""
    return new_fight(
        "add pc Brannoc hp 44 ac 18 recoveries 8",
        "add pc Mira hp 30 ac 15 recoveries 6",
        "add monster Wolf side party hp 20 ac 15 companion of brannoc",
    )


def test_a_companion_uses_its_owners_recoveries_and_value(with_wolf: Fight) -> None:
    """Orcus, Companions: a second recovery heals your companion your recovery value."""
    fight = with_wolf.do("damage wolf 15", "damage brannoc 20", "recovery brannoc with wolf")
    assert (fight.hp("brannoc"), fight.hp("wolf")) == (35, 16)
    assert fight.track("brannoc", "recoveries") == 6
    fight.do("damage wolf 5", "recovery wolf")
    assert (fight.hp("wolf"), fight.track("brannoc", "recoveries")) == (20, 5)
    fight.refuses("recovery mira with wolf", "no companion of Mira")


def test_temporary_hp_do_not_add_up(fight: Fight) -> None:
    """Orcus, Temporary Hit Points: 12 or 10, not 22."""
    fight.do("temp brannoc 10", "temp brannoc 12")
    assert fight.track("brannoc", "temp_hp") == 12
    fight.do("temp brannoc 7")
    assert (fight.track("brannoc", "temp_hp"), fight.hp("brannoc")) == (12, 44)


def test_temporary_hp_may_be_chosen_anew(fight: Fight) -> None:
    """Orcus, Temporary Hit Points: you decide whether to keep yours or to gain the new ones."""
    fight.do("temp brannoc 10", "temp brannoc 4 new", "temp mira 3", "temp mira 8 keep")
    assert (fight.track("brannoc", "temp_hp"), fight.track("mira", "temp_hp")) == (4, 3)
    fight.do("temp brannoc 3 until end of brannoc new", "next", "next", "next", "next", "next")
    assert fight.track("brannoc", "temp_hp") == 0


def test_temporary_hp_do_not_wake(fight: Fight) -> None:
    """Orcus, Temporary Hit Points: only true healing can save you."""
    fight.do("damage brannoc 44", "temp brannoc 5")
    assert fight["brannoc"].life == "dying"


def test_the_highest_regeneration_heals_at_the_turns_start(new_fight: Callable[..., Fight]) -> None:
    """Orcus, Regeneration."""
    fight = new_fight(
        "add pc Ash hp 40 ac 15",
        "add monster Troll hp 60 ac 14 regeneration 5",
        "init ash 10",
        "init troll 5",
        "start",
        "inflict troll regeneration 3",
        "damage troll 20",
        "next",
    )
    assert fight.hp("troll") == 45
    fight.do("inflict troll regeneration 8", "next", "next")
    assert fight.hp("troll") == 53


def test_the_dead_and_the_hale_do_not_regenerate(
    new_fight: Callable[..., Fight],
) -> None:
    """Orcus, Regeneration; Healing."""
    fight = new_fight(
        "add pc Ash hp 40 ac 15 regeneration 5",
        "add monster Troll hp 60 ac 14 regeneration 5",
        "init ash 10",
        "init troll 5",
        "start",
        "damage troll 60",
        "next",
    )
    assert (fight["troll"].life, fight.hp("troll"), fight.hp("ash")) == ("dead", 0, 40)


def test_regeneration_wakes_the_dying(new_fight: Callable[..., Fight]) -> None:
    """Orcus, Regeneration; Falling Unconscious: ends if you regain any hit points."""
    fight = new_fight(
        "add pc Ash hp 40 ac 15 regeneration 5",
        "add monster Troll hp 60 ac 14",
        "init ash 10",
        "init troll 5",
        "start",
        "next",
        "damage ash 45",
        "next",
    )
    assert (fight["ash"].life, fight.hp("ash"), fight.pending) == ("up", 5, [])


def test_no_recovery_is_said_to_be_spent_where_none_is_left(fight: Fight) -> None:
    """Orcus, Stabilizing a Creature: its HP is set to 1 only."""
    fight.do("set mira recoveries 0", "damage mira 34", "recovery mira")
    assert fight.shown["undo"] == "Mira wakes at 1 HP"
    assert (fight.hp("mira"), fight.track("mira", "recoveries")) == (1, 0)


# -- temporary HP with an end of their own ---------------------------------------------------------


def test_temporary_hp_may_have_an_end(fight):
    """Orcus, Temporary Hit Points: unless what grants them has a duration."""
    fight.do("temp mira 6 until end of mira")
    assert (fight.track("mira", "temp_hp"), "temporary-hp" in fight.effects("mira")) == (6, True)
    fight.do("next", "damage mira 2", "next")
    assert (fight.track("mira", "temp_hp"), fight.hp("mira")) == (0, 30)
    assert "temporary-hp" not in fight.effects("mira")


def test_what_is_gone_needs_no_end(fight):
    """Orcus, Temporary Hit Points: until they're depleted."""
    fight.do("temp mira 6 for 2 turns", "damage mira 7")
    assert (fight.hp("mira"), "temporary-hp" in fight.effects("mira")) == (29, False)
    fight.do("temp mira 4", "next", "next", "next", "next", "next", "next", "next")
    assert fight.track("mira", "temp_hp") == 4


def test_higher_ones_without_an_end_take_their_place_and_stay(fight):
    """Orcus, Temporary Hit Points: they can't be added together."""
    fight.do("temp mira 6 until start of goblin-1", "temp mira 8", "next", "next")
    assert fight.track("mira", "temp_hp") == 8
    assert "temporary-hp" not in fight.effects("mira")


def test_lower_ones_leave_those_there_are_with_their_end(fight):
    """Orcus, Temporary Hit Points."""
    fight.do("temp mira 6 until start of goblin-1", "temp mira 3", "next", "next")
    assert fight.track("mira", "temp_hp") == 0


def test_higher_ones_with_an_end_have_that_one(fight):
    """Orcus, Temporary Hit Points."""
    fight.do("temp mira 6 until start of mira", "temp mira 8 until start of goblin-1", "next")
    assert fight.track("mira", "temp_hp") == 8
    assert fight.do("next").track("mira", "temp_hp") == 0


def test_taken_away_by_hand_they_are_gone(fight):
    """Orcus, Temporary Hit Points."""
    fight.do("temp mira 6 until fight", "remove mira temporary-hp")
    assert fight.track("mira", "temp_hp") == 0


def test_with_the_fight_they_end_and_those_without_an_end_with_a_short_rest(fight):
    """Orcus, Temporary Hit Points: until a short rest is finished."""
    fight.do("temp mira 6 until fight", "temp brannoc 5", "temp goblin-1 4 until removed", "end")
    assert [fight.track(w, "temp_hp") for w in ("mira", "brannoc", "goblin-1")] == [0, 5, 4]
    fight.do("rest short")
    assert [fight.track(w, "temp_hp") for w in ("mira", "brannoc", "goblin-1")] == [0, 0, 4]

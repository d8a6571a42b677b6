"""What the situation adds up to, and how it is explained."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from affray.core.engine.state import Effect

if TYPE_CHECKING:
    from tests.rulesets.orcus.conftest import Fight


def effect(name: str, kind: str = "condition", number: int = 1, **more: object) -> Effect:
    return Effect(f"{name}-{number}", name, kind, **more)  # type: ignore[arg-type]


def test_defences_and_speed_are_whole_the_rest_is_the_situation(fight: Fight) -> None:
    """Orcus, Attack Rolls; Speed."""
    assert fight.who("brannoc")["totals"] == {
        "attack": 0,
        "damage": 0,
        "save": 0,
        "check": 0,
        "perception": 0,
        "initiative": 0,
        "ac": 18,
        "fortitude": 16,
        "reflex": 14,
        "will": 13,
        "speed": 6,
    }
    assert fight.why("brannoc", "ac") == [(18, "own AC")]


@pytest.mark.parametrize(
    ("condition", "total", "amount"),
    [
        ("rattled", "attack", -2),
        ("restrained", "attack", -2),
        ("prone", "attack", -2),
        ("blinded", "perception", -10),
        ("deafened", "perception", -10),
        ("unconscious", "will", 13 - 5),
    ],
)
def test_what_conditions_do_to_numbers(
    fight: Fight, condition: str, total: str, amount: int
) -> None:
    """Orcus, Conditions."""
    fight.do(f"inflict brannoc {condition}")
    assert fight.total("brannoc", total) == amount


def test_a_condition_counts_once_however_often_it_is_there(fight: Fight) -> None:
    """Orcus, Conditions (several effects impose the same condition)."""
    fight.do("inflict brannoc rattled save ends", "inflict brannoc rattled for 2 turns")
    assert fight.total("brannoc", "attack") == -2
    assert fight.why("brannoc", "attack")[:1] == [(-2, "rattled")]


def test_different_conditions_add_up(fight: Fight) -> None:
    """Orcus, Stacking (what has no type stacks)."""
    fight.do("inflict brannoc rattled", "inflict brannoc restrained", "inflict brannoc prone")
    assert fight.total("brannoc", "attack") == -6


def test_the_unconscious_who_is_dying_loses_five_not_ten(fight: Fight) -> None:
    """Orcus, Dying; Unconscious."""
    fight.edited("brannoc", effects=(effect("dying"),))
    assert fight.total("brannoc", "reflex") == 14 - 5
    cold = effect("unconscious", modifiers={"reflex": -5})
    fight.edited("brannoc", effects=(effect("dying"), cold))
    assert fight.total("brannoc", "reflex") == 14 - 5


def test_other_effects_count_each(fight: Fight) -> None:
    """Orcus, Stacking; Total Defense; Rally."""
    both = {"ac": 2}
    fight.edited(
        "brannoc",
        effects=(
            effect("guarded", "boon", 1, modifiers=both),
            effect("guarded", "boon", 2, modifiers=both),
        ),
    )
    assert fight.total("brannoc", "ac") == 18 + 4


def test_slowed_applies_after_all_other_changes(fight: Fight) -> None:
    """Orcus, Slowed."""
    fight.do("inflict brannoc slowed", "modifier brannoc -2 speed")
    assert fight.total("brannoc", "speed") == 2
    assert fight.why("brannoc", "speed") == [
        (6, "own speed"),
        (-2, "modifier"),
        ("at most 2", "slowed"),
    ]


def test_slowed_does_not_make_faster(fight: Fight) -> None:
    """Orcus, Slowed (if it was higher than 2)."""
    fight.do("inflict brannoc slowed", "modifier brannoc -5 speed")
    assert fight.total("brannoc", "speed") == 1


@pytest.mark.parametrize("condition", ["immobile", "restrained", "grappled", "petrified"])
def test_who_cannot_move_has_no_speed(fight: Fight, condition: str) -> None:
    """Orcus, Immobile; Restrained; Petrified; Grapple."""
    fight.edited("brannoc", effects=(effect(condition),))
    assert fight.total("brannoc", "speed") == 0


def test_speed_is_never_below_zero(fight: Fight) -> None:
    """Orcus, Speed."""
    assert fight.do("modifier brannoc -9 speed").total("brannoc", "speed") == 0


def test_help_against_one_enemy_is_in_no_total(fight: Fight) -> None:
    """Orcus, Help Attack; Help Defense."""
    fight.edited(
        "brannoc", effects=(effect("helped-defense", "help", modifiers={"ac": 2, "attack": 2}),)
    )
    assert (fight.total("brannoc", "ac"), fight.total("brannoc", "attack")) == (18, 0)


def test_perception_and_initiative_are_checks_too(fight: Fight) -> None:
    """Orcus, Initiative Checks; Wisdom (Perception)."""
    fight.do("modifier brannoc +2 check", "modifier brannoc +1 initiative")
    assert fight.total("brannoc", "perception") == 2
    assert fight.total("brannoc", "initiative") == 3


def test_a_summons_defences_are_its_owners(new_fight: Callable[..., Fight]) -> None:
    """Orcus, Summons."""
    fight = new_fight(
        "add pc Mira hp 30 ac 15 fort 12 ref 16 will 15",
        "add monster Imp hp 5 will 20 summon of Mira",
    )
    totals = fight.who("imp")["totals"]
    assert (totals["ac"], totals["fortitude"], totals["reflex"], totals["will"]) == (15, 12, 16, 20)
    assert fight.why("imp", "ac") == [(15, "Mira's AC")]


def test_a_number_that_is_no_total_has_no_parts(fight: Fight) -> None:
    """`why` asks for anything."""
    assert fight.why("brannoc", "hp") == []


def test_why_tells_what_counts_for_some_attacks_only(fight: Fight) -> None:
    """Orcus, Marked; Making an Attack."""
    told = fight.do("inflict brannoc marked from goblin-1").why("brannoc", "attack")
    assert told == [
        ("(−2)", "marked, unless Goblin 1 is a target"),
        ("(+7)", "Sword, against ac"),
    ]
    assert fight.total("brannoc", "attack") == 0

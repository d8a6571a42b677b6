"""The eight statuses: what each does, bestowing again, prepared, inspired and invisible."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.rulesets.monsters_and_magic.conftest import Fight


STATUSES = (
    "quickened", "empowered", "invigorated", "hastened", "prepared", "protected", "inspired",
    "invisible",
)  # fmt: skip


@pytest.mark.parametrize("name", STATUSES)
def test_all_eight_last_to_the_end_of_their_bearers_next_turn(fight: Fight, name: str) -> None:
    """Monsters & Magic, Statuses; Conditions & Statuses (the default duration)."""
    fight.do(f"bestow mira {name}")
    shown = next(e for e in fight.who("mira")["effects"] if e["name"] == name)
    assert (shown["kind"], shown["until"]) == ("status", "end of mira's next turn")
    fight.do("next")
    assert name in fight.effects("mira")
    fight.do("next")
    assert name not in fight.effects("mira")


def test_empowered_adds_two_to_attacks_alone(fight: Fight) -> None:
    """Monsters & Magic, Statuses (Empowered)."""
    fight.do("bestow brannoc empowered")
    assert (fight.total("brannoc", "attack"), fight.total("brannoc", "check")) == (2, 0)
    fight.do("strike ghoul-1 natural 10 5")
    assert fight.rolled.total == 16


def test_invigorated_recovers_fatigue_at_the_turns_start(fight: Fight) -> None:
    """Monsters & Magic, Statuses (Invigorated)."""
    fight.do("mark mira fatigue 2", "bestow mira invigorated", "next")
    assert fight.fatigue("mira") == (1, 0)


def test_statuses_act_before_conditions(fight: Fight) -> None:
    """Monsters & Magic, ruling 29: invigorated before doomed."""
    fight.do("inflict mira doomed", "bestow mira invigorated", "next")
    assert fight.fatigue("mira") == (1, 0)
    fight.do("undo 3", "mark mira fatigue 5", "inflict mira doomed", "bestow mira invigorated")
    fight.do("next")
    assert fight.fatigue("mira") == (5, 0)


def test_hastened_doubles_the_speed_and_slowed_halves_it_again(fight: Fight) -> None:
    """Monsters & Magic, Statuses (Hastened); Conditions & Statuses: one may cancel another."""
    fight.do("bestow brannoc hastened")
    assert fight.total("brannoc", "speed") == 60
    fight.do("inflict brannoc slowed")
    assert fight.total("brannoc", "speed") == 30


def test_prepared_adds_two_to_one_fitting_roll(fight: Fight) -> None:
    """Monsters & Magic, Statuses (Prepared): +2 forward on an appropriate roll."""
    fight.do("bestow mira prepared", "check mira power natural 10")
    assert fight.rolled.total == 10
    fight.do("check mira power natural 10 prepared")
    assert fight.rolled.total == 12
    assert fight.effects("mira") == set()


def test_protected_adds_two_to_ac(fight: Fight) -> None:
    """Monsters & Magic, Statuses (Protected)."""
    fight.do("bestow brannoc protected", "damage brannoc 10")
    assert fight.total("brannoc", "ac") == 6
    assert fight.track("brannoc", "hp") == 26
    fight.do("inflict brannoc sundered")
    assert fight.total("brannoc", "ac") == 4


def test_the_invisible_attack_with_advantage_and_are_hard_to_hit(fight: Fight) -> None:
    """Monsters & Magic, Statuses (Invisible); Concealment (Undetected)."""
    fight.do("bestow brannoc invisible", "strike ghoul-1 natural 4,15 5")
    assert fight.rolled.natural == 15
    fight.do("next", "next", "strike brannoc natural 15,4 9")
    assert fight.rolled.natural == 4


def test_a_status_again_is_extended_or_a_forward(fight: Fight) -> None:
    """Monsters & Magic, Statuses."""
    fight.do("bestow mira protected")
    message = fight.refuses("bestow mira protected", "extend")
    assert "forward" in message
    fight.refuses("bestow mira protected detonate 4", "already protected")
    fight.do("bestow mira protected forward", "check mira power natural 10")
    assert fight.rolled.total == 11
    fight.do("bestow mira protected extend", "next", "next")
    assert "protected" in fight.effects("mira")
    fight.do(*["next"] * 4)
    assert "protected" not in fight.effects("mira")


@pytest.mark.parametrize("longer", ["for 3 turns", "until removed"])  # whose end never comes
@pytest.mark.parametrize("again", ["", " extend", " forward"])
def test_a_longer_status_is_not_changed_by_a_shorter_one(
    fight: Fight, again: str, longer: str
) -> None:
    """Monsters & Magic, Statuses: whose remaining duration is less than or equal; ruling 32."""
    fight.do(f"bestow mira protected {longer}")
    before = fight.who("mira")
    fight.do(f"bestow mira protected{again}")
    assert fight.who("mira") == before


def test_there_is_nothing_to_extend_without_the_status(fight: Fight) -> None:
    """A mistake changes nothing."""
    fight.refuses("bestow mira protected extend", "not protected")
    fight.refuses("bestow mira weakened", "expected a status")
    fight.refuses("inflict mira protected", "expected a condition")


def test_nobody_can_call_on_being_prepared_who_is_not(fight: Fight) -> None:
    """Monsters & Magic, Statuses (Prepared)."""
    fight.refuses("check mira power natural 8 prepared", "Mira is not prepared")

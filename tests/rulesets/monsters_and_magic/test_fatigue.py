"""Fatigue and exhaustion: the ratchet, the penalties, the knock-out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.rulesets.monsters_and_magic.conftest import Fight


@pytest.mark.parametrize(
    ("marks", "fatigue", "exhaustion"),
    [
        ([5], 5, 0),
        ([6], 0, 1),
        ([4, 3], 1, 1),
        ([4, 1, 1, 1], 1, 1),
        ([7], 1, 1),
        ([12], 0, 2),
        ([35], 5, 5),
    ],
)
def test_fatigue_ratchets_into_exhaustion(
    fight: Fight, marks: list[int], fatigue: int, exhaustion: int
) -> None:
    """Monsters & Magic, Fatigue & Exhaustion; ruling 22: 3 marks at 4/5 give 1 exhaustion, 1
    fatigue."""
    fight.do(*(f"mark brannoc fatigue {n}" for n in marks))
    assert fight.fatigue("brannoc") == (fatigue, exhaustion)
    assert fight["brannoc"].life == "up"


def test_clearing_fatigue_never_clears_exhaustion(fight: Fight) -> None:
    """Monsters & Magic, Fatigue & Exhaustion."""
    fight.do("mark brannoc fatigue 7", "clear brannoc fatigue 5")
    assert fight.fatigue("brannoc") == (0, 1)
    fight.do("clear brannoc exhaustion 1")
    assert fight.fatigue("brannoc") == (0, 0)


@pytest.mark.parametrize(("marks", "penalty"), [(0, 0), (1, 0), (2, -1), (3, -1), (4, -2), (5, -3)])
def test_exhaustion_hinders_a_characters_checks(fight: Fight, marks: int, penalty: int) -> None:
    """Monsters & Magic, Fatigue & Exhaustion: 0, -1, -1, -2, -3."""
    if marks:
        fight.do(f"mark brannoc exhaustion {marks}")
    assert fight.total("brannoc", "check") == fight.total("brannoc", "attack") == penalty
    fight.do("check brannoc power natural 10")
    assert fight.rolled.total == 12 + penalty


def test_beyond_five_the_penalty_follows_fibonacci(new_fight: type[Fight]) -> None:
    """Monsters & Magic, Fatigue & Exhaustion; ruling 23."""
    fight = new_fight("add pc Ash hp 9 exhaustion 8")
    penalties = []
    for marks in range(1, 9):
        fight.do(f"set ash exhaustion {marks}")
        penalties.append(fight.total("ash", "check"))
    assert penalties == [0, -1, -1, -2, -3, -5, -8, -13]


@pytest.mark.parametrize("marks", [0, 1, 2])
def test_each_exhaustion_costs_a_monster_one(fight: Fight, marks: int) -> None:
    """Monsters & Magic, Fatigue & Exhaustion: for monsters, -1 per level."""
    fight.do(f"set ghoul-1 exhaustion {marks}")
    assert fight.total("ghoul-1", "check") == -marks


def test_exhaustion_stacks_with_other_penalties(fight: Fight) -> None:
    """Monsters & Magic, Fatigue & Exhaustion: they stack on top of any others."""
    fight.do("mark brannoc exhaustion 4", "inflict brannoc weakened")
    assert fight.total("brannoc", "check") == -4


def test_who_can_mark_no_more_is_knocked_out(fight: Fight) -> None:
    """Monsters & Magic, Fatigue & Exhaustion."""
    fight.do("mark brannoc fatigue 36")
    assert fight["brannoc"].life == "unconscious"
    assert {"unconscious", "stunned", "prone"} <= fight.effects("brannoc")
    assert fight.fatigue("brannoc") == (5, 5)
    fight.refuses("strike ghoul-1 strong 5", "can't use Strike: unconscious")


def test_a_monster_is_knocked_out_likewise(fight: Fight) -> None:
    """Monsters & Magic, Fatigue & Exhaustion: until a long rest."""
    fight.do("mark ghoul-1 fatigue 12")
    assert fight["ghoul-1"].life == "unconscious"
    assert fight.fatigue("ghoul-1") == (3, 2)
    fight.do("clear ghoul-1 fatigue 2")
    assert fight["ghoul-1"].life == "unconscious"
    fight.do("end", "rest long with ghoul-1")
    assert fight["ghoul-1"].life == "up"


def test_recovering_fatigue_wakes_a_character(fight: Fight) -> None:
    """Monsters & Magic, Fatigue & Exhaustion: someone performs an action that recovers fatigue."""
    fight.do("mark brannoc exhaustion 6", "clear brannoc fatigue 1")
    assert fight["brannoc"].life == "up"
    assert "unconscious" not in fight.effects("brannoc")


def test_invigorated_does_not_wake_its_bearer(fight: Fight) -> None:
    """Monsters & Magic, Fatigue & Exhaustion: it takes somebody's action."""
    fight.do("bestow brannoc invigorated", "mark brannoc fatigue 36", *["next"] * 4)
    assert fight.fatigue("brannoc") == (4, 5)
    assert fight["brannoc"].life == "unconscious"


def test_exhaustion_marked_while_dying_kills(fight: Fight) -> None:
    """Monsters & Magic, Death & Dying: if you need to mark exhaustion and you can't, you die."""
    fight.do("damage brannoc 99", "mark brannoc exhaustion 5")
    assert fight["brannoc"].life == "dying"
    fight.do("mark brannoc exhaustion")
    assert fight["brannoc"].life == "dead"


def test_monsters_that_name_none_have_five_and_five(new_fight: type[Fight]) -> None:
    """Monsters & Magic, Fatigue & Exhaustion (PCs have 5 and 5); the tables' default."""
    fight = new_fight("add monster Rat hp 4", "add pc Ash hp 9")
    for who in ("rat", "ash"):
        tracks = fight.who(who)["tracks"]
        assert (tracks["fatigue"]["max"], tracks["exhaustion"]["max"]) == (5, 5)


def test_recovering_fatigue_wakes_even_where_none_is_marked(fight: Fight) -> None:
    """Monsters & Magic, Fatigue & Exhaustion: an action that lets one recover fatigue."""
    fight.do("mark mira exhaustion 6", "clear mira fatigue 1")
    assert fight["mira"].life == "up"
    fight.refuses("clear mira fatigue 1", "Mira has no fatigue to clear")
    assert fight["mira"].track("fatigue") == 0

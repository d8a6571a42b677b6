"""Attacks that land, damage, temporary HP and healing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from affray.core.engine.events import TrackChanged
from affray.core.formatting.pieces import why_in_words

if TYPE_CHECKING:
    from tests.rulesets.monsters_and_magic.conftest import Fight


@pytest.mark.parametrize(
    ("attack", "left"),
    [
        ("miss", 18),
        ("crit-miss 9", 18),
        ("weak 9", 16),
        ("weak 1", 18),
        ("strong 8", 12),
        ("strong 8 slashing", 12),
        ("strong 2", 18),
        ("strong 0", 18),
        ("crit 8", 4),
        ("crit 99", 0),
        ("natural 2 8", 18),
        ("natural 10 8", 16),
        ("natural 15 8 slashing", 12),
        ("natural 20 8", 4),
        ("natural 1 8", 18),
    ],
)
def test_what_a_strike_deals(fight: Fight, attack: str, left: int) -> None:
    """Monsters & Magic, Attacking & Dealing Damage, Armor Class: half, all or double, less AC 2."""
    fight.do(f"strike ghoul-1 {attack}")
    assert fight.track("ghoul-1", "hp") == left
    assert fight.track("brannoc", "ap") == 2


def test_the_log_says_how_damage_came_to_what_it_is(fight: Fight) -> None:
    """Monsters & Magic, Attacking & Dealing Damage, Armor Class: halved first, then less AC 2."""
    fight.do("strike ghoul-1 weak 9 slashing")
    assert [
        why_in_words(e) for e in fight.events if isinstance(e, TrackChanged) and e.track == "hp"
    ] == ["9 slashing, halved 4, AC 2"]


def test_half_of_one_is_one_before_armor(new_fight: type[Fight]) -> None:
    """Monsters & Magic, Attacking & Dealing Damage: half, minimum 1."""
    fight = new_fight(
        "add pc Ash hp 9", "add monster Rat hp 9", "init ash 2", "init rat 1", "start"
    )
    fight.do("strike rat weak 1")
    assert fight.track("rat", "hp") == 8


@pytest.mark.parametrize(("outcome", "marks"), [("miss", 0), ("weak", 1), ("strong", 2)])
def test_a_strike_may_inflict_fatigue(fight: Fight, outcome: str, marks: int) -> None:
    """Monsters & Magic, Basic Techniques (Strike): mark 1 fatigue to inflict 2; halved on a weak
    hit."""
    fight.do(f"strike ghoul-1 {outcome} fatigue")
    assert fight.fatigue("ghoul-1") == (marks, 0)
    assert fight.fatigue("brannoc") == (1, 0)
    assert fight.track("ghoul-1", "hp") == 18


def test_a_critical_strike_doubles_the_fatigue(fight: Fight) -> None:
    """Monsters & Magic, Attacking & Dealing Damage: 4 marks on a track of 3 are 1 exhaustion."""
    fight.do("strike ghoul-1 crit fatigue")
    assert fight.fatigue("ghoul-1") == (0, 1)


TOUGH = (
    "add pc Ash hp 9",
    'add monster "Fire Imp" hp 40 ac 1 resist fire vulnerable cold immune poison',
    "init ash 2",
    "init fire-imp 1",
    "start",
)


@pytest.mark.parametrize(
    ("blow", "dealt"),
    [
        ("12 fire", 5),
        ("12 cold", 22),
        ("12 poison", 0),
        ("12 slashing", 11),
        ("12", 11),
        ("1 fire", 0),
        ("2 fire", 0),
        ("12 fire half fire-imp", 2),
        ("12 cold half fire-imp", 10),
        ("0", 0),
    ],
)
def test_armor_then_resistance_vulnerability_or_immunity(
    new_fight: type[Fight], blow: str, dealt: int
) -> None:
    """Monsters & Magic, Resistance & Vulnerability: after reducing damage by your AC."""
    fight = new_fight(*TOUGH)
    fight.do(f"damage fire-imp {blow}")
    assert fight.track("fire-imp", "hp") == 40 - dealt


def test_a_weak_hit_on_one_who_resists(new_fight: type[Fight]) -> None:
    """Monsters & Magic, ruling 18: half, then AC, then resistance."""
    fight = new_fight(*TOUGH)
    fight.do("strike fire-imp weak 15 fire")
    assert fight.track("fire-imp", "hp") == 37


def test_several_targets_at_once_half_for_some(fight: Fight) -> None:
    """Monsters & Magic, Attacking & Dealing Damage: saving throws of several."""
    fight.do("damage ghoul-1,ghoul-2,mira 12 fire half ghoul-2,mira")
    assert [fight.track(w, "hp") for w in ("ghoul-1", "ghoul-2", "mira")] == [8, 14, 20]


def test_only_who_is_damaged_can_take_half(fight: Fight) -> None:
    """A mistake changes nothing."""
    fight.refuses("damage ghoul-1 12 half mira", "Mira")


def test_temporary_hp_go_first_and_the_higher_stays(fight: Fight) -> None:
    """Monsters & Magic, Temporary Hit Points."""
    fight.do("temp brannoc 6", "temp brannoc 4", "damage brannoc 8")
    assert (fight.track("brannoc", "temp_hp"), fight.track("brannoc", "hp")) == (2, 30)
    fight.do("temp brannoc 5", "damage brannoc 12")
    assert (fight.track("brannoc", "temp_hp"), fight.track("brannoc", "hp")) == (0, 27)


@pytest.mark.parametrize(("amount", "left"), [(5, 23), (99, 30), (0, 18)])
def test_healing_stops_at_the_maximum(fight: Fight, amount: int, left: int) -> None:
    """Monsters & Magic, Hit Points."""
    fight.do("damage brannoc 16", f"heal brannoc {amount}")
    assert fight.track("brannoc", "hp") == left


def test_ac_counts_as_zero_when_it_would_be_negative(new_fight: type[Fight]) -> None:
    """Monsters & Magic, ruling 19: AC counts as 0 when it would be negative."""
    fight = new_fight("add monster Rat hp 9 ac 1", "inflict rat sundered")
    assert fight.total("rat", "ac") == 0
    fight.do("damage rat 3")
    assert fight.track("rat", "hp") == 6


def test_damage_may_be_rolled_by_the_program(fight: Fight) -> None:
    """For monsters the app rolls to-hit and damage."""
    fight.do("strike ghoul-1 roll 2d6+1 slashing", faces=[3, 4, 15])
    assert (fight.rolled.total, fight.track("ghoul-1", "hp")) == (19, 12)


def test_a_monster_rolls_its_own_attack(new_fight: type[Fight]) -> None:
    """Monsters & Magic, Attacking & Dealing Damage; Abilities (monsters add their CR)."""
    fight = new_fight(
        "add pc Ash hp 20 ac 1",
        "add monster Rat cr 2 hp 9 attack bite 1d6+1 piercing",
        "init rat 9",
        "init ash 1",
        "start",
    )
    fight.do("strike ash", faces=[16, 5])
    assert (fight.outcome, fight.track("ash", "hp")) == ("strong", 15)


def test_who_has_no_dice_must_say_the_damage(fight: Fight) -> None:
    """A mistake gets an answer that says what was expected."""
    fight.refuses("strike ghoul-1 strong", "how much damage")
    fight.refuses("strike ghoul-1 roll", "how much damage")
    fight.do("strike ghoul-1 natural 2")


def test_the_bodies_of_the_dead_are_left_alone(fight: Fight) -> None:
    """A mistake changes nothing."""
    fight.do("damage ghoul-1 99")
    for line in (
        "strike ghoul-1 strong 5",
        "damage ghoul-1 5",
        "damage ghoul-1,ghoul-2 5",
        "heal ghoul-1 5",
        "inflict ghoul-1 weakened",
        "bestow ghoul-1 protected",
        "react retaliate ghoul-1",
        "grapple ghoul-1 miss",
        "distract ghoul-1 weak",
        "aid ghoul-1 bond 1",
        "help ghoul-1 bond 1",
    ):
        fight.refuses(line, "Ghoul 1 is dead")


def test_underwater_everything_resists_fire_and_attacks_are_hard(fight: Fight) -> None:
    """Monsters & Magic, Underwater Combat."""
    fight.do("setting underwater on", "damage ghoul-1 10 fire")
    assert fight.track("ghoul-1", "hp") == 14
    fight.do("strike ghoul-1 natural 16,7 6")
    assert fight.rolled.natural == 7


def test_healing_wakes_whoever_has_one_hp(fight: Fight) -> None:
    """Monsters & Magic, Conditions (Unconscious): healed, one is awake, though nothing was
    missing."""
    fight.do("add monster Moth hp 1", "inflict moth unconscious", faces=[2])
    assert "unconscious" in fight.effects("moth")
    fight.do("heal moth 1")
    assert "unconscious" not in fight.effects("moth")

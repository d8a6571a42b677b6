"""The basic techniques other than attacks: what each costs and does. Monsters & Magic, Basic
Techniques."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.rulesets.monsters_and_magic.conftest import Fight


COSTS = {
    "cast": {"ap": 1},
    "concentrate": {"ap": 1},
    "mount": {"ap": 1},
    "move": {"ap": 1},
    "retrieve": {"ap": 1, "fatigue": 1},
    "strike": {"ap": 1},
    "use": {"ap": 1},
    "aid": {"ap": 2},
    "disengage": {"ap": 2},
    "distract": {"ap": 2, "fatigue": 1},
    "dodge": {"ap": 2},
    "grapple": {"ap": 2, "fatigue": 1},
    "hide": {"ap": 2},
    "help": {"ap": 2},
    "regroup": {"ap": 3},
    "opportunity-attack": {"reaction": 1},
    "retaliate": {"reaction": 1},
}


def test_there_are_seventeen_basic_techniques_at_these_costs(fight: Fight) -> None:
    """Monsters & Magic, Basic Techniques (the table)."""
    shown = {o["technique"]: o["cost"] for o in fight.who("brannoc")["options"]}
    assert shown == COSTS


def test_all_of_them_can_be_used_at_the_start_of_a_turn(fight: Fight) -> None:
    """Monsters & Magic, Basic Techniques: every creature can use them."""
    assert [o["technique"] for o in fight.who("brannoc")["options"] if not o["available"]] == []


@pytest.mark.parametrize(
    ("line", "points", "fatigue"),
    [
        ("cast spark", 1, 0),
        ("cast storm ap 3", 3, 0),
        ("concentrate fog", 1, 0),
        ("mount mira", 1, 0),
        ("move", 1, 0),
        ("retrieve", 1, 1),
        ("retrieve a rope", 1, 1),
        ("retrieve swap", 1, 0),
        ("strike ghoul-1 miss", 1, 0),
        ("strike ghoul-1 miss fatigue", 1, 1),
        ("use", 1, 0),
        ("use potion on mira", 1, 0),
        ("use scroll ap 2", 2, 0),
        ("aid mira bond 1", 2, 0),
        ("disengage", 2, 0),
        ("disengage fatigue 1", 1, 1),
        ("disengage fatigue 2", 0, 2),
        ("distract ghoul-1 miss", 2, 1),
        ("dodge", 2, 0),
        ("grapple ghoul-1 strong", 2, 1),
        ("hide miss", 2, 0),
        ("help mira bond 1", 2, 0),
        ("regroup", 3, 0),
    ],
)
def test_what_a_technique_costs(fight: Fight, line: str, points: int, fatigue: int) -> None:
    """Monsters & Magic, Basic Techniques (the table)."""
    fight.do(line)
    assert fight.track("brannoc", "ap") == 3 - points
    assert fight.fatigue("brannoc") == (fatigue, 0)


def test_move_stands_up_from_prone(fight: Fight) -> None:
    """Monsters & Magic, Conditions (Prone): by taking the Move technique to stand up."""
    fight.do("inflict brannoc prone")
    assert fight.total("brannoc", "speed") == 15
    fight.do("move")
    assert fight.effects("brannoc") == set()
    assert fight.total("brannoc", "speed") == 30


@pytest.mark.parametrize("line", ["stand", "move stand"])
def test_only_the_prone_stand_up(fight: Fight, line: str) -> None:
    """Monsters & Magic, Conditions (Prone)."""
    fight.refuses(line, "Brannoc is not prone")
    assert fight.track("brannoc", "ap") == 3


def test_who_crawls_stays_prone(fight: Fight) -> None:
    """Monsters & Magic, Conditions (Prone): can only crawl to move."""
    fight.do("inflict brannoc prone", "move crawl")
    assert "prone" in fight.effects("brannoc")
    fight.do("stand")
    assert "prone" not in fight.effects("brannoc")
    assert fight.track("brannoc", "ap") == 0


def test_aid_recovers_fatigue_by_the_bond(fight: Fight) -> None:
    """Monsters & Magic, Basic Techniques (Aid)."""
    fight.do("mark mira fatigue 4", "aid mira bond 2")
    assert fight.fatigue("mira") == (2, 0)


def test_aid_works_once_per_short_rest_for_each_creature(fight: Fight) -> None:
    """Monsters & Magic, Basic Techniques (Aid)."""
    fight.do("mark mira fatigue 4", "aid mira bond 1", *["next"] * 4)
    fight.refuses("aid mira bond 1", "short rest")
    fight.do("end", "rest short", "aid mira bond 1 by brannoc")
    assert fight.fatigue("mira") == (2, 0)


def test_aid_costs_one_more_for_the_dying_and_stabilises(fight: Fight) -> None:
    """Monsters & Magic, Basic Techniques (Aid): increase AP by 1 ... to stabilise a dying
    creature."""
    fight.do("damage mira 99", "death mira weak", "aid mira bond 1")
    assert fight.track("brannoc", "ap") == 0
    assert fight["mira"].life == "stable"
    assert fight.track("mira", "deathsaves") == 0


def test_aid_wakes_who_is_knocked_out_by_exhaustion(fight: Fight) -> None:
    """Monsters & Magic, Fatigue & Exhaustion: for PCs, someone's action that recovers fatigue."""
    fight.do("mark mira fatigue 36")
    assert fight["mira"].life == "unconscious"
    fight.do("aid mira bond 1")
    assert fight.track("brannoc", "ap") == 0
    assert fight["mira"].life == "up"
    assert "unconscious" not in fight.effects("mira")


@pytest.mark.parametrize("line", ["aid brannoc bond 1", "help brannoc bond 1"])
def test_aid_and_help_are_for_another(fight: Fight, line: str) -> None:
    """Monsters & Magic, Basic Techniques: another creature."""
    fight.refuses(line, "another creature")


def test_help_adds_the_bond_to_the_next_check_alone(fight: Fight) -> None:
    """Monsters & Magic, Basic Techniques (Help); Ongoing, Forward, and Hold."""
    fight.do("help mira bond 2", "check mira focus natural 6")
    assert (fight.rolled.total, fight.outcome) == (10, "weak")
    fight.do("check mira focus natural 6")
    assert fight.rolled.total == 8


def test_disengage_saves_a_point_for_each_fatigue(fight: Fight) -> None:
    """Monsters & Magic, Basic Techniques (Disengage): mark up to 2 fatigue."""
    fight.do("strike ghoul-1 miss", "strike ghoul-1 miss")
    assert fight.option("brannoc", "disengage")["available"]
    fight.refuses("disengage", "0 AP left")
    fight.refuses("disengage fatigue 3", "from 0 to 2")
    fight.do("disengage fatigue 2")
    assert fight.track("brannoc", "ap") == 0


def test_disengage_prevents_opportunity_attacks_for_the_rest_of_the_turn(fight: Fight) -> None:
    """Monsters & Magic, Basic Techniques (Disengage)."""
    fight.do("disengage")
    fight.refuses("react opportunity-attack brannoc strong 5 by ghoul-1", "disengaged")
    fight.do("next")
    assert "disengaged" not in fight.effects("brannoc")
    fight.do("react opportunity-attack brannoc strong 5 by ghoul-1")


def test_regroup_clears_two_fatigue_and_only_in_a_fight(fight: Fight, gathered: Fight) -> None:
    """Monsters & Magic, Basic Techniques (Regroup)."""
    fight.do("mark brannoc fatigue 3", "regroup")
    assert fight.fatigue("brannoc") == (1, 0)
    gathered.refuses("regroup by brannoc", "only in a fight")
    assert gathered.option("brannoc", "regroup")["reason"] == "only in a fight"


def test_regroup_says_what_it_lacks(fight: Fight) -> None:
    """The reason when it can't be used."""
    fight.do("move")
    assert fight.option("brannoc", "regroup")["reason"] == "2 AP left, needs 3"
    fight.refuses("regroup", "2 AP left, needs 3")


def test_mount_and_dismount(fight: Fight) -> None:
    """Monsters & Magic, Basic Techniques (Mount or Dismount)."""
    fight.do("mount mira")
    assert fight.effects("brannoc") == {"mounted"}
    fight.do(*["next"] * 4, "dismount")
    assert fight.effects("brannoc") == set()

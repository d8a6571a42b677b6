"""What makes somebody harder to hit for as long as it lasts, and what nobody sees.

Orcus, Unseen Attackers and Targets, Vision and Light, Opportunity Attacks, Conditions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from affray.core.formatting.pieces import why_in_words

if TYPE_CHECKING:
    from tests.rulesets.orcus.conftest import Fight

NewFight = Callable[..., "Fight"]


@pytest.mark.parametrize(
    ("state", "melee", "ranged"),
    [
        ("cover", -2, -2),
        ("covered", -2, -2),
        ("three-quarters-cover", -5, -5),
        ("concealed", -2, -2),
        ("total-concealment", -5, -5),
        ("lightly-obscured", -2, -2),
        ("heavily-obscured", -2, -5),
        ("totally-obscured", -5, -5),
        ("invisible", -5, -5),
        ("hidden", -5, -5),
    ],
)
def test_what_lasts_makes_every_attack_harder(
    fight: Fight, state: str, melee: int, ranged: int
) -> None:
    """Orcus, Cover, Concealment: heavily obscured is concealment to whoever is adjacent."""
    fight.do(f"inflict goblin-1 {state}", "attack goblin-1 natural 10 3")
    assert fight.rolled.total == 10 + 7 + melee
    fight.do("next", "attack goblin-1 natural 10 3")
    assert fight.rolled.total == 10 + 8 + ranged


def test_in_the_dark_a_long_reach_is_not_adjacent(fight: Fight) -> None:
    """Orcus, Concealment: an adjacent target in a heavily obscured square."""
    fight.do("inflict goblin-1 heavily-obscured", "attack goblin-1 natural 10 3 reach")
    assert fight.rolled.total == 12
    fight.do("next", "attack goblin-1 natural 10 3 adjacent")
    assert fight.rolled.total == 16


def test_only_the_worst_degree_counts_whether_said_or_lasting(fight: Fight) -> None:
    """Orcus, Cover: the degrees aren't added; concealment is no cover."""
    fight.do("inflict goblin-1 cover", "attack goblin-1 natural 10 3 three-quarters-cover")
    assert fight.rolled.total == 12
    fight.do("inflict goblin-1 invisible", "undo", "undo", "inflict goblin-1 concealed")
    fight.do("attack goblin-1 natural 10 3 cover")
    assert fight.rolled.total == 13, "−2 cover, −2 concealment"


@pytest.mark.parametrize("reach", ["near", "far"])
def test_areas_are_not_put_off_by_what_they_do_not_see(fight: Fight, reach: str) -> None:
    """Orcus, Concealment: not for Near or Far attacks; cover is for all."""
    fight.do("inflict goblin-1 invisible", "inflict goblin-2 cover")
    fight.do(f"attack goblin-1,goblin-2 natural 10,10 3 {reach} plus 1")
    totals = [e.total for e in fight.events if getattr(e, "outcome", "")]
    assert totals == [18, 16]


def test_an_attack_may_be_clear_of_what_lasts(fight: Fight) -> None:
    """Orcus, Cover: only from the opposite side; Truesight, Blindsight."""
    fight.do("inflict goblin-1 three-quarters-cover,invisible")
    fight.do("attack goblin-1 natural 10 3 clear")
    assert fight.rolled.total == 17


@pytest.mark.parametrize(
    ("state", "why"),
    [("cover", "cover"), ("concealed", "concealed"), ("hidden", "total concealment, hidden")],
)
def test_the_roll_says_what_was_in_its_way(fight: Fight, state: str, why: str) -> None:
    """Orcus, Cover, Concealment."""
    fight.do(f"inflict goblin-1 {state}", "attack goblin-1 natural 10 3")
    assert why_in_words(fight.rolled).endswith(f" {why}")


def test_it_ends_when_it_is_said_to(fight: Fight) -> None:
    """Orcus, Duration."""
    fight.do("inflict mira invisible until end of mira")
    assert fight.until("mira", "invisible") == "end of mira's next turn"
    fight.do("next", "next")
    assert "invisible" not in fight.effects("mira")


@pytest.mark.parametrize("state", ["invisible", "hidden", "total-concealment", "totally-obscured"])
def test_no_opportunity_attack_on_what_nobody_sees(fight: Fight, state: str) -> None:
    """Orcus, Opportunity Attacks: a hostile creature that you can see."""
    fight.do("next", f"inflict mira {state}")
    fight.refuses("react opportunity-attack mira hit 3 by goblin-1", "Mira has total concealment")
    fight.do("react opportunity-attack mira hit 3 clear by goblin-1")


def test_an_opportunity_attack_on_the_adjacent_in_the_dark(fight: Fight) -> None:
    """Orcus, Opportunity Attacks, Concealment: dimly, but seen."""
    fight.do("next", "inflict mira heavily-obscured")
    fight.do("react opportunity-attack mira natural 12 3 by goblin-1")
    assert fight.rolled.total == 16


def test_nobody_is_seen_by_the_blinded(fight: Fight) -> None:
    """Orcus, Blinded; Unseen Attackers and Targets: whom one can't see has concealment."""
    fight.do("inflict brannoc blinded", "attack goblin-1 natural 10 8 concealed")
    assert (fight.rolled.total, fight.outcome) == (10 + 7 - 5, "miss")
    fight.do("action-point", "attack goblin-1 natural 10 8 clear")
    assert fight.rolled.total == 17
    fight.do("next", "inflict mira blinded", "attack goblin-1 natural 10 8 near")
    assert fight.rolled.total == 18


def test_the_blinded_make_no_opportunity_attacks(fight: Fight) -> None:
    """Orcus, Opportunity Attacks, Blinded."""
    fight.do("next", "inflict goblin-1 blinded")
    fight.refuses("react opportunity-attack mira hit 3 by goblin-1", "Goblin 1 is blinded")


@pytest.mark.parametrize(
    ("lost", "sense", "fails"),
    [
        ("blinded", "sight", True),
        ("deafened", "hearing", True),
        ("blinded", "hearing", False),
        ("deafened", "sight", False),
        ("petrified", "hearing", True),
    ],
)
def test_a_check_by_a_sense_that_is_lost_fails(
    fight: Fight, lost: str, sense: str, fails: bool
) -> None:
    """Orcus, Blinded, Deafened: automatically fail a check that requires it."""
    fight.do(f"inflict mira {lost}", f"check mira bluff {sense} natural 19 dc 5")
    assert fight.outcome == ("failure" if fails else "success")
    fight.do(f"check mira bluff natural 19 dc 5 {sense}")
    assert fight.outcome == ("failure" if fails else "success")
    fight.do("check mira bluff natural 19 dc 5")
    assert fight.outcome == "success", "what needs neither"


def test_a_lost_sense_fails_a_check_without_a_dc_too(fight: Fight) -> None:
    """Orcus, Blinded."""
    fight.do("inflict mira blinded", "check mira perception sight roll")
    assert fight.outcome == "failure"
    assert fight.shown["undo"] == "Mira rolls Perception check, failure: blinded"


def test_perception_of_the_blinded_is_10_less_and_no_failure_by_itself(fight: Fight) -> None:
    """Orcus, Blinded."""
    fight.do("inflict mira blinded", "check mira perception natural 19 dc 9")
    assert (fight.rolled.total, fight.outcome) == (9, "success")


@pytest.mark.parametrize("lost", ["blinded", "deafened"])
def test_who_is_unnerved_sees_and_hears_it(fight: Fight, lost: str) -> None:
    """Orcus, Unnerve, Deter: the one asks for both senses, the other for one."""
    fight.do("damage goblin-1 13", f"inflict goblin-1 {lost}")
    fight.refuses("unnerve goblin-1 hit", lost)
    fight.do("deter goblin-1 hit attack")


def test_nobody_is_deterred_who_neither_sees_nor_hears(fight: Fight) -> None:
    """Orcus, Deter."""
    fight.do("inflict goblin-1 blinded,deafened")
    fight.refuses("deter goblin-1 hit attack", "neither sees nor hears")


def test_the_blinded_create_no_diversion(fight: Fight) -> None:
    """Orcus, Create Diversion: enemies within sight."""
    fight.do("inflict brannoc blinded").refuses(
        "create-diversion goblin-1 hit", "so can't see targets"
    )

"""Rolls of a d20. Orcus, The Core Mechanic, Attack Rolls, Rolling 1 or 20, Stacking."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from affray.core.formatting.pieces import why_in_words
from affray.rulesets.orcus import checks

if TYPE_CHECKING:
    from tests.rulesets.orcus.conftest import Fight


@pytest.mark.parametrize(
    ("natural", "total", "defense", "outcome"),
    [
        (12, 18, 18, "hit"),  # equal is enough
        (11, 17, 18, "miss"),
        (20, 27, 18, "crit"),
        (20, 22, 23, "hit"),  # hits, but would not have by its total: no critical
        (1, 30, 18, "miss"),
    ],
)
def test_a_20_always_hits_and_a_1_never(
    natural: int, total: int, defense: int, outcome: str
) -> None:
    """Orcus, Rolling 1 or 20."""
    assert checks.attack_outcome(natural, total, defense) == outcome


def test_a_roll_has_all_its_parts_in_the_log(fight: Fight) -> None:
    """Orcus, Attack Rolls."""
    fight.do("modifier brannoc +2 attack power until used from mira", "attack goblin-1 natural 9 8")
    rolled = fight.rolled
    assert (rolled.dice, rolled.faces, rolled.natural, rolled.total) == ("1d20+9", (9,), 9, 18)
    assert (rolled.dc, rolled.against, rolled.outcome, rolled.by_hand) == (
        16,
        "goblin-1",
        "hit",
        True,
    )
    assert why_in_words(rolled).startswith("+7 Sword, +2 power ")


def test_bonuses_of_one_type_do_not_stack_in_a_roll(fight: Fight) -> None:
    """Orcus, Stacking: the best bonus and the worst penalty of a type; untyped ones all."""
    fight.do(
        "modifier brannoc +2 attack power",
        "modifier brannoc +1 attack power",
        "modifier brannoc +1 attack feat",
        "modifier brannoc -1 attack",
        "modifier brannoc -1 attack",
        "attack goblin-1 natural 10 8",
    )
    assert fight.rolled.total == 10 + 7 + 2 + 1 - 2


def test_a_modifier_until_used_ends_with_the_roll_it_fits(fight: Fight) -> None:
    """Orcus, Modifiers."""
    fight.do("modifier brannoc +2 save until used", "modifier brannoc +2 attack until used")
    fight.do("attack goblin-1,goblin-2 natural 10,10 5")
    totals = [e.total for e in fight.events if getattr(e, "natural", None)]
    assert totals == [19, 17]  # the first of two rolls has used it up
    assert [e.modifiers for e in fight["brannoc"].effects] == [{"save": 2}]


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        ("success", "success"),
        ("saved", "success"),
        ("failure", "failure"),
        ("natural 20", "success"),
        ("natural 1", "failure"),
    ],
)
def test_outcomes_are_read_in_the_words_of_players(fight: Fight, said: str, outcome: str) -> None:
    """Orcus, The Core Mechanic: success or failure."""
    fight.do(f"check mira bluff {said} dc 15")
    assert fight.outcome == outcome
    fight.refuses("check mira bluff hti", "did you mean hit")


@pytest.mark.parametrize(
    ("said", "outcomes"),
    [
        ("hit,miss 5", ["hit", "miss"]),
        ("natural 19,2 5", ["hit", "miss"]),
        ("natural 2 natural 19 5", ["miss", "hit"]),
        ("hit 5", ["hit", "hit"]),
    ],
)
def test_several_targets_have_outcomes_of_their_own_or_one_for_all(
    fight: Fight, said: str, outcomes: list[str]
) -> None:
    """Orcus, Areas of effect: a separate attack roll for each."""
    fight.do(f"attack goblin-1,goblin-2 {said}")
    assert [rolled.outcome for rolled in fight.rolls] == outcomes


@pytest.mark.parametrize(
    ("said", "saying"),
    [
        ("hit,miss,hit 5", "expected 2 outcomes"),
        ("natural 15 5", "expected 2 rolls"),
        ("natural 15,21 5", "1 to 20"),
        ("natural 4,15 natural 9 5", "there is neither"),
        ("natural 4 natural 15 natural 9 5", "expected 2 rolls"),
    ],
)
def test_dice_that_do_not_go_with_the_targets_are_refused(
    fight: Fight, said: str, saying: str
) -> None:
    """Every game, ruling 2."""
    fight.refuses(f"attack goblin-1,goblin-2 {said}", saying)


@pytest.mark.parametrize(
    "line",
    [
        "attack goblin-1 natural 4,15",
        "feint goblin-1 natural 4,15 dc 12",
        "check mira bluff natural 4,15 dc 10",
        "save brannoc natural 4,15",
        "init brannoc natural 4,15",
    ],
)
def test_there_is_no_advantage_that_two_dice_could_be_of(fight: Fight, line: str) -> None:
    """Orcus, The Core Mechanic: one d20; Combat Advantage is a bonus."""
    fight.refuses(line, "there is neither")


def test_only_attacks_can_be_critical(fight: Fight) -> None:
    """Orcus, Critical Hits; Saving Throws."""
    fight.do("inflict brannoc dazed save ends", "save brannoc crit")
    assert fight.outcome == "success"


# -- the command check --------------------------------------------------------------------------


def test_a_check_adds_the_skill_and_what_is_in_force(fight: Fight) -> None:
    """Orcus, The Core Mechanic, Modifiers."""
    fight.do("modifier mira -2 check", "check mira bluff natural 8 dc 15")
    assert (fight.rolled.total, fight.outcome) == (15, "success")
    fight.do("check mira bluff natural 8 dc 15 plus -1")
    assert fight.outcome == "failure"
    fight.do("check mira success")
    assert fight.outcome == "success"


def test_a_check_without_a_dc_is_its_total(fight: Fight) -> None:
    """Orcus, The Core Mechanic (such as Stealth, which others' Perception is compared with)."""
    fight.do("check mira bluff natural 8")
    assert fight.shown["undo"] == "Mira rolls Bluff check: 17"


def test_perception_suffers_for_the_blinded(fight: Fight) -> None:
    """Orcus, Conditions (Blinded)."""
    fight.do("inflict mira blinded", "check mira perception natural 15 dc 10")
    assert (fight.rolled.total, fight.outcome) == (5, "failure")

"""What the actions in combat cost. Orcus, Actions in Combat."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from affray.rulesets import load_ruleset
from affray.rulesets.orcus.actions import ACTS, REACTIONS

if TYPE_CHECKING:
    from tests.rulesets.orcus.conftest import Fight


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("attack goblin-1 miss", (0, 1, 1)),
        ("charge goblin-1 miss", (0, 1, 1)),
        ("aid-another mira", (0, 1, 1)),
        ("create-diversion goblin-1 miss", (0, 1, 1)),
        ("deter goblin-1 miss", (0, 1, 1)),
        ("feint goblin-1 miss", (0, 1, 1)),
        ("grapple goblin-1 miss", (0, 1, 1)),
        ("help-attack mira goblin-1", (0, 1, 1)),
        ("help-defense mira goblin-1", (0, 1, 1)),
        ("rally", (0, 1, 1)),
        ("shove goblin-1 miss", (0, 1, 1)),
        ("total-defense", (0, 1, 1)),
        ("treat-ally mira save miss", (0, 1, 1)),
        ("walk", (1, 0, 1)),
        ("dash", (1, 0, 1)),
        ("crawl", (1, 0, 1)),
        ("squeeze", (1, 0, 1)),
        ("five-foot-step", (1, 0, 1)),
        ("interact door", (1, 1, 0)),
        ("free shouts", (1, 1, 1)),
        ("drop-prone", (1, 1, 1)),
    ],
)
def test_each_action_costs_its_kind_of_action(
    fight: Fight, line: str, left: tuple[int, int, int]
) -> None:
    """Orcus, Your Turn (Standard, Move, Swift, Free Actions)."""
    assert fight.do(line).actions("brannoc") == left


def test_every_action_has_a_row_and_every_row_without_does_an_action() -> None:
    """Orcus, Actions in Combat."""
    rows = load_ruleset("orcus").tables.techniques
    assert {name for name, row in rows.items() if row.does is None} == {*ACTS, *REACTIONS}
    assert all(row.text for row in rows.values())


@pytest.mark.parametrize(
    "line", ["attack goblin-1 hit 5", "rally", "total-defense", "grapple goblin-1 hit"]
)
def test_no_second_standard_action_in_a_turn(fight: Fight, line: str) -> None:
    """Orcus, Your Turn."""
    fight.do("attack goblin-1 miss", "walk", "interact").refuses(line, "standard action used")


def test_no_standing_up_without_a_move_action(fight: Fight) -> None:
    """Orcus, Your Turn, Stand Up from Prone."""
    fight.do("attack goblin-1 miss", "walk", "interact", "inflict brannoc prone")
    fight.refuses("stand-up", "move action used")

"""Numbers on the list: from the first turn on they stay with whom they were given to."""

from __future__ import annotations

import pytest

from affray.core.language.refusal import Refused


def numbers(play) -> dict[str, int]:
    """The number of each who is in the fight."""
    return {combatant.id: number for number, combatant in play.state.by_number().items()}


def test_before_the_first_turn_a_number_is_a_place_in_the_order(play):
    play("add pc Ann", "add pc Bob")
    assert numbers(play) == {"ann": 1, "bob": 2}
    play("init bob 9", "init ann 3")
    assert numbers(play) == {"bob": 1, "ann": 2}


def test_a_number_stays_with_its_creature_whoever_joins_or_leaves(fight):
    assert numbers(fight) == {"ann": 1, "bob": 2, "cat": 3, "dan": 4}
    fight("add pc Eve", "init eve 99", "leave bob")
    assert numbers(fight) == {"eve": 5, "ann": 1, "cat": 3, "dan": 4}
    assert next(fight.state.in_order()).id == "eve"


def test_a_number_that_somebody_left_with_is_nobodys(fight):
    fight("leave bob")
    with pytest.raises(Refused, match="no combatant has number 2"):
        fight("leave 2")


def test_a_new_encounter_is_numbered_anew(fight):
    fight("leave ann", "end")
    assert numbers(fight)["bob"] == 2, "as long as the old one is looked at"
    fight("init bob 1", "init cat 2", "init dan 3", "start")
    assert sorted(numbers(fight).values()) == [1, 2, 3]

"""Numbers to type: given when somebody joins, and never changed."""

from __future__ import annotations

import pytest

from affray.core.engine.events import Added, Began, InitiativeSet, TurnStarted
from affray.core.engine.evolve import evolve_all
from affray.core.engine.state import Encounter, Slot
from affray.core.parser.errors import Refused


def numbers(play) -> dict[str, int]:
    """The number of each who is in the fight."""
    return {combatant.id: number for number, combatant in play.state.by_number().items()}


def test_a_number_is_given_on_joining_and_no_initiative_changes_it(play):
    play("add pc Ann", "add pc Bob", "add monster Cat x2")
    given = {"ann": 1, "bob": 2, "cat-1": 3, "cat-2": 4}
    assert numbers(play) == given
    play("init bob 9", "init ann 3", "init cat-2 20", "init cat-1 1")
    assert numbers(play) == given
    play("start", "next", "delay", "init ann 25", "return")
    assert numbers(play) == given


def test_a_number_stays_with_its_creature_whoever_joins_or_leaves(fight):
    assert numbers(fight) == {"ann": 1, "bob": 2, "cat": 3, "dan": 4}
    fight("add pc Eve", "init eve 99", "leave bob")
    assert numbers(fight) == {"eve": 5, "ann": 1, "cat": 3, "dan": 4}
    assert next(fight.state.in_order()).id == "eve"


def test_a_number_that_somebody_left_with_is_nobodys(fight):
    fight("leave bob")
    with pytest.raises(Refused, match="no combatant has number 2"):
        fight("leave 2")
    fight("add pc Eve")
    assert numbers(fight)["eve"] == 5


def test_a_new_encounter_changes_no_number(fight):
    given = numbers(fight)
    fight("end", "init bob 1", "init cat 2", "init dan 3", "init ann 4", "start")
    assert numbers(fight) == given


def test_logs_from_before_numbers_were_kept_give_them_with_the_first_turn():
    """Their events have none: what was typed in them must name whom it named then."""

    def joined(who: str) -> Added:
        return Added(who, who.title(), "party", "pc")

    def of(state: Encounter) -> list[str]:
        return [who.id for _, who in sorted(state.by_number().items())]

    state = evolve_all(Encounter(), [joined("ann"), joined("bob")])
    assert of(state) == ["ann", "bob"]
    state = evolve_all(state, [InitiativeSet((Slot("bob", 9), Slot("ann", 3)))])
    assert of(state) == ["bob", "ann"]
    state = evolve_all(state, [Began(), TurnStarted("bob"), joined("cat")])
    assert of(state) == ["bob", "ann", "cat"]
    assert of(evolve_all(state, [Began()])) == ["bob", "ann", "cat"]
    assert not evolve_all(state, [Began()]).numbers, "the next fight numbers them anew"

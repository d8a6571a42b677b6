"""What is asked before a turn ends, since its end would roll it for a character, or lose it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.dice.sources import ShamDice
from affray.core.heart.events import Rolled
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import Pending
from affray.tui.fight_view import pending_in

if TYPE_CHECKING:
    from affray.store.encounter import OpenEncounter


def asked_first(encounter: OpenEncounter) -> list[Pending]:
    """What waits and is to be asked before the turn ends: what holds the turn, what whoever is up
    would miss, and whatever the program would roll for a player's character otherwise."""
    state = encounter.state
    waiting = pending_in(encounter.ruleset, state)
    rolled = rolled_for(encounter) if waiting else frozenset()
    return [
        each
        for each in waiting
        if each.who in rolled or (state.takes_turn(each.who) and (each.holds or each.missed))
    ]


def rolled_for(encounter: OpenEncounter) -> frozenset[str]:
    """The ids of the players' characters for whom the end of the turn would roll."""
    try:
        made = encounter.preview("next", ShamDice(high=False))
    except Refused:
        return frozenset()
    rolls = (event for event in made.events if isinstance(event, Rolled) and not event.by_hand)
    return frozenset(roll.who for roll in rolls if made.state[roll.who].kind == "pc")

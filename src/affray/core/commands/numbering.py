"""Which number is typed for whoever joins: one of their own, which nothing changes afterwards."""

from __future__ import annotations

from affray.core.heart.state import Encounter
from affray.core.language.ids import id_of
from affray.core.rules.tables import Tables


def number_for(tables: Tables, state: Encounter, who: str) -> int:
    """The number that somebody joins with.

    The campaign's party has the first ones, in its order and whoever of it is there, so that each
    has the same in every fight; all others have the next one behind it. Whoever comes back has
    theirs again. 0 in a log that was begun before numbers were kept: it goes on as it was begun.
    """
    if state.combatants and not state.numbered:
        return 0
    if who in state.numbers:
        return state.numbers[who]
    party = [id_of(tables.name_of(key)) for key in tables.party]
    place = party.index(who) + 1 if who in party else 0
    if place and place not in state.by_number() and place not in state.numbers.values():
        return place
    return max(state.next_number(), len(party) + 1)

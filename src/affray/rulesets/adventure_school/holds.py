"""Who holds whom, and what that does by their sizes. Seed 001: Grab, Size; rules file, 7."""

from __future__ import annotations

from affray.core.heart.state import Combatant, Effect, Encounter
from affray.rulekit import creatures as sizes
from affray.rulesets.adventure_school.creatures import SIZES

GRABBED, GRABBING = "grabbed", "grabbing"


def larger_by(one: Combatant, other: Combatant) -> int:
    """By how many sizes the one is larger than the other; below 0 when it is smaller."""
    return sizes.larger_by(one, other, SIZES)


def grabs_on(who: Combatant) -> list[Effect]:
    """The grabs in which somebody is held; the source of each is who holds."""
    return [effect for effect in who.effects if effect.name == GRABBED]


def held_by(state: Encounter, holder: str) -> list[Combatant]:
    """Whom somebody holds."""
    everybody = (who for who in state.combatants if who.effects)
    return [who for who in everybody if any(e.source == holder for e in grabs_on(who))]


def slows(state: Encounter, who: Combatant) -> str:
    """What halves somebody's speed: being held by one a size smaller, or holding one of its own
    size; empty for nothing."""
    holders = (state.find(effect.source) for effect in grabs_on(who))
    if any(holder is not None and larger_by(who, holder) == 1 for holder in holders):
        return GRABBED
    holds = who.named(GRABBING) is not None
    alike = holds and any(larger_by(held, who) == 0 for held in held_by(state, who.id))
    return GRABBING if alike else ""

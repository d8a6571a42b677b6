"""Creatures under somebody's control: no turns of their own, commanded in their owner's.

Seed 002: Controlling Summons and Multiple Creatures; rules file, 15.
"""

from __future__ import annotations

from affray.core.heart.state import Combatant, Encounter
from affray.rulesets.level_up import creatures, scenes, world


def passive(state: Encounter, who: Combatant) -> bool:
    """Whether somebody has no turn: who is under control, and the world in a rolling scene."""
    if who.id == world.WORLD:
        return who.side == world.WORLD and scenes.rolls(state)
    return creatures.owner_here(state, who) is not None

"""The turn's edge: what starts and ends of turns set off, and what waits for the GM."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.heart.state import Combatant, Encounter
from affray.core.rules.ruleset import Pending
from affray.core.rules.tables import Tables
from affray.rulesets.level_up import economy

if TYPE_CHECKING:
    from affray.core.heart.decide import Context


def turn_started(ctx: Context, who: str) -> None:
    """What a turn is paid with is back (rules file, 1.3)."""
    economy.turn_started(ctx, who)


def fight_ended(ctx: Context) -> None:
    """Nothing is left of what was begun."""


def settled(ctx: Context) -> None:
    """What always follows: movement goes with the speed."""
    for combatant in ctx.state.combatants:
        if combatant is not ctx.before.find(combatant.id):
            economy.settle_movement(ctx, combatant)


def pending(tables: Tables, state: Encounter) -> list[Pending]:
    """What waits for the GM now."""
    return []


def remark(tables: Tables, combatant: Combatant, track: str) -> str:
    """What a track's value means now, in a few words."""
    return ""

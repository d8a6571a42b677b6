"""The turn's edge: what starts and ends of turns set off, in their order (rules file, 2.5, 2.6)."""

from __future__ import annotations

from affray.core.heart.decide import Context
from affray.core.heart.state import Encounter
from affray.core.rules.ruleset import Pending
from affray.core.rules.tables import Tables
from affray.rulesets.adventure_school import economy, grabbing, hiding


def turn_started(ctx: Context, who: str) -> None:
    """What a turn is paid with is back."""
    economy.turn_started(ctx, who)
    hiding.turn_started(ctx, who)


def turn_ending(ctx: Context, who: str) -> None:
    """What the turn held is over."""
    economy.turn_ending(ctx, who)


def fight_ended(ctx: Context) -> None:
    """What turns and rounds would end has ended."""
    economy.fight_ended(ctx)


def settled(ctx: Context) -> None:
    """What always follows: movement goes with the speed."""
    for combatant in ctx.state.combatants:
        if combatant is not ctx.before.find(combatant.id):
            grabbing.settled(ctx, combatant.id)
            hiding.settled(ctx, combatant.id)
    economy.settled(ctx)


def pending(tables: Tables, state: Encounter) -> list[Pending]:
    """What waits for the GM now."""
    return []

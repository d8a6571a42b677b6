"""The turn's edge: what starts and ends of turns set off, in their order (rules file, 2.5, 2.6)."""

from __future__ import annotations

from affray.core.heart.decide import Context
from affray.core.heart.state import Encounter
from affray.core.rules.ruleset import Pending
from affray.core.rules.tables import Tables
from affray.rulekit import rests
from affray.rulesets.adventure_school import (
    economy,
    falling,
    grabbing,
    hiding,
    life,
    lingering,
    resources,
    songs,
    spellburn,
    weapons,
)


def turn_started(ctx: Context, who: str) -> None:
    """Fortune, and what a turn is paid with; then what harms and heals turn by turn."""
    resources.turn_started(ctx, who)
    economy.turn_started(ctx, who)
    hiding.turn_started(ctx, who)
    lingering.turn_started(ctx, who)


def turn_ending(ctx: Context, who: str) -> None:
    """Fires burn, whoever falls comes down, and what the turn held is over."""
    lingering.turn_ending(ctx, who)
    falling.turn_ending(ctx, who)
    spellburn.turn_ending(ctx)
    economy.turn_ending(ctx, who)


def turn_passed(ctx: Context, who: str) -> None:
    """The turn of somebody defeated or dead would end: they fall on (2.7)."""
    falling.turn_ending(ctx, who)


def fight_ended(ctx: Context) -> None:
    """What turns and rounds would end has ended, and who falls lands."""
    for combatant in ctx.state.combatants:
        falling.land(ctx, combatant.id)
    economy.fight_ended(ctx)
    resources.fight_ended(ctx)
    spellburn.turn_ending(ctx)
    rests.fight_over(ctx)


def settled(ctx: Context) -> None:
    """What always follows: of HP, of speed, of flying, and movement that goes with the speed."""
    for combatant in ctx.state.combatants:
        if combatant is not ctx.before.find(combatant.id):
            life.settled(ctx, combatant.id)
            grabbing.settled(ctx, combatant.id)
            hiding.settled(ctx, combatant.id)
            falling.settled(ctx, combatant.id)
            weapons.settled(ctx, combatant.id)
            spellburn.settled(ctx, combatant.id)
    economy.settled(ctx)


def pending(tables: Tables, state: Encounter) -> list[Pending]:
    """What waits for the GM now."""
    return [*spellburn.pending(state), *resources.pending(state), *songs.pending(state)]

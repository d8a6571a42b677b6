"""The turn's edge: what starts and ends of turns set off, and what waits for the GM.

Seed 002: Dying and Death Saving Throws, Ongoing Damage; rules file, 1.3, 1.4.
"""

from __future__ import annotations

from affray.core.heart.decide import Context
from affray.core.heart.state import Combatant, Encounter
from affray.core.rules.ruleset import Choice, Pending
from affray.core.rules.tables import Tables
from affray.rulekit import levels, rests
from affray.rulesets.level_up import (
    companions,
    conditions,
    dying,
    economy,
    fatigue,
    powers,
    reactions,
    readying,
    saves,
    scenes,
    sprinting,
    totals,
    world,
)


def turn_started(ctx: Context, who: str) -> None:
    """What a turn is paid with is back; a death save may be owed (rules file, 1.3)."""
    economy.turn_started(ctx, who)
    sprinting.turn_started(ctx, who)
    companions.turn_started(ctx, who)
    world.turn_started(ctx, who)
    powers.roll_recharges(ctx, who)


def turn_ending(ctx: Context, who: str) -> None:
    """Saves that nobody made are rolled; ongoing damage; who was dramatic meets the end (1.4)."""
    saves.roll_owed(ctx)
    dying.roll_massive_saves(ctx)
    dying.roll_owed(ctx, who)
    conditions.take_ongoing_damage(ctx, who)
    dying.meet_the_end(ctx, who)
    world.turn_ending(ctx, who)


def fight_ended(ctx: Context) -> None:
    """What turns and rounds would end has ended, and what was gained is felt from now on. The next
    fight begins with all that a turn is paid with, and tires anew (rules file, 10.3)."""
    saves.roll_owed(ctx)
    dying.roll_massive_saves(ctx)
    for combatant in ctx.state.combatants:
        sprinting.fight_ended(ctx, combatant)
        economy.turn_started(ctx, combatant.id)
        dying.meet_the_end(ctx, combatant.id, now=True)
        rests.forget(ctx, combatant.id, "fight", "round *")
    rests.fight_over(ctx)
    levels.feel(ctx, "the fight is over")
    world.turn_ending(ctx, world.WORLD)


def settled(ctx: Context) -> None:
    """What always follows: movement goes with the speed, and deep fatigue brings doom."""
    fatigue.settled(ctx)
    reactions.settled(ctx)
    readying.settled(ctx)
    scenes.settle_falling(ctx)
    world.settled(ctx)
    for combatant in ctx.state.combatants:
        runs = combatant.named(totals.SPRINTING) is not None  # which is for its own turn alone
        if runs or combatant is not ctx.before.find(combatant.id):
            economy.settle_movement(ctx, combatant)


def pending(tables: Tables, state: Encounter) -> list[Pending]:
    """What waits for the GM now: saves that are owed, and after the fight those who lie stable."""
    stable = state.combatants if state.phase == "ended" else ()
    return [
        *reactions.pending(state),
        *saves.pending(state),
        *dying.pending(state),
        *(_wakes_later(who) for who in stable if who.life == "stable"),
    ]


def _wakes_later(who: Combatant) -> Pending:
    """Stable and not healed: 1 HP after some hours (rules file, 9.9)."""
    wakes = Choice("h", "1 HP now", f"heal {who.id} 1")
    return Pending(who.id, f"{who.name} is stable: 1 HP after 1d4 hours", (wakes,))

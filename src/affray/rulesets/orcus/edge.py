"""The turn's edge: what starts and ends of turns set off, and what waits for the GM.

Seed 003: Your Turn, The End of Your Turn, Delay, Death Saving Throws, Flying Movement.
"""

from __future__ import annotations

from affray.core.heart import timing, turns
from affray.core.heart.decide import Context
from affray.core.heart.effects import rule_of, settle
from affray.core.heart.events import Noted
from affray.core.heart.state import Combatant, Effect, Encounter
from affray.core.rules.ruleset import Choice, Pending
from affray.core.rules.tables import Tables
from affray.rulekit import cushion
from affray.rulesets.orcus import (
    aftermath,
    attacks,
    companions,
    conditions,
    damage,
    economy,
    expending,
    healing,
    movement,
    saves,
    sheet,
    upkeep,
)


def turn_started(ctx: Context, who: str) -> None:
    """Persistent damage, regeneration, refreshed powers; then the actions of the turn.

    First what hung on things that ended with the last turn ends: it does nothing any more.
    Whoever dies of the damage has an empty turn left.
    """
    economy.remember_immediate(ctx, who)
    settle(ctx)
    conditions.take_persistent_damage(ctx, who)
    if not ctx.state[who].is_out:
        healing.regenerate(ctx, who)
        expending.roll_refreshes(ctx, who)
        companions.turn_started(ctx, who)
    economy.update_tracks(ctx, who)


def turn_ending(ctx: Context, who: str) -> None:
    """The saves that nobody made are rolled; what was not maintained ends."""
    saves.roll_death_save(ctx, who)
    saves.roll_missing(ctx, who)
    aftermath.turn_ending(ctx, who)
    upkeep.end_unmaintained(ctx, who)
    movement.turn_ending(ctx, who)


def round_ended(ctx: Context) -> None:
    """A delayed turn that was not taken by now is wasted, and is over (seed 003: Delay)."""
    for slot in ctx.state.slots:
        if slot.held and not slot.gone:
            if turns.can_take_turns(ctx.state, slot):
                ctx.emit(Noted(f"{ctx.state.name(slot.who)}'s delayed turn is lost"))
            turns.end_turn(ctx, slot.who)


def fight_ended(ctx: Context) -> None:
    """What turns and rounds would end has ended, and the encounter counts toward the streak.

    With no more turns to come, nothing can be maintained either.
    """
    for keeper in ctx.state.combatants:
        upkeep.end_all_maintained(ctx, keeper.id, "the fight is over")
    companions.fight_ended(ctx)
    healing.encounter_over(ctx)


def delayed(ctx: Context, who: str) -> None:
    """Delaying: nothing can be maintained, and what helps and ends with this turn ends now.

    What harms lasts until the delayed turn is over (seed 003: Delay). An immediate action that was
    used since the turn before is not there again until the delayed turn is taken. Raises Refused
    for a companion: its initiative is its owner's.
    """
    companions.refuse_to_delay(ctx, who)
    economy.hold_back_immediate(ctx, who)
    name = ctx.state.name(who)
    upkeep.end_unmaintained(ctx, who, f"{name} delays, so can't maintain it")
    for bearer, effect in timing.due(ctx.state, who, "end"):
        if _helps(ctx.tables, effect, who):
            conditions.end_with_all(ctx, bearer.id, effect.id, f"{name} delays")


def _helps(tables: Tables, effect: Effect, who: str) -> bool:
    """Whether an effect helps its bearer, by its kind or by what it gives; or somebody who has
    combat advantage of their own by it."""
    if effect.source == who and rule_of(tables, effect.name).suffers.get("advantage") == "source":
        return True
    if effect.kind == "modifier":
        return sum(effect.modifiers.values()) >= 0
    return not tables.kind(effect.kind).harmful


def settled(ctx: Context) -> None:
    """What always follows: staggered, the actions of whose turn it is, stances of the helpless.

    Called after every command and for every preview: what is so already is left alone.
    """
    companions.settled(ctx)
    aftermath.settled(ctx)
    for who in ctx.changed():
        movement.settled(ctx, who)
        if "hp" in who.tracks:
            if damage.stagger(ctx, who.id):
                expending.staggered(ctx, who.id)
            cushion.settle(ctx, who.id)
        is_dead = who.life == "dead"  # and so as helpless as can be
        if is_dead or attacks.is_helpless(ctx.tables, ctx.state, who):
            why = f"{who.name} is {'dead' if is_dead else 'helpless'}"
            upkeep.end_kind(ctx, who.id, upkeep.STANCE, why)
    economy.update_tracks(ctx, *ctx.state.taking_turn())


def pending(tables: Tables, state: Encounter) -> list[Pending]:
    """What waits for the GM now: the death save, and what is due before the turn ends."""
    return [
        *saves.pending(state),
        *upkeep.pending(state),
        *movement.pending(tables, state),
        *_delayed_turns(state),
    ]


def _delayed_turns(state: Encounter) -> list[Pending]:
    """The turns that are lost unless they are taken now: nobody else comes in this round."""
    if not state.turn or not turns.is_last(state):
        return []
    says = "has delayed, and loses the turn when the round ends"
    return [
        Pending(who, f"{state.name(who)} {says}", (Choice("t", "take it now", f"return {who}"),))
        for who in (slot.who for slot in state.slots if slot.held and not slot.gone)
    ]


def remark(tables: Tables, combatant: Combatant, track: str) -> str:
    """What a track's value means now, in a few words: what a recovery heals, when it is dead."""
    if not sheet.max_hp(combatant):
        return ""
    if track == "recoveries":
        return f"{sheet.recovery_value(combatant)} HP each"
    if track == "hp" and combatant.life in ("dying", "stable"):
        return f"dead at −{sheet.staggered_value(combatant)}"
    return ""

"""The turn's edge: what starts and ends of turns set off, and what waits for the GM.

Seed 003: Your Turn, The End of Your Turn, Delay, Death Saving Throws, Flying Movement.
"""

from __future__ import annotations

from affray.core.heart import turns
from affray.core.heart.decide import Context
from affray.core.heart.effects import rule_of, settle
from affray.core.heart.events import Noted
from affray.core.heart.state import OUT_OF_THE_FIGHT, Combatant, Effect, Encounter
from affray.core.rules.ruleset import Choice, Pending
from affray.core.rules.tables import Tables
from affray.rulesets.orcus import (
    attacks,
    companions,
    conditions,
    creatures,
    damage,
    economy,
    healing,
    movement,
    powers,
    saves,
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
    if ctx.state[who].life not in OUT_OF_THE_FIGHT:
        healing.regenerate(ctx, who)
        powers.roll_refreshes(ctx, who)
        companions.turn_started(ctx, who)
    economy.update_tracks(ctx, who)


def turn_ending(ctx: Context, who: str) -> None:
    """The saves that nobody made are rolled; what was not maintained ends."""
    saves.roll_death_save(ctx, who)
    saves.roll_missing(ctx, who)
    upkeep.end_unmaintained(ctx, who)
    movement.turn_ending(ctx, who)


def round_ended(ctx: Context) -> None:
    """A delayed turn that was not taken by now is wasted, and is over (seed 003: Delay)."""
    for slot in ctx.state.slots:
        if slot.held and not slot.gone:
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
    slot = ctx.state.slot(who)
    turn = slot.turns if slot is not None else 0
    for bearer in ctx.state.combatants:
        for effect in bearer.effects:
            helps = not is_harmful(ctx.tables, effect) or _opens_to(ctx.tables, effect, who)
            if helps and _ends_with(effect, who, turn):
                conditions.end_with_all(ctx, bearer.id, effect.id, f"{name} delays")


def _ends_with(effect: Effect, who: str, turn: int) -> bool:
    until = effect.until
    return until.ends == "turn" and until.who == who and until.edge == "end" and until.count <= turn


def _opens_to(tables: Tables, effect: Effect, who: str) -> bool:
    """Whether it gives somebody combat advantage of their own: the help is theirs."""
    suffers = rule_of(tables, effect.name).suffers
    return effect.source == who and suffers.get("advantage") == "source"


def is_harmful(tables: Tables, effect: Effect) -> bool:
    """Whether an effect is no help to its bearer: by its kind, or a modifier that takes away."""
    if effect.kind == "modifier":
        return sum(effect.modifiers.values()) < 0
    return tables.kind(effect.kind).harmful


def settled(ctx: Context) -> None:
    """What always follows: staggered, the actions of whose turn it is, stances of the helpless.

    Called after every command and for every preview: what is so already is left alone.
    """
    companions.settled(ctx)
    before = set(ctx.before.combatants)
    for combatant in ctx.state.combatants:
        if combatant in before:  # nothing came to it
            continue
        movement.settled(ctx, combatant)
        if "hp" in combatant.tracks:
            damage.stagger(ctx, combatant.id)
            healing.settle_temporary(ctx, combatant.id)
        if any(effect.kind == upkeep.STANCE for effect in combatant.effects):
            _end_stances_of_the_helpless(ctx, combatant)
    economy.update_tracks(ctx, *ctx.state.taking_turn())


def _end_stances_of_the_helpless(ctx: Context, who: Combatant) -> None:
    """The dead are as helpless as can be (seed 003: Stance)."""
    if who.life == "dead" or attacks.is_helpless(ctx.tables, ctx.state, who):
        word = "dead" if who.life == "dead" else "helpless"
        upkeep.end_kind(ctx, who.id, upkeep.STANCE, f"{who.name} is {word}")


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
    return [
        Pending(
            slot.who,
            f"{state.name(slot.who)} has delayed, and loses the turn when the round ends",
            (Choice("t", "take it now", f"return {slot.who}"),),
        )
        for slot in state.slots
        if slot.held and not slot.gone
    ]


def remark(tables: Tables, combatant: Combatant, track: str) -> str:
    """What a track's value means now, in a few words: what a recovery heals, when it is dead."""
    hp = combatant.tracks.get("hp")
    if hp is None or not hp.max:
        return ""
    if track == "recoveries":
        return f"{creatures.recovery_value(combatant)} HP each"
    if track == "hp" and combatant.life in ("dying", "stable"):
        return f"dead at −{creatures.staggered_value(combatant)}"
    return ""

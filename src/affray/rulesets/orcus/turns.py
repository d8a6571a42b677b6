"""The start and end of a turn: their effects, and what waits for the GM.

Orcus, Your Turn, The End of Your Turn, Delay, Death Saving Throws, Flying Movement.
"""

from __future__ import annotations

from affray.core.engine import durations, turns
from affray.core.engine.effects import apply_invariants as effects_apply_invariants, effect_row
from affray.core.engine.state import Combatant, Effect, Encounter
from affray.core.rules import ruleset
from affray.core.rules.ruleset import Context, DecisionOption, PendingDecision
from affray.core.rules.tables import Tables
from affray.mechanics import damage as shared_damage
from affray.mechanics.conditions import end_with_all
from affray.rulesets.orcus import (
    action_economy,
    attacks,
    companions,
    conditions,
    damage,
    healing,
    movement,
    powers,
    saves,
    sheet,
    upkeep,
)


class Turns(ruleset.TurnRules):
    """Starts and ends of turns, rounds and the fight, and decisions that wait."""

    def on_turn_start(self, ctx: Context, combatant_id: str) -> None:
        """Persistent damage, regeneration, refreshed powers; then the actions of the turn.

        First end effects that depend on things ended with the last turn. Somebody who dies of the
        damage still has an empty turn.
        """
        action_economy.remember_immediate(ctx, combatant_id)
        effects_apply_invariants(ctx)
        conditions.take_persistent_damage(ctx, combatant_id)
        if not ctx.state[combatant_id].is_out:
            healing.regenerate(ctx, combatant_id)
            powers.roll_refreshes(ctx, combatant_id)
            companions.on_turn_start(ctx, combatant_id)
        action_economy.update_tracks(ctx, combatant_id)

    roll_deferred = staticmethod(saves.roll_deferred_saves)

    def on_turn_ending(self, ctx: Context, combatant_id: str) -> None:
        """Roll the saves that nobody made, and end the effects that weren't maintained."""
        saves.roll_death_save(ctx, combatant_id)
        saves.roll_missing(ctx, combatant_id)
        saves.turn_ending(ctx, combatant_id)
        upkeep.end_unmaintained(ctx, combatant_id)
        movement.on_turn_end(ctx, combatant_id)

    def on_turn_delayed(self, ctx: Context, combatant_id: str) -> None:
        """Delaying: nothing can be maintained, and what helps and ends with this turn ends now.

        What harms lasts until the delayed turn is over (Orcus, Delay). An immediate action that
        was used since the turn before is not there again until the delayed turn is taken. Raises
        Refused for a companion: its initiative is its owner's.
        """
        companions.refuse_to_delay(ctx, combatant_id)
        action_economy.hold_back_immediate(ctx, combatant_id)
        name = ctx.state.name(combatant_id)
        upkeep.end_unmaintained(ctx, combatant_id, f"{name} delays, so can't maintain it")
        for bearer, effect in durations.due_effects(ctx.state, combatant_id, "end"):
            if _helps(ctx.tables, effect, combatant_id):
                end_with_all(ctx, bearer.id, effect.id, f"{name} delays")

    def on_round_end(self, ctx: Context) -> None:
        """A delayed turn that was not taken by now is wasted, and is over (Orcus, Delay)."""
        for slot in ctx.state.slots:
            if slot.held and not slot.gone:
                if turns.can_take_turns(ctx.state, slot):
                    ctx.note("loses the delayed turn", slot.who)
                turns.end_turn(ctx, slot.who)

    def on_fight_end(self, ctx: Context) -> None:
        """End what turns and rounds would end, and count the encounter toward the streak.

        With no more turns to come, nothing can be maintained either.
        """
        for keeper in ctx.state.combatants:
            upkeep.end_all_maintained(ctx, keeper.id, "the fight is over")
        companions.on_fight_end(ctx)
        healing.encounter_over(ctx)

    def pending_decisions(self, tables: Tables, state: Encounter) -> list[PendingDecision]:
        """List the open decisions: the death save, and those due before the turn ends."""
        return [
            *saves.pending_decisions(state),
            *upkeep.pending_decisions(state),
            *movement.pending_decisions(tables, state),
            *_delayed_turns(state),
        ]

    has_acted = staticmethod(action_economy.has_acted)


def _helps(tables: Tables, effect: Effect, combatant_id: str) -> bool:
    """True if an effect helps its bearer, or gives its source combat advantage."""
    if (
        effect.source == combatant_id
        and effect_row(tables, effect.name).suffers.get("advantage") == "source"
    ):
        return True
    if effect.kind == "modifier":
        return sum(effect.modifiers.values()) >= 0
    return not tables.kind(effect.kind).harmful


class State(ruleset.StateRules):
    """Invariants, and numbers that were written by hand."""

    def apply_invariants(self, ctx: Context) -> None:
        """Apply the consequences of the state: staggered, the actions of the current turn, stances
        of the helpless. Called after every command and for every preview; does nothing if nothing
        changed.
        """
        companions.apply_invariants(ctx)
        saves.apply_invariants(ctx)
        for combatant in ctx.changed():
            movement.apply_invariants(ctx, combatant)
            if "hp" in combatant.tracks:
                if damage.stagger(ctx, combatant.id):
                    powers.staggered(ctx, combatant.id)
                shared_damage.end_expired_temp_hp(ctx, combatant.id)
            is_dead = combatant.life == "dead"  # and so as helpless as can be
            if is_dead or attacks.is_helpless(ctx.tables, ctx.state, combatant):
                why = f"{combatant.name} is {'dead' if is_dead else 'helpless'}"
                upkeep.end_kind(ctx, combatant.id, upkeep.STANCE, why)
        action_economy.update_tracks(ctx, *ctx.state.taking_turn())

    def on_edited_by_hand(self, ctx: Context, combatant_id: str) -> None:
        """Life and death follow, and the actions left."""
        damage.on_edited_by_hand(ctx, combatant_id)
        action_economy.on_edited_by_hand(ctx, combatant_id)

    def describe_track(self, tables: Tables, combatant: Combatant, track: str) -> str:
        """Describe a track's value in a few words: the HP of a recovery, the HP of death."""
        if not sheet.max_hp(combatant):
            return ""
        if track == "recoveries":
            return f"{sheet.recovery_value(combatant)} HP each"
        if track == "hp" and combatant.life in ("dying", "stable"):
            return f"dead at −{sheet.staggered_value(combatant)}"
        return ""


def _delayed_turns(state: Encounter) -> list[PendingDecision]:
    """The turns that are lost unless taken now, as nobody else comes in this round."""
    if not state.turn or not turns.is_last(state):
        return []
    says = "has delayed, and loses the turn when the round ends"
    return [
        PendingDecision(
            combatant_id,
            f"{state.name(combatant_id)} {says}",
            (DecisionOption("t", "take it now", f"return {combatant_id}"),),
        )
        for combatant_id in (slot.who for slot in state.slots if slot.held and not slot.gone)
    ]

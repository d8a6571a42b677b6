"""Rounds and turns: initiative, their starts and ends, and decisions that wait for the GM.

Monsters & Magic, Order, Dynamic Initiative, Action Points, Statuses (Invisible), Conditions
(Restrained), Death & Dying.
"""

from __future__ import annotations

from collections.abc import Sequence

from affray.core.dice import DieInput
from affray.core.engine.effects import effect_row, effects_in_force, why_forbidden
from affray.core.engine.state import Combatant, Encounter, Slot
from affray.core.parser.errors import format_signed
from affray.core.rules.ruleset import (
    Context,
    DecisionOption,
    InitiativeRules,
    PendingDecision,
    StateRules,
    TurnRules,
)
from affray.core.rules.tables import Tables
from affray.mechanics import actions, rests, stats
from affray.mechanics.checks import companion_initiative
from affray.mechanics.dying import FELL
from affray.rulesets.monsters_and_magic import (
    checks,
    conditions,
    damage,
    gear,
    loadout,
    movement,
    saves,
    stats as totals,
    threads_of_fate,
)


class Initiative(InitiativeRules):
    """Cunning, or CR, as a plain total."""

    def roll(self, ctx: Context, ids: list[str], faces: tuple[int, ...] = ()) -> dict[str, int]:
        """Roll for each of them, in that order, or take the dice that lie there; returns their
        totals.

        A controlled mount has its rider's (Monsters & Magic, Mounted Combat).
        """
        die = DieInput(faces=faces)
        ridden = [combatant_id for combatant_id in ids if movement.master(ctx.state[combatant_id])]
        found = {
            combatant_id: checks.InitiativeCheck(combatant_id, die=die).roll_total(ctx)
            for combatant_id in ids
            if combatant_id not in ridden
        }
        return found | companion_initiative(ctx.state, ridden, found, movement.master)

    def tie_rank(
        self, ctx: Context, combatant_id: str, total: int, placed: Sequence[Slot]
    ) -> tuple[int, ...]:
        """The rank on a tie: player characters before monsters."""
        return () if ctx.state[combatant_id].kind == "pc" else (1,)


# -- the edges -------------------------------------------------------------------------------------


class Turns(TurnRules):
    """Starts and ends of turns and of the fight, and decisions that wait."""

    def on_turn_start(self, ctx: Context, combatant_id: str) -> None:
        """Turn start: AP and the reaction come back; statuses act before conditions.

        There are 3 AP, one more when quickened, one less when impaired, never below 0.
        """
        combatant, economy = ctx.state[combatant_id], ctx.tables.economy
        if "ap" not in combatant.tracks:
            return
        usual = int(economy["ap"])
        situation = totals.situation_of(ctx, combatant)
        ap = max(0, usual + stats.stat_value(situation, "ap"))
        why = ", ".join(part.source for part in stats.stat_parts(situation, "ap"))
        actions.reset_turn_track(
            ctx, combatant_id, "ap", ap, max(ap, usual), why or "turn start", routine=ap == usual
        )
        totals.use_up(ctx, combatant_id, "ap")
        actions.reset_turn_track(
            ctx, combatant_id, "reaction", int(economy["reaction"]), why="turn start"
        )
        force = effects_in_force(ctx, ctx.state[combatant_id])
        for name in sorted(force, key=lambda name: force[name].kind != "status"):
            for track, amount in effect_row(ctx.tables, name).at_start.items():
                if amount > 0 and ctx.state[combatant_id].life != "dead":
                    conditions.mark_track(ctx, combatant_id, track, amount, name)
                elif ctx.state[combatant_id].life != "dead":
                    conditions.clear_track(
                        ctx, combatant_id, track, -amount, name, by_somebody=False
                    )

    def roll_deferred(self, ctx: Context, combatant_id: str) -> None:
        """Make the rolls that nobody has made before the turn may end."""
        _settle_what_waits(ctx)
        damage.roll_deferred_luck(ctx, combatant_id)

    on_turn_ending = staticmethod(movement.on_turn_end)

    def on_fight_end(self, ctx: Context) -> None:
        """End the fight: make owed rolls, let 6 seconds pass, and end effects that turns or rounds
        end. In the next fight everybody has their reaction, even before their first turn."""
        _settle_what_waits(ctx)
        usual = int(ctx.tables.economy["reaction"])
        for combatant in ctx.state.combatants:
            if "reaction" in combatant.tracks:
                left = max(usual, combatant.track("reaction"))
                actions.reset_turn_track(
                    ctx, combatant.id, "reaction", left, why="the fight is over"
                )
        rests.end_fight_effects(ctx)
        loadout.on_fight_end(ctx)

    def pending_decisions(self, tables: Tables, state: Encounter) -> list[PendingDecision]:
        """The decisions that wait: the dying roll, the held who may break free, Death's bargain."""
        dead = [c for c in state.combatants if c.life == "dead" and c.kind == "pc"]
        found = [_bargain(combatant) for combatant in dead if not combatant.used("bargain", "ever")]
        found += [*movement.mount_decisions(state), *movement.movement_decisions(state)]
        found += saves.pending_decisions(tables, state)
        for up in state.all_up():
            if damage.owes_luck_roll(up):
                found.append(damage.luck_roll_decision(up))
            elif up.named("restrained") is not None and not why_forbidden(
                tables, state, up, "escape"
            ):
                found.append(_break_free(up))
        return found

    def has_acted(self, combatant: Combatant) -> bool:
        """True if it has done anything in its turn."""
        return any(key.startswith("turn/") and key != f"turn/{FELL}" for key in combatant.uses)


def _settle_what_waits(ctx: Context) -> None:
    """Make the saves that nobody has made, and land those who fall."""
    movement.make_deferred_saves(ctx)
    saves.roll_deferred(ctx)
    movement.make_deferred_falls(ctx)


def _break_free(combatant: Combatant) -> PendingDecision:
    says = f"{combatant.name} is restrained: 3 fatigue to break free"
    command = f"free {combatant.id} restrained"
    answers = (
        DecisionOption("f", "free", command),
        DecisionOption("p", "free, prevented by the holder", f"{command} prevented"),
    )
    return PendingDecision(combatant.id, says, answers)


def _bargain(combatant: Combatant) -> PendingDecision:
    answers = (("a", "accept"), ("x", "refuse"))
    choices = tuple(
        DecisionOption(key, word, f"bargain {combatant.id} {word}") for key, word in answers
    )
    return PendingDecision(
        combatant.id, f"{combatant.name} is dead: Death offers a bargain", choices
    )


class State(StateRules):
    """Invariants, and numbers that were written by hand."""

    def apply_invariants(self, ctx: Context) -> None:
        """Apply the consequences of the state: lost seats and supports, encumbrance."""
        movement.apply_mount_invariants(ctx)
        movement.apply_movement_invariants(ctx)
        gear.settle(ctx)

    def on_edited_by_hand(self, ctx: Context, combatant_id: str) -> None:
        """Life and death follow, and room for threads."""
        damage.on_edited_by_hand(ctx, combatant_id)
        threads_of_fate.on_edited_by_hand(ctx, combatant_id)

    def describe_track(self, tables: Tables, combatant: Combatant, track: str) -> str:
        """Describe a track's value in a few words: the penalty that exhaustion brings."""
        penalty = totals.exhaustion_penalty(tables, combatant) if track == "exhaustion" else 0
        return f"{format_signed(penalty)} to all checks" if penalty else ""

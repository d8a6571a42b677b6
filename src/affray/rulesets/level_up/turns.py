"""Level Up: initiative, surprise, what starts and ends of turns and fights set off, and rests.

Level Up, Dying and Death Saving Throws, Ongoing Damage, Healing and Recovery, Recovering From
Fatigue, Temporary Hit Points. The text has neither initiative nor surprise.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from affray.core.dice import DieInput
from affray.core.engine import durations
from affray.core.engine.events import NoteAdded
from affray.core.engine.state import Combatant, Encounter
from affray.core.parser import arguments
from affray.core.parser.clauses import names_with_verb
from affray.core.parser.declarations import declare_command
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import Field
from affray.core.rules import ruleset
from affray.core.rules.ruleset import Context, PendingDecision
from affray.core.rules.tables import Tables
from affray.mechanics import checks as shared_checks, damage as shared_damage, rests
from affray.mechanics.conditions import SurpriseArgs, replace_effect
from affray.mechanics.sheet import present_owner
from affray.rulesets.level_up import (
    action_economy,
    actions,
    checks,
    companions,
    conditions,
    dying,
    fatigue,
    scene,
    sheet,
)
from affray.rulesets.level_up.rules import RULES
from affray.rulesets.srd import conditions as srd_conditions, damage as srd_damage
from affray.rulesets.srd.action_economy import close_openings, settle_movement
from affray.rulesets.srd.actions import drop_lost_spells
from affray.rulesets.srd.checks import CAN_RESIST
from affray.rulesets.srd.conditions import can_have, take_ongoing_damage
from affray.rulesets.srd.damage import heal
from affray.rulesets.srd.dying import wakings
from affray.rulesets.srd.powers import roll_recharges
from affray.rulesets.srd.sheet import REGENERATION, RESISTS

# -- initiative and surprise -----------------------------------------------------------------------


class Initiative(shared_checks.TiesByInit):
    """A d20 and `init` for each."""

    def roll(self, ctx: Context, ids: list[str], faces: tuple[int, ...] = ()) -> dict[str, int]:
        """Roll for each; controlled combatants have their owner's total."""
        if scene.WORLD in ids and scene.world_combatant(ctx.state) is not None:
            others = self.roll(
                ctx, [combatant_id for combatant_id in ids if combatant_id != scene.WORLD], faces
            )
            return others | scene.initiative(ctx, others.values())
        owned = [
            combatant_id
            for combatant_id in ids
            if present_owner(ctx.state, ctx.state[combatant_id])
        ]
        die = DieInput(faces=faces)
        found = {
            combatant_id: checks.InitiativeCheck(combatant_id, die=die).roll_total(ctx)
            for combatant_id in ids
            if combatant_id not in owned
        }
        return found | shared_checks.companion_initiative(ctx.state, owned, found)


def _surprise(ctx: Context, args: SurpriseArgs) -> None:
    """Surprise: no actions in the first turn, and no reaction until it is over (ruling 2)."""
    for combatant in args.people:
        slot = ctx.state.slot(combatant.id)
        if ctx.state.in_combat and slot is not None and slot.turns and slot.round:
            raise Refused(f"{combatant.name} has had a turn already, so can't be surprised")
    for combatant in args.people:
        replace_effect(
            ctx, combatant.id, "surprised", durations.turn_edge(ctx.state, combatant.id, "end")
        )
    ctx.text = f"{names_with_verb(args.people, 'is', 'are')} surprised"


# -- the edges of turns and of the fight -----------------------------------------------------------


class Turns(ruleset.TurnRules):
    """Starts and ends of turns and of the fight, and decisions that wait."""

    def on_turn_start(self, ctx: Context, combatant_id: str) -> None:
        """Restore the turn's actions, and note a death save to make."""
        action_economy.on_turn_start(ctx, combatant_id)
        fatigue.on_turn_start(ctx, combatant_id)
        companions.on_turn_start(ctx, combatant_id)
        scene.on_turn_start(ctx, combatant_id)
        roll_recharges(ctx, combatant_id)
        _regenerate(ctx, combatant_id)

    roll_deferred = staticmethod(dying.roll_deferred_saves)

    def on_turn_ending(self, ctx: Context, combatant_id: str) -> None:
        """Roll the saves still due, deal ongoing damage, and let the dramatic die."""
        conditions.roll_deferred_saves(ctx)
        dying.roll_deferred_saves(ctx, combatant_id)
        take_ongoing_damage(ctx, combatant_id)
        dying.meet_the_end(ctx, combatant_id)
        scene.on_turn_end(ctx, combatant_id)

    def on_fight_end(self, ctx: Context) -> None:
        """End the effects that turns and rounds would end, and let new levels be felt."""
        conditions.roll_deferred_saves(ctx)
        for combatant in ctx.state.combatants:
            fatigue.on_fight_end(ctx, combatant)
            action_economy.on_turn_start(ctx, combatant.id)
            dying.meet_the_end(ctx, combatant.id, now=True)
            rests.reset_uses(ctx, combatant.id, "fight", "round *")
        rests.end_fight_effects(ctx)
        fatigue.feel(ctx, "the fight is over")
        scene.on_turn_end(ctx, scene.WORLD)

    def pending_decisions(self, tables: Tables, state: Encounter) -> list[PendingDecision]:
        """List the pending decisions: saves, and after the fight the HP of the stable."""
        return [
            *actions.pending_decisions(state),
            *srd_damage.pending(state),
            *srd_conditions.pending_decisions(RULES, state),
            *dying.pending_decisions(state),
            *wakings(state),
        ]


def _regenerate(ctx: Context, combatant_id: str) -> None:
    """Heal by the sheet's regeneration; a note shows its text, which may restrict it."""
    target = ctx.state[combatant_id]
    if not (target.number(REGENERATION) and target.track("hp")):
        return
    heal(ctx, combatant_id, target.number(REGENERATION), REGENERATION)
    for power in sheet.powers_of(target):
        if power.text and power.name.casefold().startswith("regenerat"):
            ctx.note(f"regenerates: {power.text}", target.id)


class State(ruleset.StateRules):
    """Invariants, and numbers that were written by hand."""

    def apply_invariants(self, ctx: Context) -> None:
        """Keep derived values true: movement follows the speed, and deep fatigue brings doom."""
        fatigue.apply_invariants(ctx)
        close_openings(ctx, *action_economy.CAN_BLOCK)
        drop_lost_spells(ctx)
        close_openings(ctx, *CAN_RESIST)
        scene.settle_falling(ctx)
        scene.apply_invariants(ctx)
        changed = ctx.changed()
        for combatant in changed:
            shared_damage.end_expired_temp_hp(ctx, combatant.id)
            settle_movement(ctx, combatant)
        for combatant in ctx.state.bearers(checks.SPRINTING):  # which is for its own turn alone
            if combatant not in changed:
                settle_movement(ctx, combatant)

    on_edited_by_hand = staticmethod(dying.on_edited_by_hand)

    def can_have(self, combatant: Combatant, condition: str) -> bool:
        return can_have(combatant, condition)

    describe_track = staticmethod(fatigue.describe_track)


# -- rests -----------------------------------------------------------------------------------------

HOURS = rests.RestRules(
    ends=("turn", "round", "fight", "rest"), forgets=("rest", "recharge*"), sets={"sprints": 0}
)
NIGHT = rests.RestRules(forgets=("day",), sets={"temp_hp": 0, RESISTS: rests.FULL})
"""The tracks that every rest resets, and those of a long one."""


_HAVEN = Field("choice", ("haven",), only_if="long")


class RestArgs(Struct, frozen=True):
    kind: Annotated[str, arguments.choice_arg("the kind of rest", ("short", "long"))]
    haven: Annotated[bool, arguments.flag_arg(field=_HAVEN)] = False
    besides: rests.Besides = []


def _rest(ctx: Context, args: RestArgs) -> None:
    """Let all rest but the dead; the dying regain no HP and lose no level (ruling 38)."""
    rests.require_no_fight(ctx)
    where = " at a haven" if args.haven else ""
    why = f"a {args.kind} rest{where}"
    is_long = args.kind == "long"
    kinds = fatigue.RESTS[: 1 + is_long + (is_long and args.haven)]
    resting = rests.taking_part(ctx, args.besides)
    dying_yet = [combatant for combatant in resting if combatant.life == "dying"]
    first = "dying, with death saves to make first: a rest gives no HP"
    ctx.emit(*(NoteAdded(first, combatant.id, aside=True) for combatant in dying_yet))
    for combatant in resting:
        rests.apply_rest(ctx, combatant.id, HOURS, why)
        if is_long:
            rests.apply_rest(ctx, combatant.id, NIGHT, why)
        if combatant.life == "dying":  # no rest does any good to who has death saves to make
            continue
        fatigue.rested(ctx, combatant.id, kinds, why)
        if is_long and "hp" in combatant.tracks:
            heal(ctx, combatant.id, ctx.state[combatant.id].room("hp"), why)
        rests.end_rest(ctx, combatant.id)
    rests.reset_counters(ctx, resting, why, is_long)
    ctx.text = f"A {args.kind} rest{where}"


COMMANDS = (
    declare_command(
        "surprise",
        "surprises somebody as the fight begins: they can do nothing in their first turn",
        SurpriseArgs,
        _surprise,
    ),
    declare_command("rest", "takes a rest; a haven clears deeper fatigue", RestArgs, _rest),
)

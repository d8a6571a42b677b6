"""Adventure School: initiative, rests, and what the starts and ends of turns set off, in order.

Adventure School, Initiative, Delay, Stamina, Diminish, Short Rest, Long Rest, Burning, Regenerate,
Player vs. Player Changes.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from affray.core.dice import DieInput
from affray.core.engine import turn_order, turns
from affray.core.engine.effects import end_effects_named
from affray.core.engine.initiative import Placement
from affray.core.engine.state import Combatant, Encounter
from affray.core.parser import arguments
from affray.core.parser.declarations import declare_command
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import Field
from affray.core.rules.ruleset import Context, PendingDecision, StateRules, TurnRules
from affray.core.rules.tables import Tables
from affray.mechanics import damage as shared_damage, rests
from affray.mechanics.actions import DeclaredTechnique, PayFunction
from affray.mechanics.checks import TiesByInit
from affray.mechanics.conditions import effect_amount
from affray.rulesets.adventure_school import (
    action_economy,
    actions,
    attacks,
    conditions,
    contests,
    damage,
    movement,
    owed,
    resources,
    settings,
    sheet,
    songs,
    spellburn,
    stats,
)
from affray.rulesets.adventure_school.checks import InitiativeCheck
from affray.rulesets.adventure_school.conditions import BURNING, ONGOING, REGENERATION

GIVES_BACK = rests.RestRules(sets={"stamina": rests.FULL, "diminish": 0})
"""The tracks that come back with initiative."""


class Initiative(TiesByInit):
    """A d20 for each, and stamina with it."""

    def roll(self, ctx: Context, ids: list[str], faces: tuple[int, ...] = ()) -> dict[str, int]:
        """A d20 and `init` for each, with advantage while hidden."""
        die = DieInput(faces=faces)
        return {
            combatant_id: InitiativeCheck(combatant_id, die=die).roll_total(ctx)
            for combatant_id in ids
        }

    def on_given(self, ctx: Context, combatant_id: str) -> None:
        """Stamina up to its present maximum, and no diminish, each time."""
        rests.apply_rest(ctx, combatant_id, GIVES_BACK, "initiative")


class SkipArgs(Struct, frozen=True):
    """The arguments of `skip`: a place before or after somebody, from the next round on."""

    side: Annotated[Placement, arguments.choice_arg("a side", ("before", "after"))]
    other: Annotated[
        Combatant, arguments.combatant_arg("the combatant to go beside", field=Field("anyone"))
    ]


def _skip(ctx: Context, args: SkipArgs) -> None:
    """Give up this round's turn for another place in the order."""
    turns.skip_turn(ctx, ctx.actor().id, args.other.id, args.side)
    skips, beside = (
        turn_order.current_turn_label(ctx.before),
        turn_order.row_label(ctx.state, args.other.id),
    )
    ctx.text = f"{skips} skips the turn to stand {args.side} {beside}; {turns.who_is_up(ctx)}"


# -- rests -----------------------------------------------------------------------------------------

SHORT = rests.RestRules(
    ends=("turn", "round", "fight", "rest"), forgets=("rest",), sets={"control": rests.FULL}
)
"""The tracks that every rest resets; effects that lowered a maximum until a rest end as well."""
LONG = rests.RestRules(
    ends=("long-rest",),
    forgets=("long", "day"),
    sets={"spirit": rests.FULL, "spellburn": rests.FULL},
)
"""The tracks that a long rest resets besides."""


_INTERRUPTED = Field("choice", ("interrupted",), only_if="long")


class RestArgs(Struct, frozen=True):
    """The arguments of `rest`."""

    kind: Annotated[str, arguments.choice_arg("the kind of rest", ("short", "long"))]
    interrupted: Annotated[bool, arguments.flag_arg(field=_INTERRUPTED)] = False
    besides: rests.Besides = []


def _rest(ctx: Context, args: RestArgs) -> None:
    """Hours pass for all but the dead; a long rest that was broken is a short one."""
    rests.require_no_fight(ctx)
    if args.interrupted and args.kind == "short":
        raise Refused("only an interrupted long rest is possible: take a short rest")
    is_long = args.kind == "long" and not args.interrupted
    why = f"a {args.kind} rest{', interrupted' if args.interrupted else ''}"
    resting = rests.taking_part(ctx, args.besides)
    for combatant in resting:
        spellburn.let_happen(ctx, combatant.id)
        resources.rested(ctx, combatant.id, why)
        rests.apply_rest(ctx, combatant.id, SHORT, why)
        if is_long:
            rests.apply_rest(ctx, combatant.id, LONG, why)
        else:
            _grow_die(ctx, combatant.id, why)
        damage.apply_invariants(ctx, combatant.id)
        _recover(ctx, combatant.id, is_long, why)
        rests.end_rest(ctx, combatant.id)
    rests.reset_counters(ctx, resting, why, is_long)
    ctx.text = why.capitalize()


def _grow_die(ctx: Context, combatant_id: str, why: str) -> None:
    """The spellburn die is one size larger, at most its maximum."""
    die = ctx.state[combatant_id].tracks.get("spellburn")
    if die is not None and die.value < (die.max or 0):
        larger = next(sides for sides in sheet.LADDER if sides > die.value)
        rests.set_track(ctx, combatant_id, "spellburn", min(larger, die.max or 0), why)


def _recover(ctx: Context, combatant_id: str, is_long: bool, why: str) -> None:
    """HP: half the maximum, rounded up, for those not down; all for everybody in a long rest."""
    hp = ctx.state[combatant_id].tracks.get("hp")
    if hp is None or hp.max is None:
        return
    if ctx.state[combatant_id].life == "up":
        shared_damage.regain_hp(ctx, combatant_id, hp.max if is_long else (hp.max + 1) // 2, why)
    elif is_long:
        damage.revive(ctx, combatant_id, hp.max, why)


# -- what goes on turn by turn --------------------------------------------------------------------


def _is_late(ctx: Context, combatant_id: str) -> bool:
    """True if ongoing damage comes at the end of its turn: adventurers fight each other."""
    return settings.PVP.is_on(ctx.state) and ctx.state[combatant_id].side == "party"


def _suffer(ctx: Context, combatant_id: str, name: str) -> None:
    """Take the damage of all effects of that name: of each type the most, as the same condition
    twice is no worse."""
    for kind in dict.fromkeys(effect.type for effect in ctx.state[combatant_id].all_named(name)):
        now = ctx.state[combatant_id]
        if "hp" not in now.tracks or now.is_out:
            return
        each = [effect_amount(ctx, combatant_id, e) for e in now.all_named(name) if e.type == kind]
        if each:
            damage.deal(
                ctx, combatant_id, damage.DamageInstance(((max(each), kind),), label=f" {name}")
            )


def _regenerate(ctx: Context, combatant_id: str) -> None:
    """Regain HP by the sheet's regeneration or an effect's, but not at 0 HP."""
    target = ctx.state[combatant_id]
    each = (effect.amount for effect in target.all_named(REGENERATION))
    amount = max(target.number(REGENERATION), *each, 0)
    if amount and target.track("hp") > 0:
        shared_damage.regain_hp(ctx, combatant_id, amount, REGENERATION)


class DouseArgs(Struct, frozen=True):
    """`douse [prone]`."""

    prone: arguments.Heard = False


def douse(ctx: Context, args: DouseArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Put a fire out by the action, or by falling prone and giving the whole movement."""
    if combatant.named(BURNING) is None:
        raise Refused(f"{combatant.name} isn't burning")
    if args.prone:
        action_economy.pay_by_move(ctx, combatant, pay)
        conditions.fall_prone(ctx, combatant.id)
    else:
        pay()
    end_effects_named(ctx, combatant.id, BURNING, "put out")
    how = " on the ground" if args.prone else ""
    ctx.text = f"{combatant.name} puts out the fire{how}"


# -- the turn's edge -------------------------------------------------------------------------------


class Turns(TurnRules):
    """Starts and ends of turns and of the fight, and decisions that wait."""

    def on_turn_start(self, ctx: Context, combatant_id: str) -> None:
        """Give back fortune and the turn's actions; then ongoing damage, and regeneration."""
        resources.on_turn_start(ctx, combatant_id)
        action_economy.on_turn_start(ctx, combatant_id)
        contests.on_turn_start(ctx, combatant_id)
        if not _is_late(ctx, combatant_id):
            _suffer(ctx, combatant_id, ONGOING)
        _regenerate(ctx, combatant_id)

    def roll_deferred(self, ctx: Context, combatant_id: str) -> None:
        owed.roll_deferred(ctx)
        resources.roll_deferred(ctx, combatant_id)

    def on_turn_ending(self, ctx: Context, combatant_id: str) -> None:
        """Let fires burn and the falling land, and end the turn's leftovers."""
        _suffer(ctx, combatant_id, BURNING)
        if _is_late(ctx, combatant_id):
            _suffer(ctx, combatant_id, ONGOING)
        movement.fall_on(ctx, combatant_id)
        spellburn.on_turn_end(ctx)
        action_economy.on_turn_end(ctx)

    on_turn_passed = staticmethod(movement.fall_on)

    def on_fight_end(self, ctx: Context) -> None:
        """Make owed rolls, land those who fall, and end effects that turns and rounds would end;
        everybody begins the next fight with full actions, even before their first turn."""
        owed.roll_deferred(ctx)
        everybody = [combatant.id for combatant in ctx.state.combatants]
        for combatant_id in everybody:
            movement.land(ctx, combatant_id)
        for combatant_id in everybody:
            action_economy.on_turn_start(ctx, combatant_id)
        for combatant_id in everybody:
            rests.apply_rest(ctx, combatant_id, resources.AFTER_A_FIGHT, "the fight is over")
        spellburn.on_turn_end(ctx)
        rests.end_fight_effects(ctx)

    def pending_decisions(self, tables: Tables, state: Encounter) -> list[PendingDecision]:
        """The decisions that wait for the GM."""
        return [
            *spellburn.pending_decisions(state),
            *resources.pending_decisions(state),
            *songs.pending_decisions(state),
            *owed.pending_decisions(tables, state),
        ]


class State(StateRules):
    """Invariants, and numbers that were written by hand."""

    def apply_invariants(self, ctx: Context) -> None:
        """Keep derived values true: of HP, of speed, of flying; then movement, which follows the
        speed."""
        for combatant in ctx.changed():
            damage.apply_invariants(ctx, combatant.id)
            actions.apply_invariants(ctx, combatant.id)
            contests.apply_invariants(ctx, combatant.id)
            movement.apply_invariants(ctx, combatant.id)
            attacks.apply_invariants(ctx, combatant.id)
            spellburn.apply_invariants(ctx, combatant.id)
        for combatant in ctx.changed():
            action_economy.apply_invariants(ctx, combatant.id)

    on_edited_by_hand = staticmethod(damage.on_edited_by_hand)
    can_have = staticmethod(conditions.can_have)
    describe_track = staticmethod(stats.describe_track)


COMMANDS = (
    declare_command(
        "skip",
        "gives up this round's turn to change places in the order",
        SkipArgs,
        _skip,
        acts=True,
    ),
    declare_command("rest", "takes a rest; a long one restores everything", RestArgs, _rest),
)
ACTS = {"douse": DeclaredTechnique(DouseArgs, douse)}

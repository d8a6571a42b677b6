"""5e: 0 HP: falling, massive damage, death saves, damage while down, knocked out.

SRD 5.2.1, Dropping to 0 Hit Points; SRD 5.1, Knocking a Creature Out.
"""

from __future__ import annotations

from collections.abc import Iterator

from affray.core.dice import DieInput
from affray.core.engine import events
from affray.core.engine.effects import effect_name
from affray.core.engine.state import Combatant, Encounter
from affray.core.parser.declarations import declare_command
from affray.core.parser.errors import Refused
from affray.core.rules.ruleset import Context, PendingDecision
from affray.mechanics import checks as shared_checks, damage as shared_damage, dying, stats
from affray.rulesets.fifth import checks
from affray.rulesets.fifth.sheet import falls_at_zero, is_2014, makes_death_saves
from affray.rulesets.srd import dying as srd_dying
from affray.rulesets.srd.checks import FAILURE, SUCCESS
from affray.rulesets.srd.damage import DamageInstance
from affray.rulesets.srd.dying import ANSWERS, AT_ZERO, DEATH_SAVE, DOWN, FROM_AFAR
from affray.rulesets.srd.rules import rules_of

KNOCKED_OUT = "knocked out"
HURT_BY = "hurt by "
"""The prefix under which types of damage are counted for regeneration, since its last turn."""


def after_loss(
    ctx: Context,
    target: Combatant,
    blow: DamageInstance,
    amount: int,
    loss: shared_damage.HpLoss,
) -> None:
    """Apply the consequences of damage: falling, or failures of somebody down."""
    if amount <= 0:
        return
    _count_hurts(ctx, target, blow)
    if target.life in ("dying", "stable"):
        _hurt_at_zero(ctx, target, amount - loss.temp, blow.critical)
    elif loss.depth <= 0 and loss.hp:
        maximum = target.tracks["hp"].max or 0
        if blow.knockout:
            knock_out(ctx, target.id)
        elif falls_at_zero(target) and -loss.depth >= maximum:
            srd_dying.die(ctx, target.id, "massive damage")
        else:
            fall(ctx, target.id)
            if not blow.melee:
                ctx.emit(events.UseCounted(target.id, FROM_AFAR, DOWN))


def _count_hurts(ctx: Context, target: Combatant, blow: DamageInstance) -> None:
    """Count the types of damage that stop somebody's regeneration."""
    types = {kind for part, kind in blow.parts if part}
    for kind in target.stats.get("regeneration-unless") or ():
        immune = rules_of(ctx).is_defended(ctx.state, target, "immunity", kind, stats.ALL)
        if kind in types and not immune and not target.used(f"{HURT_BY}{kind}", HURT_BY):
            ctx.emit(events.UseCounted(target.id, f"{HURT_BY}{kind}", HURT_BY))


def fall(ctx: Context, combatant_id: str) -> None:
    """Apply the consequences of 0 HP."""
    target = ctx.state[combatant_id]
    if not falls_at_zero(target):
        srd_dying.die(ctx, combatant_id, effect_name(ctx.tables, AT_ZERO))
        return
    dying.start_dying(ctx, combatant_id)
    dying.fall_unconscious(ctx, combatant_id, AT_ZERO)


def _hurt_at_zero(ctx: Context, target: Combatant, amount: int, critical: bool) -> None:
    """A failed death save, two of a critical; as much as the maximum kills (ruling 27)."""
    if not makes_death_saves(target):
        return
    if not falls_at_zero(target) or amount >= (target.tracks["hp"].max or 0):
        srd_dying.die(ctx, target.id, "hurt at 0 HP")
        return
    if target.life == "stable":
        dying.start_dying(ctx, target.id, "hurt at 0 HP")
    failures = 2 if critical else 1
    srd_dying.add_death_save(ctx, target.id, "death_failures", "hurt at 0 HP", failures)


def knock_out(ctx: Context, combatant_id: str) -> None:
    """Leave 1 HP, and unconscious; by the rules of 2014 stable at 0 HP."""
    combatant = ctx.state[combatant_id]
    if is_2014(ctx.state):
        dying.fall_unconscious(ctx, combatant_id, AT_ZERO)
        srd_dying.stabilise(ctx, combatant_id, KNOCKED_OUT)
        return
    dying.wake_up(ctx, combatant_id, KNOCKED_OUT, lambda effect: effect.because == AT_ZERO)
    ctx.emit(events.TrackChanged(combatant_id, "hp", 1 - combatant.track("hp"), why=KNOCKED_OUT))
    dying.fall_unconscious(ctx, combatant_id, KNOCKED_OUT, "any healing, first aid or a rest")
    ctx.emit(events.LifeChanged(combatant_id, "unconscious", KNOCKED_OUT))


def _knock_out_now(ctx: Context, combatant_id: str) -> None:
    target = ctx.state[combatant_id]
    if target.used(FROM_AFAR, DOWN):
        raise Refused(f"only a melee attack can knock somebody out, and none hit {target.name}")
    knock_out(ctx, combatant_id)


def wake(ctx: Context, combatant_id: str, why: str) -> None:
    """Wake somebody knocked out."""
    dying.wake_up(ctx, combatant_id, why, lambda effect: effect.because == KNOCKED_OUT)
    if ctx.state[combatant_id].life == "unconscious":
        ctx.emit(events.LifeChanged(combatant_id, "up", why))


# -- death saves -----------------------------------------------------------------------------------


class DeathSaveArgs(srd_dying.DeathSaveArgs, frozen=True):
    terms: checks.Modifiers = checks.RollModifiers()


def _save_from_death(
    ctx: Context, combatant_id: str, die: DieInput, terms: checks.RollModifiers, extra: bool = False
) -> str:
    """Make a death save; a natural 1 is two failures."""
    natural, outcome = srd_dying.roll_death_save(ctx, combatant_id, die, terms, extra)
    if natural == 20:
        return SUCCESS
    track = "death_failures" if outcome == FAILURE else "death_successes"
    by = 2 if natural == 1 else 1
    srd_dying.add_death_save(ctx, combatant_id, track, "a death save", by)
    return outcome


def _death(ctx: Context, args: DeathSaveArgs) -> None:
    srd_dying.require_death_save(ctx, args.who, args.extra)
    outcome = _save_from_death(ctx, args.who.id, args.die, args.terms, args.extra)
    ctx.text = f"{args.who.name}'s death save, {outcome}"


def roll_deferred_saves(ctx: Context, combatant_id: str) -> None:
    """Roll the death save that is still due before the turn may end."""
    combatant = ctx.state[combatant_id]
    if makes_death_saves(combatant) and dying.owes_death_roll(combatant, DEATH_SAVE):
        _save_from_death(ctx, combatant_id, DieInput(), checks.RollModifiers())


def pending_decisions(state: Encounter) -> Iterator[PendingDecision]:
    """Yield this turn's death saves."""
    for combatant in state.all_up():
        if makes_death_saves(combatant) and dying.owes_death_roll(combatant, DEATH_SAVE):
            yield shared_checks.deferred_roll(
                combatant, "death", f"is dying: {DEATH_SAVE}", DEATH_SAVE, ANSWERS
            )


def on_edited_by_hand(ctx: Context, combatant_id: str) -> None:
    """After an edit by hand: apply the consequences of HP and of counted death saves."""
    was = ctx.before.find(combatant_id)
    dying.after_manual_hp(
        ctx,
        combatant_id,
        fall,
        srd_dying.rise,
        lambda c: c.named(dying.UNCONSCIOUS) is not None,
    )
    now = ctx.state[combatant_id]
    if was is not None and was.life == "dead" and now.life == "up" and now.track("exhaustion"):
        ctx.emit(events.TrackChanged(combatant_id, "exhaustion", -1, why="back from the dead"))
    if now.life == "dying":
        dying.count_death_saves(ctx, combatant_id, srd_dying.die, srd_dying.stabilise)


COMMANDS = (
    declare_command("death", "makes a death save", DeathSaveArgs, _death),
    dying.knock_out_command(
        "leaves somebody just brought to 0 HP unconscious at 1 HP", _knock_out_now
    ),
)

"""Level Up: 0 HP: falling, massive damage, death saves, damage while down, stable, dead.

Level Up, Fatigue, Death, and Doom.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import DieInput
from affray.core.engine import durations, events
from affray.core.engine.effects import effect_name, remove_effect
from affray.core.engine.state import Combatant, Duration, Effect, Encounter
from affray.core.parser import arguments
from affray.core.parser.clauses import names_with_verb
from affray.core.parser.declarations import declare_command
from affray.core.parser.errors import Refused, join_or
from affray.core.parser.prompt_fields import Field
from affray.core.rules.ruleset import Context, PendingDecision
from affray.mechanics import checks as shared_checks, dying, stats
from affray.mechanics.conditions import begin_effect
from affray.mechanics.rests import reset_uses
from affray.rulesets.level_up import checks, fatigue, settings
from affray.rulesets.level_up.checks import CheckRequest, RollModifiers
from affray.rulesets.srd.checks import FAILURE, SUCCESS, Outcome
from affray.rulesets.srd.dying import (
    ANSWERS,
    AT_ZERO,
    DEATH_SAVE,
    DOWN,
    DYING,
    FROM_AFAR,
    add_death_save,
    die,
    require_death_save,
    rise,
    roll_death_save,
    stabilise,
)
from affray.rulesets.srd.powers import CONCENTRATING

DOOMED = "doomed"
MASSIVE, OWED = "massive", "owed"
"""The name and span of the count while a save against massive damage is pending."""
CHOICES = ("failure", "fatigue", "strife")
"""The possible consequences of damage to a combatant at 0 HP."""
CHOICE = arguments.anywhere_choice_arg(
    *CHOICES, field=Field("said", CHOICES, only_if="unconscious")
)


def fate(combatant: Combatant) -> Literal["dying", "doomed", "dead"]:
    """Return the state that 0 HP bring.

    Monsters die unless they are important; a dramatic one has one more turn."""
    if combatant.stats.get("dramatic"):
        return "doomed"
    return "dying" if combatant.kind == "pc" or combatant.stats.get("important") else "dead"


# -- falling ---------------------------------------------------------------------------------------


def fall(
    ctx: Context, combatant_id: str, dealt: int = 0, knockout: bool = False, from_afar: bool = False
) -> None:
    """Apply the consequences of 0 HP.

    Args:
        dealt: The damage after resistances, with the part that temporary HP took (ruling 9).
        from_afar: No melee attack dealt it, so it can't knock out.
    """
    target = ctx.state[combatant_id]
    if from_afar:
        ctx.emit(events.UseCounted(combatant_id, FROM_AFAR, DOWN))
    if knockout:
        knock_out(ctx, combatant_id)
    elif fate(target) == "dead":
        die(ctx, combatant_id, effect_name(ctx.tables, AT_ZERO))
    elif fate(target) == "doomed":
        if not _final_doom(target):  # no more damage brings that nearer
            until = durations.turn_edge(ctx.state, combatant_id, "end")
            begin_effect(ctx, combatant_id, DOOMED, until, because=AT_ZERO)
    else:
        dying.start_dying(ctx, combatant_id)
        _fall_unconscious(ctx, combatant_id)
        fatigue.tire_by_falling(ctx, combatant_id, "falls unconscious")
        if dealt >= stats.stat_value(checks.situation_of(ctx, target), "massive"):
            ctx.emit(events.UseCounted(combatant_id, MASSIVE, OWED))
            ctx.note("owes a Constitution save for massive damage", combatant_id)


def _fall_unconscious(ctx: Context, combatant_id: str) -> None:
    """Fall, with a word on what it concentrates on: the text doesn't say whether that ends."""
    dying.fall_unconscious(ctx, combatant_id, AT_ZERO)
    held = [effect.note for effect in ctx.state[combatant_id].all_named(CONCENTRATING)]
    if held and ctx.before[combatant_id].life == "up":
        ctx.note(f"concentrates on {join_or(held, 'and')}: you say whether that ends", combatant_id)


def _final_doom(combatant: Combatant) -> list[Effect]:
    """The effects that doom a dramatic combatant when its next turn ends (ruling 33)."""
    doom = (e for e in combatant.all_named(DOOMED) if e.because == AT_ZERO)
    return [effect for effect in doom if effect.until.ends == "turn"]


def meet_the_end(ctx: Context, combatant_id: str, now: bool = False) -> None:
    """Let a dramatic combatant die of the last hit, at the end of its turn or of the fight."""
    slot = ctx.state.slot(combatant_id)
    for effect in _final_doom(ctx.state[combatant_id]):
        if now or (slot is not None and effect.until.count <= slot.turns):
            ctx.emit(events.EffectChanged(combatant_id, replace(effect, until=Duration())))
            die(ctx, combatant_id, "had one more turn")


# -- knocking out ----------------------------------------------------------------------------------


def knock_out(ctx: Context, combatant_id: str, has_tired: bool = False) -> None:
    """Be unconscious and stable, neither dying nor dead, with a level of fatigue (ruling 8).

    `has_tired`: the same fall has brought that level already, which counts in a fight.
    """
    reset_uses(ctx, combatant_id, OWED)
    for effect in ctx.state[combatant_id].all_named(DOOMED):
        if effect.because == AT_ZERO:
            remove_effect(ctx, combatant_id, effect.id, "knocked out")
    _fall_unconscious(ctx, combatant_id)
    if not ctx.state.in_combat:
        fatigue.tire(ctx, combatant_id, "knocked out")
    elif not has_tired:
        fatigue.tire_by_falling(ctx, combatant_id, "knocked out")
    stabilise(ctx, combatant_id, "knocked out")


def knock_out_now(ctx: Context, combatant_id: str) -> None:
    """Knock out right after the damage. Raises Refused for damage from afar."""
    target = ctx.state[combatant_id]
    if target.used(FROM_AFAR, DOWN):
        raise Refused(f"only a melee attack can knock somebody out, and none hit {target.name}")
    knock_out(ctx, combatant_id, has_tired=target.life == "dying")


# -- damage at 0 HP --------------------------------------------------------------------------------


def hurt_at_zero(
    ctx: Context, combatant_id: str, choice: str, attacked: bool, critical: bool
) -> None:
    """Apply the consequences of damage to a combatant at 0 HP (ruling 13).

    Args:
        choice: One of `CHOICES`; empty for a failed death save, unless it was an attack.
        attacked: The damage is an attack's.

    Raises:
        Refused: An attack without a choice.
    """
    target = ctx.state[combatant_id]
    if fate(target) != "dying":
        die(ctx, combatant_id, f"hurt at {effect_name(ctx.tables, AT_ZERO)}")
        return
    if attacked:
        require_choice(target, choice)
    if attacked and critical:
        fatigue.tire(ctx, combatant_id, "a critical at 0 HP")
    if target.life == "stable":
        dying.start_dying(ctx, combatant_id, "hurt at 0 HP")
    if choice in ("fatigue", "strife"):
        fatigue.tire(ctx, combatant_id, "hurt at 0 HP", {choice: 1})
    else:
        add_death_save(ctx, combatant_id, "death_failures", "hurt at 0 HP")


def require_choice(target: Combatant, choice: str) -> None:
    """Raises Refused for an attack on a combatant at 0 HP without the required choice."""
    if target.life in ("dying", "stable") and fate(target) == "dying" and not choice:
        message = f"say what the attack brings: {join_or(CHOICES)}"
        raise Refused(f"{target.name} is at 0 HP: {message}", CHOICES)


def on_edited_by_hand(ctx: Context, combatant_id: str) -> None:
    """After an edit by hand: apply the consequences of HP and of counted death saves."""
    fatigue.after_manual_level(ctx, combatant_id)
    dying.after_manual_hp(
        ctx, combatant_id, fall, rise, lambda c: c.named(dying.UNCONSCIOUS) is not None
    )
    if ctx.state[combatant_id].life == "dying":
        dying.count_death_saves(ctx, combatant_id, die, stabilise)


# -- death saves -----------------------------------------------------------------------------------


class MassiveSaveArgs(Struct, frozen=True):
    """The arguments of `massive`: whose save it is, and its outcome."""

    who: Annotated[Combatant, DYING]
    die: Outcome
    terms: checks.Modifiers


class DeathSaveArgs(MassiveSaveArgs, frozen=True):
    """The arguments of `death`: `extra` for one besides the turn's."""

    extra: arguments.Flag = False


def roll_deferred_saves(ctx: Context, combatant_id: str) -> None:
    """Roll the death save that is still due before the turn may end."""
    if dying.owes_death_roll(ctx.state[combatant_id], DEATH_SAVE):
        _save_from_death(ctx, DeathSaveArgs(ctx.state[combatant_id], DieInput(), RollModifiers()))


def _save_from_death(ctx: Context, args: DeathSaveArgs) -> str:
    """Make a death save, which has no ability but all modifiers of saves."""
    combatant_id = args.who.id
    natural, outcome = roll_death_save(ctx, combatant_id, args.die, args.terms, args.extra)
    if natural == 20:
        return SUCCESS
    if natural == 1:
        fatigue.tire(ctx, combatant_id, "a natural 1", fatigue.BOTH)
        if settings.DEATH_ONE.value(ctx.state) == "no-failure":
            return FAILURE
    track = "death_failures" if outcome == FAILURE else "death_successes"
    add_death_save(ctx, combatant_id, track, "a death save")
    return outcome


def _death(ctx: Context, args: DeathSaveArgs) -> None:
    if args.who.life == "dying":
        require_no_massive_save([args.who])
    require_death_save(ctx, args.who, args.extra)
    ctx.text = f"{args.who.name}'s death save, {_save_from_death(ctx, args)}"


# -- massive damage --------------------------------------------------------------------------------


def roll_massive_saves(ctx: Context) -> None:
    """Roll the saves against massive damage that are still owed at the end of a turn."""
    for combatant in ctx.state.combatants:
        if owes_massive_save(combatant):
            _save_from_massive_damage(ctx, MassiveSaveArgs(combatant, DieInput(), RollModifiers()))


def owes_massive_save(combatant: Combatant) -> bool:
    """True if a combatant owes a save against massive damage."""
    return combatant.used(MASSIVE, OWED) > 0


def require_no_massive_save(people: Sequence[Combatant]) -> None:
    """Raises Refused if one of them owes a save against massive damage."""
    owing = [combatant for combatant in people if owes_massive_save(combatant)]
    if owing:
        first = f"`massive {owing[0].id} OUTCOME` comes first"
        raise Refused(
            f"{names_with_verb(owing, 'saves or dies', 'save or die')} of massive damage: {first}"
        )


def _save_from_massive_damage(ctx: Context, args: MassiveSaveArgs) -> str:
    """Make the save: death, or a level of fatigue and of strife."""
    combatant_id, dc = args.who.id, int(ctx.tables.economy["massive_save"])
    save = CheckRequest(combatant_id, "con", args.die, dc, modifiers=args.terms, save=True)
    outcome = save.make(ctx).outcome
    reset_uses(ctx, combatant_id, OWED)
    if outcome == FAILURE:
        die(ctx, combatant_id, "massive damage")
    else:
        fatigue.tire(ctx, combatant_id, "massive damage survived", fatigue.BOTH)
    return outcome


def _massive(ctx: Context, args: MassiveSaveArgs) -> None:
    if not owes_massive_save(args.who):
        raise Refused(f"{args.who.name} owes no save against massive damage")
    ctx.text = (
        f"{args.who.name}'s save against massive damage, {_save_from_massive_damage(ctx, args)}"
    )


# -- what waits for the GM -------------------------------------------------------------------------


def pending_decisions(state: Encounter) -> Iterator[PendingDecision]:
    """Yield the pending saves against massive damage, and this turn's death saves."""
    for combatant in state.combatants:
        if owes_massive_save(combatant):
            says, roll = "took massive damage: saves or dies", "save against massive damage"
            yield shared_checks.deferred_roll(combatant, "massive", says, roll, ANSWERS)
    for combatant in state.all_up():
        if dying.owes_death_roll(combatant, DEATH_SAVE):
            yield shared_checks.deferred_roll(
                combatant, "death", f"is dying: {DEATH_SAVE}", DEATH_SAVE, ANSWERS
            )


COMMANDS = (
    declare_command("death", "makes a death save", DeathSaveArgs, _death),
    declare_command("massive", "makes the save against massive damage", MassiveSaveArgs, _massive),
    dying.knock_out_command(
        "leaves somebody just brought to 0 HP unconscious and stable", knock_out_now
    ),
)

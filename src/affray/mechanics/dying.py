"""Falling and rising: unconsciousness and its causes, dying, counts of death rolls, knocking out.

A game has one function for the moment at which a combatant falls, whatever took the HP, and one for
the moment at which it rises. It calls them after `lose_hp` and `regain_hp`, and hands them to
`after_manual_hp`:

    loss = lose_hp(ctx, combatant_id, 12, "12 fire")
    if loss.depth <= 0:
        fall(ctx, combatant_id)     # start_dying(...); fall_unconscious(ctx, combatant_id, DYING)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated

from msgspec import Struct

from affray.core.engine.decide import command_name
from affray.core.engine.effects import effect_row, gain_effect, remove_effect
from affray.core.engine.events import LifeChanged, TrackChanged, UseCounted
from affray.core.engine.history import earlier_entries
from affray.core.engine.state import Combatant, Duration, Effect
from affray.core.parser import arguments
from affray.core.parser.clauses import names_with_verb
from affray.core.parser.declarations import ParseState, declare_command
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import Field
from affray.core.rules.ruleset import Command, Context
from affray.mechanics.damage import has_lost_hp

UNCONSCIOUS = "unconscious"
DOWN = ("dying", "stable", "unconscious")
"""The lives of those who are neither up nor out of the fight."""
FELL = "fell"
"""Counted when a combatant drops in its own turn, which it didn't start dying."""
KNOCK_OUT = "knock-out"


# -- unconscious -----------------------------------------------------------------------------------


def is_unconscious(combatant: Combatant, because: str) -> bool:
    """True if a combatant is unconscious from this cause."""
    return any(effect.because == because for effect in combatant.all_named(UNCONSCIOUS))


def fall_unconscious(ctx: Context, combatant_id: str, because: str, says: str = "healed") -> None:
    """Let a combatant be unconscious from a cause, once for each; `says` words the end."""
    if not is_unconscious(ctx.state[combatant_id], because):
        until = Duration(says=says)
        gain_effect(
            ctx, combatant_id, Effect(UNCONSCIOUS, UNCONSCIOUS, "condition", until, because=because)
        )


def wake_up(ctx: Context, combatant_id: str, why: str, ends: Callable[[Effect], bool]) -> None:
    """End the effects that are, or imply, unconsciousness and for which `ends` is true."""
    for effect in ctx.state[combatant_id].effects:
        sleeps = UNCONSCIOUS in (effect.name, *effect_row(ctx.tables, effect.name).implies)
        if sleeps and ends(effect):
            remove_effect(ctx, combatant_id, effect.id, why)


# -- dying -----------------------------------------------------------------------------------------


def start_dying(ctx: Context, combatant_id: str, why: str = "") -> None:
    """Let a combatant be dying; one that drops in its own turn didn't start it dying (`FELL`)."""
    ctx.emit(LifeChanged(combatant_id, "dying", why))
    slot = ctx.state.slot(combatant_id)
    if slot is not None and slot.open and not slot.held:
        ctx.emit(UseCounted(combatant_id, FELL))


def owes_death_roll(combatant: Combatant, roll: str) -> bool:
    """True if a combatant started this turn dying and has not made that roll."""
    return combatant.life == "dying" and not combatant.used(roll) and not combatant.used(FELL)


def reset_counts(ctx: Context, combatant_id: str, tracks: Iterable[str], why: str) -> None:
    """Put these tracks back to 0."""
    for track in tracks:
        if marked := ctx.state[combatant_id].track(track):
            ctx.emit(TrackChanged(combatant_id, track, -marked, why=why))


DEATH_SAVES = ("death_failures", "death_successes")
"""The tracks that count death saves."""


def count_death_saves(
    ctx: Context,
    combatant_id: str,
    die: Callable[[Context, str, str], None],
    stabilise: Callable[[Context, str, str], None],
) -> None:
    """Let a combatant die of enough failures; at enough successes stabilise it, and reset the
    counts."""
    combatant, enough = ctx.state[combatant_id], int(ctx.tables.economy["death_saves"])
    if combatant.track("death_failures") >= enough:
        die(ctx, combatant_id, f"{enough} failed death saves")
    elif combatant.track("death_successes") >= enough:
        stabilise(ctx, combatant_id, f"{enough} death saves")
        reset_counts(ctx, combatant_id, DEATH_SAVES, "three of a kind")


# -- by hand ---------------------------------------------------------------------------------------


def after_manual_hp(
    ctx: Context,
    combatant_id: str,
    fall: Callable[[Context, str], None],
    rise: Callable[[Context, str, str], None],
    still_out: Callable[[Combatant], bool],
) -> None:
    """Apply the consequences when the GM wrote HP or removed an effect: falling, rising, waking.

    `fall` is for HP that came down to 0 or below, `rise` for HP that came up from there, or that
    the dead have again. Somebody unconscious without an effect that keeps them out (`still_out`)
    gets up.
    """
    combatant, before = ctx.state[combatant_id], ctx.before.find(combatant_id)
    left = ctx.tables.health_of(combatant)
    if left is None or before is None:
        return
    had = ctx.tables.health_of(before)
    now, was = left.value, had.value if had is not None else 0
    lay_there = combatant.life == "unconscious" and was <= 0
    if now <= 0 and now < was and not lay_there and not combatant.is_out:
        fall(ctx, combatant_id)
    elif now > 0 and now != was and (combatant.is_out or (was <= 0 and combatant.life in DOWN)):
        rise(ctx, combatant_id, f"{ctx.tables.health_label} were set")
    elif combatant.life == "unconscious" and not still_out(combatant):
        ctx.emit(LifeChanged(combatant_id, "up", "woken by the GM"))


# -- knocking out, right after the damage ----------------------------------------------------------


def just_brought_down(ctx: Context, combatant: Combatant) -> bool:
    """True if the last entry brought somebody down by damage, but for those of `knock-out`."""
    others = (
        p for p in earlier_entries(ctx.previous) if command_name(p.entry, ctx.ruleset) != KNOCK_OUT
    )
    previous = next(others, None)
    before = previous.before.find(combatant.id) if previous is not None else None
    left = ctx.tables.health_of(combatant)
    is_down = combatant.life in ("dead", "dying") or (
        combatant.life == "up" and (left is None or left.value <= 0)
    )
    if previous is None or before is None or not is_down:
        return False
    was_up = before.life not in ("dead", "dying", "stable")
    return was_up and has_lost_hp(previous.entry.events, combatant.id, ctx.tables)


def _just_down(reading: ParseState) -> list[Combatant]:
    ctx = reading.ctx
    return [each for each in ctx.state.combatants if just_brought_down(ctx, each)]


class KnockOutArgs(Struct, frozen=True):
    """`knock-out NAME[,NAME]`."""

    people: Annotated[
        list[Combatant],
        arguments.combatants_arg(
            "the combatants to knock out", _just_down, field=Field("self", legal=True)
        ),
    ]


def knock_out_command(does: str, knock_out: Callable[[Context, str], None]) -> Command:
    """Make the command `knock-out`, for those who dropped in the last entry."""

    def run(ctx: Context, args: KnockOutArgs) -> None:
        for target in args.people:
            if not just_brought_down(ctx, target):
                raise Refused(
                    f"{target.name} was not just brought to 0 {ctx.tables.health_label}: "
                    f"`{KNOCK_OUT}` comes right after the damage"
                )
            knock_out(ctx, target.id)
        ctx.text = f"{names_with_verb(args.people, 'is', 'are')} knocked out"

    return declare_command(KNOCK_OUT, does, KnockOutArgs, run)

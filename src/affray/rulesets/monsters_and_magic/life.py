"""Falling, stabilising, waking and dying outright.

Seed 004: Death & Dying, Fatigue & Exhaustion.
"""

from __future__ import annotations

from affray.core.heart.decide import Context
from affray.core.heart.events import Became
from affray.core.heart.state import Combatant
from affray.rulekit import life

EXHAUSTED, DYING = "exhaustion", "dying"
"""Ids of what somebody is unconscious because of, where it is neither a spell nor a blow."""
NO_EXHAUSTION = "no exhaustion left to mark"


def dies_at_once(combatant: Combatant) -> bool:
    """Whether 0 HP kills it: monsters and things, unless marked as important."""
    return combatant.kind != "pc" and not combatant.stats.get("important")


def fall(ctx: Context, who: str) -> None:
    """HP came down to 0: a monster dies; a character falls unconscious and prone, and is dying."""
    if dies_at_once(ctx.state[who]):
        ctx.emit(Became(who, "dead", "0 HP"))
        return
    life.begin_dying(ctx, who, "0 HP")
    life.lie_unconscious(ctx, who, DYING)


def out_of_exhaustion(ctx: Context, who: str) -> None:
    """An exhaustion could not be marked: the dying die, others are knocked out."""
    combatant = ctx.state[who]
    if combatant.life == "dying":
        ctx.emit(Became(who, "dead", NO_EXHAUSTION))
    elif combatant.life != "dead" and not knocked_out(combatant):
        says = "a long rest" if combatant.kind != "pc" else "fatigue is recovered"
        life.lie_unconscious(ctx, who, EXHAUSTED, says)
        if combatant.life == "up":
            ctx.emit(Became(who, "unconscious", NO_EXHAUSTION))


def knocked_out(combatant: Combatant) -> bool:
    """Whether exhaustion has knocked somebody out."""
    return life.is_out(combatant, EXHAUSTED)


def wake_from_exhaustion(ctx: Context, who: str, why: str) -> None:
    """End the knock-out that exhaustion caused."""
    life.wake(ctx, who, why, lambda effect: effect.because == EXHAUSTED)
    if ctx.state[who].life == "unconscious":
        ctx.emit(Became(who, "up", why))


def wake(ctx: Context, who: str, why: str) -> None:
    """End what keeps somebody unconscious, whatever it is, but for exhaustion."""
    life.wake(ctx, who, why, lambda effect: effect.because != EXHAUSTED)


def stabilise(ctx: Context, who: str, why: str = "") -> None:
    """Stop dying: still unconscious, and the held deathsaves are gone."""
    _drop_deathsaves(ctx, who)
    ctx.emit(Became(who, "stable", why))


def _drop_deathsaves(ctx: Context, who: str) -> None:
    life.begin_counts_anew(ctx, who, ("deathsaves",), "no longer dying")


def rise(ctx: Context, who: str, why: str) -> None:
    """Come back from 0 HP: conscious, unless exhaustion has knocked them out as well."""
    _drop_deathsaves(ctx, who)
    wake(ctx, who, why)
    still_out = knocked_out(ctx.state[who])
    ctx.emit(Became(who, "unconscious" if still_out else "up", why))


def reconcile(ctx: Context, who: str) -> None:
    """After something was set by hand: HP 0 brings down, HP above 0 and waking bring back."""
    life.set_by_hand(ctx, who, fall, rise, knocked_out)

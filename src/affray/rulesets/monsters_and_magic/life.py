"""Falling, stabilising, waking and dying outright.

Seed 004: Death & Dying, Fatigue & Exhaustion.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.effects import end, gain
from affray.core.events import Became, Changed
from affray.core.state import Combatant, Duration, Effect

if TYPE_CHECKING:
    from affray.core.decide import Context

EXHAUSTED = "exhaustion"
DYING = "dying"


def dies_at_once(combatant: Combatant) -> bool:
    """Whether 0 HP kills it: monsters and things, unless marked as important."""
    return combatant.kind != "pc" and not combatant.stats.get("important")


def at_zero(ctx: Context, who: str) -> None:
    """HP came down to 0: a monster dies; a character falls unconscious and prone, and is dying."""
    combatant = ctx.state[who]
    if dies_at_once(combatant):
        ctx.emit(Became(who, "dead", "0 HP"))
        return
    ctx.emit(Became(who, "dying", "0 HP"))
    if not any(e.because == DYING for e in combatant.effects):
        fall_unconscious(ctx, who, DYING, "healed")


def fall_unconscious(ctx: Context, who: str, because: str, says: str) -> None:
    """Become unconscious for a reason, which is what ends it."""
    gain(
        ctx,
        who,
        Effect("unconscious", "unconscious", "condition", Duration(says=says), because=because),
    )


def out_of_exhaustion(ctx: Context, who: str) -> None:
    """An exhaustion could not be marked: the dying die, others are knocked out."""
    combatant = ctx.state[who]
    if combatant.life == "dying":
        ctx.emit(Became(who, "dead", "no exhaustion left to mark"))
    elif combatant.life != "dead" and not _knocked_out(combatant):
        fall_unconscious(
            ctx, who, EXHAUSTED, "a long rest" if combatant.kind != "pc" else "fatigue is recovered"
        )
        if combatant.life == "up":
            ctx.emit(Became(who, "unconscious", "no exhaustion left to mark"))


def _knocked_out(combatant: Combatant) -> bool:
    return any(e.name == "unconscious" and e.because == EXHAUSTED for e in combatant.effects)


def wake_from_exhaustion(ctx: Context, who: str, why: str) -> None:
    """End the knock-out that exhaustion caused."""
    _end_unconscious(ctx, who, EXHAUSTED, why)
    if ctx.state[who].life == "unconscious":
        ctx.emit(Became(who, "up", why))


def _end_unconscious(ctx: Context, who: str, because: str, why: str) -> None:
    for effect in ctx.state[who].effects:
        if effect.name == "unconscious" and effect.because == because:
            end(ctx, who, effect.id, why)


def why_down(combatant: Combatant, effect: Effect) -> str:
    """What keeps somebody unconscious whom no effort of their own can wake; empty for nothing."""
    if effect.name != "unconscious" or combatant.life == "up":
        return ""
    return combatant.life if effect.because == DYING else effect.because


def stabilise(ctx: Context, who: str, why: str = "") -> None:
    """Stop dying: still unconscious, and the held deathsaves are gone."""
    _drop_deathsaves(ctx, who)
    ctx.emit(Became(who, "stable", why))


def _drop_deathsaves(ctx: Context, who: str) -> None:
    held = ctx.state[who].track("deathsaves")
    if held:
        ctx.emit(Changed(who, "deathsaves", -held, why="no longer dying"))


def rise(ctx: Context, who: str, why: str) -> None:
    """Come back from 0 HP: conscious, unless exhaustion has knocked them out as well."""
    _drop_deathsaves(ctx, who)
    _end_unconscious(ctx, who, DYING, why)
    still_out = _knocked_out(ctx.state[who])
    ctx.emit(Became(who, "unconscious" if still_out else "up", why))


def reconcile(ctx: Context, who: str) -> None:
    """After something was set by hand: HP 0 brings down, HP above 0 and waking bring back."""
    combatant = ctx.state[who]
    if "hp" not in combatant.tracks:
        return
    hp, before = combatant.track("hp"), ctx.before.find(who)
    fell = before is not None and before.track("hp") > hp == 0
    if fell and combatant.life in ("up", "unconscious"):
        at_zero(ctx, who)
    elif combatant.life == "unconscious" and not _knocked_out(combatant):
        ctx.emit(Became(who, "up", "woken by hand"))
    elif hp > 0 and combatant.life in ("dying", "stable", "dead", "defeated"):
        rise(ctx, who, "HP were set")

"""Falling, stabilising, waking and dying outright.

Seed 004: Death & Dying, Fatigue & Exhaustion.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.heart.effects import end, gain, rule_of
from affray.core.heart.events import Became, Changed, Used
from affray.core.heart.state import Combatant, Duration, Effect

if TYPE_CHECKING:
    from affray.core.heart.decide import Context

EXHAUSTED, DYING = "exhaustion", "dying"
"""Ids of what somebody is unconscious because of, where it is neither a spell nor a blow."""
FELL = "fell"
"""What is counted when somebody's own turn brings them down, which they did not start dying."""


def dies_at_once(combatant: Combatant) -> bool:
    """Whether 0 HP kills it: monsters and things, unless marked as important."""
    return combatant.kind != "pc" and not combatant.stats.get("important")


def at_zero(ctx: Context, who: str) -> None:
    """HP came down to 0: a monster dies; a character falls unconscious and prone, and is dying."""
    combatant = ctx.state[who]
    if dies_at_once(combatant):
        ctx.emit(Became(who, "dead", "0 HP"))
        return
    begin_dying(ctx, who, "0 HP")
    if not any(e.because == DYING for e in combatant.effects):
        fall_unconscious(ctx, who, DYING, "healed")


def begin_dying(ctx: Context, who: str, why: str) -> None:
    """Be dying from now on; the luck rolls begin with the start of the next turn."""
    ctx.emit(Became(who, "dying", why))
    slot = ctx.state.slot(who)
    if slot is not None and slot.open and not slot.held:
        ctx.emit(Used(who, FELL))


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
    for effect in ctx.state[who].effects:
        if effect.name == "unconscious" and effect.because == EXHAUSTED:
            end(ctx, who, effect.id, why)
    if ctx.state[who].life == "unconscious":
        ctx.emit(Became(who, "up", why))


def wake(ctx: Context, who: str, why: str) -> None:
    """End what keeps somebody unconscious, whatever it is, but for exhaustion."""
    for effect in ctx.state[who].effects:
        sleeps = "unconscious" in (effect.name, *rule_of(ctx.tables, effect.name).implies)
        if sleeps and effect.because != EXHAUSTED:
            end(ctx, who, effect.id, why)


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
    wake(ctx, who, why)
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

"""Healing: from below 0, recoveries, regeneration, temporary HP.

Seed 003: Healing, Recoveries, Healing on Negative HP, Temporary Hit Points, Regeneration.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.heart.effects import end_named
from affray.core.heart.events import Changed, Forgot, Spent, Used
from affray.core.heart.state import Combatant, Duration
from affray.core.language.refusal import Refused
from affray.rulekit import harm, life
from affray.rulekit.placing import begin
from affray.rulesets.orcus import companions, creatures, dying

if TYPE_CHECKING:
    from affray.core.heart.decide import Context

CUSHION = "temporary-hp"
"""The effect that says when temporary HP end, where they have an end of their own."""
_TIMED = "timed"


def heal(ctx: Context, who: str, amount: int, why: str = "") -> bool:
    """Heal up to the maximum, from 0 for who is below; any brings the dying and the stable back.

    Gives whether there was anything to heal. Raises Refused for the dead, and who has no HP.
    """
    target = ctx.state[who]
    harm.require_hp(target, "healed")
    if target.life == "dead":
        raise Refused(f"{target.name} is dead, and healing does nothing any more")
    healed = harm.regain(ctx, who, amount, why)
    if healed and target.life in life.DOWN:
        dying.rise(ctx, who, why or "healed")
    return healed > 0


def spend_recovery(ctx: Context, who: str, why: str, bonus: int = 0) -> bool:
    """Spend a recovery (a companion its owner's) and regain its user's recovery value.

    The dying without one are set to 1 HP. Gives whether there was one to spend. Raises Refused for
    others without one, and for the dead.
    """
    target = ctx.state[who]
    harm.require_hp(target, "healed")
    if target.life == "dead":
        raise Refused(f"{target.name} is dead, and recoveries do nothing any more")
    user = ctx.state[companions.recovers_for(ctx.state, target)]
    if user.track("recoveries") > 0:
        ctx.emit(Spent(user.id, "recoveries", 1, why))
        heal(ctx, who, max(0, creatures.recovery_value(user) + bonus), why)
        return True
    if target.life == "dying":
        heal(ctx, who, 1, "no recoveries left")
        return False
    raise Refused(f"{user.name} has no recoveries left")


def regenerate(ctx: Context, who: str) -> None:
    """At a turn's start: the highest regeneration heals."""
    target = ctx.state[who]
    amount = regeneration(target)
    if amount and "hp" in target.tracks and target.life != "dead":
        heal(ctx, who, amount, f"regeneration {amount}")


def regeneration(who: Combatant) -> int:
    """The highest of its own regeneration and what effects give; they don't add up."""
    given = [effect.amount for effect in who.effects if effect.name == "regeneration"]
    return max([0, who.number("regeneration"), *given])


def temporary(ctx: Context, who: str, amount: int, until: Duration | None = None) -> None:
    """Give temporary HP, until they are gone or their time is up; the higher of two stays."""
    target = ctx.state[who]
    if target.life == "dead":
        raise Refused(f"{target.name} is dead, and temporary HP do nothing any more")
    if not harm.temporary(ctx, who, amount):
        return
    _forget_cushion(ctx, who, "more of them")
    if until is not None:
        begin(ctx, who, CUSHION, until, amount=amount)
        ctx.emit(Used(who, CUSHION, _TIMED))


def settle_temporary(ctx: Context, who: str) -> None:
    """Temporary HP go with the effect that says when they end, and it goes with them."""
    target = ctx.state[who]
    if not target.used(CUSHION, _TIMED):
        return
    if target.named(CUSHION) is None and target.track("temp_hp"):
        why = "the time of temporary HP is up"
        ctx.emit(Changed(who, "temp_hp", -target.track("temp_hp"), why=why))
    if target.named(CUSHION) is None or not target.track("temp_hp"):
        _forget_cushion(ctx, who, "used up")


def _forget_cushion(ctx: Context, who: str, why: str) -> None:
    end_named(ctx, who, CUSHION, why)
    if ctx.state[who].used(CUSHION, _TIMED):
        ctx.emit(Forgot(who, _TIMED))

"""Fatigue and exhaustion: the ratchet, and what it knocks out.

Seed 004: Fatigue & Exhaustion.
"""

from __future__ import annotations

from affray.core.heart.decide import Context
from affray.core.heart.events import Changed
from affray.core.heart.state import Combatant
from affray.core.language.refusal import Refused
from affray.rulesets.monsters_and_magic import dying


def _can_tire(combatant: Combatant) -> bool:
    """Whether it has fatigue and exhaustion at all: hazards have none."""
    return combatant.tracks.keys() >= {"fatigue", "exhaustion"}


def require(combatant: Combatant) -> None:
    """Raises Refused for somebody who can't tire."""
    if not _can_tire(combatant):
        raise Refused(f"{combatant.name} has no fatigue to mark")


def mark(ctx: Context, who: str, marks: int, why: str = "") -> None:
    """Mark fatigue on a combatant, with all that follows; nothing on one who can't tire.

    With the track full, the next mark goes to exhaustion instead and empties the track, then
    marking goes on. What finds no exhaustion left to mark is lost.
    """
    if not _can_tire(ctx.state[who]):
        return
    fatigue, exhaustion = (ctx.state[who].tracks[name] for name in ("fatigue", "exhaustion"))
    now, deep = fatigue.value, exhaustion.value
    while marks > 0 and (now < (fatigue.max or 0) or deep < (exhaustion.max or 0)):
        now, deep = (now + 1, deep) if now < (fatigue.max or 0) else (0, deep + 1)
        marks -= 1
    if now != fatigue.value:
        ctx.emit(Changed(who, "fatigue", now - fatigue.value, why=why))
    if deep != exhaustion.value:
        ctx.emit(Changed(who, "exhaustion", deep - exhaustion.value, why=why or "fatigue was full"))
    if marks > 0:
        dying.out_of_exhaustion(ctx, who)


def mark_exhaustion(ctx: Context, who: str, marks: int, why: str = "") -> None:
    """Mark exhaustion itself; what finds no room knocks out, or kills the dying."""
    if "exhaustion" not in ctx.state[who].tracks:
        return
    room = ctx.state[who].room("exhaustion")
    if room:
        ctx.emit(Changed(who, "exhaustion", min(marks, room), why=why))
    if marks > room:
        dying.out_of_exhaustion(ctx, who)


def clear(ctx: Context, who: str, amount: int, why: str = "", by_somebody: bool = True) -> None:
    """Clear fatigue, never exhaustion. When somebody's action does it, a character who was knocked
    out by exhaustion wakes."""
    clear_marks(ctx, who, "fatigue", amount, why)
    if by_somebody and amount > 0 and ctx.state[who].kind == "pc":
        dying.wake_from_exhaustion(ctx, who, "recovers fatigue")


def clear_marks(ctx: Context, who: str, track: str, amount: int, why: str = "") -> int:
    """Clear marks of any track, as many as there are; gives how many."""
    really = min(amount, ctx.state[who].track(track))
    if really:
        ctx.emit(Changed(who, track, -really, why=why))
    return really

"""At 0 HP: unconscious or dead. Seed 002: Dropping to 0 Hit Points; rules file, 9."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.heart.effects import gain
from affray.core.heart.events import Became
from affray.core.heart.state import Combatant, Duration, Effect

if TYPE_CHECKING:
    from affray.core.heart.decide import Context


def simply_dies(who: Combatant) -> bool:
    """Whether 0 HP are its death: monsters that are not important (Monsters, NPCs, and Death)."""
    return who.kind != "pc" and not who.stats.get("important")


def fall(ctx: Context, who: str) -> None:
    """HP came to 0: dead as monsters are, or unconscious and dying."""
    if simply_dies(ctx.state[who]):
        ctx.emit(Became(who, "dead", "0 HP"))
        return
    gain(ctx, who, Effect("unconscious", "unconscious", "condition", Duration(says="healed")))
    ctx.emit(Became(who, "dying"))


def reconcile(ctx: Context, who: str) -> None:
    """After HP were written by hand: 0 brings down."""
    target, before = ctx.state[who], ctx.before.find(who)
    fell = before is not None and before.track("hp") > 0 and "hp" in target.tracks
    if fell and not target.track("hp") and target.life == "up":
        fall(ctx, who)

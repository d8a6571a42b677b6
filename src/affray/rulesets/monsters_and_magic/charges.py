"""What is held is spent. Seed 004: Ongoing, Forward, and Hold."""

from __future__ import annotations

from msgspec.structs import replace

from affray.core.heart import timing
from affray.core.heart.decide import Context
from affray.core.heart.effects import end
from affray.core.heart.events import Altered, Changed
from affray.core.heart.state import Combatant
from affray.core.language.refusal import Refused


def spend(ctx: Context, who: Combatant, name: str, amount: int) -> None:
    """Spend charges, those that end first before the others."""
    have = who.track(name)
    if have < amount:
        raise Refused(f"{who.name} holds {have} {name}, not {amount}")
    ctx.emit(Changed(who.id, name, -amount))
    timed = [e for e in who.effects if e.kind == "hold" and e.type == name]
    for held in sorted(timed, key=lambda e: timing.place(ctx.state, e.until)):
        spent = min(amount, held.amount)
        amount -= spent
        if spent:
            left = replace(held, amount=held.amount - spent)
            ctx.emit(Altered(who.id, left, "spent"))
            if not left.amount:
                end(ctx, who.id, held.id, "spent")

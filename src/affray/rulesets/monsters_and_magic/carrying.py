"""What a load comes to: encumbered beyond the capacity, and how far beyond it anybody carries.

Seed 004: Weight & Carrying Capacity, Loadout.
"""

from __future__ import annotations

from affray.core.heart.decide import Context
from affray.core.heart.effects import end_named
from affray.core.heart.state import Combatant
from affray.core.language.refusal import Refused
from affray.rulekit.placing import begin
from affray.rulesets.monsters_and_magic import gear

ENCUMBERED = "encumbered"


def refuse_impossible(ctx: Context, who: Combatant) -> None:
    """Raises Refused for gear that nobody could have so: in hand, or by its weight."""
    if not gear.keeps_gear(who):
        return
    refuse_in_hand(ctx, who)
    most, over = int(ctx.tables.economy["most_beyond"]), gear.beyond(ctx.tables, who)
    if over > most:
        much = f"{over} beyond the capacity, and {most} is the most"
        raise Refused(f"{who.name} would carry {much}")


def refuse_in_hand(ctx: Context, who: Combatant) -> None:
    """Raises Refused for what two hands, and the spots beside them, have no room for."""
    fault = gear.fault_of(ctx.tables, who)
    if fault:
        raise Refused(fault)


def settle(ctx: Context) -> None:
    """Whoever carries more than their capacity is encumbered, for as long as they do."""
    for who in ctx.state.combatants:
        if not gear.keeps_gear(who):
            continue
        is_burdened = gear.beyond(ctx.tables, who) > 0
        if is_burdened and who.named(ENCUMBERED) is None:
            begin(ctx, who.id, ENCUMBERED)
        elif not is_burdened and who.effects:
            end_named(ctx, who.id, ENCUMBERED, "carries less")

"""5e: the XP that foes are worth, and the difficulty of a fight by the party's budget.

SRD 5.2.1, Experience Points, Combat Encounter Difficulty; SRD 5.1 has no budget.
"""

from __future__ import annotations

from affray.core.engine.events import Left
from affray.core.engine.history import earlier_entries
from affray.core.engine.state import Combatant, Encounter
from affray.core.rules.ruleset import Context, Difficulty
from affray.core.rules.tables import Tables
from affray.rulesets.fifth.sheet import is_2014


def xp_of(combatant: Combatant) -> int | None:
    """The XP that somebody is worth, by the sheet or by challenge rating; None where it has
    neither."""
    return combatant.number("xp") if "xp" in combatant.stats else None


def difficulty(tables: Tables, state: Encounter) -> Difficulty | None:
    """Compare the XP of all foes with the party's budget, each character's by their level; None if
    no foe is worth anything known."""
    fights = state.in_combat
    foes = {
        foe: xp_of(foe)
        for foe in state.combatants
        if foe.side == "foes" and (fights or not foe.is_out)
    }
    if not any(foes.values()):
        return None
    party = [c for c in state.combatants if c.kind == "pc" and c.side == "party"]
    levels = [min(c.number("level"), 20) for c in party if c.number("level") > 0]
    rows = tables.economy["budget"] if levels and not is_2014(state) else {}
    unknown = [foe.name for foe, xp in foes.items() if xp is None]
    unknown += [c.name for c in party if rows and c.number("level") < 1]
    return Difficulty(
        sum(xp or 0 for xp in foes.values()),
        {grade: sum(row[level - 1] for level in levels) for grade, row in rows.items()},
        tuple(unknown),
    )


def tell_at_end(ctx: Context) -> None:
    """Tell the XP for the defeated foes in the fight that ends, be they there or not."""
    defeated = {c.id: c for c in ctx.state.combatants if c.life != "up"}
    start = ctx.state
    for each in earlier_entries(ctx.previous):
        start = each.before
        if not start.in_combat:
            break
        left = (start.find(e.who) for e in each.entry.events if isinstance(e, Left))
        defeated |= {c.id: c for c in left if c is not None and c.life != "up"}
    already = {c.id for c in start.combatants if c.life != "up"}
    foes = [c for c in defeated.values() if c.side == "foes" and c.id not in already]
    if worth := sum(xp_of(foe) or 0 for foe in foes):
        ctx.note(f"{worth:,} XP for the defeated foes")

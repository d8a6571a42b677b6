"""What effects do to one another, and damage to them: fire that dries, water that puts it out.

All of it is in the rows: `keeps_off`, `ended_by`, `adds_damage`, `half_damage`.

    [effects.wet]
    keeps_off = ["alight"]                          # nobody wet can burn, and who burns is put out
    ended_by = { fire = ["scalded"], cold = [] }
    adds_damage = { lightning = "fire" }            # 6 lightning are 6 fire as well
    half_damage = ["fire"]

    with_added(tables, force, {"lightning": 6})     # {"lightning": 6, "fire": 6}
    strike(ctx, "mira", ["fire"], lay)              # no longer wet, but scalded
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from affray.core.heart.decide import Context
from affray.core.heart.effects import called, end, in_force, rule_of
from affray.core.rules.tables import Tables
from affray.rulekit.numbers import ALL, Force


def kept_off_by(tables: Tables, force: Force, name: str) -> str:
    """What of all that is in force on somebody keeps an effect off them; empty for nothing."""
    return next((has for has in force if name in rule_of(tables, has).keeps_off), "")


def put_out(ctx: Context, who: str) -> None:
    """End what others that are in force keep off, as when one of these has just begun."""
    for effect in ctx.state[who].effects:
        by = kept_off_by(ctx.tables, in_force(ctx.tables, ctx.state, ctx.state[who]), effect.name)
        if by:
            end(ctx, who, effect.id, called(ctx.tables, by))


def with_added(tables: Tables, force: Force, amounts: Mapping[str, int]) -> dict[str, int]:
    """Damage by its types, with what comes on top of it: of each type once, from what fell."""
    found = dict(amounts)
    adding = {pair for name in force for pair in rule_of(tables, name).adds_damage.items()}
    for kind, more in sorted(adding):
        if amounts.get(kind):
            found[more] = found.get(more, 0) + amounts[kind]
    return found


def halved_by(tables: Tables, force: Force, kind: str) -> str:
    """What halves damage of a type, which may be none at all; empty for nothing."""
    kinds = {kind, ALL} if kind else {ALL}
    return next((n for n in force if kinds.intersection(rule_of(tables, n).half_damage)), "")


def strike(
    ctx: Context, who: str, kinds: Collection[str], lay: Callable[[Context, str, str], object]
) -> None:
    """End what damage of these types ends, all that was there before; then begins, by `lay`, what
    comes in its place."""
    begins: list[str] = []
    for effect in ctx.state[who].effects:
        ended_by = rule_of(ctx.tables, effect.name).ended_by
        by = [kind for kind in kinds if kind in ended_by]
        if by:
            end(ctx, who, effect.id, f"{by[0]} damage")
            begins += [name for kind in by for name in ended_by[kind]]
    for name in dict.fromkeys(begins):
        lay(ctx, who, name)

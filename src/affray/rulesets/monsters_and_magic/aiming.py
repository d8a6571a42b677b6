"""What makes an attack on somebody easier or harder: what is in force, sight, cover, water.

Seed 004: Attacking & Dealing Damage, Cover, Concealment, Underwater Combat, Basic Techniques
(Dodge).
"""

from __future__ import annotations

from typing import Annotated

from affray.core.heart.decide import Context
from affray.core.heart.state import Combatant
from affray.core.language import arguments
from affray.rulekit import leaning
from affray.rulekit.numbers import Part, Situation
from affray.rulesets.monsters_and_magic import mounts, surroundings, totals
from affray.rulesets.monsters_and_magic.checks import Terms
from affray.rulesets.monsters_and_magic.surroundings import INVISIBLE


class Hindered(Terms, frozen=True):
    """What may be said of an attack beside its terms: partial cover, concealment."""

    cover: Annotated[bool, arguments.flag()] = False
    concealed: Annotated[bool, arguments.flag()] = False


def advantage(
    ctx: Context, attacker: Combatant, target: Combatant, far: bool, feet: int | None = None
) -> tuple[list[str], list[str]]:
    """The reasons for advantage and for disadvantage on an attack, by what is in force on both.

    `far` tells that the attacker is out of touch range, `feet` how far away where that is known.
    What the senses of either make useless doesn't count.
    """
    found = surroundings.found_by(ctx.tables, attacker, target, feet)
    noticed = surroundings.found_by(ctx.tables, target, attacker, feet)
    roller = surroundings.without(totals.here(ctx, attacker), noticed & {INVISIBLE})
    suffering = surroundings.without(totals.here(ctx, target), found & {INVISIBLE})
    here = "far" if far else "near"
    pro, con = leaning.leaning(roller, ("attack",), suffering, (here,))
    seen = surroundings.how_seen(ctx.tables, ctx.state, attacker, target, feet)
    if seen in surroundings.UNSEEN and INVISIBLE not in suffering.force:  # which says so itself
        con.append(f"target {seen}")
    if "dodging" in suffering.force and _dodges(ctx, suffering, roller, feet):
        con.append("target dodging")
    if surroundings.is_under_water(ctx.state, attacker) and not _swims(ctx, attacker):
        con.append("under water")
    return pro, con


def _swims(ctx: Context, who: Combatant) -> bool:
    """Whether it has a swim speed, or rides what has one (seed 004: Underwater Combat)."""
    mount = mounts.steed_of(ctx.state, who)
    return bool(who.stats.get("swim") or (mount is not None and mount.stats.get("swim")))


def _dodges(ctx: Context, target: Situation, attacker: Situation, feet: int | None) -> bool:
    """Whether a Dodge helps: its user sees the attacker, can act and can move."""
    found = surroundings.found_by(ctx.tables, target.who, attacker.who, feet)
    seen = surroundings.how_seen(ctx.tables, ctx.state, target.who, attacker.who, feet)
    hides = INVISIBLE in attacker.force and INVISIBLE not in found
    is_seen = "blinded" not in target.force and not hides and seen not in surroundings.UNSEEN
    return is_seen and totals.can_dodge(ctx, target.who)


def hindrances(ctx: Context, target: Combatant, said: Hindered, seen: str) -> list[Part]:
    """What cover and concealment take from the roll, said of the attack or there with the target.

    `seen` is how hard the target is to see (`surroundings.how_seen`).
    """
    economy = ctx.tables.economy
    covered = said.cover or has_cover(target)
    is_dim = said.concealed or seen == surroundings.CONCEALED
    return [
        *([Part(-economy["cover"], "cover")] if covered else []),
        *([Part(-economy["concealed"], "concealed")] if is_dim else []),
    ]


def has_cover(who: Combatant) -> bool:
    """Whether somebody is in a place with partial cover, whose row raises their AC."""
    return who.named(surroundings.PARTIAL_COVER) is not None

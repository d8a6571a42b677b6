"""Cover and concealment: what is said of one attack, and what lasts on its target.

Seed 003: Unseen Attackers and Targets, Vision and Light, Opportunity Attacks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.heart.effects import forbidden, in_force, rule_of
from affray.core.heart.state import Combatant
from affray.rulekit.numbers import Part
from affray.rulesets.orcus.assaults import Assault

if TYPE_CHECKING:
    from affray.core.heart.decide import Context

CLEAR = "clear"
"""Said of an attack from where nothing stands between, by somebody who sees the target."""
COVER = {"cover": "cover", "three-quarters-cover": "three_quarters_cover"}
CONCEALMENT = {"concealed": "concealment", "total-concealment": "total_concealment"}
"""The degrees, the slighter first, and where the tables have the penalty of each."""


def parts(ctx: Context, target: Combatant, assault: Assault) -> list[Part]:
    """The penalty for cover and that for concealment, each by its worst degree alone.

    Areas are not put off by what can't be seen.
    """
    kinds = (COVER,) if assault.range in ("near", "far") else (COVER, CONCEALMENT)
    found = ((kind, *_worst(ctx, target, assault, kind)) for kind in kinds)
    economy = ctx.tables.economy
    return [Part(-int(economy[kind[degree]]), label) for kind, degree, label in found if degree]


def _worst(
    ctx: Context, target: Combatant, assault: Assault, kind: dict[str, str]
) -> tuple[str, str]:
    """The worst degree of a kind, and how it is called; empty for none."""
    here = {degree: degree.replace("-", " ") for degree in kind if assault.is_said(degree)}
    lasting = () if assault.is_said(CLEAR) else in_force(ctx.tables, ctx.state, target)
    for name in lasting:
        degree = _degree_of(ctx, name, assault.is_adjacent)
        if degree in kind:
            called = degree.replace("-", " ")
            here.setdefault(degree, called if name == degree else f"{called}, {name}")
    worst = next((degree for degree in reversed(kind) if degree in here), "")
    return worst, here.get(worst, "")


def _degree_of(ctx: Context, name: str, adjacent: bool) -> str:
    """What an effect gives its bearer against an attack; empty for most effects."""
    suffers = rule_of(ctx.tables, name).suffers
    usual = suffers.get("hindered", "")
    return suffers.get("hindered_near", usual) if adjacent else usual


def why_unseen(ctx: Context, attacker: Combatant, target: Combatant, assault: Assault) -> str:
    """Why the attacker doesn't see the target, in a few words; empty when it does."""
    if assault.is_said(CLEAR):
        return ""
    blind = forbidden(ctx.tables, ctx.state, attacker, "see")
    if blind:
        return f"{attacker.name} is {blind}"
    degree, label = _worst(ctx, target, assault, CONCEALMENT)
    return f"{target.name} has {label}" if degree == "total-concealment" else ""

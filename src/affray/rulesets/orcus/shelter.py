"""Cover and concealment: what is said of one attack, and what lasts on its target.

Seed 003: Unseen Attackers and Targets, Vision and Light, Opportunity Attacks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.heart.effects import forbidden, rule_of
from affray.core.heart.state import Combatant
from affray.core.rules.tables import Tables
from affray.rulekit.numbers import Part, Situation
from affray.rulesets.orcus import totals
from affray.rulesets.orcus.assaults import Assault

if TYPE_CHECKING:
    from affray.core.heart.decide import Context

CLEAR = "clear"
"""Said of an attack from where nothing stands between, by somebody who sees the target."""
COVER = {"cover": "cover", "three-quarters-cover": "three_quarters_cover"}
CONCEALMENT = {"concealed": "concealment", "total-concealment": "total_concealment"}
"""The degrees, the slighter first, and where the tables have the penalty of each."""


def parts(target: Situation, assault: Assault) -> list[Part]:
    """The penalty for cover and that for concealment, each by its worst degree alone.

    Areas are not put off by what can't be seen.
    """
    kinds = (COVER,) if assault.range in ("near", "far") else (COVER, CONCEALMENT)
    found = ((kind, *_worst(target, assault, kind)) for kind in kinds)
    economy = target.tables.economy
    return [Part(-int(economy[kind[degree]]), label) for kind, degree, label in found if degree]


def _worst(target: Situation, assault: Assault, kind: dict[str, str]) -> tuple[str, str]:
    """The worst degree of a kind, and how it is called; empty for none."""
    here = {degree: degree.replace("-", " ") for degree in kind if assault.is_said(degree)}
    for name in () if assault.is_said(CLEAR) else target.force:
        degree = _degree_of(target.tables, name, assault.is_adjacent)
        if degree in kind:
            called = degree.replace("-", " ")
            here.setdefault(degree, called if name == degree else f"{called}, {name}")
    worst = next((degree for degree in reversed(kind) if degree in here), "")
    return worst, here.get(worst, "")


def _degree_of(tables: Tables, name: str, adjacent: bool) -> str:
    """What an effect gives its bearer against an attack; empty for most effects."""
    suffers = rule_of(tables, name).suffers
    usual = suffers.get("hindered", "")
    return suffers.get("hindered_near", usual) if adjacent else usual


def why_unseen(ctx: Context, attacker: Combatant, target: Combatant, assault: Assault) -> str:
    """Why the attacker doesn't see the target, in a few words; empty when it does."""
    if assault.is_said(CLEAR):
        return ""
    blind = forbidden(ctx.tables, ctx.state, attacker, "see")
    if blind:
        return f"{attacker.name} is {blind}"
    degree, label = _worst(totals.here(ctx, target), assault, CONCEALMENT)
    return f"{target.name} has {label}" if degree == "total-concealment" else ""

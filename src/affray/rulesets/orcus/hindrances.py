"""Why an action can't be taken as things stand, beside its price: movement, prone, grapples.

Seed 003: Actions in Combat, Being Prone, Flying Movement, Conditions.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from affray.core.heart.effects import in_force
from affray.core.heart.state import Combatant, Encounter
from affray.core.language.refusal import Refused
from affray.core.rules.tables import Tables
from affray.rulekit import numbers
from affray.rulekit.acts import Now
from affray.rulesets.orcus.totals import FLYING

if TYPE_CHECKING:
    from affray.core.heart.decide import Context

ON_FOOT = ("walk", "dash", "squeeze", "five-foot-step", "charge")
"""What the prone can't do: they crawl."""
MOVES = (*ON_FOOT, "crawl", "move-grappled")
"""What leaves one's square."""

NOT_FLYING = {"five-foot-step": "shift", "opportunity-attack": "make opportunity attacks"}
"""What nobody does in the air without hovering."""


POWERS = "power"
"""All powers; with a name behind it, one of them."""


def hindrance(now: Now, technique: str) -> str:
    """Why somebody can't do it now, whatever it costs, in a few words; empty when nothing does."""
    who = now.who
    if why := deterred(now.state, who, technique):
        return why
    barred = now.forbids("move") if technique in MOVES else ""
    if barred:
        return barred
    if technique in NOT_FLYING and who.named(FLYING) is not None and not who.stats.get("hover"):
        return f"flying, and can't {NOT_FLYING[technique]}"
    if technique in (*ON_FOOT, "stand-up", "drop-prone"):
        return _why_not_by_posture(technique, "prone" in now.in_force)
    if technique == "escape" and who.named("grappled") is None:
        return "not grappled"
    if technique in ("move-grappled", "release"):
        return _why_not_with_the_held(now, technique)
    return _why_no_rally(who) if technique == "rally" else ""


def deterred(state: Encounter, who: Combatant, *actions: str) -> str:
    """By whom somebody was deterred from one of these actions; empty for nobody (seed 003: Deter).

    `because` says from which: a technique, `power` for all powers, or one of them.
    """
    by = (e.source for e in who.effects if e.name == "deterred" and e.because in actions)
    return next((f"deterred by {state.name(source)}" for source in by), "")


def _why_not_by_posture(technique: str, prone: bool) -> str:
    """Being prone stands against some, and not being prone against standing up."""
    if technique == "stand-up":
        return "" if prone else "not prone"
    if technique == "drop-prone":
        return "prone already" if prone else ""
    return "prone: crawl, or stand-up first" if prone else ""


def _why_not_with_the_held(now: Now, technique: str) -> str:
    held = held_by(now.state, now.who.id)
    if not held:
        return "holds nobody in a grapple"
    fixed = [_fixed(now.tables, now.state, one) for one in held]
    return f"{held[0].name} is {fixed[0]}" if technique == "move-grappled" and all(fixed) else ""


def _why_no_rally(who: Combatant) -> str:
    if who.kind != "pc":
        return "only player characters rally"
    return "" if who.track("recoveries") > 0 else "no recoveries left"


def refuse_hindered(ctx: Context, who: Combatant, technique: str) -> None:
    """Raises Refused with what stands against an action, whatever it costs."""
    why = hindrance(Now(ctx.tables, ctx.state, ctx.state[who.id]), technique)
    if why:
        raise Refused(f"{who.name} can't {technique}: {why}")


def refuse_fixed(ctx: Context, target: Combatant) -> None:
    """Raises Refused for somebody whom nothing moves to another square."""
    why = _fixed(ctx.tables, ctx.state, target)
    if why:
        raise Refused(f"{target.name} is {why}, and can't be moved to another square")


def _fixed(tables: Tables, state: Encounter, who: Combatant) -> str:
    """What keeps somebody in the square, whoever would move them (seed 003: Restrained)."""
    return next(iter(numbers.forbidding(tables, in_force(tables, state, who), "be-moved")), "")


@lru_cache(maxsize=4)  # a state never changes, and several techniques ask this of one
def held_by(state: Encounter, who: str) -> tuple[Combatant, ...]:
    """Those whom somebody has grappled."""
    everything = ((c, e) for c in state.combatants for e in c.effects)
    held = [c for c, e in everything if e.source == who and e.name == "grappled"]
    return tuple(dict.fromkeys(held))

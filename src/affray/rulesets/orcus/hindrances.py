"""What stands against doing something, whatever it costs: prone, flying, deterred, held or fixed.

What an action costs, and whether there is one left, is in `economy`.

Seed 003: Actions in Combat, Charge, Deter, Grapple, Being Prone, Flying Movement, Restrained.
"""

from __future__ import annotations

from collections.abc import Callable

from affray.core.heart.decide import Context
from affray.core.heart.effects import in_force
from affray.core.heart.state import Combatant, Encounter
from affray.core.language.refusal import Refused
from affray.core.rules.tables import Tables
from affray.rulekit import numbers
from affray.rulekit.acts import Now
from affray.rulesets.orcus import checks
from affray.rulesets.orcus.sheet import MODES

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
    if technique in MOVES and (barred := now.forbids("move")):
        return barred
    flies = who.named(checks.FLYING) is not None and not who.stats.get("hover")
    if flies and technique in NOT_FLYING:
        return f"flying, and can't {NOT_FLYING[technique]}"
    if technique in ON_FOOT and "prone" in now.in_force:
        return "prone: crawl, or stand-up first"
    own = _OF_ITS_OWN.get(technique)
    return own(now) if own is not None else ""


def deterred(state: Encounter, who: Combatant, *actions: str) -> str:
    """By whom somebody was deterred from one of these actions; empty for nobody (seed 003: Deter).

    `because` says from which: a technique, `power` for all powers, or one of them.
    """
    by = (e.source for e in who.all_named("deterred") if e.because in actions)
    return next((f"deterred by {state.name(source)}" for source in by), "")


def _why_too_slow(now: Now) -> str:
    """A charge takes at least 2 squares, in whatever way one moves (seed 003: Charge)."""
    here = checks.situation(now.tables, now.state, now.who)
    ways = ("speed", *(way for way in MODES if checks.has(now.who, way)))
    fastest = max(numbers.value(here, way) for way in ways)
    least = now.tables.economy["charge_squares"]
    return f"speed {fastest}, and it takes {least} squares" if fastest < least else ""


def _why_nobody_held(now: Now) -> str:
    return "" if held_by(now.state, now.who.id) else "holds nobody"


def _why_not_dragged(now: Now) -> str:
    held = held_by(now.state, now.who.id)
    fixed = [_fixed(now.tables, now.state, one) for one in held]
    return f"{held[0].name} is {fixed[0]}" if held and all(fixed) else _why_nobody_held(now)


def _why_no_rally(now: Now) -> str:
    if now.who.kind != "pc":
        return "only player characters rally"
    return "" if now.who.track("recoveries") > 0 else "no recoveries left"


_OF_ITS_OWN: dict[str, Callable[[Now], str]] = {
    "charge": _why_too_slow,
    "drop-prone": lambda now: "prone already" if "prone" in now.in_force else "",
    "escape": lambda now: "" if now.who.named("grappled") else "not grappled",
    "move-grappled": _why_not_dragged,
    "rally": _why_no_rally,
    "release": _why_nobody_held,
    "stand-up": lambda now: "" if "prone" in now.in_force else "not prone",
}
"""What stands against one technique alone."""


def refuse_hindered(ctx: Context, who: Combatant, technique: str) -> None:
    """Raises Refused with what stands against an action, whatever it costs."""
    why = hindrance(Now(ctx.tables, ctx.state, ctx.state[who.id]), technique)
    if why:
        raise Refused(f"{who.name} can't {technique}: {why}")


# -- whom somebody holds, and what nothing moves ---------------------------------------------------


def refuse_fixed(ctx: Context, target: Combatant) -> None:
    """Raises Refused for somebody whom nothing moves to another square."""
    if why := _fixed(ctx.tables, ctx.state, target):
        raise Refused(f"{target.name} is {why}, and can't be moved to another square")


def _fixed(tables: Tables, state: Encounter, who: Combatant) -> str:
    """What keeps somebody in the square, whoever would move them (seed 003: Restrained)."""
    return next(iter(numbers.forbidding(tables, in_force(tables, state, who), "be-moved")), "")


def held_by(state: Encounter, who: str) -> tuple[Combatant, ...]:
    """Those whom somebody has grappled."""
    grappled = (c for c in state.combatants if c.named("grappled"))
    return tuple(c for c in grappled if who in [e.source for e in c.all_named("grappled")])

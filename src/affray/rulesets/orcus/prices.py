"""What a technique costs now, and what stands against it: movement, prone, grapples, its price.

Seed 003: Actions in Combat, Your Turn, Being Prone, Flying Movement, Conditions.
"""

from __future__ import annotations

from functools import lru_cache

from affray.core.heart.decide import Context
from affray.core.heart.effects import in_force
from affray.core.heart.state import MOST_KEPT, Combatant, Encounter
from affray.core.language.refusal import Refused
from affray.core.rules.tables import Tables
from affray.rulekit import acts, numbers
from affray.rulekit.acts import Cost, Economy, Now
from affray.rulesets.orcus import actions, totals
from affray.rulesets.orcus.actions import why_no_action
from affray.rulesets.orcus.creatures import MODES
from affray.rulesets.orcus.totals import FLYING


def _price(now: Now, name: str) -> Cost:
    """What a technique costs now: its action, or the greater one that has to stand in for it."""
    return {paid_now(now, track): by for track, by in now.tables.techniques[name].cost.items()}


def paid_now(now: Now, track: str) -> str:
    """The track that stands in for another now, as a standard action does for a move."""
    if track not in actions.PAID_WITH or now.state.phase != "combat":
        return track
    return now.asked(actions.pays_with, track) or track


def _why_not(now: Now, name: str, cost: Cost) -> str:
    """Why a technique of the tables can't be used now, in a few words; empty when it can."""
    if why := _why_not_at_all(now, name) or acts.why_not_again(now, name):
        return why
    for action, amount in cost.items():
        if amount > 0 and (why := now.asked(why_no_action, action)):
            return why
    return ""


def _why_not_at_all(now: Now, name: str) -> str:
    """What stands against it whatever it costs; one that costs nothing is a free action."""
    row = now.tables.techniques[name]
    if row.reaction and not row.cost:
        return acts.why_barred(now, row)
    barred = "" if row.cost else now.asked(why_no_action, "free")
    return barred or hindrance(now, name)


def _spend(ctx: Context, who: str, name: str, cost: Cost) -> None:
    """Take the actions of a price; what costs nothing and is no reaction is a free action."""
    row = ctx.tables.techniques[name]
    for action, amount in cost.items():
        if amount > 0:
            actions.take(ctx, who, action, name)
    if not row.cost and not row.reaction:
        actions.take(ctx, who, "free", name)


ECONOMY = Economy(_why_not, _price, spend=_spend)


# -- what stands against it, whatever it costs -----------------------------------------------------

ON_FOOT = ("walk", "dash", "squeeze", "five-foot-step", "charge")
"""What the prone can't do: they crawl."""
MOVES = (*ON_FOOT, "crawl", "move-grappled")
"""What leaves one's square."""
BY_POSTURE = (*ON_FOOT, "stand-up", "drop-prone")
"""What being prone, or not, stands against."""
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
    if technique in BY_POSTURE and (why := _why_not_by_posture(technique, "prone" in now.in_force)):
        return why
    if technique == "charge":
        return _why_too_slow(now)
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


def _why_too_slow(now: Now) -> str:
    """A charge takes at least 2 squares, in whatever way one moves (seed 003: Charge)."""
    here = totals.situation(now.tables, now.state, now.who)
    ways = ("speed", *(way for way in MODES if totals.has(now.who, way)))
    fastest = max(numbers.value(here, way) for way in ways)
    least = now.tables.economy["charge_squares"]
    return f"speed {fastest}, and it takes {least} squares" if fastest < least else ""


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


def held_by(state: Encounter, who: str) -> tuple[Combatant, ...]:
    """Those whom somebody has grappled."""
    return tuple([c for c in state.combatants if c.effects and who in _held_by_whom(c)])


@lru_cache(maxsize=MOST_KEPT)
def _held_by_whom(held: Combatant) -> frozenset[str]:
    return frozenset(e.source for e in held.effects if e.name == "grappled")

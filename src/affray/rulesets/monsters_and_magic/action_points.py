"""Action points, costs and what can be done now.

Seed 004: Action Points, Reactions, Basic Techniques.
"""

from __future__ import annotations

from msgspec.structs import replace

from affray.core.heart.decide import Context
from affray.core.heart.effects import in_force
from affray.core.heart.events import Changed
from affray.core.heart.state import Combatant, Encounter
from affray.core.rules.ruleset import Option
from affray.core.rules.tables import Tables
from affray.rulekit import acts, numbers
from affray.rulekit.acts import Cost, Economy, Now
from affray.rulekit.life import FELL
from affray.rulesets.monsters_and_magic import totals, tracks


def at_turn_start(tables: Tables, state: Encounter, combatant: Combatant) -> int:
    """AP for the turn: 3, one more when quickened, one less when impaired, never below 0."""
    bonus = numbers.value(totals.situation(tables, state, combatant), "ap")
    return max(0, int(tables.economy["ap"]) + bonus)


def start_turn(ctx: Context, who: str) -> None:
    """Turn start: AP and the reaction come back; statuses act before conditions."""
    combatant = ctx.state[who]
    if "ap" not in combatant.tracks:
        return
    ap = at_turn_start(ctx.tables, ctx.state, combatant)
    usual = int(ctx.tables.economy["ap"])
    acts.refill(ctx, who, "ap", ap, max(ap, usual), "turn start", routine=ap == usual)
    totals.use_up(ctx, who, "ap")
    acts.refill(ctx, who, "reaction", int(ctx.tables.economy["reaction"]), why="turn start")
    rows = numbers.at_turn_start(ctx.tables, in_force(ctx.tables, ctx.state, ctx.state[who]))
    for effect, track, amount in sorted(rows, key=lambda row: row[0].kind != "status"):
        _act_at_start(ctx, who, track, amount, effect.name)


def restore_reactions(ctx: Context) -> None:
    """The fight is over: in the next one all have their reaction, before their first turn too."""
    usual = int(ctx.tables.economy["reaction"])
    for combatant in ctx.state.combatants:
        missing = usual - combatant.track("reaction") if "reaction" in combatant.tracks else 0
        if missing > 0:
            why = "the fight is over"
            ctx.emit(Changed(combatant.id, "reaction", missing, why=why, routine=True))


def _act_at_start(ctx: Context, who: str, track: str, amount: int, why: str) -> None:
    if ctx.state[who].life == "dead":
        return
    if amount > 0:
        tracks.mark_track(ctx, who, track, amount, why)
    else:
        tracks.clear_track(ctx, who, track, -amount, why, by_somebody=False)


def acted(combatant: Combatant) -> bool:
    """Whether it has done anything in its turn."""
    return any(key.startswith("turn/") and key != f"turn/{FELL}" for key in combatant.uses)


def options(tables: Tables, state: Encounter, combatant: Combatant) -> list[Option]:
    """Every technique for a combatant: its cost now, the next one's, and why it can't be used."""
    if "ap" not in combatant.tracks:
        return []
    now = Now(tables, state, combatant)
    return [
        acts.option(ECONOMY, now, name, *(_with_fatigue(now) if name == "disengage" else ()))
        for name in tables.techniques
        if name != "power"  # each of somebody's own is offered by itself (`powers`)
    ]


def _with_fatigue(now: Now) -> tuple[Cost, Cost]:
    """What Disengage costs, and the fatigue that stands for the AP that are not there."""
    needed = acts.price(now, "disengage")["ap"]
    lacking = max(0, needed - now.who.track("ap"))
    return {"ap": needed - lacking}, {"fatigue": lacking} if lacking else {}


def why_not(now: Now, name: str, cost: Cost) -> str:
    """Why a technique can't be used now, in a few words; empty when it can."""
    row = now.tables.techniques[name]
    if "reaction" in cost and not row.reaction:  # as a power may be
        row = replace(row, reaction=True)
    if barred := acts.why_barred(now, row, act="spend AP"):
        return barred
    if now.state.phase != "combat":
        return "only in a fight" if name == "regroup" or row.reaction else ""
    held = now.forbids("move") if name in ("move", "mount") else ""
    return (
        acts.why_not_up(now, row)
        or acts.why_not_again(now, name)
        or (held and f"{held}: can't move")
        or _why_not_controlled(now, name)
        or acts.why_unpaid(now, cost)
    )


def _why_not_controlled(now: Now, name: str) -> str:
    """That a mount which goes by its rider's will does no more than that (Mounted Combat)."""
    if "controlled" not in now.in_force or name in now.tables.economy["controlled"]:
        return ""
    return "controlled: it can only move, dodge and disengage"


ECONOMY = Economy(why_not)

"""Action points, costs and what can be done now; powers of somebody's own, as monsters have.

    add monster "Weir Ogre" hp 46 powers Undertow ap 2 uses 1 text "All in touch are pulled under."

What a power does beside its price is said by other commands; its text stands in the log and on the
card.

Seed 004: Action Points, Reactions, Basic Techniques, Threads of Fate (a monster's thread powered
ability).
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart.decide import Context
from affray.core.heart.effects import in_force, rule_of
from affray.core.heart.events import Changed, Spent
from affray.core.heart.state import Combatant, Encounter
from affray.core.language import arguments
from affray.core.language.declared import Reading
from affray.core.rules.ruleset import Option
from affray.core.rules.tables import Tables
from affray.rulekit import acts, numbers, powers
from affray.rulekit.acts import Cost, Economy, Now, Pay
from affray.rulekit.life import FELL
from affray.rulesets.monsters_and_magic import totals, tracks
from affray.rulesets.monsters_and_magic.sheet import POWER, Power, powers_of


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
    force = in_force(ctx.tables, ctx.state, ctx.state[who])
    for name in sorted(force, key=lambda name: force[name].kind != "status"):
        for track, amount in rule_of(ctx.tables, name).at_start.items():
            _act_at_start(ctx, who, track, amount, force[name].name)


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
    """Every technique for a combatant who has AP, and each power of their own: its cost now, the
    next one's, and why it can't be used."""
    now, has_ap = Now(tables, state, combatant), "ap" in combatant.tracks
    rows = [
        _disengage(now) if name == "disengage" else acts.option(ECONOMY, now, name)
        for name in (tables.techniques if has_ap else ())
        if name != POWER
    ]
    return rows + [_power_option(now, power) for power in powers_of(combatant)]


def _disengage(now: Now) -> Option:
    """Disengage, with the fatigue that stands for the AP that are not there."""
    needed = acts.price(now, "disengage")["ap"]
    lacking = max(0, needed - now.who.track("ap"))
    cost, marks = {"ap": needed - lacking}, {"fatigue": lacking} if lacking else {}
    after = acts.price_after(now, "disengage", cost)
    reason = why_not(now, "disengage", cost)
    return Option("disengage", cost | marks, after | marks if after else {}, reason)


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


# -- powers ----------------------------------------------------------------------------------------


def _why_not_power(state: Encounter, who: Combatant, power: Power) -> str:
    """Why somebody can't use it at all now, whatever it costs of a turn."""
    used_up = powers.why_used_up(who, power.name, power.uses, power.per)
    return used_up or ("the GM has no thread" if power.thread and state.gm("threads") < 1 else "")


def _power_option(now: Now, power: Power) -> Option:
    reason = _why_not_power(now.state, now.who, power) or ECONOMY.why_not(now, POWER, power.cost)
    brief = " ".join([*([f"×{power.uses}"] if power.uses else []), *(["thread"] * power.thread)])
    name, text = power.name, power.text
    return Option(f"{POWER} {name}", power.cost, reason=reason, name=name, text=text, brief=brief)


def _known(reading: Reading) -> dict[str, Power]:
    return {power.name: power for power in powers_of(reading.ctx.actor())}


class Using(Struct, frozen=True):
    """`power NAME`."""

    power: Annotated[Power, arguments.called("a power of theirs", _known, asks="text:power")]


def use_power(ctx: Context, said: Using, who: Combatant, pay: Pay) -> None:
    """Use a power: its price is paid, its use counted, and its text told."""
    power = said.power
    powers.refuse(who, power.name, _why_not_power(ctx.state, who, power))
    pay(power.cost)
    if power.thread:
        ctx.emit(Spent("", "threads", 1, power.name))
    powers.use(ctx, who, power.name, power.text, power.per if power.uses else "")

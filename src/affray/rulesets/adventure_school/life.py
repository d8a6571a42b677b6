"""At 0 HP and back: bloodied, defeated, dead, revived; healing.

Seed 001: Bloodied, Defeat, Death, Incapacity; rules file, 12 and 17.3.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from affray.core.heart.decide import Context
from affray.core.heart.effects import end, lower
from affray.core.heart.events import Became, Changed, Forgot, Noted, Used
from affray.core.heart.state import OUT_OF_THE_FIGHT, Combatant, Duration
from affray.core.language import arguments
from affray.core.language.clauses import they
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import Verb, declare
from affray.rulekit import harm, life, numbers
from affray.rulekit.placing import begin
from affray.rulesets.adventure_school import conditions, totals

BLOODIED, INCAPACITATED, PRONE, DEFEATED = "bloodied", "incapacitated", "prone", "defeated"
WITHOUT = ("beheaded", "heart")
"""What keeps the usual revival from the dead (Death)."""
BODY = "body"
"""The span in which that is counted of somebody: as long as they are dead."""


# -- as HP have it ---------------------------------------------------------------------------------


def settled(ctx: Context, who: str) -> None:
    """What always follows from somebody's HP: their maximum, defeat, bloodied."""
    hp = ctx.state[who].tracks.get("hp")
    if hp is None:
        return
    _lower_maximum(ctx, who)
    target = ctx.state[who]
    if target.life == "up" and target.track("hp") <= 0:
        fall(ctx, who)
    _settle_bloodied(ctx, who)


def _lower_maximum(ctx: Context, who: str) -> None:
    """HP are at most what is left of the maximum, and don't come back with it (17.3)."""
    hp, here = ctx.state[who].tracks["hp"], totals.here(ctx, ctx.state[who])
    if hp.full is not None:
        lowered = min(-numbers.value(here, "max_hp"), hp.full)
        lower(ctx, who, "hp", lowered - hp.lowered)


def _settle_bloodied(ctx: Context, who: str) -> None:
    """At half the maximum or less, of the maximum as nothing lowers it (12.1)."""
    hp, bloodied = ctx.state[who].tracks["hp"], ctx.state[who].named(BLOODIED)
    is_so = bool(hp.full) and 2 * hp.value <= (hp.full or 0)
    if is_so and bloodied is None:
        begin(ctx, who, BLOODIED, Duration(says="above half of its HP"))
    elif bloodied is not None and not is_so:
        end(ctx, who, bloodied.id, "above half")


def fall(ctx: Context, who: str) -> None:
    """At 0 HP: defeated, prone, and incapacitated until there are HP again (12.2, R19)."""
    ctx.emit(Became(who, "defeated", "0 HP"))
    begin(ctx, who, INCAPACITATED, Duration(says="it has HP again"), because=DEFEATED)
    if ctx.state[who].named(PRONE) is None:
        conditions.lay(ctx, who, PRONE)


def rise(ctx: Context, who: str, why: str) -> None:
    """Be up again with the HP that there are; still prone."""
    for effect in ctx.state[who].effects:
        if effect.because == DEFEATED:
            end(ctx, who, effect.id, why)
    if any(ctx.state[who].used(how, BODY) for how in WITHOUT):
        ctx.emit(Forgot(who, BODY))
    ctx.emit(Became(who, "up", why))


def set_by_hand(ctx: Context, who: str) -> None:
    """After HP were written by hand: at 0 somebody is defeated, above it up, from the dead too."""
    life.set_by_hand(ctx, who, fall, rise, lambda combatant: True)


# -- healing and revival ---------------------------------------------------------------------------


def heal(ctx: Context, who: str, amount: int, why: str = "") -> int:
    """Heal somebody who is up, up to the maximum; gives how much. Raises Refused for no HP."""
    harm.require_hp(ctx.state[who], "healed")
    return harm.regain(ctx, who, amount, why) if ctx.state[who].life == "up" else 0


def _heal(ctx: Context, said: harm.Healing) -> None:
    """Normal healing does nothing for the defeated and the dead (12.2)."""
    down = [target for target in said.targets if target.life in OUT_OF_THE_FIGHT]
    told = [f"{target.name} is {target.life}: `revive` brings back" for target in down]
    if len(down) == len(said.targets):
        raise Refused("; ".join(told))
    for line in told:
        ctx.emit(Noted(line))
    up = [target for target in said.targets if target not in down]
    healed = [heal(ctx, target.id, said.amount) for target in up]
    in_vain = "" if any(healed) else ", with nothing to heal"
    ctx.text = f"{they(up, 'is', 'are')} healed{in_vain}"


class Revival(harm.Healing, frozen=True):
    """What `revive` says: `dead` for a revival that works on the dead."""

    dead: Annotated[bool, arguments.flag(heard="dead")] = False


def _revive(ctx: Context, said: Revival) -> None:
    if not said.amount:
        raise Refused("to be revived takes 1 HP at least")
    why_not = {who.id: _why_not_revived(ctx, who, said.dead) for who in said.targets}
    revived = [who for who in said.targets if not why_not[who.id]]
    if not revived:
        raise Refused("; ".join(why_not.values()))
    for line in filter(None, why_not.values()):
        ctx.emit(Noted(line))
    for who in revived:
        revive(ctx, who.id, said.amount, "revived")
    ctx.text = f"{they(revived, 'is', 'are')} revived"


def _why_not_revived(ctx: Context, who: Combatant, dead: bool) -> str:
    """Why a revival does nothing for somebody; empty where it does (12.3)."""
    if who.life not in OUT_OF_THE_FIGHT:
        return f"{who.name} is not defeated"
    if not who.room("hp"):
        return f"{who.name} has no HP left to come back to"
    if who.life == "defeated":
        return ""
    lacks = next((how for how in WITHOUT if who.used(how, BODY)), "")
    if lacks:
        how = "is beheaded" if lacks == "beheaded" else "has no heart"
        return f"{who.name} {how}: `set {who.id} hp N` is for what brings back even so"
    if not dead:
        return f"{who.name} is dead: say `dead` for a revival that works on the dead"
    most = int(ctx.tables.economy["returns"])
    returned = who.track("returns") >= most
    return f"{who.name} has come back from the dead {most} times" if returned else ""


def revive(ctx: Context, who: str, amount: int, why: str) -> None:
    """Give the defeated or the dead HP, up to the maximum; a way back from the dead is counted."""
    if ctx.state[who].life == "dead":
        ctx.emit(Changed(who, "returns", 1, why="back from the dead"))
    if harm.regain(ctx, who, amount, why):
        rise(ctx, who, why)


# -- death -----------------------------------------------------------------------------------------


class Killing(Struct, frozen=True):
    """What `kill` says: how, where the usual revival can't bring back from that."""

    targets: Annotated[list[Combatant], arguments.people("who is killed")]
    how: Annotated[str, arguments.one_of(*WITHOUT)] = ""


def _kill(ctx: Context, said: Killing) -> None:
    dead = [who for who in said.targets if who.life == "dead"]
    if dead and not said.how:
        raise Refused(f"{they(dead, 'is', 'are')} dead")
    for who in said.targets:
        kill(ctx, who.id, said.how)
    how = {"beheaded": ", beheaded", "heart": ", without a heart"}.get(said.how, "")
    ctx.text = f"{they(said.targets, 'is', 'are')} dead{how}"


def kill(ctx: Context, who: str, how: str = "") -> None:
    """Die, whatever HP are left, because the GM says so (12.3)."""
    target = ctx.state[who]
    if target.life == "up":
        if target.track("hp") > 0:
            ctx.emit(Changed(who, "hp", -target.track("hp"), why="killed"))
        fall(ctx, who)
    if how:
        ctx.emit(Used(who, how, BODY))
    if target.life != "dead":
        ctx.emit(Became(who, "dead", "killed"))


LIFE_VERBS: tuple[Verb, ...] = (
    declare("heal", "heals HP of those who are up", harm.Healing, _heal),
    declare("revive", "brings back the defeated; with `dead` the dead too", Revival, _revive),
    declare("kill", "is what the GM says: somebody is dead", Killing, _kill),
)

"""What a turn is paid with: prices, why not, paying, and what a turn's start gives back.

Seed 001: Action, Move, Fast Action, Free Action, Reaction, Attack Action; rules file, 3 and 4.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart.decide import Context
from affray.core.heart.effects import in_force
from affray.core.heart.events import Used
from affray.core.heart.state import Combatant
from affray.core.language import arguments
from affray.core.language.refusal import Refused
from affray.rulekit import acts
from affray.rulekit.acts import Cost, Economy, Now, Pay
from affray.rulekit.doing import Declared
from affray.rulesets.adventure_school import totals
from affray.rulesets.adventure_school.conditions import FALLING, FLYING, IMMOBILIZED, PRONE
from affray.rulesets.adventure_school.totals import grabs_on, held_by

DASH, STAND = "dash", "stand"
HALF_DASH = "half-dash"
"""What is counted of somebody who dashes in a turn in which they stood up (rules file, 5.2)."""
MOVED, GAVE_MOVE = "moved", "gave-move"
"""What is counted of somebody who has used some of their movement, or given the whole of it."""
ANY_TIME = ("free", "release", "drop")
"""What is done in other people's turns as well (rules file, 3.4)."""
MOVES = ("move", STAND, "jump", "tumble")
"""What is part of a move, which who is merely disabled may still make (9)."""


# -- prices ----------------------------------------------------------------------------------------


def continues(now: Now, name: str) -> bool:
    """Whether it is one of the attacks that are left of an attack action (rules file, 4.1)."""
    return name in now.tables.economy["attack_action"] and bool(now.who.track("attacks"))


def _price(now: Now, name: str) -> Cost:
    if name == STAND:
        return _price_of_standing(now)
    return {} if continues(now, name) else acts.price(now, name)


def _price_of_standing(now: Now) -> Cost:
    """Half the speed; of a flyer who falls because it is prone the action (5.2, 19.2)."""
    if IMMOBILIZED in now.in_force and now.who.named(FLYING) is not None:
        return {"action": 1}
    return {"movement": totals.half(now.tables, totals.speed(now.tables, now.state, now.who))}


def attacks_at_once(who: Combatant) -> int:
    """How many attacks its attack action holds: one with each of two weapons in hand (4.1, 4.2)."""
    both_hands = who.named("dual-wielding") is not None
    return max(2 if both_hands else 1, who.number("attacks", 1))


def _spend(ctx: Context, who: str, name: str, cost: Cost) -> None:
    """Take a price; an attack action holds its other attacks from then on."""
    acts.spend(ctx, who, name, cost)
    if cost.get("movement"):
        ctx.emit(Used(who, MOVED))
    if "action" in cost:
        _begin_attacks(ctx, who, name)
    elif name in ctx.tables.economy["attack_action"]:
        acts.spend(ctx, who, name, {"attacks": 1})


def _begin_attacks(ctx: Context, who: str, name: str) -> None:
    """Hold the other attacks of an attack action that begins."""
    if name in ctx.tables.economy["attack_action"]:
        acts.refill(ctx, who, "attacks", attacks_at_once(ctx.state[who]) - 1)


def whole_move(now: Now) -> Cost:
    """The price of the whole movement, for what can be had for it (rules file, 3.2)."""
    return {"movement": totals.speed(now.tables, now.state, now.who)}


def why_no_whole_move(now: Now) -> str:
    """Why it can't give its whole movement: some of it is used (rules file, 3.2)."""
    if now.state.phase != "combat":
        return ""
    used = now.who.used(MOVED) or now.who.used(GAVE_MOVE)
    return "some of the movement is used" if used else ""


def pay_by_move(ctx: Context, who: Combatant, pay: Pay, still: bool = False) -> None:
    """Pay with the whole movement, none of which was used, and none of which comes back this turn.
    Raises Refused for who can't move, unless it is for what they may do `still`: to escape."""
    now = Now(ctx.tables, ctx.state, who)
    cost = whole_move(now)
    if ctx.state.phase == "combat":
        reason = why_no_whole_move(now) or ("" if cost["movement"] or still else "speed 0")
        if reason:
            raise Refused(f"{who.name} can't give the whole movement: {reason}")
        ctx.emit(Used(who.id, GAVE_MOVE))
    pay(cost)


def pay_held(
    ctx: Context, who: str, name: str, cost: Cost | None = None, subject: str = ""
) -> None:
    """Pay for what a held action turns out to be: all of its cost was paid when it was held, by the
    action (3.6). Raises Refused for who can't do it now."""
    now = Now(ctx.tables, ctx.state, ctx.state[who])
    reason = now.forbids("act") or now.forbids(name)
    if reason:
        raise Refused(f"{now.who.name} can't use {ctx.tables.techniques[name].name}: {reason}")
    _begin_attacks(ctx, who, name)


# -- why not ---------------------------------------------------------------------------------------


def _why_not(now: Now, name: str, cost: Cost) -> str:
    row = now.tables.techniques[name]
    own = _OF_ITS_OWN[name](now) if name in _OF_ITS_OWN else ""
    if name in ANY_TIME:
        return now.who.life if now.who.life == "dead" else own
    moves = name in MOVES and "action" not in cost
    barred = ("" if moves else acts.why_barred(now, row)) or now.forbids(name)
    not_up = "" if continues(now, name) else acts.why_not_up(now, row)
    spent = {track: amount for track, amount in row.marks.items() if track != "diminish"}
    why = barred or not_up or own or acts.why_unpaid(now, spent)
    if why or now.state.phase != "combat":
        return why
    return acts.why_not_again(now, name) or acts.why_unpaid(now, cost)


def _why_not_standing(now: Now) -> str:
    """Not prone; or held down by more than being prone in the air (rules file, 5.2, 19.2)."""
    if PRONE not in now.in_force:
        return "not prone"
    others = (effect for effect in now.who.effects if effect.because != PRONE)
    besides = in_force(now.tables, now.state, replace(now.who, effects=tuple(others)))
    return IMMOBILIZED if IMMOBILIZED in besides else ""


def _why_falling(now: Now) -> str:
    """Who falls can't move, unless it flies (Falling)."""
    return FALLING if FALLING in now.in_force and FLYING not in now.in_force else ""


_OF_ITS_OWN: dict[str, Callable[[Now], str]] = {
    STAND: _why_not_standing,
    **dict.fromkeys(("move", "jump", "tumble"), _why_falling),
    "release": lambda now: "" if held_by(now.state, now.who.id) else "holds nobody",
    "escape": lambda now: "" if grabs_on(now.who) else "nobody holds it",
    "maintain": lambda now: "" if now.who.named("song") else "performs no song",
    "reload": lambda now: "" if now.who.named("unloaded") else "nothing to reload",
    "douse": lambda now: "" if now.who.named("burning") else "not burning",
}
"""What stands against one technique alone."""

ECONOMY = Economy(_why_not, _price, spend=_spend, needs="action")


# -- fast actions and reactions --------------------------------------------------------------------


class Fast(Struct, frozen=True):
    """`fast "WHAT" [spammable]`."""

    what: Annotated[str, arguments.text("what it is")]
    spammable: Annotated[bool, arguments.flag(heard="spammable")] = False


def fast(ctx: Context, said: Fast, who: Combatant, pay: Pay) -> None:
    """What costs nothing, once a turn by its name unless it is spammable."""
    pay(subject="" if said.spammable else said.what.casefold())
    ctx.text = f"{who.name} acts fast: {said.what}"


class Reaction(Struct, frozen=True):
    """`react ["WHAT"] [effortless]`."""

    what: Annotated[str, arguments.quoted("what it is", '"WHAT"')] = ""
    effortless: Annotated[bool, arguments.flag(heard="effortless")] = False


def react(ctx: Context, said: Reaction) -> None:
    """A reaction, and what it does by other commands; there is no limit to their number."""
    who = ctx.actor()
    refuse_no_reaction(ctx, who, said.effortless)
    ctx.text = f"{who.name} reacts{f': {said.what}' if said.what else ''}"


def refuse_no_reaction(ctx: Context, who: Combatant, effortless: bool) -> None:
    """Raises Refused for who can't react; effortless ones most can (rules file, 3.5)."""
    barred = Now(ctx.tables, ctx.state, who).forbids("effortless" if effortless else "react")
    if barred:
        raise Refused(f"{who.name} can't react: {barred}")


# -- turns -----------------------------------------------------------------------------------------


def turn_started(ctx: Context, who: str) -> None:
    """Action and movement are back, and no attack action is begun (rules file, 2.5)."""
    combatant = ctx.state[who]
    if "action" not in combatant.tracks:
        return
    acts.refill(ctx, who, "action", int(ctx.tables.economy["action"]))
    acts.refill(ctx, who, "attacks", 0)
    speed = totals.speed(ctx.tables, ctx.state, combatant)
    acts.refill(ctx, who, "movement", speed, speed)


def turn_ending(ctx: Context) -> None:
    """What is left of attack actions is lost, of one that was held as well (rules file, 4.1)."""
    for combatant in ctx.state.combatants:
        if combatant.track("attacks"):
            acts.refill(ctx, combatant.id, "attacks", 0)


def settled(ctx: Context, who: str) -> None:
    """What is left of the movement grows and shrinks with the speed, and with each dash, which adds
    the speed or half of it; what was moved stays moved (rules file, 5.2)."""
    now = ctx.state[who]
    track = now.tracks.get("movement")
    if track is None:
        return
    speed = totals.speed(ctx.tables, ctx.state, now)
    halves = now.used(HALF_DASH)
    dashed = speed * (now.used(DASH) - halves) + totals.half(ctx.tables, speed) * halves
    if track.max != speed + dashed:
        moved = (track.max or 0) - track.value
        left = max(0, speed + dashed - moved)
        left = min(left, dashed) if now.used(GAVE_MOVE) else left
        acts.refill(ctx, who, "movement", left, max(speed + dashed, moved))


ACTS = {"fast": Declared(Fast, fast)}

"""Adventure School: how a turn is paid for: prices, refusals, what starts a turn.

Adventure School, Action, Move, Fast Action, Free Action, Reaction, Attack Action.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.engine.effects import active_effects
from affray.core.engine.events import UseCounted
from affray.core.engine.state import Combatant
from affray.core.parser import arguments
from affray.core.parser.errors import Refused
from affray.core.rules.ruleset import Context
from affray.mechanics import actions
from affray.mechanics.actions import (
    ActionEconomy,
    ActorSituation,
    Cost,
    DeclaredTechnique,
    PayFunction,
)
from affray.rulesets.adventure_school import sheet, stats
from affray.rulesets.adventure_school.conditions import FALLING, FLYING, IMMOBILIZED, PRONE
from affray.rulesets.adventure_school.stats import GRAB

DASH, STAND = "dash", "stand"
HALF_DASH = "half-dash"
"""Counted when somebody dashes in a turn in which they stood up."""
MOVED, GAVE_MOVE = "moved", "gave-move"
"""The uses counted when some of the movement is used, and when all of it is given up."""
ANY_TIME = ("free", "release", "drop")
"""The techniques that can be done in others' turns as well."""
MOVES = ("move", STAND, "jump", "tumble")
"""The techniques that are part of a move, which the disabled may still make."""


# -- prices ----------------------------------------------------------------------------------------


def continues(now: ActorSituation, name: str) -> bool:
    """True if it is one of the attacks left of an attack action."""
    return name in now.tables.economy["attack_action"] and bool(now.who.track("attacks"))


def _price(now: ActorSituation, name: str) -> Cost:
    if name == STAND:
        return _price_of_standing(now)
    return {} if continues(now, name) else actions.cost_now(now, name)


def _price_of_standing(now: ActorSituation) -> Cost:
    """Half the speed; of a flyer who falls because it is prone the action."""
    if IMMOBILIZED in now.in_force and now.who.named(FLYING) is not None:
        return {"action": 1}
    return {"movement": stats.half(now.tables, stats.speed(now.tables, now.state, now.who))}


def attacks_at_once(combatant: Combatant) -> int:
    """The number of attacks in its attack action: one with each of two weapons in hand."""
    both_hands = combatant.named("dual-wielding") is not None
    return max(2 if both_hands else 1, combatant.number("attacks", 1))


def _spend(ctx: Context, combatant_id: str, name: str, cost: Cost) -> None:
    """Take a price; an attack action holds its other attacks from then on."""
    actions.pay_tracks(ctx, combatant_id, name, cost)
    if cost.get("movement"):
        ctx.emit(UseCounted(combatant_id, MOVED))
    if "action" in cost:
        _begin_attacks(ctx, combatant_id, name)
    elif name in ctx.tables.economy["attack_action"]:
        actions.pay_tracks(ctx, combatant_id, name, {"attacks": 1})


def _begin_attacks(ctx: Context, combatant_id: str, name: str) -> None:
    """Hold the other attacks of an attack action that begins."""
    if name in ctx.tables.economy["attack_action"]:
        actions.reset_turn_track(
            ctx, combatant_id, "attacks", attacks_at_once(ctx.state[combatant_id]) - 1
        )


def whole_move(now: ActorSituation) -> Cost:
    """The price of the whole movement, for acts that cost it."""
    return {"movement": stats.speed(now.tables, now.state, now.who)}


def why_no_whole_move(now: ActorSituation) -> str:
    """The reason why somebody can't spend the whole movement: some of it is used."""
    if not now.state.in_combat:
        return ""
    used = now.who.used(MOVED) or now.who.used(GAVE_MOVE)
    return "some of the movement is used" if used else ""


def pay_by_move(ctx: Context, combatant: Combatant, pay: PayFunction, still: bool = False) -> None:
    """Pay with the whole movement, which must be unused and doesn't come back this turn. Raises
    Refused for whoever can't move, unless `still` allows it without moving: to escape."""
    now = ActorSituation(ctx.tables, ctx.state, combatant)
    cost = whole_move(now)
    if ctx.state.in_combat:
        reason = why_no_whole_move(now) or ("" if cost["movement"] or still else "speed 0")
        if reason:
            raise Refused(f"{combatant.name} can't give up all its movement: {reason}")
        ctx.emit(UseCounted(combatant.id, GAVE_MOVE))
    pay(cost)


def pay_held(
    ctx: Context, combatant_id: str, name: str, cost: Cost | None = None, subject: str = ""
) -> None:
    """Pay for what a held action turns out to be: all of its cost was paid when it was held, by the
    action. Raises Refused for somebody who can't do it now."""
    now = ActorSituation(ctx.tables, ctx.state, ctx.state[combatant_id])
    reason = now.forbids("act") or now.forbids(name)
    if reason:
        raise Refused(f"{now.who.name} can't use {ctx.tables.techniques[name].name}: {reason}")
    _begin_attacks(ctx, combatant_id, name)


# -- why not ---------------------------------------------------------------------------------------


def _why_not(now: ActorSituation, name: str, cost: Cost) -> str:
    row = now.tables.techniques[name]
    own = _OWN_REASONS[name](now) if name in _OWN_REASONS else ""
    if name in ANY_TIME:
        return now.who.life if now.who.life == "dead" else own
    moves = name in MOVES and "action" not in cost
    barred = ("" if moves else actions.why_forbidden(now, row)) or now.forbids(name)
    not_up = "" if continues(now, name) else actions.why_not_their_turn(now, row)
    spent = {track: amount for track, amount in row.marks.items() if track != "diminish"}
    why = barred or not_up or own or actions.why_unaffordable(now, spent)
    if why or not now.state.in_combat:
        return why
    return actions.why_used_up(now, name) or actions.why_unaffordable(now, cost)


def _why_not_standing(now: ActorSituation) -> str:
    """Not prone; or held down by more than being prone in the air."""
    if PRONE not in now.in_force:
        return "not prone"
    others = (effect for effect in now.who.effects if effect.because != PRONE)
    besides = active_effects(now.tables, now.state, replace(now.who, effects=tuple(others)))
    return IMMOBILIZED if IMMOBILIZED in besides else ""


def _why_falling(now: ActorSituation) -> str:
    """The reason why somebody who falls can't move: only flyers can (Falling)."""
    return FALLING if FALLING in now.in_force and FLYING not in now.in_force else ""


_OWN_REASONS: dict[str, Callable[[ActorSituation], str]] = {
    STAND: _why_not_standing,
    **dict.fromkeys(("move", "jump", "tumble"), _why_falling),
    "ability": lambda now: "" if sheet.abilities_of(now.who) else "has none",
    "release": GRAB.why_nobody,
    "escape": lambda now: "" if GRAB.on(now.who) else "nobody holds it",
    "maintain": lambda now: "" if now.who.named("song") else "performs no song",
    "reload": lambda now: "" if now.who.named("unloaded") else "nothing to reload",
    "douse": lambda now: "" if now.who.named("burning") else "not burning",
}
"""Why one technique alone can't be done, by its name."""

ECONOMY = ActionEconomy(_why_not, _price, spend=_spend, needs="action")


# -- fast actions and reactions --------------------------------------------------------------------


class FastActionArgs(Struct, frozen=True):
    """`fast "WHAT" [spammable]`."""

    what: Annotated[str, arguments.text_arg("a description")]
    spammable: arguments.Heard = False


def fast(ctx: Context, args: FastActionArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Do something that costs nothing, once a turn by its name unless it is spammable."""
    pay(subject="" if args.spammable else args.what.casefold())
    ctx.text = f"{combatant.name} acts fast: {args.what}"


class ReactArgs(Struct, frozen=True):
    """`react ["WHAT"] [effortless]`."""

    what: Annotated[str, arguments.quoted_arg("a description", '"WHAT"')] = ""
    effortless: arguments.Heard = False


def react(ctx: Context, args: ReactArgs) -> None:
    """Take a reaction, which other commands apply; their number is unlimited."""
    combatant = ctx.actor()
    refuse_no_reaction(ctx, combatant, args.effortless)
    ctx.text = f"{combatant.name} reacts{f': {args.what}' if args.what else ''}"


def refuse_no_reaction(ctx: Context, combatant: Combatant, effortless: bool) -> None:
    """Raises Refused for somebody who can't react; effortless ones most can."""
    barred = ActorSituation(ctx.tables, ctx.state, combatant).forbids(
        "effortless" if effortless else "react"
    )
    if barred:
        raise Refused(f"{combatant.name} can't react: {barred}")


# -- turns -----------------------------------------------------------------------------------------


def on_turn_start(ctx: Context, combatant_id: str) -> None:
    """Action and movement are back, and no attack action is begun."""
    combatant = ctx.state[combatant_id]
    if "action" not in combatant.tracks:
        return
    actions.reset_turn_track(ctx, combatant_id, "action", int(ctx.tables.economy["action"]))
    actions.reset_turn_track(ctx, combatant_id, "attacks", 0)
    speed = stats.speed(ctx.tables, ctx.state, combatant)
    actions.reset_turn_track(ctx, combatant_id, "movement", speed, speed)


def on_turn_end(ctx: Context) -> None:
    """Remove attacks left of attack actions, also of a held one."""
    for combatant in ctx.state.combatants:
        if combatant.track("attacks"):
            actions.reset_turn_track(ctx, combatant.id, "attacks", 0)


def apply_invariants(ctx: Context, combatant_id: str) -> None:
    """Adjust the remaining movement to the speed, and to each dash, which adds the speed or half of
    it; movement used stays used."""
    now = ctx.state[combatant_id]
    track = now.tracks.get("movement")
    if track is None:
        return
    speed = stats.speed(ctx.tables, ctx.state, now)
    halves = now.used(HALF_DASH)
    dashed = speed * (now.used(DASH) - halves) + stats.half(ctx.tables, speed) * halves
    if track.max != speed + dashed:
        moved = (track.max or 0) - track.value
        left = max(0, speed + dashed - moved)
        left = min(left, dashed) if now.used(GAVE_MOVE) else left
        actions.reset_turn_track(ctx, combatant_id, "movement", left, max(speed + dashed, moved))


ACTS = {"fast": DeclaredTechnique(FastActionArgs, fast)}

"""Possible actions and their costs: a turn's actions, and those from action points. Used actions
are counted under `turn/standard` and so on, those given by an action point or a command under
`turn/given-standard`; the tracks follow from these counts.

Orcus, Your Turn, Action Points, Immediate Actions, Conditions (Dazed, Surprised).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Annotated

from msgspec import Struct

from affray.core.engine.effects import active_effects, why_forbidden
from affray.core.engine.events import CostPaid, TrackChanged, UseCounted
from affray.core.engine.state import Combatant, Encounter
from affray.core.engine.turn_order import why_not_their_turn
from affray.core.parser import arguments
from affray.core.parser.declarations import declare_command
from affray.core.parser.errors import Refused
from affray.core.rules.ruleset import Context
from affray.core.rules.tables import Tables
from affray.mechanics import actions, stats
from affray.mechanics.actions import ActionEconomy, ActorSituation, Cost
from affray.mechanics.conditions import end_with_all
from affray.mechanics.holds import Hold
from affray.mechanics.sheet import owner_of, present_owner
from affray.rulesets.orcus import checks, initiative, settings
from affray.rulesets.orcus.sheet import MODES, TURN_ACTIONS

# -------------------------------------------------------------------------------------------------
# What stands against doing something, whatever it costs: prone, flying, deterred, held or fixed.
#
# What an action costs, and whether there is one left, is in `economy`.
#
# Orcus, Actions in Combat, Charge, Deter, Grapple, Being Prone, Flying Movement, Restrained.

ON_FOOT = ("walk", "dash", "squeeze", "five-foot-step", "charge")
"""The techniques impossible for the prone, who crawl."""
MOVES = (*ON_FOOT, "crawl", "move-grappled")
"""The techniques that leave one's square."""
GRAPPLE = Hold("grappled", end_with_all, one_by_one=True)
NOT_FLYING = {"five-foot-step": "shift", "opportunity-attack": "make opportunity attacks"}
"""The techniques impossible in the air without hovering."""
POWERS = "power"
"""The word for all powers; with a name after it, for one."""


def hindrance(now: ActorSituation, technique: str) -> str:
    """The reason why somebody can't do it now, its cost aside; empty when they can."""
    combatant = now.who
    if why := deterred(now.state, combatant, technique):
        return why
    if technique in MOVES and (barred := now.forbids("move")):
        return barred
    flies = combatant.named(checks.FLYING) is not None and not combatant.stats.get("hover")
    if flies and technique in NOT_FLYING:
        return f"flying, and can't {NOT_FLYING[technique]}"
    if technique in ON_FOOT and "prone" in now.in_force:
        return "prone: crawl, or stand-up first"
    own = _OF_ITS_OWN.get(technique)
    return own(now) if own is not None else ""


def deterred(state: Encounter, combatant: Combatant, *actions: str) -> str:
    """The reason that names who deterred somebody from one of these actions; empty for nobody
    (Orcus, Deter).

    `because` says from which: a technique, `power` for all powers, or one of them.
    """
    by = (e.source for e in combatant.all_named("deterred") if e.because in actions)
    return next((f"deterred by {state.name(source)}" for source in by), "")


def _why_too_slow(now: ActorSituation) -> str:
    """A charge takes at least 2 squares, in whatever way one moves (Orcus, Charge)."""
    situation = checks.situation(now.tables, now.state, now.who)
    options = ("speed", *(way for way in MODES if checks.has(now.who, way)))
    fastest = max(stats.stat_value(situation, way) for way in options)
    least = now.tables.economy["charge_squares"]
    return f"speed {fastest}, but it needs {least} squares" if fastest < least else ""


def _why_not_dragged(now: ActorSituation) -> str:
    held = GRAPPLE.held_by(now.state, now.who.id)
    fixed = [_fixed(now.tables, now.state, one) for one in held]
    return f"{held[0].name} is {fixed[0]}" if held and all(fixed) else GRAPPLE.why_nobody(now)


def _why_no_rally(now: ActorSituation) -> str:
    if now.who.kind != "pc":
        return "only player characters rally"
    return "" if now.who.track("recoveries") > 0 else "no recoveries left"


_OF_ITS_OWN: dict[str, Callable[[ActorSituation], str]] = {
    "charge": _why_too_slow,
    "drop-prone": lambda now: "prone already" if "prone" in now.in_force else "",
    "escape": lambda now: "" if GRAPPLE.on(now.who) else "not grappled",
    "move-grappled": _why_not_dragged,
    "rally": _why_no_rally,
    "release": GRAPPLE.why_nobody,
    "stand-up": lambda now: "" if "prone" in now.in_force else "not prone",
}
"""Technique -> the reasons against that one alone."""


def refuse_hindered(ctx: Context, combatant: Combatant, technique: str) -> None:
    """Raises Refused if an action is barred, whatever its cost."""
    why = hindrance(ActorSituation(ctx.tables, ctx.state, ctx.state[combatant.id]), technique)
    if why:
        raise Refused(f"{combatant.name} can't {technique}: {why}")


# -- whom somebody holds, and what nothing moves ---------------------------------------------------


def refuse_fixed(ctx: Context, target: Combatant) -> None:
    """Raises Refused for a target that can't be moved to another square."""
    if why := _fixed(ctx.tables, ctx.state, target):
        raise Refused(f"{target.name} is {why}, and can't be moved to another square")


def _fixed(tables: Tables, state: Encounter, combatant: Combatant) -> str:
    """Name the reason that a combatant can't be moved (Orcus, Restrained); else empty."""
    return next(
        iter(
            stats.forbidding_effects(tables, active_effects(tables, state, combatant), "be-moved")
        ),
        "",
    )


PAID_WITH = {
    "standard": ("standard",),
    "move": ("move", "standard"),
    "swift": ("swift", "move", "standard"),
}
"""The tracks that can pay for an action: a greater one if the lesser is gone."""


# -- how many there are ----------------------------------------------------------------------------


@lru_cache(maxsize=16)  # each technique that is paid with an action asks for it
def left(tables: Tables, state: Encounter, combatant: Combatant) -> Mapping[str, int]:
    """The number of actions of each kind that somebody has left: in its turn, or as a companion
    that was commanded; fewer if it is dazed, more for action points."""
    is_companion = present_owner(state, combatant) is not None
    has_some = state.in_combat and (is_companion or state.takes_turn(combatant.id))
    most, _ = defense_cap(tables, state, combatant)
    if combatant.life != "up" or most == 0 or not has_some:
        return dict.fromkeys(TURN_ACTIONS, 0)
    given = {kind: combatant.used(f"given-{kind}") for kind in TURN_ACTIONS}
    used = {kind: combatant.used(kind) for kind in TURN_ACTIONS}
    own = _takes_own_turn(state, combatant)
    full = {kind: int(tables.economy[kind]) if own else 0 for kind in TURN_ACTIONS}
    if most is not None:
        return _capped(min(most, sum(full.values())), used, given)
    return {kind: max(0, full[kind] + given[kind] - used[kind]) for kind in TURN_ACTIONS}


def _takes_own_turn(state: Encounter, combatant: Combatant) -> bool:
    """True in a turn of its own; a companion has one by instinct only."""
    if not state.takes_turn(combatant.id):
        return False
    return present_owner(state, combatant) is None or bool(combatant.used("instinct", "own"))


def _capped(most: int, used: dict[str, int], given: dict[str, int]) -> dict[str, int]:
    """The actions left under a limit on standard actions, granted ones aside. All kinds used before
    count."""
    left = max(0, most + sum(given.values()) - sum(used.values()))
    swift = max(0, min(given["swift"] - used["swift"], left))
    move = max(0, min(given["move"] - used["move"], left - swift))
    return {"standard": left - swift - move, "move": move, "swift": swift}


def defense_cap(tables: Tables, state: Encounter, combatant: Combatant) -> tuple[int | None, str]:
    """The number of actions that conditions leave somebody, and the condition; None without a
    limit."""
    one_standard = settings.SURPRISE.value(state) == "one-standard"
    caps = [
        (1 if effect.name == initiative.SURPRISED and one_standard else most, effect.name)
        for most, effect in stats.maximum_of(
            tables, active_effects(tables, state, combatant), "actions"
        )
    ]
    return min(caps, default=(None, ""), key=lambda row: row[0] or 0)


def update_tracks(ctx: Context, *people: str) -> None:
    """Set the action tracks to the actions that are left of this turn.

    Outside of its turn a combatant has none. Its immediate action comes back with its turn; between
    fights everybody has one. A second call changes nothing.
    """
    between_fights = not ctx.state.in_combat
    found = ctx.state.combatants if between_fights else map(ctx.state.find, people)
    for other in filter(None, found):
        if other.id in people and "standard" in other.tracks:
            for kind, value in left(ctx.tables, ctx.state, other).items():
                _set(ctx, other, kind, value)
        has_one = between_fights or ctx.state.takes_turn(other.id)
        if has_one and present_owner(ctx.state, other) is None:
            _set(ctx, other, "immediate", int(ctx.tables.economy["immediate"]))


def _set(ctx: Context, combatant: Combatant, track: str, value: int) -> None:
    if track in combatant.tracks and combatant.track(track) != value:
        actions.reset_turn_track(
            ctx, combatant.id, track, value, max(value, int(ctx.tables.economy[track]))
        )


_REACTED = "reacted before"


def remember_immediate(ctx: Context, combatant_id: str) -> None:
    """Count an immediate action that was used since the last turn, at a turn's start."""
    combatant = ctx.state[combatant_id]
    if "immediate" in combatant.tracks and not combatant.track("immediate"):
        ctx.emit(UseCounted(combatant_id, _REACTED))


def hold_back_immediate(ctx: Context, combatant_id: str) -> None:
    """Take back the immediate action of a delayed turn, if one was used, until that turn.

    There is one between two turns (Orcus, Immediate Actions).
    """
    if ctx.state[combatant_id].used(_REACTED):
        _set(ctx, ctx.state[combatant_id], "immediate", 0)


def on_edited_by_hand(ctx: Context, combatant_id: str) -> None:
    """Count the GM's changes to action tracks as actions given, or used, this turn."""
    if not ctx.state.takes_turn(combatant_id):
        return
    combatant = ctx.state[combatant_id]
    written = {e.track for e in ctx.events if isinstance(e, TrackChanged) and e.who == combatant_id}
    for kind, value in left(ctx.tables, ctx.state, combatant).items():
        more = combatant.track(kind) - value if kind in written else 0
        for _ in range(min(9, abs(more))):
            ctx.emit(UseCounted(combatant_id, f"given-{kind}" if more > 0 else kind))


# -- why no action ---------------------------------------------------------------------------------


def why_no_action(tables: Tables, state: Encounter, combatant: Combatant, action: str) -> str:
    """The reason why a standard, move, swift, free or immediate action can't be taken now; empty if
    it can."""
    if combatant.life != "up":
        return str(combatant.life)
    if action == "immediate":
        return _why_no_immediate(tables, state, combatant)
    if action == "free":
        return _why_no_free(tables, state, combatant)
    if barred := why_forbidden(tables, state, combatant, "act"):
        return f"{barred}: no actions"
    is_free = not state.in_combat or action not in combatant.tracks
    if is_free or pays_with(tables, state, combatant, action):
        return ""
    owner, its_turn = present_owner(state, combatant), state.takes_turn(combatant.id)
    with_owner = owner is not None and (its_turn or state.takes_turn(owner.id))
    if owner is not None and with_owner and not _takes_own_turn(state, combatant):
        return f"{owner.name} must command it"
    if not its_turn:
        return why_not_their_turn(state)
    most, name = defense_cap(tables, state, combatant)
    if most is not None:
        return f"{name}: {'one action a turn' if most else 'no actions'}"
    return f"{action} action used"


def pays_with(tables: Tables, state: Encounter, combatant: Combatant, action: str) -> str:
    """The track that an action would be paid with now; empty for none."""
    if action not in combatant.tracks:
        return ""
    there = left(tables, state, combatant)
    return next((kind for kind in PAID_WITH[action] if there[kind]), "")


def _why_no_free(tables: Tables, state: Encounter, combatant: Combatant) -> str:
    if barred := why_forbidden(tables, state, combatant, "free"):
        return f"{barred}: no free actions"
    one = settings.FREE_ACTIONS.value(state) == "one" and state.in_combat
    return (
        "one free action a turn"
        if one and combatant.used(_free_in_this_turn(state, combatant.id))
        else ""
    )


_FREE = "free in"


def _free_in_this_turn(state: Encounter, combatant_id: str) -> str:
    """The counter of somebody's free action: that of the turn it is taken in, anybody's."""
    whose = combatant_id if state.takes_turn(combatant_id) else state.turn
    slot = state.slot(whose)
    return f"{_FREE} {whose} {slot.turns if slot else 0}"


def _why_no_immediate(tables: Tables, state: Encounter, combatant: Combatant) -> str:
    """Never in one's own turn, and one between two of them; a companion has its owner's.

    Surprise bars it only until the first turn is over.
    """
    if barred := why_forbidden(
        tables, state, combatant, "react", initiative.reacts_despite(state, combatant)
    ):
        return f"{barred}: no immediate actions"
    if not state.in_combat or "immediate" not in combatant.tracks:
        return ""
    if state.takes_turn(combatant.id):
        return "not on its own turn"
    payer = _pays_immediate(state, combatant)
    if payer.id == combatant.id:
        return "" if combatant.track("immediate") else "immediate action used"
    reason = why_no_action(tables, state, payer, "immediate")
    return f"{payer.name}: {reason}" if reason else ""


def _pays_immediate(state: Encounter, combatant: Combatant) -> Combatant:
    """The payer of an immediate action: a companion's owner, unless the companion has one of its
    own."""
    owner = present_owner(state, combatant)
    if owner is None or combatant.track("immediate") or owner_of(owner):
        return combatant
    return owner


# -- paying ----------------------------------------------------------------------------------------


def pay_action(ctx: Context, combatant_id: str, action: str, what: str) -> None:
    """Pay one action, trading down where need be; outside of a fight nothing is paid. A companion's
    immediate action is its owner's.
    Raises Refused with the reason.
    """
    combatant = ctx.state[combatant_id]
    reason = why_no_action(ctx.tables, ctx.state, combatant, action)
    if reason:
        raise Refused(f"{combatant.name} can't use {what}: {reason}")
    if ctx.state.in_combat:
        _take(ctx, combatant_id, action, what)


def _take(ctx: Context, combatant_id: str, action: str, what: str) -> None:
    """Take an action, which must be there to be taken."""
    combatant = ctx.state[combatant_id]
    if action == "free":
        ctx.emit(UseCounted(combatant_id, _free_in_this_turn(ctx.state, combatant_id)))
    elif action == "immediate":
        payer = _pays_immediate(ctx.state, combatant)
        if payer.track("immediate"):
            ctx.emit(CostPaid(payer.id, "immediate", 1, what))
    elif track := pays_with(ctx.tables, ctx.state, combatant, action):
        ctx.emit(CostPaid(combatant_id, track, 1, what), UseCounted(combatant_id, track))


def has_acted(combatant: Combatant) -> bool:
    """True if it has done anything in its turn: taken an action, a free one among them."""
    free = any(key.startswith(f"turn/{_FREE}") for key in combatant.uses)
    return free or any(combatant.used(kind) for kind in TURN_ACTIONS)


# -- a technique's price ---------------------------------------------------------------------------


def _price(now: ActorSituation, name: str) -> Cost:
    """The cost of a technique now: its action, or the greater one that must replace it."""
    return {paid_now(now, track): by for track, by in now.tables.techniques[name].cost.items()}


def paid_now(now: ActorSituation, track: str) -> str:
    """The track that pays in place of another now, such as a standard action for a move."""
    if track not in PAID_WITH or not now.state.in_combat:
        return track
    return now.asked(pays_with, track) or track


def _why_not(now: ActorSituation, name: str, cost: Cost) -> str:
    """The reason why a technique of the tables can't be used now; one without a cost is a free
    action."""
    row = now.tables.techniques[name]
    if row.reaction and not row.cost:
        return actions.why_forbidden(now, row) or actions.why_used_up(now, name)
    why = "" if row.cost else now.asked(why_no_action, "free")
    why = why or hindrance(now, name) or actions.why_used_up(now, name)
    if why:
        return why
    reasons = (now.asked(why_no_action, action) for action, amount in cost.items() if amount > 0)
    return next(filter(None, reasons), "")


def _spend(ctx: Context, combatant_id: str, name: str, cost: Cost) -> None:
    """Take the actions of a price; an act without a price that is no reaction is a free action."""
    row = ctx.tables.techniques[name]
    for action, amount in cost.items():
        if amount > 0:
            _take(ctx, combatant_id, action, name)
    if not row.cost and not row.reaction:
        _take(ctx, combatant_id, "free", name)


ECONOMY = ActionEconomy(_why_not, _price, spend=_spend, needs="standard")


# -- action points ---------------------------------------------------------------------------------

POINT = "action-point"


def _why_no_point(tables: Tables, state: Encounter, combatant: Combatant) -> str:
    """The reason why no action point can be spent now, in a few words; empty when one can."""
    if "action_points" not in combatant.tracks:
        return "only player characters have action points"
    if barred := why_forbidden(tables, state, combatant, "spend"):
        return barred
    if not state.in_combat:
        return "only in a fight"
    if not state.takes_turn(combatant.id):
        return why_not_their_turn(state)
    if initiative.is_surprise_round(state):
        return "not in a surprise round"
    if combatant.kind == "pc" and combatant.used(POINT, "fight"):
        return "once an encounter"  # others spend what their sheet gives them
    most, name = defense_cap(tables, state, combatant)
    if most == 0:
        return f"{name}: no actions"
    return "" if combatant.track("action_points") else "no action points left"


class ActionPointArgs(Struct, frozen=True):
    kind: Annotated[str, arguments.choice_arg("the action to take", TURN_ACTIONS)] = "standard"


def _action_point(ctx: Context, args: ActionPointArgs) -> None:
    """A free action that gives one more action, once in an encounter."""
    actor, kind = ctx.actor(), args.kind
    if reason := _why_no_point(ctx.tables, ctx.state, actor):
        raise Refused(f"{actor.name} can't spend an action point: {reason}")
    pay_action(ctx, actor.id, "free", "an action point")
    ctx.emit(CostPaid(actor.id, "action_points", 1, f"a {kind} action"))
    ctx.emit(UseCounted(actor.id, POINT, "fight"), UseCounted(actor.id, f"given-{kind}"))
    update_tracks(ctx, actor.id)
    ctx.text = f"{actor.name} spends an action point on a {kind} action"


_DOES = "spends an action point for one more action this turn"
COMMANDS = (declare_command(POINT, _DOES, ActionPointArgs, _action_point, True),)

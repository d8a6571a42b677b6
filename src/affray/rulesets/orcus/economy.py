"""What can be done now and what it costs: a turn's actions, and what action points add to them.

What was used of a turn is counted under `turn/standard` and so on, what an action point or a
command has given under `turn/given-standard`; the tracks follow from these counts.

Seed 003: Your Turn, Action Points, Immediate Actions, Conditions (Dazed, Surprised).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated

from msgspec import Struct

from affray.core.heart.decide import Context
from affray.core.heart.effects import forbidden, in_force
from affray.core.heart.events import Changed, Spent, Used
from affray.core.heart.groups import not_their_turn
from affray.core.heart.state import Combatant, Encounter
from affray.core.language import arguments
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import declare
from affray.core.rules.tables import Tables
from affray.rulekit import acts, numbers
from affray.rulekit.acts import Cost, Economy, Now
from affray.rulekit.recorded import owner_here, owner_of
from affray.rulesets.orcus import initiative
from affray.rulesets.orcus.hindrances import hindrance
from affray.rulesets.orcus.sheet import TURN_ACTIONS

PAID_WITH = {
    "standard": ("standard",),
    "move": ("move", "standard"),
    "swift": ("swift", "move", "standard"),
}
"""What an action can be paid with: the lesser by the greater, when the lesser is gone."""


# -- how many there are ----------------------------------------------------------------------------


@lru_cache(maxsize=16)  # each technique that is paid with an action asks for it
def left(tables: Tables, state: Encounter, who: Combatant) -> Mapping[str, int]:
    """How many actions of each kind somebody has left: in its turn, or as a companion that was
    commanded; fewer where it is dazed, more for action points."""
    is_companion = owner_here(state, who) is not None
    has_some = state.phase == "combat" and (is_companion or state.takes_turn(who.id))
    most, _ = cap(tables, state, who)
    if who.life != "up" or most == 0 or not has_some:
        return dict.fromkeys(TURN_ACTIONS, 0)
    given = {kind: who.used(f"given-{kind}") for kind in TURN_ACTIONS}
    used = {kind: who.used(kind) for kind in TURN_ACTIONS}
    own = _own_turn(state, who)
    full = {kind: int(tables.economy[kind]) if own else 0 for kind in TURN_ACTIONS}
    if most is not None:
        return _capped(min(most, sum(full.values())), used, given)
    return {kind: max(0, full[kind] + given[kind] - used[kind]) for kind in TURN_ACTIONS}


def _own_turn(state: Encounter, who: Combatant) -> bool:
    """Whether it is taking a turn of its own; a companion only by instinct."""
    if not state.takes_turn(who.id):
        return False
    return owner_here(state, who) is None or bool(who.used("instinct", "own"))


def _capped(most: int, used: dict[str, int], given: dict[str, int]) -> dict[str, int]:
    """What is left when only so many actions can be taken, standard ones, beside those given. What
    was used before counts, of whatever kind."""
    left = max(0, most + sum(given.values()) - sum(used.values()))
    swift = max(0, min(given["swift"] - used["swift"], left))
    move = max(0, min(given["move"] - used["move"], left - swift))
    return {"standard": left - swift - move, "move": move, "swift": swift}


def cap(tables: Tables, state: Encounter, who: Combatant) -> tuple[int | None, str]:
    """How many actions its conditions leave to somebody, and by which of them; None where they take
    none."""
    one_standard = state.settings.get("surprise") == "one-standard"
    caps = [
        (1 if effect.name == initiative.SURPRISED and one_standard else most, effect.name)
        for most, effect in numbers.caps(tables, in_force(tables, state, who), "actions")
    ]
    return min(caps, default=(None, ""), key=lambda row: row[0] or 0)


def update_tracks(ctx: Context, *people: str) -> None:
    """Bring the action tracks into line with what is left of this turn's actions.

    Outside of one's turn there are none. The immediate action comes back with one's turn; between
    fights everybody has one, whomever it is called for. Doing it again changes nothing.
    """
    between_fights = ctx.state.phase != "combat"
    found = ctx.state.combatants if between_fights else map(ctx.state.find, people)
    for other in filter(None, found):
        if other.id in people and "standard" in other.tracks:
            for kind, value in left(ctx.tables, ctx.state, other).items():
                _set(ctx, other, kind, value)
        has_one = between_fights or ctx.state.takes_turn(other.id)
        if has_one and owner_here(ctx.state, other) is None:
            _set(ctx, other, "immediate", int(ctx.tables.economy["immediate"]))


def _set(ctx: Context, who: Combatant, track: str, value: int) -> None:
    if track in who.tracks and who.track(track) != value:
        acts.refill(ctx, who.id, track, value, max(value, int(ctx.tables.economy[track])))


_REACTED = "reacted before"


def remember_immediate(ctx: Context, who: str) -> None:
    """At a turn's start: count an immediate action that was used since the last turn."""
    combatant = ctx.state[who]
    if "immediate" in combatant.tracks and not combatant.track("immediate"):
        ctx.emit(Used(who, _REACTED))


def hold_back_immediate(ctx: Context, who: str) -> None:
    """With a delay: the turn is still to come, and so is the immediate action that it brings.

    There is one between two turns (seed 003: Immediate Actions).
    """
    if ctx.state[who].used(_REACTED):
        _set(ctx, ctx.state[who], "immediate", 0)


def written_by_hand(ctx: Context, who: str) -> None:
    """Keep what the GM wrote into the action tracks by hand as given, or as used, this turn."""
    if not ctx.state.takes_turn(who):
        return
    combatant = ctx.state[who]
    written = {e.track for e in ctx.events if isinstance(e, Changed) and e.who == who}
    for kind, value in left(ctx.tables, ctx.state, combatant).items():
        more = combatant.track(kind) - value if kind in written else 0
        for _ in range(min(9, abs(more))):
            ctx.emit(Used(who, f"given-{kind}" if more > 0 else kind))


# -- why no action ---------------------------------------------------------------------------------


def why_no_action(tables: Tables, state: Encounter, who: Combatant, action: str) -> str:
    """Why a standard, move, swift, free or immediate action can't be taken now; empty if it can."""
    if who.life != "up":
        return str(who.life)
    if action == "immediate":
        return _why_no_immediate(tables, state, who)
    if action == "free":
        return _why_no_free(tables, state, who)
    if barred := forbidden(tables, state, who, "act"):
        return f"{barred}: no actions"
    is_free = state.phase != "combat" or action not in who.tracks
    if is_free or pays_with(tables, state, who, action):
        return ""
    owner, its_turn = owner_here(state, who), state.takes_turn(who.id)
    with_owner = owner is not None and (its_turn or state.takes_turn(owner.id))
    if owner is not None and with_owner and not _own_turn(state, who):
        return f"{owner.name} must command it"
    if not its_turn:
        return not_their_turn(state)
    most, name = cap(tables, state, who)
    if most is not None:
        return f"{name}: {'one action a turn' if most else 'no actions'}"
    return f"{action} action used"


def pays_with(tables: Tables, state: Encounter, who: Combatant, action: str) -> str:
    """The track that an action would be paid with now; empty for none."""
    if action not in who.tracks:
        return ""
    there = left(tables, state, who)
    return next((kind for kind in PAID_WITH[action] if there[kind]), "")


def _why_no_free(tables: Tables, state: Encounter, who: Combatant) -> str:
    if barred := forbidden(tables, state, who, "free"):
        return f"{barred}: no free actions"
    one = state.settings.get("free-actions") == "one" and state.phase == "combat"
    return "one free action a turn" if one and who.used(_free_in_this_turn(state, who.id)) else ""


_FREE = "free in"


def _free_in_this_turn(state: Encounter, who: str) -> str:
    """How somebody's free action is counted: by the turn it is taken in, be that anybody's."""
    whose = who if state.takes_turn(who) else state.turn
    slot = state.slot(whose)
    return f"{_FREE} {whose} {slot.turns if slot else 0}"


def _why_no_immediate(tables: Tables, state: Encounter, who: Combatant) -> str:
    """Never in one's own turn, and one between two of them; a companion has its owner's.

    Surprise bars it only until the first turn is over.
    """
    if barred := forbidden(tables, state, who, "react", initiative.allowing(state, who)):
        return f"{barred}: no immediate actions"
    if state.phase != "combat" or "immediate" not in who.tracks:
        return ""
    if state.takes_turn(who.id):
        return "not in its own turn"
    payer = _pays_immediate(state, who)
    if payer.id == who.id:
        return "" if who.track("immediate") else "immediate action used"
    reason = why_no_action(tables, state, payer, "immediate")
    return f"{payer.name}: {reason}" if reason else ""


def _pays_immediate(state: Encounter, who: Combatant) -> Combatant:
    """Who pays for an immediate action: a companion's owner, unless it was given one."""
    owner = owner_here(state, who)
    if owner is None or who.track("immediate") or owner_of(owner):
        return who
    return owner


# -- paying ----------------------------------------------------------------------------------------


def pay_action(ctx: Context, who: str, action: str, what: str) -> None:
    """Pay one action, trading down where need be; outside of a fight nothing is paid. A companion's
    immediate action is its owner's.
    Raises Refused with the reason.
    """
    combatant = ctx.state[who]
    reason = why_no_action(ctx.tables, ctx.state, combatant, action)
    if reason:
        raise Refused(f"{combatant.name} can't use {what}: {reason}")
    if ctx.state.phase == "combat":
        _take(ctx, who, action, what)


def _take(ctx: Context, who: str, action: str, what: str) -> None:
    """Take an action, which must be there to be taken."""
    combatant = ctx.state[who]
    if action == "free":
        ctx.emit(Used(who, _free_in_this_turn(ctx.state, who)))
    elif action == "immediate":
        payer = _pays_immediate(ctx.state, combatant)
        if payer.track("immediate"):
            ctx.emit(Spent(payer.id, "immediate", 1, what))
    elif track := pays_with(ctx.tables, ctx.state, combatant, action):
        ctx.emit(Spent(who, track, 1, what), Used(who, track))


def acted(who: Combatant) -> bool:
    """Whether it has done anything in its turn: taken an action, a free one among them."""
    free = any(key.startswith(f"turn/{_FREE}") for key in who.uses)
    return free or any(who.used(kind) for kind in TURN_ACTIONS)


# -- a technique's price ---------------------------------------------------------------------------


def _price(now: Now, name: str) -> Cost:
    """What a technique costs now: its action, or the greater one that has to stand in for it."""
    return {paid_now(now, track): by for track, by in now.tables.techniques[name].cost.items()}


def paid_now(now: Now, track: str) -> str:
    """The track that stands in for another now, as a standard action does for a move."""
    if track not in PAID_WITH or now.state.phase != "combat":
        return track
    return now.asked(pays_with, track) or track


def _why_not(now: Now, name: str, cost: Cost) -> str:
    """Why a technique of the tables can't be used now; one that costs nothing is a free action."""
    row = now.tables.techniques[name]
    if row.reaction and not row.cost:
        return acts.why_barred(now, row) or acts.why_not_again(now, name)
    why = "" if row.cost else now.asked(why_no_action, "free")
    why = why or hindrance(now, name) or acts.why_not_again(now, name)
    if why:
        return why
    reasons = (now.asked(why_no_action, action) for action, amount in cost.items() if amount > 0)
    return next(filter(None, reasons), "")


def _spend(ctx: Context, who: str, name: str, cost: Cost) -> None:
    """Take the actions of a price; what costs nothing and is no reaction is a free action."""
    row = ctx.tables.techniques[name]
    for action, amount in cost.items():
        if amount > 0:
            _take(ctx, who, action, name)
    if not row.cost and not row.reaction:
        _take(ctx, who, "free", name)


ECONOMY = Economy(_why_not, _price, spend=_spend, needs="standard")


# -- action points ---------------------------------------------------------------------------------

POINT = "action-point"


def _why_no_point(tables: Tables, state: Encounter, who: Combatant) -> str:
    """Why no action point can be spent now, in a few words; empty when one can."""
    if "action_points" not in who.tracks:
        return "only player characters have action points"
    if barred := forbidden(tables, state, who, "spend"):
        return barred
    if state.phase != "combat":
        return "only in a fight"
    if not state.takes_turn(who.id):
        return not_their_turn(state)
    if initiative.is_surprise_round(state):
        return "not in a surprise round"
    if who.kind == "pc" and who.used(POINT, "fight"):
        return "once an encounter"  # others spend what their sheet gives them
    most, name = cap(tables, state, who)
    if most == 0:
        return f"{name}: no actions"
    return "" if who.track("action_points") else "no action points left"


class _Point(Struct, frozen=True):
    kind: Annotated[str, arguments.choice("which action it gives", TURN_ACTIONS)] = "standard"


def _action_point(ctx: Context, said: _Point) -> None:
    """A free action that gives one more of those, once in an encounter."""
    actor, kind = ctx.actor(), said.kind
    if reason := _why_no_point(ctx.tables, ctx.state, actor):
        raise Refused(f"{actor.name} can't spend an action point: {reason}")
    pay_action(ctx, actor.id, "free", "an action point")
    ctx.emit(Spent(actor.id, "action_points", 1, f"a {kind} action"))
    ctx.emit(Used(actor.id, POINT, "fight"), Used(actor.id, f"given-{kind}"))
    update_tracks(ctx, actor.id)
    ctx.text = f"{actor.name} spends an action point on a {kind} action"


_DOES = "spends an action point on one more action this turn"
VERBS = (declare(POINT, _DOES, _Point, _action_point, True),)

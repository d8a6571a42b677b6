"""What a combatant can do now: the price of a technique, why it can't be used, and paying for it.

A game passes in an `ActionEconomy`. A game with refusals of its own adds them to `why_not_now`, or
orders them itself, from the functions below:

    def _why_not(now: ActorSituation, name: str, cost: Cost) -> str:
        return why_not_now(now, name, cost) or ("in mid-air" if name == "dodge" else "")

    ECONOMY = ActionEconomy(_why_not)
    pay(ECONOMY, ctx, "mira", "strike")               # emits `spent 1 AP`; or raises Refused
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from itertools import repeat
from typing import Any, Protocol

from msgspec import Struct

from affray.core.engine.effects import (
    active_effects,
    effect_name,
    why_forbidden as effects_why_forbidden,
)
from affray.core.engine.events import CostPaid, TrackChanged, UseCounted, UsesReset
from affray.core.engine.state import Combatant, Effect, Encounter, Track
from affray.core.engine.turn_order import why_not_their_turn as turn_order_why_not_their_turn
from affray.core.parser.errors import Refused
from affray.core.rules.ruleset import AvailableAction, Context
from affray.core.rules.tables import Tables, TechniqueRow

Cost = dict[str, int]
"""A price: track -> amount."""


class PayFunction(Protocol):
    """Pays for a technique; raises Refused when it can't be used."""

    def __call__(self, cost: Cost | None = None, subject: str = "") -> None:
        """Pay for it.

        Args:
            cost: The price; None for the usual one.
            subject: The object, such as a spell, of a technique that is once a turn for each.
        """


class DeclaredTechnique(Struct, frozen=True):
    """A technique with declared arguments (`core.parser.declarations`) and a function that does it.

    The function gets the arguments, the combatant who does it, and the function that pays.
    """

    args_type: type[Struct]
    run: Callable[[Context, Any, Combatant, PayFunction], None]


Question = Callable[[Tables, Encounter, Combatant, str], str]
"""Answers one question about a combatant in words, such as `core.engine.effects.why_forbidden`."""


class ActorSituation:
    """A combatant at one moment, which remembers the answers that many techniques ask for.

    `ActorSituation(tables, state, mira).forbids("act")` is "stunned" while Mira can't act for that.
    """

    def __init__(self, tables: Tables, state: Encounter, combatant: Combatant) -> None:
        self.tables = tables
        self.state = state
        self.who = combatant
        self._answers: dict[tuple[Question, str], str] = {}

    def asked(self, question: Question, about: str) -> str:
        """Return the answer to a question: `now.asked(why_no_action, "standard")`."""
        key = (question, about)
        if key not in self._answers:
            self._answers[key] = question(self.tables, self.state, self.who, about)
        return self._answers[key]

    @cached_property
    def in_force(self) -> Mapping[str, Effect]:
        """The effects in force on the combatant, by name."""
        return active_effects(self.tables, self.state, self.who)

    def forbids(self, what: str) -> str:
        """Name the effect that forbids an action such as `act`, `react` or `move`; else empty."""
        barred = self.asked(effects_why_forbidden, what)
        return effect_name(self.tables, barred) if barred else ""

    @cached_property
    def not_up(self) -> str:
        """The reason if it is somebody else's turn: "it is Mira's turn"; else empty."""
        is_up = not self.state.in_combat or self.state.takes_turn(self.who.id)
        return "" if is_up else turn_order_why_not_their_turn(self.state)


def cost_now(now: ActorSituation, name: str) -> Cost:
    """Return the cost of a technique now; each use this turn makes a `rising` one dearer by 1."""
    row = now.tables.techniques[name]
    again = now.who.used(name) if row.repeat == "rising" else 0
    return {track: amount + again for track, amount in row.cost.items()}


def cost_next(now: ActorSituation, name: str, cost: Cost) -> Cost:
    """Return the cost of one more use, if that differs: 1 more for a `rising` technique."""
    rises = now.tables.techniques[name].repeat == "rising"
    return {track: amount + 1 for track, amount in cost.items()} if rises else {}


def pay_tracks(ctx: Context, combatant_id: str, name: str, cost: Cost) -> None:
    """Take a cost from its tracks."""
    for track, amount in cost.items():
        if amount > 0:
            ctx.emit(CostPaid(combatant_id, track, amount, name))


def pay_ahead(ctx: Context, combatant_id: str, name: str, cost: Cost) -> None:
    """Take a cost in another's turn, so that it stays paid: if one's own turn of this round is yet
    to come, its start brings back as much less (`reset_turn_track`). A reaction comes back, and is
    paid by `pay_tracks`."""
    pay_tracks(ctx, combatant_id, name, cost)
    slot = ctx.state.slot(combatant_id)
    if slot is not None and slot.round < ctx.state.round:
        for track, amount in cost.items():
            ctx.emit(*repeat(UseCounted(combatant_id, _AHEAD, f"{_AHEAD}-{track}"), amount))


_AHEAD = "ahead"
"""The span in which costs paid ahead are counted, with their track."""


def reset_turn_track(
    ctx: Context,
    combatant_id: str,
    track: str,
    value: int,
    top: int | None = None,
    why: str = "",
    routine: bool = True,
) -> None:
    """Set a track that pays for a turn, and its maximum, to `top`; emit nothing if nothing changes.
    Costs paid ahead are subtracted. A change that is not `routine` is always told, with its reason.
    """
    who = ctx.state[combatant_id]
    if ahead := who.used(_AHEAD, f"{_AHEAD}-{track}"):
        value = max(0, value - ahead)
        ctx.emit(UsesReset(combatant_id, f"{_AHEAD}-{track}"))
    old = who.tracks.get(track, Track(0))
    new_top = top if top is not None and top != old.max else None
    if value != old.value or new_top is not None or not routine:
        ctx.emit(
            TrackChanged(combatant_id, track, value - old.value, new_top, why=why, routine=routine)
        )


def why_not_now(now: ActorSituation, name: str, cost: Cost) -> str:
    """Say why a technique can't be used, by its row alone: the actor's life, an effect, another's
    turn, once too often, too few points left. Outside a fight nothing has a cost."""
    row = now.tables.techniques[name]
    why = why_forbidden(now, row) or why_not_their_turn(now, row) or why_used_up(now, name)
    return why or (why_unaffordable(now, cost) if now.state.in_combat else "")


class ActionEconomy(Struct, frozen=True):
    """The rules by which a game's techniques are paid for.

    Attributes:
        why_not: Returns in a few words why a technique can't be used now at that cost; else empty.
            It is called outside fights, too.
        price: Returns the cost now.
        after: Returns the cost of the next use this turn, if that differs: an attack
            {action: 1}, the attacks that follow {attacks: 1}.
        spend: Takes a cost; called only in a fight.
        needs: The track without which a combatant, such as a hazard, has no techniques; empty for
            none.
    """

    why_not: Callable[[ActorSituation, str, Cost], str] = why_not_now
    price: Callable[[ActorSituation, str], Cost] = cost_now
    after: Callable[[ActorSituation, str, Cost], Cost] = cost_next
    spend: Callable[[Context, str, str, Cost], None] = pay_tracks
    needs: str = ""


# -- why not ---------------------------------------------------------------------------------------


def why_forbidden(
    now: ActorSituation, row: TechniqueRow, act: str = "act", needs: str = "act"
) -> str:
    """Name the life or effect that forbids a technique: "dying", "stunned: can't act".

    `act` is the word for techniques other than reactions, "spend AP"; `needs` is the word that
    effects forbid: `move` for a move.
    """
    barred = now.forbids("react" if row.reaction else needs)
    if not barred or barred == now.who.life:
        return barred
    return f"{barred}: can't {'react' if row.reaction else act}"


def why_not_their_turn(now: ActorSituation, row: TechniqueRow) -> str:
    """Say that it is somebody else's turn, unless the technique is a reaction."""
    return "" if row.reaction else now.not_up


def why_used_up(now: ActorSituation, name: str, subject: str = "") -> str:
    """Say that it was used already: "once a turn", "once an encounter", "once a turn for fog"."""
    if not now.state.in_combat:
        return ""
    repeat = now.tables.techniques[name].repeat
    if repeat == "once" and now.who.used(name):
        return "once a turn"
    if repeat == "fight" and now.who.used(name, "fight"):
        return "once an encounter"
    return f"once a turn for {subject}" if subject and now.who.used(f"{name} {subject}") else ""


def why_unaffordable(now: ActorSituation, cost: Cost) -> str:
    """Say that a track holds too little: "2 AP left, needs 3"; "reaction used" if its top is 1."""
    for track, amount in cost.items():
        left = now.who.track(track)
        if left < amount:
            rule = now.tables.track(track)
            if amount == 1 and track in now.who.tracks and now.who.tracks[track].max == 1:
                return f"{rule.in_a_sentence} used"
            return f"{left} {rule.label} left, needs {amount}"
    return ""


# -- paying ----------------------------------------------------------------------------------------


def available_action(economy: ActionEconomy, now: ActorSituation, name: str) -> AvailableAction:
    """Return a technique for a combatant: its cost now, and why it can't be used."""
    marks = now.tables.techniques[name].marks
    cost = economy.price(now, name)
    after = economy.after(now, name, cost)
    reason = economy.why_not(now, name, cost)
    return AvailableAction(name, cost | marks, after | marks if after else {}, reason)


def pay(
    economy: ActionEconomy,
    ctx: Context,
    combatant_id: str,
    name: str,
    cost: Cost | None = None,
    subject: str = "",
) -> None:
    """Pay for a technique in a fight, and count its use for the turn, or for the fight.

    A reaction that can be taken any number of times isn't counted. `cost` and `subject` are those
    of a `PayFunction`. Raises Refused with the reason.
    """
    now = ActorSituation(ctx.tables, ctx.state, ctx.state[combatant_id])
    row = ctx.tables.techniques[name]
    if cost is None:
        cost = economy.price(now, name)
    reason = economy.why_not(now, name, cost) or why_used_up(now, name, subject)
    if reason:
        raise Refused(f"{now.who.name} can't use {row.name}: {reason}")
    if not ctx.state.in_combat:
        return
    economy.spend(ctx, combatant_id, name, cost)
    if not (row.reaction and row.repeat == "any"):
        ctx.emit(UseCounted(combatant_id, name, "fight" if row.repeat == "fight" else "turn"))
    if subject:
        ctx.emit(UseCounted(combatant_id, f"{name} {subject}"))


def require_other_target(combatant: Combatant, other: Combatant, done: str) -> None:
    """Raises Refused for oneself and for the dead as a target: "Mira can't aid themself"."""
    if other.id == combatant.id:
        raise Refused(f"{combatant.name} can't {done} themself: choose another creature")
    if other.life == "dead":
        raise Refused(f"{other.name} is dead")

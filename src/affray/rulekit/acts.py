"""What somebody can do now: the price of a technique, why it can't be used, and paying for it.

A game hands in an `Economy`; its sequence of refusals is its own, made of the questions below:

    def _why_not(now: Now, name: str, cost: Cost) -> str:
        row = now.tables.techniques[name]
        return why_barred(now, row) or why_not_up(now, row) or why_unpaid(now, cost)

    ECONOMY = Economy(_why_not)
    options(ECONOMY, tables, state, mira)       # all that Mira could do, for the screen
    pay(ECONOMY, ctx, "mira", "strike")         # Spent 1 AP, Used strike; or Refused
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Protocol

from msgspec import Struct

from affray.core.heart.decide import Context
from affray.core.heart.effects import called, forbidden, in_force
from affray.core.heart.events import Changed, Spent, Used
from affray.core.heart.groups import not_their_turn
from affray.core.heart.state import Combatant, Effect, Encounter, Track
from affray.core.language.refusal import Refused
from affray.core.language.words import Words
from affray.core.rules.ruleset import Option
from affray.core.rules.tables import Tables, Technique

Cost = dict[str, int]
"""A price: track -> how much of it."""


class Pay(Protocol):
    """Pays for a technique, or has seen to that before; raises Refused when it can't be used.

    Left out, the price is the usual one. `subject` is what it is of, where it is once a turn for
    each: the spell.
    """

    def __call__(self, cost: Cost | None = None, subject: str = "") -> None: ...


Act = Callable[["Context", Words, Combatant, Pay], None]
"""What a technique does: reads the words behind its name, pays, acts, and says so in `ctx.text`."""
Question = Callable[[Tables, Encounter, Combatant, str], str]
"""What is asked of somebody about something, such as `core.heart.effects.forbidden`."""


class Now:
    """Somebody at one moment: what many techniques ask of it is found out once.

    `Now(tables, state, mira).forbids("act")` is "stunned" as long as that keeps Mira from acting.
    """

    def __init__(self, tables: Tables, state: Encounter, who: Combatant) -> None:
        self.tables = tables
        self.state = state
        self.who = who
        self._answers: dict[tuple[Question, str], str] = {}

    def asked(self, question: Question, about: str) -> str:
        """The answer to a question: `now.asked(why_no_action, "standard")`."""
        key = (question, about)
        if key not in self._answers:
            self._answers[key] = question(self.tables, self.state, self.who, about)
        return self._answers[key]

    @cached_property
    def in_force(self) -> Mapping[str, Effect]:
        """Every effect in force on it, by name."""
        return in_force(self.tables, self.state, self.who)

    def forbids(self, what: str) -> str:
        """What forbids it to `act`, `react`, `move` and so on (`core.heart.effects.forbidden`)."""
        barred = self.asked(forbidden, what)
        return called(self.tables, barred) if barred else ""

    @cached_property
    def not_up(self) -> str:
        """That it is somebody else's turn: "it is Mira's turn"."""
        is_up = self.state.phase != "combat" or self.state.takes_turn(self.who.id)
        return "" if is_up else not_their_turn(self.state)


def price(now: Now, name: str) -> Cost:
    """What a technique costs now: with cost = {ap = 1}, {ap: 1}; one that is `rising` costs {ap: 2}
    when it was used once this turn."""
    row = now.tables.techniques[name]
    again = now.who.used(name) if row.repeat == "rising" else 0
    return {track: amount + again for track, amount in row.cost.items()}


def price_after(now: Now, name: str, cost: Cost) -> Cost:
    """What the next one costs, where that is something else: 1 more of what is `rising`."""
    rises = now.tables.techniques[name].repeat == "rising"
    return {track: amount + 1 for track, amount in cost.items()} if rises else {}


def spend(ctx: Context, who: str, name: str, cost: Cost) -> None:
    """Take a price from the tracks that it names."""
    for track, amount in cost.items():
        if amount > 0:
            ctx.emit(Spent(who, track, amount, name))


def refill(
    ctx: Context,
    who: str,
    track: str,
    value: int,
    top: int | None = None,
    why: str = "",
    routine: bool = True,
) -> None:
    """Set what a turn is paid with, and its maximum where `top` says it; nothing where it is so
    already. What is no `routine` is told in any case, with why it is so."""
    old = ctx.state[who].tracks.get(track, Track(0))
    new_top = top if top is not None and top != old.max else None
    if value != old.value or new_top is not None or not routine:
        ctx.emit(Changed(who, track, value - old.value, new_top, why=why, routine=routine))


class Economy(Struct, frozen=True):
    """How a game's techniques are paid for.

    why_not  why a technique can't be used now at that cost, in a few words; empty when it can
    price    what it costs now
    after    given that, what the next one this turn would cost, where it is something else: an
             attack {action: 1}, the attacks that follow {attacks: 1}
    spend    takes a price in a fight; outside of one nothing is paid
    needs    the track without which somebody can do none of them, as a hazard; empty for none
    """

    why_not: Callable[[Now, str, Cost], str]
    price: Callable[[Now, str], Cost] = price
    after: Callable[[Now, str, Cost], Cost] = price_after
    spend: Callable[[Context, str, str, Cost], None] = spend
    needs: str = ""


# -- why not ---------------------------------------------------------------------------------------


def why_barred(now: Now, row: Technique, act: str = "act") -> str:
    """Whose life or which effect forbids it: "dying", "stunned: can't act".

    `act` words what can't be done, where it is no reaction: "spend AP".
    """
    barred = now.forbids("react" if row.reaction else "act")
    if not barred or barred == now.who.life:
        return barred
    return f"{barred}: can't {'react' if row.reaction else act}"


def why_not_up(now: Now, row: Technique) -> str:
    """That it is somebody else's turn, for what is no reaction."""
    return "" if row.reaction else now.not_up


def why_not_again(now: Now, name: str, subject: str = "") -> str:
    """That it was used already: "once a turn", "once an encounter", "once a turn for fog"."""
    if now.state.phase != "combat":
        return ""
    repeat = now.tables.techniques[name].repeat
    if repeat == "once" and now.who.used(name):
        return "once a turn"
    if repeat == "fight" and now.who.used(name, "fight"):
        return "once an encounter"
    return f"once a turn for {subject}" if subject and now.who.used(f"{name} {subject}") else ""


def why_unpaid(now: Now, cost: Cost) -> str:
    """That a track doesn't hold as much: "2 AP left, needs 3"; "reaction used" if it holds one."""
    for track, amount in cost.items():
        left = now.who.track(track)
        if left < amount:
            rule = now.tables.track(track)
            if amount == 1 and track in now.who.tracks and now.who.tracks[track].max == 1:
                return f"{rule.in_a_sentence} used"
            return f"{left} {rule.label} left, needs {amount}"
    return ""


# -- what there is, and paying for it --------------------------------------------------------------


def options(economy: Economy, tables: Tables, state: Encounter, who: Combatant) -> list[Option]:
    """Every technique for somebody: its cost now, the next one's, and why it can't be used."""
    if economy.needs and economy.needs not in who.tracks:
        return []
    now = Now(tables, state, who)
    return [option(economy, now, name) for name in tables.techniques]


def option(economy: Economy, now: Now, name: str) -> Option:
    """One technique for somebody."""
    marks = now.tables.techniques[name].marks
    cost = economy.price(now, name)
    after = economy.after(now, name, cost)
    reason = economy.why_not(now, name, cost)
    return Option(name, cost | marks, after | marks if after else {}, reason)


def pay(
    economy: Economy, ctx: Context, who: str, name: str, cost: Cost | None = None, subject: str = ""
) -> None:
    """Pay for a technique in a fight, and count its use for the turn, or for the fight if it is
    once in one; a reaction that can be taken any number of times is part of no turn.

    `Pay` has `cost` and `subject`. Raises Refused with the reason.
    """
    now = Now(ctx.tables, ctx.state, ctx.state[who])
    row = ctx.tables.techniques[name]
    if cost is None:
        cost = economy.price(now, name)
    reason = economy.why_not(now, name, cost) or why_not_again(now, name, subject)
    if reason:
        raise Refused(f"{now.who.name} can't use {row.name}: {reason}")
    if ctx.state.phase != "combat":
        return
    economy.spend(ctx, who, name, cost)
    if not (row.reaction and row.repeat == "any"):
        ctx.emit(Used(who, name, "fight" if row.repeat == "fight" else "turn"))
    if subject:
        ctx.emit(Used(who, f"{name} {subject}"))


def acted(who: Combatant) -> bool:
    """Whether somebody has done anything in their open turn."""
    return who.has_acted


def needs_another(who: Combatant, other: Combatant, done: str) -> None:
    """Raises Refused for what is done to oneself, or to the dead: "Mira can't aid themself"."""
    if other.id == who.id:
        raise Refused(f"{who.name} can't {done} themself: it takes another creature")
    if other.life == "dead":
        raise Refused(f"{other.name} is dead")

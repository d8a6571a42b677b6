"""Where somebody is, how they move, and how they fall.

A place is an effect of the kind `place`: in the air, in what light, behind what, seen or not. Of
those that exclude one another (`economy.places`) the last one counts: who is put in dim light is no
longer in darkness. `amount` is how many feet up somebody is who flies or climbs, where that is
known.

A fall of more feet than one turn takes is such an effect, `falling`, whose amount is how far it
goes in all; turns that it has taken are counted (`uses`). Who is no longer held up falls as well:
`falling` from as high as they were, 0 where nobody has said how high, until `fall NAME FEET` does.

Seed 004: Movement, Falling, Light, Concealment, Cover, Underwater Combat, Basic Techniques (Move),
Conditions (Prone).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated

from msgspec import Struct

from affray.core.heart.decide import Context
from affray.core.heart.effects import end, end_named, forbidden, in_force
from affray.core.heart.events import Forgot, Noted, Used
from affray.core.heart.state import (
    MOST_KEPT,
    Combatant,
    Duration,
    Effect,
    Encounter,
)
from affray.core.language import arguments
from affray.core.language.clauses import names, they
from affray.core.language.declared import ASKED_ELSEWHERE, Reading
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import Choice, Pending, declare
from affray.core.rules.tables import Tables
from affray.rulekit import numbers, rolls
from affray.rulekit.acts import Pay
from affray.rulekit.numbers import Part
from affray.rulekit.placing import Placing, begin, placing_said, renew, until_for
from affray.rulesets.monsters_and_magic import conditions, harm, sheet, totals

# -- places ----------------------------------------------------------------------------------------

PLACE = "place"
_UP = arguments.clause(
    "up", arguments.number("how many feet up", 0, 9_999, "FEET"), asks=ASKED_ELSEWHERE
)


@lru_cache(maxsize=MOST_KEPT)  # with every command it is asked who of all would fall
def _way_of(tables: Tables, who: Combatant) -> str:
    """The kind of speed with which somebody gets about: `fly`; empty on the ground."""
    rows = tables.economy["ways"].items() if who.effects else ()
    return next((way for way, row in rows if who.named(row["place"]) is not None), "")


def _come_down(ctx: Context, who: str, why: str) -> bool:
    """Be on the ground, or falling to it, and go no other way; gives whether one did."""
    way = _way_of(ctx.tables, ctx.state[who])
    if way:
        end_named(ctx, who, ctx.tables.economy["ways"][way]["place"], why)
    return bool(way)


def _put(ctx: Context, who: str, name: str, up: int | None, placing: Placing) -> None:
    """Put somebody in a place, until it is changed if nothing else is said."""
    before = ctx.state[who].named(name)
    for row in ctx.tables.economy["places"].values():
        for other in row if name in row else ():
            if other != name:
                end_named(ctx, who, other, f"now {name}")
    until = until_for(conditions.LASTING, ctx, who, placing, name, Duration())
    feet = up if up is not None else before.amount if before is not None else 0
    renew(ctx, who, name, until, source=placing.source, amount=feet)


def _known(reading: Reading) -> list[str]:
    return sheet.names_of(reading.ctx.tables, PLACE)


_SPOKEN = {"darkness": "dark", "magical-darkness": "magical-dark"}
"""Other words for places, as they are spoken."""
_PLACED = placing_said(conditions.LASTING, "for N turns | until ...")


class _Place(Struct, frozen=True):
    """What `place` says."""

    people: Annotated[list[Combatant], arguments.people("who is there")]
    where: Annotated[str, arguments.choice("where", _known, "WHERE", PLACE, _SPOKEN)]
    up: Annotated[int | None, _UP] = None
    placing: Annotated[Placing, _PLACED] = Placing()


def _place(ctx: Context, said: _Place) -> None:
    ways = ctx.tables.economy["ways"].values()
    if said.up is not None and said.where not in [row["place"] for row in ways]:
        raise Refused(f"`up` is how high one flies or climbs, not for {said.where}")
    for who in said.people:
        _put(ctx, who.id, said.where, said.up, said.placing)
    high = "" if said.up is None else f", {said.up} feet up"
    ctx.text = f"{names(said.people)}: {said.where}{high}"


# -- moving ----------------------------------------------------------------------------------------

CRAWL, STAND, WALK = "crawl", "stand", "walk"
"""How one moves on the ground."""
_WAYS = arguments.one_of(CRAWL, STAND, WALK, *totals.WAYS, asks=ASKED_ELSEWHERE)


class Move(Struct, frozen=True):
    """What `move` says; without a way one goes on as before: who flies flies."""

    way: Annotated[str, _WAYS] = ""
    up: Annotated[int | None, _UP] = None


def move(ctx: Context, said: Move, who: Combatant, pay: Pay) -> None:
    """Move: prone, it stands up for half its speed unless it crawls."""
    barred = forbidden(ctx.tables, ctx.state, who, "move")
    if barred:
        raise Refused(f"{who.name} can't move: {barred}")
    way = _way(ctx, said, who)
    prone = who.named("prone")
    if said.way == STAND and prone is None:
        raise Refused(f"{who.name} is not prone")
    pay()
    used = totals.fitting(who, (totals.SPEED,))
    more = [totals.forward_part(each) for each in used]
    does = []
    if prone is not None and said.way != CRAWL:
        end(ctx, who.id, prone.id, "stands up")
        does.append("stands up, for half its speed")
    if way:
        does.append(_go(ctx, who, way, said.up, more))
    is_down = said.way == WALK and _come_down(ctx, who.id, "on the ground")
    done = " and ".join(does) or ("crawls" if prone else "moves")
    if used and not way:
        here = totals.here(ctx, ctx.state[who.id])
        done += f", at a speed of {numbers.value(here, totals.SPEED, more=more)} feet"
    totals.use_up(ctx, who.id, totals.SPEED, used)
    ctx.text = f"{who.name} {done}{', on the ground again' if is_down else ''}"


def _way(ctx: Context, said: Move, who: Combatant) -> str:
    """The way of moving that takes somebody off the ground, or changes how high they are.

    Raises Refused for who hasn't the speed that it takes, and for a height on the ground.
    """
    row = ctx.tables.economy["ways"].get(said.way, {})
    if row.get("needs_speed") and not who.stats.get(said.way):
        raise Refused(f"{who.name} has no {said.way} speed")
    if said.up is None or row:
        return said.way if row else ""
    way = "" if said.way else _way_of(ctx.tables, who)
    if not way:
        raise Refused("`up` is how high one flies or climbs: `move fly up 40`")
    return way


def _go(ctx: Context, who: Combatant, way: str, up: int | None, more: Sequence[Part]) -> str:
    """Go that way, which catches who falls: "flies up to 60 feet, 40 feet above the ground". `more`
    is what the speed has on top in this move alone."""
    row = ctx.tables.economy["ways"][way]
    _put(ctx, who.id, row["place"], up, Placing())
    for name in (FALLING, SINKING):
        end_named(ctx, who.id, name, row["place"])
    here = totals.here(ctx, ctx.state[who.id])
    feet = numbers.value(here, way, more=more) if totals.has_way(who, way) else 0
    far = f" up to {feet} feet" if feet else ""
    return f"{row['says']}{far}{'' if up is None else f', {up} feet above the ground'}"


# -- falling ---------------------------------------------------------------------------------------

FALLING, SINKING, FALL = "falling", "sinking", "fall"


def _turns_for(tables: Tables, feet: int) -> int:
    """How many turns a fall takes: up to 580 feet 1, to 2,315 feet 2, to 5,280 feet 3."""
    rows = tables.economy["fall_turns"]
    return next((turn for turn, far in enumerate(rows, 1) if feet <= far), len(rows) + 1)


def _begin_fall(ctx: Context, who: str, feet: int, amount: int | None = None) -> None:
    """Fall so far: to the ground at once, where that takes but a turn, or no turns pass. Damage
    that was said waits for that, as the dice do."""
    if _turns_for(ctx.tables, feet) == 1 or ctx.state.phase != "combat":
        _land(ctx, who, feet, amount)
        return
    _let_go(ctx, who)
    said = "" if amount is None else str(amount)
    renew(ctx, who, FALLING, Duration(says="it lands"), amount=feet, dice=said)


def _let_go(ctx: Context, who: str) -> None:
    """Nothing holds it up any more, and no turns are counted of a fall before."""
    _come_down(ctx, who, "falls")
    if ctx.state[who].used(FALL, FALL):
        ctx.emit(Forgot(who, FALL))


def _land(ctx: Context, who: str, feet: int, amount: int | None = None) -> None:
    """The end of a fall, and the damage for all of it: 1d6 for each 10 feet, `4d6` for 45."""
    _let_go(ctx, who)
    end_named(ctx, who, FALLING, "on the ground")
    dice = feet // ctx.tables.economy["fall_feet"]
    if amount is None and dice:
        amount = rolls.throw_dice(ctx, who, f"{dice}{ctx.tables.economy['fall_die']}", "fall")
    if not amount:
        ctx.emit(Noted(f"{ctx.state.name(who)} lands unharmed after {feet} feet"))
    elif "hp" in ctx.state[who].tracks and ctx.state[who].life != "dead":
        harm.deal(ctx, who, harm.Blow(amount, label=f" from a fall of {feet} feet"))


def turn_ending(ctx: Context, who: str) -> None:
    """Fall as far as one does by the end of that turn, to the ground if that is far enough."""
    falling = ctx.state[who].named(FALLING)
    if falling is None or not falling.amount:
        return
    turn = ctx.state[who].used(FALL, FALL) + 1
    if turn >= _turns_for(ctx.tables, falling.amount):
        _land(ctx, who, falling.amount, int(falling.dice) if falling.dice.isdecimal() else None)
        return
    ctx.emit(Used(who, FALL, FALL))
    fallen = ctx.tables.economy["fall_turns"][turn - 1]
    name, left = ctx.state.name(who), falling.amount - fallen
    ctx.emit(Noted(f"{name} has fallen {fallen} feet, with {left} to go"))


def settle(ctx: Context) -> None:
    """Who flies or climbs falls when restrained or unconscious, and who swims sinks (Movement)."""
    for who in ctx.state.combatants:
        way = _way_of(ctx.tables, who)
        if not way or who.is_out:
            continue
        row, force = ctx.tables.economy["ways"][way], in_force(ctx.tables, ctx.state, who)
        because = next((name for name in ctx.tables.economy["falls_by"] if name in force), "")
        place = who.named(row["place"])
        if because and "ends" in row and place is not None:
            end(ctx, who.id, place.id, because)
            begin(ctx, who.id, row["ends"], because=because, amount=place.amount)


# -- the falls that wait for the GM ----------------------------------------------------------------

_HEIGHTS = (("1", 10), ("2", 20), ("3", 30), ("6", 60))
"""What is offered where nobody has said how high somebody was: a key, and feet."""


def _waiting(state: Encounter) -> list[tuple[Combatant, Effect]]:
    """Those whose fall has yet to be said or rolled, and goes on by no turns."""
    falling = ((c, c.named(FALLING)) for c in state.combatants if c.effects)
    return [(c, e) for c, e in falling if e is not None and (e.because or not e.amount)]


def pending(state: Encounter) -> list[Pending]:
    """The falls that wait for the GM: from how high, and the damage."""
    return [_fall_of(who, falling.amount) for who, falling in _waiting(state)]


def _fall_of(who: Combatant, feet: int) -> Pending:
    rows = [("f", feet)] if feet else list(_HEIGHTS)
    return Pending(
        who.id,
        f"{who.name} falls{f' {feet} feet' if feet else ': how far? `fall NAME FEET`'}",
        tuple(Choice(key, f"{far} feet", f"{FALL} {who.id} {far}") for key, far in rows),
        missed=f"{who.name} fell {feet} feet" if feet else "",
        holds=bool(feet),
    )


def fall_missing(ctx: Context) -> None:
    """Let those fall whose height is known, before the turn ends."""
    for who, falling in _waiting(ctx.state):
        if falling.amount:
            _begin_fall(ctx, who.id, falling.amount)


class _Fall(Struct, frozen=True):
    """What `fall` says; the damage as rolled, where affray is not to roll it."""

    people: Annotated[list[Combatant], arguments.people("who falls")]
    feet: Annotated[int, arguments.number("how many feet", 1, 99_999, "FEET")]
    amount: Annotated[int | None, arguments.amount("damage", usage="DAMAGE")] = None


def _fall(ctx: Context, said: _Fall) -> None:
    most = ctx.tables.economy["fall_turns"][-1]
    if said.feet > most:
        raise Refused(f"a fall is told for {most} feet at most, which takes three turns")
    for who in said.people:
        _begin_fall(ctx, who.id, said.feet, said.amount)
    ctx.text = f"{they(said.people, 'falls', 'fall')} {said.feet} feet"


VERBS = (
    declare(FALL, "lets somebody fall: 1d6 for each 10 feet", _Fall, _fall),
    declare(PLACE, "says where somebody is: in the air, in the dark", _Place, _place),
)

"""Falling and sinking: what it deals, how far one falls in a turn, who falls by itself.

A fall of more feet than one turn takes is an effect, `falling`, whose amount is how far it goes in
all; turns that it has taken are counted (`uses`). Who is no longer held up falls as well: `falling`
from as high as they were, 0 where nobody has said how high, until `fall NAME FEET` says it.

Seed 004: Falling, Movement.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Struct

from affray.core.heart.decide import Context
from affray.core.heart.effects import end, end_named, in_force
from affray.core.heart.events import Forgot, Noted, Used
from affray.core.heart.state import OUT_OF_THE_FIGHT, Combatant, Duration, Encounter
from affray.core.language import arguments
from affray.core.language.clauses import they
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import Choice, Pending, declare
from affray.core.rules.tables import Tables
from affray.rulekit import rolls
from affray.rulekit.placing import begin, renew
from affray.rulesets.monsters_and_magic import damage, places

FALLING, SINKING, FALL = "falling", "sinking", "fall"


# -- how far, and for how much ---------------------------------------------------------------------


def dice_of(tables: Tables, feet: int) -> str:
    """What a fall deals: 1d6 for each 10 feet, `4d6` for 45; empty for less than that."""
    count = feet // int(tables.economy["fall_feet"])
    return f"{count}{tables.economy['fall_die']}" if count else ""


def turns_for(tables: Tables, feet: int) -> int:
    """How many turns a fall takes: up to 580 feet 1, to 2,315 feet 2, to 5,280 feet 3."""
    rows: Sequence[int] = tables.economy["fall_turns"]
    return next((turn for turn, far in enumerate(rows, 1) if feet <= far), len(rows) + 1)


def _deepest(tables: Tables) -> int:
    return int(tables.economy["fall_turns"][-1])


# -- the fall --------------------------------------------------------------------------------------


def begin_fall(ctx: Context, who: str, feet: int, amount: int | None = None) -> None:
    """Fall so far: to the ground at once, where that takes but a turn, or no turns pass."""
    _let_go(ctx, who)
    if turns_for(ctx.tables, feet) == 1 or ctx.state.phase != "combat" or amount is not None:
        _land(ctx, who, feet, amount)
        return
    renew(ctx, who, FALLING, Duration(says="it lands"), amount=feet)


def _let_go(ctx: Context, who: str) -> None:
    """Nothing holds it up any more, and no turns are counted of a fall before."""
    place = places.of_way(ctx.tables, ctx.state[who])
    if place is not None:
        end(ctx, who, place.id, "falls")
    if ctx.state[who].used(FALL, FALL):
        ctx.emit(Forgot(who, FALL))


def _land(ctx: Context, who: str, feet: int, amount: int | None = None) -> None:
    """The end of a fall, and the damage for all of it."""
    end_named(ctx, who, FALLING, "on the ground")
    _let_go(ctx, who)
    dice = dice_of(ctx.tables, feet)
    if amount is None and dice:
        amount = rolls.throw_dice(ctx, who, dice, "fall")
    if not amount:
        ctx.emit(Noted(f"{ctx.state.name(who)} lands unharmed after {feet} feet"))
    elif "hp" in ctx.state[who].tracks and ctx.state[who].life != "dead":
        damage.deal(ctx, who, damage.Blow(amount, label=f" from a fall of {feet} feet"))


def turn_ending(ctx: Context, who: str) -> None:
    """Fall as far as one does by the end of that turn, to the ground if that is far enough."""
    falling = ctx.state[who].named(FALLING)
    if falling is None or not falling.amount:
        return
    turn = ctx.state[who].used(FALL, FALL) + 1
    if turn >= turns_for(ctx.tables, falling.amount):
        _land(ctx, who, falling.amount)
        return
    ctx.emit(Used(who, FALL, FALL))
    fallen = ctx.tables.economy["fall_turns"][turn - 1]
    name, left = ctx.state.name(who), falling.amount - fallen
    ctx.emit(Noted(f"{name} has fallen {fallen} feet, with {left} to go"))


# -- who falls by itself ---------------------------------------------------------------------------


def settle(ctx: Context) -> None:
    """Who flies or climbs falls when restrained or unconscious, and who swims sinks (Movement)."""
    for who in ctx.state.combatants:
        way = places.way_of(ctx.tables, who)
        if not way or who.life in OUT_OF_THE_FIGHT:
            continue
        row, force = ctx.tables.economy["ways"][way], in_force(ctx.tables, ctx.state, who)
        because = next((name for name in ctx.tables.economy["falls_by"] if name in force), "")
        ends = row.get("ends", "")
        if because and ends and ends not in places.all_of_ways(ctx.tables):
            _lose_hold(ctx, who, row["place"], ends, because)


def _lose_hold(ctx: Context, who: Combatant, place: str, ends: str, because: str) -> None:
    """What becomes of somebody who can't go on that way: they are `falling`, or `sinking`."""
    held = who.named(place)
    feet = held.amount if held is not None else 0
    end_named(ctx, who.id, place, because)
    begin(ctx, who.id, ends, because=because, amount=feet)


_HEIGHTS = (("1", 10), ("2", 20), ("3", 30), ("6", 60))
"""What is offered where nobody has said how high somebody was: a key, and feet."""


def pending(state: Encounter) -> list[Pending]:
    """The falls that wait for the GM: from how high, and the damage."""
    falling = ((c, c.named(FALLING)) for c in state.combatants if c.effects)
    return [_fall_of(c, e.amount) for c, e in falling if e is not None and _waits(c)]


def _waits(who: Combatant) -> bool:
    """Whether a fall has yet to be said or rolled, and goes on by no turns."""
    falling = who.named(FALLING)
    return falling is not None and (bool(falling.because) or not falling.amount)


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
    for who in ctx.state.combatants:
        falling = who.named(FALLING) if who.effects else None
        if falling is not None and falling.amount and _waits(who):
            begin_fall(ctx, who.id, falling.amount)


# -- the command -----------------------------------------------------------------------------------


class _Fall(Struct, frozen=True):
    """`fall NAME[,NAME] FEET [DAMAGE]`; the damage as rolled, where affray is not to roll it."""

    people: Annotated[list[Combatant], arguments.people("who falls")]
    feet: Annotated[int, arguments.number("how many feet", 1, 99_999, "FEET")]
    amount: Annotated[int | None, arguments.amount("damage", usage="DAMAGE")] = None


def _fall(ctx: Context, said: _Fall) -> None:
    most = _deepest(ctx.tables)
    if said.feet > most:
        raise Refused(f"a fall is told for {most} feet at most, which takes three turns")
    for who in said.people:
        begin_fall(ctx, who.id, said.feet, said.amount)
    ctx.text = f"{they(said.people, 'falls', 'fall')} {said.feet} feet"


FALL_VERBS = (declare(FALL, "lets somebody fall: 1d6 for each 10 feet", _Fall, _fall),)

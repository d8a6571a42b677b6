"""Movement: on foot, by wing, up walls, through water and earth; standing up.

Seed 004: Movement, Basic Techniques (Move), Conditions (Prone).
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from affray.core.heart.decide import Context
from affray.core.heart.effects import end, end_named, forbidden
from affray.core.heart.state import Combatant
from affray.core.language import arguments
from affray.core.language.declared import ASKED_ELSEWHERE
from affray.core.language.refusal import Refused
from affray.rulekit import numbers
from affray.rulekit.acts import Pay
from affray.rulesets.monsters_and_magic import places, totals
from affray.rulesets.monsters_and_magic.falling import FALLING, SINKING

CRAWL, STAND, WALK = "crawl", "stand", "walk"
"""How one moves on the ground."""


class Move(Struct, frozen=True):
    """`move [crawl|stand|walk|fly|climb|swim|burrow] [up FEET]`.

    Without a word one goes on as before: who flies flies.
    """

    way: Annotated[
        str, arguments.one_of(CRAWL, STAND, WALK, *totals.WAYS, asks=ASKED_ELSEWHERE)
    ] = ""
    up: Annotated[int | None, places.UP] = None


def move(ctx: Context, said: Move, who: Combatant, pay: Pay) -> None:
    """Move: prone, it stands up for half its speed unless it crawls."""
    barred = forbidden(ctx.tables, ctx.state, who, "move")
    if barred:
        raise Refused(f"{who.name} can't move: {barred}")
    way = _way(ctx, said, who)
    if said.way == STAND and who.named("prone") is None:
        raise Refused(f"{who.name} is not prone")
    pay()
    does = _get_up(ctx, who, said)
    if way:
        does = " and ".join(
            [*([does] if does.startswith("stands") else []), _go(ctx, who, way, said.up)]
        )
    elif said.way == WALK:
        does += _come_down(ctx, who)
    ctx.text = f"{who.name} {does}"


def _way(ctx: Context, said: Move, who: Combatant) -> str:
    """The way of moving that takes somebody off the ground, or changes how high they are.

    Raises Refused for who hasn't the speed that it takes, and for a height on the ground.
    """
    row = ctx.tables.economy["ways"].get(said.way, {})
    if row.get("needs_speed") and not who.stats.get(said.way):
        raise Refused(f"{who.name} has no {said.way} speed")
    if said.up is None or row:
        return said.way if row else ""
    way = "" if said.way else places.way_of(ctx.tables, who)
    if not way:
        raise Refused("`up` is how high one flies or climbs: `move fly up 40`")
    return way


def _get_up(ctx: Context, who: Combatant, said: Move) -> str:
    """What somebody on the ground does, in words: the prone stand up first, unless they crawl."""
    prone = who.named("prone")
    if prone is None or said.way == CRAWL:
        return "crawls" if prone else "moves"
    end(ctx, who.id, prone.id, "stands up")
    return "stands up, for half its speed"


def _come_down(ctx: Context, who: Combatant) -> str:
    place = places.of_way(ctx.tables, who)
    if place is None:
        return ""
    end(ctx, who.id, place.id, "on the ground")
    return ", on the ground again"


def _go(ctx: Context, who: Combatant, way: str, up: int | None) -> str:
    """Go that way, which catches who falls: "flies up to 60 feet, 40 feet above the ground"."""
    row = ctx.tables.economy["ways"][way]
    places.put(ctx, who.id, row["place"], up)
    for name in (FALLING, SINKING):
        end_named(ctx, who.id, name, row["place"])
    here = totals.here(ctx, ctx.state[who.id])
    feet = numbers.value(here, way) if totals.has_way(who, way) else 0
    far = f" up to {feet} feet" if feet else ""
    return f"{row['says']}{far}{'' if up is None else f', {up} feet above the ground'}"

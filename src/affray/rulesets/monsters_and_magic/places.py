"""Where somebody is: in the air, in what light, behind what, seen or not. The command `place`.

Each is an effect of the kind `place`. Of those that exclude one another (`economy.places`) the last
one counts: who is put in dim light is no longer in darkness. `amount` is how many feet up somebody
is who flies or climbs, where that is known.

Seed 004: Light, Concealment, Cover, Movement, Underwater Combat.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated

from msgspec import Struct

from affray.core.heart.decide import Context
from affray.core.heart.effects import end_named
from affray.core.heart.state import MOST_KEPT, Combatant, Duration, Effect
from affray.core.language import arguments
from affray.core.language.clauses import names
from affray.core.language.declared import ASKED_ELSEWHERE, Reading
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import declare
from affray.core.rules.tables import Tables
from affray.rulekit.placing import Placing, placing_said, renew, until_for
from affray.rulesets.monsters_and_magic import conditions

PLACE = "place"
UP = arguments.clause(
    "up", arguments.number("how many feet up", 0, 9_999, "FEET"), asks=ASKED_ELSEWHERE
)
"""How far above the ground somebody is."""


def _excluding(tables: Tables, name: str) -> list[str]:
    """The places that one is in no longer who is put in this one."""
    rows = tables.economy["places"].values()
    return [other for row in rows if name in row for other in row if other != name]


def of_way(tables: Tables, who: Combatant) -> Effect | None:
    """How somebody gets about who doesn't go on the ground: `flying`."""
    if not who.effects:
        return None
    ways = all_of_ways(tables)
    return next((e for e in who.effects if e.name in ways), None)


def all_of_ways(tables: Tables) -> set[str]:
    """Where those are who don't go on the ground."""
    return {row["place"] for row in tables.economy["ways"].values()}


@lru_cache(maxsize=MOST_KEPT)  # with every command it is asked who of all would fall
def way_of(tables: Tables, who: Combatant) -> str:
    """The kind of speed with which somebody gets about: `fly`; empty on the ground."""
    place = of_way(tables, who)
    rows = tables.economy["ways"].items()
    return next((way for way, row in rows if place is not None and row["place"] == place.name), "")


def put(
    ctx: Context, who: str, name: str, up: int | None = None, placing: Placing | None = None
) -> None:
    """Put somebody in a place, until it is changed if nothing else is said."""
    before = ctx.state[who].named(name)
    for other in _excluding(ctx.tables, name):
        end_named(ctx, who, other, f"now {name}")
    placing = placing or Placing()
    until = until_for(conditions.LASTING, ctx, who, placing, name, Duration())
    feet = up if up is not None else before.amount if before is not None else 0
    renew(ctx, who, name, until, source=placing.source, amount=feet)


def _known(reading: Reading) -> list[str]:
    return conditions.names_of(reading.ctx, PLACE)


_SPOKEN = {"darkness": "dark", "magical-darkness": "magical-dark"}
"""Other words for places, as they are spoken."""


class _Place(Struct, frozen=True):
    """What `place` says."""

    people: Annotated[list[Combatant], arguments.people("who is there")]
    where: Annotated[str, arguments.choice("where", _known, "WHERE", PLACE, _SPOKEN)]
    up: Annotated[int | None, UP] = None
    placing: Annotated[Placing, placing_said(conditions.LASTING, "for N turns | until ...")] = (
        Placing()
    )


def _place(ctx: Context, said: _Place) -> None:
    if said.up is not None and said.where not in all_of_ways(ctx.tables):
        raise Refused(f"`up` is how high one flies or climbs, not for {said.where}")
    for who in said.people:
        put(ctx, who.id, said.where, said.up, said.placing)
    high = "" if said.up is None else f", {said.up} feet up"
    ctx.text = f"{names(said.people)}: {said.where}{high}"


PLACE_VERBS = (declare(PLACE, "says where somebody is: in the air, in the dark", _Place, _place),)

"""Rests. Seed 002: Healing and Recovery, Recovering From Fatigue, Temporary Hit Points; rules file,
11. Which level of fatigue goes with which rest is in tables/levels.toml."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Struct

from affray.core.heart.effects import end
from affray.core.heart.events import Changed, Forgot
from affray.core.heart.state import Combatant
from affray.core.language import arguments
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import Verb, declare
from affray.rulekit import levels
from affray.rulesets.level_up import damage

if TYPE_CHECKING:
    from affray.core.heart.decide import Context

RESTS = ("short", "long", "haven")
"""The rests with which levels can go; one at a haven is a long rest as well."""
OUTLASTED = ("turn", "round", "fight", "rest")
"""Ends of effects that come before hours have passed."""


class Rest(Struct, frozen=True):
    """What `rest` says."""

    kind: Annotated[str, arguments.choice("the kind of rest", ("short", "long"))]
    haven: Annotated[bool, arguments.flag()] = False


def _rest(ctx: Context, said: Rest) -> None:
    if ctx.state.phase == "combat":
        raise Refused("no rest in the middle of a fight; `end` closes it")
    where = " at a haven" if said.haven else ""
    why = f"a {said.kind} rest{where}"
    for who in ctx.state.combatants:
        if who.life != "dead":
            _pass_hours(ctx, who, why)
            if said.kind == "long":
                _sleep(ctx, who.id, why, said.haven)
    ctx.text = f"A {said.kind} rest{where}"


def _pass_hours(ctx: Context, who: Combatant, why: str) -> None:
    for effect in who.effects:
        if effect.until.ends in OUTLASTED:
            end(ctx, who.id, effect.id, why)
    if any(key.startswith("rest/") for key in who.uses):
        ctx.emit(Forgot(who.id, "rest"))


def _sleep(ctx: Context, who: str, why: str, haven: bool) -> None:
    """A long rest: temporary HP end, a level goes, and HP are full but of the dying (R38)."""
    temporary = ctx.state[who].track("temp_hp")
    if temporary:
        ctx.emit(Changed(who, "temp_hp", -temporary, why=why))
    levels.rested(ctx, who, RESTS if haven else ("short", "long"), why)
    if "hp" in ctx.state[who].tracks and ctx.state[who].life != "dying":
        damage.heal(ctx, who, ctx.state[who].room("hp"), why)


REST_VERBS: tuple[Verb, ...] = (
    declare("rest", "lets a rest pass; a haven takes deeper fatigue", Rest, _rest),
)

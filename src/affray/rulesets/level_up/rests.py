"""Rests. Seed 002: Healing and Recovery, Recovering From Fatigue, Temporary Hit Points; rules file,
11. Which level of fatigue goes with which rest is in tables/levels.toml."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from affray.core.heart.decide import Context
from affray.core.language import arguments
from affray.core.rules.ruleset import declare
from affray.rulekit import levels, rests
from affray.rulesets.level_up import damage

RESTS = ("short", "long", "haven")
"""The rests with which levels can go, each with those before it: a haven is for long ones."""
HOURS = rests.Rest(
    ends=("turn", "round", "fight", "rest"), forgets=("rest", "recharge*"), sets={"sprints": 0}
)
NIGHT = rests.Rest(forgets=("day",), sets={"temp_hp": 0})
"""What every rest resets, and what a long one does besides."""


class Rest(Struct, frozen=True):
    """What `rest` says."""

    kind: Annotated[str, arguments.choice("the kind of rest", ("short", "long"))]
    haven: Annotated[bool, arguments.flag()] = False


def _rest(ctx: Context, said: Rest) -> None:
    """Hours pass for all but the dead; a long rest ends temporary HP, takes a level and restores
    all HP, but of the dying (rules file, 11.1, R38)."""
    rests.refuse_in_a_fight(ctx)
    where = " at a haven" if said.haven else ""
    why = f"a {said.kind} rest{where}"
    is_long = said.kind == "long"
    kinds = RESTS[: 1 + is_long + (is_long and said.haven)]
    for who in rests.living(ctx):
        rests.reset(ctx, who.id, HOURS, why)
        levels.rested(ctx, who.id, kinds, why)
        if is_long:
            rests.reset(ctx, who.id, NIGHT, why)
        if is_long and "hp" in who.tracks and who.life != "dying":
            damage.heal(ctx, who.id, ctx.state[who.id].room("hp"), why)
    ctx.text = f"A {said.kind} rest{where}"


VERBS = (declare("rest", "lets a rest pass; a haven takes deeper fatigue", Rest, _rest),)

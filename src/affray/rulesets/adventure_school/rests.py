"""Rests. Seed 001: Short Rest, Long Rest; rules file, 20."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from affray.core.heart.decide import Context
from affray.core.language import arguments
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import Verb, declare
from affray.rulekit import rests
from affray.rulesets.adventure_school import creatures, life, resources, spellburn

SHORT = rests.Rest(
    ends=("turn", "round", "fight", "rest"),
    forgets=("rest",),
    sets={"control": rests.FULL},
)
"""What every rest resets; with the effects that last until it, maxima are as they were."""
LONG = rests.Rest(
    ends=("long-rest",), forgets=("long",), sets={"spirit": rests.FULL, "spellburn": rests.FULL}
)
"""What a long one resets besides."""


class Rest(Struct, frozen=True):
    """What `rest` says."""

    kind: Annotated[str, arguments.choice("the kind of rest", ("short", "long"))]
    interrupted: Annotated[bool, arguments.flag(heard="interrupted")] = False


def _rest(ctx: Context, said: Rest) -> None:
    """Hours pass for all but the dead; a long rest that was broken is a short one (20)."""
    rests.refuse_in_a_fight(ctx)
    if said.interrupted and said.kind == "short":
        raise Refused("only a long rest that is interrupted is still one: a short rest")
    is_long = said.kind == "long" and not said.interrupted
    why = f"a {said.kind} rest{', interrupted' if said.interrupted else ''}"
    for who in rests.living(ctx):
        spellburn.let_happen(ctx, who.id)
        resources.rested(ctx, who.id, why)
        rests.reset(ctx, who.id, SHORT, why)
        if is_long:
            rests.reset(ctx, who.id, LONG, why)
        else:
            _grow_die(ctx, who.id, why)
        life.settled(ctx, who.id)
        _recover(ctx, who.id, is_long, why)
    ctx.text = why.capitalize()


def _grow_die(ctx: Context, who: str, why: str) -> None:
    """The spellburn die is one size larger, at most its maximum (15.7)."""
    die = ctx.state[who].tracks.get("spellburn")
    if die is not None and die.value < (die.max or 0):
        larger = next(sides for sides in creatures.LADDER if sides > die.value)
        rests.set_track(ctx, who, "spellburn", min(larger, die.max or 0), why)


def _recover(ctx: Context, who: str, is_long: bool, why: str) -> None:
    """HP: half the maximum, rounded up, for those who are up; all for everybody by a long rest."""
    hp = ctx.state[who].tracks.get("hp")
    if hp is None or hp.max is None:
        return
    if ctx.state[who].life == "up":
        life.heal(ctx, who, hp.max if is_long else (hp.max + 1) // 2, why)
    elif is_long and hp.max:
        life.revive(ctx, who, hp.max, why)


REST_VERBS: tuple[Verb, ...] = (
    declare("rest", "lets a rest pass; a long one restores all", Rest, _rest),
)

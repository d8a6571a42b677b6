"""Temporary HP that have an end of their own.

An effect says when that is: with the effect they are gone, and the effect with the last of them.

A game declares what its `temp` says, with its own words for how long, gives them by `give`, and
calls `settle` when everything else of a command is done:

    class Temporary(cushion.Temporary, frozen=True):
        placing: Annotated[Placing, placing_said(LASTING, "for N turns")] = Placing()

    cushion.give(LASTING, ctx, "mira", said)   # `temp mira 6 for 2 turns`
"""

from __future__ import annotations

from typing import Annotated

from affray.core.heart.decide import Context
from affray.core.heart.effects import end_named
from affray.core.heart.events import Changed, Used
from affray.core.language import arguments
from affray.rulekit import harm, rests
from affray.rulekit.placing import Lasting, Placing, begin, until_for

CUSHION = "temporary-hp"
"""The effect that says when temporary HP end."""
_TIMED = "timed"


class Temporary(harm.Temporary, frozen=True):
    """What `temp` says: which of two amounts stay, where that is a choice, and until when."""

    stays: Annotated[harm.Stays, arguments.one_of("new", "keep")] = ""
    placing: Placing = Placing()


def give(game: Lasting, ctx: Context, who: str, said: Temporary) -> None:
    """Give temporary HP until they are gone, or their time is up."""
    if harm.temporary(ctx, who, said.amount, said.stays):
        _forget(ctx, who, "others in their place")
        if said.placing.is_timed:
            until = until_for(game, ctx, who, said.placing)
            begin(ctx, who, CUSHION, until, amount=said.amount)
            ctx.emit(Used(who, CUSHION, _TIMED))


def settle(ctx: Context, who: str) -> None:
    """End temporary HP whose effect has ended, or the effect of those that are used up."""
    target = ctx.state[who]
    if not target.used(CUSHION, _TIMED):
        return
    lasts, left = target.named(CUSHION) is not None, target.track("temp_hp")
    if left and not lasts:
        ctx.emit(Changed(who, "temp_hp", -left, why="the time of temporary HP is up"))
    if not (left and lasts):
        _forget(ctx, who, "used up")


def _forget(ctx: Context, who: str, why: str) -> None:
    end_named(ctx, who, CUSHION, why)
    rests.forget(ctx, who, _TIMED)

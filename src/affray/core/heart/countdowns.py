"""Clocks as rounds go by: pools of dice that are rolled, and how long they are likely to last."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, localcontext
from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING

from msgspec.structs import replace

from affray.core.heart.events import Counted, Rolled
from affray.core.heart.state import Clock

if TYPE_CHECKING:
    from affray.core.heart.decide import Context

PACES = {"slow": 0, "medium": 1, "fast": 2}
"""How many faces below the highest leave a pool too: of d6s 6, 5 and 6, or 4 to 6."""
MOST_DICE = 99
_DIGITS = 60
"""The terms of a mean are up to 10^29, with either sign: what is left of them must be exact."""


def begin_round(ctx: Context, first: bool = False) -> None:
    """Roll the pools, and take a step from the countdowns of rounds.

    In the `first` round of a fight only pools are rolled: a countdown of rounds loses a step for
    each round that is over.
    """
    for clock in ctx.state.clocks:
        if clock.stopped or not clock.value:
            continue
        if clock.sides or (clock.every == "round" and not first):
            count_down(ctx, clock)


def count_down(ctx: Context, clock: Clock) -> None:
    """Take a step from a countdown, or roll a pool."""
    if clock.sides:
        roll_pool(ctx, clock)
    else:
        ctx.emit(Counted(clock.name, replace(clock, value=clock.value - 1)))


def roll_pool(ctx: Context, pool: Clock, lying: Sequence[int] = ()) -> None:
    """Roll all dice of a pool, or take them as they lie: those that show enough leave it."""
    source = ctx.dice_of("", pool.name)
    faces = tuple(lying) or tuple(source.die(pool.sides) for _ in range(pool.value))
    dice = f"{pool.value}d{pool.sides}"
    ctx.emit(Rolled("", dice, faces, for_=pool.name, by_hand=bool(lying)))
    left = sum(1 for face in faces if face < pool.drops)
    ctx.emit(Counted(pool.name, replace(pool, value=left), why=f"{pool.value - left} left it"))


@lru_cache(maxsize=64)
def rolls_expected(dice: int, sides: int, drops: int) -> int:
    """How many rolls a pool lasts on average, to the nearest: 4d6 of which 5s and 6s leave, 6.

    That is until the last of its dice has left: the mean of the greatest of so many waits, each of
    them for one die. 0 for no dice, and for dice that never leave. More than `MOST_DICE` are taken
    for so many.
    """
    dice = min(dice, MOST_DICE)
    with localcontext(prec=_DIGITS):
        stays = Decimal(max(drops - 1, 0)) / max(sides, 1)
        if stays >= 1:
            return 0
        terms = (
            (-1) ** (some + 1) * comb(dice, some) / (1 - stays**some) for some in range(1, dice + 1)
        )
        return round(sum(terms, Decimal(0)))


def lasts(pool: Clock) -> int:
    """How many rolls a pool still lasts on average; 0 when it has run out."""
    return rolls_expected(pool.value, pool.sides, pool.drops)

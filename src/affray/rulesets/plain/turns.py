"""Initiative, and what a turn brings."""

from __future__ import annotations

from collections.abc import Sequence

from affray.core.dice.notation import parse_dice, roll
from affray.core.heart.decide import Context
from affray.core.heart.events import Rolled
from affray.core.heart.state import Slot
from affray.core.language.clauses import refuse_two_dice
from affray.rulekit import numbers
from affray.rulesets.plain.numbers import NUMBERS


def roll_initiative(ctx: Context, ids: list[str], lying: tuple[int, ...] = ()) -> dict[str, int]:
    """The table's die for each, or the dice that lie there, with `init`; gives their totals."""
    return {who: _roll_one(ctx, who, lying) for who in ids}


def _roll_one(ctx: Context, who: str, lying: tuple[int, ...]) -> int:
    roller, dice = ctx.state[who], str(ctx.tables.economy["initiative"])
    bonus = roller.number("init")
    bonus += numbers.value(numbers.here(NUMBERS, ctx, roller), "initiative")
    if lying:
        if sum(pool.count for pool in parse_dice(dice).pools) == 1:
            refuse_two_dice(lying)
        faces, fell = lying, sum(lying)
    else:
        rolled = roll(parse_dice(dice), ctx.dice)
        faces, fell = rolled.faces, rolled.total
    said = f"{dice}{bonus:+d}" if bonus else dice
    ctx.emit(Rolled(who, said, faces, fell + bonus, for_="initiative", by_hand=bool(lying)))
    return fell + bonus


def tie_rank(ctx: Context, who: str, total: int, placed: Sequence[Slot]) -> tuple[int, ...]:
    """On a tie characters go first."""
    return () if ctx.state[who].kind == "pc" else (1,)


def turn_started(ctx: Context, who: str) -> None:
    """Nothing is paid with here, so nothing comes back."""

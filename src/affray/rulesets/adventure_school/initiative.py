"""Initiative, and who goes first of those who tie. Rules file, 2.1 and R6."""

from __future__ import annotations

from collections.abc import Sequence

from affray.core.heart.decide import Context
from affray.core.heart.state import Combatant, Slot
from affray.rulekit import leaning, numbers, rolls
from affray.rulekit.numbers import Part
from affray.rulekit.rolls import Die, Roll
from affray.rulesets.adventure_school import totals


def roll(ctx: Context, ids: list[str], lying: tuple[int, ...] = ()) -> dict[str, int]:
    """A d20 and `init` for each, with advantage for the hidden."""
    return {who: _roll_one(ctx, ctx.state[who], lying) for who in ids}


def _roll_one(ctx: Context, who: Combatant, lying: tuple[int, ...]) -> int:
    here = totals.here(ctx, who)
    parts = [Part(who.number("init"), "own initiative"), *numbers.parts(here, "initiative")]
    pro, con = leaning.leaning(here, ("initiative",))
    die = Die(faces=lying)
    return rolls.total_of(ctx, Roll(who.id, "initiative", die, parts, pro=pro, con=con))


def tie_rank(ctx: Context, who: str, total: int, placed: Sequence[Slot]) -> tuple[int, ...]:
    """The higher `init` first, then characters, then as they were added (R6)."""
    newcomer = ctx.state[who]
    first = 0 if newcomer.kind == "pc" else 1
    return (-newcomer.number("init"), first, ctx.state.place_of(who) or 0)

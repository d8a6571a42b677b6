"""Initiative as a d20 and the sheet's `init`; of those who tie the higher `init` goes first."""

from __future__ import annotations

from collections.abc import Sequence

from affray.core.heart.decide import Context
from affray.core.heart.state import Slot
from affray.rulekit import numbers, rolls
from affray.rulekit.leaning import leaning
from affray.rulekit.numbers import Part, Situation
from affray.rulekit.rolls import Die, Roll


def roll(ctx: Context, here: Situation, lying: tuple[int, ...] = ()) -> int:
    """Roll it for somebody, with all that is in force on them; `lying` are faces that lie there."""
    parts = [Part(here.who.number("init"), "own initiative"), *numbers.parts(here, "initiative")]
    pro, con = leaning(here, ("initiative",))
    made = Roll(here.who.id, "initiative", Die(faces=lying), parts, pro=pro, con=con)
    return rolls.total_of(ctx, made)


def tie_rank(ctx: Context, who: str, total: int, placed: Sequence[Slot]) -> tuple[int, ...]:
    """Of those who tie the higher `init` first, then characters, then as they were added."""
    newcomer = ctx.state[who]
    is_pc = newcomer.kind == "pc"
    return (-newcomer.number("init"), 0 if is_pc else 1, ctx.state.place_of(who) or 0)

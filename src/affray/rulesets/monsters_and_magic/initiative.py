"""Initiative. Seed 004: Order, Dynamic Initiative, Statuses (Invisible)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from affray.core import turns
from affray.core.clauses import refuse_two_dice
from affray.core.effects import in_force, rule_of
from affray.core.events import Rolled
from affray.core.state import OUT_OF_THE_FIGHT, Slot
from affray.rulesets.monsters_and_magic import checks, forwards, totals

if TYPE_CHECKING:
    from affray.core.decide import Context


def roll(ctx: Context, ids: list[str], lying: tuple[int, ...] = ()) -> dict[str, int]:
    """Roll for each of them, in that order, or take the dice that lie there; gives their totals."""
    return {who: _roll_one(ctx, who, lying) for who in ids}


def _roll_one(ctx: Context, who: str, lying: tuple[int, ...]) -> int:
    """Roll cunning (CR for a monster) as a plain total, without success steps; gives the total."""
    roller = ctx.state[who]
    have = in_force(ctx.tables, ctx.state, roller)
    lucky = [n for n in have if "initiative" in rule_of(ctx.tables, n).advantage]
    if not lucky:
        refuse_two_dice(lying)
    faces = lying or tuple(ctx.dice.die(20) for _ in range(2 if lucky else 1))
    used = forwards.fitting(roller, ("initiative",))
    parts = [
        checks.ability(roller, "cunning"),
        *totals.shares(ctx.tables, ctx.state, roller, "check"),
        *forwards.shares(used),
    ]
    total = max(faces) + sum(int(p.amount) for p in parts)
    why = ", ".join(f"{p.amount:+d} {p.source}" for p in parts if p.amount)
    dice = "2d20kh1" if len(faces) == 2 else "1d20"
    ctx.emit(
        Rolled(who, dice, faces, total, max(faces), "initiative", why=why, by_hand=bool(lying))
    )
    forwards.use(ctx, who, used)
    return total


def tie_rank(ctx: Context, who: str, total: int, placed: Sequence[Slot]) -> tuple[int, ...]:
    """On a tie player characters go first, then monsters."""
    return () if ctx.state[who].kind == "pc" else (1,)


def round_ended(ctx: Context) -> None:
    """With dynamic initiative everyone rolls anew at the end of a round."""
    if ctx.state.settings.get("dynamic-initiative") != "on":
        return
    alive = [
        s.who
        for s in ctx.state.slots
        if not s.gone and (c := ctx.state.find(s.who)) and c.life not in OUT_OF_THE_FIGHT
    ]
    turns.give_initiative(ctx, roll(ctx, alive))

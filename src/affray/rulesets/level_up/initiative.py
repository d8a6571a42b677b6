"""Initiative and surprise. Rules file, 1.6 and R2; the seed has neither."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.heart import timing
from affray.core.heart.effects import gain
from affray.core.heart.events import Rolled
from affray.core.heart.state import Effect, Slot
from affray.core.language.clauses import refuse_two_dice, they
from affray.core.language.refusal import Refused
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb
from affray.rulesets.level_up import creatures, totals

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affray.core.heart.decide import Context

SURPRISED = "surprised"


def roll(ctx: Context, ids: list[str], lying: tuple[int, ...] = ()) -> dict[str, int]:
    """A d20 and `init` for each; who is under somebody's control has their owner's total."""
    refuse_two_dice(lying)
    found: dict[str, int] = {}
    owned = [who for who in ids if creatures.owner_here(ctx.state, ctx.state[who])]
    for who in (who for who in ids if who not in owned):
        own = ctx.state[who].number("init")
        bonus = own + totals.number_now(ctx.tables, ctx.state, ctx.state[who], "initiative")
        face = lying[0] if lying else ctx.dice.die(20)
        dice = f"1d20{bonus:+d}" if bonus else "1d20"
        fell = Rolled(who, dice, (face,), face + bonus, face, "initiative", by_hand=bool(lying))
        ctx.emit(fell)
        found[who] = face + bonus
    for who in owned:
        slot = ctx.state.slot(owner := creatures.owner_of(ctx.state[who]))
        total = found.get(owner, slot.initiative if slot is not None else None)
        if total is not None:
            found[who] = total
    return found


def tie_rank(ctx: Context, who: str, total: int, placed: Sequence[Slot]) -> tuple[int, ...]:
    """The higher `init` first, then characters, then as they were added (rules file, R2)."""
    newcomer = ctx.state[who]
    return (
        -newcomer.number("init"),
        0 if newcomer.kind == "pc" else 1,
        ctx.state.place_of(who) or 0,
    )


def _surprise(ctx: Context, words: Words) -> None:
    people = words.combatants("who is surprised")
    for who in people:
        slot = ctx.state.slot(who.id)
        if ctx.state.phase == "combat" and slot is not None and slot.turns and slot.round:
            raise Refused(f"{who.name} has had a turn already, and is no longer surprised")
    for who in people:
        until = timing.at_turn(ctx.state, who.id, "end")
        gain(ctx, who.id, Effect(SURPRISED, SURPRISED, "condition", until))
    ctx.text = f"{they(people, 'is', 'are')} surprised"


SURPRISE_VERBS = (
    Verb(
        "surprise",
        "surprise NAME[,NAME]",
        "surprises somebody as the fight begins: nothing to do in the first turn",
        _surprise,
    ),
)

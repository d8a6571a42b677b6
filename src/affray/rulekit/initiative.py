"""Initiative by a d20: rolled, who goes first of those who tie, and that of companions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from affray.core.heart.decide import Context
from affray.core.heart.state import Encounter, Slot
from affray.rulekit import numbers
from affray.rulekit.leaning import leaning, use_up
from affray.rulekit.numbers import Part, Situation
from affray.rulekit.recorded import owner_of
from affray.rulekit.rolls import Die, Roll, total_of


def roll(ctx: Context, here: Situation, lying: tuple[int, ...] = ()) -> int:
    """A d20 and the sheet's `init`, with all that is in force; `lying` are faces that lie there. It
    uses up what lasts until used."""
    parts = [Part(here.who.number("init"), "own initiative"), *numbers.parts(here, "initiative")]
    pro, con = leaning(here, ("initiative",))
    made = Roll(here.who.id, "initiative", Die(faces=lying), parts, pro=pro, con=con)
    total = total_of(ctx, made)
    use_up(ctx, here.numbers, here.who.id, ("initiative",))
    return total


def tie_rank(ctx: Context, who: str, total: int, placed: Sequence[Slot]) -> tuple[int, ...]:
    """Of those who tie the higher `init` first, then characters, then as they were added."""
    newcomer = ctx.state[who]
    return (-newcomer.number("init"), int(newcomer.kind != "pc"), ctx.state.place_of(who) or 0)


def owners_totals(state: Encounter, people: Iterable[str], found: dict[str, int]) -> dict[str, int]:
    """The initiative of those who have their owner's: as it was just found, or stands; nothing for
    whose owner has none yet, which will be theirs as well."""
    known: dict[str, int | None] = {s.who: s.initiative for s in state.slots} | {**found}
    totals = {who: known.get(owner_of(state[who])) for who in people}
    return {who: total for who, total in totals.items() if total is not None}

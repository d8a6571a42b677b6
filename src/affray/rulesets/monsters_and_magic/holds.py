"""Holds: charges of something, until a long rest or an end of their own.

A hold is a track of a name that no other track has. Charges with an end stand in an effect
`holding` as well: `amount` of them, `type` the track; they are gone when it ends. Seed 004:
Ongoing, Forward, and Hold.
"""

from __future__ import annotations

from affray.core.heart.decide import Context
from affray.core.heart.events import Changed
from affray.core.heart.state import Combatant
from affray.core.language.clauses import they
from affray.core.language.refusal import Refused
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb
from affray.rulekit.placing import Placing, begin, read_placing, until_for
from affray.rulesets.monsters_and_magic import charges, tracks
from affray.rulesets.monsters_and_magic.conditions import LASTING


def _hold(ctx: Context, words: Words) -> None:
    people = words.combatants("who holds")
    first = words.number("how many", -999, 999) if words.has_number() else None
    name = "-".join(words.next("what is held").casefold().split())
    if not tracks.is_hold(ctx.tables, name) or not name.replace("-", "").isalpha():
        raise Refused(f"{name!r} can't be held: give it a name in letters that no track has")
    amount = first if first is not None else words.number("how many (negative: spent)", -999, 999)
    placing = read_placing(LASTING, ctx, words)
    if amount < 0 and placing != Placing():
        raise Refused("what is spent is gone: only what is gained has an end")
    for who in people:
        if amount >= 0:
            _gain(ctx, who, name, amount, placing)
        else:
            charges.spend(ctx, who, name, -amount)
    does = ("holds", "hold") if amount >= 0 else ("spends", "spend")
    ctx.text = f"{they(people, *does)} {name}"


def _gain(ctx: Context, who: Combatant, name: str, amount: int, placing: Placing) -> None:
    """Gain charges; those with an end are held until then."""
    ctx.emit(Changed(who.id, name, amount))
    if placing == Placing() or not amount:
        return
    until = until_for(LASTING, ctx, who.id, placing)
    begin(ctx, who.id, "holding", until, placing, amount=amount, type=name, charges=True)


HOLD_VERBS = (
    Verb(
        "hold",
        "hold NAME[,NAME] WHAT N [for N turns | until ...]",
        "gives charges to hold, or spends them (negative)",
        _hold,
    ),
)

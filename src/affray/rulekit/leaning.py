"""Reasons for advantage and disadvantage on a roll, and what a roll uses up.

They come from the rows of what is in force (`advantage`, `disadvantage`, `suffers`) and from what
the GM said of an effect. One that is `against` somebody counts against that creature alone.

    pro, con = leaning(roller, ("attack",), target, here=("near",))
    # ["invisible", "target prone"], ["blinded"]
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

from affray.core.heart.decide import Context
from affray.core.heart.effects import end, rule_of
from affray.core.heart.state import Effect
from affray.core.rules.tables import Tables
from affray.rulekit.numbers import Numbers, Situation, counts

Side = Literal["advantage", "disadvantage"]
SIDES: tuple[Side, Side] = ("advantage", "disadvantage")


def leaning(
    roller: Situation,
    kinds: Collection[str],
    target: Situation | None = None,
    here: Collection[str] = (),
    tags: Sequence[str] = (),
) -> tuple[list[str], list[str]]:
    """Why a roll has advantage and why it has disadvantage, by what is in force on both sides.

    kinds   what the roll is, as rows call it: `attack`; a saving throw may be `save`, `dex-save`
    target  whom it is made against
    here    what holds between the two, of the words that `suffers` has: `near`, `far`
    tags    those of the attack that is made
    """
    other = target.who.id if target is not None else ""
    pro = own_reasons(roller, "advantage", kinds, other, tags)
    con = own_reasons(roller, "disadvantage", kinds, other, tags)
    if target is not None and target.effects:
        by = roller.who.id
        pro += [f"target {name}" for name in suffered(target, "advantage", by, here)]
        con += [f"target {name}" for name in suffered(target, "disadvantage", by, here)]
    return pro, con


def own_reasons(
    roller: Situation,
    side: Side,
    kinds: Collection[str],
    against: str = "",
    tags: Sequence[str] = (),
) -> list[str]:
    """The names of what gives somebody's own rolls advantage, or disadvantage, each once."""
    names = [
        effect.name
        for effect in roller.effects
        if _leans(roller.tables, effect, side, kinds) and counts(effect, tags, against)
    ]
    return list(dict.fromkeys(names))


def _leans(tables: Tables, effect: Effect, side: Side, kinds: Collection[str]) -> bool:
    said = (*getattr(rule_of(tables, effect.name), side), *getattr(effect, side))
    return any(kind in said for kind in kinds)


def suffered(target: Situation, side: str, by: str, here: Collection[str] = ()) -> list[str]:
    """The names of what gives rolls of `by` against somebody advantage, or disadvantage, once each:
    `always`, for its `source` alone, or where one of the words in `here` holds between the two."""
    names = [
        effect.name
        for effect in target.effects
        if _holds(effect, rule_of(target.tables, effect.name).suffers.get(side, ""), by, here)
    ]
    return list(dict.fromkeys(names))


def _holds(effect: Effect, when: str, by: str, here: Collection[str]) -> bool:
    holds = when == "always" or when in here or (when == "source" and effect.source == by)
    return holds and counts(effect, against=by)


# -- what a roll uses up ---------------------------------------------------------------------------


def use_up(
    ctx: Context,
    numbers: Numbers,
    who: str,
    kinds: Collection[str],
    tags: Sequence[str] = (),
    against: str = "",
) -> None:
    """End what a roll of somebody's, or one against a number of theirs, has used up.

    That is what counts in those kinds of rolls or numbers and lasts until it is used, or is of a
    kind that one roll uses up (`Numbers.spent`).
    """
    for effect in ctx.state[who].effects:
        if _is_for_once(numbers, effect) and counts(effect, tags, against):
            leans = any(_leans(ctx.tables, effect, side, kinds) for side in SIDES)
            if leans or any(kind in effect.modifiers for kind in kinds):
                end(ctx, who, effect.id, "used")


def use_up_on(ctx: Context, numbers: Numbers, target: str, by: str) -> None:
    """End what made a roll of `by` against somebody easier or harder, and is used up by it."""
    for effect in ctx.state[target].effects:
        suffers = rule_of(ctx.tables, effect.name).suffers
        if suffers and _is_for_once(numbers, effect) and counts(effect, against=by):
            end(ctx, target, effect.id, "used")


def _is_for_once(numbers: Numbers, effect: Effect) -> bool:
    is_used = effect.until.ends == "use" or effect.kind in numbers.spent
    return is_used and effect.kind not in numbers.apart

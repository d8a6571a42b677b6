"""Why a roll has advantage or disadvantage, and what one roll uses up of what is in force.

Reasons come from rows (`advantage`, `disadvantage`, `suffers`) and from effects' own modifiers. One
that is `against` a creature counts against that creature alone.

    pro, con = advantage_reasons(mira, ("attack",), ghoul, ("near",))   # (["hidden"], ["prone"])
    consume_reasons(ctx, STATS, "mira", ("attack",))                    # `hidden` was until used

A `checks.Check` asks for the roller's own, and uses up what it names.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

from affray.core.engine.effects import effect_row, remove_effect
from affray.core.engine.state import Effect
from affray.core.rules.ruleset import Context
from affray.core.rules.tables import Tables
from affray.mechanics.stats import CombatantSituation, StatRules, applies_to_roll

Side = Literal["advantage", "disadvantage"]
SIDES: tuple[Side, Side] = ("advantage", "disadvantage")


def advantage_reasons(
    roller: CombatantSituation,
    kinds: Collection[str],
    target: CombatantSituation | None = None,
    conditions_met: Collection[str] = (),
    tags: Sequence[str] = (),
) -> tuple[list[str], list[str]]:
    """Why a roll has advantage and why it has disadvantage, by what is in force on both sides.

    kinds   what the roll is, as rows call it: `attack`; a saving throw may be `save`, `dex-save`
    target  whom it is made against
    here    what holds between the two, of the words that `suffers` has: `near`, `far`
    tags    those of the attack that is made
    """
    other = target.who.id if target is not None else ""
    pro = own_roll_reasons(roller, "advantage", kinds, other, tags)
    con = own_roll_reasons(roller, "disadvantage", kinds, other, tags)
    if target is not None and target.effects:
        by = roller.who.id
        pro += [
            f"target {name}" for name in reasons_against(target, "advantage", by, conditions_met)
        ]
        con += [
            f"target {name}" for name in reasons_against(target, "disadvantage", by, conditions_met)
        ]
    return pro, con


def own_roll_reasons(
    roller: CombatantSituation,
    side: Side,
    kinds: Collection[str],
    against: str = "",
    tags: Sequence[str] = (),
) -> list[str]:
    """The names of what gives somebody's own rolls advantage, or disadvantage, each once."""
    names = [
        effect.name
        for effect in roller.effects
        if _gives(roller.tables, effect, side, kinds) and applies_to_roll(effect, tags, against)
    ]
    return list(dict.fromkeys(names))


def _gives(tables: Tables, effect: Effect, side: Side, kinds: Collection[str]) -> bool:
    roll_kinds = (*getattr(effect_row(tables, effect.name), side), *getattr(effect, side))
    return any(kind in roll_kinds for kind in kinds)


def reasons_against(
    target: CombatantSituation, side: str, by: str, conditions_met: Collection[str] = ()
) -> list[str]:
    """The names of what gives rolls of `by` against somebody advantage, or disadvantage, once each:
    `always`, for its `source` alone, or where one of the words in `conditions_met` holds between
    the two."""
    names = [
        effect.name
        for effect in target.effects
        if _applies_between(
            effect, effect_row(target.tables, effect.name).suffers.get(side, ""), by, conditions_met
        )
    ]
    return list(dict.fromkeys(names))


def _applies_between(effect: Effect, when: str, by: str, conditions_met: Collection[str]) -> bool:
    holds = when == "always" or when in conditions_met or (when == "source" and effect.source == by)
    return holds and applies_to_roll(effect, against=by)


# -- what a roll uses up ---------------------------------------------------------------------------


def consume_reasons(
    ctx: Context,
    numbers: StatRules,
    combatant_id: str,
    kinds: Collection[str],
    tags: Sequence[str] = (),
    against: str = "",
) -> None:
    """End what a roll of somebody's, or one against a number of theirs, has used up.

    That is what counts in those kinds of rolls or numbers and lasts until it is used, or is of a
    kind that one roll uses up (`StatRules.spent`).
    """
    for effect in ctx.state[combatant_id].effects:
        if _is_used_by_roll(numbers, effect) and applies_to_roll(effect, tags, against):
            leans = any(_gives(ctx.tables, effect, side, kinds) for side in SIDES)
            if leans or any(kind in effect.modifiers for kind in kinds):
                remove_effect(ctx, combatant_id, effect.id, "used")


def use_up_on(ctx: Context, numbers: StatRules, target: str, by: str) -> None:
    """End what made a roll of `by` against somebody easier or harder, and is used up by it."""
    for effect in ctx.state[target].effects:
        suffers = effect_row(ctx.tables, effect.name).suffers
        if suffers and _is_used_by_roll(numbers, effect) and applies_to_roll(effect, against=by):
            remove_effect(ctx, target, effect.id, "used")


def _is_used_by_roll(numbers: StatRules, effect: Effect) -> bool:
    is_used = effect.until.ends == "use" or effect.kind in numbers.spent
    return is_used and effect.kind not in numbers.apart

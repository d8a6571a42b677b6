"""Damage: weakened, resistance and vulnerability, temporary HP, and what 0 HP brings.

Seed 003: Damage, Damage Resistance and Vulnerability, Temporary Hit Points, Conditions (Weakened).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from affray.core.heart.effects import in_force
from affray.core.heart.state import Combatant, Encounter
from affray.core.rules.tables import Tables
from affray.rulekit import harm, numbers
from affray.rulekit.numbers import ALL
from affray.rulesets.orcus import creatures, dying

if TYPE_CHECKING:
    from affray.core.heart.decide import Context


class Blow(Struct, frozen=True):
    """Damage on its way: how much of what, by whose attack, if it is one.

    `knockout`: at 0 HP the target is knocked out instead of killed. `lethal`: a coup de grace, of
    which the staggered value kills. `attack` tells that it is an attack's damage, which weakened
    and incorporeal halve.
    """

    amount: int
    type: str = ""
    by: str = ""
    attack: bool = False
    knockout: bool = False
    lethal: bool = False
    half: bool = False
    label: str = ""


def resistance(tables: Tables, state: Encounter, who: Combatant, kind: str) -> int:
    """The highest resistance to that type of damage; conditions and effects among them."""
    rows = numbers.resisted(tables, in_force(tables, state, who), kind)
    return max([*_amounts(who, "resist", "resistance", kind), *rows])


def vulnerability(who: Combatant, kind: str) -> int:
    """The highest vulnerability to that type of damage."""
    return max(_amounts(who, "vulnerable", "vulnerability", kind))


def _amounts(who: Combatant, stat: str, effect: str, kind: str) -> list[int]:
    """What somebody has against a type of damage: 0, their own, and that of effects of a name."""
    own = numbers.fitting(creatures.amounts_of(who, stat), kind)
    laid = (e.amount for e in who.effects if e.name == effect and e.type in (ALL, kind))
    return [0, *own, *laid]


def is_immune(who: Combatant, kind: str) -> bool:
    """Whether damage of that type does nothing to it."""
    return bool(kind) and kind in creatures.immunities_of(who)


def _steps(ctx: Context, who: Combatant, blow: Blow) -> Iterator[harm.Step]:
    """Halves, at least 1 of something; immunity; vulnerability, resistance: 003's order.

    Seed 003: Rounding Fractions, Damage Resistance and Vulnerability.
    """
    for why in _halvings(ctx, who, blow):
        yield harm.half(why, least=1)
    if is_immune(who, blow.type):
        yield harm.nothing(f"immune to {blow.type}")
        return
    if blow.amount > 0 and (more := vulnerability(who, blow.type)):
        yield harm.more(more, "vulnerable")
    if less := resistance(ctx.tables, ctx.state, who, blow.type):
        yield harm.less(less, "resist")


def _halvings(ctx: Context, who: Combatant, blow: Blow) -> list[str]:
    """Why a blow is halved, each reason once: half on a miss, weakened, incorporeal."""
    why = ["half"] if blow.half else []
    by = ctx.state.find(blow.by) if blow.by and blow.attack else None
    if by is not None:
        force = in_force(ctx.tables, ctx.state, by)
        why += [effect.name for effect in numbers.halvings(ctx.tables, force, "damage")]
    if blow.attack and who.stats.get("incorporeal"):
        why.append("incorporeal")
    return why


def deal(ctx: Context, who: str, blow: Blow) -> int:
    """Let a blow land: temporary HP first, then HP, then what follows. Gives what got through.

    Raises Refused for somebody who is dead, or who has no HP.
    """
    target = harm.target(ctx, who)
    fell = max(0, blow.amount)
    said = harm.amount_in_words(fell, blow.type, blow.label)
    amount, how = harm.taken(fell, said, _steps(ctx, target, blow))
    if amount == 0:
        harm.tell_no_damage(ctx, who, how)
        return 0
    fatal = blow.lethal and amount >= creatures.staggered_value(target) and not blow.knockout
    lose(ctx, who, amount, how, blow.knockout, "a coup de grace" if fatal else "")
    return amount


def lose(
    ctx: Context, who: str, amount: int, why: str, knockout: bool = False, fatal: str = ""
) -> None:
    """Lose HP that nothing keeps off, temporary ones first, with what 0 HP brings.

    `fatal` says why it kills outright, if it does.
    """
    loss = harm.lose(ctx, who, amount, why, None if has_negative_hp(ctx.state) else 0)
    is_killed = bool(fatal) and not creatures.is_summon(ctx.state[who])  # a summon has its price
    if is_killed:
        dying.die(ctx, who, fatal)
    elif fatal or (loss.depth <= 0 and amount > loss.temp):
        dying.fall(ctx, who, knockout, loss.depth)


def has_negative_hp(state: Encounter) -> bool:
    """Whether HP go below 0; not in the variant (seed 003: Variant: No Negative HP)."""
    return state.settings.get("negative-hp", "on") != "off"


def known_types(ctx: Context) -> Iterator[str]:
    """The types of damage that the rules or somebody's resistances name, and `all`."""
    yield from dealt_types(ctx)
    yield ALL


def dealt_types(ctx: Context) -> Iterator[str]:
    """The types that damage can be of: those that the rules or somebody's resistances name."""
    known = harm.known_types(ctx, ("resist", "vulnerable", "immune"), _named_types)
    return (kind for kind in known if kind != ALL)


def _named_types(who: Combatant) -> list[str]:
    amounts = (creatures.amounts_of(who, stat) for stat in ("resist", "vulnerable"))
    return [*(kind for row in amounts for kind in row), *creatures.immunities_of(who)]

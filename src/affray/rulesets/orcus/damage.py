"""Damage: weakened, resistance and vulnerability, temporary HP, and what 0 HP brings.

Seed 003: Damage, Damage Resistance and Vulnerability, Temporary Hit Points, Conditions (Weakened).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from affray.core.heart.effects import in_force, rule_of
from affray.core.heart.events import Changed, Noted
from affray.core.heart.state import Combatant, Encounter
from affray.core.language.refusal import Refused
from affray.core.rules.tables import Tables
from affray.rulesets.orcus import creatures, dying

if TYPE_CHECKING:
    from affray.core.heart.decide import Context

ALL = "all"
"""What a resistance or vulnerability to every type of damage is called."""


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
    found = [0, *_fitting(creatures.amounts_of(who, "resist"), kind)]
    for name in in_force(tables, state, who):
        found += _fitting(rule_of(tables, name).resist, kind)
    return max([*found, *_for_a_time(who, "resistance", kind)])


def vulnerability(who: Combatant, kind: str) -> int:
    """The highest vulnerability to that type of damage."""
    own = _fitting(creatures.amounts_of(who, "vulnerable"), kind)
    return max([0, *own, *_for_a_time(who, "vulnerability", kind)])


def _fitting(amounts: dict[str, int], kind: str) -> list[int]:
    return [amount for name, amount in amounts.items() if name in (kind, ALL)]


def _for_a_time(who: Combatant, name: str, kind: str) -> list[int]:
    """What effects of that name give against a type of damage."""
    return [e.amount for e in who.effects if e.name == name and e.type in (kind, ALL)]


def is_immune(who: Combatant, kind: str) -> bool:
    """Whether damage of that type does nothing to it."""
    return bool(kind) and kind in creatures.immunities_of(who)


def halved(amount: int) -> int:
    """Half, rounded down, but at least 1 of something (seed 003: Rounding Fractions)."""
    return max(1, amount // 2) if amount > 0 else 0


def taken(ctx: Context, who: Combatant, blow: Blow) -> tuple[int, str]:
    """What a blow comes to on somebody, and how, in words: "8 fire, weakened 4, resist 5"."""
    amount = max(0, blow.amount)
    how = [f"{amount}{f' {blow.type}' if blow.type else ''}{blow.label}"]
    for word in _halvings(ctx, who, blow):
        amount = halved(amount)
        how.append(f"{word} {amount}")
    if is_immune(who, blow.type):
        return 0, ", ".join([*how, f"immune to {blow.type}"])
    more = vulnerability(who, blow.type) if amount else 0
    less = resistance(ctx.tables, ctx.state, who, blow.type)
    if more:
        how.append(f"vulnerable {more}")
    if less:
        how.append(f"resist {less}")
    return max(0, amount + more - less), ", ".join(how)


def _halvings(ctx: Context, who: Combatant, blow: Blow) -> list[str]:
    """Why a blow is halved, each reason once: half on a miss, weakened, incorporeal."""
    why = ["half"] if blow.half else []
    by = ctx.state.find(blow.by) if blow.by and blow.attack else None
    if by is not None:
        have = in_force(ctx.tables, ctx.state, by)
        why += [name for name in have if "damage" in rule_of(ctx.tables, name).halves]
    if blow.attack and who.stats.get("incorporeal"):
        why.append("incorporeal")
    return why


def deal(ctx: Context, who: str, blow: Blow) -> int:
    """Let a blow land: temporary HP first, then HP, then what follows. Gives what got through.

    Raises Refused for somebody who is dead, or who has no HP.
    """
    target = ctx.state[who]
    require_hp(target, "damaged")
    if target.life == "dead":
        raise Refused(f"{target.name} is dead")
    amount, how = taken(ctx, target, blow)
    if amount == 0:
        ctx.emit(Noted(f"{target.name} takes no damage ({how})"))
        return 0
    fatal = blow.lethal and amount >= creatures.staggered_value(target) and not blow.knockout
    lose(ctx, who, amount, how, blow.knockout, "a coup de grace" if fatal else "")
    return amount


def has_just_died(ctx: Context, who: str) -> bool:
    """Whether the same command killed somebody before it came to them, as a summon's end may."""
    before = ctx.before.find(who)
    return ctx.state[who].life == "dead" and before is not None and before.life != "dead"


def require_hp(target: Combatant, done: str) -> None:
    """Raises Refused for somebody without HP."""
    if "hp" not in target.tracks:
        raise Refused(f"{target.name} has no HP that could be {done}")


def lose(
    ctx: Context, who: str, amount: int, why: str, knockout: bool = False, fatal: str = ""
) -> None:
    """Lose HP that nothing keeps off, temporary ones first, with what 0 HP brings.

    `fatal` says why it kills outright, if it does.
    """
    target = ctx.state[who]
    cushion = max(0, min(amount, target.track("temp_hp")))
    if cushion:
        ctx.emit(Changed(who, "temp_hp", -cushion, why=why))
    hp = target.track("hp")
    depth = hp - (amount - cushion)
    lost = hp - (depth if has_negative_hp(ctx.state) else max(depth, min(hp, 0)))
    if lost:
        ctx.emit(Changed(who, "hp", -lost, why=why))
    is_killed = bool(fatal) and not creatures.is_summon(target)  # a summon's end has its price
    if is_killed:
        dying.die(ctx, who, fatal)
    elif fatal or (depth <= 0 and amount > cushion):
        dying.fall(ctx, who, knockout, depth)


def has_negative_hp(state: Encounter) -> bool:
    """Whether HP go below 0; not in the variant (seed 003: Variant: No Negative HP)."""
    return state.settings.get("negative-hp", "on") != "off"


_NAME_TYPES = ("resist", "vulnerable", "immune")


def known_types(ctx: Context) -> list[str]:
    """The types of damage that the rules or somebody's resistances name, and `all`."""
    return [*dealt_types(ctx), ALL]


def dealt_types(ctx: Context) -> list[str]:
    """The types that damage can be of: those that the rules or somebody's resistances name."""
    own: list[str] = []
    for c in ctx.state.combatants:
        if c.stats.keys().isdisjoint(_NAME_TYPES):  # most have none, and every attack asks all
            continue
        own += creatures.amounts_of(c, "resist")
        own += creatures.amounts_of(c, "vulnerable")
        own += creatures.immunities_of(c)
    return [kind for kind in dict.fromkeys([*ctx.tables.damage_types, *own]) if kind != ALL]

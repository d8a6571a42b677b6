"""Damage: from what fell, of one type or several, to the HP that are lost; healing.

Seed 001: Absorb, Immune, Resist, Weak, Soak (electrolysis), Save; rules file, 10 and 11.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, TypeVar

from msgspec import Struct

from affray.core.heart.decide import Context
from affray.core.heart.effects import in_force
from affray.core.heart.events import Noted
from affray.core.heart.state import Combatant
from affray.core.language import arguments
from affray.core.language.clauses import read_type, they
from affray.core.language.declared import Argument, Reading
from affray.core.language.refusal import Refused, listed
from affray.core.rules.ruleset import Verb, declare
from affray.rulekit import elements, harm, sheets
from affray.rulekit.numbers import Force
from affray.rulesets.adventure_school import conditions, life

Part = tuple[int, str]
"""An amount of damage and its type; empty for none."""


class Blow(Struct, frozen=True):
    """Damage on its way, as it fell or was called out.

    source  whose it is; empty for nobody's
    half    half of it, by a save; double: twice, by a critically failed one
    label   where it comes from, in words: " from the fall"
    """

    parts: tuple[Part, ...]
    source: str = ""
    half: bool = False
    double: bool = False
    label: str = ""


# -- the way of a blow -----------------------------------------------------------------------------


def deal(ctx: Context, who: str, blow: Blow) -> int:
    """Let a blow land, in the order of the rules file's section 11; gives what was taken of it.

    Whoever it comes from charms its target no longer (9). Raises Refused for the dead, and for who
    has no HP.
    """
    target = harm.target(ctx, who)
    conditions.end_charms(ctx, who, blow.source)
    force = in_force(ctx.tables, ctx.state, target)
    left: dict[str, int] = {}
    told: list[str] = []
    for kind, amount in elements.with_added(ctx.tables, force, _fallen(blow)).items():
        said = harm.amount_in_words(amount, kind, blow.label) + _scaled(blow)
        if kind in kinds_of(target, "absorb"):
            _absorb(ctx, who, amount, said)
            continue
        left[kind], how = harm.taken(amount, said, _steps(ctx, target, force, kind))
        told.append(how)
    return _take(ctx, target, left, listed(told, "and")) if left else 0


def _fallen(blow: Blow) -> dict[str, int]:
    """How much of each type there is, half of it or twice as much already (rules file, 11.1-2)."""
    found: dict[str, int] = {}
    for amount, kind in blow.parts:
        found[kind] = found.get(kind, 0) + amount
    if blow.half:
        return {kind: (amount + 1) // 2 for kind, amount in found.items()}
    return {kind: amount * 2 for kind, amount in found.items()} if blow.double else found


def _scaled(blow: Blow) -> str:
    """What was made of all of it, in words."""
    return ", halved" if blow.half else ", doubled" if blow.double else ""


def _absorb(ctx: Context, who: str, amount: int, said: str) -> None:
    """What is absorbed heals as much, but nothing for the defeated (11.4)."""
    healed = ctx.state[who].life == "up" and harm.regain(ctx, who, amount, f"absorbs {said}")
    if not healed:
        ctx.emit(Noted(f"{ctx.state.name(who)} absorbs {said}"))


def _steps(ctx: Context, target: Combatant, force: Force, kind: str) -> Iterator[harm.Step]:
    """What is made of one type: nothing, half of it rounded up, or twice as much (11.4). Who both
    resists and is weak takes it as it is; of no type it meets none of this (R12)."""
    if kind and kind in kinds_of(target, "immune"):
        yield harm.nothing("immune")
        return
    halves = kind in kinds_of(target, "resist") or elements.halved_by(ctx.tables, force, kind)
    doubles = kind in kinds_of(target, "weak")
    if halves and not doubles:
        yield harm.half_up("resisted", tells=False)
    elif doubles and not halves:
        yield harm.double("weak", tells=False)


def kinds_of(who: Combatant, stat: str) -> tuple[str, ...]:
    """What somebody absorbs, resists, is immune or weak to: by the sheet, and for a time."""
    laid = (effect.type for effect in who.effects if effect.name == stat)
    return (*sheets.words_of(who, stat), *laid)


def _take(ctx: Context, target: Combatant, left: Mapping[str, int], how: str) -> int:
    """Take what is left of all types, less damage reduction, once for the blow; then conditions end
    and change, and 0 HP defeat (11.5-6). Of what comes to nothing nothing ends (R16)."""
    who, total = target.id, sum(left.values())
    reduction = target.number("dr")
    if reduction and total:
        total = max(0, total - reduction)
        how += f", reduced by {reduction}"
    if not total:
        ctx.emit(Noted(f"{target.name} takes no damage ({how})"))
        return 0
    if target.life == "defeated":
        ctx.emit(Noted(f"{target.name} is defeated: {how}. Is that enough? `kill {who}`"))
    else:
        harm.lose(ctx, who, total, how)
    elements.strike(ctx, who, [kind for kind, amount in left.items() if amount], conditions.lay)
    life.settled(ctx, who)
    return total


# -- the commands ----------------------------------------------------------------------------------

_Amount = TypeVar("_Amount")


def _read_parts(
    reading: Reading, amount: Callable[[Reading], _Amount]
) -> tuple[tuple[_Amount, str], ...]:
    """An amount with its type, as often as there are types: `8 slashing 4 fire`."""
    types = reading.ctx.tables.damage_types
    found: list[tuple[_Amount, str]] = []
    while not found or _stands(reading):
        fell = amount(reading)
        found.append((fell, read_type(reading.words, lambda: types, reading.stops, others=False)))
    return tuple(found)


def _stands(reading: Reading) -> bool:
    return reading.words.has_number() or reading.words.has_dice()


_USAGE = "AMOUNT [TYPE] [AMOUNT TYPE ...]"
_ROLLED, _AS_WRITTEN = arguments.amount(), arguments.amount_or_dice()
DAMAGE = Argument(
    lambda reading: _read_parts(reading, _AS_WRITTEN.read), _USAGE, _stands, asks="damage"
)
"""The damage of an attack: amounts as they fell, or dice for who rolls them, each with its type."""


class Damage(Struct, frozen=True):
    """What `damage` says; dice are rolled once, for all targets."""

    targets: Annotated[list[Combatant], arguments.people("who is damaged", asks="targets:half")]
    parts: Annotated[
        tuple[Part, ...],
        Argument(lambda r: _read_parts(r, _ROLLED.read), _USAGE, _stands, asks="damage"),
    ]
    half: Annotated[tuple[str, ...], arguments.half()] = ()
    double: Annotated[tuple[str, ...], arguments.half(how="double")] = ()


def _damage(ctx: Context, said: Damage) -> None:
    both = [who for who in said.targets if who.id in said.half and who.id in said.double]
    if both:
        raise Refused(f"{they(both, 'takes', 'take')} half or double, not both")
    for who in said.targets:
        if not harm.has_just_died(ctx, who.id):
            half, double = who.id in said.half, who.id in said.double
            deal(ctx, who.id, Blow(said.parts, half=half, double=double))
    ctx.text = f"{they(said.targets, 'takes', 'take')} {in_words(said.parts)}"


def in_words(parts: tuple[Part, ...]) -> str:
    """Damage as people say it: "8 slashing and 4 fire"."""
    return listed([harm.amount_in_words(*part) for part in parts], "and")


DAMAGE_VERBS: tuple[Verb, ...] = (
    declare("damage", "deals damage, of one type or several at once", Damage, _damage),
)

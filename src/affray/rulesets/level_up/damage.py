"""Damage: from what fell to the HP that are lost; healing and temporary HP.

Seed 002: Damage and Recovery, Healing and Recovery; rules file, 5.1, 6, 8.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Annotated

from msgspec import Struct

from affray.core.heart.decide import Context
from affray.core.heart.effects import end
from affray.core.heart.state import Combatant, Encounter
from affray.core.language import arguments
from affray.core.language.clauses import refuse_dead
from affray.core.language.refusal import Refused
from affray.rulekit import harm, leaning, numbers, rolls
from affray.rulesets.level_up import dying, totals, world
from affray.rulesets.level_up.checks import is_proficient
from affray.rulesets.level_up.sheet import AGAINST, MUNDANE, has


class Blow(Struct, frozen=True):
    """Damage on its way.

    parts     as it fell, by its types; the first is that of the attack, to which bonuses are added
    by        whose attack it is; empty for other damage
    critical  twice that, before all else; half: half on a save, after it
    bonus     what the situation adds to it: a flat bonus of its attacker's
    melee     whether it may come from a melee attack, so that it can knock out
    magical   whether it is of no mundane weapon
    choice    what it brings to somebody at 0 HP: failure, fatigue or strife; empty for unsaid
    label     where it comes from, in words: " ongoing"
    """

    parts: Sequence[harm.Part]
    by: str = ""
    critical: bool = False
    half: bool = False
    bonus: int = 0
    melee: bool = False
    magical: bool = True
    knockout: bool = False
    choice: str = ""
    label: str = ""


# -- the way of a blow -----------------------------------------------------------------------------


def fell(ctx: Context, by: str, much: int | str, kind: str) -> int:
    """Damage of a type as it was called out, or its dice as they fall for whoever deals it, with
    the echo of those; 0 for none."""
    if isinstance(much, int):
        return much
    since = len(ctx.events)
    rolled = max(0, rolls.throw_dice(ctx, by, much, "damage")) if much else 0
    return rolled + world.echo(ctx, kind, since)


def deal(ctx: Context, who: str, blow: Blow) -> None:
    """Let a blow land: temporary HP first, then HP, then what 0 HP bring.

    Raises Refused for somebody who is dead, or who has no HP, for knocking out from afar, and where
    an attacker must choose what it brings and hasn't.
    """
    target = harm.target(ctx, who)
    if blow.knockout and not blow.melee:
        raise Refused("only a melee attack can knock somebody out")
    steps = partial(_steps, ctx, target, blow, _flat(ctx, target, blow))
    amount, how = harm.all_through(ctx, who, blow.parts, steps, blow.label)
    _use_up(ctx, target, blow)
    loss = harm.lose(ctx, who, amount, how)
    if target.life in ("dying", "stable") and amount > loss.temp:
        dying.hurt_at_zero(ctx, who, blow.choice, bool(blow.by), blow.critical)
    elif amount > loss.temp and loss.depth <= 0:
        dying.fall(ctx, who, amount, blow.knockout, from_afar=not blow.melee)


def _flat(ctx: Context, target: Combatant, blow: Blow) -> list[int]:
    """How much each part of a blow is raised or lowered: `[-3, -2]` for 5 less of 3 slashing and 10
    fire.

    A bonus goes to the first part. A reduction of all damage takes from the first as much as there
    is of it, and the rest from the next (rules file, 6.1).
    """
    flat = blow.bonus + numbers.value(totals.here(ctx, target), "damage_taken")
    found = []
    for amount, _ in blow.parts:
        comes_to = amount * (2 if blow.critical else 1) // (2 if blow.half else 1)
        found.append(max(flat, -comes_to))
        flat -= found[-1]
    return found


def _steps(
    ctx: Context, target: Combatant, blow: Blow, flat: Sequence[int], kind: str, index: int
) -> Iterator[harm.Step]:
    """Doubled, halved on a save, more or less, then what the target has against its type: in this
    order.

    Rules file, 6.1 to 6.4.
    """
    if blow.critical:
        yield harm.double("critical")
    if blow.half:
        yield harm.half("half")
    if by := flat[index]:
        yield harm.flat(by)
    kinds = [kind, numbers.ALL] if kind else []  # without a type it is resisted by nothing
    kinds += [MUNDANE] if index == 0 and not blow.magical else []
    if resists(ctx.state, target, *kinds):
        yield harm.half("resisted")
    adrift = kind == "psychic" and world.is_on(ctx.state, world.ASTRAL)  # (14.3)
    exposed = adrift and not any(is_proficient(target, save, True) for save in ("wis", "int"))
    if exposed or has(target, "vulnerability", *kinds):
        yield harm.double("vulnerable")
    if has(target, "immunity", *kinds):
        yield harm.nothing("immune")


def _use_up(ctx: Context, target: Combatant, blow: Blow) -> None:
    """End what is for one blow alone: less or more damage, resistance and the like to its types."""
    leaning.use_up(ctx, totals.NUMBERS, target.id, ("damage_taken",))
    types = {kind for _, kind in blow.parts if kind}
    met = {*types, *([numbers.ALL] if types else []), *([] if blow.magical else [MUNDANE])}
    for effect in (e for against in AGAINST for e in target.all_named(against)):
        if effect.until.ends == "use" and effect.type in met:
            end(ctx, target.id, effect.id, "used")


def resists(state: Encounter, who: Combatant, *kinds: str) -> bool:
    """Whether somebody resists damage of one of these kinds; fire under water (14.1)."""
    quenched = "fire" in kinds and world.is_on(state, world.UNDERWATER)
    return quenched or has(who, "resistance", *kinds)


# -- healing ---------------------------------------------------------------------------------------


def heal(ctx: Context, who: str, amount: int, why: str = "") -> int:
    """Heal up to the maximum; who was at 0 HP is awake by it. Gives how much (rules file, 8.1).

    Raises Refused for the dead, and for whom massive damage may have killed.
    """
    target = ctx.state[who]
    harm.require_hp(target, "healed")
    refuse_dead([target])
    dying.require_no_massive_save([target])
    healed = harm.regain(ctx, who, amount, why)
    if healed and target.life in ("dying", "stable"):
        dying.rise(ctx, who, why or "healed")
    return healed


# -- the commands ----------------------------------------------------------------------------------


class Damage(harm.Damage, frozen=True):
    """What `damage` says: damage of no attack that affray knows of."""

    type: Annotated[str, arguments.damage_type()] = ""
    knockout: Annotated[bool, arguments.flag()] = False
    choice: Annotated[str, arguments.one_of(*dying.CHOICES)] = ""
    weapon: Annotated[str, arguments.one_of("magical", MUNDANE)] = "magical"


def _deal(ctx: Context, who: str, said: Damage, half: bool) -> None:
    echo = world.echo(ctx, said.type, tells=who == said.targets[0].id)
    blow = Blow(
        [(said.amount + echo, said.type)],
        half=half,
        melee=True,
        magical=said.weapon != MUNDANE,
        knockout=said.knockout,
        choice=said.choice,
    )
    deal(ctx, who, blow)


VERBS = (
    harm.damage_verb("deals damage, through resistance and temporary HP", Damage, _deal),
    harm.heal_verb("heals HP; who was at 0 wakes", heal),
)

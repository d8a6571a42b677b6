"""Damage and healing: resistance, temporary HP, recoveries, what 0 HP brings; their commands.

Seed 003: Damage, Damage Resistance and Vulnerability, Temporary Hit Points, Conditions (Weakened),
Healing, Recoveries, Healing on Negative HP, Regeneration.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Struct

from affray.core.heart.decide import Context
from affray.core.heart.effects import end_named, in_force
from affray.core.heart.events import Changed, Forgot, Spent, Used
from affray.core.heart.state import Combatant, Duration, Encounter
from affray.core.language import arguments
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import Verb, declare
from affray.core.rules.tables import Tables
from affray.rulekit import harm, life, numbers, sheets
from affray.rulekit.numbers import ALL
from affray.rulekit.placing import Placing, begin, placing_said, until_for
from affray.rulesets.orcus import companions, creatures, dying
from affray.rulesets.orcus.conditions import LASTING


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
    return bool(kind) and kind in sheets.words_of(who, "immune")


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
    amount, how = harm.through(ctx, who, fell, _steps(ctx, target, blow), blow.type, blow.label)
    fatal = blow.lethal and amount >= creatures.staggered_value(target) and not blow.knockout
    if amount:
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
    return [*(kind for row in amounts for kind in row), *sheets.words_of(who, "immune")]


# -- healing ---------------------------------------------------------------------------------------

CUSHION = "temporary-hp"
"""The effect that says when temporary HP end, where they have an end of their own."""
_TIMED = "timed"


def heal(ctx: Context, who: str, amount: int, why: str = "") -> bool:
    """Heal up to the maximum, from 0 for who is below; any brings the dying and the stable back.

    Gives whether there was anything to heal. Raises Refused for the dead, and who has no HP.
    """
    target = ctx.state[who]
    harm.require_hp(target, "healed")
    if target.life == "dead":
        raise Refused(f"{target.name} is dead, and healing does nothing any more")
    healed = harm.regain(ctx, who, amount, why)
    if healed and target.life in life.DOWN:
        dying.rise(ctx, who, why or "healed")
    return healed > 0


def spend_recovery(ctx: Context, who: str, why: str, bonus: int = 0) -> bool:
    """Spend a recovery (a companion its owner's) and regain its user's recovery value.

    The dying without one are set to 1 HP. Gives whether there was one to spend. Raises Refused for
    others without one, and for the dead.
    """
    target = ctx.state[who]
    harm.require_hp(target, "healed")
    if target.life == "dead":
        raise Refused(f"{target.name} is dead, and recoveries do nothing any more")
    user = ctx.state[companions.recovers_for(ctx.state, target)]
    if user.track("recoveries") > 0:
        ctx.emit(Spent(user.id, "recoveries", 1, why))
        heal(ctx, who, max(0, creatures.recovery_value(user) + bonus), why)
        return True
    if target.life == "dying":
        heal(ctx, who, 1, "no recoveries left")
        return False
    raise Refused(f"{user.name} has no recoveries left")


def regenerate(ctx: Context, who: str) -> None:
    """At a turn's start: the highest regeneration heals."""
    target = ctx.state[who]
    amount = regeneration(target)
    if amount and "hp" in target.tracks and target.life != "dead":
        heal(ctx, who, amount, f"regeneration {amount}")


def regeneration(who: Combatant) -> int:
    """The highest of its own regeneration and what effects give; they don't add up."""
    given = [effect.amount for effect in who.effects if effect.name == "regeneration"]
    return max([0, who.number("regeneration"), *given])


def temporary(ctx: Context, who: str, amount: int, until: Duration | None = None) -> None:
    """Give temporary HP, until they are gone or their time is up; the higher of two stays."""
    target = ctx.state[who]
    if target.life == "dead":
        raise Refused(f"{target.name} is dead, and temporary HP do nothing any more")
    if not harm.temporary(ctx, who, amount):
        return
    _forget_cushion(ctx, who, "more of them")
    if until is not None:
        begin(ctx, who, CUSHION, until, amount=amount)
        ctx.emit(Used(who, CUSHION, _TIMED))


def settle_temporary(ctx: Context, who: str) -> None:
    """Temporary HP go with the effect that says when they end, and it goes with them."""
    target = ctx.state[who]
    if not target.used(CUSHION, _TIMED):
        return
    if target.named(CUSHION) is None and target.track("temp_hp"):
        why = "the time of temporary HP is up"
        ctx.emit(Changed(who, "temp_hp", -target.track("temp_hp"), why=why))
    if target.named(CUSHION) is None or not target.track("temp_hp"):
        _forget_cushion(ctx, who, "used up")


def _forget_cushion(ctx: Context, who: str, why: str) -> None:
    end_named(ctx, who, CUSHION, why)
    if ctx.state[who].used(CUSHION, _TIMED):
        ctx.emit(Forgot(who, _TIMED))


# -- the commands ----------------------------------------------------------------------------------


class _Damage(harm.Damage, frozen=True):
    """What `damage` says."""

    type: Annotated[str, arguments.damage_type(dealt_types, others=False)] = ""
    knockout: Annotated[bool, arguments.flag()] = False


def _damage(ctx: Context, who: str, said: _Damage, half: bool) -> None:
    blow = Blow(said.amount, said.type, half=half, knockout=said.knockout)
    deal(ctx, who, blow)


_ENDS = "for N turns | until start|end of NAME | fight | round N"


class _Temporary(harm.Temporary, frozen=True):
    """What `temp` says: how long they last as well."""

    placing: Annotated[Placing, placing_said(LASTING, _ENDS)] = Placing()


def _temp(ctx: Context, who: str, said: _Temporary) -> None:
    until = until_for(LASTING, ctx, who, said.placing) if said.placing.is_timed else None
    temporary(ctx, who, said.amount, until)


class _Recovery(Struct, frozen=True):
    """What `recovery` says."""

    people: Annotated[list[Combatant], arguments.people("who spends a recovery")]
    plus: Annotated[
        int, arguments.clause("plus", arguments.number("the bonus to what it heals"))
    ] = 0
    companion: companions.With = None


def _recovery(ctx: Context, said: _Recovery) -> None:
    ctx.text = ", ".join(_spend_one(ctx, who, said) for who in said.people)


def _spend_one(ctx: Context, who: Combatant, said: _Recovery) -> str:
    """Spend a recovery of one of them, and one for a companion; gives what came of it."""
    companions.refuse_others(who, said.companion)
    has_spent = spend_recovery(ctx, who.id, "a recovery", said.plus)
    told = f"{who.name} {'spends a recovery' if has_spent else 'comes to, at 1 HP'}"
    if said.companion is None:
        return told
    spend_recovery(ctx, said.companion.id, "a recovery")
    return f"{told}, and one for {said.companion.name}"


HARM_VERBS: tuple[Verb, ...] = (
    harm.damage_verb("deals damage, through resistance and temporary HP", _Damage, _damage),
    harm.heal_verb("heals HP, from 0 on for who is below", heal),
    harm.temp_verb("gives temporary HP; of two sources the higher stays", _Temporary, _temp),
    declare(
        "recovery",
        "spends a recovery, which heals the recovery value; a second one for a companion",
        _Recovery,
        _recovery,
    ),
)

"""Damage, and what 0 HP bring: resistance, dying, death, knocking out, staggered.

Seed 003: Damage, Damage Resistance and Vulnerability, Temporary Hit Points, Conditions (Weakened),
Healing (Staggered to Monsters and Death, Variant: No Negative HP), Knocking a Creature Out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated

from msgspec import Struct

from affray.core.heart.decide import Context
from affray.core.heart.effects import called, end_named, in_force, rule_of
from affray.core.heart.events import Became, Changed, Forgot
from affray.core.heart.state import Combatant, Duration, Encounter
from affray.core.language import arguments
from affray.rulekit import harm, life, numbers, recorded
from affray.rulekit.numbers import ALL
from affray.rulekit.placing import begin
from affray.rulesets.orcus import companions, saves, sheet


class Blow(Struct, frozen=True):
    """Damage on its way: how much of what, by whose attack, if it is one.

    `more` is what of it is of other types. `knockout`: at 0 HP the target is knocked out instead of
    killed. `lethal`: a coup de grace, of which the staggered value kills. `attack` tells that it is
    an attack's damage, which weakened and incorporeal halve. `reach` is how that reaches: melee,
    ranged, near or far. `bonus` is what the situation adds to a number that was called out.
    """

    amount: int
    type: str = ""
    by: str = ""
    attack: bool = False
    knockout: bool = False
    lethal: bool = False
    half: bool = False
    label: str = ""
    more: tuple[harm.Part, ...] = ()
    bonus: int = 0
    reach: str = ""


def _steps(
    ctx: Context, who: Combatant, blow: Blow, kind: str, is_some: bool
) -> Iterator[harm.Step]:
    """What a part of a type meets: halves, at least 1 of something; immunity; vulnerability, if
    there `is_some` of it; resistance (seed 003: Rounding Fractions, Damage Resistance and
    Vulnerability)."""
    for why in _halvings(ctx, who, blow):
        yield harm.half(why, least=1)
    if kind and kind in recorded.words_of(who, "immune"):
        yield harm.nothing(f"immune to {kind}")
        return
    weak = _amounts(who, "vulnerable", "vulnerability", kind, blow.reach)
    if is_some and (more := max(weak)):
        yield harm.more(more, "vulnerable")
    rows = (rule_of(ctx.tables, name).resist for name in in_force(ctx.tables, ctx.state, who))
    in_rows = (less for row in rows for less in _fitting(row, kind))
    if less := max([*_amounts(who, "resist", "resistance", kind, blow.reach), *in_rows]):
        yield harm.less(less, "resist")


def _amounts(who: Combatant, stat: str, effect: str, kind: str, reach: str) -> list[int]:
    """What somebody has against a type of damage, or against attacks that reach so: 0 at least,
    their own, and that of effects of a name. The highest counts."""
    laid = (e.amount for e in who.effects if e.name == effect and e.type in (ALL, kind))
    own = sheet.amounts_of(who, stat)
    by_reach = [own[reach]] if reach in own else []
    return [0, *_fitting(own, kind), *by_reach, *laid]


def _fitting(amounts: Mapping[str, int], kind: str) -> list[int]:
    """The amounts that are said for a type of damage or for all, as in {fire = 5, all = 2}."""
    return [amount for name, amount in amounts.items() if name in (ALL, kind)]


def _halvings(ctx: Context, who: Combatant, blow: Blow) -> list[str]:
    """Why a blow is halved, each reason once: half on a miss, weakened, incorporeal."""
    why = ["half"] if blow.half else []
    by = ctx.state.find(blow.by) if blow.attack else None
    if by is not None:
        force = in_force(ctx.tables, ctx.state, by)
        why += [effect.name for effect in numbers.halvings(ctx.tables, force, "damage")]
    if blow.attack and who.stats.get("incorporeal"):
        why.append("incorporeal")
    if blow.reach in ("melee", "ranged") and who.stats.get("swarm"):
        why.append("swarm")
    return why


def deal(ctx: Context, who: str, blow: Blow) -> int:
    """Let a blow land: temporary HP first, then HP, then what follows. Gives what got through.

    Raises Refused for somebody who is dead, or who has no HP.
    """
    target = harm.target(ctx, who)
    parts = ((max(0, blow.amount), blow.type), *blow.more)

    def steps(kind: str, place: int) -> Iterator[harm.Step]:
        bonus = blow.bonus if place == 0 else 0
        if bonus:
            yield harm.flat(bonus)
        yield from _steps(ctx, target, blow, kind, parts[place][0] + bonus > 0)

    amount, how = harm.all_through(ctx, who, parts, steps, blow.label)
    fatal = blow.lethal and amount >= sheet.staggered_value(target) and not blow.knockout
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
    if fatal and not sheet.is_summon(ctx.state[who]):  # a summon has its price
        die(ctx, who, fatal)
    elif fatal or (loss.depth <= 0 and amount > loss.temp):
        fall(ctx, who, knockout, loss.depth)


def has_negative_hp(state: Encounter) -> bool:
    """Whether HP go below 0; not in the variant (seed 003: Variant: No Negative HP)."""
    return state.settings.get("negative-hp", "on") != "off"


def dealt_types(ctx: Context) -> Iterator[str]:
    """The types that damage can be of: those that the rules or somebody's resistances name."""

    def named(who: Combatant) -> list[str]:
        amounts = (sheet.amounts_of(who, stat) for stat in ("resist", "vulnerable"))
        return [*(kind for row in amounts for kind in row), *recorded.words_of(who, "immune")]

    known = harm.known_types(ctx, named)
    return (kind for kind in known if kind not in (ALL, *sheet.REACHES))


# -- falling ---------------------------------------------------------------------------------------

AT_ZERO, KNOCKED_OUT = "at-zero", "knocked-out"
"""Why somebody is unconscious, where that is a matter of HP: any healing ends it."""


def fall(ctx: Context, who: str, knockout: bool = False, depth: int | None = None) -> None:
    """HP came to 0 or below: knocked out, dead at once, dead as monsters are, or dying.

    `depth` is where the damage would have led, had HP no floor; else it is taken from the HP.
    """
    target = ctx.state[who]
    depth = target.track("hp") if depth is None else depth
    if sheet.is_summon(target):
        companions.fell(ctx, who)
    elif knockout and target.life not in ("dying", "stable"):
        knock_out(ctx, who)
    elif not sheet.has_death_saves(target):
        die(ctx, who, called(ctx.tables, AT_ZERO) if depth == 0 else "below 0 HP")
    elif depth < 0 and depth <= -sheet.staggered_value(target):
        die(ctx, who, "as far below 0 HP as half the maximum")
    elif target.life not in ("dying", "stable"):
        _lie_unconscious(ctx, who, AT_ZERO)
        begin(ctx, who, "dying", Duration(says="stable or healed"))
        life.begin_dying(ctx, who)


def _lie_unconscious(ctx: Context, who: str, because: str) -> None:
    """Be unconscious because of one's HP, for that reason alone."""
    _wake(ctx, who, called(ctx.tables, because))
    life.lie_unconscious(ctx, who, because)


def knock_out(ctx: Context, who: str) -> None:
    """Be unconscious in place of dead or dying (seed 003: Knocking a Creature Out)."""
    why = called(ctx.tables, KNOCKED_OUT)
    end_named(ctx, who, "dying", why)
    _lie_unconscious(ctx, who, KNOCKED_OUT)
    if ctx.state[who].life != "unconscious":
        ctx.emit(Became(who, "unconscious", why))


def die(ctx: Context, who: str, why: str) -> None:
    """Die: no longer dying, unconscious or staggered."""
    ctx.emit(Became(who, "dead", why))
    end_named(ctx, who, "dying", "dead")
    _wake(ctx, who, "dead")
    stagger(ctx, who)


def _wake(ctx: Context, who: str, why: str) -> None:
    """End the unconsciousness that is a matter of HP; one that a power laid stays."""
    life.wake(ctx, who, why, lambda effect: effect.because in (AT_ZERO, KNOCKED_OUT))


def rise(ctx: Context, who: str, why: str) -> None:
    """Come back above 0 HP: conscious, still prone. Death saves that were made go on counting.

    Whoever comes back from death begins anew: failures that killed once don't kill again.
    """
    if ctx.state[who].life == "dead":
        life.begin_counts_anew(ctx, who, saves.COUNTS, "back from the dead")
    end_named(ctx, who, "dying", why)
    _wake(ctx, who, why)
    ctx.emit(Became(who, "up", why))


MAY_RISE = "fall"
"""The span in which somebody who is dead may yet be healed: a power answered the fall."""


def may_rise(who: Combatant) -> bool:
    """Whether somebody is dead, and a power of theirs has answered the fall."""
    return who.life == "dead" and any(key.startswith(f"{MAY_RISE}/") for key in who.uses)


def come_back(ctx: Context, who: str, amount: int, why: str) -> None:
    """Rise with so many HP, counted from 0, from a fall that killed (seed 003: Healing)."""
    most, hp = sheet.max_hp(ctx.state[who]), ctx.state[who].track("hp")
    ctx.emit(Forgot(who, MAY_RISE), Changed(who, "hp", min(amount, most) - hp, why=why))
    rise(ctx, who, why)


def stabilise(ctx: Context, who: str, why: str) -> None:
    """Stop dying: no more death saves, still unconscious."""
    end_named(ctx, who, "dying", why)
    ctx.emit(Became(who, "stable", why))


def stagger(ctx: Context, who: str) -> bool:
    """Begin or end `staggered` as HP have it; whether it began."""
    target = ctx.state[who]
    most, is_dead = sheet.max_hp(target), target.life == "dead"
    is_so = most > 0 and 2 * target.track("hp") <= most and not is_dead
    if is_so and target.named("staggered") is None:
        begin(ctx, who, "staggered", Duration(says="above half of its HP"))
        return True
    if not is_so:
        end_named(ctx, who, "staggered", "dead" if is_dead else "above half")
    return False


# -- after something was set by hand ---------------------------------------------------------------


def set_by_hand(ctx: Context, who: str) -> None:
    """After something was set by hand: HP at or below 0 bring down, above 0 bring back.

    HP below 0 go up to it where that is the lowest (seed 003: Variant: No Negative HP).
    """
    hp = ctx.state[who].track("hp")
    if hp < 0 and not has_negative_hp(ctx.state):
        ctx.emit(Changed(who, "hp", -hp, why="0 is the lowest"))
    life.set_by_hand(ctx, who, fall, rise, lambda c: c.named(life.UNCONSCIOUS) is not None)
    if ctx.state[who].life == "dying" and ctx.state[who].named("dying") is None:
        stabilise(ctx, who, "by hand")
    elif ctx.state[who].life == "dying":
        saves.count_up(ctx, who)


# -- the commands ----------------------------------------------------------------------------------


class _Damage(harm.Damage, frozen=True):
    type: Annotated[str, arguments.damage_type(dealt_types)] = ""
    knockout: Annotated[bool, arguments.flag()] = False


def _damage(ctx: Context, who: str, said: _Damage, half: bool) -> None:
    deal(ctx, who, Blow(said.amount, said.type, half=half, knockout=said.knockout))


_KNOCKS = "right after the damage that brought it down: unconscious in place of dead or dying"
VERBS = (
    harm.damage_verb("deals damage, through resistance and temporary HP", _Damage, _damage),
    life.knock_out_verb(_KNOCKS, knock_out),
)

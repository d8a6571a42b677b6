"""Damage, and what 0 HP bring: resistance, dying, death, knocking out, staggered.

Orcus, Damage, Damage Resistance and Vulnerability, Temporary Hit Points, Conditions (Weakened),
Healing (Staggered to Monsters and Death, Variant: No Negative HP), Knocking a Creature Out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated

from msgspec import Struct

from affray.core.engine.effects import (
    effect_name,
    effect_row,
    effects_in_force,
    end_effects_named,
)
from affray.core.engine.events import LifeChanged, TrackChanged, UsesReset
from affray.core.engine.state import Combatant, Duration, Encounter
from affray.core.parser import arguments
from affray.core.rules.ruleset import Context
from affray.mechanics import damage, dying, sheet as shared_sheet, stats
from affray.mechanics.conditions import begin_effect
from affray.mechanics.stats import ALL
from affray.rulesets.orcus import settings, sheet


class DamageInstance(Struct, frozen=True):
    """Damage to one target before resistances.

    Attributes:
        amount: The damage of the main type.
        type: The main damage type; empty for untyped.
        by: The id of the attacker; empty for none.
        attack: True for an attack's damage, which weakened and incorporeal halve.
        knockout: At 0 HP the target is knocked out and not killed.
        lethal: A coup de grace, which kills if it deals the target's staggered value.
        half: Half damage, as on a miss.
        label: Where it comes from, in words: " from the fall".
        more: Damage of other types.
        bonus: A bonus to `amount` from effects in force.
        reach: How the attack reaches: melee, ranged, near or far; empty for no attack.
    """

    amount: int
    type: str = ""
    by: str = ""
    attack: bool = False
    knockout: bool = False
    lethal: bool = False
    half: bool = False
    label: str = ""
    more: tuple[damage.Part, ...] = ()
    bonus: int = 0
    reach: str = ""


def _steps(
    ctx: Context, combatant: Combatant, blow: DamageInstance, kind: str, is_some: bool
) -> Iterator[damage.DamageStep]:
    """Yield the steps for damage of one type: halving, immunity, vulnerability, resistance.

    Vulnerability counts only if there `is_some` damage (Orcus, Rounding Fractions, Damage
    Resistance and Vulnerability)."""
    for why in _halvings(ctx, combatant, blow):
        yield damage.halve(why, least=1)
    if kind and kind in shared_sheet.stat_words(combatant, "immune"):
        yield damage.negate(f"immune to {kind}")
        return
    weak = _amounts(combatant, "vulnerable", "vulnerability", kind, blow.reach)
    if is_some and (more := max(weak)):
        yield damage.add_amount(more, "vulnerable")
    rows = (effect_row(ctx.tables, name).resist for name in effects_in_force(ctx, combatant))
    in_rows = (less for row in rows for less in _amounts_for(row, kind))
    if less := max([*_amounts(combatant, "resist", "resistance", kind, blow.reach), *in_rows]):
        yield damage.subtract(less, "resist")


def _amounts(combatant: Combatant, stat: str, effect: str, kind: str, reach: str) -> list[int]:
    """The amounts of a sheet and of effects against a damage type or a reach; the highest counts.

    A 0 is always among them."""
    from_effects = (
        e.amount for e in combatant.effects if e.name == effect and e.type in (ALL, kind)
    )
    own = sheet.amounts_of(combatant, stat)
    by_reach = [own[reach]] if reach in own else []
    return [0, *_amounts_for(own, kind), *by_reach, *from_effects]


def _amounts_for(amounts: Mapping[str, int], kind: str) -> list[int]:
    """The amounts for a damage type or for all, as of {fire = 5, all = 2}."""
    return [amount for name, amount in amounts.items() if name in (ALL, kind)]


def _halvings(ctx: Context, combatant: Combatant, blow: DamageInstance) -> list[str]:
    """The reasons why damage is halved, each once: half on a miss, weakened, incorporeal."""
    why = ["half"] if blow.half else []
    by = ctx.state.find(blow.by) if blow.attack else None
    if by is not None:
        force = effects_in_force(ctx, by)
        why += [effect.name for effect in stats.halving_sources(ctx.tables, force, "damage")]
    if blow.attack and combatant.stats.get("incorporeal"):
        why.append("incorporeal")
    if blow.reach in ("melee", "ranged") and combatant.stats.get("swarm"):
        why.append("swarm")
    return why


def deal(ctx: Context, combatant_id: str, blow: DamageInstance) -> int:
    """Deal damage: to temporary HP, then to HP, then its consequences. Return the amount dealt.

    Raises Refused for a target that is dead, or has no HP.
    """
    target = damage.resolve_damage_target(ctx, combatant_id)
    parts = ((max(0, blow.amount), blow.type), *blow.more)

    def steps(kind: str, place: int) -> Iterator[damage.DamageStep]:
        bonus = blow.bonus if place == 0 else 0
        if bonus:
            yield damage.flat(bonus)
        yield from _steps(ctx, target, blow, kind, parts[place][0] + bonus > 0)

    amount, how = damage.apply_steps_by_type(ctx, combatant_id, parts, steps, blow.label)
    fatal = blow.lethal and amount >= sheet.staggered_value(target) and not blow.knockout
    if amount:
        lose(ctx, combatant_id, amount, how, blow.knockout, "a coup de grace" if fatal else "")
    return amount


def lose(
    ctx: Context,
    combatant_id: str,
    amount: int,
    why: str | damage.Steps,
    knockout: bool = False,
    fatal: str = "",
) -> None:
    """Lose HP, temporary ones first, with the consequences of 0 HP.

    `fatal` says why it kills outright, if it does.
    """
    loss = damage.lose_hp(ctx, combatant_id, amount, why, None if has_negative_hp(ctx.state) else 0)
    if fatal and not sheet.is_summon(ctx.state[combatant_id]):  # a summon has its price
        die(ctx, combatant_id, fatal)
    elif fatal or (loss.depth <= 0 and amount > loss.temp):
        fall(ctx, combatant_id, knockout, loss.depth)


def has_negative_hp(state: Encounter) -> bool:
    """True if HP go below 0; not in the variant (Orcus, Variant: No Negative HP)."""
    return settings.NEGATIVE_HP.is_on(state)


def dealt_types(ctx: Context) -> Iterator[str]:
    """The types that damage can be of: those that the rules or somebody's resistances name."""

    def named(combatant: Combatant) -> list[str]:
        amounts = (sheet.amounts_of(combatant, stat) for stat in ("resist", "vulnerable"))
        return [
            *(kind for row in amounts for kind in row),
            *shared_sheet.stat_words(combatant, "immune"),
        ]

    choices = damage.damage_types(ctx, named)
    return (kind for kind in choices if kind not in (ALL, *sheet.REACHES))


# -- falling ---------------------------------------------------------------------------------------

AT_ZERO, KNOCKED_OUT = "at-zero", "knocked-out"
"""The reasons for being unconscious that any healing ends."""


def fall(ctx: Context, combatant_id: str, knockout: bool = False, depth: int | None = None) -> None:
    """Apply the consequences of 0 HP or less: knocked out, dead or dying.

    `depth` is the HP that the damage would have led to without a floor; None for the HP now.
    """
    target = ctx.state[combatant_id]
    depth = target.track("hp") if depth is None else depth
    if sheet.is_summon(target):
        drop_summon(ctx, combatant_id)
    elif knockout and target.life not in ("dying", "stable"):
        knock_out(ctx, combatant_id)
    elif not sheet.has_death_saves(target):
        die(ctx, combatant_id, effect_name(ctx.tables, AT_ZERO) if depth == 0 else "below 0 HP")
    elif depth < 0 and depth <= -sheet.staggered_value(target):
        die(ctx, combatant_id, "below 0 HP by half the maximum")
    elif target.life not in ("dying", "stable"):
        _lie_unconscious(ctx, combatant_id, AT_ZERO)
        begin_effect(ctx, combatant_id, "dying", Duration(says="stable or healed"))
        dying.start_dying(ctx, combatant_id)


def drop_summon(ctx: Context, combatant_id: str) -> None:
    """Remove a summoned creature at 0 HP, at the price of one of its owner's recoveries.

    An owner without recoveries loses HP equal to their recovery value."""
    summon = ctx.state[combatant_id]
    ctx.emit(LifeChanged(combatant_id, "dead", "gone at 0 HP"))
    owner = shared_sheet.present_owner(ctx.state, summon)
    if owner is None or owner.is_out:
        return
    why = f"{summon.name} fell"
    price = sheet.recovery_value(owner)
    if owner.track("recoveries") > 0:
        ctx.emit(TrackChanged(owner.id, "recoveries", -1, why=why))
    elif price and "hp" in owner.tracks:
        lose(ctx, owner.id, price, why)


def _lie_unconscious(ctx: Context, combatant_id: str, because: str) -> None:
    """Be unconscious because of one's HP, for that reason alone."""
    _wake(ctx, combatant_id, effect_name(ctx.tables, because))
    dying.fall_unconscious(ctx, combatant_id, because)


def knock_out(ctx: Context, combatant_id: str) -> None:
    """Be unconscious in place of dead or dying (Orcus, Knocking a Creature Out)."""
    why = effect_name(ctx.tables, KNOCKED_OUT)
    end_effects_named(ctx, combatant_id, "dying", why)
    _lie_unconscious(ctx, combatant_id, KNOCKED_OUT)
    if ctx.state[combatant_id].life != "unconscious":
        ctx.emit(LifeChanged(combatant_id, "unconscious", why))


def die(ctx: Context, combatant_id: str, why: str) -> None:
    """Die: no longer dying, unconscious or staggered."""
    ctx.emit(LifeChanged(combatant_id, "dead", why))
    end_effects_named(ctx, combatant_id, "dying", "dead")
    _wake(ctx, combatant_id, "dead")
    stagger(ctx, combatant_id)


def _wake(ctx: Context, combatant_id: str, why: str) -> None:
    """End the unconsciousness that is a matter of HP; that of a power stays."""
    dying.wake_up(ctx, combatant_id, why, lambda effect: effect.because in (AT_ZERO, KNOCKED_OUT))


def rise(ctx: Context, combatant_id: str, why: str) -> None:
    """Bring a combatant back above 0 HP: conscious, still prone. Death saves go on counting.

    One that comes back from death starts counting anew.
    """
    if ctx.state[combatant_id].life == "dead":
        dying.reset_counts(ctx, combatant_id, dying.DEATH_SAVES, "back from the dead")
    end_effects_named(ctx, combatant_id, "dying", why)
    _wake(ctx, combatant_id, why)
    ctx.emit(LifeChanged(combatant_id, "up", why))


MAY_RISE = "fall"
"""The span in which somebody who is dead may yet be healed: a power answered the fall."""


def may_rise(combatant: Combatant) -> bool:
    """True if somebody is dead, and a power of theirs has answered the fall."""
    return combatant.life == "dead" and any(
        key.startswith(f"{MAY_RISE}/") for key in combatant.uses
    )


def come_back(ctx: Context, combatant_id: str, amount: int, why: str) -> None:
    """Come back with that many HP, counted from 0, from a fatal fall to 0 (Orcus, Healing)."""
    most, hp = sheet.max_hp(ctx.state[combatant_id]), ctx.state[combatant_id].track("hp")
    ctx.emit(
        UsesReset(combatant_id, MAY_RISE),
        TrackChanged(combatant_id, "hp", min(amount, most) - hp, why=why),
    )
    rise(ctx, combatant_id, why)


def stabilise(ctx: Context, combatant_id: str, why: str) -> None:
    """Stop dying: no more death saves, still unconscious."""
    end_effects_named(ctx, combatant_id, "dying", why)
    ctx.emit(LifeChanged(combatant_id, "stable", why))


def stagger(ctx: Context, combatant_id: str) -> bool:
    """Begin or end `staggered` by the HP; return whether it began."""
    target = ctx.state[combatant_id]
    most, is_dead = sheet.max_hp(target), target.life == "dead"
    is_so = most > 0 and 2 * target.track("hp") <= most and not is_dead
    if is_so and target.named("staggered") is None:
        begin_effect(ctx, combatant_id, "staggered", Duration(says="above half of its HP"))
        return True
    if not is_so:
        end_effects_named(ctx, combatant_id, "staggered", "dead" if is_dead else "above half")
    return False


# -- after something was set by hand ---------------------------------------------------------------


def on_edited_by_hand(ctx: Context, combatant_id: str) -> None:
    """After something was set by hand: HP at or below 0 bring down, above 0 bring back.

    HP below 0 go up to it if that is the lowest (Orcus, Variant: No Negative HP).
    """
    hp = ctx.state[combatant_id].track("hp")
    if hp < 0 and not has_negative_hp(ctx.state):
        ctx.emit(TrackChanged(combatant_id, "hp", -hp, why="0 is the lowest"))
    dying.after_manual_hp(
        ctx, combatant_id, fall, rise, lambda c: c.named(dying.UNCONSCIOUS) is not None
    )
    if ctx.state[combatant_id].life == "dying" and ctx.state[combatant_id].named("dying") is None:
        stabilise(ctx, combatant_id, "by hand")
    elif ctx.state[combatant_id].life == "dying":
        dying.count_death_saves(ctx, combatant_id, die, stabilise)


# -- the commands ----------------------------------------------------------------------------------


class DamageArgs(damage.DamageArgs, frozen=True):
    type: Annotated[str, arguments.damage_type_arg(dealt_types)] = ""
    knockout: arguments.Flag = False


def _damage(ctx: Context, combatant_id: str, args: DamageArgs, half: bool) -> None:
    deal(
        ctx, combatant_id, DamageInstance(args.amount, args.type, half=half, knockout=args.knockout)
    )


_KNOCKS = "leaves somebody just brought to 0 HP unconscious, not dead or dying"
COMMANDS = (
    damage.damage_command("deals damage, through resistance and temporary HP", DamageArgs, _damage),
    dying.knock_out_command(_KNOCKS, knock_out),
)

"""Level Up: damage from the dice to the HP lost, healing, temporary HP, and legendary resistance.

Seed 002: Damage and Recovery, Healing and Recovery; rules file, 5.1, 6, 8.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Annotated

from msgspec import Struct

from affray.core.engine.effects import remove_effect
from affray.core.engine.events import CostPaid, Rolled
from affray.core.engine.state import Combatant, Encounter
from affray.core.parser import arguments
from affray.core.parser.clauses import require_alive
from affray.core.parser.declarations import declare_command
from affray.core.parser.errors import Refused
from affray.core.rules.ruleset import Context, DecisionOption, PendingDecision
from affray.mechanics import checks as shared_checks, damage, stats
from affray.rulesets.level_up import checks, dying, scene
from affray.rulesets.level_up.sheet import AGAINST, MUNDANE, RESISTS, has


class DamageInstance(Struct, frozen=True):
    """Damage to one target before resistances.

    Attributes:
        parts: Amounts with their types; bonuses go to the first.
        by: The id of the attacker; empty for other damage.
        critical: The damage is doubled, before all else.
        half: The damage is halved, as on a save.
        bonus: A flat bonus of the attacker from effects in force.
        melee: It may be a melee attack's, so it can knock out.
        magical: It is no mundane weapon's.
        knockout: At 0 HP the target is knocked out.
        choice: Its consequence at 0 HP: failure, fatigue or strife; empty for unsaid.
        label: Where it comes from, in words: " ongoing".
    """

    parts: Sequence[damage.Part]
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


def damage_as_rolled(ctx: Context, by: str, amount: int | str, kind: str) -> int:
    """Return damage of a type as called out, or roll its dice, with their echo; 0 for none."""
    if isinstance(amount, int):
        return amount
    since = len(ctx.events)
    rolled = max(0, shared_checks.roll_extra_dice(ctx, by, amount, "damage")) if amount else 0
    return rolled + scene.echo(ctx, kind, since)


def deal(ctx: Context, combatant_id: str, blow: DamageInstance) -> None:
    """Deal damage: to temporary HP, then to HP, then the consequences of 0 HP.

    Raises Refused for a target that is dead or has no HP, for knocking out from afar, and for an
    attack on a target at 0 HP without a choice.
    """
    target = damage.resolve_damage_target(ctx, combatant_id)
    if blow.knockout and not blow.melee:
        raise Refused("only a melee attack can knock somebody out")
    steps = partial(_steps, ctx, target, blow, _flat_changes(ctx, target, blow))
    amount, how = damage.apply_steps_by_type(ctx, combatant_id, blow.parts, steps, blow.label)
    _use_up(ctx, target, blow)
    loss = damage.lose_hp(ctx, combatant_id, amount, how)
    if target.life in ("dying", "stable") and amount > loss.temp:
        dying.hurt_at_zero(ctx, combatant_id, blow.choice, bool(blow.by), blow.critical)
    elif amount > loss.temp and loss.depth <= 0:
        dying.fall(ctx, combatant_id, amount, blow.knockout, from_afar=not blow.melee)


def _flat_changes(ctx: Context, target: Combatant, blow: DamageInstance) -> list[int]:
    """Return the change of each part: `[-3, -2]` for 5 less of 3 slashing and 10 fire.

    A bonus goes to the first part. A reduction uses up the first part before it takes from the
    next (rules file, 6.1).
    """
    flat = blow.bonus + stats.stat_value(checks.situation_of(ctx, target), "damage_taken")
    found = []
    for amount, _ in blow.parts:
        comes_to = amount * (2 if blow.critical else 1) // (2 if blow.half else 1)
        found.append(max(flat, -comes_to))
        flat -= found[-1]
    return found


def _steps(
    ctx: Context,
    target: Combatant,
    blow: DamageInstance,
    flat: Sequence[int],
    kind: str,
    index: int,
) -> Iterator[damage.DamageStep]:
    """Yield the steps in their order: critical, half, flat changes, the target's defences.

    Rules file, 6.1 to 6.4.
    """
    if blow.critical:
        yield damage.double_amount("critical")
    if blow.half:
        yield damage.halve("half")
    if by := flat[index]:
        yield damage.flat(by)
    kinds = [kind, stats.ALL] if kind else []  # without a type it is resisted by nothing
    kinds += [MUNDANE] if index == 0 and not blow.magical else []
    if resists(ctx.state, target, *kinds):
        yield damage.halve("resisted")
    adrift = kind == "psychic" and scene.is_on(ctx.state, scene.ASTRAL)  # (14.3)
    exposed = adrift and not any(
        checks.is_proficient(target, save, True) for save in ("wis", "int")
    )
    if exposed or has(target, "vulnerability", *kinds):
        yield damage.double_amount("vulnerable")
    if has(target, "immunity", *kinds):
        yield damage.negate("immune")


def _use_up(ctx: Context, target: Combatant, blow: DamageInstance) -> None:
    """End the effects that last for one blow: on damage taken, and resistances to its types."""
    stats.use_up(ctx, checks.NUMBERS, target.id, ("damage_taken",))
    types = {kind for _, kind in blow.parts if kind}
    met = {*types, *([stats.ALL] if types else []), *([] if blow.magical else [MUNDANE])}
    for effect in (e for against in AGAINST for e in target.all_named(against)):
        if effect.until.ends == "use" and effect.type in met:
            remove_effect(ctx, target.id, effect.id, "used")


def resists(state: Encounter, combatant: Combatant, *kinds: str) -> bool:
    """Whether a combatant resists one of these damage types; all resist fire under water (14.1)."""
    quenched = "fire" in kinds and scene.is_on(state, scene.UNDERWATER)
    return quenched or has(combatant, "resistance", *kinds)


# -- healing ---------------------------------------------------------------------------------------


def heal(ctx: Context, combatant_id: str, amount: int, why: str = "") -> int:
    """Heal up to the maximum, which wakes a combatant at 0 HP. Return the amount (rules file, 8.1).

    Raises Refused for the dead, and while massive damage may have killed.
    """
    target = ctx.state[combatant_id]
    damage.require_hp(target, "healed")
    require_alive([target])
    dying.require_no_massive_save([target])
    healed = damage.regain_hp(ctx, combatant_id, amount, why)
    if healed and target.life in ("dying", "stable"):
        dying.rise(ctx, combatant_id, why or "healed")
    return healed


# -- the commands ----------------------------------------------------------------------------------


class DamageArgs(damage.DamageArgs, frozen=True):
    """The arguments of `damage`, for damage that no attack of affray's deals."""

    type: Annotated[str, arguments.damage_type_arg()] = ""
    knockout: Annotated[bool, arguments.flag_arg()] = False
    choice: Annotated[str, arguments.anywhere_choice_arg(*dying.CHOICES)] = ""
    weapon: Annotated[str, arguments.anywhere_choice_arg("magical", MUNDANE)] = "magical"


def _deal(ctx: Context, combatant_id: str, args: DamageArgs, half: bool) -> None:
    echo = scene.echo(ctx, args.type, tells=combatant_id == args.targets[0].id)
    blow = DamageInstance(
        [(args.amount + echo, args.type)],
        half=half,
        melee=True,
        magical=args.weapon != MUNDANE,
        knockout=args.knockout,
        choice=args.choice,
    )
    deal(ctx, combatant_id, blow)


DAMAGE_VERBS = (
    damage.damage_command("deals damage, through resistance and temporary HP", DamageArgs, _deal),
    damage.heal_command("heals HP; who was at 0 wakes", heal),
)


# -------------------------------------------------------------------------------------------------
# Legendary resistance: a failed save becomes a success, some times a day (`legendary-resistance 3`
# on a sheet). It is asked for right after the save. The seed has no such creatures; other books do.

VERB = "legendary-resistance"


class ResistArgs(Struct, frozen=True):
    who: Annotated[Combatant, arguments.combatant_arg("whose failed save becomes a success")]


def _resist(ctx: Context, args: ResistArgs) -> None:
    """Decide the last command anew with its failed save as a success, the dice as they fell."""
    combatant, earlier = args.who, ctx.previous
    rolls = checks.rolls_of(earlier.entry.events) if earlier is not None else ()
    has_failed = any(_is_failed_save(roll, combatant) for roll in rolls)
    if earlier is None or not combatant.used(*checks.CAN_RESIST) or not has_failed:
        raise Refused(f"no failed save of {combatant.name} was the last thing to happen")
    if not combatant.track(RESISTS):
        raise Refused(f"{combatant.name} has no legendary resistance left")
    forced = checks.forced_with(
        earlier, lambda roll: checks.SUCCESS if _is_failed_save(roll, combatant) else ""
    )
    shared_checks.emit_difference(
        ctx, ctx.state, shared_checks.redecide(ctx, earlier, forced).state, "legendary resistance"
    )
    ctx.emit(CostPaid(combatant.id, RESISTS, 1, "a failed save"))
    ctx.text = f"{combatant.name} saves after all, by legendary resistance"


def _is_failed_save(roll: Rolled, combatant: Combatant) -> bool:
    return (
        roll.who == combatant.id and roll.outcome == checks.FAILURE and roll.for_.endswith("save")
    )


def pending(state: Encounter) -> Iterator[PendingDecision]:
    """The failed saves that can still become successes."""
    for combatant in state.combatants:
        if combatant.used(*checks.CAN_RESIST):
            left = combatant.track(RESISTS)
            says = f"{combatant.name} failed a save: legendary resistance, {left} left"
            yield PendingDecision(
                combatant.id, says, (DecisionOption("r", "resists", f"{VERB} {combatant.id}"),)
            )


RESISTING_VERBS = (
    declare_command(VERB, "turns the save just failed into a success", ResistArgs, _resist),
)

VERBS = (*DAMAGE_VERBS, *RESISTING_VERBS)

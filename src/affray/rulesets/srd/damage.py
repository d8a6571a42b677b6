"""Damage of games on the SRD, from its amount to the HP lost; healing; legendary resistance."""

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
from affray.core.parser.declarations import ParseState, declare_command
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import Field
from affray.core.rules.ruleset import Context, DecisionOption, PendingDecision
from affray.mechanics import checks as shared_checks, damage, stats
from affray.rulesets.srd import checks, dying
from affray.rulesets.srd.rules import rules_of
from affray.rulesets.srd.sheet import AGAINST, MUNDANE, RESISTS, mundane


class DamageInstance(Struct, frozen=True):
    """Damage to one target before resistances.

    Attributes:
        parts: Amounts with their types; bonuses go to the first.
        by: The id of the attacker; empty for other damage.
        critical: It is a critical hit's.
        half: The damage is halved, as on a save.
        bonus: A flat bonus of the attacker from effects in force.
        melee: It may be a melee attack's, so it can knock out.
        magical: It is no mundane weapon's.
        knockout: At 0 HP the target is knocked out.
        choice: The attacker's choice for a target at 0 HP, in games with one.
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


def damage_as_rolled(
    ctx: Context, by: str, amount: int | str, kind: str, critical: bool = False
) -> int:
    """Return damage of a type as called out, or roll its dice; 0 for none."""
    if isinstance(amount, int):
        return amount
    return rules_of(ctx).roll_damage(ctx, by, amount, kind, critical)


def deal(ctx: Context, combatant_id: str, blow: DamageInstance) -> None:
    """Deal damage: to temporary HP, then to HP, then what follows.

    Raises Refused for a target that is dead or has no HP, and for knocking out from afar.
    """
    target = damage.resolve_damage_target(ctx, combatant_id)
    if blow.knockout and not blow.melee:
        raise Refused("only a melee attack can knock somebody out")
    steps = partial(_steps, ctx, target, blow, _flat_changes(ctx, target, blow))
    amount, how = damage.apply_steps_by_type(ctx, combatant_id, blow.parts, steps, blow.label)
    left, how = rules_of(ctx).after_defences(ctx, target, amount, how)
    if amount and not left:
        damage.tell_of_none(ctx, combatant_id, how)
    amount = left
    _use_up(ctx, target, blow)
    loss = damage.lose_hp(ctx, combatant_id, amount, how)
    rules_of(ctx).after_loss(ctx, target, blow, amount, loss)


def _flat_changes(ctx: Context, target: Combatant, blow: DamageInstance) -> list[int]:
    """Return the change of each part: `[-3, -2]` for 5 less of 3 slashing and 10 fire.

    A bonus goes to the first part. A reduction uses up the first part before it takes from the
    next.
    """
    rules = rules_of(ctx)
    situation = stats.situation_in_command(rules.numbers, ctx, target)
    flat = blow.bonus + stats.stat_value(situation, "damage_taken")
    doubled = blow.critical and rules.doubles_criticals
    found = []
    for amount, _ in blow.parts:
        comes_to = amount * (2 if doubled else 1) // (2 if blow.half else 1)
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
    """Yield the steps in their order: critical, half, flat changes, the target's defences."""
    rules = rules_of(ctx)
    if blow.critical and rules.doubles_criticals:
        yield damage.double_amount("critical")
    if blow.half:
        yield damage.halve("half")
    if by := flat[index]:
        yield damage.flat(by)
    kinds = [kind] if kind else []  # without a type only `all` resists it
    kinds += [stats.ALL] if kind or rules.all_is_untyped_too else []
    kinds += [MUNDANE, mundane(kind)] if index == 0 and not blow.magical else []
    if rules.is_defended(ctx.state, target, "resistance", *kinds):
        yield damage.halve("resisted")
    if rules.is_defended(ctx.state, target, "vulnerability", *kinds):
        yield damage.double_amount("vulnerable")
    if rules.is_defended(ctx.state, target, "immunity", *kinds):
        yield damage.negate("immune")


def _use_up(ctx: Context, target: Combatant, blow: DamageInstance) -> None:
    """End the effects that last for one hit: on damage taken, and resistances to its types."""
    stats.use_up(ctx, rules_of(ctx).numbers, target.id, ("damage_taken",))
    types = {kind for _, kind in blow.parts if kind}
    met = {*types, *([stats.ALL] if types else [])}
    met |= set() if blow.magical else {MUNDANE, *map(mundane, types)}
    for effect in (e for against in AGAINST for e in target.all_named(against)):
        if effect.until.ends == "use" and effect.type in met:
            remove_effect(ctx, target.id, effect.id, "used")


def heal(ctx: Context, combatant_id: str, amount: int, why: str = "") -> int:
    """Heal up to the maximum, which wakes a combatant at 0 HP. Return the amount.

    Raises Refused for the dead, and for whom the game lets nobody heal now.
    """
    target = ctx.state[combatant_id]
    damage.require_hp(target, "healed")
    require_alive([target])
    rules_of(ctx).require_healable(ctx.state, target)
    healed = damage.regain_hp(ctx, combatant_id, amount, why)
    if healed and target.life in ("dying", "stable"):
        dying.rise(ctx, combatant_id, why or "healed")
    return healed


# -------------------------------------------------------------------------------------------------
# Legendary resistance: a failed save becomes a success, some times a day (`legendary-resistance 3`
# on a sheet). The prompt for it comes right after the save.

LEGENDARY_RESISTANCE = "legendary-resistance"


class ResistArgs(Struct, frozen=True):
    who: Annotated[
        Combatant,
        arguments.combatant_arg(
            "the creature that turns its failed save into a success",
            field=Field("target", legal=True),
        ),
    ]


def _resist(ctx: Context, args: ResistArgs) -> None:
    """Decide the last command again with its failed save as a success and the same dice."""
    combatant, earlier = args.who, ctx.previous
    rolls = checks.rolls_of(earlier.entry.events) if earlier is not None else ()
    has_failed = any(_is_failed_save(roll, combatant) for roll in rolls)
    if has_failed and not combatant.track(RESISTS):
        raise Refused(f"{combatant.name} has no legendary resistance left")
    if earlier is None or not combatant.used(*checks.CAN_RESIST) or not has_failed:
        raise Refused(f"no failed save of {combatant.name} was just rolled")
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
            command = f"{LEGENDARY_RESISTANCE} {combatant.id}"
            yield PendingDecision(combatant.id, says, (DecisionOption("r", "resists", command),))


RESIST = declare_command(
    LEGENDARY_RESISTANCE, "turns the save it just failed into a success", ResistArgs, _resist
)


# -- tracks by hand --------------------------------------------------------------------------------


def _markable_tracks(reading: ParseState) -> list[str]:
    people: list[Combatant] = reading.values["people"]
    tracks = dict.fromkeys(track for combatant in people for track in combatant.tracks)
    return [track for track in tracks if track not in ("hp", "temp_hp")]  # these have commands


class MarkArgs(Struct, frozen=True):
    """The arguments of `mark` and `clear`: a track of one or several, and by how many."""

    people: Annotated[
        list[Combatant],
        arguments.combatants_arg("the combatants whose track it is", field=Field("self")),
    ]
    track: Annotated[
        str, arguments.choice_arg("a track", _markable_tracks, "TRACK", field=Field("track"))
    ]
    by: Annotated[
        int, arguments.number_arg("a number", 1, 99, field=Field("number", optional=False))
    ] = 1

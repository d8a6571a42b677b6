"""Adventure School: damage from the dice to the HP lost, what 0 HP bring, healing and revival.

Adventure School, Absorb, Immune, Resist, Weak, Soak (electrolysis), Save, Bloodied, Defeat, Death,
Incapacity.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.engine import effects
from affray.core.engine.events import LifeChanged, NoteAdded, Step, TrackChanged, UseCounted
from affray.core.engine.state import Combatant, Duration
from affray.core.formatting.pieces import steps_in_words
from affray.core.parser import arguments
from affray.core.parser.clauses import names_with_verb
from affray.core.parser.declarations import declare_command
from affray.core.parser.errors import Refused, join_or
from affray.core.parser.prompt_fields import WORD, Field, group
from affray.core.rules.ruleset import Context
from affray.core.rules.tables import Tables
from affray.mechanics import damage, dying, rests, stats
from affray.mechanics.conditions import begin_effect
from affray.mechanics.damage import Part
from affray.mechanics.stats import ALL, Force
from affray.rulesets.adventure_school import conditions, stats as totals


class DamageInstance(Struct, frozen=True):
    """Damage before its steps, rolled or called.

    source  its source's id; empty for none
    half    half of it, by a save; double: twice, by a critically failed one
    label   where it comes from, in words: " from the fall"
    bonus   the situation's bonus on the first part
    """

    parts: tuple[Part, ...]
    source: str = ""
    half: bool = False
    double: bool = False
    label: str = ""
    bonus: int = 0


# -- the way of a blow -----------------------------------------------------------------------------


def deal(ctx: Context, combatant_id: str, blow: DamageInstance) -> int:
    """Deal damage, in the order of ruling 18; returns the damage taken. Its source no longer charms
    the target. Raises Refused for the dead, and for one without HP."""
    target = damage.resolve_damage_target(ctx, combatant_id)
    conditions.end_charms(ctx, combatant_id, blow.source)
    force = effects.effects_in_force(ctx, target)
    left: dict[str, int] = {}
    taken: damage.Steps = ()
    amounts, scaled = _amounts_by_type(blow)
    raised = {blow.parts[0][1]: blow.bonus} if blow.bonus else {}
    for kind, amount in with_added(ctx.tables, force, amounts).items():
        bonus = raised.get(kind, 0)
        begun = (damage.damage_part(amount - bonus, kind, blow.label), *scaled)
        begun += (Step(damage.flat(bonus).words),) if bonus else ()
        if kind in conditions.kinds_of(target, "absorb"):
            _absorb(ctx, combatant_id, amount, begun)
            continue
        steps = _steps(ctx, target, force, kind)
        left[kind], taken = damage.run_steps(amount, (*taken, *begun), steps)
    return _take(ctx, target, left, taken) if left else 0


def _amounts_by_type(blow: DamageInstance) -> tuple[dict[str, int], damage.Steps]:
    """The damage of each type, halved or doubled by a save; and that as a step."""
    amounts: dict[str, int] = {}
    for amount, kind in blow.parts:
        amounts[kind] = amounts.get(kind, 0) + amount
    if blow.bonus:
        amounts[blow.parts[0][1]] += blow.bonus
    if blow.half:
        return {kind: (amount + 1) // 2 for kind, amount in amounts.items()}, (Step("halved"),)
    if blow.double:
        return {kind: amount * 2 for kind, amount in amounts.items()}, (Step("doubled"),)
    return amounts, ()


def _absorb(ctx: Context, combatant_id: str, amount: int, begun: damage.Steps) -> None:
    """Heal by the absorbed damage, but not the defeated."""
    text = f"absorbs {steps_in_words(begun)}"
    is_up = ctx.state[combatant_id].life == "up"
    if not (is_up and damage.regain_hp(ctx, combatant_id, amount, text)):
        ctx.note(text, combatant_id)


def _steps(ctx: Context, target: Combatant, force: Force, kind: str) -> Iterator[damage.DamageStep]:
    """The steps for damage of one type: none, half rounded up, or double. Resistance and
    weakness cancel out; damage of no type meets none of these (ruling 12)."""
    if kind and kind in conditions.kinds_of(target, "immune"):
        yield damage.negate("immune")
        return
    halves = kind in conditions.kinds_of(target, "resist") or halved_by(ctx.tables, force, kind)
    doubles = kind in conditions.kinds_of(target, "weak")
    if halves and not doubles:
        yield damage.DamageStep(lambda amount: (amount + 1) // 2, "resisted")
    elif doubles and not halves:
        yield damage.double_amount("weak", tells=False)


def _take(ctx: Context, target: Combatant, left: Mapping[str, int], how: damage.Steps) -> int:
    """Take the remaining damage of all types, less damage reduction, once for the hit; then
    conditions end and change, and 0 HP defeat. Damage reduced to 0 ends no condition (ruling
    16)."""
    combatant_id, total = target.id, sum(left.values())
    reduction = target.number("dr")
    if reduction and total:
        total = max(0, total - reduction)
        how += (Step(f"reduced by {reduction}"),)
    if not total:
        damage.tell_of_none(ctx, combatant_id, how)
        return 0
    if target.life == "defeated":
        asks = f"is defeated: {steps_in_words(how)}. Is that enough? `kill {combatant_id}`"
        ctx.note(asks, combatant_id)
    else:
        damage.lose_hp(ctx, combatant_id, total, how)
    transform(ctx, combatant_id, [kind for kind, amount in left.items() if amount])
    apply_invariants(ctx, combatant_id)
    return total


# -- elements --------------------------------------------------------------------------------------


def with_added(tables: Tables, force: Force, amounts: Mapping[str, int]) -> dict[str, int]:
    """Damage by its types, with damage added on top, each type once, from the rolled amount: on the
    soaked 6 lightning also deals 6 fire (`adds_damage`)."""
    all_amounts = dict(amounts)
    adding = {
        pair for name in force for pair in effects.effect_row(tables, name).adds_damage.items()
    }
    for kind, more in sorted(adding):
        if amounts.get(kind):
            all_amounts[more] = all_amounts.get(more, 0) + amounts[kind]
    return all_amounts


def halved_by(tables: Tables, force: Force, kind: str) -> str:
    """The effect that halves damage of a type, or without one; empty for none."""
    kinds = {kind, ALL} if kind else {ALL}
    return next(
        (n for n in force if kinds.intersection(effects.effect_row(tables, n).half_damage)), ""
    )


def transform(ctx: Context, combatant_id: str, kinds: Collection[str]) -> None:
    """End earlier effects that damage of these types ends, then apply their replacements: fire
    makes the frozen soaked and chilled (`ended_by`)."""
    begins: list[str] = []
    for effect in ctx.state[combatant_id].effects:
        ended_by = effects.effect_row(ctx.tables, effect.name).ended_by
        by = [kind for kind in kinds if kind in ended_by]
        if by:
            effects.remove_effect(ctx, combatant_id, effect.id, f"{by[0]} damage")
            begins += [name for kind in by for name in ended_by[kind]]
    for name in dict.fromkeys(begins):
        conditions.apply_condition(ctx, combatant_id, effects.EffectSpec(name))


# -- the commands ----------------------------------------------------------------------------------

DAMAGE = damage.damage_parts_arg(arguments.damage_arg().read)
"""The damage of an attack: rolled amounts, or dice to roll, each with its type."""


_PARTS = replace(
    damage.damage_parts_arg(arguments.amount_arg().read),
    field=group(Field("dice"), Field("damage-type", optional=True)),
)


class DamageArgs(Struct, frozen=True):
    """The arguments of `damage`; dice are rolled once, for all targets."""

    targets: Annotated[
        list[Combatant],
        arguments.combatants_arg("the combatants to damage", field=Field("targets", ("half",))),
    ]
    parts: Annotated[tuple[Part, ...], _PARTS]
    half: Annotated[tuple[str, ...], arguments.half_damage_arg()] = ()
    double: Annotated[tuple[str, ...], arguments.half_damage_arg(how="double")] = ()


def _damage(ctx: Context, args: DamageArgs) -> None:
    both = [
        combatant
        for combatant in args.targets
        if combatant.id in args.half and combatant.id in args.double
    ]
    if both:
        raise Refused(f"{names_with_verb(both, 'takes', 'take')} half or double, not both")
    for combatant in args.targets:
        half, double = combatant.id in args.half, combatant.id in args.double
        deal(ctx, combatant.id, DamageInstance(args.parts, half=half, double=double))
    amount = join_or([damage.format_damage(*part) for part in args.parts], "and")
    ctx.text = f"{names_with_verb(args.targets, 'takes', 'take')} {amount}"


# -- as HP have it ---------------------------------------------------------------------------------


BLOODIED, INCAPACITATED, DEFEATED = "bloodied", "incapacitated", "defeated"
WITHOUT = {"beheaded": ("beheaded", "is beheaded"), "heart": ("without a heart", "has no heart")}
"""The deaths that prevent the usual revival (Death), with their words."""
BODY = "body"
"""The span in which that is counted: as long as somebody is dead."""


def apply_invariants(ctx: Context, combatant_id: str) -> None:
    """Apply the consequences of HP: their maximum, defeat, bloodied."""
    hp = ctx.state[combatant_id].tracks.get("hp")
    if hp is None:
        return
    if hp.full is not None:  # HP are cut to the lowered maximum, and don't come back with it
        situation = totals.situation_of(ctx, ctx.state[combatant_id])
        lowered = min(-stats.stat_value(situation, "max_hp"), hp.full)
        effects.lower_maximum(ctx, combatant_id, "hp", lowered - hp.lowered)
    target = ctx.state[combatant_id]
    if target.life == "up" and target.track("hp") <= 0:
        fall(ctx, combatant_id)
    now = ctx.state[combatant_id]
    hp, bloodied = now.tracks["hp"], now.named(BLOODIED)
    is_so = bool(hp.full) and 2 * hp.value <= (hp.full or 0)  # lowered maximums don't count
    if is_so and bloodied is None:
        begin_effect(ctx, combatant_id, BLOODIED, Duration(says="above half of its HP"))
    elif bloodied is not None and not is_so:
        effects.remove_effect(ctx, combatant_id, bloodied.id, "above half")


def fall(ctx: Context, combatant_id: str) -> None:
    """Mark somebody at 0 HP as defeated: prone, and incapacitated until there are HP again (ruling
    19)."""
    ctx.emit(LifeChanged(combatant_id, "defeated", "0 HP"))
    begin_effect(
        ctx, combatant_id, INCAPACITATED, Duration(says="it has HP again"), because=DEFEATED
    )
    if conditions.can_have(
        ctx.state[combatant_id], conditions.PRONE
    ):  # else it goes without saying
        conditions.fall_prone(ctx, combatant_id)


def rise(ctx: Context, combatant_id: str, why: str) -> None:
    """Be up again with the HP that there are; still prone."""
    for effect in ctx.state[combatant_id].effects:
        if effect.because == DEFEATED:
            effects.remove_effect(ctx, combatant_id, effect.id, why)
    rests.reset_uses(ctx, combatant_id, BODY)
    ctx.emit(LifeChanged(combatant_id, "up", why))


def on_edited_by_hand(ctx: Context, combatant_id: str) -> None:
    """After HP were written by hand: at 0 somebody is defeated, above it up, from the dead too."""
    dying.after_manual_hp(ctx, combatant_id, fall, rise, lambda combatant: True)


# -- healing and revival ---------------------------------------------------------------------------


def _heal(ctx: Context, args: damage.HealArgs) -> None:
    """Normal healing does nothing for the defeated and the dead."""
    up = _able(ctx, {combatant: _why_not_healed(combatant) for combatant in args.targets})
    for target in up:
        damage.require_hp(target, "healed")
    healed = [damage.regain_hp(ctx, target.id, args.amount) for target in up]
    in_vain = "" if any(healed) else ", with nothing to heal"
    ctx.text = f"{names_with_verb(up, 'is', 'are')} healed{in_vain}"


def _why_not_healed(combatant: Combatant) -> str:
    return f"{combatant.name} is {combatant.life}: `revive` brings back" if combatant.is_out else ""


def _able(ctx: Context, reasons: Mapping[Combatant, str]) -> list[Combatant]:
    """The targets that it affects. The log gets the reason for each of the others; raises Refused,
    with all reasons, if there are only others."""
    able = [combatant for combatant, reason in reasons.items() if not reason]
    if not able:
        raise Refused("; ".join(reasons.values()))
    ctx.emit(*map(NoteAdded, filter(None, reasons.values())))
    return able


_REVIVED = arguments.combatants_arg(
    "the combatants to revive", field=Field("person", ("defeated", "dead"))
)
_DEAD = Field(WORD, ("dead",), only_if="dead", optional=False)


class ReviveArgs(damage.HealArgs, frozen=True):
    """The arguments of `revive`: `dead` for a revival that works on the dead."""

    targets: Annotated[list[Combatant], _REVIVED]
    dead: Annotated[bool, arguments.flag_arg(field=_DEAD)] = False


def _revive(ctx: Context, args: ReviveArgs) -> None:
    if not args.amount:
        raise Refused("reviving needs at least 1 HP")
    revived = _able(
        ctx, {combatant: _why_not_revived(ctx, combatant, args.dead) for combatant in args.targets}
    )
    for combatant in revived:
        revive(ctx, combatant.id, args.amount, "revived")
    ctx.text = f"{names_with_verb(revived, 'is', 'are')} revived"


def _why_not_revived(ctx: Context, combatant: Combatant, dead: bool) -> str:
    """The reason why a revival doesn't help somebody; empty if it does."""
    if not combatant.is_out:
        return f"{combatant.name} is not defeated"
    if not combatant.room("hp"):
        return f"{combatant.name} has no HP left to come back to"
    if combatant.life == "defeated":
        return ""
    for how, (_, lacks) in WITHOUT.items():
        if combatant.used(how, BODY):
            set_hp = f"`set {combatant.id} hp N`"
            return f"{combatant.name} {lacks}: {set_hp} if something revives them anyway"
    if not dead:
        return f"{combatant.name} is dead: say `dead` for a revival that works on the dead"
    most = int(ctx.tables.economy["returns"])
    returned = combatant.track("returns") >= most
    return f"{combatant.name} has come back from the dead {most} times" if returned else ""


def revive(ctx: Context, combatant_id: str, amount: int, why: str) -> None:
    """Give the defeated or the dead HP, up to the maximum; a way back from the dead is counted."""
    if ctx.state[combatant_id].life == "dead":
        ctx.emit(TrackChanged(combatant_id, "returns", 1, why="back from the dead"))
    if damage.regain_hp(ctx, combatant_id, amount, why):
        rise(ctx, combatant_id, why)


# -- death -----------------------------------------------------------------------------------------


_HOW = arguments.anywhere_choice_arg(*WITHOUT, field=Field("choice", tuple(WITHOUT)))


class KillArgs(Struct, frozen=True):
    """The arguments of `kill`: the way, if it prevents the usual revival."""

    targets: Annotated[
        list[Combatant],
        arguments.combatants_arg(
            "the combatants to kill", field=Field("person", ("defeated",), named=True)
        ),
    ]
    how: Annotated[str, _HOW] = ""


def _kill(ctx: Context, args: KillArgs) -> None:
    """Kill somebody on the GM's word, whatever their HP."""
    dead = [combatant for combatant in args.targets if combatant.life == "dead"]
    if dead and not args.how:
        raise Refused(f"{names_with_verb(dead, 'is', 'are')} dead")
    for combatant in args.targets:
        if combatant.life == "up":
            rests.set_track(ctx, combatant.id, "hp", 0, "killed")
            fall(ctx, combatant.id)
        if args.how:
            ctx.emit(UseCounted(combatant.id, args.how, BODY))
        if combatant.life != "dead":
            ctx.emit(LifeChanged(combatant.id, "dead", "killed"))
    how = f", {WITHOUT[args.how][0]}" if args.how else ""
    ctx.text = f"{names_with_verb(args.targets, 'is', 'are')} dead{how}"


COMMANDS = (
    declare_command("damage", "deals damage, of one type or several at once", DamageArgs, _damage),
    declare_command("heal", "heals HP of those still standing", damage.HealArgs, _heal),
    declare_command(
        "revive", "revives the defeated, and with `dead` the dead too", ReviveArgs, _revive
    ),
    declare_command("kill", "makes somebody dead, on the GM's word", KillArgs, _kill),
)

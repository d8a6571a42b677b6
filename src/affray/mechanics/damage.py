"""Damage from its amount to the HP lost; healing; temporary HP; and the commands for these.

A game lists the steps of damage in its own order, and applies what 0 HP mean itself:

    steps = [halve("halved"), subtract(1, "AC"), halve("resisted", tells=False)]
    amount, how = run_steps(9, (damage_part(9, "fire"),), steps)

That leaves 1, and the log has `9 fire, halved 4, AC 1, resisted`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Annotated, Any, Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from affray.core.engine import events
from affray.core.engine.effects import EffectSpec, end_effects_named
from affray.core.engine.events import AnyEvent, TrackChanged, UseCounted
from affray.core.engine.state import Combatant
from affray.core.parser import arguments
from affray.core.parser.clauses import names_with_verb
from affray.core.parser.declarations import Argument, ParseState, declare_command
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import ASKED_ELSEWHERE, Field
from affray.core.rules.ruleset import Command, Context
from affray.core.rules.tables import USUAL_TABLES, Tables
from affray.mechanics import rests
from affray.mechanics.conditions import DurationRules, begin_effect, resolve_end

# -- the steps of damage ---------------------------------------------------------------------------

Part = tuple[int, str]
"""An amount of damage and its type; empty for none."""
Steps = tuple[events.Step, ...]
"""An amount of damage and its steps, as the log has them."""


class DamageStep(Struct, frozen=True):
    """One step of damage: its change of the amount, and the words for it.

    With `tells` the new amount follows the words: "halved 4", else only "resisted". `by` is the
    amount added or subtracted, if shown: "AC 2".
    """

    makes: Callable[[int], int]
    words: str
    tells: bool = False
    by: int | None = None


def halve(words: str, least: int = 0, tells: bool = True) -> DamageStep:
    """Half of the amount, rounded down; `least` is the minimum for an amount above 0."""
    return DamageStep(lambda amount: max(least, amount // 2) if amount > 0 else 0, words, tells)


def double_amount(words: str, tells: bool = True) -> DamageStep:
    """Twice as much."""
    return DamageStep(lambda amount: 2 * amount, words, tells)


def subtract(by: int, words: str) -> DamageStep:
    """Reduce damage by an amount, never below 0: "AC 2"."""
    return DamageStep(lambda amount: max(0, amount - by), words, by=-by)


def add_amount(by: int, words: str) -> DamageStep:
    """Increase damage by an amount: "vulnerable 5"."""
    return DamageStep(lambda amount: amount + by, words, by=by)


def flat(by: int) -> DamageStep:
    """A change by the effects in force: "raised by 2"."""
    words = f"raised by {by}" if by > 0 else f"reduced by {-by}"
    return DamageStep(lambda amount: max(0, amount + by), words)


def negate(words: str) -> DamageStep:
    """The step to no damage: "immune"."""
    return DamageStep(lambda amount: 0, words)


def format_damage(amount: int, kind: str = "", label: str = "") -> str:
    """Damage in words, with a label behind: "8 fire", "8 fire persistent"."""
    return f"{amount}{f' {kind}' if kind else ''}{label}"


def damage_part(amount: int, kind: str = "", label: str = "") -> events.Step:
    """The damage before its steps."""
    return events.Step(f"{kind}{label}".strip(), amount)


def run_steps(amount: int, begun: Steps, steps: Iterable[DamageStep]) -> tuple[int, Steps]:
    """Run an amount through all steps; return the rest, and the steps after the first ones."""
    taken = [*begun]
    for step in steps:
        amount = step.makes(amount)
        taken.append(events.Step(step.words, by=step.by, to=amount if step.tells else None))
    return amount, tuple(taken)


def apply_steps(
    ctx: Context,
    combatant_id: str,
    amount: int,
    steps: Iterable[DamageStep],
    kind: str = "",
    label: str = "",
) -> tuple[int, Steps]:
    """Deal damage of one type through the steps; damage that doesn't get through is only logged."""
    return apply_steps_by_type(
        ctx, combatant_id, ((amount, kind),), lambda kind, index: steps, label
    )


def apply_steps_by_type(
    ctx: Context,
    combatant_id: str,
    parts: Iterable[Part],
    steps: Callable[[str, int], Iterable[DamageStep]],
    label: str = "",
) -> tuple[int, Steps]:
    """Run each part through the steps of its type and index, and return the sum with the steps."""
    left = 0
    how: Steps = ()
    for index, (amount, kind) in enumerate(parts):
        begun = (*how, damage_part(amount, kind, label))
        got, how = run_steps(amount, begun, steps(kind, index))
        left += got
    if left == 0:
        tell_of_none(ctx, combatant_id, how)
    return left, how


def tell_of_none(ctx: Context, combatant_id: str, how: Steps) -> None:
    """Tell that nothing of a blow gets through, and why."""
    ctx.emit(TrackChanged(combatant_id, ctx.tables.health, parts=how))


def damage_types(ctx: Context, named: Callable[[Combatant], Iterable[str]]) -> Iterator[str]:
    """Yield the types of damage of the tables, then those that sheets name.

    `named` lists the types in a combatant's resistances and the like.
    """
    on_sheets = chain.from_iterable(map(named, ctx.state.combatants))
    return chain(ctx.tables.damage_types, on_sheets)


def resolve_damage_target(ctx: Context, combatant_id: str) -> Combatant:
    """Return the target of damage. Raises Refused for one that is dead, or has no HP."""
    found = ctx.state[combatant_id]
    require_hp(found, "damaged", ctx.tables)
    if found.life == "dead":
        raise Refused(f"{found.name} is dead")
    return found


def require_hp(combatant: Combatant, done: str, tables: Tables = USUAL_TABLES) -> None:
    """Raises Refused for somebody without HP that could be `done` something to; `tables` are the
    game's, where HP go by another name."""
    if tables.health not in combatant.tracks:
        raise Refused(f"{combatant.name} has no {tables.health_label} that could be {done}")


# -- HP lost and regained --------------------------------------------------------------------------


class HpLoss(Struct, frozen=True):
    """The temporary HP and HP lost to damage, and where HP would be without a floor: 12 damage to
    somebody with 3 temporary HP and 5 HP are `HpLoss(3, 5, -4)`."""

    temp: int
    hp: int
    depth: int


def lose_hp(
    ctx: Context, combatant_id: str, amount: int, why: str | Steps, floor: int | None = 0
) -> HpLoss:
    """Lose HP, temporary ones first, down to the floor if there is one; HP already below it stay.
    `why` is a reason, or the steps of damage. The game applies what follows."""
    reason, steps = (why, ()) if isinstance(why, str) else ("", why)
    combatant = ctx.state[combatant_id]
    health, temporary = ctx.tables.health, ctx.tables.temporary_health
    temp = max(0, min(amount, combatant.track(temporary)))
    if temp:
        ctx.emit(TrackChanged(combatant_id, temporary, -temp, why=reason, parts=steps))
    left = ctx.tables.health_of(combatant)
    had = left.value if left is not None else 0
    depth = had - (amount - temp)
    lost = had - (depth if floor is None else max(depth, min(had, floor)))
    if lost:
        by = lost * _falls(ctx.tables)
        ctx.emit(TrackChanged(combatant_id, health, by, why=reason, parts=steps))
    return HpLoss(temp, lost, depth)


def _falls(tables: Tables) -> int:
    """The way that health goes when some is lost: −1, or 1 where wounds are marked."""
    return 1 if tables.track(tables.health).counts == "marked" else -1


def has_lost_hp(
    events: Iterable[AnyEvent], combatant_id: str, tables: Tables = USUAL_TABLES
) -> bool:
    """True if these events took HP, or temporary HP, from somebody; `tables` are the game's, for
    other names."""
    signs = {tables.temporary_health: -1, tables.health: _falls(tables)}
    changed = (e for e in events if isinstance(e, TrackChanged) and e.who == combatant_id)
    return any(event.by * signs.get(event.track, 0) > 0 for event in changed)


def regain_hp(ctx: Context, combatant_id: str, amount: int, why: str = "") -> int:
    """Regain HP up to the maximum, from 0 for HP below it; return by how much they rose."""
    track = ctx.tables.health_of(ctx.state[combatant_id])
    if track is None:
        return 0
    most = max(track.value, 0) + amount
    rose = (most if track.max is None else min(most, track.max)) - track.value
    if amount <= 0 or rose <= 0:
        return 0
    steps = [why, "counted from 0"] if track.value < 0 else []
    parts = tuple(events.Step(each) for each in steps if each)
    health, by = ctx.tables.health, -rose * _falls(ctx.tables)
    ctx.emit(TrackChanged(combatant_id, health, by, why="" if parts else why, parts=parts))
    return rose


def _temporary_label(tables: Tables) -> str:
    """The name of temporary HP within a sentence."""
    return f"temporary {tables.health_label}"


Stays = Literal["", "new", "keep"]
"""The choice between two amounts of temporary HP; by default the higher stays."""


def grant_temp_hp(ctx: Context, combatant_id: str, amount: int, stays: Stays = "") -> bool:
    """Give temporary HP, which don't add up with others; returns True if the new ones stay.

    Raises Refused for somebody without HP.
    """
    require_hp(ctx.state[combatant_id], "protected", ctx.tables)
    temporary = ctx.tables.temporary_health
    have, label = ctx.state[combatant_id].track(temporary), _temporary_label(ctx.tables)
    are_new = (amount > have or stays == "new") and not (have and stays == "keep")
    if are_new:
        ctx.emit(TrackChanged(combatant_id, temporary, amount - have, why=label))
    else:
        ctx.note(f"keeps the {have} {label} it has", combatant_id)
    return are_new


def has_just_died(ctx: Context, combatant_id: str) -> bool:
    """True if the same command has killed somebody already: by damage before this, or by a summon's
    end."""
    before = ctx.before.find(combatant_id)
    return ctx.state[combatant_id].life == "dead" and before is not None and before.life != "dead"


# -- the commands ----------------------------------------------------------------------------------


def damage_parts_arg(read: Callable[[ParseState], Any]) -> Argument:
    """Declare amounts, each with its type: `8 slashing 4 fire`; `read` reads one amount."""
    kind = arguments.damage_type_arg()

    def stands(reading: ParseState) -> bool:
        return reading.words.has_amount()

    def reads(reading: ParseState) -> tuple[tuple[Any, str], ...]:
        found: list[tuple[Any, str]] = []
        while not found or stands(reading):
            found.append((read(reading), kind.read(reading)))
        return tuple(found)

    return Argument(reads, "AMOUNT [TYPE] [AMOUNT TYPE ...]", stands, field=Field("damage"))


MORE = replace(
    damage_parts_arg(arguments.amount_arg().read),
    usage="AMOUNT TYPE ...",
    requires="type",
    field=ASKED_ELSEWHERE,
)
"""Damage of further types, after the first amount and type: `4 fire`."""


class DamageArgs(Struct, frozen=True):
    """The arguments of `damage` in every game; a game's own declares the types, and adds words:

    class DamageArgs(damage.DamageArgs, frozen=True):
        type: Annotated[str, arguments.damage_type_arg(known_types)] = ""
        knockout: arguments.Flag = False
    """

    targets: Annotated[
        list[Combatant],
        arguments.combatants_arg("the combatants to damage", field=Field("targets", ("half",))),
    ]
    amount: Annotated[int, arguments.amount_arg("damage", field=Field("dice"))]
    type: Annotated[str, arguments.damage_type_arg()] = ""
    half: Annotated[tuple[str, ...], arguments.half_damage_arg()] = ()


class HealArgs(Struct, frozen=True):
    """The arguments of `heal`."""

    targets: Annotated[list[Combatant], arguments.combatants_arg("the combatants to heal")]
    amount: Annotated[int, arguments.amount_arg("healing", field=Field("dice"))]


class TempHpArgs(Struct, frozen=True):
    """The arguments of `temp` in every game; a game's own adds how long they last, or which
    stay."""

    targets: Annotated[
        list[Combatant], arguments.combatants_arg("the combatants who get temporary HP")
    ]
    amount: Annotated[int, arguments.amount_arg("temporary HP", field=Field("dice"))]


_Damage = TypeVar("_Damage", bound=DamageArgs)


def damage_command(
    does: str, args_type: type[_Damage], deal: Callable[[Context, str, _Damage, bool], object]
) -> Command:
    """Make the command `damage`; `deal` is called for each target, with whether it takes half.

    A target that has died by the same command is passed over.
    """

    def run(ctx: Context, args: _Damage) -> None:
        for target in args.targets:
            if not has_just_died(ctx, target.id):
                deal(ctx, target.id, args, target.id in args.half)
        takes = names_with_verb(args.targets, "takes", "take")
        ctx.text = f"{takes} {format_damage(args.amount, args.type)}"

    return declare_command("damage", does, args_type, run)


def heal_command(does: str, heal: Callable[[Context, str, int], object]) -> Command:
    """The command `heal`; `heal` returns something true if there was anything to heal."""

    def run(ctx: Context, args: HealArgs) -> None:
        healed = [heal(ctx, target.id, args.amount) for target in args.targets]
        label = ctx.tables.health_label
        why = f"already at full {label}" if args.amount else f"by 0 {label}"
        in_vain = "" if any(healed) else f", {why}"
        ctx.text = f"{names_with_verb(args.targets, 'is', 'are')} healed{in_vain}"

    return declare_command("heal", does, HealArgs, run)


def _give(ctx: Context, combatant_id: str, args: TempHpArgs) -> None:
    grant_temp_hp(ctx, combatant_id, args.amount)


def temp_hp_command(
    does: str,
    args_type: type[TempHpArgs] = TempHpArgs,
    give: Callable[[Context, str, Any], object] = _give,
) -> Command:
    """The command `temp`: it calls `give` for each target, with the game's own `args_type`."""

    def run(ctx: Context, args: TempHpArgs) -> None:
        for target in args.targets:
            give(ctx, target.id, args)
        ctx.text = f"{names_with_verb(args.targets, 'gets', 'get')} {_temporary_label(ctx.tables)}"

    return declare_command("temp", does, args_type, run)


# -------------------------------------------------------------------------------------------------
# Temporary HP with an end of their own, which an effect holds: either is gone with the other. A
# game's `temp` calls `grant_temp_hp_with_end`; behind every command it calls `end_expired_temp_hp`.

TEMP_HP_EFFECT = "temporary-hp"
"""The effect that says when temporary HP end."""
_TIMED = "timed"


class TempHpChoice(TempHpArgs, frozen=True):
    """The arguments of `temp` with a choice between two amounts, and a duration."""

    stays: Annotated[Stays, arguments.anywhere_choice_arg("new", "keep")] = ""
    terms: EffectSpec = EffectSpec()


def grant_temp_hp_with_end(
    game: DurationRules, ctx: Context, combatant_id: str, args: TempHpChoice
) -> None:
    """Give temporary HP until they are gone, or their time is up."""
    if grant_temp_hp(ctx, combatant_id, args.amount, args.stays):
        _forget(ctx, combatant_id, "replaced by others")
        if args.terms.is_timed:
            until = resolve_end(game, ctx, combatant_id, args.terms)
            begin_effect(
                ctx,
                combatant_id,
                TEMP_HP_EFFECT,
                until,
                args.terms.attached_to,
                amount=args.amount,
                source=args.terms.source,
            )
            ctx.emit(UseCounted(combatant_id, TEMP_HP_EFFECT, _TIMED))


def end_expired_temp_hp(ctx: Context, combatant_id: str) -> None:
    """End temporary HP whose effect has ended, or the effect of used-up ones."""
    target = ctx.state[combatant_id]
    if not target.used(TEMP_HP_EFFECT, _TIMED):
        return
    lasts, left = (
        target.named(TEMP_HP_EFFECT) is not None,
        target.track(ctx.tables.temporary_health),
    )
    if left and not lasts:
        why = f"the {_temporary_label(ctx.tables)} have ended"
        ctx.emit(TrackChanged(combatant_id, ctx.tables.temporary_health, -left, why=why))
    if not (left and lasts):
        _forget(ctx, combatant_id, "used up")


def _forget(ctx: Context, combatant_id: str, why: str) -> None:
    end_effects_named(ctx, combatant_id, TEMP_HP_EFFECT, why)
    rests.reset_uses(ctx, combatant_id, _TIMED)

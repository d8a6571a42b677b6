"""Movement: on foot, in the air, falls, and on the road.

How high somebody flies is the amount of its effect `flying`, in squares; 0 if nobody said. The
distance since its last turn's end is counted under `flight/flown`, up to the amount needed.

Orcus, Actions in Combat (Walk, Dash), Flying Movement, Fly, Prone, Falling, Overland Movement.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import DieInput
from affray.core.engine.effects import (
    effect_row,
    effects_in_force,
    end_effects_named,
    why_cannot,
)
from affray.core.engine.events import EffectChanged, TrackChanged, UseCounted
from affray.core.engine.state import Combatant, Duration, Encounter
from affray.core.engine.turn_order import said_by
from affray.core.parser import arguments
from affray.core.parser.clauses import names_with_verb
from affray.core.parser.declarations import Argument, NoArgs, ParseState, declare_command
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import Field
from affray.core.rules.ruleset import Context, DecisionOption, PendingDecision
from affray.core.rules.tables import Tables
from affray.mechanics import (
    actions,
    checks as shared_checks,
    conditions,
    damage as shared_damage,
    rests,
    stats,
)
from affray.rulesets.orcus import action_economy, checks, companions, damage

PRONE, FLOWN, SPAN = "prone", "flown", "flight"
_HIGH = arguments.number_arg("a height in squares", 1)


# -- flying ----------------------------------------------------------------------------------------


class FlyArgs(Struct, frozen=True):
    """The arguments of `fly`: the distance, and the height afterwards; 0 if not given."""

    squares: Annotated[int, arguments.number_arg("a number of squares", 1, usage="SQUARES")] = 0
    altitude: Annotated[
        int, arguments.keyword_arg("altitude", _HIGH, field=Field("number", before="altitude"))
    ] = 0


def fly(ctx: Context, args: FlyArgs) -> None:
    """Fly up or on, at the price of a walk and with its bars (Orcus, Fly).

    Raises Refused without a fly speed, and for more squares than that."""
    combatant = ctx.actor()
    _refuse_wingless(combatant)
    speed = stats.stat_value(checks.situation_of(ctx, combatant), "fly")
    if args.squares > speed:
        raise Refused(f"{combatant.name} flies {speed} squares at most, not {args.squares}")
    actions.pay(action_economy.ECONOMY, ctx, combatant.id, "walk")
    ctx.text = f"{combatant.name} flies{f' {args.squares} squares' if args.squares else ''}"
    _rise(ctx, combatant, args.altitude)
    _count_flight(ctx, combatant.id, args.squares)


def _refuse_wingless(combatant: Combatant) -> None:
    if not checks.has(combatant, "fly"):
        raise Refused(
            f"{combatant.name} has no fly speed; `modifier {combatant.id} +8 fly` would give one"
        )


class AloftArgs(Struct, frozen=True):
    people: Annotated[list[Combatant], arguments.combatants_arg("the combatants in the air")]
    altitude: Annotated[int, replace(_HIGH, usage="ALTITUDE")] = 0


def _aloft(ctx: Context, args: AloftArgs) -> None:
    """Put combatants in the air, or correct their height, without a move."""
    for combatant in args.people:
        _refuse_wingless(combatant)
        if PRONE in effects_in_force(ctx, combatant):
            raise Refused(f"{combatant.name} is prone, so is on the ground")
        _rise(ctx, combatant, args.altitude)
    high = f", {args.altitude} squares up" if args.altitude else ""
    ctx.text = f"{names_with_verb(args.people, 'is', 'are')} in the air{high}"


def _rise(ctx: Context, combatant: Combatant, altitude: int) -> None:
    """Begin to fly or change the altitude; 0 keeps it. Above its limit a combatant crashes."""
    old = combatant.named(checks.FLYING)
    if old is None:
        until = Duration("rest", says=effect_row(ctx.tables, checks.FLYING).until)
        conditions.begin_effect(ctx, combatant.id, checks.FLYING, until, amount=altitude)
    elif altitude:
        ctx.emit(EffectChanged(combatant.id, replace(old, amount=altitude)))
    limit = combatant.number("altitude")
    if limit and altitude > limit:
        _crash(ctx, combatant.id, f"above {limit} squares")


def _count_flight(ctx: Context, combatant_id: str, squares: int = 0) -> None:
    """Count squares moved in the air; 0 for as many as keep a combatant aloft."""
    if ctx.state[combatant_id].named(checks.FLYING) is not None:
        enough = int(ctx.tables.economy["flight"])
        ctx.emit(
            *(UseCounted(combatant_id, FLOWN, SPAN) for _ in range(min(squares or enough, enough)))
        )


def _land(ctx: Context, args: NoArgs) -> None:
    """End flying on the ground: a part of a move, at no further price."""
    combatant = ctx.actor()
    if combatant.named(checks.FLYING) is None:
        raise Refused(f"{combatant.name} is not flying")
    end_effects_named(ctx, combatant.id, checks.FLYING, "lands")
    ctx.text = f"{combatant.name} lands"


def on_turn_end(ctx: Context, combatant_id: str) -> None:
    """Let a flyer crash that doesn't hover and has flown too few squares since its last turn."""
    if _is_falling(ctx.tables, ctx.state[combatant_id]):
        _crash(ctx, combatant_id, f"flew less than {ctx.tables.economy['flight']} squares")
    rests.reset_uses(ctx, combatant_id, SPAN)


def _is_falling(tables: Tables, combatant: Combatant) -> bool:
    flies = combatant.named(checks.FLYING) is not None and not combatant.stats.get("hover")
    return flies and combatant.used(FLOWN, SPAN) < tables.economy["flight"]


def pending_decisions(tables: Tables, state: Encounter) -> list[PendingDecision]:
    """List the decisions of flyers that have to fly on before the turn ends, or land."""
    squares = tables.economy["flight"]
    found = []
    for up in state.all_up():
        if not up.is_out and _is_falling(tables, up):
            by = said_by(state, up.id)
            missed = f"flew less than {squares} squares"
            choices = (
                DecisionOption("f", "flies on", f"fly{by}"),
                DecisionOption("l", "lands", f"land{by}"),
            )
            what = f"{up.name} crashes unless it flies {squares} squares"
            found.append(PendingDecision(up.id, what, choices, missed, holds=True))
    return found


def apply_invariants(ctx: Context, combatant: Combatant) -> None:
    """Let a prone flyer descend by its fly speed and fall the rest; the dead stop flying.

    Orcus, Prone, Flying Movement.
    """
    flying = combatant.named(checks.FLYING)
    if flying is None:
        return
    if combatant.life == "dead":
        end_effects_named(ctx, combatant.id, checks.FLYING, "dead")
    elif PRONE in effects_in_force(ctx, combatant):
        end_effects_named(ctx, combatant.id, checks.FLYING, "fell prone")
        wings = checks.added_up(stats.stat_parts(checks.situation_of(ctx, combatant), "fly"))
        _hit_the_ground(
            ctx, combatant.id, _roll_fall_damage(ctx, combatant.id, flying.amount - wings)
        )


def _crash(ctx: Context, combatant_id: str, why: str) -> None:
    """Fall to the ground from the height of flight."""
    flying = ctx.state[combatant_id].named(checks.FLYING)
    height = flying.amount if flying is not None else 0
    end_effects_named(ctx, combatant_id, checks.FLYING, why)
    if height:
        _hit_the_ground(ctx, combatant_id, _roll_fall_damage(ctx, combatant_id, height))
    else:
        ctx.note(f"give the height for the damage: `fall {combatant_id} SQUARES`")


# -- falling ---------------------------------------------------------------------------------------


def _hit_the_ground(ctx: Context, combatant_id: str, amount: int) -> None:
    """Deal the damage of a fall; a combatant that it hurts is prone (Orcus, Falling)."""
    target = ctx.state[combatant_id]
    if not amount or "hp" not in target.tracks or target.life == "dead":
        return
    hurt = damage.deal(ctx, combatant_id, damage.DamageInstance(amount, label=" from the fall"))
    if (
        hurt
        and ctx.state[combatant_id].life != "dead"
        and ctx.state[combatant_id].named(PRONE) is None
    ):
        conditions.begin_effect(ctx, combatant_id, PRONE)


def _roll_fall_damage(ctx: Context, combatant_id: str, squares: int) -> int:
    """Roll the damage of a fall: 1d10 for every 2 squares, and no more than 50 dice."""
    row = ctx.tables.economy
    count = min(row["fall_dice"], squares // row["fall_squares"])
    return (
        shared_checks.roll_extra_dice(ctx, combatant_id, f"{count}{row['fall_die']}", "the fall")
        if count > 0
        else 0
    )


def _read_depth(reading: ParseState) -> int:
    squares = reading.words.number("a distance in squares", 1)
    reading.words.take("squares", "square")
    return squares


class FallArgs(Struct, frozen=True):
    people: Annotated[list[Combatant], arguments.combatants_arg("the combatants who fall")]
    squares: Annotated[int, Argument(_read_depth, "SQUARES", field=Field("number"))]
    amount: Annotated[int | None, arguments.number_arg("the damage rolled", usage="DAMAGE")] = None


def _fall(ctx: Context, args: FallArgs) -> None:
    for combatant in args.people:
        shared_damage.resolve_damage_target(ctx, combatant.id)
    # one roll for all of them
    amount = _roll_fall_damage(ctx, "", args.squares) if args.amount is None else args.amount
    for combatant in args.people:
        end_effects_named(ctx, combatant.id, checks.FLYING, "falls")
        _hit_the_ground(ctx, combatant.id, amount)
    far = "1 square" if args.squares == 1 else f"{args.squares} squares"
    ctx.text = f"{names_with_verb(args.people, 'falls', 'fall')} {far}"


# -- on one's feet, or in the air ------------------------------------------------------------------


def go(ctx: Context, combatant_id: str) -> None:
    """Move: this ends squeezing, and is far enough to stay aloft."""
    end_effects_named(ctx, combatant_id, "squeezing", "out of the narrow space")
    _count_flight(ctx, combatant_id)


def walk(ctx: Context, args: NoArgs, combatant: Combatant, pay: actions.PayFunction) -> None:
    """Walk: up to the speed; in the air, with that of the wings."""
    pay()
    go(ctx, combatant.id)
    ctx.text = f"{combatant.name} walks"


def dash(ctx: Context, args: NoArgs, combatant: Combatant, pay: actions.PayFunction) -> None:
    """Dash: speed + 2, exposed until the end of one's next turn."""
    pay()
    go(ctx, combatant.id)
    conditions.replace_effect(
        ctx, combatant.id, "dashing", companions.next_turn(ctx.state, combatant.id, "end")
    )
    ctx.text = f"{combatant.name} dashes"


# -- on the road -----------------------------------------------------------------------------------

HUSTLE, PUSH_ON = "hustle", "push-on"
DAY = "long"
"""The span of uses that a long rest resets, as for daily powers."""


class MarchArgs(Struct, frozen=True):
    """The arguments of `hustle` and `push-on`."""

    people: Annotated[list[Combatant], arguments.combatants_arg("the combatants who go on")]
    dice: Annotated[
        list[DieInput], shared_checks.die_arg(checks.OUTCOMES, "people", field=checks.OUTCOME_FIELD)
    ]
    terms: checks.UnaskedModifiers = checks.CheckModifiers()


def _hustle(ctx: Context, args: MarchArgs) -> None:
    """Make the check at the end of an hour, harder with each hour since the last long rest."""
    dc, more = ctx.tables.economy["hustle"], ctx.tables.economy["hustle_hour"]
    _march(ctx, args, HUSTLE, lambda combatant: dc + more * (combatant.used(HUSTLE, DAY) + 1))
    hustle = names_with_verb(args.people, "hustles", "hustle")
    ctx.text = f"{hustle} for an hour: {_slowest(ctx, args.people)} miles"


def _push_on(ctx: Context, args: MarchArgs) -> None:
    """Another five hours after the day's five, once a day."""
    _march(ctx, args, PUSH_ON, lambda combatant: ctx.tables.economy["push_on"])
    miles = _slowest(ctx, args.people) * 5 // 2
    ctx.text = f"{names_with_verb(args.people, 'pushes', 'push')} on for five hours: {miles} miles"


def _slowest(ctx: Context, people: list[Combatant]) -> int:
    """The speed of the slowest, in squares: half of it is the miles in an hour."""
    return min(
        stats.stat_value(checks.situation_of(ctx, combatant), "speed") for combatant in people
    )


def _march(ctx: Context, args: MarchArgs, what: str, dc_of: Callable[[Combatant], int]) -> None:
    """Make Endure checks: a failure costs a recovery, and bars going on before a long rest.

    Raises Refused in a fight, and after a failure since the last long rest."""
    if ctx.state.in_combat:
        raise Refused(f"nobody can {what} in the middle of a fight")
    for combatant in args.people:
        again = "once a day" if what == PUSH_ON and combatant.used(PUSH_ON, DAY) else ""
        if why := why_cannot(ctx, combatant, HUSTLE) or again:
            raise Refused(f"{combatant.name} can't {what}: {why}")
    for combatant, die in zip(args.people, args.dice, strict=True):
        if checks.contest(ctx, combatant, "endure", die, args.terms, dc_of(combatant)) == "miss":
            if ctx.state[combatant.id].track("recoveries") > 0:
                ctx.emit(TrackChanged(combatant.id, "recoveries", -1, why="exhausted"))
            conditions.begin_effect(ctx, combatant.id, "footsore")
        ctx.emit(UseCounted(combatant.id, what, DAY))


_FALLS = "deals the damage of a fall, 1d10 for every 2 squares; those hurt land prone"
COMMANDS = (
    declare_command("aloft", "puts somebody in the air, or sets their height", AloftArgs, _aloft),
    declare_command("land", "ends flying, as part of a move", NoArgs, _land, True),
    declare_command("fall", _FALLS, FallArgs, _fall),
    declare_command(HUSTLE, "ends an hour at double pace with an Endure check", MarchArgs, _hustle),
    declare_command(
        PUSH_ON, "walks on for five more hours with an Endure check", MarchArgs, _push_on
    ),
)

"""Adventure School: movement and its price, dashing, jumping, tumbling, falling, flying.

Adventure School, Move, Difficult Terrain, Climb, Swim, Prone, Dash, Long Jump, High Jump, Tumble,
Drag, Falling, Flying, Immobilize.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import DieInput
from affray.core.engine.effects import (
    effects_in_force,
    end_effects_named,
    remove_effect,
)
from affray.core.engine.events import EffectChanged, Rolled, UseCounted, UsesReset
from affray.core.engine.state import Combatant, Duration
from affray.core.parser import arguments
from affray.core.parser.clauses import join_names, names_with_verb
from affray.core.parser.declarations import declare_command
from affray.core.parser.errors import Refused, join_or
from affray.core.rules.ruleset import Context
from affray.core.rules.tables import Tables
from affray.mechanics import checks
from affray.mechanics.actions import DeclaredTechnique, PayFunction, require_other_target
from affray.mechanics.conditions import begin_effect, replace_effect
from affray.mechanics.stats import StatPart
from affray.rulesets.adventure_school import action_economy, conditions, contests, damage, stats
from affray.rulesets.adventure_school.checks import (
    CRIT_FAIL,
    DC,
    OUTCOME_FIELD,
    PASSES,
    SKILL,
    CheckRequest,
    TestModifiers,
    better_of,
    outcome,
)
from affray.rulesets.adventure_school.conditions import FALLING, FLYING, IMMOBILIZED, PRONE
from affray.rulesets.adventure_school.contests import STRENGTH, ContestedActionArgs, struggle

FEET = arguments.number_arg("a distance in feet", 1, 99_999, "FEET")


class MoveArgs(Struct, frozen=True):
    """`move [FEET] [difficult] [climb] [swim] [drag]`; without FEET, all the remaining movement."""

    feet: Annotated[int, arguments.number_arg("a distance in feet", 1, 9999, "FEET")] = 0
    difficult: arguments.Heard = False
    climb: arguments.Heard = False
    swim: arguments.Heard = False
    drag: arguments.Heard = False


def move(ctx: Context, args: MoveArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Counts movement down: each thing that is slow adds as many feet again (ruling 9)."""
    slow = [word for word in ("difficult", "climb", "swim") if getattr(args, word)]
    slow += [PRONE] if PRONE in effects_in_force(ctx, combatant) else []
    times = 1 + len(slow)
    left = _left(ctx, combatant)
    dragged = _dragged(ctx, combatant, args.drag)
    pay({"movement": args.feet * times or max(1, left)})
    how = f" ({join_or(slow, 'and')})" if slow else ""
    drags = f", dragging {join_names(dragged)}" if dragged else ""
    ctx.text = f"{combatant.name} moves {args.feet or left // times} feet{how}{drags}"


def _left(ctx: Context, combatant: Combatant) -> int:
    """The feet that it has left; outside of a fight nothing is counted, and that is its speed."""
    if ctx.state.in_combat:
        return combatant.track("movement")
    return stats.speed(ctx.tables, ctx.state, combatant)


def _dragged(ctx: Context, combatant: Combatant, drag: bool) -> list[Combatant]:
    """The combatants that a mover takes along: its holders, and with `drag` those it holds who are
    no bigger. Raises Refused if there is nobody to drag, or only somebody bigger."""
    held = stats.GRAB.held_by(ctx.state, combatant.id)
    able = [one for one in held if stats.larger_by(one, combatant) <= 0]
    if drag and not able:
        bigger = names_with_verb(held, "is bigger", "are bigger")
        why = bigger if held else f"{combatant.name} holds nobody"
        raise Refused(f"there is nobody to drag: {why}")
    holders = (ctx.state.find(grip.source) for grip in stats.GRAB.on(combatant))
    return [*(able if drag else []), *(one for one in holders if one is not None)]


_SAVE = outcome(field=replace(OUTCOME_FIELD, optional=False, only_if="blinded"))


class DashArgs(Struct, frozen=True):
    """`dash [OUTCOME]`, which is the health save of a blinded one."""

    die: Annotated[DieInput | None, _SAVE] = None
    terms: Annotated[checks.RollModifiers, arguments.keyword_args(checks.RollModifiers)] = (
        checks.RollModifiers()
    )
    dc: Annotated[int | None, DC] = None


def dash(ctx: Context, args: DashArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Add the speed once more, or half of it after standing up; the blinded may fall."""
    blinded = "blinded" in effects_in_force(ctx, combatant)
    if blinded and args.die is None:
        raise Refused(
            f"{combatant.name} is blinded: give the outcome of the health save, or `roll`"
        )
    if args.die is not None and not blinded:
        raise Refused(f"{combatant.name} can see, so makes no save to dash")
    pay()
    if ctx.state.in_combat and combatant.used(action_economy.STAND):
        ctx.emit(UseCounted(combatant.id, action_economy.HALF_DASH))
    contests.reveal(ctx, combatant.id, "it dashes")
    ctx.text = f"{combatant.name} dashes"
    if args.die is not None:
        dc = args.dc or int(ctx.tables.economy["blind_dash"])
        save = CheckRequest(combatant.id, "health", args.die, dc, modifiers=args.terms, kind="save")
        outcome = save.make(ctx).outcome
        ctx.text += f", {outcome}"
        if outcome not in PASSES:
            conditions.fall_prone(ctx, combatant.id)


class JumpArgs(Struct, frozen=True, kw_only=True):
    """`jump [high] [FEET] [SKILL] OUTCOME [far FEET]`: a high one may be far as well."""

    high: Annotated[str, arguments.choice_arg("a kind of jump", ("high",))] = ""
    feet: Annotated[int, arguments.number_arg("a distance in feet", 1, 999, "FEET")] = 0
    skill: Annotated[str, SKILL] = ""
    die: Annotated[DieInput, outcome()]
    terms: Annotated[TestModifiers, arguments.keyword_args(TestModifiers)]
    far: Annotated[
        int,
        replace(arguments.keyword_arg("far", FEET), offered=lambda r: bool(r.values.get("high"))),
    ] = 0


def jump(ctx: Context, args: JumpArgs, combatant: Combatant, pay: PayFunction) -> None:
    """A jump as part of a move: far, or high."""
    if args.die.outcome and not args.feet:
        raise Refused("give the distance, `jump FEET pass`, or the die, `jump natural 12`")
    if args.far and not args.high:
        raise Refused("`far` is only for a high jump; a long jump is `jump FEET`")
    jumps = _jump_high if args.high else _jump_far
    jumps(ctx, args, combatant, pay)


def _roll(
    ctx: Context, args: JumpArgs, combatant: Combatant, dc: int | None, *more: StatPart
) -> Rolled:
    skill = args.skill or better_of(combatant, STRENGTH, "agility")
    return CheckRequest(combatant.id, skill, args.die, dc, modifiers=args.terms, more=more).make(
        ctx
    )


def _run_up(ctx: Context, combatant: Combatant) -> StatPart:
    """The bonus of the remaining movement on a long jump: at most the speed, less 30."""
    speed = stats.speed(ctx.tables, ctx.state, combatant)
    run = min(_left(ctx, combatant), speed)
    return StatPart(run - int(ctx.tables.economy["long_jump"]), f"{run} feet to run")


def _jump_far(ctx: Context, args: JumpArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Jump to a named distance, which is the DC; else as far as the total, rounded down to 5 ft.
    The jump takes its distance from the movement, on any ground."""
    rolled = _roll(ctx, args, combatant, args.feet or None, _run_up(ctx, combatant))
    passed = rolled.outcome in PASSES
    feet = args.feet if passed and args.feet else _reach(ctx, rolled)
    pay({"movement": min(feet, combatant.track("movement"))})
    short = f", short of {args.feet}" if args.feet and not passed else ""
    ctx.text = f"{combatant.name} jumps {feet} feet far{short}"


def _reach(ctx: Context, rolled: Rolled, more: int = 0) -> int:
    """The distance of a jump, rounded down to 5 ft.; 0 for a natural 1, or without a roll."""
    pace, total = int(ctx.tables.economy["pace"]), (rolled.total or 0) + more
    return 0 if rolled.outcome == CRIT_FAIL else max(0, total // pace * pace)


def _jump_high(ctx: Context, args: JumpArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Jump 5 feet by the first DC, 10 and 15 by the others, and 5 more for each 30 feet of movement
    left. The same roll says how far the jump carries. Height and distance come out of the movement
    and are at most as much."""
    rows = ctx.tables.economy
    pace, dcs, left = int(rows["pace"]), rows["high_jump"], _left(ctx, combatant)
    if left < (args.feet or pace) + args.far:
        raise Refused(f"{(args.feet or pace) + args.far} feet of movement are needed: {left} left")
    extra = left // int(rows["high_jump_run"])
    steps = max(1, -(-args.feet // pace) - extra)
    if steps > len(dcs):
        raise Refused(f"{args.feet} feet is higher than {combatant.name} can jump")
    rolled = _roll(ctx, args, combatant, dcs[steps - 1])
    passed = rolled.outcome in PASSES
    reached = sum((rolled.total or 0) >= dc for dc in dcs)
    cleared = 0 if rolled.outcome == CRIT_FAIL else max(reached, int(passed))
    high = args.feet if passed and args.feet else pace * (cleared + extra) if cleared else 0
    feet = min(high, (left - args.far) // pace * pace)
    carries = (
        _reach(ctx, rolled, _run_up(ctx, combatant).amount) if rolled.total is not None else left
    )
    carries = min(carries, (left - feet) // pace * pace) if feet else 0
    far = min(args.far, carries)
    pay({"movement": feet + far})
    more = "" if args.far or not carries else f", and could go {carries} feet far (`far N`)"
    ctx.text = f"{combatant.name} jumps {feet} feet high{f', {far} feet far' if far else more}"


def tumble(ctx: Context, args: ContestedActionArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Tumbling against the enemy's strength, through its space; lost, one is prone."""
    require_other_target(combatant, args.target, "tumble past")
    pay()
    ctx.text = f"{combatant.name} tumbles past {args.target.name}"
    if not struggle(ctx, "tumble", combatant, args):
        conditions.fall_prone(ctx, combatant.id)
        ctx.text += ", without success"


# -- falling ---------------------------------------------------------------------------------------

SPEED, BLUNT = "speed", "blunt"
FALL = "fall"
"""The count of the turns that a fall has taken, and its span."""


def begin_fall(ctx: Context, combatant_id: str, feet: int, because: str = "") -> None:
    """Begin a fall of that many feet, at the end of the turn; at once outside turns."""
    ctx.emit(UsesReset(combatant_id, FALL))
    replace_effect(
        ctx, combatant_id, FALLING, Duration(says="it lands"), amount=feet, because=because
    )
    if not ctx.state.in_combat:
        land(ctx, combatant_id)


def fall_on(ctx: Context, combatant_id: str) -> None:
    """Fall the distance of one turn, at most to the ground: at the end of the turn, or when it
    would end for the defeated and the dead."""
    falling, far = ctx.state[combatant_id].named(FALLING), int(ctx.tables.economy["fall"])
    left = falling.amount - far if falling is not None else 0
    if left <= 0:
        land(ctx, combatant_id)
        return
    ctx.emit(UseCounted(combatant_id, FALL, FALL))
    for effect in ctx.state[combatant_id].effects:
        if effect.name in (FALLING, FLYING):
            ctx.emit(
                EffectChanged(combatant_id, replace(effect, amount=max(0, effect.amount - far)))
            )
    ctx.note(f"falls {far} feet, with {_in_feet(left)} to go", combatant_id)


def _in_feet(number: int) -> str:
    return "1 foot" if number == 1 else f"{number} feet"


def damage_of(tables: Tables, feet: int) -> int:
    """The damage of a fall from a height: a point for each foot, from 10 feet on."""
    harms, most = int(tables.economy["fall_harms"]), int(tables.economy["fall_damage"])
    return min(feet, most) if feet >= harms else 0


def land(ctx: Context, combatant_id: str) -> None:
    """End a fall, if there is one, and deal its whole damage."""
    target, rows = ctx.state[combatant_id], ctx.tables.economy
    falling = target.named(FALLING)
    if falling is None:
        return
    height = falling.amount + int(rows["fall"]) * target.used(FALL, FALL)
    for name in (FALLING, FLYING):
        end_effects_named(ctx, combatant_id, name, "on the ground")
    ctx.emit(UsesReset(combatant_id, FALL))
    hurt = damage_of(ctx.tables, height)
    if not hurt or target.life == "dead" or "hp" not in target.tracks:
        ctx.note(f"lands after {_in_feet(height)}, unharmed", target.id)
        return
    taken = damage.deal(
        ctx, combatant_id, damage.DamageInstance(((hurt, BLUNT),), label=f" from {height} feet up")
    )
    if taken >= int(rows["fall_kills"]):
        note = f"took {taken} damage by the fall: if that kills, `kill {combatant_id}`"
        ctx.note(note, combatant_id)


# -- flying, and not moving ------------------------------------------------------------------------


def apply_invariants(ctx: Context, combatant_id: str) -> None:
    """Immobilize who can't move, for as long; who flies so, without floating, falls."""
    if "movement" not in ctx.state[combatant_id].tracks:
        return
    _hold(ctx, combatant_id)
    target = ctx.state[combatant_id]
    falling, flying = target.named(FALLING), target.named(FLYING)
    flying = None if target.stats.get("float") else flying
    falls = flying is not None and IMMOBILIZED in effects_in_force(ctx, target)
    if flying is not None and falls and falling is None:
        begin_fall(ctx, combatant_id, flying.amount, because=FLYING)
    elif falling is not None and falling.because == FLYING and not falls:
        remove_effect(ctx, combatant_id, falling.id, "it flies again" if flying is not None else "")
        ctx.emit(UsesReset(combatant_id, FALL))


def _hold(ctx: Context, combatant_id: str) -> None:
    """Let somebody who is stuck be immobilized because of what holds them now, being prone or the
    speed, and because of the other no longer."""
    target = ctx.state[combatant_id]
    held = [e for e in target.all_named(IMMOBILIZED) if e.because in (PRONE, SPEED)]
    others = tuple(effect for effect in target.effects if effect not in held)
    because = _why_stuck(ctx, replace(target, effects=others) if held else target)
    for effect in held:
        if effect.because != because:
            remove_effect(ctx, combatant_id, effect.id, "can move again")
    if because and not any(effect.because == because for effect in held):
        begin_effect(ctx, combatant_id, IMMOBILIZED, Duration(says="it can move"), because=because)


def _why_stuck(ctx: Context, combatant: Combatant) -> str:
    """The reason why somebody can't move whom no effect immobilizes: a prone flyer, or a speed of
    0; empty if they can."""
    force = effects_in_force(ctx, combatant)
    if IMMOBILIZED in force:
        return ""
    is_down = FLYING in force and PRONE in force and not combatant.stats.get("float")
    if is_down and conditions.can_have(combatant, IMMOBILIZED):
        return PRONE
    return SPEED if stats.speed(ctx.tables, ctx.state, combatant) == 0 else ""


class FallArgs(Struct, frozen=True):
    """The arguments of `fall`."""

    who: Annotated[Combatant, arguments.combatant_arg("the combatants who fall")]
    feet: Annotated[int, FEET]


def _fall(ctx: Context, args: FallArgs) -> None:
    begin_fall(ctx, args.who.id, args.feet)
    ctx.text = f"{args.who.name} falls {_in_feet(args.feet)}"


COMMANDS = (declare_command(FALL, "makes somebody fall, at the end of its turn", FallArgs, _fall),)
ACTS = {
    "move": DeclaredTechnique(MoveArgs, move),
    "dash": DeclaredTechnique(DashArgs, dash),
    "jump": DeclaredTechnique(JumpArgs, jump),
    "tumble": contests.left_to_players("tumble", DeclaredTechnique(ContestedActionArgs, tumble)),
}

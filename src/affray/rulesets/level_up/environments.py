"""Level Up: environments: features, the world's actions, creatures that join, the mirror.

Each feature and action is a row of tables/world.toml.

Level Up, Example Environments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from operator import add
from typing import Annotated, Literal

from msgspec import Struct
from msgspec.structs import replace

from affray.core.commands.newcomers import free_ids
from affray.core.dice import DieInput
from affray.core.engine.durations import Until, parse_row_until
from affray.core.engine.effects import EffectSpec, end_effects_named, gain_effect
from affray.core.engine.events import Added, ClockChanged, UseCounted
from affray.core.engine.initiative import set_initiative
from affray.core.engine.state import Clock, Combatant, Effect
from affray.core.parser import arguments, declarations
from affray.core.parser.clauses import join_names
from affray.core.parser.declarations import Argument, ParseState, declare_command
from affray.core.parser.errors import Refused, join_or
from affray.core.parser.prompt_fields import Field, group
from affray.core.rules import campaign_tables
from affray.core.rules.campaign_tables import EnvironmentAction, environment_name
from affray.core.rules.ruleset import Context
from affray.mechanics import checks as shared_checks
from affray.mechanics.actions import PayFunction
from affray.mechanics.sheet import Sheet, TrackInput
from affray.mechanics.stats import ALL, StatPart
from affray.rulesets.level_up import attacks, checks, fatigue, scene, sheet
from affray.rulesets.srd.checks import FAILURE, OUTCOMES, SUCCESS, Outcome
from affray.rulesets.srd.conditions import apply_condition
from affray.rulesets.srd.damage import DamageInstance, damage_as_rolled, deal
from affray.rulesets.srd.rules import rules_of
from affray.rulesets.srd.sheet import attacks_at_once

OUTCOMES = shared_checks.OutcomeWords(
    {**OUTCOMES.means, "hit": FAILURE, "miss": SUCCESS},
    OUTCOMES.refusal_text,
)
"""The outcomes of rolls against it; a missile hits or misses."""


# -- what is said ----------------------------------------------------------------------------------


def _row_names(part: Literal["features", "actions"], reading: ParseState) -> list[str]:
    """The features or actions of all environments, those of the present ones first."""
    rows = reading.ctx.tables.environments
    names = [name for name in scene.environments(reading.ctx.state) if name in rows]
    every = [name for key in (*names, *rows) for name in getattr(rows[key], part)]
    return list(dict.fromkeys(every))


_ACTIONS, _FEATURES = partial(_row_names, "actions"), partial(_row_names, "features")
_ACTION = arguments.choice_arg("a world action", _ACTIONS, "ACTION", field=Field("own", ("world",)))
_FEATURE = arguments.choice_arg("a feature", _FEATURES, "NAME", field=Field("feature"))


def _all(reading: ParseState) -> list[Combatant]:
    return scene.everybody(reading.ctx.state)


def _default_targets(ctx: Context) -> list[Combatant]:
    """The targets of the world if nobody is named."""
    return scene.only_targets(ctx.state) or scene.everybody(ctx.state)


def _refuse_the_world(people: Sequence[Combatant]) -> None:
    if any(combatant.side == scene.WORLD for combatant in people):
        raise Refused("choose a target other than the world")


def _read_dice(reading: ParseState) -> list[DieInput]:
    people = reading.values.get("people") or _default_targets(reading.ctx)
    return shared_checks.parse_dice_inputs(reading.words, OUTCOMES, len(people))


def _is_outcome(reading: ParseState) -> bool:
    reading.words.offered += OUTCOMES.words if reading.words.done else ()
    return shared_checks.is_die_input(reading.words, OUTCOMES)


def _names_people(reading: ParseState) -> bool:
    """True if the next word names combatants: it is neither an outcome nor dice."""
    tokens = reading.words
    could_be = not reading.is_over and tokens.peek()[:1].isalpha() and not tokens.has_dice()
    return tokens.is_people() or (could_be and not _is_outcome(reading))


_PEOPLE = replace(
    arguments.combatants_arg(
        "the combatants it affects", _all, _refuse_the_world, "TARGET[,TARGET]"
    ),
    stands=_names_people,
    field=Field("targets", asked=True),
)
_DICE = Argument(
    _read_dice,
    "OUTCOME",
    _is_outcome,
    field=Field("outcome", ("each", "success", "failure"), asked=True),
)
_GEAR = arguments.combatants_arg("the combatants with gear against it", _all)


class EnvironmentActionTargets(Struct, frozen=True):
    """The targets of a feature or action of the world, with its outcome, damage and options."""

    name: Annotated[str, _FEATURE]
    people: Annotated[list[Combatant], _PEOPLE] = []
    dice: Annotated[list[DieInput], _DICE] = []
    amount: Annotated[int | None, arguments.amount_arg("damage", field=Field("dice"))] = None
    gear: Annotated[list[Combatant], arguments.keyword_arg("gear", _GEAR, add)] = []
    terms: checks.CoverModifiers = checks.RollModifiersWithCover()


class WorldActionArgs(EnvironmentActionTargets, frozen=True):
    """The arguments of a world action: its name, with those of its targets."""

    name: Annotated[str, _ACTION]


# -- what somebody does with it --------------------------------------------------------------------


def _thrown_features(reading: ParseState) -> list[str]:
    rows = campaign_tables.features_of(reading.ctx.tables.environments)
    return [name for name, row in rows.items() if row.thrown]


_THROWN = arguments.choice_arg("a feature", _thrown_features)


class ThrownFeatureArgs(Struct, frozen=True):
    """A feature that is thrown, and the attack that this is."""

    name: Annotated[str, _THROWN]
    attack: Annotated[attacks.AttackArgs, arguments.struct_arg(attacks.AttackArgs)]


def _read_feature(reading: ParseState) -> EnvironmentActionTargets | ThrownFeatureArgs:
    if _THROWN.stands(reading):
        return declarations.read_last(ThrownFeatureArgs, reading)
    return declarations.read_last(EnvironmentActionTargets, reading)


class FeatureArgs(Struct, frozen=True):
    """The arguments of `feature`: its name, then the answers that its row asks for."""

    feature: Annotated[
        EnvironmentActionTargets | ThrownFeatureArgs,
        Argument(
            _read_feature,
            declarations.arguments_usage(EnvironmentActionTargets),
            field=group(*declarations.fields_of(EnvironmentActionTargets)),
        ),
    ]


# -- running features and actions ------------------------------------------------------------------


def _feature(ctx: Context, command_args: FeatureArgs) -> None:
    args = command_args.feature
    if isinstance(args, ThrownFeatureArgs):
        attacks.throw(ctx, ctx.actor(), args.name, args.attack)
        return
    row = campaign_tables.features_of(ctx.tables.environments)[args.name]
    name = environment_name(args.name, row)
    if row.rounds and not args.people:
        ctx.emit(ClockChanged(name, Clock(name, row.rounds, row.rounds, every="round")))
        ctx.text = f"{name}: {row.rounds} rounds"
        return
    if not args.people and (row.save or _has_consequences(row)):
        raise Refused(f"{name}: say whom it affects")
    if row.echoes and args.amount is None:
        raise Refused(f"{name}: say how many dice of {row.echoes} damage fell")
    if row.takes:
        attacks.take_action(ctx, name)
    _apply_row(ctx, args, row, args.people)


def _has_consequences(row: EnvironmentAction) -> bool:
    """True if a row has consequences in its fields, and not in its text alone."""
    return bool(row.check or row.amount or row.inflict or row.marks or row.echoes)


def _world(ctx: Context, args: WorldActionArgs) -> None:
    row = campaign_tables.actions_of(ctx.tables.environments)[args.name]
    people = [] if row.joins == "swarm" else _resolve_targets(ctx, args, row)
    scene.pay(ctx, args.name, row)
    if row.joins == "swarm":
        _add_swarm(ctx, environment_name(args.name, row), args.amount)
    elif row.joins == "shadow":
        _add_shadow(ctx, people[0])
    else:
        _apply_row(ctx, args, row, people)


def _resolve_targets(
    ctx: Context, args: EnvironmentActionTargets, row: EnvironmentAction
) -> list[Combatant]:
    """Return the targets of a world action: those named, else all; one at random for a shadow.

    Raises Refused for other than one target of an action `on = "one"`, and in a rolling scene for
    a target that the world doesn't act on now.
    """
    only = scene.only_targets(ctx.state)
    if only and any(combatant not in only for combatant in args.people):
        raise Refused(f"in a rolling scene the world acts only on {join_names(only)}")
    found = args.people or _default_targets(ctx)
    if row.joins == "shadow" and not args.people and len(found) > 1:
        return [found[ctx.dice.die(len(found)) - 1]]
    if row.on == "one" and len(found) != 1:
        raise Refused(f"{environment_name(args.name, row)} affects one creature: say which")
    return found


def _apply_row(
    ctx: Context, args: EnvironmentActionTargets, row: EnvironmentAction, people: list[Combatant]
) -> None:
    """Apply a row to the targets that don't save; its damage is rolled once for all."""
    name, of_world = environment_name(args.name, row), isinstance(args, WorldActionArgs)
    on = f" on {join_names(people)}" if people else ""
    ctx.text = f"{'The world: ' if of_world else ''}{name}{on}"
    _refuse_again(ctx, args.name, row, people)
    dice = args.dice or [DieInput()] * len(people)
    if any(die.faces for die in dice) and not (row.save or row.check):
        raise Refused(f"{name}: nothing is rolled against it")
    affected = [
        w
        for w, die in zip(people, dice, strict=True)
        if _roll_against(ctx, row, w, die, args.terms)
    ]
    amount_rolled = (
        None if args.amount is None else args.amount + scene.scene_damage_bonus(ctx, row.type)
    )
    geared = None
    if affected and row.amount and amount_rolled is None:
        amount_rolled = damage_as_rolled(ctx, "", row.amount, row.type)
    if affected and row.geared and args.gear:
        geared = damage_as_rolled(ctx, "", row.geared, row.type)
    for combatant in people:
        if row.first:
            ctx.emit(UseCounted(combatant.id, args.name, row.first))
        if combatant in affected:
            wears = geared is not None and combatant in args.gear
            _affect(ctx, args.name, row, combatant.id, geared if wears else amount_rolled, of_world)
    if not _has_consequences(row) and (affected or not people):
        ctx.note(row.text)


def _refuse_again(
    ctx: Context, name: str, row: EnvironmentAction, people: Sequence[Combatant]
) -> None:
    """Raises Refused for an earlier target of an action that affects each only once."""
    for combatant in people:
        in_turn = (
            row.first == "turn" and ctx.state.takes_turn(combatant.id) and combatant.used(name)
        )
        if in_turn or (row.first == "fight" and combatant.used(name, "fight")):
            raise Refused(
                f"{environment_name(name, row)}: {combatant.name} only once in a {row.first}"
            )


def _roll_against(
    ctx: Context,
    row: EnvironmentAction,
    combatant: Combatant,
    die: DieInput,
    terms: checks.RollModifiersWithCover,
) -> bool:
    """Make the roll against a row; return whether it affects the combatant."""
    if row.resisted and rules_of(ctx).is_defended(
        ctx.state, combatant, "resistance", row.type, ALL
    ):
        ctx.note(f"resists {row.type}: nothing happens", combatant.id)
        return False
    ability, _, skill = (row.save or row.check).partition(" ")
    if not ability:
        return die.outcome != SUCCESS
    check = checks.CheckRequest(
        combatant.id, ability, die, row.dc, modifiers=terms, skill=skill, save=bool(row.save)
    )
    return check.make(ctx).outcome == FAILURE


_NEXT_WORLD_TURN = Until("turn", who=scene.WORLD, edge="start")
"""The default end of the world's effects (ruling 23)."""


def _affect(
    ctx: Context,
    name: str,
    row: EnvironmentAction,
    combatant_id: str,
    amount: int | None,
    of_world: bool,
) -> None:
    if amount is not None:
        deal(ctx, combatant_id, DamageInstance([(amount, row.type)]))
    if row.marks:
        fatigue.tire(ctx, combatant_id, environment_name(name, row), row.marks)
    source = scene.WORLD if scene.world_combatant(ctx.state) is not None else ""
    for effect in row.inflict if ctx.state[combatant_id].life != "dead" else ():
        until = parse_row_until(row.until) or (_NEXT_WORLD_TURN if of_world else None)
        spec = EffectSpec(effect, until=until, source=source)
        apply_condition(ctx, combatant_id, spec, because=name)


# -- who joins -------------------------------------------------------------------------------------


def _add_shadow(ctx: Context, of: Combatant) -> None:
    """Add a shadow with a combatant's numbers, everybody's enemy, at initiative 20."""
    name, hp = f"Shadow of {of.name}", of.tracks["hp"].max if "hp" in of.tracks else None
    stats = {key: value for key, value in of.stats.items() if key not in ("owner", "text")}
    combatant_id = _add_combatant(ctx, name, hp, stats, attacks_at_once(of))
    set_initiative(ctx, {combatant_id: 20})
    ctx.text = f"The world: {ctx.state.name(combatant_id)} joins"


def _add_swarm(ctx: Context, name: str, hp: int | None) -> None:
    """Add a swarm without a stat block, with the HP that the command says or none (Leeches)."""
    combatant_id = _add_combatant(ctx, name, hp, {})
    if ctx.state.in_combat:
        set_initiative(ctx, ctx.ruleset.initiative.roll(ctx, [combatant_id], ()))
    ctx.text = f"The world: {ctx.state.name(combatant_id)} join"


def _add_combatant(
    ctx: Context, name: str, hp: int | None, stats: Mapping[str, object], attacks: int = 1
) -> str:
    """Add a combatant on a side of its own; return its id."""
    given = Sheet({"attacks": attacks}, {"hp": TrackInput(None, max(hp or 1, 1))})
    own, tracks = sheet.Sheets().complete(ctx, "monster", given)
    if hp is None:
        del tracks["hp"]
    [(combatant_id, shown)] = free_ids(ctx.state, name, 1)
    ctx.emit(Added(combatant_id, shown, "others", "monster", {**own, **stats}, tracks))
    return combatant_id


# -- the mirror ------------------------------------------------------------------------------------


class ReflectArgs(Struct, frozen=True):
    """`react reflect CASTER OUTCOME [dc N]`; the DC is the result of the caster's check."""

    caster: Annotated[Combatant, arguments.combatant_arg("the caster", usage="CASTER")]
    die: Outcome
    terms: checks.Modifiers
    dc: Annotated[int | None, shared_checks.SAID_DC] = None


def reflect(ctx: Context, args: ReflectArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Turn a spell back to its caster, or into a free space nearby; the mirror breaks (Mirror)."""
    if args.caster.id == combatant.id:
        raise Refused(f"{combatant.name} can't turn a spell of their own back")
    pay()
    caster, dc = args.caster, args.dc
    if dc is None and not args.die.outcome:  # an ability's check: no proficiency is in it
        part = StatPart(caster.number("spell") - caster.number("pb"), "spellcasting ability")
        dc = shared_checks.Check(caster.id, "spellcasting check", more=(part,)).roll_total(ctx)
    check = checks.CheckRequest(combatant.id, "dex", args.die, dc, caster.id, args.terms)
    outcome = check.make(ctx).outcome
    where = f"back to {caster.name}" if outcome == SUCCESS else "into a free space nearby"
    ctx.note("the mirror breaks")
    ctx.text = f"{combatant.name} holds up a mirror: the spell goes {where}"


# -- the commands ----------------------------------------------------------------------------------


_NAMES = arguments.choices_arg(
    "an environment", lambda r: r.ctx.tables.environments, "NAME[,NAME]", Field("environment")
)


class EnvironmentArgs(Struct, frozen=True):
    names: Annotated[list[str], _NAMES]
    off: Annotated[bool, arguments.flag_arg(field=Field("choice", ("off",)))] = False


def _environment(ctx: Context, args: EnvironmentArgs) -> None:
    missing = [name for name in args.names if name not in scene.environments(ctx.state)]
    if not args.off:
        scene.join(ctx)
        for name in missing:
            gain_effect(ctx, scene.WORLD, Effect(name, name, scene.ENVIRONMENT, source=scene.WORLD))
    elif missing:
        raise Refused(f"{join_or(missing, 'and')}: no such environment is in play")
    else:
        for name in args.names:
            end_effects_named(ctx, scene.WORLD, name, "removed")
    shown = ", ".join(environment_name(name, ctx.tables.environments[name]) for name in args.names)
    ctx.text = f"Environment: {shown}{', no longer' if args.off else ''}"


def _read_face(reading: ParseState) -> int | None:
    if reading.words.choice("`natural` and the die, or `roll`", ("natural", "roll")) == "roll":
        return None
    return reading.words.number(f"the number on the d{scene.DIE}", 1, scene.DIE)


class RechargeArgs(Struct, frozen=True):
    name: Annotated[str, replace(_ACTION, field=Field("own", ("any", "world")))]
    face: Annotated[int | None, Argument(_read_face, "natural N|roll", field=Field("die", ("6",)))]


def _recharge(ctx: Context, args: RechargeArgs) -> None:
    """Recharge by a die rolled at the table, even if affray rolled one in this turn."""
    the_world = scene.world_combatant(ctx.state)
    row = campaign_tables.actions_of(ctx.tables.environments)[args.name]
    name = environment_name(args.name, row)
    if the_world is None:
        raise Refused("no environment is named: `environment NAME` brings the world in")
    if not row.recharge:
        raise Refused(f"{name} needs no recharging")
    has_rolled = the_world.used(f"recharge {args.name}")
    if the_world.track(scene.track_of(args.name)) and not has_rolled:
        raise Refused(f"{name} is ready")
    face = args.face or ctx.dice.die(scene.DIE)
    back = scene.recharge(ctx, args.name, face, by_hand=args.face is not None)
    ctx.text = f"{name} {'is ready again' if back else 'stays spent'}"


COMMANDS = (
    declare_command("environment", "adds or removes an environment", EnvironmentArgs, _environment),
    declare_command("world", "takes a world action, on the world's turn", WorldActionArgs, _world),
    declare_command(
        "feature",
        "applies a feature of the environment to somebody",
        FeatureArgs,
        _feature,
        acts=True,
    ),
    declare_command("recharge", "rolls to recharge a world action", RechargeArgs, _recharge),
)

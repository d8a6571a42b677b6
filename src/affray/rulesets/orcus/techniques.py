"""All techniques of the tables; and acts outside one's turn: reactions, and readied actions.

The actions that need code have a function each, which reads the words behind its name, pays, and
acts: `fighting` and `helping` have them by subject. The others are all in their rows of the tables.

What is readied takes a standard action, whatever it is, and a new initiative when it is done.

Orcus, Actions in Combat, Immediate Actions, Opportunity Attacks, Free Actions, Fly, Ready.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from affray.core.commands.turn_order import take_apart
from affray.core.engine import turns
from affray.core.engine.effects import why_cannot
from affray.core.engine.events import UseCounted
from affray.core.engine.initiative import step_in
from affray.core.engine.state import Combatant, Effect
from affray.core.formatting.safe_text import hyphenate
from affray.core.parser import arguments, declarations
from affray.core.parser.declarations import Argument, ParseState, declare_command
from affray.core.parser.errors import Refused, join_or
from affray.core.parser.prompt_fields import Field, group
from affray.core.rules.ruleset import Command, Context
from affray.core.rules.tables import Tables
from affray.mechanics import techniques
from affray.mechanics.actions import Cost
from affray.mechanics.powers import require_usable
from affray.mechanics.techniques import ReadiedAction, ReadyRules, TechniqueRunner, TechniqueUse
from affray.rulesets.orcus import (
    action_economy,
    actions as fighting,
    conditions,
    initiative,
    movement,
    powers,
    sheet,
    upkeep,
)
from affray.rulesets.orcus.action_economy import refuse_hindered
from affray.rulesets.orcus.conditions import DYING
from affray.rulesets.orcus.powers import PowerArgs
from affray.rulesets.orcus.sheet import AMOUNTS, IMMEDIATE, TURN_ACTIONS, Power

TECHNIQUES = TechniqueRunner(
    action_economy.ECONOMY,
    conditions.apply_condition,
    fighting.ACTS,
    fighting.REACTIONS,
    lasting=conditions.LASTING,
    replaces=lambda kind: kind == "opening",
)


TRACES = (
    "state", "persistent", "modifier", "stance", "aura", "zone", "conjuration", "readied", "help",
)  # fmt: skip
"""The kinds of effects that commands of their own leave, or numbers."""


class Actions(techniques.TechniqueActions):
    """Techniques, and powers of their own."""

    own_options = staticmethod(powers.own_powers)
    weapons = staticmethod(sheet.weapons_of)

    def row_effects(self, tables: Tables) -> list[str]:
        """The effects that need no amount, and are no traces; dying follows from HP."""
        not_laid, rows = (*AMOUNTS, DYING), tables.effects.items()
        return [name for name, rule in rows if rule.kind not in TRACES and name not in not_laid]

    reacts_despite = staticmethod(initiative.reacts_despite)


class ImmediateActionArgs(Struct, frozen=True):
    """A counter or a reaction that is no power of its own, in words."""

    kind: str
    what: Annotated[str, arguments.rest_arg('"WHAT"')] = ""


def _read_reaction(reading: ParseState) -> TechniqueUse | PowerArgs | ImmediateActionArgs:
    combatant, tokens = reading.ctx.actor(), reading.words
    if name := tokens.take(*techniques.reaction_techniques(reading.ctx.tables)):
        return techniques.read_technique(TECHNIQUES, name, reading)
    kind = tokens.take(*IMMEDIATE)
    own = {hyphenate(p.name) for p in sheet.powers_of(combatant) if p.action in IMMEDIATE}
    if not kind or hyphenate(tokens.peek()) in own:
        power = _read_immediate_power(reading, combatant, kind)
        return declarations.read_within(PowerArgs, reading, power=power)
    return declarations.read_within(ImmediateActionArgs, reading, kind=kind)


_OPPORTUNITIES = (
    f"{name} {declarations.arguments_usage(technique.args_type)}"
    for name, technique in fighting.REACTIONS.items()
)
_REACTION = Argument(
    _read_reaction,
    " | ".join(
        (
            *_OPPORTUNITIES,
            "POWER ...",
            f"counter|react {declarations.arguments_usage(ImmediateActionArgs)}",
        )
    ),
    field=group(Field("choice", IMMEDIATE), Field("text", ("what",), optional=True)),
)


class ReactArgs(Struct, frozen=True):
    """The arguments of `react`: a reaction of the tables, a power, or any other immediate
    action."""

    reaction: Annotated[TechniqueUse | PowerArgs | ImmediateActionArgs, _REACTION]


def _react(ctx: Context, args: ReactArgs) -> None:
    combatant, reaction = ctx.actor(), args.reaction
    match reaction:
        case TechniqueUse():
            techniques.use_technique(TECHNIQUES, ctx, reaction)
        case PowerArgs():
            powers.use(ctx, combatant, reaction)
        case ImmediateActionArgs():
            action_economy.pay_action(ctx, combatant.id, "immediate", reaction.kind)
            does = "counters" if reaction.kind == "counter" else "reacts"
            what = reaction.what.strip()
            ctx.text = f"{combatant.name} {does}{f': {what}' if what else ''}"


def _read_immediate_power(reading: ParseState, combatant: Combatant, kind: str) -> Power:
    """Read the power to use, of the given kind if there is one."""
    power = powers.read_named(reading, combatant)
    if power is None:
        row = (*fighting.REACTIONS, *IMMEDIATE, *powers.names(combatant, immediate=True))
        raise reading.words.refuse(f"expected an immediate action: {join_or(row)}", row)
    if power.action not in ((kind,) if kind else IMMEDIATE):
        raise Refused(f"{power.name} is no {kind or 'immediate action'}, but a {power.action} one")
    return power


# -- ready -----------------------------------------------------------------------------------------

POWER = "power "


_TECHNIQUE = arguments.choice_arg(
    "an action to ready, or `power NAME`",
    lambda r: [*techniques.action_techniques(r.ctx.tables), "power"],
)


def _read_readied(reading: ParseState) -> str | Power:
    return powers.read_power(reading) if reading.words.take("power") else _TECHNIQUE.read(reading)


_READIED = Argument(_read_readied, "TECHNIQUE|power NAME", field=Field("technique"))


class ReadyArgs(Struct, frozen=True):
    """The arguments of `ready`: an action by its name, or a power, and the trigger."""

    action: Annotated[str | Power, _READIED]
    trigger: techniques.TRIGGER = ""


def _terms(ctx: Context, args: ReadyArgs) -> ReadiedAction:
    combatant, name = ctx.actor(), args.action
    if isinstance(name, Power):
        power = name
        _refuse_unready(power.name, powers.action_of(power))
        require_usable(
            combatant, power.name, powers.why_unusable(ctx.tables, ctx.state, combatant, power)
        )
        return ReadiedAction(POWER + power.name, power.name)
    row = ctx.tables.techniques[name]
    _refuse_unready(row.name, next(iter(row.cost), "free"))
    if row.repeat == "fight" and combatant.used(name, "fight"):
        raise Refused(f"{combatant.name} can't use {row.name}: once an encounter")
    return ReadiedAction(name, row.name)


def _pay(ctx: Context, combatant: Combatant, terms: ReadiedAction) -> int:
    """Pay a standard action for readying."""
    refuse_hindered(ctx, combatant, "ready")
    action_economy.pay_action(ctx, combatant.id, "standard", "ready")
    return 0


def _refuse_unready(what: str, action: str) -> None:
    if action not in TURN_ACTIONS:
        raise Refused(
            f"{action} actions can't be readied, such as {what}: only standard, move and swift ones"
        )


def _refuse_unable(ctx: Context, combatant: Combatant) -> None:
    if ctx.state.takes_turn(combatant.id):
        raise Refused(f"{combatant.name}'s own turn is not over: the readied action comes after it")
    if combatant.life != "up":
        raise Refused(f"{combatant.name} is {combatant.life}, and can't act")
    if barred := why_cannot(ctx, combatant, "act"):
        raise Refused(f"{combatant.name} can't act: {barred}")


def _take_new_place(ctx: Context, combatant_id: str) -> bool:
    """Act from now on just before the one whose turn it is, alone if it was one of a group; gives
    whether a turn was given up.

    That is a turn of this round that is still to come, with what had to be maintained in it. It
    comes before the readied action: what that begins "until its next turn" is meant for the turn of
    the next round. What the turn given up would have ended ends after the action, which stands in
    for it.
    """
    if not ctx.state.turn:
        return False
    take_apart(ctx, [combatant_id])
    given_up = turns.give_up_turn(ctx, combatant_id)
    if given_up:
        upkeep.end_all_maintained(ctx, combatant_id, "the turn to maintain it was given up")
    step_in(ctx, combatant_id)
    return given_up


def _act(reading: ParseState, combatant: Combatant, readied: Effect) -> None:
    ctx = reading.ctx
    given_up = _take_new_place(ctx, combatant.id)
    _do(reading, ctx.state[combatant.id], readied)
    if given_up:
        turns.end_due_effects(ctx, combatant.id, "end")


def _do(reading: ParseState, combatant: Combatant, readied: Effect) -> None:
    ctx, name = reading.ctx, readied.because
    if name.startswith(POWER):
        _use_power(reading, combatant, name.removeprefix(POWER))
        return
    row = ctx.tables.techniques.get(name)
    if row is not None and row.repeat == "fight":  # that counts when it is done, readied or not
        if combatant.used(name, "fight"):
            raise Refused(f"{combatant.name} has done so in this encounter already: {name}")
        ctx.emit(UseCounted(combatant.id, name, "fight"))

    def pay(cost: Cost | None = None, subject: str = "") -> None:
        refuse_hindered(ctx, combatant, name)

    techniques.perform_readied(TECHNIQUES, reading, readied, pay)


def _use_power(reading: ParseState, combatant: Combatant, name: str) -> None:
    ctx, power = reading.ctx, powers.power_named(combatant, name)
    if power is None:
        raise Refused(f"{combatant.name} has readied {name!r}, which is not one of their powers")
    if reading.words.done and power.attack is not None:
        powers.expend(ctx, combatant.id, power)
        ctx.text = f"{combatant.name}'s readied {power.name} goes off"
        return
    args = declarations.parse_arguments(PowerArgs, ctx, reading.words, power=power)
    powers.use(ctx, combatant, args, paid=True)
    ctx.text += ", as readied"


_READYING = ReadyRules(ReadyArgs, _terms, _pay, _refuse_unable, _act)


# -- as commands -----------------------------------------------------------------------------------

_FLIES = "moves through the air, for the price of a walk"


def technique_commands(tables: Tables) -> tuple[Command, ...]:
    """A command for each technique of the tables, `react` for the reactions, `fly`, `ready` and
    `trigger`."""
    takes = "takes an immediate action on somebody else's turn"
    return (
        *techniques.technique_commands(TECHNIQUES, tables),
        declare_command("fly", _FLIES, movement.FlyArgs, movement.fly, True),
        techniques.react_command(TECHNIQUES, takes, ReactArgs, _react),
        *techniques.ready_commands(
            TECHNIQUES,
            _READYING,
            "pays a standard action now, to act before the next turn",
            "takes the readied action, just before the current turn",
        ),
    )

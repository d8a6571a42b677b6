"""Adventure School: the commands of all techniques, reactions, and actions that are held.

Each module has the functions of its techniques in a table `ACTS`. Techniques without a function are
complete in their rows.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated

from msgspec import Struct

from affray.core.engine.effects import give_back
from affray.core.engine.state import Combatant, Effect
from affray.core.parser import arguments
from affray.core.parser.declarations import Argument, ParseState, arguments_usage, read_within
from affray.core.parser.prompt_fields import ANY_MORE, Field
from affray.core.rules.ruleset import Command, Context
from affray.core.rules.tables import Tables
from affray.mechanics import actions, techniques
from affray.mechanics.techniques import ReadiedAction, ReadyRules, TechniqueRunner, TechniqueUse
from affray.rulesets.adventure_school import (
    abilities,
    action_economy,
    actions as fighting,
    attacks,
    checks,
    conditions,
    contests,
    movement,
    resources,
    sheet,
    songs,
    turns,
)

READY = "ready"


def _mark(ctx: Context, combatant_id: str, track: str, by: int, what: str) -> None:
    """Gain levels of diminish; spend of another resource, or give back a negative amount."""
    if track == "diminish" and by > 0:
        resources.gain_diminish(ctx, combatant_id, by, what)
    elif by > 0:
        resources.pay(ctx, combatant_id, {track: by}, what)
    else:
        give_back(ctx, combatant_id, track, -by, what)


_ACTING = (
    abilities,
    attacks,
    checks,
    action_economy,
    fighting,
    contests,
    movement,
    songs,
    turns,
)
TECHNIQUES = TechniqueRunner(
    action_economy.ECONOMY,
    conditions.apply_condition,
    {name: act for module in _ACTING for name, act in module.ACTS.items()},
    fighting.REACTIONS,
    mark=_mark,
    lasting=conditions.LASTING,
)


class Actions(techniques.TechniqueActions):
    """Techniques, and abilities of their own."""

    own_options = staticmethod(abilities.own_abilities)
    weapons = staticmethod(sheet.weapons_of)
    spells = staticmethod(sheet.spells_of)
    row_effects = staticmethod(conditions.conditions_of)


_REACTION = techniques.reaction_arg(TECHNIQUES, "a reaction, or any other in quotes")


def _read_reaction(reading: ParseState) -> TechniqueUse | action_economy.ReactArgs:
    """Read a reaction; in quotes, or left out, it is any other reaction."""
    tokens = reading.words
    if tokens.done or tokens.upcoming.quoted or tokens.peek() == "effortless":
        tokens.offered += techniques.reaction_techniques(reading.ctx.tables) if tokens.done else ()
        return read_within(action_economy.ReactArgs, reading)
    use: TechniqueUse = _REACTION.read(reading)
    return use


class ReactArgs(Struct, frozen=True):
    """The arguments of `react`: a reaction of the tables, or any other."""

    reaction: Annotated[
        TechniqueUse | action_economy.ReactArgs,
        Argument(
            _read_reaction,
            f"{_REACTION.usage} | {arguments_usage(action_economy.ReactArgs)}",
            field=ANY_MORE,
        ),
    ]


def _react(ctx: Context, args: ReactArgs) -> None:
    if isinstance(args.reaction, TechniqueUse):
        techniques.use_technique(TECHNIQUES, ctx, args.reaction)
    else:
        action_economy.react(ctx, args.reaction)


# -- hold ------------------------------------------------------------------------------------------


class ReadyArgs(Struct, frozen=True):
    """`ready ["TRIGGER"]`: the action is chosen when the trigger comes."""

    trigger: techniques.TRIGGER = ""


def _pay_now(ctx: Context, combatant: Combatant, terms: ReadiedAction) -> int:
    actions.pay(action_economy.ECONOMY, ctx, combatant.id, READY)
    return 0


def _takes_the_action(reading: ParseState) -> list[str]:
    tables = reading.ctx.tables
    names = techniques.action_techniques(tables)
    return [n for n in names if "action" in tables.techniques[n].cost and n != READY]


_THEN = arguments.choice_arg("what to do now", _takes_the_action)
"""A held action turns out to be anything that takes the action."""


def _act_then(reading: ParseState, combatant: Combatant, held: Effect) -> None:
    name = _THEN.read(reading)
    payment = partial(action_economy.pay_held, reading.ctx, combatant.id, name)
    techniques.perform_readied(TECHNIQUES, reading, held, payment, name)


_HOLD = ReadyRules(
    ReadyArgs,
    terms=lambda ctx, args: ReadiedAction(),
    pay=_pay_now,
    take=lambda ctx, combatant: None,
    act=_act_then,
    fields={"technique": Field("technique", ("action",))},
)
"""The rules for holding: the action is paid now, and chosen when its trigger comes."""


# -- as commands -----------------------------------------------------------------------------------


def technique_commands(tables: Tables) -> tuple[Command, ...]:
    """A command for each technique of the tables, `react` for the reactions, `ready` and
    `trigger`."""
    return (
        *techniques.technique_commands(TECHNIQUES, tables, but=(READY,)),
        techniques.react_command(TECHNIQUES, "takes a reaction", ReactArgs, _react),
        *techniques.ready_commands(
            TECHNIQUES,
            _HOLD,
            "pays for an action now, to take when the trigger comes",
            "takes the held action, whichever it is",
        ),
    )

"""Level Up: the commands that lay conditions and the like, and the saves that are owed.

Level Up, Ongoing Damage, Damage Resistance, Vulnerability and Immunity, Saving Throws.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated

from msgspec.structs import replace

from affray.core.engine.effects import EffectSpec
from affray.core.parser import arguments
from affray.core.parser.declarations import declare_command
from affray.core.parser.prompt_fields import ANY_MORE
from affray.core.rules.ruleset import Context
from affray.mechanics import conditions as shared_conditions, damage as shared_damage
from affray.mechanics.conditions import DurationRules
from affray.rulesets.level_up import checks, dying
from affray.rulesets.srd import conditions, sheet

LASTING = DurationRules(next_turn=sheet.next_turn)
"""The durations: as in all games, by default until removed. Turns of a creature under control are
its owner's."""
_PLACED = shared_conditions.until_arg(LASTING)
_LAID = "CONDITION[,CONDITION] | ongoing AMOUNT [TYPE] | resistance|vulnerability|immunity TYPE|all"


class InflictArgs(shared_conditions.InflictArgs, frozen=True):
    what: Annotated[
        shared_conditions.What, shared_conditions.condition_arg(conditions.read_what, _LAID)
    ]
    ends: Annotated[str, arguments.quoted_arg("what ends it", '"WHAT ENDS IT"')] = ""
    terms: Annotated[EffectSpec, _PLACED] = EffectSpec()


def _inflict(ctx: Context, args: InflictArgs) -> None:
    conditions.inflict(ctx, args, args.ends)


class ModifierArgs(shared_conditions.ModifierArgs, frozen=True):
    terms: Annotated[EffectSpec, shared_conditions.until_arg(LASTING, "", "used")] = EffectSpec()


class TempHpArgs(conditions.TempHpArgs, frozen=True):
    terms: Annotated[EffectSpec, replace(_PLACED, field=ANY_MORE)] = EffectSpec()


def roll_deferred_saves(ctx: Context) -> None:
    """Roll the saves that nobody made by the end of a turn, those against massive damage last."""
    conditions.roll_deferred_saves(ctx)
    dying.roll_massive_saves(ctx)


class WithstandArgs(conditions.WithstandArgs, frozen=True):
    terms: checks.AskedCoverModifiers


def _withstand(ctx: Context, args: WithstandArgs) -> None:
    conditions.withstand(ctx, args.people, args.dice, args.terms)


COMMANDS = (
    declare_command(
        "inflict", "inflicts conditions and other effects on somebody", InflictArgs, _inflict, True
    ),
    declare_command(
        "modifier",
        "gives a bonus or penalty, advantage or disadvantage",
        ModifierArgs,
        partial(shared_conditions.apply_modifier, LASTING),
    ),
    shared_damage.temp_hp_command(
        "gives temporary HP; the higher amount stays unless you say otherwise",
        TempHpArgs,
        conditions.give_temporary_hp,
    ),
    declare_command(
        "withstand", "makes a save that an attack or power asks for", WithstandArgs, _withstand
    ),
)

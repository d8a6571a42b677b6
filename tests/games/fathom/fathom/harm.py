"""Harm, which its player may resist for stress, and the rest between two jobs."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Struct

from affray import Refused
from affray.core.dice import DieInput
from affray.core.engine.effects import EffectSpec, remove_effect
from affray.core.engine.events import LifeChanged
from affray.core.engine.state import Combatant, Encounter
from affray.core.parser import arguments
from affray.core.parser.declarations import declare_command
from affray.core.rules.ruleset import (
    Context,
    DecisionOption,
    InitiativeRules,
    PendingDecision,
    TurnRules,
)
from affray.core.rules.tables import Tables
from affray.mechanics import checks, conditions, rests
from fathom import rolls
from fathom.sheet import ATTRIBUTES, attribute_of

LEVELS = ("lesser", "moderate", "severe")
OWED = "threatened"


class HarmArgs(Struct, frozen=True):
    """`harm mira severe`."""

    who: Annotated[Combatant, arguments.combatant_arg("who is harmed")]
    level: Annotated[str, arguments.choice_arg("how badly", LEVELS)]


def _harm(ctx: Context, args: HarmArgs) -> None:
    if args.who.kind == "pc":
        conditions.begin_effect(ctx, args.who.id, OWED, note=args.level)
        ctx.text = f"{args.who.name} is about to take {args.level} harm"
    else:
        rolls.tick(ctx, args.who.id, LEVELS.index(args.level) + 1)
        ctx.text = f"{args.who.name} takes {args.level} harm"


def _owed(ctx: Context, who: Combatant) -> int:
    """Owe it no longer; gives the level of the harm as a number."""
    owed = who.named(OWED)
    if owed is None:
        raise Refused(f"{who.name} has no harm to bear")
    remove_effect(ctx, who.id, owed.id, "it is decided")
    return LEVELS.index(owed.note)


class BearArgs(Struct, frozen=True):
    """`bear mira`."""

    who: Annotated[Combatant, arguments.combatant_arg("who bears it")]


def _bear(ctx: Context, args: BearArgs) -> None:
    level = _owed(ctx, args.who)
    lay(ctx, args.who.id, level)
    ctx.text = f"{args.who.name} bears {LEVELS[level]} harm"


def lay(ctx: Context, who: str, level: int) -> None:
    """Lay harm of a level; where there is such already, it is worse."""
    while level < len(LEVELS) and ctx.state[who].named(LEVELS[level]) is not None:
        level += 1
    if level < len(LEVELS):
        conditions.apply_condition(rolls.LASTING, ctx, who, EffectSpec(LEVELS[level]))
    else:
        ctx.emit(LifeChanged(who, "dead", "harm"))


class ResistArgs(Struct, frozen=True):
    """`resist mira prowess natural 5,2`."""

    who: Annotated[Combatant, arguments.combatant_arg("who resists")]
    attribute: Annotated[str, arguments.choice_arg("an attribute", tuple(ATTRIBUTES))]
    die: Annotated[DieInput, checks.die_arg(checks.OutcomeWords({}, dice="8d6"))]


def _resist(ctx: Context, args: ResistArgs) -> None:
    level = _owed(ctx, args.who)
    count = attribute_of(args.who, args.attribute)
    rolled = rolls.Pool(args.who.id, args.attribute, args.die, count=count).make(ctx)
    cost = ctx.tables.economy["resistance"] - (rolled.natural or 0)
    cost = -1 if rolled.outcome == "crit" else cost
    rolls.take_stress(ctx, ctx.state[args.who.id], cost, "resists")
    if level:
        lay(ctx, args.who.id, level - 1)
    ctx.text = f"{args.who.name} resists"


class IndulgeArgs(Struct, frozen=True):
    """`indulge mira roll`."""

    who: Annotated[Combatant, arguments.combatant_arg("who indulges")]
    die: Annotated[DieInput, checks.die_arg(checks.OutcomeWords({}, dice="8d6"))]


def _indulge(ctx: Context, args: IndulgeArgs) -> None:
    rests.require_no_fight(ctx)
    count = min(attribute_of(args.who, each) for each in ATTRIBUTES)
    cleared = rolls.Pool(args.who.id, "vice", args.die, count=count).make(ctx).natural or 0
    rolls.take_stress(ctx, args.who, -cleared, "indulges")
    ctx.text = f"{args.who.name} indulges"


class Turns(TurnRules):
    def pending_decisions(self, tables: Tables, state: Encounter) -> list[PendingDecision]:
        return [
            PendingDecision(
                each.id,
                f"{each.name} is about to take harm",
                (
                    DecisionOption("b", "bears it", f"bear {each.id}"),
                    *(DecisionOption(a[0], a, f"resist {each.id} {a} roll") for a in ATTRIBUTES),
                ),
            )
            for each in state.bearers(OWED)
        ]

    def on_fight_end(self, ctx: Context) -> None:
        rests.end_fight_effects(ctx)


class Initiative(InitiativeRules):
    """Nobody rolls: who acts when is the table's to say."""

    def words(self, tables: Tables) -> Mapping[str, int]:
        return {"first": 1, "then": 0}

    def roll(self, ctx: Context, ids: list[str], faces: tuple[int, ...] = ()) -> dict[str, int]:
        return {who: int(ctx.state[who].side == "party") for who in ids}


COMMANDS = (
    declare_command("harm", "is about to hurt somebody", HarmArgs, _harm),
    declare_command("bear", "takes harm as it comes", BearArgs, _bear),
    declare_command("resist", "makes harm less, for stress", ResistArgs, _resist),
    declare_command("indulge", "clears stress", IndulgeArgs, _indulge),
)

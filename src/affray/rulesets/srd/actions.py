"""Actions that games on the SRD share: objects, readied actions, and reactions."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from typing import Annotated, Protocol

from msgspec import Struct

from affray.core.engine.effects import remove_effect
from affray.core.engine.state import Combatant, EffectRef, Encounter
from affray.core.formatting.media import IN_WRITING, Notation
from affray.core.parser import arguments
from affray.core.parser.declarations import Argument, ParseState, arguments_usage, read_within
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import ANY_MORE, Field
from affray.core.rules.ruleset import AvailableAction, Command, Context
from affray.core.rules.tables import Tables
from affray.mechanics import actions, holds, items, techniques
from affray.mechanics.actions import ActorSituation, Cost, PayFunction
from affray.mechanics.techniques import (
    READIED,
    ReadyRules,
    TechniqueRunner,
    TechniqueUse,
)
from affray.rulesets.srd import action_economy, powers
from affray.rulesets.srd.rules import AnyRules, rules_of
from affray.rulesets.srd.sheet import conditions_of, next_turn

# -- objects ---------------------------------------------------------------------------------------

_ON = arguments.keyword_arg(
    "on",
    arguments.combatant_arg("the combatant it is used on"),
    field=Field("anyone", optional=True, before="on"),
)


OBSERVERS = arguments.keyword_arg(
    "from", arguments.combatants_arg("the combatants who could notice")
)


class ReleaseArgs(holds.ReleaseArgs, frozen=True):
    target: Annotated[Combatant | None, action_economy.GRAPPLE.held_arg()] = None


class UseArgs(Struct, frozen=True):
    item: Annotated[
        str, arguments.phrase_arg("the object", "ITEM", items.CARRIED, items.carried_names)
    ] = ""
    on: Annotated[Combatant | None, _ON] = None


def use(ctx: Context, args: UseArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Use a second object in a turn, a potion, or another thing that needs the action; a carried
    one is used up."""
    pay()
    on = f" on {args.on.name}" if args.on is not None else ""
    item = items.item_named(combatant, args.item)
    if item is None:
        ctx.text = f"{combatant.name} uses {args.item or 'an object'}{on}"
        return
    rest = items.use_up(ctx, combatant.id, item)
    ctx.text = f"{combatant.name} uses {item.name}{on}{rest}"


# -- ready -----------------------------------------------------------------------------------------

CAST = "cast"


def ready_arg(readiable: Callable[[Tables], Collection[str]], more: type[Struct]) -> Argument:
    """Declare the technique of `ready` by its name, a spell with the arguments of `more`."""
    technique = arguments.choice_arg("an action to ready", lambda r: readiable(r.ctx.tables))

    def read(reading: ParseState) -> TechniqueUse:
        name = technique.read(reading)
        return TechniqueUse(name, read_within(more, reading) if name == CAST else None)

    usage = f"TECHNIQUE|{CAST} {arguments_usage(more)}"
    return Argument(read, usage, field=Field("technique"))


def pay_the_rest(
    ctx: Context, combatant: Combatant, name: str, cost: Cost | None = None, subject: str = ""
) -> None:
    """Pay costs outside the turn; the action was paid when readied."""
    left = {track: n for track, n in (cost or {}).items() if track not in action_economy.TURN}
    reason = actions.why_unaffordable(ActorSituation(ctx.tables, ctx.state, combatant), left)
    if reason:
        raise Refused(f"{combatant.name} can't use {ctx.tables.techniques[name].name}: {reason}")
    actions.pay_tracks(ctx, combatant.id, name, left)


def concentrate_on_readied(ctx: Context, combatant: Combatant, spell: str) -> None:
    """Concentrate on a spell that is readied, until its release or the next turn's start."""
    held = EffectRef(combatant.id, READIED)
    until = next_turn(ctx.state, combatant.id, "start")
    powers.concentrate(ctx, combatant.id, spell, until, held)


def drop_lost_spells(ctx: Context) -> None:
    """Drop each readied spell whose concentration is gone."""
    for combatant in ctx.state.bearers(READIED):
        for readied in combatant.all_named(READIED):
            held = any(effect.hangs for effect in combatant.all_named(powers.CONCENTRATING))
            if readied.because == CAST and not held:
                remove_effect(ctx, combatant.id, readied.id, "no longer concentrating")


# -- reactions -------------------------------------------------------------------------------------


def react_arg(
    game: TechniqueRunner, before: Callable[[ParseState], None] = lambda reading: None
) -> Argument:
    """Declare a reaction of the tables, or any other in quotes; `before` may say who acts."""
    declared = techniques.reaction_arg(game, "a reaction, or any other in quotes")

    def read(reading: ParseState) -> TechniqueUse | str:
        if reading.words.upcoming.quoted:
            return reading.words.rest().strip()
        before(reading)
        use: TechniqueUse = declared.read(reading)
        return use

    return Argument(read, f'{declared.usage} | "WHAT"', field=ANY_MORE)


class ReactArgs(Protocol):
    """The arguments of a game's `react`: a reaction of the tables, or any other in quotes."""

    @property
    def reaction(self) -> TechniqueUse | str: ...


def _react(game: TechniqueRunner, ctx: Context, args: ReactArgs) -> None:
    """Take a reaction; other commands apply the effect of one in quotes."""
    reaction = args.reaction
    if isinstance(reaction, TechniqueUse):
        techniques.use_technique(game, ctx, reaction)
        return
    combatant = ctx.actor()
    rules_of(ctx).pay_reaction(ctx, combatant, reaction)
    ctx.text = f"{combatant.name} reacts: {reaction}"


def technique_commands(
    game: TechniqueRunner,
    tables: Tables,
    readying: ReadyRules,
    react_args: type[Struct],
) -> tuple[Command, ...]:
    """A command for each technique of the tables, `react` for the reactions, and `trigger`; what
    `react` takes is the `reaction` of its arguments, as `react_arg` reads it."""
    ready = techniques.ready_commands(
        game,
        readying,
        "pays for an action now, to take when the trigger comes",
        "takes the readied action, using the reaction",
    )
    return (
        *techniques.technique_commands(game, tables, but=(action_economy.READY,)),
        techniques.react_command(game, "takes a reaction", react_args, partial(_react, game)),
        *ready,
    )


class Actions(techniques.TechniqueActions):
    """Techniques, and powers of their own."""

    def __init__(self, techniques: TechniqueRunner, rules: AnyRules) -> None:
        super().__init__(techniques)
        self.rules = rules

    def own_options(
        self,
        tables: Tables,
        state: Encounter,
        combatant: Combatant,
        how: Notation = IN_WRITING,
    ) -> list[AvailableAction]:
        return powers.own_powers(self.rules, tables, state, combatant, how)

    def weapons(self, combatant: Combatant) -> list[str]:
        return [attack.name for attack in self.rules.attacks_of(combatant)]

    def row_effects(self, tables: Tables) -> list[str]:
        return [*conditions_of(tables)]

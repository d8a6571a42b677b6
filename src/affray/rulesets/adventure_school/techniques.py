"""Adventure School: the commands of all techniques, reactions, and actions that are held.

Each module has the functions of its techniques in a table `ACTS`. Techniques without a function are
complete in their rows.

Rules file, 3 and Commands.
"""

from __future__ import annotations

from functools import partial

from affray.core.engine.effects import give_back
from affray.core.engine.state import Combatant, Effect, Encounter
from affray.core.parser.declarations import command_usage, parse_arguments
from affray.core.parser.tokens import TokenStream
from affray.core.rules.ruleset import AvailableAction, Command, Context
from affray.core.rules.tables import Tables
from affray.mechanics import actions
from affray.mechanics.actions import ReadiedAction, ReadyRules, TechniqueRunner
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
    """Levels of diminish come; of a resource so much is spent, or comes back if it is below 0."""
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


class Actions(actions.TechniqueActions):
    """Techniques, and abilities of their own."""

    def own_options(
        self, tables: Tables, state: Encounter, combatant: Combatant
    ) -> list[AvailableAction]:
        return abilities.own_abilities(tables, state, combatant)

    def weapons(self, combatant: Combatant) -> list[str]:
        return sheet.weapons_of(combatant)

    def spells(self, combatant: Combatant) -> list[str]:
        return sheet.spells_of(combatant)

    def row_effects(self, tables: Tables) -> list[str]:
        return conditions.conditions_of(tables)


def _react(ctx: Context, tokens: TokenStream) -> None:
    """`react NAME ...`; in quotes, or not said, it is whatever else somebody reacts with."""
    token, row = tokens.upcoming, actions.reaction_techniques(ctx.tables)
    if tokens.done or token.quoted or token.casefold() == "effortless":
        tokens.offered += row if tokens.done else ()
        reaction = parse_arguments(action_economy.ReactArgs, ctx, tokens)
        tokens.finish()
        action_economy.react(ctx, reaction)
        return
    name = tokens.choice("a reaction, or what it is in quotes", row)
    actions.perform(TECHNIQUES, name, ctx, tokens)


_REACT = " | ".join(
    (
        actions.reaction_usages(TECHNIQUES),
        command_usage("react", action_economy.ReactArgs, True),
    )
)

# -- hold ------------------------------------------------------------------------------------------


def _pay_now(ctx: Context, combatant: Combatant, terms: ReadiedAction) -> int:
    actions.pay(action_economy.ECONOMY, ctx, combatant.id, READY)
    return 0


def _act_then(ctx: Context, tokens: TokenStream, combatant: Combatant, held: Effect) -> None:
    """A held action turns out to be anything that takes the action."""
    rows = ctx.tables.techniques
    row = [
        n for n in actions.action_techniques(ctx.tables) if "action" in rows[n].cost and n != READY
    ]
    name = tokens.choice("what it does now", row)
    pay = partial(action_economy.pay_held, ctx, combatant.id, name)
    actions.perform_readied(TECHNIQUES, ctx, tokens, combatant, name, pay)


_HOLD = ReadyRules(
    read=lambda ctx, tokens: ReadiedAction(),
    pay=_pay_now,
    take=lambda ctx, combatant: None,
    act=_act_then,
)
"""The action now, and what it is when its trigger comes (rules file, 3.6)."""


# -- as commands -----------------------------------------------------------------------------------


def technique_verbs(tables: Tables) -> tuple[Command, ...]:
    """A command for each technique of the tables, `react` for the reactions, `ready` and
    `trigger`."""
    return (
        *actions.technique_commands(TECHNIQUES, tables, but=(READY,)),
        Command(
            "react",
            _REACT,
            "takes a reaction",
            _react,
            True,
            subcommands=actions.declared_reactions(TECHNIQUES),
        ),
        *actions.ready_commands(
            TECHNIQUES,
            _HOLD,
            'ready ["TRIGGER"]',
            "pays the action now, to act when the trigger comes",
            "takes the held action, whatever it turns out to be",
        ),
    )

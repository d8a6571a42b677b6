"""Adventure School: rolls that players still have to make: saves, and their side of contests.

Adventure School, Save, Contest of Skill.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Annotated

from msgspec import Struct, json
from msgspec.structs import replace

from affray.core.dice import DieInput
from affray.core.engine.events import EffectChanged
from affray.core.engine.state import Combatant, Effect, Encounter
from affray.core.parser import arguments
from affray.core.parser.declarations import declare_command
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import Field
from affray.core.rules.ruleset import Context, PendingDecision
from affray.core.rules.tables import Tables
from affray.mechanics import checks, saves as shared_saves
from affray.mechanics.actions import Cost
from affray.rulesets.adventure_school import (
    actions,
    checks as rolls,
    contests,
    movement,
    saves,
)
from affray.rulesets.adventure_school.contests import AskedContest, PlayersRoll

_ACTS = {**actions.ACTS, **contests.ACTS, **movement.ACTS}


def _paid(cost: Cost | None = None, subject: str = "") -> None:
    """Pay for a contest that was paid when it began."""


def _settle(
    terms: checks.RollModifiers, ctx: Context, combatant_id: str, owed: Effect, die: DieInput
) -> str:
    """Make an owed roll: a save; or one in a contest, which is decided with its last roll."""
    if shared_saves.kind_of(owed) == shared_saves.SAVE:
        return saves.settle(terms, ctx, combatant_id, owed, die)
    shared_saves.end_owed(ctx, combatant_id, owed)
    before = contests.contest_of(owed)
    asked = replace(before, rolls=before.rolls | {combatant_id: PlayersRoll(die, terms)})
    others = _still_owed(ctx, owed)
    for bearer_id, effect in others:
        cause = json.encode(asked).decode()
        ctx.emit(EffectChanged(bearer_id, replace(effect, because=cause)))
    return "" if others else _contest(ctx, owed.source, asked)


def _still_owed(ctx: Context, owed: Effect) -> list[tuple[str, Effect]]:
    """The rolls in the same contest that are still owed, each with its bearer."""
    return [
        (bearer.id, effect)
        for bearer in ctx.state.bearers(shared_saves.THREATENED)
        for effect in bearer.all_named(shared_saves.THREATENED)
        if (effect.source, effect.because) == (owed.source, owed.because)
    ]


def _forgo(ctx: Context, combatant_id: str, owed: Effect, why: str) -> None:
    """Await somebody's roll no longer. A contest that only this roll kept waiting is made among the
    others, unless it was with them alone."""
    shared_saves.end_owed(ctx, combatant_id, owed, why)
    if shared_saves.kind_of(owed) == shared_saves.CONTEST and not _still_owed(ctx, owed):
        asked = contests.contest_of(owed)
        if combatant_id not in asked.people.values():
            _contest(ctx, owed.source, asked)


def _contest(ctx: Context, combatant_id: str, asked: AskedContest) -> str:
    """Make a contest for which all have rolled; returns its result. Nothing comes of one that
    somebody began who is out since."""
    act, text, combatant = _ACTS[asked.act], ctx.text, ctx.state.find(combatant_id)
    if combatant is None or combatant.is_out:
        return f"{combatant.name} is {combatant.life}" if combatant is not None else ""
    try:
        act.run(ctx, asked.args(ctx, act.args_type), combatant, _paid)
        return ctx.text
    except Refused as refusal:  # as one of them has died since
        return refusal.bare
    finally:
        ctx.text = text


def roll_deferred(ctx: Context) -> None:
    """Make the rolls that nobody has made by the end of a turn."""
    for _ in range(2):  # who has joined since has to roll once all others have
        shared_saves.roll_deferred(ctx, partial(_settle, checks.RollModifiers()), _forgo)


def _in_words(owed: Effect) -> str:
    """Name an owed roll: `health save, DC 13`, `contest roll`."""
    if shared_saves.kind_of(owed) == shared_saves.SAVE:
        return saves.in_words(owed)
    return "contest roll"


def pending_decisions(tables: Tables, state: Encounter) -> Iterator[PendingDecision]:
    """The saves and contests that wait for the players' dice."""
    words = dict.fromkeys(rolls.OUTCOMES.means.values())
    answers = [(tables.outcomes[word].key, word, word) for word in words]
    return shared_saves.pending_decisions(state, _in_words, answers)


_DICE = checks.die_arg(
    rolls.OUTCOMES, "people", field=Field("outcome", ("each", *rolls.OUTCOME_FIELD.options))
)


class WithstandArgs(Struct, frozen=True, kw_only=True):
    """`withstand NAME[,NAME] OUTCOME ...`."""

    people: Annotated[list[Combatant], arguments.combatants_arg("the combatant who saves")]
    dice: Annotated[list[DieInput], _DICE]
    terms: Annotated[checks.RollModifiers, arguments.keyword_args(checks.RollModifiers)]


def _withstand(ctx: Context, args: WithstandArgs) -> None:
    shared_saves.withstand(ctx, args.people, args.dice, partial(_settle, args.terms))


COMMANDS = (
    declare_command(
        shared_saves.WITHSTAND,
        "makes a save that an ability or spell asks for, or one's roll in a contest",
        WithstandArgs,
        _withstand,
    ),
)

"""Saves against spells and powers: what each brings, at once or when its player has rolled.

Monsters & Magic, Attacking & Dealing Damage (actions that force a saving throw), Difficulty Class.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Annotated

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import DieInput
from affray.core.engine.state import Combatant, Effect, Encounter
from affray.core.parser import arguments
from affray.core.parser.declarations import declare_command
from affray.core.parser.prompt_fields import Field
from affray.core.rules.ruleset import Context, PendingDecision
from affray.core.rules.tables import Tables
from affray.mechanics import powers, saves
from affray.mechanics.checks import die_arg
from affray.rulesets.monsters_and_magic import checks, conditions, damage
from affray.rulesets.monsters_and_magic.checks import CheckModifiers, Outcome
from affray.rulesets.monsters_and_magic.sheet import Save

MISSES: tuple[Outcome, ...] = ("miss", "crit-miss")
"""The outcomes of a save with which the attack hits."""


class AskedSave(Struct, frozen=True, omit_defaults=True):
    """A save that a spell or a power asks for, with its consequences.

    amount    the rolled damage; 0 for none
    bonus     the situation's bonus
    inflicts  the conditions after a miss
    holds     True if it is a grapple, which a weak save leaves for a turn
    """

    save: Save
    amount: int = 0
    type: str = ""
    bonus: int = 0
    inflicts: powers.Inflicts = ()
    holds: bool = False


def ask(
    ctx: Context,
    by: str,
    target: Combatant,
    of: str,
    asked: AskedSave,
    die: DieInput | None,
    terms: CheckModifiers,
) -> str:
    """Let somebody save against what `by` does, `of` that name; returns the outcome, empty where
    it waits for its player's die."""
    die = saves.die_of(ctx, target, by, die)
    if die is not None:
        return _make(ctx, by, target.id, asked, die, terms)
    asked = replace(asked, save=replace(asked.save, dc=terms.dc or asked.save.dc))
    cause = msgspec.json.encode(replace(asked, amount=0)).decode()
    saves.owe(ctx, target.id, by, of, (asked.amount,), cause)
    return ""


def _make(
    ctx: Context, by: str, target: str, asked: AskedSave, die: DieInput, terms: CheckModifiers
) -> Outcome:
    """Make a save: a miss takes all of the damage and the conditions; a weak hit takes half of the
    damage if that is said, a strong one nothing."""
    terms = replace(terms, dc=terms.dc or asked.save.dc or None)
    check = checks.saving_throw(ctx, ctx.state[target], asked.save.ability, die, terms, by)
    outcome = check.come_out(ctx)
    is_hit = outcome in MISSES
    if asked.amount and (is_hit or (outcome == "weak" and asked.save.half)):
        share: Outcome = "strong" if is_hit else "weak"
        damage.deal(
            ctx, target, damage.DamageInstance(asked.amount, asked.type, share, bonus=asked.bonus)
        )
    if is_hit:
        conditions.inflict_by_row(ctx, by, target, asked.inflicts)
    if asked.holds:
        conditions.hold(ctx, by, target, outcome)
    return outcome


# -- saves that are owed ---------------------------------------------------------------------------


def _asked(owed: Effect) -> AskedSave:
    asked = msgspec.json.decode(owed.because, type=AskedSave)
    return replace(asked, amount=owed.amount)


def _settle(
    terms: CheckModifiers, ctx: Context, combatant_id: str, owed: Effect, die: DieInput
) -> str:
    saves.end_owed(ctx, combatant_id, owed)
    return _make(ctx, owed.source, combatant_id, _asked(owed), die, terms)


def roll_deferred(ctx: Context) -> None:
    """Roll the saves that nobody made by the end of a turn."""
    saves.roll_deferred(ctx, partial(_settle, CheckModifiers()))


def _in_words(owed: Effect) -> str:
    save = _asked(owed).save
    return f"{save.ability} save{f', DC {save.dc}' if save.dc else ''}"


def pending_decisions(tables: Tables, state: Encounter) -> Iterator[PendingDecision]:
    """The saves that wait for the players' dice."""
    answers = [(row.key, row.label or word, word) for word, row in tables.outcomes.items()]
    return saves.pending_decisions(state, _in_words, answers)


class WithstandArgs(Struct, frozen=True):
    """The arguments of `withstand`."""

    people: Annotated[list[Combatant], arguments.combatants_arg("the combatant who saves")]
    dice: Annotated[
        list[DieInput], die_arg(checks.OUTCOMES, "people", field=Field("outcome", ("each",)))
    ]
    terms: Annotated[CheckModifiers, arguments.keyword_args(CheckModifiers, "WORDS")]


def _withstand(ctx: Context, args: WithstandArgs) -> None:
    saves.withstand(ctx, args.people, args.dice, partial(_settle, args.terms))


COMMANDS = (
    declare_command(
        saves.WITHSTAND,
        "makes the save that a spell, a power or a grapple asks",
        WithstandArgs,
        _withstand,
    ),
)

"""The rolls at 0 HP and their commands: death saves, massive damage, knocking out.

Seed 002: Dying and Death Saving Throws, Massive Damage and Instant Death, Knocking a
Creature Out; rules file, 9.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from affray.core.heart.decide import Context
from affray.core.heart.events import Changed, Forgot, Used
from affray.core.heart.state import Combatant, Encounter
from affray.core.language import arguments
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import Pending, Verb, declare
from affray.rulekit import life
from affray.rulekit.rolls import Die
from affray.rulesets.level_up import checks, dying, fatigue
from affray.rulesets.level_up.checks import FAILURE, SUCCESS, Terms, Try
from affray.rulesets.level_up.dying import MASSIVE, OWED

DEATH_SAVE = "death save"
"""What is counted in a turn: the death save that was made."""


# -- death saves -----------------------------------------------------------------------------------


def roll_owed(ctx: Context, who: str) -> None:
    """The death save that nobody made before the turn may end is rolled."""
    if life.is_due(ctx.state[who], DEATH_SAVE):
        death_save(ctx, ctx.state[who], Die(), Terms())


def death_save(ctx: Context, who: Combatant, die: Die, terms: Terms) -> str:
    """Make a death save, tied to no ability; what changes saves counts. Rules file, 9.5, 9.6."""
    dc = int(ctx.tables.economy["death_save"])
    trial = Try(
        who.id,
        "",
        die,
        save=True,
        name=DEATH_SAVE,
        dc=dc,
        terms=terms,
        final={1: FAILURE, 20: SUCCESS},
    )
    rolled = checks.attempt(ctx, trial)
    if ctx.state.takes_turn(who.id):
        ctx.emit(Used(who.id, DEATH_SAVE))
    if rolled.natural == 20:
        ctx.emit(Changed(who.id, "hp", 1, why="a natural 20"))
        dying.rise(ctx, who.id, "a natural 20")
        return SUCCESS
    if rolled.natural == 1:
        fatigue.tire(ctx, who.id, "a natural 1", fatigue=1, strife=1)
        if ctx.state.settings.get("death-one") == "no-failure":
            return FAILURE
    track = "death_failures" if rolled.outcome == FAILURE else "death_successes"
    dying.count(ctx, who.id, track, f"a death save, {rolled.outcome}")
    return rolled.outcome


class Death(Struct, frozen=True):
    """What `death` says."""

    who: Annotated[Combatant, arguments.person("who is dying", asks="person:dying")]
    die: Annotated[Die, checks.OUTCOME]
    terms: Annotated[Terms, arguments.words_of(Terms)]


def _death(ctx: Context, said: Death) -> None:
    if said.who.life != "dying":
        raise Refused(f"{said.who.name} is not dying but {said.who.life}")
    outcome = death_save(ctx, said.who, said.die, said.terms)
    ctx.text = f"{said.who.name}'s death save, {outcome}"


# -- massive damage --------------------------------------------------------------------------------


def massive_save(ctx: Context, who: Combatant, die: Die, terms: Terms) -> str:
    """The save against massive damage: dead, or one fatigue and one strife. Rules file, 9.1."""
    dc = int(ctx.tables.economy["massive_save"])
    rolled = checks.attempt(ctx, Try(who.id, "con", die, save=True, dc=dc, terms=terms))
    ctx.emit(Forgot(who.id, OWED))
    if rolled.outcome == FAILURE:
        dying.die(ctx, who.id, "massive damage")
    else:
        fatigue.tire(ctx, who.id, "massive damage survived", fatigue=1, strife=1)
    return rolled.outcome


def owes_massive_save(who: Combatant) -> bool:
    """Whether massive damage has yet to be survived."""
    return who.used(MASSIVE, OWED) > 0


def roll_massive_saves(ctx: Context) -> None:
    """Saves against massive damage that nobody made by the end of a turn are rolled."""
    for who in ctx.state.combatants:
        if owes_massive_save(who):
            massive_save(ctx, who, Die(), Terms())


class Massive(Struct, frozen=True):
    """What `massive` says."""

    who: Annotated[Combatant, arguments.person("who took massive damage")]
    die: Annotated[Die, checks.OUTCOME]
    terms: Annotated[Terms, arguments.words_of(Terms)]


def _massive(ctx: Context, said: Massive) -> None:
    if not owes_massive_save(said.who):
        raise Refused(f"{said.who.name} owes no save against massive damage")
    outcome = massive_save(ctx, said.who, said.die, said.terms)
    ctx.text = f"{said.who.name}'s save against massive damage, {outcome}"


# -- what waits for the GM -------------------------------------------------------------------------


_ANSWERS = (("s", SUCCESS, SUCCESS), ("f", FAILURE, FAILURE), ("r", "roll", "roll"))


def pending(state: Encounter) -> list[Pending]:
    """The saves against massive damage, whoever's, and the death saves of whose turn it is."""
    massive = [_massive_pending(who) for who in state.combatants if owes_massive_save(who)]
    ups = (up for up in state.all_up() if life.is_due(up, DEATH_SAVE))
    return [*massive, *(life.pending(up, DEATH_SAVE, DEATH_SAVE, _ANSWERS) for up in ups)]


def _massive_pending(who: Combatant) -> Pending:
    says, roll = "took massive damage: saves or dies", "save against massive damage"
    return life.owed(who, "massive", says, roll, _ANSWERS)


DEATH_VERBS: tuple[Verb, ...] = (
    declare("death", "makes a death save", Death, _death),
    declare("massive", "makes the save against massive damage", Massive, _massive),
    life.knock_out_verb(
        "right after the blow that brought it down: unconscious and stable", dying.knock_out_now
    ),
)

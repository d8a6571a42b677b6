"""Saves that attacks and powers ask for: made at once, or owed until the players have rolled.

Whoever is no character rolls at once. A character owes the save until `withstand` says how it came
out; what nobody said by the end of a turn is rolled. Seed 002: Saving Throws, Making an Attack.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from msgspec import Struct

from affray.core.heart.decide import Context
from affray.core.heart.effects import end
from affray.core.heart.state import Combatant, Effect, Encounter
from affray.core.language import arguments
from affray.core.language.clauses import names
from affray.core.language.refusal import Refused, listed
from affray.core.rules.ruleset import Pending, declare
from affray.rulekit import life, powers, rolls
from affray.rulekit.placing import Placing, begin
from affray.rulekit.rolls import Die
from affray.rulesets.level_up import checks, conditions, creatures, damage, dying
from affray.rulesets.level_up.checks import FAILURE, Sheltered, Try
from affray.rulesets.level_up.creatures import Save

THREATENED = "threatened"
"""The effect of whoever owes a save; its note is what against, its amount the damage that fell."""


def ask(
    ctx: Context, by: str, target: str, of: str, save: Save, fell: int, die: Die | None = None
) -> None:
    """Let a target save against what somebody does, `of` that name, as the die is known.

    `fell` is the damage that the save is about. The dead make none.
    """
    who = ctx.state[target]
    if who.life == "dead":
        return
    if die is None and who.kind == "pc":
        begin(ctx, target, THREATENED, placing=Placing(source=by), note=of, amount=fell)
    else:
        _make(ctx, by, target, save, fell, die or Die(), Sheltered())


def _make(
    ctx: Context, by: str, target: str, save: Save, fell: int, die: Die, terms: Sheltered
) -> str:
    """Make the save; who fails gets all of it, who doesn't half of the damage where it says so."""
    trial = Try(target, save.ability, die, save=True, dc=save.dc, against=by, terms=terms)
    came = checks.attempt(ctx, trial).outcome
    if fell and (came == FAILURE or save.half):
        damage.deal(ctx, target, damage.Blow(fell, save.type, half=came != FAILURE))
    if came == FAILURE:
        powers.afflict(ctx, by, target, save.inflicts, conditions.lay_all)
    return came


def fell(ctx: Context, by: str, save: Save, said: int | str = "") -> int:
    """The damage that a save is about: as it was called out, or its dice, once for all who save."""
    if isinstance(said, int):
        return said
    dice = said or save.dice
    return max(0, rolls.throw_dice(ctx, by, dice, "damage")) if dice else 0


# -- saves that are owed ---------------------------------------------------------------------------


def _owed(who: Combatant) -> Sequence[Effect]:
    return who.all_named(THREATENED)


def _against(state: Encounter, owed: Effect) -> Save | None:
    """The save that is owed; None where whoever it is against, or what, is gone."""
    source = state.find(owed.source)
    return creatures.save_of(source, owed.note) if source is not None else None


def _settle(ctx: Context, who: str, owed: Effect, die: Die, terms: Sheltered) -> str:
    """Make a save that is owed. Of whoever is gone there is nothing more to save against."""
    save = _against(ctx.state, owed)
    end(ctx, who, owed.id, "the save is made" if save else "nothing to save against")
    return _make(ctx, owed.source, who, save, owed.amount, die, terms) if save else ""


def roll_owed(ctx: Context) -> None:
    """Saves that nobody made by the end of a turn are rolled, those against massive damage last."""
    for who in ctx.state.combatants:
        for owed in _owed(who):
            _settle(ctx, who.id, owed, Die(), Sheltered())
    dying.roll_massive_saves(ctx)


def pending(state: Encounter) -> Iterator[Pending]:
    """The saves that wait for the players' dice."""
    for who in state.combatants:
        for owed in _owed(who)[:1]:
            save = _against(state, owed)
            called = f"{save.ability} save, DC {save.dc}" if save else "save"
            says = f"makes a {called}, against {owed.note}"
            yield life.owed(who, "withstand", says, f"save against {owed.note}", dying.ANSWERS)


class Withstand(Struct, frozen=True):
    """`withstand NAME[,NAME] OUTCOME [WORDS]`."""

    people: Annotated[list[Combatant], arguments.people("who saves", asks="targets")]
    dice: Annotated[list[Die], rolls.die_said(checks.OUTCOMES, of="people", asks="outcome:each")]
    terms: Annotated[Sheltered, arguments.words_of(Sheltered)]


def _withstand(ctx: Context, said: Withstand) -> None:
    free = [who for who in said.people if not _owed(who)]
    if free:
        raise Refused(f"{names(free)} {'owes' if len(free) == 1 else 'owe'} no save")
    told = []
    for who, die in zip(said.people, said.dice, strict=True):
        owed = _owed(who)[0]
        came = _settle(ctx, who.id, owed, die, said.terms)
        told.append(f"{who.name}'s save against {owed.note}{f', {came}' if came else ''}")
    ctx.text = listed(told, "and")


VERBS = (
    declare("withstand", "makes the save that an attack or a power asks", Withstand, _withstand),
)

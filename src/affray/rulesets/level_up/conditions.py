"""Level Up: conditions and ongoing damage, by hand or from attacks, and saves against them.

A monster saves at once. A character owes the save until `withstand` tells its outcome; if nobody
has by the end of a turn, it is rolled.

Seed 002: Ongoing Damage, Damage Resistance, Vulnerability and Immunity, Saving Throws; rules file,
6.3, 6.4, 7 and 12.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import DieInput
from affray.core.engine.durations import Until
from affray.core.engine.effects import EffectSpec, remove_effect
from affray.core.engine.events import NoteAdded
from affray.core.engine.state import Combatant, Effect, Encounter
from affray.core.parser import arguments, clauses
from affray.core.parser.declarations import ParseState, declare_command
from affray.core.parser.errors import Refused, join_or
from affray.core.parser.prompt_fields import Field
from affray.core.rules.ruleset import Context, PendingDecision
from affray.mechanics import (
    checks as shared_checks,
    conditions,
    damage as shared_damage,
    dying as shared_dying,
    powers,
)
from affray.mechanics.conditions import DurationRules, begin_effect
from affray.rulesets.level_up import checks, damage, dying, scene, sheet
from affray.rulesets.level_up.checks import (
    FAILURE,
    CheckRequest,
    RollModifiers,
    RollModifiersWithCover,
)
from affray.rulesets.level_up.dying import THREATENED

ONGOING = "ongoing"
LASTING = DurationRules(next_turn=sheet.next_turn)
"""How long what is laid lasts: as all games say it, and else until it is removed (12.3). Turns of a
creature under control are its owner's (15.1)."""
_ENDS = (
    "for N turns] [until start|end of NAME | round N | rest | fight | used | removed] [from NAME"
)
_PLACED = conditions.until_arg(LASTING, _ENDS)


# -- laying ----------------------------------------------------------------------------------------


def can_have(combatant: Combatant, condition: str) -> bool:
    """True unless a combatant is immune to a condition (6.4)."""
    return not sheet.has(combatant, "immunity", condition)


def _takes(ctx: Context, combatant_id: str, condition: str) -> bool:
    """Whether a condition can be laid on somebody; the log is told of who is immune (R36)."""
    bearer = ctx.state[combatant_id]
    takes_it = can_have(bearer, condition)
    if not takes_it:
        ctx.emit(NoteAdded(f"{bearer.name} is immune to {condition}"))
    return takes_it


def apply_condition(
    ctx: Context, combatant_id: str, spec: EffectSpec, because: str = "", note: str = ""
) -> bool:
    """Apply one more instance of a condition, or an amount, unless the target is immune.

    Its end is its own, that of its row, or until it is removed (12.3). Return whether it is there.
    """
    if not _takes(ctx, combatant_id, spec.name):
        return False
    conditions.apply_condition(LASTING, ctx, combatant_id, spec, because=because, note=note)
    return True


def take_ongoing_damage(ctx: Context, combatant_id: str) -> None:
    """At the end of a turn: each instance of ongoing damage, rolled anew (rules file, 7)."""
    for effect in ctx.state[combatant_id].all_named(ONGOING):
        now = ctx.state[combatant_id]
        if "hp" in now.tracks and not now.is_out:
            since = len(ctx.events)
            amount = conditions.effect_amount(ctx, combatant_id, effect) + scene.echo(
                ctx, effect.type, since
            )
            damage.deal(
                ctx, combatant_id, damage.DamageInstance([(amount, effect.type)], label=" ongoing")
            )


apply_all = powers.apply_each(apply_condition)


# -- inflict ---------------------------------------------------------------------------------------


def _read_what(reading: ParseState) -> list[EffectSpec]:
    tokens, tables = reading.words, reading.ctx.tables
    word = tokens.take(ONGOING, *sheet.AGAINST)
    if word == ONGOING:
        what = "how much damage at the end of each turn"
        amount = tokens.number(what, 1) if tokens.has_number() else 0
        dice = "" if amount else clauses.parse_dice_clause(tokens, what)
        kind = clauses.parse_damage_type(tokens, lambda: tables.damage_types, reading.stops)
        return [EffectSpec(ONGOING, amount, kind, dice)]
    if word:
        return [
            EffectSpec(word, type=tokens.choice(f"{word} to what", sheet.known_to(tables, word)))
        ]
    names = conditions.parse_conditions(
        tokens, sheet.conditions_of(tables), beside=(ONGOING, *sheet.AGAINST)
    )
    return [EffectSpec(name) for name in names]


_LAID = "CONDITION[,CONDITION] | ongoing AMOUNT [TYPE] | resistance|vulnerability|immunity TYPE|all"


class InflictArgs(conditions.InflictArgs, frozen=True):
    what: Annotated[conditions.What, conditions.condition_arg(_read_what, _LAID)]
    ends: Annotated[str, arguments.quoted_arg("what ends it", '"WHAT ENDS IT"')] = ""
    terms: Annotated[EffectSpec, _PLACED] = EffectSpec()


def _inflict(ctx: Context, args: InflictArgs) -> None:
    terms = replace(args.terms, source=args.terms.source or ctx.by)
    note = args.ends
    if args.ends and terms.until is None:  # in words alone: "until smothered"
        terms = replace(terms, until=Until(text=args.ends.removeprefix("until ")))
        note = ""
    apply_to = partial(apply_condition, ctx, note=note)
    conditions.inflict_on_all(LASTING, ctx, replace(args, terms=terms), apply_to)


class ModifierArgs(conditions.ModifierArgs, frozen=True):
    terms: Annotated[EffectSpec, conditions.until_arg(LASTING, _ENDS, "used")] = EffectSpec()


# -- temporary HP ----------------------------------------------------------------------------------


_STAYS = arguments.anywhere_choice_arg("new", "keep", field=Field("choice", ("new", "keep")))


class TempHpArgs(shared_damage.TempHpChoice, frozen=True):
    """The arguments of `temp`: the higher of two amounts stays unless a choice is given (rules
    file, R28); they end when their duration does."""

    stays: Annotated[shared_damage.Stays, _STAYS] = ""
    terms: Annotated[EffectSpec, replace(_PLACED, field=None)] = EffectSpec()


def _give_temporary(ctx: Context, combatant_id: str, args: TempHpArgs) -> None:
    clauses.require_alive([ctx.state[combatant_id]])
    shared_damage.grant_temp_hp_with_end(LASTING, ctx, combatant_id, args)


# -- saves that attacks and powers ask for ---------------------------------------------------------


def ask_save(
    ctx: Context,
    by: str,
    target: str,
    of: str,
    save: sheet.Save,
    amount_rolled: int,
    terms: RollModifiers,
    die: DieInput | None = None,
) -> None:
    """Let a target save against what somebody does, `of` that name, as the die is known.

    `amount_rolled` is the damage that the save is about, `terms` what is said of it. The dead make
    none.
    """
    combatant = ctx.state[target]
    if combatant.life == "dead":
        return
    if die is None and combatant.kind == "pc":
        begin_effect(ctx, target, THREATENED, source=by, note=of, amount=amount_rolled)
    else:
        die = die or shared_checks.left_to_program(ctx, target, by)
        _save(ctx, by, target, save, amount_rolled, die, terms)


def _save(
    ctx: Context,
    by: str,
    target: str,
    save: sheet.Save,
    amount_rolled: int,
    die: DieInput,
    terms: RollModifiers,
) -> str:
    """Make a save; gives how it came out.

    Failed, it brings all the damage and what it inflicts; made, half the damage, where it says so.
    """
    check = CheckRequest(target, save.ability, die, save.dc, by, terms, save=True)
    outcome = check.make(ctx).outcome
    if amount_rolled and (outcome == FAILURE or save.half):
        damage.deal(
            ctx,
            target,
            damage.DamageInstance([(amount_rolled, save.type)], half=outcome != FAILURE),
        )
    if outcome == FAILURE:
        powers.apply_inflicted(ctx, by, target, save.inflicts, apply_all)
    return outcome


def _against(state: Encounter, owed: Effect) -> sheet.Save | None:
    """Return the pending save; None if its cause is gone."""
    source = state.find(owed.source)
    return sheet.save_of(source, owed.note) if source is not None else None


def _settle(
    ctx: Context, combatant_id: str, owed: Effect, die: DieInput, terms: RollModifiersWithCover
) -> str:
    """Make a pending save; without its cause there is nothing to save against."""
    save = _against(ctx.state, owed)
    remove_effect(
        ctx, combatant_id, owed.id, "the save is made" if save else "nothing to save against"
    )
    return _save(ctx, owed.source, combatant_id, save, owed.amount, die, terms) if save else ""


def roll_deferred_saves(ctx: Context) -> None:
    """Saves that nobody made by the end of a turn are rolled, those against massive damage last."""
    for combatant in ctx.state.combatants:
        for owed in combatant.all_named(THREATENED):
            if ctx.state[combatant.id].life != "dead":  # as one of them may have it
                _settle(ctx, combatant.id, owed, DieInput(), RollModifiersWithCover())
    dying.roll_massive_saves(ctx)


def pending_decisions(state: Encounter) -> Iterator[PendingDecision]:
    """The saves that wait for the players' dice."""
    for combatant in (one for one in state.combatants if one.life != "dead"):
        for owed in combatant.all_named(THREATENED)[:1]:
            save = _against(state, owed)
            called = f"{save.ability} save, DC {save.dc}" if save else "save"
            says = f"makes a {called}, against {owed.note}"
            yield shared_dying.deferred_death_roll(
                combatant, "withstand", says, f"save against {owed.note}", dying.ANSWERS
            )


class SaveAgainstArgs(Struct, frozen=True):
    people: Annotated[
        list[Combatant], arguments.combatants_arg("who saves", field=Field("targets"))
    ]
    dice: Annotated[
        list[DieInput],
        shared_checks.die_arg(checks.OUTCOMES, of="people", field=Field("outcome", ("each",))),
    ]
    terms: checks.AskedCoverModifiers


def _withstand(ctx: Context, args: SaveAgainstArgs) -> None:
    free = [combatant for combatant in args.people if combatant.named(THREATENED) is None]
    if free:
        raise Refused(f"{clauses.join_names(free)} {'owes' if len(free) == 1 else 'owe'} no save")
    sentences = []
    for combatant, die in zip(args.people, args.dice, strict=True):
        owed = combatant.all_named(THREATENED)[0]
        outcome = _settle(ctx, combatant.id, owed, die, args.terms)
        sentences.append(
            f"{combatant.name}'s save against {owed.note}{f', {outcome}' if outcome else ''}"
        )
    ctx.text = join_or(sentences, "and")


VERBS = (
    declare_command(
        "inflict", "lays conditions and the like on somebody", InflictArgs, _inflict, True
    ),
    declare_command(
        "modifier",
        "gives a bonus or penalty, advantage or disadvantage",
        ModifierArgs,
        partial(conditions.apply_modifier, LASTING),
    ),
    shared_damage.temp_hp_command(
        "gives temporary HP; of two the higher stays, or as said", TempHpArgs, _give_temporary
    ),
    declare_command(
        "withstand", "makes the save that an attack or a power asks", SaveAgainstArgs, _withstand
    ),
)

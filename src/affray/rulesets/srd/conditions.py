"""Conditions and ongoing damage in games on the SRD, and saves that attacks and powers ask for.

What a monster saves at once, a player's character owes until its die is known (`mechanics.saves`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import DieInput
from affray.core.engine.durations import Until
from affray.core.engine.effects import EffectSpec, effect_row
from affray.core.engine.events import Step
from affray.core.engine.state import Combatant, Effect, EffectRef, Encounter
from affray.core.parser import arguments, clauses
from affray.core.parser.declarations import ParseState
from affray.core.parser.prompt_fields import Field
from affray.core.rules.ruleset import Context, PendingDecision
from affray.mechanics import (
    checks as shared_checks,
    conditions,
    damage as shared_damage,
    saves,
)
from affray.rulesets.srd import checks, damage, sheet
from affray.rulesets.srd.checks import FAILURE, RollModifiers
from affray.rulesets.srd.dying import OUTCOMES_BY_KEY
from affray.rulesets.srd.rules import AnyRules, rules_of

ONGOING = "ongoing"

# -- laying ----------------------------------------------------------------------------------------


def can_have(combatant: Combatant, condition: str) -> bool:
    """True unless a combatant is immune to a condition."""
    return not sheet.has(combatant, "immunity", condition)


def apply_condition(
    ctx: Context, combatant_id: str, spec: EffectSpec, because: str = "", note: str = ""
) -> bool:
    """Apply one more instance of a condition, or an amount, unless the target is immune; the log
    notes immunity.

    Its end is its own, that of its row, or until it is removed. Return whether it is there.
    """
    bearer = ctx.state[combatant_id]
    if not ctx.ruleset.state.can_have(bearer, spec.name):
        ctx.note(f"is immune to {spec.name}", bearer.id)
        return False
    lasting = rules_of(ctx).lasting
    if effect_row(ctx.tables, spec.name).until and spec == EffectSpec(
        spec.name, source=spec.source
    ):
        until = conditions.resolve_end(lasting, ctx, combatant_id, spec)
        if any(not each.hangs and each.until == until for each in bearer.all_named(spec.name)):
            ctx.note(f"is {spec.name} already", bearer.id)  # who lies there, lies
            return True
    conditions.apply_condition(lasting, ctx, combatant_id, spec, because=because, note=note)
    return True


def take_ongoing_damage(
    ctx: Context, combatant_id: str, due: Callable[[Effect], bool] = lambda effect: True
) -> None:
    """Deal each instance of ongoing damage that is `due`, with new dice."""
    for effect in filter(due, ctx.state[combatant_id].all_named(ONGOING)):
        now = ctx.state[combatant_id]
        if "hp" in now.tracks and not now.is_out:
            since = len(ctx.events)
            amount = conditions.effect_amount(ctx, combatant_id, effect)
            amount += rules_of(ctx).scene_damage_bonus(ctx, effect.type, since)
            blow = damage.DamageInstance([(amount, effect.type)], label=" ongoing")
            damage.deal(ctx, combatant_id, blow)


def apply_all(ctx: Context, combatant_id: str, specs: Sequence[EffectSpec]) -> None:
    """Apply several conditions one by one. What comes with a grapple, and has no end of its own,
    ends with it: `inflicts grappled 14 inflicts restrained`."""
    hold: EffectRef | None = None
    for spec in specs:
        if not (spec.until or spec.attached_to or effect_row(ctx.tables, spec.name).until):
            spec = replace(spec, attached_to=hold)
        if apply_condition(ctx, combatant_id, spec) and spec.name == "grappled":
            *_, grapple = ctx.state[combatant_id].all_named(spec.name)
            hold = EffectRef(combatant_id, grapple.id)


# -- inflict ---------------------------------------------------------------------------------------


def read_what(reading: ParseState) -> list[EffectSpec]:
    """Read the effects of `inflict`: conditions, ongoing damage, a resistance and the like."""
    tokens, tables = reading.words, reading.ctx.tables
    word = tokens.take(ONGOING, *sheet.AGAINST)
    if word == ONGOING:
        what = "the damage at the end of each turn"
        amount = tokens.number(what, 1) if tokens.has_number() else 0
        dice = "" if amount else clauses.parse_dice_clause(tokens, what)
        kind = clauses.parse_damage_type(tokens, lambda: tables.damage_types, reading.stops)
        return [EffectSpec(ONGOING, amount, kind, dice)]
    if word:
        return [
            EffectSpec(
                word, type=tokens.choice(f"the type of {word}", sheet.known_to(tables, word))
            )
        ]
    names = conditions.parse_conditions(
        tokens, sheet.conditions_of(tables), beside=(ONGOING, *sheet.AGAINST)
    )
    return [EffectSpec(name) for name in names]


def inflict(ctx: Context, args: conditions.InflictArgs, ends: str = "", note: str = "") -> None:
    """Apply conditions and the like to somebody; `ends` is the end in words."""
    terms = replace(args.terms, source=args.terms.source or ctx.by)
    if ends and terms.until is None:  # in words alone: "until smothered"
        terms = replace(terms, until=Until(text=ends.removeprefix("until ")))
    elif ends:
        note = ends

    def apply_to(ctx: Context, combatant_id: str, spec: EffectSpec) -> bool:
        return apply_condition(ctx, combatant_id, spec, note=note)

    conditions.inflict_on_all(rules_of(ctx).lasting, ctx, replace(args, terms=terms), apply_to)


_STAYS = arguments.anywhere_choice_arg("new", "keep", field=Field("choice", ("new", "keep")))


class TempHpArgs(shared_damage.TempHpChoice, frozen=True):
    """The arguments of `temp`: the higher of two amounts stays unless a choice is given; they end
    when their duration does. A game declares `terms`."""

    stays: Annotated[shared_damage.Stays, _STAYS] = ""


def give_temporary_hp(ctx: Context, combatant_id: str, args: TempHpArgs) -> None:
    """Give temporary HP to the living."""
    clauses.require_alive([ctx.state[combatant_id]])
    shared_damage.grant_temp_hp_with_end(rules_of(ctx).lasting, ctx, combatant_id, args)


# -- saves that attacks and powers ask for ---------------------------------------------------------


def ask_save(
    ctx: Context,
    by: str,
    target: str,
    of: str,
    save: sheet.Save,
    amounts: Sequence[int] = (),
    terms: RollModifiers | None = None,
    die: DieInput | None = None,
) -> None:
    """Let a target save against what somebody does, `of` that name, as the die is known; without
    one it is owed.

    `amounts` are the damage that the save is about, `terms` what is said of it. The dead make none.
    """
    combatant = ctx.state[target]
    if combatant.life == "dead":
        return
    die = saves.die_of(ctx, combatant, by, die)
    if die is None:
        cause = rules_of(ctx).cause_of_save(ctx.state.find(by), of, save)
        saves.owe(ctx, target, by, of, amounts, cause, saves.CONTEST if save.skill else "")
        return
    _make_save(ctx, by, target, of, save, amounts, die, terms or rules_of(ctx).modifiers())


def roll_amounts(
    ctx: Context, by: str, save: sheet.Save, called: Sequence[int | str] = ()
) -> list[int]:
    """The damage that a save is about, a number for each type: as called out, or rolled."""
    rolled = [*called, *(dice for dice, _ in save.damage[len(called) :])]
    return [
        damage.damage_as_rolled(ctx, by, amount, kind)
        for amount, (_, kind) in zip(rolled, save.damage, strict=False)
    ]


def _make_save(
    ctx: Context,
    by: str,
    target: str,
    of: str,
    save: sheet.Save,
    amounts: Sequence[int],
    die: DieInput,
    terms: RollModifiers,
) -> str:
    """Make a save; returns the outcome.

    Failed, it brings all the damage and what it inflicts; made, half the damage, if it says so.
    """
    rules = rules_of(ctx)
    dc = rules.save_dc(ctx.state.find_ever(by), save)
    skill = save.skill or ""
    check = rules.check(target, save.ability, die, dc, by, terms, skill=skill, save=not skill)
    outcome = check.make(ctx).outcome
    shares = rules.share_of_save(ctx.state[target], save, outcome)
    parts = [(n, kind) for n, (_, kind) in zip(amounts, save.damage, strict=False)]
    if any(amounts) and shares:
        damage.deal(ctx, target, damage.DamageInstance(parts, by="", half=shares == 1))
    elif any(amounts):  # show damage that nobody took: evaded, or dropped by the save
        begun = (shared_damage.damage_part(*part) for part in parts)
        why = Step("evaded" if save.half else "saved")
        shared_damage.tell_of_none(ctx, target, (*begun, why))
    if outcome == FAILURE:
        rules.apply_inflicted(ctx, by, target, of, save.inflicts, save)
    return outcome


def settle_save(
    ctx: Context, combatant_id: str, owed: Effect, die: DieInput, terms: RollModifiers
) -> str:
    """Make a pending save; without its cause there is nothing to save against."""
    save = rules_of(ctx).pending_save(ctx.state, owed)
    saves.end_owed(ctx, combatant_id, owed, "" if save else "nothing to save against")
    if save is None:
        return ""
    amounts = saves.amounts_of(owed)
    return _make_save(ctx, owed.source, combatant_id, owed.note, save, amounts, die, terms)


def roll_deferred_saves(ctx: Context) -> None:
    """Roll the saves that nobody made by the end of a turn."""
    rules = rules_of(ctx)

    def settle(ctx: Context, combatant_id: str, owed: Effect, die: DieInput) -> str:
        return rules.settle_save(ctx, combatant_id, owed, die, rules.modifiers())

    saves.roll_deferred(ctx, settle)


def pending_decisions(rules: AnyRules, state: Encounter) -> Iterator[PendingDecision]:
    """The saves that wait for the players' dice."""
    return saves.pending_decisions(state, partial(rules.name_of_save, state), OUTCOMES_BY_KEY)


def withstand(
    ctx: Context,
    people: Iterable[Combatant],
    dice: Iterable[DieInput],
    terms: RollModifiers,
    pick: Callable[[Combatant], Effect | None] = saves.first_owed,
) -> None:
    """Make the pending save of each, which `pick` gives. Raises Refused for somebody who owes
    none."""

    def settle(ctx: Context, combatant_id: str, owed: Effect, die: DieInput) -> str:
        return rules_of(ctx).settle_save(ctx, combatant_id, owed, die, terms)

    saves.withstand(ctx, people, dice, settle, pick)


class WithstandArgs(Struct, frozen=True):
    """The arguments of `withstand`; a game declares the options of the roll."""

    people: Annotated[
        list[Combatant], arguments.combatants_arg("the combatant who saves", field=Field("targets"))
    ]
    dice: Annotated[
        list[DieInput],
        shared_checks.die_arg(checks.OUTCOMES, of="people", field=Field("outcome", ("each",))),
    ]

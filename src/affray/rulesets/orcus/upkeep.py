"""Sustained effects: stances, forms, auras, zones, conjurations and maintained powers.

Here they begin, are due at the turn's end, and are maintained or dropped. The commands that begin
one are in `powers`, since a power of that name on the sheet is used for it.
Orcus, Maintain, Aura, Conjuration, Form, Stance, Wild Shape, Zones, Delay.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.engine.durations import Until
from affray.core.engine.effects import EffectSpec
from affray.core.engine.events import UseCounted
from affray.core.engine.state import Combatant, Effect, Encounter
from affray.core.engine.turn_order import said_by
from affray.core.parser import arguments
from affray.core.parser.declarations import Argument, ParseState, declare_command
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import ANY_MORE, Field
from affray.core.rules.ruleset import Context, DecisionOption, PendingDecision
from affray.mechanics.conditions import begin_effect, end_with_all, resolve_end
from affray.rulesets.orcus import action_economy, attacks, conditions, sheet
from affray.rulesets.orcus.sheet import MAINTAINS

STANCE, AURA, FORM = "stance", "aura", "form"
ALONE = (STANCE, AURA, FORM)
"""The kinds of which a combatant has at most one: a new one ends the old."""
_CHANGED = Until(text="it is changed or dropped")


# -- due at the turn's end -------------------------------------------------------------------------


def end_unmaintained(ctx: Context, combatant_id: str, why: str = "not maintained") -> None:
    """End the effects that weren't maintained in the turn, at its end or with a delay."""
    for effect in _due(ctx.state[combatant_id]):
        end_with_all(ctx, combatant_id, effect.id, why)


def end_all_maintained(ctx: Context, combatant_id: str, why: str) -> None:
    """End the effects that a combatant can't maintain for lack of another turn."""
    for effect in ctx.state[combatant_id].effects:
        if effect.upkeep:
            end_with_all(ctx, combatant_id, effect.id, why)


def _due(combatant: Combatant) -> list[Effect]:
    return [
        effect
        for effect in combatant.effects
        if effect.upkeep and not combatant.used(use_of(effect))
    ]


def use_of(effect: Effect) -> str:
    """Return the name under which maintaining an effect is counted in a turn."""
    return f"maintain {effect.id}"


def pending_decisions(state: Encounter) -> list[PendingDecision]:
    """The effects that have to be maintained before this turn ends."""
    keepers = (up for up in state.all_up() if not up.is_out)
    return [_pending(state, up, effect) for up in keepers for effect in _due(up)]


def _pending(state: Encounter, up: Combatant, effect: Effect) -> PendingDecision:
    ends = f"{effect.note} ends unless it is maintained"
    by = said_by(state, up.id)
    choices = (
        DecisionOption("m", "maintain", f"maintain {effect.id}{by}"),
        DecisionOption("e", "let it end", f"drop {effect.id}{by}"),
    )
    missed = f"{effect.note} was not maintained"
    return PendingDecision(up.id, f"{ends} ({effect.upkeep} action)", choices, missed, holds=True)


def end_kind(ctx: Context, combatant_id: str, kind: str, why: str) -> None:
    """End the sustained effects of one kind on a combatant."""
    for effect in ctx.state[combatant_id].effects:
        if effect.kind == kind:
            end_with_all(ctx, combatant_id, effect.id, why)


# -- begin -----------------------------------------------------------------------------------------


def _read_amounts(reading: ParseState) -> dict[str, int]:
    """Read `+N WHAT[,WHAT]`, repeated, as amounts by name."""
    amounts: dict[str, int] = {}
    while reading.words.has_number():
        amount = reading.words.number("the bonus or penalty", -99, 99)
        amounts |= dict.fromkeys(conditions.read_what(reading), amount)
    return amounts


AMOUNTS = Argument(
    _read_amounts, "+N WHAT[,WHAT] ...", lambda r: r.words.has_number(), field=ANY_MORE
)
LIMITS = arguments.keyword_args(
    conditions.ModifierConditions, "with TAG[,TAG]] [TYPE", is_asked=False
)
PLACING = replace(
    conditions.placed("for N turns] [until start|end of NAME | fight | round N"), field=ANY_MORE
)


class SustainArgs(Struct, frozen=True):
    """The arguments of a sustained effect: its bonuses, its upkeep, its longest duration."""

    amounts: Annotated[dict[str, int], AMOUNTS] = {}
    limits: Annotated[conditions.ModifierConditions, LIMITS] = conditions.ModifierConditions()
    no_ranged: arguments.Flag = False
    upkeep: Annotated[str, MAINTAINS] = ""
    terms: Annotated[EffectSpec, PLACING] = EffectSpec()


def refuse(ctx: Context, combatant: Combatant, kind: str) -> None:
    """Raises Refused for a stance of somebody helpless."""
    if kind == STANCE and attacks.is_helpless(ctx.tables, ctx.state, combatant):
        raise Refused(f"{combatant.name} is in no state to take a stance")


def begin_kind(ctx: Context, combatant_id: str, kind: str, name: str, args: SustainArgs) -> Effect:
    """Begin a sustained effect under the name that the GM or the sheet gives it.

    A kind in `ALONE` replaces the one before. No upkeep is due in the turn in which it begins.
    """
    if kind in ALONE:
        end_kind(ctx, combatant_id, kind, f"another {kind}")
    terms = args.terms
    if args.upkeep and terms.until is None:
        terms = replace(terms, until=Until(text="it is not maintained"))
    usual = {STANCE: _CHANGED, FORM: _CHANGED, AURA: Until("fight")}.get(kind)
    until = resolve_end(conditions.LASTING, ctx, combatant_id, terms, usual)
    slug = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-") or "kept-up"
    fields = args.limits.fields(args.amounts)
    effect = begin_effect(
        ctx, combatant_id, kind, until, terms.attached_to, id=slug, source=combatant_id,
        note=name, upkeep=args.upkeep, **fields,
    )  # fmt: skip
    if args.upkeep:
        ctx.emit(UseCounted(combatant_id, use_of(effect)))
    if args.no_ranged:
        spec = conditions.hanging_on(ctx.state[combatant_id], effect, EffectSpec("no-ranged"))
        conditions.apply_condition(ctx, combatant_id, spec)
    return effect


def sustained(combatant: Combatant, upkeep: bool = False) -> dict[str, Effect]:
    """Map words to the effects that a combatant sustains; with `upkeep`, to those to maintain."""
    row = [
        e for e in combatant.effects if e.upkeep or (e.kind in conditions.KEPT_UP and not upkeep)
    ]
    return {key: e for e in reversed(row) for key in conditions.keys_of(e)}


# -- maintain and drop -----------------------------------------------------------------------------


def _sustained_arg(
    sustained_of: Callable[[Combatant], dict[str, Effect]], nothing: str
) -> Argument:
    """Declare a sustained effect of the actor; `nothing` words the refusal if there is none."""

    def read(reading: ParseState) -> Effect:
        actor = reading.ctx.actor()
        row = sustained_of(actor)
        if not row:
            raise Refused(f"{actor.name} {nothing}")
        names_first = sorted(row, key=lambda key: key != row[key].note.casefold())
        return row[reading.words.choice("the effect to drop", names_first)]

    return Argument(read, "NAME", field=Field("kept", ("name",)))


class MaintainArgs(Struct, frozen=True):
    effect: Annotated[
        Effect, _sustained_arg(partial(sustained, upkeep=True), "has nothing to maintain")
    ]


def _maintain(ctx: Context, args: MaintainArgs) -> None:
    actor, effect = ctx.actor(), args.effect
    if effect.upkeep not in sheet.TURN_ACTIONS:  # written by hand
        raise Refused(f"{effect.note} asks for {effect.upkeep!r}, which is no action to pay")
    if ctx.state.in_combat and not ctx.state.takes_turn(actor.id):
        raise Refused(f"{effect.note} can be maintained only on {actor.name}'s own turn")
    if actor.used(use_of(effect)):
        raise Refused(f"{effect.note} is already maintained this turn")
    action_economy.pay_action(ctx, actor.id, effect.upkeep, f"maintain {effect.note}")
    ctx.emit(UseCounted(actor.id, use_of(effect)))
    ctx.text = f"{actor.name} maintains {effect.note}"


class DropArgs(Struct, frozen=True):
    effect: Annotated[Effect, _sustained_arg(sustained, "maintains nothing to drop")]


def _drop(ctx: Context, args: DropArgs) -> None:
    actor, effect = ctx.actor(), args.effect
    end_with_all(ctx, actor.id, effect.id, "dropped")
    ctx.text = f"{actor.name} drops {effect.note or effect.name}"


COMMANDS = (
    declare_command(
        "maintain",
        "pays the action to maintain something this turn",
        MaintainArgs,
        _maintain,
        True,
    ),
    declare_command(
        "drop",
        "ends your own stance, form, aura, zone or conjuration",
        DropArgs,
        _drop,
        True,
    ),
)

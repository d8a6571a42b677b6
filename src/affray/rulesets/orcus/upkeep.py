"""What is kept up: stances, forms, auras, zones, conjurations, and powers that are maintained.

The commands are in `keeping`; a power of the sheet that is one of these begins it (`powers`).
Seed 003: Maintain, Aura, Conjuration, Form, Stance, Wild Shape, Zones, Delay.
"""

from __future__ import annotations

import re
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.engine.durations import Until
from affray.core.engine.effects import EffectSpec
from affray.core.engine.events import UseCounted
from affray.core.engine.state import Combatant, Effect, Encounter
from affray.core.engine.turn_order import said_by
from affray.core.parser import arguments
from affray.core.parser.declarations import Argument, ParseState
from affray.core.parser.errors import Refused
from affray.core.rules.ruleset import Context, DecisionOption, PendingDecision
from affray.mechanics.conditions import begin_effect, end_with_all, resolve_end
from affray.rulesets.orcus import attacks, conditions
from affray.rulesets.orcus.conditions import (
    KEPT_UP,
    LASTING,
    ModifierConditions,
    hanging_on,
    keys_of,
    placed,
    read_what,
)
from affray.rulesets.orcus.sheet import MAINTAINS

STANCE, AURA, FORM = "stance", "aura", "form"
ALONE = (STANCE, AURA, FORM)
"""The kinds of which somebody keeps up one alone: another ends it."""
_CHANGED = Until(text="it is changed or dropped")


# -- what has to be maintained ---------------------------------------------------------------------


def end_unmaintained(ctx: Context, combatant_id: str, why: str = "not maintained") -> None:
    """At the turn's end, or with a delay: what had to be maintained this turn and was not ends."""
    for effect in _due(ctx.state[combatant_id]):
        end_with_all(ctx, combatant_id, effect.id, why)


def end_all_maintained(ctx: Context, combatant_id: str, why: str) -> None:
    """End all that somebody would have to maintain in a turn that is not coming."""
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
    """Under which it is counted that something was maintained in a turn."""
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
    """End what somebody keeps up of a kind: for another of it, or a stance of the helpless."""
    for effect in ctx.state[combatant_id].effects:
        if effect.kind == kind:
            end_with_all(ctx, combatant_id, effect.id, why)


# -- begin -----------------------------------------------------------------------------------------


def _read_amounts(reading: ParseState) -> dict[str, int]:
    """`+N WHAT[,WHAT]` as often as it is there: what is changed, and by how much."""
    amounts: dict[str, int] = {}
    while reading.words.has_number():
        amount = reading.words.number("the bonus or penalty", -99, 99)
        amounts |= dict.fromkeys(read_what(reading), amount)
    return amounts


AMOUNTS = Argument(_read_amounts, "+N WHAT[,WHAT] ...", lambda r: r.words.has_number())
LIMITS = arguments.keyword_args(ModifierConditions, "with TAG[,TAG]] [TYPE", is_asked=False)
PLACING = replace(placed("for N turns] [until start|end of NAME | fight | round N"), field=None)


class SustainArgs(Struct, frozen=True):
    """The arguments of something that begins to be sustained: what it gives, the action that
    maintains it, until when it lasts at most."""

    amounts: Annotated[dict[str, int], AMOUNTS] = {}
    limits: Annotated[ModifierConditions, LIMITS] = ModifierConditions()
    no_ranged: Annotated[bool, arguments.flag_arg()] = False
    upkeep: Annotated[str, MAINTAINS] = ""
    terms: Annotated[EffectSpec, PLACING] = EffectSpec()


def refuse(ctx: Context, combatant: Combatant, kind: str) -> None:
    """Raises Refused for whoever can't begin something of a kind: the helpless take no stance."""
    if kind == STANCE and attacks.is_helpless(ctx.tables, ctx.state, combatant):
        raise Refused(f"{combatant.name} is in no state to take a stance")


def begin_kind(ctx: Context, combatant_id: str, kind: str, name: str, args: SustainArgs) -> Effect:
    """Begin something that its maker keeps up, under the name that the GM or the sheet gives it.

    What there is one alone of takes the place of the one before. The turn in which it begins asks
    for no upkeep.
    """
    if kind in ALONE:
        end_kind(ctx, combatant_id, kind, f"another {kind}")
    terms = args.terms
    if args.upkeep and terms.until is None:
        terms = replace(terms, until=Until(text="it is not maintained"))
    usual = {STANCE: _CHANGED, FORM: _CHANGED, AURA: Until("fight")}.get(kind)
    until = resolve_end(LASTING, ctx, combatant_id, terms, usual)
    slug = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-") or "kept-up"
    fields = args.limits.fields(args.amounts)
    effect = begin_effect(
        ctx, combatant_id, kind, until, terms.attached_to, id=slug, source=combatant_id,
        note=name, upkeep=args.upkeep, **fields,
    )  # fmt: skip
    if args.upkeep:
        ctx.emit(UseCounted(combatant_id, use_of(effect)))
    if args.no_ranged:
        spec = hanging_on(ctx.state[combatant_id], effect, EffectSpec("no-ranged"))
        conditions.apply_condition(ctx, combatant_id, spec)
    return effect


def sustained(combatant: Combatant, upkeep: bool = False) -> dict[str, Effect]:
    """The effects that somebody sustains, by the words that name them."""
    row = [e for e in combatant.effects if e.upkeep or (e.kind in KEPT_UP and not upkeep)]
    return {key: e for e in reversed(row) for key in keys_of(e)}

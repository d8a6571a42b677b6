"""What is kept up: stances, forms, auras, zones, conjurations, and powers that are maintained.

Seed 003: Maintain, Aura, Conjuration, Form, Stance, Wild Shape, Zones, Delay.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart.decide import Context
from affray.core.heart.events import Used
from affray.core.heart.groups import said_by
from affray.core.heart.state import Combatant, Duration, Effect, Encounter
from affray.core.language import arguments
from affray.core.language.declared import Argument, Reading
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import Choice, Pending, declare
from affray.rulekit.placing import Affliction, Placing, begin, until_for
from affray.rulesets.orcus import attacks, conditions, economy
from affray.rulesets.orcus.conditions import Limits, read_what
from affray.rulesets.orcus.durations import KEPT_UP, LASTING, hanging_on, keys_of, placed

STANCE, AURA, FORM = "stance", "aura", "form"
_CHANGED = Duration(says="it is changed or dropped")
_PLAIN = Placing()


# -- what has to be maintained ---------------------------------------------------------------------


def end_unmaintained(ctx: Context, who: str, why: str = "not maintained") -> None:
    """At the turn's end, or with a delay: what had to be maintained this turn and was not ends."""
    for effect in _due(ctx.state[who]):
        conditions.end_with_all(ctx, who, effect.id, why)


def end_all_maintained(ctx: Context, who: str, why: str) -> None:
    """End all that somebody would have to maintain in a turn that is not coming."""
    for effect in ctx.state[who].effects:
        if effect.upkeep:
            conditions.end_with_all(ctx, who, effect.id, why)


def _due(who: Combatant) -> list[Effect]:
    return [effect for effect in who.effects if effect.upkeep and not who.used(_use(effect))]


def _use(effect: Effect) -> str:
    return f"maintain {effect.id}"


def pending(state: Encounter) -> list[Pending]:
    """What has to be maintained before this turn ends."""
    keepers = (up for up in state.all_up() if not up.is_out)
    return [_pending(state, up, effect) for up in keepers for effect in _due(up)]


def _pending(state: Encounter, up: Combatant, effect: Effect) -> Pending:
    ends = f"{effect.note} ends unless it is maintained"
    by = said_by(state, up.id)
    choices = (
        Choice("m", "maintain", f"maintain {effect.id}{by}"),
        Choice("e", "let it end", f"drop {effect.id}{by}"),
    )
    missed = f"{effect.note} was not maintained"
    return Pending(up.id, f"{ends} ({effect.upkeep} action)", choices, missed, holds=True)


def end_kind(ctx: Context, who: str, kind: str, why: str) -> None:
    """End what somebody keeps up of a kind: for another of it, or a stance of the helpless."""
    for effect in ctx.state[who].effects:
        if effect.kind == kind:
            conditions.end_with_all(ctx, who, effect.id, why)


# -- begin -----------------------------------------------------------------------------------------


def _named(what: str) -> Argument:
    return arguments.name(f"the name of the {what}")


def _read_amounts(reading: Reading) -> dict[str, int]:
    """`+N WHAT[,WHAT]` as often as it is there: what is changed, and by how much."""
    amounts: dict[str, int] = {}
    while reading.words.has_number():
        amount = reading.words.number("the bonus or penalty", -99, 99)
        amounts |= dict.fromkeys(read_what(reading.words), amount)
    return amounts


_AMOUNTS = Argument(_read_amounts, "+N WHAT[,WHAT] ...", lambda r: r.words.has_number())
_LIMITS = arguments.words_of(Limits, "with TAG[,TAG]] [TYPE")
_PLACING = placed("for N turns] [until start|end of NAME | fight | round N")


class _Stance(Struct, frozen=True):
    name: Annotated[str, _named(STANCE)]
    amounts: Annotated[dict[str, int], _AMOUNTS] = {}
    limits: Annotated[Limits, _LIMITS] = Limits()


def _stance(ctx: Context, said: _Stance) -> None:
    actor = ctx.actor()
    fields = said.limits.fields(said.amounts)
    if attacks.is_helpless(ctx.tables, ctx.state, actor):
        raise Refused(f"{actor.name} is in no state to take a stance")
    economy.pay_action(ctx, actor.id, "swift", f"stance {said.name}")
    end_kind(ctx, actor.id, STANCE, "another stance")
    _lay(ctx, actor, STANCE, said.name, _CHANGED, **fields)
    ctx.text = f"{actor.name} takes the stance {said.name}"


def _lay(
    ctx: Context, actor: Combatant, kind: str, name: str, until: Duration, **more: Any
) -> Effect:
    """Begin something that its maker keeps up, under the name that the GM gives it."""
    slug = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-") or "kept-up"
    return begin(ctx, actor.id, kind, until, id=slug, source=actor.id, note=name, **more)


class _Form(_Stance, frozen=True):
    name: Annotated[str, _named(FORM)]
    no_ranged: Annotated[bool, arguments.flag()] = False
    placing: Annotated[Placing, _PLACING] = _PLAIN


def _form(ctx: Context, said: _Form) -> None:
    actor = ctx.actor()
    form = take_form(ctx, actor, said.name, said.placing, **said.limits.fields(said.amounts))
    if said.no_ranged:
        conditions.lay(ctx, actor.id, Affliction("no-ranged"), hanging_on(actor, form))
    ctx.text = f"{actor.name} takes the form {said.name}"


def take_form(
    ctx: Context, actor: Combatant, name: str, placing: Placing = _PLAIN, **bonus: Any
) -> Effect:
    """Change somebody's shape; the shape before ends, with what hangs on it (seed 003: Form)."""
    end_kind(ctx, actor.id, FORM, "another form")
    until = until_for(LASTING, ctx, actor.id, placing, otherwise=_CHANGED)
    return _lay(ctx, actor, FORM, name, until, hangs=placing.hangs, **bonus)


class _Aura(Struct, frozen=True):
    name: Annotated[str, _named(AURA)]
    placing: Annotated[Placing, _PLACING] = _PLAIN


def _aura(ctx: Context, said: _Aura) -> None:
    end_kind(ctx, ctx.actor().id, AURA, "another aura")
    _begin(ctx, AURA, said.name, said.placing)


_MAINTAINS = arguments.choice("the action that maintains it", economy.TURN_ACTIONS)


class _Made(Struct, frozen=True):
    """What `zone` and `conjuration` say."""

    name: Annotated[str, _named("zone or conjuration")]
    upkeep: Annotated[str, arguments.clause("maintain", _MAINTAINS)] = ""
    placing: Annotated[Placing, _PLACING] = _PLAIN


def _make(kind: str, ctx: Context, said: _Made) -> None:
    """Make something of a kind: a zone or a conjuration."""
    placing = said.placing
    if said.upkeep and placing.until is None:
        placing = replace(placing, until=Duration(says="it is not maintained"))
    _begin(ctx, kind, said.name, placing, said.upkeep)


def _begin(ctx: Context, kind: str, name: str, placing: Placing, upkeep: str = "") -> None:
    """Begin what its maker keeps up; the turn in which it begins asks for no upkeep."""
    actor = ctx.actor()
    if name.casefold() in _kept(actor):
        raise Refused(f"{actor.name} keeps up {name} already: `drop` ends it")
    encounter = Duration("fight") if kind == AURA else None
    until = until_for(LASTING, ctx, actor.id, placing, otherwise=encounter)
    effect = _lay(ctx, actor, kind, name, until, hangs=placing.hangs, upkeep=upkeep)
    if upkeep:
        ctx.emit(Used(actor.id, _use(effect)))
    ctx.text = f"{actor.name}'s {kind} {name} begins"


# -- maintain and drop -----------------------------------------------------------------------------


def _kept(who: Combatant, upkeep: bool = False) -> dict[str, Effect]:
    """What somebody keeps up, by the words that call it."""
    row = [e for e in who.effects if e.upkeep or (e.kind in KEPT_UP and not upkeep)]
    return {key: e for e in reversed(row) for key in keys_of(e)}


def _one_of(kept: Callable[[Combatant], dict[str, Effect]], nothing: str) -> Argument:
    """One of those that whoever acts keeps up; `nothing` is said of who has none."""

    def read(reading: Reading) -> Effect:
        actor = reading.ctx.actor()
        row = kept(actor)
        if not row:
            raise Refused(f"{actor.name} {nothing}")
        names_first = sorted(row, key=lambda key: key != row[key].note.casefold())
        return row[reading.words.choice("what is kept up", names_first)]

    return Argument(read, "NAME", asks="text:name")


class _Maintain(Struct, frozen=True):
    effect: Annotated[Effect, _one_of(partial(_kept, upkeep=True), "has nothing to maintain")]


def _maintain(ctx: Context, said: _Maintain) -> None:
    actor, effect = ctx.actor(), said.effect
    if effect.upkeep not in economy.TURN_ACTIONS:  # written by hand
        raise Refused(f"{effect.note} asks for {effect.upkeep!r}, which is no action to pay")
    if ctx.state.phase == "combat" and not ctx.state.takes_turn(actor.id):
        raise Refused(f"{effect.note} is maintained in {actor.name}'s own turn")
    if actor.used(_use(effect)):
        raise Refused(f"{effect.note} needs no more in this turn")
    economy.pay_action(ctx, actor.id, effect.upkeep, f"maintain {effect.note}")
    ctx.emit(Used(actor.id, _use(effect)))
    ctx.text = f"{actor.name} maintains {effect.note}"


class _Drop(Struct, frozen=True):
    effect: Annotated[Effect, _one_of(_kept, "keeps nothing up that could be dropped")]


def _drop(ctx: Context, said: _Drop) -> None:
    actor, effect = ctx.actor(), said.effect
    conditions.end_with_all(ctx, actor.id, effect.id, "dropped")
    ctx.text = f"{actor.name} drops {effect.note or effect.name}"


_MAINTAINING = "pays the action that keeps something up for this turn"
_CHANGES_SHAPE = "changes one's shape; the one before ends, and what hangs on it"
_ENDS_IT = "ends a stance, a form, an aura, a zone or a conjuration of one's own"
VERBS = (
    declare("stance", "takes a stance, or changes it, with a swift action", _Stance, _stance, True),
    declare("form", _CHANGES_SHAPE, _Form, _form, True),
    declare("aura", "begins an aura, which ends the one before", _Aura, _aura, True),
    declare("zone", "makes a zone", _Made, partial(_make, "zone"), True),
    declare("conjuration", "conjures something up", _Made, partial(_make, "conjuration"), True),
    declare("maintain", _MAINTAINING, _Maintain, _maintain, True),
    declare("drop", _ENDS_IT, _Drop, _drop, True),
)

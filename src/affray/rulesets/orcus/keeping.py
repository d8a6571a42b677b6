"""The commands for what is kept up: stance, form, aura, zone, conjuration; maintain and drop.

One that is called like a power of the sheet uses that power, for its price.
Seed 003: Maintain, Aura, Conjuration, Form, Stance, Zones.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated

from msgspec import Struct

from affray.core.heart.decide import Context
from affray.core.heart.events import Used
from affray.core.heart.state import Combatant, Effect
from affray.core.language import arguments
from affray.core.language.declared import Argument, Reading
from affray.core.language.ids import hyphened
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import declare
from affray.rulekit.placing import Placing
from affray.rulesets.orcus import conditions, economy, powers, sheet, upkeep
from affray.rulesets.orcus.conditions import Limits
from affray.rulesets.orcus.sheet import MAINTAINS
from affray.rulesets.orcus.upkeep import AURA, FORM, PLACING, STANCE, Kept

_PLAIN = Placing()


def _named(what: str) -> Argument:
    return arguments.name(f"the name of the {what}")


class _Stance(Struct, frozen=True):
    name: Annotated[str, _named(STANCE)]
    amounts: Annotated[dict[str, int], upkeep.AMOUNTS] = {}
    limits: Annotated[Limits, upkeep.LIMITS] = Limits()


class _Form(_Stance, frozen=True):
    name: Annotated[str, _named(FORM)]
    no_ranged: Annotated[bool, arguments.flag()] = False
    placing: Annotated[Placing, PLACING] = _PLAIN


class _Aura(Struct, frozen=True):
    name: Annotated[str, _named(AURA)]
    placing: Annotated[Placing, PLACING] = _PLAIN


class _Made(Struct, frozen=True):
    """What `zone` and `conjuration` say."""

    name: Annotated[str, _named("zone or conjuration")]
    upkeep: Annotated[str, MAINTAINS] = ""
    placing: Annotated[Placing, PLACING] = _PLAIN


def _begin(kind: str, ctx: Context, said: _Stance | _Form | _Aura | _Made) -> None:
    """Begin something of a kind: by the power of that name, where the sheet has one."""
    actor = ctx.actor()
    row = (key for key in Kept.__struct_fields__ if hasattr(said, key))
    of_it = Kept(**{key: getattr(said, key) for key in row})
    called = (p for p in sheet.powers_of(actor) if hyphened(p.name) == hyphened(said.name))
    power = next((p for p in called if kind in p.tags), None)
    if power is not None:
        powers.begin(ctx, actor, power, of_it)
        return
    upkeep.refuse(ctx, actor, kind)
    if kind not in upkeep.ALONE and said.name.casefold() in upkeep.kept(actor):
        raise Refused(f"{actor.name} keeps up {said.name} already: `drop` ends it")
    of_it.limits.fields(of_it.amounts)
    if kind == STANCE:
        economy.pay_action(ctx, actor.id, "swift", f"stance {said.name}")
    upkeep.begin_kind(ctx, actor.id, kind, said.name, of_it)
    takes = kind in (STANCE, FORM)
    began = f"takes the {kind} {said.name}" if takes else f"{kind} {said.name} begins"
    ctx.text = f"{actor.name} {began}" if takes else f"{actor.name}'s {began}"


# -- maintain and drop -----------------------------------------------------------------------------


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
    effect: Annotated[Effect, _one_of(partial(upkeep.kept, upkeep=True), "has nothing to maintain")]


def _maintain(ctx: Context, said: _Maintain) -> None:
    actor, effect = ctx.actor(), said.effect
    if effect.upkeep not in sheet.TURN_ACTIONS:  # written by hand
        raise Refused(f"{effect.note} asks for {effect.upkeep!r}, which is no action to pay")
    if ctx.state.phase == "combat" and not ctx.state.takes_turn(actor.id):
        raise Refused(f"{effect.note} is maintained in {actor.name}'s own turn")
    if actor.used(upkeep.use_of(effect)):
        raise Refused(f"{effect.note} needs no more in this turn")
    economy.pay_action(ctx, actor.id, effect.upkeep, f"maintain {effect.note}")
    ctx.emit(Used(actor.id, upkeep.use_of(effect)))
    ctx.text = f"{actor.name} maintains {effect.note}"


class _Drop(Struct, frozen=True):
    effect: Annotated[Effect, _one_of(upkeep.kept, "keeps nothing up that could be dropped")]


def _drop(ctx: Context, said: _Drop) -> None:
    actor, effect = ctx.actor(), said.effect
    conditions.end_with_all(ctx, actor.id, effect.id, "dropped")
    ctx.text = f"{actor.name} drops {effect.note or effect.name}"


_MAINTAINING = "pays the action that keeps something up for this turn"
_CHANGES_SHAPE = "changes one's shape; the one before ends, and what hangs on it"
_ENDS_IT = "ends a stance, a form, an aura, a zone or a conjuration of one's own"
_TAKES = "takes a stance, or changes it, with a swift action"
VERBS = (
    declare("stance", _TAKES, _Stance, partial(_begin, STANCE), True),
    declare("form", _CHANGES_SHAPE, _Form, partial(_begin, FORM), True),
    declare(
        "aura", "begins an aura, which ends the one before", _Aura, partial(_begin, AURA), True
    ),
    declare("zone", "makes a zone", _Made, partial(_begin, "zone"), True),
    declare("conjuration", "conjures something up", _Made, partial(_begin, "conjuration"), True),
    declare("maintain", _MAINTAINING, _Maintain, _maintain, True),
    declare("drop", _ENDS_IT, _Drop, _drop, True),
)

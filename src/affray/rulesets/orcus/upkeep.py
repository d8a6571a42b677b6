"""What is kept up: stances, forms, auras, zones, conjurations, and powers that are maintained.

The commands are in `keeping`; a power of the sheet that is one of these begins it (`powers`).
Seed 003: Maintain, Aura, Conjuration, Form, Stance, Wild Shape, Zones, Delay.
"""

from __future__ import annotations

import re
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart.decide import Context
from affray.core.heart.events import Used
from affray.core.heart.groups import said_by
from affray.core.heart.state import Combatant, Duration, Effect, Encounter
from affray.core.language import arguments
from affray.core.language.declared import Argument, Reading
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import Choice, Pending
from affray.rulekit.placing import Affliction, Placing, begin, until_for
from affray.rulesets.orcus import attacks, conditions
from affray.rulesets.orcus.conditions import Limits, read_what
from affray.rulesets.orcus.durations import KEPT_UP, LASTING, hanging_on, keys_of, placed
from affray.rulesets.orcus.sheet import MAINTAINS

STANCE, AURA, FORM = "stance", "aura", "form"
ALONE = (STANCE, AURA, FORM)
"""The kinds of which somebody keeps up one alone: another ends it."""
_CHANGED = Duration(says="it is changed or dropped")


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
    return [effect for effect in who.effects if effect.upkeep and not who.used(use_of(effect))]


def use_of(effect: Effect) -> str:
    """Under which it is counted that something was maintained in a turn."""
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


def _read_amounts(reading: Reading) -> dict[str, int]:
    """`+N WHAT[,WHAT]` as often as it is there: what is changed, and by how much."""
    amounts: dict[str, int] = {}
    while reading.words.has_number():
        amount = reading.words.number("the bonus or penalty", -99, 99)
        amounts |= dict.fromkeys(read_what(reading.words), amount)
    return amounts


AMOUNTS = Argument(_read_amounts, "+N WHAT[,WHAT] ...", lambda r: r.words.has_number())
LIMITS = arguments.words_of(Limits, "with TAG[,TAG]] [TYPE")
PLACING = placed("for N turns] [until start|end of NAME | fight | round N")


class Kept(Struct, frozen=True):
    """What is said of something that begins to be kept up: what it gives, the action that maintains
    it, until when it lasts at most."""

    amounts: Annotated[dict[str, int], AMOUNTS] = {}
    limits: Annotated[Limits, LIMITS] = Limits()
    no_ranged: Annotated[bool, arguments.flag()] = False
    upkeep: Annotated[str, MAINTAINS] = ""
    placing: Annotated[Placing, PLACING] = Placing()


def refuse(ctx: Context, who: Combatant, kind: str) -> None:
    """Raises Refused for whoever can't begin something of a kind: the helpless take no stance."""
    if kind == STANCE and attacks.is_helpless(ctx.tables, ctx.state, who):
        raise Refused(f"{who.name} is in no state to take a stance")


def begin_kind(ctx: Context, who: str, kind: str, name: str, said: Kept) -> Effect:
    """Begin something that its maker keeps up, under the name that the GM or the sheet gives it.

    What there is one alone of takes the place of the one before. The turn in which it begins asks
    for no upkeep.
    """
    if kind in ALONE:
        end_kind(ctx, who, kind, f"another {kind}")
    placing = said.placing
    if said.upkeep and placing.until is None:
        placing = replace(placing, until=Duration(says="it is not maintained"))
    usual = {STANCE: _CHANGED, FORM: _CHANGED, AURA: Duration("fight")}.get(kind)
    until = until_for(LASTING, ctx, who, placing, otherwise=usual)
    slug = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-") or "kept-up"
    fields = said.limits.fields(said.amounts)
    effect = begin(
        ctx, who, kind, until, id=slug, source=who, note=name,
        hangs=placing.hangs, upkeep=said.upkeep, **fields,
    )  # fmt: skip
    if said.upkeep:
        ctx.emit(Used(who, use_of(effect)))
    if said.no_ranged:
        conditions.lay(ctx, who, Affliction("no-ranged"), hanging_on(ctx.state[who], effect))
    return effect


def kept(who: Combatant, upkeep: bool = False) -> dict[str, Effect]:
    """What somebody keeps up, by the words that call it."""
    row = [e for e in who.effects if e.upkeep or (e.kind in KEPT_UP and not upkeep)]
    return {key: e for e in reversed(row) for key in keys_of(e)}

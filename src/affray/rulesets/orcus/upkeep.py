"""What is kept up: stances, forms, auras, zones, conjurations, and powers that are maintained.

Seed 003: Maintain, Aura, Conjuration, Form, Stance, Wild Shape, Zones, Delay.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial
from typing import Any

from msgspec.structs import replace

from affray.core.heart.decide import Context
from affray.core.heart.events import Used
from affray.core.heart.groups import said_by
from affray.core.heart.state import OUT_OF_THE_FIGHT, Combatant, Duration, Effect, Encounter
from affray.core.language.refusal import Refused
from affray.core.language.words import Words
from affray.core.rules.ruleset import Choice, Pending, Verb
from affray.rulekit.placing import Affliction, Placing, begin, read_placing, until_for
from affray.rulesets.orcus import actions, attacks, conditions
from affray.rulesets.orcus.conditions import (
    LASTING,
    hanging_on,
    read_modifier_type,
    read_only_with,
    read_what,
)

STANCE, AURA, FORM = "stance", "aura", "form"
NO_RANGED = "no-ranged"
_UNTIL = {
    STANCE: Duration(says="it is changed or dropped"),
    AURA: Duration("fight"),
    FORM: Duration(says="it is changed or dropped"),
}
_PLAIN = Placing()


def end_unmaintained(ctx: Context, who: str, why: str = "not maintained") -> None:
    """At the turn's end, or with a delay: what had to be maintained this turn and was not ends."""
    for effect in ctx.state[who].effects:
        if effect.upkeep and not ctx.state[who].used(_use(effect)):
            conditions.end_with_all(ctx, who, effect.id, why)


def end_all_maintained(ctx: Context, who: str, why: str) -> None:
    """End all that somebody would have to maintain in a turn that is not coming."""
    for effect in ctx.state[who].effects:
        if effect.upkeep:
            conditions.end_with_all(ctx, who, effect.id, why)


def pending(state: Encounter) -> list[Pending]:
    """What has to be maintained before this turn ends."""
    return [
        _upkeep_due(up, effect, said_by(state, up.id))
        for up in state.all_up()
        if up.life not in OUT_OF_THE_FIGHT
        for effect in up.effects
        if effect.upkeep and not up.used(_use(effect))
    ]


def _upkeep_due(up: Combatant, effect: Effect, by: str) -> Pending:
    return Pending(
        up.id,
        f"{effect.note} ends unless it is maintained ({effect.upkeep} action)",
        (
            Choice("m", "maintain", f"maintain {effect.id}{by}"),
            Choice("e", "let it end", f"drop {effect.id}{by}"),
        ),
        f"{effect.note} was not maintained",
        holds=True,
    )


def end_stances(ctx: Context, who: str, why: str) -> None:
    """End somebody's stance: for another one, or because they are helpless."""
    _end_kind(ctx, who, STANCE, why)


def end_maintained(ctx: Context, why: str) -> None:
    """End all that has to be maintained, on everybody: there are no more turns to do it in."""
    for keeper in ctx.state.combatants:
        end_all_maintained(ctx, keeper.id, why)


def _end_kind(ctx: Context, who: str, kind: str, why: str) -> None:
    for effect in ctx.state[who].effects:
        if effect.kind == kind:
            conditions.end_with_all(ctx, who, effect.id, why)


def _use(effect: Effect) -> str:
    return f"maintain {effect.id}"


# -- begin -----------------------------------------------------------------------------------------


def _stance(ctx: Context, words: Words) -> None:
    actor = ctx.actor()
    name = _read_name(words, "the stance")
    bonus = _read_modifiers(words)
    if attacks.is_helpless(ctx.tables, ctx.state, actor):
        raise Refused(f"{actor.name} is in no state to take a stance")
    actions.pay_action(ctx, actor.id, "swift", f"stance {name}")
    end_stances(ctx, actor.id, "another stance")
    _lay(ctx, actor, STANCE, name, _UNTIL[STANCE], **bonus)
    ctx.text = f"{actor.name} takes the stance {name}"


def _lay(
    ctx: Context, actor: Combatant, kind: str, name: str, until: Duration, **more: Any
) -> Effect:
    """Begin something that its maker keeps up, under the name that the GM gives it."""
    said = {"id": _slug(name), "source": actor.id, "note": name, **more}
    return begin(ctx, actor.id, kind, until, **said)


def _read_modifiers(words: Words) -> dict[str, Any]:
    """Read `+N WHAT[,WHAT]` as often as it is there, then what they all go with, and their type.

    Gives it as the fields of an effect; none where nothing is said.
    """
    amounts: dict[str, int] = {}
    while words.has_number():
        amount = words.number("the bonus or penalty", -99, 99)
        amounts |= dict.fromkeys(read_what(words), amount)
    if not amounts:
        return {}
    only_with = read_only_with(words, list(amounts))
    return {"modifiers": amounts, "type": read_modifier_type(words), "only_with": only_with}


def _form(ctx: Context, words: Words) -> None:
    actor = ctx.actor()
    name = _read_name(words, "the form")
    no_ranged = bool(words.take(NO_RANGED))
    bonus = _read_modifiers(words)
    no_ranged = no_ranged or bool(words.take(NO_RANGED))
    placing = read_placing(LASTING, ctx, words)
    form = take_form(ctx, actor, name, placing, **bonus)
    if no_ranged:
        conditions.lay(ctx, actor.id, Affliction(NO_RANGED), hanging_on(actor, form))
    ctx.text = f"{actor.name} takes the form {name}"


def take_form(
    ctx: Context,
    actor: Combatant,
    name: str,
    placing: Placing = _PLAIN,
    **bonus: Any,
) -> Effect:
    """Change somebody's shape; the shape before ends, with what hangs on it (seed 003: Form)."""
    _end_kind(ctx, actor.id, FORM, "another form")
    until = until_for(LASTING, ctx, actor.id, placing, otherwise=_UNTIL[FORM])
    return _lay(ctx, actor, FORM, name, until, hangs=placing.hangs, **bonus)


def _aura(ctx: Context, words: Words) -> None:
    actor = ctx.actor()
    name = _read_name(words, "the aura")
    placing = read_placing(LASTING, ctx, words)
    _end_kind(ctx, actor.id, AURA, "another aura")
    _begin(ctx, actor, AURA, name, placing)
    ctx.text = f"{actor.name}'s aura {name} begins"


def _make(ctx: Context, words: Words, kind: str) -> None:
    actor = ctx.actor()
    name = _read_name(words, f"the {kind}")
    upkeep = ""
    if words.take("maintain"):
        upkeep = words.choice("the action that maintains it", actions.TURN_ACTIONS)
    placing = read_placing(LASTING, ctx, words)
    if upkeep and placing.until is None:
        placing = replace(placing, until=Duration(says="it is not maintained"))
    _begin(ctx, actor, kind, name, placing, upkeep)
    ctx.text = f"{actor.name}'s {kind} {name} begins"


def _begin(
    ctx: Context,
    actor: Combatant,
    kind: str,
    name: str,
    placing: Placing,
    upkeep: str = "",
) -> None:
    """Begin what its maker keeps up; the turn in which it begins asks for no upkeep."""
    if name.casefold() in _kept(actor):
        raise Refused(f"{actor.name} keeps up {name} already: `drop` ends it")
    until = until_for(LASTING, ctx, actor.id, placing, otherwise=_UNTIL.get(kind))
    effect = _lay(ctx, actor, kind, name, until, hangs=placing.hangs, upkeep=upkeep)
    if upkeep:
        ctx.emit(Used(actor.id, _use(effect)))


def _read_name(words: Words, what: str) -> str:
    name = words.next(f"the name of {what}").strip()
    if not name or len(name) > 40:
        words.back()
        raise words.refuse(f"expected the name of {what}, of 1 to 40 characters")
    return name


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-") or "kept-up"


# -- maintain and drop -----------------------------------------------------------------------------


def _kept(who: Combatant, upkeep: bool = False) -> dict[str, Effect]:
    """What somebody keeps up, by the words that call it."""
    row = [e for e in who.effects if e.upkeep or (e.kind in conditions.KEPT_UP and not upkeep)]
    return {key: e for e in reversed(row) for key in conditions.keys_of(e)}


def _choose(words: Words, kept: dict[str, Effect], nothing: str) -> Effect:
    if not kept:
        raise Refused(nothing)
    return kept[words.choice("what is kept up", _said_first(kept))]


def _said_first(kept: dict[str, Effect]) -> Iterable[str]:
    return sorted(kept, key=lambda key: key != kept[key].note.casefold())


def _maintain(ctx: Context, words: Words) -> None:
    actor = ctx.actor()
    kept = _kept(actor, upkeep=True)
    effect = _choose(words, kept, f"{actor.name} has nothing to maintain")
    if effect.upkeep not in actions.TURN_ACTIONS:  # written by hand
        raise Refused(f"{effect.note} asks for {effect.upkeep!r}, which is no action to pay")
    if ctx.state.phase == "combat" and not ctx.state.takes_turn(actor.id):
        raise Refused(f"{effect.note} is maintained in {actor.name}'s own turn")
    if actor.used(_use(effect)):
        raise Refused(f"{effect.note} needs no more in this turn")
    actions.pay_action(ctx, actor.id, effect.upkeep, f"maintain {effect.note}")
    ctx.emit(Used(actor.id, _use(effect)))
    ctx.text = f"{actor.name} maintains {effect.note}"


def _drop(ctx: Context, words: Words) -> None:
    actor = ctx.actor()
    effect = _choose(words, _kept(actor), f"{actor.name} keeps nothing up that could be dropped")
    conditions.end_with_all(ctx, actor.id, effect.id, "dropped")
    ctx.text = f"{actor.name} drops {effect.note or effect.name}"


_BONUS = "[+N WHAT[,WHAT] ... [with TAG[,TAG]] [TYPE]]"
_KEPT = "[maintain standard|move|swift] [for N turns] [until start|end of NAME | fight | round N]"
UPKEEP_VERBS: tuple[Verb, ...] = (
    Verb(
        "stance",
        f"stance NAME {_BONUS} [by NAME]",
        "takes a stance, or changes it, with a swift action",
        _stance,
        True,
    ),
    Verb(
        "form",
        f"form NAME [no-ranged] {_BONUS} [for N turns] [until start|end of NAME | fight | round N]"
        " [by NAME]",
        "changes one's shape; the one before ends, and what hangs on it",
        _form,
        True,
    ),
    Verb(
        "aura",
        "aura NAME [for N turns] [until start|end of NAME | fight | round N] [by NAME]",
        "begins an aura, which ends the one before",
        _aura,
        True,
    ),
    Verb("zone", f"zone NAME {_KEPT} [by NAME]", "makes a zone", partial(_make, kind="zone"), True),
    Verb(
        "conjuration",
        f"conjuration NAME {_KEPT} [by NAME]",
        "conjures something up",
        partial(_make, kind="conjuration"),
        True,
    ),
    Verb(
        "maintain",
        "maintain NAME [by NAME]",
        "pays the action that keeps something up for this turn",
        _maintain,
        True,
    ),
    Verb(
        "drop",
        "drop NAME [by NAME]",
        "ends a stance, a form, an aura, a zone or a conjuration of one's own",
        _drop,
        True,
    ),
)

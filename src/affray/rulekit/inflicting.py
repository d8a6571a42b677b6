"""The commands `inflict` and `modifier`: what a GM lays on somebody by hand.

A game declares how what it has is read, and until when it lasts, and hands in how one is laid:

    class Inflict(inflicting.Inflict, frozen=True):
        what: Annotated[What, what_said(_read_what, "CONDITION[,CONDITION] | ongoing AMOUNT")]
        placing: Annotated[Placing, PLACED] = Placing()
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from msgspec import Struct

from affray.core.heart import own_effects
from affray.core.heart.decide import Context
from affray.core.heart.events import Noted
from affray.core.heart.own_effects import OwnEffect
from affray.core.heart.state import Combatant
from affray.core.language import arguments
from affray.core.language.clauses import names, refuse_dead, they
from affray.core.language.declared import Argument, Reading
from affray.core.language.refusal import Refused, listed, signed
from affray.rulekit.placing import Affliction, Lasting, Placing, begin, until_for

What = list[Affliction] | OwnEffect
"""What is inflicted: conditions and the like, or an effect of the GM's own."""


def what_said(read: Callable[[Reading], list[Affliction]], usage: str) -> Argument:
    """What is inflicted, as an argument: what the game reads, or an effect of the GM's own."""

    def reads(reading: Reading) -> What:
        words = reading.words
        if not own_effects.stands_next(reading.ctx.tables, words):
            return read(reading)
        own = OwnEffect(reading.ctx, words)
        while own.read_more(words):
            pass
        return own

    return Argument(reads, f"{usage} | {own_effects.USAGE}", asks="effect")


class Inflict(Struct, frozen=True):
    """What `inflict` says; a game declares `what` and `placing`."""

    people: Annotated[list[Combatant], arguments.people("who gets it", fits=refuse_dead)]
    what: What
    placing: Placing = Placing()


def inflict(
    game: Lasting, ctx: Context, said: Inflict, lay: Callable[[str, Affliction], object]
) -> None:
    """Lay it on all who can have it: `lay` gives something false for who can't, and notes why.

    Raises Refused, with all reasons, where nobody of them can.
    """
    if isinstance(said.what, OwnEffect):
        source = said.placing.source or ctx.by
        for who in said.people:
            until = until_for(game, ctx, who.id, said.placing)
            said.what.lay(ctx, who, until, said.placing.is_timed, source)
        ctx.text = f"{names(said.people)}: {said.what.name}"
        return
    told: dict[str, list[str]] = {}
    for one in said.what:
        takers = [who for who in said.people if lay(who.id, one)]
        if takers:
            so_much = one.amount or one.dice or one.type
            come_by = f"{names(takers)}:" if so_much else they(takers, "is", "are")
            told.setdefault(come_by, []).append(str(one))
    if not told:
        raise Refused("; ".join(event.text for event in ctx.events if isinstance(event, Noted)))
    ctx.text = "; ".join(f"{come_by} {listed(laid, 'and')}" for come_by, laid in told.items())


# -- modifiers -------------------------------------------------------------------------------------

MODIFIER = "modifier"
_LEANS = {"adv": "advantage", "dis": "disadvantage"}
_LIMIT = 999


def _read_by(reading: Reading) -> int | str:
    words = reading.words
    lean = words.take(*_LEANS)
    if lean:
        return lean
    amount = words.number("the bonus or penalty such as +2, or adv, or dis", -_LIMIT, _LIMIT)
    if not amount:
        words.back()
        raise words.refuse("a modifier of 0 changes nothing")
    return amount


def _read_to_what(reading: Reading) -> list[str]:
    """What the game reads of such a modifier in its rows."""
    reads, field = reading.ctx.ruleset.reads.effects, _LEANS.get(str(reading.said["by"]), "")
    row = {name.replace("_", "-"): name for name in reads[field or "modifiers"] or ()}
    said = arguments.several("what it is to", [*row], "WHAT").read(reading)
    return [row[name] for name in said]


class Modifier(Struct, frozen=True):
    """What `modifier` says; a game declares `placing`."""

    people: Annotated[list[Combatant], arguments.people("who gets the modifier")]
    by: Annotated[int | str, Argument(_read_by, "+N|adv|dis", asks="number")]
    what: Annotated[list[str], Argument(_read_to_what, "WHAT[,WHAT]", asks="text:what")]
    note: Annotated[str, arguments.quoted("a note", '"NOTE"')] = ""
    placing: Placing = Placing()


def modify(game: Lasting, ctx: Context, said: Modifier, is_typed: bool = False) -> None:
    """Lay a modifier on each. `is_typed`: those with one note are of one type, as of one spell."""
    lean = _LEANS.get(str(said.by), "")
    changes = {lean: tuple(said.what)} if lean else {"modifiers": dict.fromkeys(said.what, said.by)}
    named = {"note": said.note, "type": said.note.casefold() if is_typed else ""}
    for who in said.people:
        until = until_for(game, ctx, who.id, said.placing)
        begin(ctx, who.id, MODIFIER, until, said.placing, kind=MODIFIER, **named, **changes)
    by = f"{lean} on" if lean else signed(int(said.by))
    what = listed([name.replace("_", "-") for name in said.what], "and")
    ctx.text = f"{names(said.people)}: {by} {what}"

"""The command `modifier`: a bonus or penalty, advantage or disadvantage, for a time.

A game declares until when it lasts, and what its words for that are:

    class Modifier(modifiers.Modifier, frozen=True):
        placing: Annotated[Placing, PLACED] = Placing()

    declare("modifier", "gives a bonus or penalty", Modifier, partial(modifiers.modify, LASTING))
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from affray.core.heart.decide import Context
from affray.core.heart.state import Combatant
from affray.core.language import arguments
from affray.core.language.clauses import names
from affray.core.language.declared import Argument, Reading
from affray.core.language.refusal import listed, signed
from affray.rulekit.placing import Lasting, Placing, begin, until_for

MODIFIER = "modifier"
_LEANS = {"adv": "advantage", "dis": "disadvantage"}


def _read_by(reading: Reading) -> int | str:
    words = reading.words
    if lean := words.take(*_LEANS):
        return lean
    amount = words.number("the bonus or penalty such as +2, or adv, or dis", -999, 999)
    if not amount:
        words.back()
        raise words.refuse("a modifier of 0 changes nothing")
    return amount


def _read_to_what(reading: Reading) -> list[str]:
    """Read what it is to: any of what the game reads of such a modifier in its rows."""
    kind = _LEANS.get(str(reading.said["by"]), "modifiers")
    row = {name.replace("_", "-"): name for name in reading.ctx.ruleset.reads.effects[kind] or ()}
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
    """Lay a modifier on each. `is_typed`: the note is the type, so that two modifiers
    of one note, as by one spell, don't add up."""
    lean = _LEANS.get(str(said.by), "")
    changes = {lean: tuple(said.what)} if lean else {"modifiers": dict.fromkeys(said.what, said.by)}
    named = {"note": said.note, "type": said.note.casefold() if is_typed else ""}
    for who in said.people:
        until = until_for(game, ctx, who.id, said.placing)
        begin(ctx, who.id, MODIFIER, until, said.placing, kind=MODIFIER, **named, **changes)
    by = f"{lean} on" if lean else signed(int(said.by))
    what = listed([name.replace("_", "-") for name in said.what], "and")
    ctx.text = f"{names(said.people)}: {by} {what}"

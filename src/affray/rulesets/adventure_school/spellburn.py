"""The spellburn die: rolled for a spell, burnout, and the choice that a backfire waits for.

Seed 001: Spellburn, Minor Spellburn, Spellburn Die, Burnout, Backfire, Fry, Panic Fry, Exceed Your
Limits, Catastrophic Arcane Failure; rules file, 15.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Struct

from affray.core.heart.decide import Context
from affray.core.heart.effects import end_named
from affray.core.heart.events import Forgot, Noted, Rolled, Used
from affray.core.heart.evolve import evolve, evolve_all
from affray.core.heart.history import Previous, back_from
from affray.core.heart.state import Combatant, Duration, Encounter
from affray.core.language import arguments
from affray.core.language.declared import Argument, Reading
from affray.core.language.refusal import Refused, listed
from affray.core.rules.ruleset import Choice, Pending, declare
from affray.rulekit import rests, rolls
from affray.rulekit.placing import begin
from affray.rulesets.adventure_school import damage, sheet
from affray.rulesets.adventure_school.resources import end_kept
from affray.rulesets.adventure_school.rolls import FAIL, PASS
from affray.rulesets.adventure_school.sheet import LADDER, Costs

DIE = "spellburn"
BURNOUT, FRIED, CATASTROPHE = "burnout", "fried", "catastrophe"
BACKFIRE = "backfire"
"""The span in which the spell is counted that has backfired, until it is known what comes of it."""
EXCEEDED = "exceeded"
"""What is counted of who has exceeded the limits: the die can't fail the spell that is cast."""
PANIC, LONG = "panic-fry", "long"
"""What is counted of who has fried all spells, and the span: until a long rest."""


# -- the die ---------------------------------------------------------------------------------------


def why_not_cast(who: Combatant, spell: str, price: Costs) -> str:
    """Why somebody can't cast that spell at that price: fried, burnout, no die."""
    if spell.casefold() in _fried(who) or (price.burns and who.used(PANIC, LONG)):
        return f"{spell} is fried until a long rest"
    if price.burns and DIE not in who.tracks:
        return "no spellburn die on its sheet"
    return "burnout until a rest" if price.burns and who.named(BURNOUT) else ""


def burn(ctx: Context, who: str, spell: str, price: Costs, lying: tuple[int, ...]) -> bool:
    """Roll the die as often as the spell takes it; gives whether the spell works (15.2 to 15.4).
    `lying` are the dice as they fell; without them they are rolled. Raises Refused for one that
    can't have fallen, and for more or fewer than are rolled."""
    left, works = list(lying), True
    exceeds = ctx.state[who].used(EXCEEDED, EXCEEDED) > 0
    for _ in range(price.burns):
        sides = ctx.state[who].track(DIE)
        works = sides > 0 and _face(ctx, who, sides, left, bool(lying)) > 1
        if price.spellburn and (works or exceeds):
            smaller = max((size for size in LADDER if size < sides), default=0)
            rests.set_track(ctx, who, DIE, smaller, spell)
        if not works:
            break
    if left:
        raise Refused(f"{listed(map(str, left), 'and')} behind `rolled`: nothing more is rolled")
    if not works and exceeds:
        ctx.emit(Forgot(who, EXCEEDED))
    elif not works:
        begin(ctx, who, BURNOUT, Duration("rest"))
        ctx.emit(Used(who, spell, BACKFIRE))
        ctx.text += ": it backfires"
    return works or exceeds


def _face(ctx: Context, who: str, sides: int, left: list[int], by_hand: bool) -> int:
    """What the die of so many sides shows: the next of those that lie there, or rolled now."""
    if by_hand and not (left and 1 <= left[0] <= sides):
        found = left[0] if left else "nothing more"
        raise Refused(f"expected a d{sides} behind `rolled`, 1 to {sides}, found {found}")
    face = left.pop(0) if by_hand else ctx.dice.die(sides)
    outcome = PASS if face > 1 else FAIL
    ctx.emit(Rolled(who, f"1d{sides}", (face,), face, for_=DIE, outcome=outcome, by_hand=by_hand))
    return face


# -- what a backfire waits for ---------------------------------------------------------------------


def backfiring(who: Combatant) -> str:
    """The spell of somebody's that has backfired, and of which nobody has said what comes."""
    if not who.uses:  # as with most
        return ""
    counted = (key.partition("/") for key in who.uses)
    return next((spell for span, _, spell in counted if span == BACKFIRE), "")


def let_happen(ctx: Context, who: str, what: str = "") -> None:
    """Let a backfire happen that waits, if one does."""
    spell = backfiring(ctx.state[who])
    if spell:
        what = what or "the GM says what comes of it"
        ctx.emit(Forgot(who, BACKFIRE), Noted(f"{spell} backfires: {what}"))


def turn_ending(ctx: Context) -> None:
    """A backfire of which nothing was said until the turn ends happens."""
    for combatant in ctx.state.combatants:
        let_happen(ctx, combatant.id)


def settled(ctx: Context, who: str) -> None:
    """A catastrophe is over with the die whole again, and not while defeated (R24)."""
    if ctx.state[who].life == "up" and not ctx.state[who].room(DIE):
        end_named(ctx, who, CATASTROPHE, "the spellburn die is whole")


def pending(state: Encounter) -> Iterator[Pending]:
    """The backfires that wait, with the four answers (15.4): the GM chooses what is fried."""
    for who in state.combatants:
        spell = backfiring(who)
        if spell:
            answers = (
                *((str(n), f"fry {one}", f'fry "{one}"') for n, one in _to_choose_from(who)),
                ("p", "panic fry", "panic-fry"),
                ("h", "happens", "happens"),
                ("e", "exceed", "exceed roll"),
                ("u", "heads", "exceed heads"),
                ("d", "tails", "exceed tails"),
            )
            says = f"{who.name}'s {spell} backfires"
            command = f"backfire {who.id}"
            choices = tuple(Choice(key, label, f"{command} {word}") for key, label, word in answers)
            yield Pending(who.id, says, choices, missed=f"{spell} backfired", holds=True)


def _to_choose_from(who: Combatant) -> Iterator[tuple[int, str]]:
    """The spells that the GM may have it fry, each with the digit that is its key."""
    return zip(range(1, 10), _burning(who), strict=False)


# -- fry -------------------------------------------------------------------------------------------


def _fried(who: Combatant) -> set[str]:
    return {effect.note.casefold() for effect in who.all_named(FRIED)}


def _burning(who: Combatant) -> list[str]:
    """Its spells that take the die and are not fried: those on the sheet, and what backfires."""
    row = [each.name for each in sheet.abilities_of(who) if each.burns]
    known = {name.casefold(): name for name in (backfiring(who), *row)}
    return [name for wanted, name in known.items() if wanted not in _fried(who)]


def _spell_to_fry(who: Combatant, said: str) -> str:
    """The spell that is meant, by its name on the sheet; any other name stands as it is said.

    Raises Refused for a spell that is fried already, and for one that takes no die.
    """
    row, backfires = _burning(who), said.casefold() == backfiring(who).casefold()
    spell = sheet.spell_called(who, said, is_other=backfires)
    is_told = spell in sheet.abilities_of(who)
    if spell.name.casefold() in _fried(who) or (is_told and not spell.burns):
        raise Refused(f"{spell.name} is no spell to fry: {listed(row)}", row)
    return spell.name


# -- exceed the limits -----------------------------------------------------------------------------


def _flip(ctx: Context, who: str, coin: str) -> bool:
    """Whether the coin shows heads: as it was called out, or thrown now."""
    face = {"heads": 1, "tails": 2}.get(coin) or ctx.dice.die(2)
    what, outcome = ("heads", PASS) if face == 1 else ("tails", FAIL)
    by_hand = coin != "roll"
    ctx.emit(Rolled(who, "1d2", (face,), face, for_=what, outcome=outcome, by_hand=by_hand))
    return face == 1


def _cast_after_all(ctx: Context, who: str) -> None:
    """Let all that has happened since the die failed be as if it had not (15.6): the command that
    cast the spell is decided anew, the other dice as they fell; those that only fall now are told,
    and what comes out differently comes true."""
    cast = _cast_by(ctx.previous, who)
    before = evolve(cast.before, Used(who, EXCEEDED, EXCEEDED))
    again = rolls.decided(ctx, cast, ctx.said, before=before, faces=ctx.faces)
    known = sum(isinstance(event, Rolled | Noted) for event in cast.entry.events)
    ctx.emit(*[event for event in again.events if isinstance(event, Rolled | Noted)][known:])
    was = evolve_all(cast.before, cast.entry.events)
    rolls.become(ctx, was, again.state, "limits exceeded")


def _cast_by(previous: Previous | None, who: str) -> Previous:
    """The entry with which somebody's spell began to backfire. Raises Refused without one."""
    for each in back_from(previous):
        before = each.before.find(who)
        if before is not None and not backfiring(before):
            return each
    raise Refused("the log doesn't say what was cast")


def _fail_catastrophically(ctx: Context, who: str) -> None:
    """HP 0, and incapacitated until the die is whole again (15.6)."""
    begin(ctx, who, CATASTROPHE, Duration(says="the spellburn die is whole"))
    rests.set_track(ctx, who, "hp", 0, "a catastrophic arcane failure")
    damage.settled(ctx, who)
    ctx.emit(Noted("a catastrophic arcane failure: the GM says what stays of it"))


_ANSWERS = ("fry", "panic-fry", "happens", "exceed")


def _read_what(reading: Reading) -> str:
    """Which spell is fried, what happens, or how the coin falls; empty for a panic."""
    words, how = reading.words, reading.said["how"]
    if how == "exceed":
        return words.choice("the coin", ("heads", "tails", "roll"))
    if how == "fry":
        words.offered += _burning(reading.said["who"]) if words.done else []
        return str(arguments.phrase("the spell", "SPELL").read(reading))
    return "" if how == "panic-fry" else words.rest().strip()


_USAGE = 'SPELL | panic-fry | happens ["WHAT"] | exceed heads|tails|roll'


class Backfire(Struct, frozen=True):
    """`backfire NAME fry SPELL | panic-fry | happens ["WHAT"] | exceed heads|tails|roll`."""

    who: Annotated[Combatant, arguments.person("whose spell backfires", asks="person:burnout")]
    how: Annotated[str, arguments.choice("what becomes of it", _ANSWERS, "fry")]
    what: Annotated[str, Argument(_read_what, _USAGE, asks="offered?!")]


def _backfire(ctx: Context, said: Backfire) -> None:
    who, what = said.who, said.what
    spell = backfiring(who)
    if not spell:
        raise Refused(f"no spell of {who.name}'s backfires")
    if said.how == "happens":
        let_happen(ctx, who.id, what)
        ctx.text = f"{who.name}'s {spell} backfires{f': {what}' if what else ''}"
    elif said.how == "exceed":
        ctx.text = f"{who.name} exceeds the limits for {spell}"
        if _flip(ctx, who.id, what):
            _cast_after_all(ctx, who.id)
        else:
            ctx.emit(Forgot(who.id, BACKFIRE))
            _fail_catastrophically(ctx, who.id)
            ctx.text += ", and fails"
    else:
        fried = [_spell_to_fry(who, what)] if what else _burning(who)
        for one in fried:
            end_kept(ctx, who.id, one, "fried")
            begin(ctx, who.id, FRIED, Duration("long-rest"), note=one)
        ctx.emit(Forgot(who.id, BACKFIRE), *([] if what else [Used(who.id, PANIC, LONG)]))
        ctx.text = f"{who.name} fries {listed(fried, 'and') if what else 'all spells'}"


VERBS = (
    declare("backfire", "says what comes of a spellburn die that failed", Backfire, _backfire),
)

"""Adventure School: the spellburn die, rolled for a spell; burnout; and the choices of a backfire.

Adventure School, Spellburn, Minor Spellburn, Spellburn Die, Burnout, Backfire, Fry, Panic Fry,
Exceed Your Limits, Catastrophic Arcane Failure.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.engine.effects import end_effects_named
from affray.core.engine.events import NoteAdded, Rolled, UseCounted, UsesReset
from affray.core.engine.evolve import evolve, evolve_all
from affray.core.engine.history import EarlierEntry, earlier_entries
from affray.core.engine.state import Combatant, Duration, Encounter
from affray.core.parser import arguments
from affray.core.parser.declarations import NoArgs, ParseState, declare_command
from affray.core.parser.errors import Refused, join_or
from affray.core.parser.prompt_fields import Field, group
from affray.core.rules.ruleset import Context, DecisionOption, PendingDecision
from affray.mechanics import checks, rests
from affray.mechanics.conditions import begin_effect
from affray.rulesets.adventure_school import damage, sheet
from affray.rulesets.adventure_school.checks import FAIL, PASS
from affray.rulesets.adventure_school.resources import end_kept
from affray.rulesets.adventure_school.sheet import LADDER, AbilityCost

DIE = "spellburn"
BURNOUT, FRIED, CATASTROPHE = "burnout", "fried", "catastrophe"
BACKFIRE = "backfire"
"""The span in which a spell is counted that has backfired, until the GM answers."""
EXCEEDED = "exceeded"
"""The use counted when somebody has exceeded the limits: the spell works whatever the die."""
PANIC, LONG = "panic-fry", "long"
"""Counted when somebody has fried all spells, and the span: until a long rest."""


# -- the die ---------------------------------------------------------------------------------------


def why_not_cast(combatant: Combatant, spell: str, price: AbilityCost) -> str:
    """The reason why somebody can't cast that spell at that price: fried, burnout, no die."""
    if spell.casefold() in _fried(combatant) or (price.burns and combatant.used(PANIC, LONG)):
        return f"{spell} is fried until a long rest"
    if price.burns and DIE not in combatant.tracks:
        return "no spellburn die on its sheet"
    return "burnout until a rest" if price.burns and combatant.named(BURNOUT) else ""


def burn(
    ctx: Context, combatant_id: str, spell: str, price: AbilityCost, lying: tuple[int, ...]
) -> bool:
    """Roll the die as often as the spell takes it; returns True if the spell works. `lying` are the
    dice as they fell; without them they are rolled. Raises Refused for impossible dice, and for too
    many or too few."""
    left, works = list(lying), True
    exceeds = ctx.state[combatant_id].used(EXCEEDED, EXCEEDED) > 0
    for _ in range(price.burns):
        sides = ctx.state[combatant_id].track(DIE)
        works = sides > 0 and _face(ctx, combatant_id, sides, left, bool(lying)) > 1
        if price.spellburn and (works or exceeds):
            smaller = max((size for size in LADDER if size < sides), default=0)
            rests.set_track(ctx, combatant_id, DIE, smaller, spell)
        if not works:
            break
    if left:
        raise Refused(f"{join_or(map(str, left), 'and')} after `rolled`: nothing more is rolled")
    if not works and exceeds:
        ctx.emit(UsesReset(combatant_id, EXCEEDED))
    elif not works:
        begin_effect(ctx, combatant_id, BURNOUT, Duration("rest"))
        ctx.emit(UseCounted(combatant_id, spell, BACKFIRE))
        ctx.text += ": it backfires"
    return works or exceeds


def _face(ctx: Context, combatant_id: str, sides: int, left: list[int], by_hand: bool) -> int:
    """The face of a die with so many sides: the next of the given dice, or rolled now."""
    if by_hand and not (left and 1 <= left[0] <= sides):
        found = left[0] if left else "nothing more"
        raise Refused(f"expected a d{sides} after `rolled`, 1 to {sides}, found {found}")
    face = left.pop(0) if by_hand else ctx.dice_of(combatant_id, DIE).die(sides)
    outcome = PASS if face > 1 else FAIL
    ctx.emit(
        Rolled(
            combatant_id, f"1d{sides}", (face,), face, for_=DIE, outcome=outcome, by_hand=by_hand
        )
    )
    return face


# -- what a backfire waits for ---------------------------------------------------------------------


def backfiring(combatant: Combatant) -> str:
    """The spell whose backfire still waits for an answer; empty for none."""
    if not combatant.uses:  # as with most
        return ""
    counted = (key.partition("/") for key in combatant.uses)
    return next((spell for span, _, spell in counted if span == BACKFIRE), "")


def let_happen(ctx: Context, combatant_id: str, what: str = "") -> None:
    """Let the backfire happen that waits, if there is one."""
    spell = backfiring(ctx.state[combatant_id])
    if spell:
        what = what or "the GM decides the result"
        ctx.emit(UsesReset(combatant_id, BACKFIRE), NoteAdded(f"{spell} backfires: {what}"))


def on_turn_end(ctx: Context) -> None:
    """Let the backfires happen that nobody has answered in the turn."""
    for combatant in ctx.state.combatants:
        let_happen(ctx, combatant.id)


def apply_invariants(ctx: Context, combatant_id: str) -> None:
    """A catastrophe is over with the die whole again, and not while defeated (ruling 24)."""
    if ctx.state[combatant_id].life == "up" and not ctx.state[combatant_id].room(DIE):
        end_effects_named(ctx, combatant_id, CATASTROPHE, "the spellburn die is whole")


def pending_decisions(state: Encounter) -> Iterator[PendingDecision]:
    """The backfires that wait, with the four answers: the GM chooses what is fried."""
    for combatant in state.combatants:
        spell = backfiring(combatant)
        if spell:
            spells = zip(range(1, 10), _burning(combatant), strict=False)  # each with its key
            answers = (
                *((str(n), f"fry {one}", f'fry "{one}"') for n, one in spells),
                ("p", "panic fry", "panic-fry"),
                ("h", "happens", "happens"),
                ("e", "exceed", "exceed roll"),
                ("u", "heads", "exceed heads"),
                ("d", "tails", "exceed tails"),
            )
            says = f"{combatant.name}'s {spell} backfires"
            command = f"backfire {combatant.id}"
            choices = tuple(
                DecisionOption(key, label, f"{command} {word}") for key, label, word in answers
            )
            yield PendingDecision(
                combatant.id, says, choices, missed=f"{spell} backfired", holds=True
            )


# -- fry -------------------------------------------------------------------------------------------


def _fried(combatant: Combatant) -> set[str]:
    return {effect.note.casefold() for effect in combatant.all_named(FRIED)}


def _burning(combatant: Combatant) -> list[str]:
    """The spells that use the die and are not fried: those on the sheet, and the one that
    backfires."""
    row = [each.name for each in sheet.abilities_of(combatant) if each.burns]
    by_name = {name.casefold(): name for name in (backfiring(combatant), *row)}
    return [name for wanted, name in by_name.items() if wanted not in _fried(combatant)]


def _spell_to_fry(combatant: Combatant, text: str) -> str:
    """The named spell, by its name on the sheet; any other name stays as it is.

    Raises Refused for a spell that is fried already, and for one that takes no die.
    """
    row, backfires = _burning(combatant), text.casefold() == backfiring(combatant).casefold()
    spell = sheet.find_spell(combatant, text, is_other=backfires)
    is_on_sheet = spell in sheet.abilities_of(combatant)
    if spell.name.casefold() in _fried(combatant) or (is_on_sheet and not spell.burns):
        raise Refused(f"{spell.name} is no spell to fry: {join_or(row)}", row)
    return spell.name


# -- exceed the limits -----------------------------------------------------------------------------


def _flip(ctx: Context, combatant_id: str, coin: str) -> bool:
    """True if the coin shows heads: as called, or thrown now."""
    face = {"heads": 1, "tails": 2}.get(coin) or ctx.dice.die(2)
    what, outcome = ("heads", PASS) if face == 1 else ("tails", FAIL)
    by_hand = coin != "roll"
    ctx.emit(
        Rolled(combatant_id, "1d2", (face,), face, for_=what, outcome=outcome, by_hand=by_hand)
    )
    return face == 1


def _cast_after_all(ctx: Context, combatant_id: str) -> None:
    """Let the spell work after all: decide anew the command that cast it, with the same
    other dice; emit the rolls that are new, and the difference in the state."""
    cast = _cast_by(ctx.previous, combatant_id)
    before = evolve(cast.before, UseCounted(combatant_id, EXCEEDED, EXCEEDED))
    again = checks.redecide(ctx, cast, ctx.forced, before)
    former_count = sum(isinstance(event, Rolled | NoteAdded) for event in cast.entry.events)
    ctx.emit(
        *[event for event in again.events if isinstance(event, Rolled | NoteAdded)][former_count:]
    )
    was = evolve_all(cast.before, cast.entry.events)
    checks.emit_difference(ctx, was, again.state, "limits exceeded")


def _cast_by(previous: EarlierEntry | None, combatant_id: str) -> EarlierEntry:
    """The entry with which somebody's spell began to backfire. Raises Refused without one."""
    for each in earlier_entries(previous):
        before = each.before.find(combatant_id)
        if before is not None and not backfiring(before):
            return each
    raise Refused("the log doesn't show what was cast")


def _fail_catastrophically(ctx: Context, combatant_id: str) -> None:
    """HP 0, and incapacitated until the die is whole again."""
    begin_effect(ctx, combatant_id, CATASTROPHE, Duration(says="the spellburn die is whole"))
    rests.set_track(ctx, combatant_id, "hp", 0, "a catastrophic arcane failure")
    damage.apply_invariants(ctx, combatant_id)
    ctx.note("a catastrophic arcane failure: the GM decides what remains")


def _list_burning(reading: ParseState) -> list[str]:
    return _burning(reading.value_of("who"))


class FryArgs(Struct, frozen=True):
    """`SPELL`: the one spell that is fried."""

    spell: Annotated[str, arguments.phrase_arg("the spell", "SPELL", list_choices=_list_burning)]


class HappensArgs(Struct, frozen=True):
    """`["WHAT"]`: what happens, if the GM says so."""

    what: Annotated[str, arguments.rest_arg('"WHAT"')] = ""


class ExceedArgs(Struct, frozen=True):
    """`heads|tails|roll`: how the coin falls."""

    coin: Annotated[str, arguments.choice_arg("the coin", ("heads", "tails", "roll"))]


_ANSWERS: dict[str, type[Struct]] = {
    "fry": FryArgs,
    "panic-fry": NoArgs,
    "happens": HappensArgs,
    "exceed": ExceedArgs,
}
_ANSWER = replace(
    arguments.subcommand_arg("the result", _ANSWERS),
    field=group(
        Field("choice", tuple(_ANSWERS)), Field("offered", optional=True, asked=True)
    ),  # one field for whatever stands behind the word
)


class BackfireArgs(Struct, frozen=True):
    """`backfire NAME fry SPELL | panic-fry | happens ["WHAT"] | exceed heads|tails|roll`."""

    who: Annotated[
        Combatant,
        arguments.combatant_arg("the caster of the spell", field=Field("person", ("burnout",))),
    ]
    answer: Annotated[FryArgs | NoArgs | HappensArgs | ExceedArgs, _ANSWER]


def _backfire(ctx: Context, args: BackfireArgs) -> None:
    combatant, answer, spell = args.who, args.answer, backfiring(args.who)
    if not spell:
        raise Refused(f"none of {combatant.name}'s spells backfires")
    match answer:
        case HappensArgs():
            what = answer.what.strip()
            let_happen(ctx, combatant.id, what)
            ctx.text = f"{combatant.name}'s {spell} backfires{f': {what}' if what else ''}"
        case ExceedArgs(coin=coin):
            ctx.text = f"{combatant.name} exceeds the limits for {spell}"
            if _flip(ctx, combatant.id, coin):
                _cast_after_all(ctx, combatant.id)
            else:
                ctx.emit(UsesReset(combatant.id, BACKFIRE))
                _fail_catastrophically(ctx, combatant.id)
                ctx.text += ", and fails"
        case FryArgs(spell=named):
            fried = _spell_to_fry(combatant, named)
            _fry(ctx, combatant.id, [fried])
            ctx.text = f"{combatant.name} fries {fried}"
        case _:
            _fry(ctx, combatant.id, _burning(combatant))
            ctx.emit(UseCounted(combatant.id, PANIC, LONG))
            ctx.text = f"{combatant.name} fries all spells"


def _fry(ctx: Context, combatant_id: str, spells: list[str]) -> None:
    for spell in spells:
        end_kept(ctx, combatant_id, spell, "fried")
        ctx.emit(
            *(
                NoteAdded(f"{effect} ends, if {spell} caused it", bearer, aside=True)
                for effect, bearer in _left_of(ctx.state, combatant_id, spell)
            )
        )
        begin_effect(ctx, combatant_id, FRIED, Duration("long-rest"), note=spell)
    ctx.emit(UsesReset(combatant_id, BACKFIRE))


def _left_of(state: Encounter, combatant_id: str, spell: str) -> list[tuple[str, str]]:
    """List the effects of a caster that may come from a fried spell, since their cause is unknown,
    with their bearers: "ember glow", "ghoul-1"."""
    return [
        (effect.name, bearer.id)
        for bearer in state.combatants
        for effect in bearer.effects
        if effect.source == combatant_id and effect.note.casefold() in ("", spell.casefold())
    ]


COMMANDS = (
    declare_command(
        "backfire", "sets the result of a failed spellburn die", BackfireArgs, _backfire
    ),
)

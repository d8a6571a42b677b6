"""Grabbing, getting free and letting go. Seed 001: Grab, Drag, Size; rules file, 7.

A grab is an effect on the one held, from the holder; all that it does by their sizes hangs on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart.decide import Context
from affray.core.heart.effects import end, in_force
from affray.core.heart.state import Combatant, Effect
from affray.core.language import arguments
from affray.core.language.clauses import names
from affray.core.language.refusal import Refused
from affray.rulekit.acts import Pay, needs_another
from affray.rulekit.doing import Declared
from affray.rulekit.numbers import forbidding
from affray.rulekit.placing import Placing, begin
from affray.rulekit.rolls import Die
from affray.rulesets.adventure_school import conditions, economy, hiding
from affray.rulesets.adventure_school.checks import SKILL, TestWords, Trial
from affray.rulesets.adventure_school.contests import (
    STRENGTH,
    THEIRS,
    Struggle,
    Theirs,
    contest,
    struggle,
)
from affray.rulesets.adventure_school.holds import (
    GRABBED,
    GRABBING,
    grabs_on,
    held_by,
    larger_by,
)
from affray.rulesets.adventure_school.rolls import PASS, outcome

IMMOBILIZED, OFF_GUARD = "immobilized", "off-guard"

# -- grab ------------------------------------------------------------------------------------------


class Grab(Struggle, frozen=True, kw_only=True):
    """`grab TARGET [SKILL] OUTCOME [THEIRS]`; the incapacitated need no outcome."""

    die: Annotated[Die | None, outcome()] = None  # type: ignore[assignment]


def grab(ctx: Context, said: Grab, who: Combatant, pay: Pay) -> None:
    """A contest, the larger one at an advantage; the incapacitated are grabbed without fail."""
    target = said.target
    needs_another(who, target, "grab")
    if target in held_by(ctx.state, who.id):
        raise Refused(f"{who.name} holds {target.name} already")
    helpless = forbidding(ctx.tables, in_force(ctx.tables, ctx.state, target), "withstand-grab")
    if said.die is None and not helpless:
        raise Refused(f"say how the contest with {target.name} came out, or `roll`")
    pay()
    hiding.touches(ctx, who.id, target.id)
    if helpless:
        said = replace(said, die=Die(PASS))
    won = struggle(ctx, "grab", who, said, (STRENGTH,), (STRENGTH,), larger_by(who, target))
    if won:
        hiding.reveal(ctx, target.id, "it is grabbed")
        conditions.lay(ctx, target.id, GRABBED, source=who.id)
    ctx.text = f"{who.name} {'grabs' if won else 'fails to grab'} {target.name}"


# -- what a grab does ------------------------------------------------------------------------------


def settled(ctx: Context, who: str) -> None:
    """Each grab does what it does by the sizes, as long as it lasts (rules file, 7)."""
    _settle_grabs_on(ctx, who)
    before = ctx.before.find(who)
    if before is not None and before.named(GRABBING) is not None:
        for held in held_by(ctx.state, who):
            _settle_grabs_on(ctx, held.id)


def _settle_grabs_on(ctx: Context, who: str) -> None:
    """Begin what new grabs do. Whoever holds no more, as that was removed by hand, has let go."""
    for grip in grabs_on(ctx.state[who]):
        holder = ctx.state.find(grip.source)
        hold = f"{who}/{grip.id}"
        if holder is None or any(effect.hangs == hold for effect in holder.effects):
            continue
        before = ctx.before.find(who)
        if before is not None and before.effect(grip.id) == grip:
            end(ctx, who, grip.id, f"{holder.name} lets go")
        else:
            _take_hold(ctx, ctx.state[who], holder, Placing(source=holder.id, hangs=hold))


def _take_hold(ctx: Context, held: Combatant, holder: Combatant, placing: Placing) -> None:
    larger = larger_by(held, holder)
    on_held = (IMMOBILIZED, OFF_GUARD) if larger <= 0 else (OFF_GUARD,) if larger == 1 else ()
    on_holder = (IMMOBILIZED,) if larger > 0 else ()
    for name in on_held:
        if not conditions.why_not(ctx, held, name):
            begin(ctx, held.id, name, None, placing, because=GRABBED)
    holding = replace(placing, source=held.id)
    begin(ctx, holder.id, GRABBING, None, holding, note=held.name)
    for name in on_holder:
        if not conditions.why_not(ctx, holder, name):
            begin(ctx, holder.id, name, None, holding, because=GRABBING)


# -- getting free, and letting go ------------------------------------------------------------------

TAKES_MOVE = "move"


class Escape(Struct, frozen=True, kw_only=True):
    """`escape [move] [SKILL] OUTCOME [THEIRS] [from NAME]`."""

    takes: Annotated[str, arguments.choice("what it takes", (TAKES_MOVE,))] = ""
    skill: Annotated[str, SKILL] = ""
    die: Annotated[Die, outcome()]
    theirs: Annotated[Theirs, THEIRS] = Theirs()
    holder: Annotated[
        Combatant | None, arguments.clause("from", arguments.person("who holds it"), asks="")
    ] = None
    terms: Annotated[TestWords, arguments.words_of(TestWords)]


def escape(ctx: Context, said: Escape, who: Combatant, pay: Pay) -> None:
    """A contest against each who holds it, for the action or the whole movement."""
    grabs = [g for g in grabs_on(who) if said.holder is None or g.source == said.holder.id]
    economy.pay_by_move(ctx, who, pay, still=True) if said.takes else pay()
    if not grabs:
        by = f" by {said.holder.name}" if said.holder is not None else ""
        raise Refused(f"{who.name} isn't grabbed{by}")
    terms = said.terms
    skill, kinds = said.skill or STRENGTH, terms.kinds
    mine = Trial(
        who.id, "check", skill, said.die, terms=terms, kinds=kinds, diminish=terms.diminish
    )
    holders = dict.fromkeys(grip.source for grip in grabs)
    rivals = [Trial(holder, "check", STRENGTH, Die(), against=who.id) for holder in holders]
    beaten = contest(ctx, mine, rivals, said.theirs).beaten
    for grip in grabs:
        if grip.source in beaten:
            end(ctx, who.id, grip.id, "escaped")
    free_of = [ctx.state[holder] for holder in beaten]
    ctx.text = f"{who.name} {f'escapes {names(free_of)}' if free_of else 'tries in vain to escape'}"


class Release(Struct, frozen=True):
    """`release [TARGET]`."""

    target: Annotated[
        Combatant | None, arguments.person("who is let go", usage="TARGET", asks="person:grabbed")
    ] = None


def release(ctx: Context, said: Release, who: Combatant, pay: Pay) -> None:
    """Let go of somebody, or of all whom one holds; free, at any time."""
    held = held_by(ctx.state, who.id)
    if said.target is not None and said.target not in held:
        raise Refused(f"{who.name} doesn't hold {said.target.name}")
    pay()
    freed = held if said.target is None else [said.target]
    for one, grip in _grips(freed, who.id):
        end(ctx, one, grip.id, "let go")
    ctx.text = f"{who.name} lets go of {names(freed)}"


def _grips(people: list[Combatant], holder: str) -> Iterator[tuple[str, Effect]]:
    """Each grab of a holder on these, and on whom it is."""
    return ((who.id, grip) for who in people for grip in grabs_on(who) if grip.source == holder)


ACTS = {
    "grab": Declared(Grab, grab),
    "escape": Declared(Escape, escape),
    "release": Declared(Release, release),
}

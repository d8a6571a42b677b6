"""A command decided anew: what an entry comes to when a roll of it comes out otherwise.

So a thread of fate bends a check that was just made, and a roll is made again. The dice that
the program rolled for it fall as they did:

    hit = decided(ctx, ctx.previous, "hit")         # the entry before, had its attack been a hit
    become(ctx, ctx.state, hit.state, "blocked")    # what comes out differently
"""

from __future__ import annotations

from collections.abc import Iterable

from affray.core.dice.sources import KeptDice
from affray.core.heart.decide import Context, Decision, decide
from affray.core.heart.difference import difference, within_bounds
from affray.core.heart.events import AnyEvent, Rolled
from affray.core.heart.fallen import fallen
from affray.core.heart.history import Previous
from affray.core.heart.state import Encounter


def rolled_beside(events: Iterable[AnyEvent]) -> tuple[Rolled, ...]:
    """The dice that the program rolled, those of checks and attacks apart: damage, for one."""
    return tuple(
        event
        for event in events
        if isinstance(event, Rolled) and not event.by_hand and event.natural is None and event.faces
    )


def decided(
    ctx: Context,
    origin: Previous,
    outcome: str = "",
    before: Encounter | None = None,
    rolled: Iterable[Rolled] | None = None,
    faces: tuple[int, ...] = (),
) -> Decision:
    """What an entry's command comes to when its roll comes out as `outcome`, or with these `faces`.

    before  the fight in which it is given, where that is not as it was
    rolled  the dice that fell for it, where not only those of the entry count

    Raises Refused where it can't be given any more.
    """
    known = rolled_beside(origin.entry.events) if rolled is None else rolled
    return decide(
        origin.before if before is None else before,
        origin.entry.command,
        ctx.ruleset,
        KeptDice(fallen(known), ctx.dice),
        origin.earlier(),
        said=outcome,
        faces=faces,
    )


def become(ctx: Context, was: Encounter, wanted: Encounter, why: str) -> None:
    """Let come true what is otherwise in `wanted`; tracks that moved since stay in their bounds."""
    for event in difference(was, wanted, why):
        ctx.emit(within_bounds(ctx.tables, ctx.state, event))

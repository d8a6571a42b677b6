"""Tied allies: either goes first, as long as neither has acted.

A turn's start has gone off by then for the one who stood first. It is taken back, whatever has been
noted or put right since, and the other's turn starts: the fight stands as if that one had begun.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from affray.core.difference import difference, within_bounds
from affray.core.events import AnyEvent, Became, Gained, Lost, Ordered, TurnStarted
from affray.core.evolve import evolve_all
from affray.core.history import Previous
from affray.core.refusal import Refused
from affray.core.state import Encounter, Slot
from affray.core.turns import can_take_turns, start_turn, step_in

if TYPE_CHECKING:
    from affray.core.decide import Context


def swap(ctx: Context, who: str) -> None:
    """Let a tied ally go first.

    Raises Refused unless both are tied, the present one has not acted, and the other may act yet.
    """
    now, other = ctx.state.slot(ctx.state.turn), ctx.state.slot(who)
    if now is None or other is None or ctx.state.up is None or who == ctx.state.turn:
        raise Refused("`swap NAME` needs a fight with a turn, and somebody else to take it")
    _refuse_unequal(ctx, now, other)
    _take_back_start(ctx, now.who)
    step_in(ctx, who)
    if other.open:
        ctx.emit(TurnStarted(who, resumed=True))
    else:
        start_turn(ctx, who)


def _refuse_unequal(ctx: Context, now: Slot, other: Slot) -> None:
    name, turn = ctx.state.name(other.who), ctx.state.name(now.who)
    if other.initiative != now.initiative or ctx.state[other.who].side != ctx.state[now.who].side:
        raise Refused(f"{name} is no ally tied with {turn}: initiative and side must be the same")
    if other.round >= ctx.state.round and not _waits(ctx, other):
        raise Refused(f"{name} has already had a turn this round")
    if not can_take_turns(ctx.state, other):
        raise Refused(f"{name} is {ctx.state[other.who].life}, and takes no turn")
    if ctx.ruleset.acted(ctx.state[now.who]):
        raise Refused(f"{turn} has already acted, so that turn has begun")


def _waits(ctx: Context, slot: Slot) -> bool:
    """Whether a turn has begun, and waits with nothing done: somebody came back in before it."""
    return slot.open and not slot.held and not ctx.ruleset.acted(ctx.state[slot.who])


def _take_back_start(ctx: Context, who: str) -> None:
    """Let a turn not have begun: what its start has changed is as it was, so far as it still is."""
    before, after = _start_of(ctx, who)
    then = {slot.who: slot for slot in before.slots if slot.who == who}
    ctx.emit(Ordered(tuple(_as_then(slot, then.get(slot.who)) for slot in ctx.state.slots)))
    for event in difference(after, before, f"{ctx.state.name(who)}'s turn is still to come"):
        if _still_fits(ctx.state, after, event):
            ctx.emit(within_bounds(ctx.tables, ctx.state, event))


def _as_then(slot: Slot, then: Slot | None) -> Slot:
    """The slot where it stands now, with the turns that it had had then."""
    return replace(slot, turns=then.turns, round=then.round, open=then.open) if then else slot


def _still_fits(state: Encounter, after: Encounter, event: AnyEvent) -> bool:
    """Whether what the start has changed is still so: a correction since then stays."""
    owner = state.find(event.who) if isinstance(event, Became | Gained | Lost) else None
    if isinstance(event, Became):
        return owner is not None and owner.life == after[event.who].life
    if isinstance(event, Gained):
        return owner is not None and owner.effect(event.effect.id) is None
    return not isinstance(event, Lost) or (
        owner is not None and owner.effect(event.effect) is not None
    )


def _start_of(ctx: Context, who: str) -> tuple[Encounter, Encounter]:
    """The fight before and after the start of the turn that somebody is taking.

    Raises Refused where the log doesn't have it.
    """
    here: Previous | None = ctx.previous
    while here is not None:
        events = here.entry.events
        starts = [i for i, event in enumerate(events) if _starts(event, who)]
        if starts:
            before = evolve_all(here.before, events[: starts[-1]])
            return before, evolve_all(before, events[starts[-1] :])
        here = here.earlier()
    raise Refused(f"the log doesn't say how {ctx.state.name(who)}'s turn began")


def _starts(event: AnyEvent, who: str) -> bool:
    return isinstance(event, TurnStarted) and event.who == who and not event.resumed

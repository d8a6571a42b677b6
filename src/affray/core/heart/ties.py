"""Tied allies: either goes first, as long as neither has acted.

A turn's start has gone off by then for the one who stood first. It is taken back, whatever has been
noted or put right since, and the other's turn starts: the fight stands as if that one had begun.
Either may be a group, whose members' turns start in one.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, TypeGuard

from msgspec.structs import replace

from affray.core.heart.difference import bounded, difference
from affray.core.heart.events import AnyEvent, Became, Gained, Lost, Ordered, TurnStarted
from affray.core.heart.evolve import evolve_all
from affray.core.heart.groups import name_of, unit_of, whose_turn
from affray.core.heart.history import back_from
from affray.core.heart.order import step_in
from affray.core.heart.state import Encounter, Slot
from affray.core.heart.turns import begin_turn, can_take_turns, who_acted
from affray.core.language.refusal import Refused

if TYPE_CHECKING:
    from affray.core.heart.decide import Context


def swap(ctx: Context, who: str) -> None:
    """Let a tied ally go first.

    Raises Refused unless both are tied, the present one has not acted, and the other may act yet.
    """
    now, other = ctx.state.slot(ctx.state.turn), ctx.state.slot(who)
    if now is None or other is None or ctx.state.up is None or ctx.state.takes_turn(who):
        raise Refused("`swap NAME` needs a fight with a turn, and somebody else to take it")
    _refuse_unequal(ctx, now, other)
    _take_back_start(ctx, ctx.state.taking_turn())
    step_in(ctx, who)
    begin_turn(ctx, next(slot for slot in ctx.state.slots if slot.who == who))


def _refuse_unequal(ctx: Context, now: Slot, other: Slot) -> None:
    name, turn = name_of(ctx.state, other.who), name_of(ctx.state, now.who)
    if other.initiative != now.initiative or ctx.state[other.who].side != ctx.state[now.who].side:
        raise Refused(f"{name} is no ally tied with {turn}: initiative and side must be the same")
    if other.round >= ctx.state.round and not _waits(ctx, other):
        raise Refused(f"{name} has already had a turn this round")
    if not can_take_turns(ctx.state, other):
        raise Refused(f"{name} is {ctx.state[other.who].life}, and takes no turn")
    if who_acted(ctx):
        raise Refused(f"{turn} has already acted, so that turn has begun")


def _waits(ctx: Context, slot: Slot) -> bool:
    """Whether a turn has begun, and waits with nothing done: somebody came back in before it."""
    row = (ctx.state.find(each.who) for each in unit_of(ctx.state, slot.who))
    acted = any(c is not None and ctx.ruleset.acted(c) for c in row)
    return slot.open and not slot.held and not acted


def _take_back_start(ctx: Context, people: Collection[str]) -> None:
    """Let a turn not have begun: what its start has changed is as it was, so far as it still is."""
    before, after = _start_of(ctx, people)
    counted = {s.who for s in unit_of(ctx.state, ctx.state.turn) if not can_take_turns(before, s)}
    then = {slot.who: slot for slot in before.slots if slot.who in counted.union(people)}
    ctx.emit(Ordered(tuple(_as_then(slot, then.get(slot.who)) for slot in ctx.state.slots)))
    for event in difference(after, before, f"{whose_turn(ctx.state)}'s turn is still to come"):
        if _still_fits(ctx.state, after, event):
            ctx.emit(bounded(ctx.tables, ctx.state, event))


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


def _start_of(ctx: Context, people: Collection[str]) -> tuple[Encounter, Encounter]:
    """The fight before and after the start of the turn that those people are taking.

    Raises Refused where the log doesn't have it.
    """
    for here in back_from(ctx.previous):
        events = here.entry.events
        starts = {event.who: i for i, event in enumerate(events) if _starts(event)}
        if starts.keys() >= set(people):
            first = min(starts[who] for who in people)
            before = evolve_all(here.before, events[:first])
            return before, evolve_all(before, events[first:])
    raise Refused(f"the log doesn't say how {whose_turn(ctx.state)}'s turn began")


def _starts(event: AnyEvent) -> TypeGuard[TurnStarted]:
    return isinstance(event, TurnStarted) and not event.resumed

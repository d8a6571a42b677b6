"""The order of turns: who is next, what a turn's start and end set off, delay and coming back.

Nobody's turn is ever lost by a change of order: within a round the next is always the first in the
order who has not had a turn. A turn can be open while another is taken (after a delay, or when tied
allies swap); it goes on, without a second start, when it comes round again.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from affray.core import timing
from affray.core.effects import end
from affray.core.events import (
    Counted,
    Delayed,
    Ordered,
    Rolled,
    RoundStarted,
    TurnEnded,
    TurnStarted,
)
from affray.core.refusal import Refused, listed
from affray.core.state import OUT_OF_THE_FIGHT, Clock, Edge, Encounter, Slot

if TYPE_CHECKING:
    from affray.core.decide import Context


def give_initiative(ctx: Context, totals: dict[str, int]) -> None:
    """Set initiatives and put those slots where they belong; the others stay as they stand.

    Highest first; ties as the ruleset ranks them, then behind those who are there. A latecomer
    whose place is past waits for the next round.
    """
    order = [s for s in ctx.state.slots if s.who not in totals]
    for slot in ctx.state.slots:
        if slot.who in totals:
            total = totals[slot.who]
            rank = ctx.ruleset.tie_rank(ctx, slot.who, total, order)
            new = replace(slot, initiative=total, rank=rank)
            key = _key(new)
            place = next((i for i, s in enumerate(order) if _key(s) > key), len(order))
            order.insert(place, new)
    slots = _behind_their_masters(ctx, order)
    if ctx.state.phase == "combat" and ctx.state.turn:
        latecomers = {
            s.who
            for s in ctx.state.slots
            if s.initiative is None or (s.who in totals and _waits_for_next_round(ctx.state, s))
        }
        slots = _late(slots, latecomers, ctx.state.turn, ctx.state.round)
    ctx.emit(Ordered(slots))


def forget_initiative(ctx: Context, people: Iterable[str]) -> None:
    """Take back the initiative of some; until it is known again they stand behind the others."""
    who = set(people)
    if who:
        slots = [replace(s, initiative=None) if s.who in who else s for s in ctx.state.slots]
        ctx.emit(Ordered(_behind_their_masters(ctx, sorted(slots, key=_key))))


def new_encounter(ctx: Context) -> None:
    """Begin anew after a fight that is over: nobody has had a turn, and initiative is unknown.

    Done once, by `start` or the first initiative that is given for it. Turns go on being numbered.
    """
    if ctx.state.phase == "ended" and any(slot.round for slot in ctx.state.slots):
        slots = tuple(Slot(s.who, turns=s.turns, gone=s.gone) for s in ctx.state.slots)
        ctx.emit(Ordered(slots))


def _key(slot: Slot) -> tuple[bool, int, tuple[int, ...]]:
    return (slot.initiative is None, -(slot.initiative or 0), slot.rank)


def _behind_their_masters(ctx: Context, order: list[Slot]) -> tuple[Slot, ...]:
    """The order with every slot that follows another right behind it, at its initiative."""
    masters = {}
    for slot in order:
        owner = ctx.state.find(slot.who)
        masters[slot.who] = ctx.ruleset.master(owner) if owner is not None else slot.follows
    there = {slot.who for slot in order if not masters[slot.who]}
    followers: dict[str, list[Slot]] = {}
    for slot in order:
        followers.setdefault(masters[slot.who], []).append(slot)
    placed: list[Slot] = []
    for slot in order:
        if masters[slot.who] in there:
            continue
        placed.append(replace(slot, follows="") if slot.follows else slot)
        placed += [
            replace(s, initiative=slot.initiative, rank=slot.rank, follows=slot.who)
            for s in followers.get(slot.who, ())
        ]
    return tuple(placed)


def _waits_for_next_round(state: Encounter, slot: Slot) -> bool:
    return not slot.turns and slot.round >= state.round


def _late(slots: tuple[Slot, ...], new: set[str], turn: str, round_: int) -> tuple[Slot, ...]:
    """The order with latecomers waiting for the next round, or for their place where that is still
    to come, be it only by a corrected initiative."""
    now = next((i for i, s in enumerate(slots) if s.who == turn), 0)
    return tuple(
        replace(s, round=round_ if i < now else min(s.round, round_ - 1))
        if s.who in new and i != now
        else s
        for i, s in enumerate(slots)
    )


def next_turn(ctx: Context) -> None:
    """End the present turn, if there is one, and begin the next.

    Whoever wakes by what was owed to the turn's start has the turn yet, and it goes on. Raises
    Refused for no one left, and for a round that can't begin yet.
    """
    if not anyone_left(ctx.state):
        raise Refused("nobody is left to take a turn; `end` closes the fight")
    waits = what_the_round_waits_for(ctx)
    if waits:
        raise Refused(f"{waits}: `init NAME NUMBER`, or `init roll` rolls for the rest")
    if ctx.state.turn:
        if _wakes_late(ctx, ctx.state.turn):
            return
        end_turn(ctx, ctx.state.turn)
    begin_next(ctx)


def what_the_round_waits_for(ctx: Context) -> str:
    """`round 2 waits for the initiative of Mira`; empty for a round that can begin."""
    names = listed([ctx.state.name(who) for who in ctx.ruleset.awaited(ctx.state)], "and")
    return f"round {ctx.state.round} waits for the initiative of {names}" if names else ""


def _wakes_late(ctx: Context, who: str) -> bool:
    """Roll what was owed to the turn's start; whether somebody who was down is up by it."""
    before = ctx.state.find(who)
    if before is None:
        return False
    ctx.ruleset.owed(ctx, who)
    return before.life != "up" and ctx.state[who].life == "up"


def begin_next(ctx: Context) -> None:
    """Begin the turn of the next one to act, counting through those who are gone or dead.

    Nobody is up when nobody is left, be it by what a turn's or a round's end has set off, and until
    all initiatives are known that the round waits for.
    """
    while anyone_left(ctx.state) and not ctx.ruleset.awaited(ctx.state):
        slot = _upcoming(ctx.state)
        if slot is None:
            _pass_over_those_who_waited(ctx)
            end_round(ctx)
        elif not can_take_turns(ctx.state, slot):
            _pass_over(ctx, slot.who)
        elif slot.held:  # waited a whole round: that turn is lost
            end_turn(ctx, slot.who)
        elif slot.open:
            ctx.emit(TurnStarted(slot.who, resumed=True))
            return
        else:
            start_turn(ctx, slot.who)
            return


def _upcoming(state: Encounter) -> Slot | None:
    return next((slot for slot in state.slots if _is_due(state, slot)), None)


def _is_due(state: Encounter, slot: Slot) -> bool:
    due = slot.round < state.round or (slot.open and not slot.held)
    return due and not _waits_for_its_master(state, slot)


def is_last(state: Encounter) -> bool:
    """Whether nobody but those who have delayed comes after the present turn in this round."""
    others = (slot for slot in state.slots if slot.who != state.turn)
    return not any(_is_due(state, slot) and can_take_turns(state, slot) for slot in others)


def _waits_for_its_master(state: Encounter, slot: Slot) -> bool:
    master = state.slot(slot.follows) if slot.follows else None
    return master is not None and master.held and not master.gone


def _pass_over_those_who_waited(ctx: Context) -> None:
    """The turns of those whose master has waited until the round was over are lost with his."""
    for slot in ctx.state.slots:
        if slot.round < ctx.state.round:
            _pass_over(ctx, slot.who)


def anyone_left(state: Encounter) -> bool:
    """Whether somebody in the fight can still take a turn."""
    return any(can_take_turns(state, slot) for slot in state.slots)


def can_take_turns(state: Encounter, slot: Slot) -> bool:
    """Whether its owner is in the fight, and alive."""
    if slot.gone:
        return False
    owner = state.find(slot.who)
    return owner is not None and owner.life not in OUT_OF_THE_FIGHT


def start_turn(ctx: Context, who: str) -> None:
    """Begin a turn: effects that end with its start, then what the rules do."""
    ctx.emit(TurnStarted(who))
    expire(ctx, who, "start")
    ctx.ruleset.turn_started(ctx, who)


def end_turn(ctx: Context, who: str) -> None:
    """End a turn: what the rules do, then the effects that end with it."""
    if ctx.state.find(who) is not None:
        ctx.ruleset.turn_ending(ctx, who)
    expire(ctx, who, "end")
    ctx.emit(TurnEnded(who))


def _pass_over(ctx: Context, who: str) -> None:
    ctx.emit(TurnEnded(who, passed=True))
    expire(ctx, who, "start")
    expire(ctx, who, "end")


def expire(ctx: Context, who: str, edge: Edge) -> None:
    """End every effect, on anybody, that is due at this edge of `who`'s turn."""
    for bearer, effect in timing.due(ctx.state, who, edge):
        end(ctx, bearer.id, effect.id, "its time is up")


def end_round(ctx: Context) -> None:
    """End the round: its effects, what the rules do, then the next round and its clocks."""
    for bearer, effect in timing.due_at_round_end(ctx.state):
        end(ctx, bearer.id, effect.id, "its time is up")
    ctx.ruleset.round_ended(ctx)
    ctx.emit(RoundStarted(ctx.state.round + 1))
    for clock in ctx.state.clocks:
        tick(ctx, clock)


def tick(ctx: Context, clock: Clock) -> None:
    """What a round's start does to a clock: a pool is rolled, a countdown of rounds goes down."""
    if clock.sides and clock.value:
        faces = tuple(ctx.dice.die(clock.sides) for _ in range(clock.value))
        ctx.emit(Rolled("", f"{clock.value}d{clock.sides}", faces, for_=clock.name))
        left = sum(1 for face in faces if face < clock.drops)
        ctx.emit(
            Counted(clock.name, replace(clock, value=left), why=f"{clock.value - left} left it")
        )
    elif clock.every == "round" and clock.value:
        ctx.emit(Counted(clock.name, replace(clock, value=clock.value - 1)))


def delay(ctx: Context, who: str, count: int | None = None) -> None:
    """Hold back in one's own turn, until one comes back, or to a lower count of the initiative.

    Raises Refused when it is not one's turn, when one has acted or is down, and for a count that is
    not lower.
    """
    if ctx.state.turn != who:
        raise Refused(f"it is not {ctx.state.name(who)}'s turn, so there is nothing to delay")
    if ctx.state[who].life != "up":
        raise Refused(f"{ctx.state.name(who)} can't delay: {ctx.state[who].life}")
    if ctx.ruleset.acted(ctx.state[who]):
        raise Refused(f"{ctx.state.name(who)} has already acted this turn, so can't delay it")
    slot = ctx.state.slot(who)
    if count is not None and slot is not None and count >= (slot.initiative or 0):
        raise Refused(f"a turn is delayed to a lower count than {slot.initiative}, not to {count}")
    ctx.emit(Delayed(who))
    ctx.ruleset.delayed(ctx, who)
    if count is not None:
        give_initiative(ctx, {who: count})
        ctx.emit(Ordered(tuple(replace(s, held=s.held and s.who != who) for s in ctx.state.slots)))
    begin_next(ctx)


def come_back(ctx: Context, who: str) -> None:
    """Take a delayed turn now, just before the one whose turn it is; that turn goes on after it.

    Where the rules don't let anybody's turn be interrupted, and this one has begun, it is ended if
    it is the last of the round. Raises Refused if it isn't.
    """
    slot = ctx.state.slot(who)
    if slot is None or not slot.held:
        raise Refused(f"{ctx.state.name(who)} has not delayed")
    now = ctx.state.up
    if now is not None and not ctx.ruleset.interrupts and ctx.ruleset.acted(now):
        if not is_last(ctx.state):
            raise Refused(
                f"{now.name} has acted: a delayed turn comes between two turns, not in one"
            )
        end_turn(ctx, now.id)
    step_in(ctx, who)
    ctx.emit(TurnStarted(who, resumed=True))


def step_in(ctx: Context, who: str) -> None:
    """Put a slot just before the one whose turn it is, with that one's initiative.

    When the last turn of the round is over, its place is a count below everybody's.
    """
    mine = next(s for s in ctx.state.slots if s.who == who)
    others = [s for s in ctx.state.slots if s.who != who]
    if ctx.state.turn:
        place = next((i for i, s in enumerate(others) if s.who == ctx.state.turn), len(others))
        there = others[place] if place < len(others) else mine
    else:
        known = [s.initiative for s in ctx.state.slots if s.initiative is not None]
        there = replace(mine, initiative=min(known, default=0) - 1)
        place = next((i for i, s in enumerate(others) if s.initiative is None), len(others))
    moved = replace(mine, initiative=there.initiative, rank=there.rank, round=ctx.state.round)
    if mine.round < ctx.state.round and not mine.held:  # its turn of this round is still to come
        moved = replace(moved, round=mine.round)
    ctx.emit(Ordered(_behind_their_masters(ctx, [*others[:place], moved, *others[place:]])))


def give_up_turn(ctx: Context, who: str) -> bool:
    """Count the turn of this round that is still to come as taken; gives whether there was one.

    What its start would end has ended. What its end would end is left to `expire`: something else
    may stand in for that turn.
    """
    slot = ctx.state.slot(who)
    if slot is None or slot.round >= ctx.state.round:
        return False
    ctx.emit(TurnEnded(who, passed=True))
    expire(ctx, who, "start")
    return True

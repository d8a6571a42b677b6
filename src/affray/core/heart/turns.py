"""Turns: who is next, what a turn's start and end set off, delay and coming back.

Nobody's turn is ever lost by a change of order: within a round the next is always the first in the
order who has not had a turn. A turn can be open while another is taken (after a delay, or when tied
allies swap); it goes on, without a second start, when it comes round again. All of a group take
their turns at once: each member's starts and ends, one after the other.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from msgspec.structs import replace

from affray.core.heart import countdowns, dynamic, groups, timing
from affray.core.heart.effects import end
from affray.core.heart.events import (
    Delayed,
    Ordered,
    RoundStarted,
    TurnEnded,
    TurnStarted,
)
from affray.core.heart.order import Side, give_initiative, stand_beside, step_in
from affray.core.heart.state import Edge, Encounter, Slot
from affray.core.language.refusal import Refused, listed

if TYPE_CHECKING:
    from affray.core.heart.decide import Context


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
        if _wakes_late(ctx):
            return
        end_present_turn(ctx)
    begin_next(ctx)


def what_the_round_waits_for(ctx: Context) -> str:
    """`round 2 waits for the initiative of Mira`; empty for a round that can begin."""
    names = listed([ctx.state.name(who) for who in dynamic.awaited(ctx.state)], "and")
    return f"round {ctx.state.round} waits for the initiative of {names}" if names else ""


def who_is_up(ctx: Context) -> str:
    """Whose turn it is; who lies there dying has one as well, but is not up."""
    waits = what_the_round_waits_for(ctx)
    whose = groups.whose_turn(ctx.state)
    if waits or not whose:
        return waits or "nobody is up"
    return f"{whose} is up" if groups.life_at_turn(ctx.state) == "up" else f"it is {whose}'s turn"


def _wakes_late(ctx: Context) -> bool:
    """Roll what was owed to the turn's start; whether somebody who was down is up by it."""
    wakes = False
    for who in ctx.state.taking_turn():
        before = ctx.state.find(who)
        if before is not None:
            ctx.ruleset.owed(ctx, who)
            wakes = wakes or (before.life != "up" and ctx.state[who].life == "up")
    return wakes


def begin_next(ctx: Context) -> None:
    """Begin the turn of the next one to act, counting through those who are gone or dead.

    Nobody is up when nobody is left, be it by what a turn's or a round's end has set off, and until
    all initiatives are known that the round waits for.
    """
    while anyone_left(ctx.state) and not dynamic.awaited(ctx.state):
        slot = next((s for s in ctx.state.slots if _is_due(ctx.state, s)), None)
        if slot is None:
            _pass_over_those_who_waited(ctx)
            end_round(ctx)
            continue
        able = [s for s in _due_with(ctx.state, slot) if can_take_turns(ctx.state, s)]
        waited = next((s.who for s in able if s.held), "")
        if not able:
            _pass_over(ctx, slot.who)
        elif waited:  # a whole round: that turn is lost
            end_turn(ctx, waited)
        else:
            begin_turn(ctx, slot)
            return


def _is_due(state: Encounter, slot: Slot) -> bool:
    due = slot.round < state.round or (slot.open and not slot.held)
    return due and not _waits_for_its_master(state, slot)


def _due_with(state: Encounter, slot: Slot) -> list[Slot]:
    """The slot, and those of its group whose turn is due as well, in their order."""
    return [s for s in groups.unit_with(state, slot) if s is slot or _is_due(state, s)]


def is_last(state: Encounter) -> bool:
    """Whether nobody but those who have delayed comes after the present turn in this round."""
    now = state.taking_turn()
    others = (slot for slot in state.slots if slot.who not in now)
    return not any(_is_due(state, slot) and can_take_turns(state, slot) for slot in others)


def _waits_for_its_master(state: Encounter, slot: Slot) -> bool:
    master = state.slot(slot.follows) if slot.follows else None
    return master is not None and master.held and not master.gone


def _pass_over_those_who_waited(ctx: Context) -> None:
    """The turns of those whose master has waited until the round was over are lost with his."""
    for slot in ctx.state.slots:
        if slot.round < ctx.state.round:
            _pass_over(ctx, slot.who)


@lru_cache(maxsize=16)  # a state never changes, and several panes ask for the same two of one
def coming_up(state: Encounter, most: int) -> tuple[str, ...]:
    """The ids of those who are likely to be up after the present turn, the next first.

    Of a group, which has one turn, only the first.
    """
    able = (
        next((slot.who for slot in unit if can_take_turns(state, slot)), "")
        for unit in groups.units_after(state, state.turn)
    )
    return tuple(islice(filter(None, able), most))


def anyone_left(state: Encounter) -> bool:
    """Whether somebody in the fight can still take a turn."""
    return any(can_take_turns(state, slot) for slot in state.slots)


def can_take_turns(state: Encounter, slot: Slot) -> bool:
    """Whether its owner is in the fight, alive, and one that has turns."""
    if slot.gone or slot.passive:
        return False
    owner = state.find(slot.who)
    return owner is not None and not owner.is_out


def begin_turn(ctx: Context, first: Slot) -> None:
    """Begin a turn, that of a group for all of it, or go on with it where it has begun.

    Who is out of the fight is only counted: what their turn would end ends with the group's.
    """
    for slot in _due_with(ctx.state, first):
        if not can_take_turns(ctx.state, slot):
            ctx.emit(TurnEnded(slot.who, passed=not slot.open))
            expire(ctx, slot.who, "start")
        elif slot.open:
            resume(ctx, slot.who)
        else:
            _start_turn(ctx, slot.who)


def resume(ctx: Context, who: str) -> None:
    """Go on with a turn that has begun. What was laid on while it was held back, until it starts,
    ends now: nothing else that starts will come before the next round."""
    ctx.emit(TurnStarted(who, resumed=True))
    expire(ctx, who, "start")


def _start_turn(ctx: Context, who: str) -> None:
    """Begin a turn: effects that end with its start, then what the rules do."""
    ctx.emit(TurnStarted(who))
    expire(ctx, who, "start")
    ctx.ruleset.turn_started(ctx, who)


def end_present_turn(ctx: Context) -> None:
    """End the turn that it is, for all who take it."""
    for who in ctx.state.taking_turn():
        end_turn(ctx, who)


def end_turn(ctx: Context, who: str) -> None:
    """End somebody's turn: what the rules do, then the effects that end with it.

    When it was the last of a group's, what turns of its dead would have ended ends as well.
    """
    if ctx.state.find(who) is not None:
        ctx.ruleset.turn_ending(ctx, who)
    expire(ctx, who, "end")
    ctx.emit(TurnEnded(who))
    unit = groups.unit_of(ctx.state, who)
    if not any(slot.open for slot in unit):
        for slot in unit:
            if slot.who != who:
                expire(ctx, slot.who, "end")


def _pass_over(ctx: Context, who: str) -> None:
    """Count a turn of somebody who takes none any more: that which had begun, for whoever fell in
    it and was interrupted, as ended, and no other besides."""
    slot = ctx.state.slot(who)
    if slot is not None and slot.open and not slot.held:
        end_turn(ctx, who)
        return
    ctx.emit(TurnEnded(who, passed=True))
    expire(ctx, who, "start")
    if ctx.state.find(who) is not None:
        ctx.ruleset.turn_passed(ctx, who)
    expire(ctx, who, "end")


def expire(ctx: Context, who: str, edge: Edge) -> None:
    """End every effect, on anybody, that is due at this edge of `who`'s turn."""
    for bearer, effect in timing.due(ctx.state, who, edge):
        end(ctx, bearer.id, effect.id, "its time is up")


def end_round(ctx: Context) -> None:
    """End the round: its effects, what the rules do, then the next round and its clocks.

    Where initiative is anew each round, a delayed turn that was not taken in it is over.
    """
    for bearer, effect in timing.due_at_round_end(ctx.state):
        end(ctx, bearer.id, effect.id, "its time is up")
    ctx.ruleset.round_ended(ctx)
    if dynamic.is_on(ctx.state):
        for slot in ctx.state.slots:
            if slot.held and not slot.gone:
                end_turn(ctx, slot.who)
        dynamic.roll_anew(ctx)
    ctx.emit(RoundStarted(ctx.state.round + 1))
    countdowns.begin_round(ctx)


def delay(ctx: Context, who: str, count: int | None) -> None:
    """Hold back in one's own turn, until one comes back, or to a lower count of the initiative.

    Raises Refused when it is not one's turn, when one has acted or is down, and for a count that is
    not lower.
    """
    _refuse_to_put_off(ctx, who, "delay")
    now = ctx.state.taking_turn()
    slot = ctx.state.slot(who)
    if count is not None and slot is not None and count >= (slot.initiative or 0):
        raise Refused(f"a turn is delayed to a lower count than {slot.initiative}, not to {count}")
    for member in now:
        ctx.emit(Delayed(member))
        ctx.ruleset.delayed(ctx, member)
    if count is not None:
        give_initiative(ctx, {who: count})
        slots = (replace(s, held=s.held and s.who not in now) for s in ctx.state.slots)
        ctx.emit(Ordered(tuple(slots)))
    begin_next(ctx)


def skip(ctx: Context, who: str, other: str, side: Side) -> None:
    """Give up the turn that it is, for a place before or after another from the next round on.

    Raises Refused when it is not one's turn, when one has acted or is down, and for no other place.
    """
    _refuse_to_put_off(ctx, who, "skip")
    beside = groups.unit_of(ctx.state, other)
    if beside == groups.unit_of(ctx.state, who):
        raise Refused(f"{ctx.state.name(who)} can only stand {side} somebody else")
    if not beside or beside[0].initiative is None:
        raise Refused(f"{ctx.state.name(other)} has no initiative yet: `init {other} NUMBER`")
    end_present_turn(ctx)
    stand_beside(ctx, who, other, side)
    begin_next(ctx)


def _refuse_to_put_off(ctx: Context, who: str, verb: str) -> None:
    """Raises Refused for whoever can't put off a turn: it isn't theirs, or they have acted."""
    name = ctx.state.name(who)
    if not ctx.state.takes_turn(who):
        raise Refused(f"it is not {name}'s turn, so there is nothing to {verb}")
    if ctx.state[who].life != "up":
        raise Refused(f"{name} can't {verb}: {ctx.state[who].life}")
    acted = who_acted(ctx)
    if acted:
        raise Refused(f"{ctx.state.name(acted)} has already acted this turn, so can't {verb} it")


def who_acted(ctx: Context) -> str:
    """Who has done something in the turn that it is: the first of a group; empty for nobody."""
    now = (ctx.state.find(who) for who in ctx.state.taking_turn())
    return next((c.id for c in now if c is not None and ctx.ruleset.acted(c)), "")


def come_back(ctx: Context, who: str) -> None:
    """Take a delayed turn now, just before the one whose turn it is; that turn goes on after it.

    Where the rules don't let anybody's turn be interrupted, and this one has begun, it is ended if
    it is the last of the round. Raises Refused if it isn't, and where all who wait with them are
    out of the fight.
    """
    slot = ctx.state.slot(who)
    if slot is None or not slot.held:
        raise Refused(f"{ctx.state.name(who)} has not delayed")
    held = [mine for mine in groups.unit_of(ctx.state, who) if mine.held]
    if not any(can_take_turns(ctx.state, mine) for mine in held):
        raise Refused(f"{ctx.state.name(who)} can't come back in: {ctx.state[who].life}")
    acted = "" if ctx.ruleset.interrupts else who_acted(ctx)
    if acted:
        if not is_last(ctx.state):
            raise Refused(
                f"{ctx.state.name(acted)} has acted: a delayed turn comes between two turns, "
                "not in one"
            )
        end_present_turn(ctx)
    step_in(ctx, who)
    for mine in held:
        resume(ctx, mine.who)


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

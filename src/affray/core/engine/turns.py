"""Turns: who is next, what a turn's start and end set off, delay and return, swapping with an ally.

No change of the order loses a turn: the next is always the first of this round's order who has had
none. A turn can be open while another is taken (after a delay, or a swap); it is resumed later
without a second start. Members of a group start and end their turns together. Start reading with
`next_turn`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from itertools import islice

from msgspec.structs import replace

from affray.core.engine import durations, events as e, turn_order
from affray.core.engine.effects import remove_effect
from affray.core.engine.evolve import clamp_event, diff_events, evolve_all
from affray.core.engine.history import earlier_entries
from affray.core.engine.initiative import (
    Placement,
    forget_initiative,
    initiatives,
    set_initiative,
    stand_beside,
    step_in,
)
from affray.core.engine.state import Combatant, Edge, Encounter, Slot
from affray.core.engine.turn_order import current_turn_label, leaders, row_label, turn_unit
from affray.core.parser.errors import Refused, join_or
from affray.core.rules.ruleset import Context, DecisionOption, PendingDecision, Ruleset

# -------------------------------------------------------------------------------------------------
# `setting dynamic-initiative on`: each round affray rolls for all but the players' characters, and
# the round begins when their players have called theirs (`init mira 14`, `init roll`).

SETTINGS: Mapping[str, tuple[str, ...]] = {"dynamic-initiative": ("off", "on")}


def has_dynamic_initiative(state: Encounter) -> bool:
    """Whether initiative is anew each round."""
    return state.settings.get("dynamic-initiative") == "on"


def roll_new_initiative(ctx: Context) -> None:
    """After a round: forget the characters' initiative, and roll it for everybody else."""
    alive = _alive(ctx.state)
    forget_initiative(ctx, [c.id for c in alive if c.kind == "pc"])
    others = [c.id for c in alive if c.kind != "pc"]
    set_initiative(ctx, initiatives(ctx, others))


def _alive(state: Encounter) -> list[Combatant]:
    """Combatants with an initiative of their own: no companions, and of a group only the first."""
    followers = {slot.who for slot in state.slots if slot.follows}
    alive = (c.id for c in state.in_order() if not c.is_out and c.id not in followers)
    return [state[combatant_id] for combatant_id in leaders(state, alive)]


def players_to_call(state: Encounter) -> list[str]:
    """The characters whose players have yet to call their initiative for the round that begins."""
    if not has_dynamic_initiative(state) or state.phase != "combat" or state.turn:
        return []
    if any(slot.round >= state.round for slot in state.slots if not slot.gone):
        return []  # the round has begun
    unknown = {slot.who for slot in state.slots if slot.initiative is None}
    return [c.id for c in _alive(state) if c.kind == "pc" and c.id in unknown]


def pending(ruleset: Ruleset, state: Encounter) -> list[PendingDecision]:
    """All that waits for the GM: what the rules ask, and initiative that players have to call."""
    waits = ruleset.turns.pending_decisions(ruleset.tables, state)
    return [*waits, *(_call(state, combatant_id) for combatant_id in players_to_call(state))]


def _call(state: Encounter, combatant_id: str) -> PendingDecision:
    name = state.name(combatant_id)
    return PendingDecision(
        combatant_id,
        f"{name}'s initiative for round {state.round}",
        (DecisionOption("r", "roll", f"init {combatant_id} roll"),),
        missed=f"{name} has no initiative yet",
        die=f"init {combatant_id}",
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
        if _wakes_late(ctx):
            return
        end_present_turn(ctx)
    begin_next(ctx)


def what_the_round_waits_for(ctx: Context) -> str:
    """`round 2 waits for the initiative of Mira`; empty for a round that can begin."""
    names = join_or(
        [ctx.state.name(combatant_id) for combatant_id in players_to_call(ctx.state)], "and"
    )
    return f"round {ctx.state.round} waits for the initiative of {names}" if names else ""


def who_is_up(ctx: Context) -> str:
    """Whose turn it is; who lies there dying has one as well, but is not up."""
    waits = what_the_round_waits_for(ctx)
    whose = turn_order.current_turn_label(ctx.state)
    if waits or not whose:
        return waits or "nobody is up"
    return (
        f"{whose} is up" if turn_order.life_at_turn(ctx.state) == "up" else f"it is {whose}'s turn"
    )


def _wakes_late(ctx: Context) -> bool:
    """Roll what was owed to the turn's start; whether somebody who was down is up by it."""
    wakes = False
    for combatant_id in ctx.state.taking_turn():
        before = ctx.state.find(combatant_id)
        if before is not None:
            ctx.ruleset.turns.roll_deferred(ctx, combatant_id)
            wakes = wakes or (before.life != "up" and ctx.state[combatant_id].life == "up")
    return wakes


def begin_next(ctx: Context) -> None:
    """Begin the turn of the next one to act, counting through those who are gone or dead.

    Nobody is up when nobody is left, be it by what a turn's or a round's end has set off, and until
    all initiatives are known that the round waits for.
    """
    while anyone_left(ctx.state) and not players_to_call(ctx.state):
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
    return [s for s in turn_order.unit_with(state, slot) if s is slot or _is_due(state, s)]


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
def upcoming_turns(state: Encounter, most: int) -> tuple[str, ...]:
    """The ids of those who are likely to be up after the present turn, the next first.

    Of a group, which has one turn, only the first.
    """
    able = (
        next((slot.who for slot in unit if can_take_turns(state, slot)), "")
        for unit in turn_order.units_after(state, state.turn)
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
            ctx.emit(e.TurnEnded(slot.who, passed=not slot.open))
            end_due_effects(ctx, slot.who, "start")
        elif slot.open:
            resume(ctx, slot.who)
        else:
            _start_turn(ctx, slot.who)


def resume(ctx: Context, combatant_id: str) -> None:
    """Go on with a turn that has begun. What was laid on while it was held back, until it starts,
    ends now: nothing else that starts will come before the next round."""
    ctx.emit(e.TurnStarted(combatant_id, resumed=True))
    end_due_effects(ctx, combatant_id, "start")


def _start_turn(ctx: Context, combatant_id: str) -> None:
    """Begin a turn: effects that end with its start, then what the rules do."""
    ctx.emit(e.TurnStarted(combatant_id))
    end_due_effects(ctx, combatant_id, "start")
    ctx.ruleset.turns.on_turn_start(ctx, combatant_id)


def end_present_turn(ctx: Context) -> None:
    """End the turn that it is, for all who take it."""
    for combatant_id in ctx.state.taking_turn():
        end_turn(ctx, combatant_id)


def end_turn(ctx: Context, combatant_id: str) -> None:
    """End somebody's turn: what the rules do, then the effects that end with it.

    When it was the last of a group's, what turns of its dead would have ended ends as well.
    """
    if ctx.state.find(combatant_id) is not None:
        ctx.ruleset.turns.on_turn_ending(ctx, combatant_id)
    end_due_effects(ctx, combatant_id, "end")
    ctx.emit(e.TurnEnded(combatant_id))
    unit = turn_order.turn_unit(ctx.state, combatant_id)
    if not any(slot.open for slot in unit):
        for slot in unit:
            if slot.who != combatant_id:
                end_due_effects(ctx, slot.who, "end")


def _pass_over(ctx: Context, combatant_id: str) -> None:
    """Count a turn of somebody who takes none any more: that which had begun, for whoever fell in
    it and was interrupted, as ended, and no other besides."""
    slot = ctx.state.slot(combatant_id)
    if slot is not None and slot.open and not slot.held:
        end_turn(ctx, combatant_id)
        return
    ctx.emit(e.TurnEnded(combatant_id, passed=True))
    end_due_effects(ctx, combatant_id, "start")
    if ctx.state.find(combatant_id) is not None:
        ctx.ruleset.turns.on_turn_passed(ctx, combatant_id)
    end_due_effects(ctx, combatant_id, "end")


def end_due_effects(ctx: Context, combatant_id: str, edge: Edge) -> None:
    """End every effect, on anybody, that is due at this edge of `combatant_id`'s turn."""
    for bearer, effect in durations.due_effects(ctx.state, combatant_id, edge):
        remove_effect(ctx, bearer.id, effect.id, "its time is up")


def end_round(ctx: Context) -> None:
    """End the round: its effects, what the rules do, then the next round and its clocks.

    Where initiative is anew each round, a delayed turn that was not taken in it is over.
    """
    for bearer, effect in durations.due_at_round_end(ctx.state):
        remove_effect(ctx, bearer.id, effect.id, "its time is up")
    ctx.ruleset.turns.on_round_end(ctx)
    if has_dynamic_initiative(ctx.state):
        for slot in ctx.state.slots:
            if slot.held and not slot.gone:
                end_turn(ctx, slot.who)
        roll_new_initiative(ctx)
    ctx.emit(e.RoundStarted(ctx.state.round + 1))
    durations.begin_round(ctx)


def delay_turn(ctx: Context, combatant_id: str, count: int | None) -> None:
    """Hold back in one's own turn, until one comes back, or to a lower count of the initiative.

    Raises Refused when it is not one's turn, when one has acted or is down, and for a count that is
    not lower.
    """
    _refuse_to_put_off(ctx, combatant_id, "delay")
    now = ctx.state.taking_turn()
    slot = ctx.state.slot(combatant_id)
    if count is not None and slot is not None and count >= (slot.initiative or 0):
        raise Refused(f"a turn is delayed to a lower count than {slot.initiative}, not to {count}")
    for member in now:
        ctx.emit(e.Delayed(member))
        ctx.ruleset.turns.on_turn_delayed(ctx, member)
    if count is not None:
        set_initiative(ctx, {combatant_id: count})
        slots = (replace(s, held=s.held and s.who not in now) for s in ctx.state.slots)
        ctx.emit(e.InitiativeSet(tuple(slots)))
    begin_next(ctx)


def skip_turn(ctx: Context, combatant_id: str, other: str, side: Placement) -> None:
    """Give up the turn that it is, for a place before or after another from the next round on.

    Raises Refused when it is not one's turn, when one has acted or is down, and for no other place.
    """
    _refuse_to_put_off(ctx, combatant_id, "skip")
    beside = turn_order.turn_unit(ctx.state, other)
    if beside == turn_order.turn_unit(ctx.state, combatant_id):
        raise Refused(f"{ctx.state.name(combatant_id)} can only stand {side} somebody else")
    if not beside or beside[0].initiative is None:
        raise Refused(f"{ctx.state.name(other)} has no initiative yet: `init {other} NUMBER`")
    end_present_turn(ctx)
    stand_beside(ctx, combatant_id, other, side)
    begin_next(ctx)


def _refuse_to_put_off(ctx: Context, combatant_id: str, verb: str) -> None:
    """Raises Refused for whoever can't put off a turn: it isn't theirs, or they have acted."""
    name = ctx.state.name(combatant_id)
    if not ctx.state.takes_turn(combatant_id):
        raise Refused(f"it is not {name}'s turn, so there is nothing to {verb}")
    if ctx.state[combatant_id].life != "up":
        raise Refused(f"{name} can't {verb}: {ctx.state[combatant_id].life}")
    acted = who_acted(ctx)
    if acted:
        raise Refused(f"{ctx.state.name(acted)} has already acted this turn, so can't {verb} it")


def who_acted(ctx: Context) -> str:
    """The id of somebody who has acted in the current turn, the first of a group; empty for
    nobody."""
    now = (ctx.state.find(combatant_id) for combatant_id in ctx.state.taking_turn())
    return next((c.id for c in now if c is not None and ctx.ruleset.turns.has_acted(c)), "")


def come_back(ctx: Context, combatant_id: str) -> None:
    """Take a delayed turn now, just before the one whose turn it is; that turn goes on after it.

    Where the rules don't let anybody's turn be interrupted, and this one has begun, it is ended if
    it is the last of the round. Raises Refused if it isn't, and where all who wait with them are
    out of the fight.
    """
    slot = ctx.state.slot(combatant_id)
    if slot is None or not slot.held:
        raise Refused(f"{ctx.state.name(combatant_id)} has not delayed")
    held = [mine for mine in turn_order.turn_unit(ctx.state, combatant_id) if mine.held]
    if not any(can_take_turns(ctx.state, mine) for mine in held):
        raise Refused(
            f"{ctx.state.name(combatant_id)} can't come back in: {ctx.state[combatant_id].life}"
        )
    acted = "" if ctx.ruleset.delayed_turns_interrupt else who_acted(ctx)
    if acted:
        if not is_last(ctx.state):
            raise Refused(
                f"{ctx.state.name(acted)} has acted: a delayed turn comes between two turns, "
                "not in one"
            )
        end_present_turn(ctx)
    step_in(ctx, combatant_id)
    for mine in held:
        resume(ctx, mine.who)


def give_up_turn(ctx: Context, combatant_id: str) -> bool:
    """Count the turn of this round that is still to come as taken; gives whether there was one.

    What its start would end has ended. What its end would end is left to
    `end_due_effects`: something else may stand in for that turn.
    """
    slot = ctx.state.slot(combatant_id)
    if slot is None or slot.round >= ctx.state.round:
        return False
    ctx.emit(e.TurnEnded(combatant_id, passed=True))
    end_due_effects(ctx, combatant_id, "start")
    return True


# -------------------------------------------------------------------------------------------------
# Swapping tied allies: the first one's turn start is reversed and the other's turn starts, as if it
# had come first. Either may be a group.


def swap_tied(ctx: Context, combatant_id: str) -> None:
    """Let a tied ally go first.

    Raises Refused unless both are tied, the present one has not acted, and the other may act yet.
    """
    now, other = ctx.state.slot(ctx.state.turn), ctx.state.slot(combatant_id)
    if now is None or other is None or ctx.state.up is None or ctx.state.takes_turn(combatant_id):
        raise Refused("`swap NAME` needs a fight with a turn, and somebody else to take it")
    _refuse_unequal(ctx, now, other)
    _take_back_start(ctx, ctx.state.taking_turn())
    step_in(ctx, combatant_id)
    begin_turn(ctx, next(slot for slot in ctx.state.slots if slot.who == combatant_id))


def _refuse_unequal(ctx: Context, now: Slot, other: Slot) -> None:
    name, turn = row_label(ctx.state, other.who), row_label(ctx.state, now.who)
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
    row = (ctx.state.find(each.who) for each in turn_unit(ctx.state, slot.who))
    acted = any(c is not None and ctx.ruleset.turns.has_acted(c) for c in row)
    return slot.open and not slot.held and not acted


def _take_back_start(ctx: Context, people: Collection[str]) -> None:
    """Let a turn not have begun: what its start has changed is as it was, so far as it still is."""
    before, after = _start_of(ctx, people)
    counted = {s.who for s in turn_unit(ctx.state, ctx.state.turn) if not can_take_turns(before, s)}
    then = {slot.who: slot for slot in before.slots if slot.who in counted.union(people)}
    ctx.emit(e.InitiativeSet(tuple(_as_then(slot, then.get(slot.who)) for slot in ctx.state.slots)))
    for event in diff_events(
        after, before, f"{current_turn_label(ctx.state)}'s turn is still to come"
    ):
        if _still_fits(ctx.state, after, event):
            ctx.emit(clamp_event(ctx.tables, ctx.state, event))


def _as_then(slot: Slot, then: Slot | None) -> Slot:
    """The slot where it stands now, with the turns that it had had then."""
    return replace(slot, turns=then.turns, round=then.round, open=then.open) if then else slot


def _still_fits(state: Encounter, after: Encounter, event: e.AnyEvent) -> bool:
    """Whether what the start has changed is still so: a correction since then stays."""
    owner = (
        state.find(event.who)
        if isinstance(event, e.LifeChanged | e.EffectGained | e.EffectLost)
        else None
    )
    if isinstance(event, e.LifeChanged):
        return owner is not None and owner.life == after[event.who].life
    if isinstance(event, e.EffectGained):
        return owner is not None and owner.effect(event.effect.id) is None
    return not isinstance(event, e.EffectLost) or (
        owner is not None and owner.effect(event.effect) is not None
    )


def _start_of(ctx: Context, people: Collection[str]) -> tuple[Encounter, Encounter]:
    """The fight before and after the start of the turn that those people are taking.

    Raises Refused where the log doesn't have it.
    """
    for entry in earlier_entries(ctx.previous):
        events = entry.entry.events
        starts = {
            event.who: i
            for i, event in enumerate(events)
            if isinstance(event, e.TurnStarted) and not event.resumed
        }
        if starts.keys() >= set(people):
            first = min(starts[combatant_id] for combatant_id in people)
            before = evolve_all(entry.before, events[:first])
            return before, evolve_all(before, events[first:])
    raise Refused(f"the log doesn't say how {current_turn_label(ctx.state)}'s turn began")

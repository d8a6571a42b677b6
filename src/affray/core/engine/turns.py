"""Turns: who is next, the effects of a turn's start and end, delay and return, swaps with an ally.

No change of the order loses a turn: next is always the first of this round's order who has had
none. A turn can stay open while somebody takes another (after a delay or a swap), and goes on later
without a second start. Members of a group start and end their turns together. Start with
`next_turn`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from itertools import islice

from msgspec.structs import replace

from affray.core.engine import durations, events as e, initiative, turn_order
from affray.core.engine.effects import remove_effect
from affray.core.engine.evolve import clamp_event, diff_events, evolve_all
from affray.core.engine.history import earlier_entries
from affray.core.engine.initiative import acts_by_sides
from affray.core.engine.resets import reset_tracks
from affray.core.engine.settings import DYNAMIC_INITIATIVE, ORDER
from affray.core.engine.state import Combatant, Edge, Encounter, Slot
from affray.core.engine.turn_order import current_turn_label, leaders, row_label, turn_unit
from affray.core.parser.errors import Refused, join_or
from affray.core.rules.ruleset import Context, DecisionOption, PendingDecision, Ruleset

# -------------------------------------------------------------------------------------------------
# `setting dynamic-initiative on`: each round affray rolls for all but the players' characters, and
# the round begins when their players have called theirs (`init mira 14`, `init roll`).


def has_dynamic_initiative(state: Encounter) -> bool:
    """True if initiative is rolled again each round, and decides who is next."""
    return DYNAMIC_INITIATIVE.is_on(state) and not is_popcorn(state)


# -------------------------------------------------------------------------------------------------
# `setting order sides`: all of a side start a turn together, and each may end their own before the
# side's end. `setting order popcorn`: whoever has had a turn names the next.


def is_popcorn(state: Encounter) -> bool:
    """True if the last one names the next."""
    return ORDER.value(state) == "popcorn"


def begin_with_usual_settings(ctx: Context) -> None:
    """Write the game's own usual settings down as the first combatant joins, unless the table has
    chosen others: who reads the log knows no rules."""
    if ctx.ruleset.usual_settings and ctx.state.combatants and not ctx.before.combatants:
        for name, value in ctx.ruleset.usual_settings.items():
            if name not in ctx.state.settings:
                ctx.emit(e.SettingChanged(name, value))


def follow_sides(ctx: Context) -> None:
    """Put everybody with their side again, after a change of sides or of the setting."""
    state = ctx.state
    if not (acts_by_sides(state) or acts_by_sides(ctx.before)):  # nobody shares a turn then
        return
    if acts_by_sides(state):
        sides = {each.id: each.side for each in state.combatants}
        is_right = all(slot.shares == sides.get(slot.who, slot.shares) for slot in state.slots)
    else:
        is_right = not any(slot.shares for slot in state.slots)
    if not is_right:
        initiative.arrange_anew(ctx)


def choices(state: Encounter) -> list[str]:
    """Return the ids of those who may be named next, one for each row, if the last one names the
    next: those without a turn in this round, or else anybody."""
    if not is_popcorn(state) or not state.in_combat:
        return []
    able = [slot for slot in state.slots if can_take_turns(state, slot)]
    now = state.taking_turn()
    due = [slot for slot in able if slot.who not in now and _is_due(state, slot)]
    interrupted = [slot for slot in due if slot.open]
    return leaders(state, (slot.who for slot in interrupted[:1] or due or able))


def end_own_turn(ctx: Context, combatant_id: str) -> None:
    """End somebody's own turn within their side's, which goes on. Raises Refused if sides don't act
    at once, and for somebody without a turn now.
    """
    name = ctx.state.name(combatant_id)
    if not acts_by_sides(ctx.state):
        raise Refused("`finish` is for sides that act at once: `next` ends the turn")
    if not ctx.state.takes_turn(combatant_id):
        raise Refused(f"it is not {name}'s turn")
    end_turn(ctx, combatant_id)
    slot = ctx.state.slot(combatant_id)
    if slot is not None and slot.round < ctx.state.round and can_take_turns(ctx.state, slot):
        _begin_one(ctx, slot)  # it has another turn in this round
        reset_tracks(ctx, [combatant_id], "turn", "a new turn")
    elif not ctx.state.turn:
        begin_next(ctx)


def initiative_in_words(
    ruleset: Ruleset, initiative: int | None, number: Callable[[int], str] = str, none: str = ""
) -> str:
    """Return an initiative in words: the game's word, or the number; `none` if unknown."""
    if initiative is None:
        return none
    words = ruleset.initiative.words(ruleset.tables)
    return next((word for word, its in words.items() if its == initiative), number(initiative))


def roll_new_initiative(ctx: Context) -> None:
    """After a round, forget the initiative of characters and of those out of the fight; roll
    everybody else's."""
    alive = _alive(ctx.state)
    units = {turn_unit(ctx.state, c.id) for c in alive}
    out = [
        c.id for c in ctx.state.in_order() if c.is_out and turn_unit(ctx.state, c.id) not in units
    ]
    initiative.forget_initiative(ctx, [*out, *(c.id for c in alive if c.kind == "pc")])
    others = [c.id for c in alive if c.kind != "pc"]
    initiative.set_initiative(ctx, initiative.initiatives(ctx, others))


def roll_for_raised(ctx: Context) -> None:
    """Roll the initiative of who was out as the round began and is up again; players call their
    characters'."""
    state = ctx.state
    if has_dynamic_initiative(state) and state.in_combat and state.turn:
        unknown = {slot.who for slot in state.slots if slot.initiative is None and not slot.gone}
        raised = [c.id for c in _alive(state) if c.id in unknown and c.kind != "pc"]
        if raised:
            initiative.set_initiative(ctx, initiative.initiatives(ctx, raised))


def _alive(state: Encounter) -> list[Combatant]:
    """Combatants with an initiative of their own: no companions, and of a group only the first."""
    followers = {slot.who for slot in state.slots if slot.follows}
    alive = (c.id for c in state.in_order() if not c.is_out and c.id not in followers)
    return [state[combatant_id] for combatant_id in leaders(state, alive)]


def players_to_call(state: Encounter) -> list[str]:
    """Return the characters whose players have yet to call their initiative for this round."""
    if not has_dynamic_initiative(state) or not state.in_combat or state.turn:
        return []
    if any(slot.round >= state.round for slot in state.slots if not slot.gone):
        return []  # the round has begun
    unknown = {slot.who for slot in state.slots if slot.initiative is None}
    return [c.id for c in _alive(state) if c.kind == "pc" and c.id in unknown]


@lru_cache(maxsize=16)
def pending(ruleset: Ruleset, state: Encounter) -> list[PendingDecision]:
    """Return all decisions that wait for the GM: the rules', and initiative to be called."""
    waits = ruleset.turns.pending_decisions(ruleset.tables, state)
    return [*waits, *(_call(state, combatant_id) for combatant_id in players_to_call(state))]


def missed(ruleset: Ruleset, before: Encounter, after: Encounter) -> list[str]:
    """Say what the turn that ends now has missed."""
    if (after.turn, after.round) == (before.turn, before.round):
        return []
    waiting = pending(ruleset, before)
    return [each.missed for each in waiting if each.missed and before.takes_turn(each.who)]


def _call(state: Encounter, combatant_id: str) -> PendingDecision:
    name = state.name(combatant_id)
    return PendingDecision(
        combatant_id,
        f"{name}'s initiative for round {state.round}",
        (DecisionOption("r", "roll", f"init {combatant_id} roll"),),
        missed=f"{name} has no initiative yet",
        die=f"init {combatant_id}",
    )


def next_turn(ctx: Context, named: str = "") -> None:
    """End the current turn, if there is one, and begin the next: that of the one `named`, if the
    last one names it. First make a roll still open from the turn's start, such as a death save;
    somebody it wakes keeps the turn. Raises Refused if nobody is left, if a round can't begin yet,
    and for a wrong or missing name.
    """
    if not anyone_left(ctx.state):
        raise Refused("nobody is left to take a turn; `end` closes the fight")
    waits = what_the_round_waits_for(ctx)
    if waits:
        raise Refused(f"{waits}: `init NAME NUMBER`, or `init roll` rolls for the rest")
    follows = _who_follows(ctx, named)
    if ctx.state.turn:
        if _wakes_late(ctx):
            return
        end_present_turn(ctx)
    begin_next(ctx, follows)


def _who_follows(ctx: Context, named: str) -> str:
    """Find who is next by name, or as the only one left; empty if the order decides."""
    state = ctx.state
    if not is_popcorn(state):
        return ""
    may = choices(state)
    row = may[0] if len(may) == 1 and not named else named
    if named:
        row = next(iter(leaders(state, (s.who for s in turn_unit(state, named)))), named)
    if not named and not row and any(slot.round for slot in state.slots):
        raise Refused(f"who is next? `next NAME`: {join_or(map(state.name, may))}", may)
    if named and row not in may:
        name, gone = state.name(named), state[named].is_out
        why = f"{name} is {state[named].life}" if gone else f"{name} has had a turn this round"
        raise Refused(f"{why}: expected {join_or(map(state.name, may))}", may)
    return row


def what_the_round_waits_for(ctx: Context) -> str:
    """`round 2 waits for the initiative of Mira`; empty for a round that can begin."""
    names = join_or(
        [ctx.state.name(combatant_id) for combatant_id in players_to_call(ctx.state)], "and"
    )
    return f"round {ctx.state.round} waits for the initiative of {names}" if names else ""


def who_is_up(ctx: Context) -> str:
    """Describe whose turn it is, or what the round waits for."""
    waits = what_the_round_waits_for(ctx)
    return waits or turn_order.who_is_up(ctx.state) or "it is nobody's turn"


def _wakes_late(ctx: Context) -> bool:
    """Make the rolls still open from the turn's start; True if that woke somebody."""
    wakes = False
    for combatant_id in ctx.state.taking_turn():
        before = ctx.state.find(combatant_id)
        if before is not None:
            ctx.ruleset.turns.roll_deferred(ctx, combatant_id)
            wakes = wakes or (before.life != "up" and ctx.state[combatant_id].life == "up")
    return wakes


def begin_next(ctx: Context, named: str = "") -> None:
    """Begin the next turn, and count the turns of the gone and the dead on the way. It is nobody's
    turn afterwards if nobody is left, while the round waits for initiative, or if a `named` one is
    missing.
    """
    while anyone_left(ctx.state) and not players_to_call(ctx.state):
        if _begins_as_named(ctx, named):
            return
        slot = next((s for s in ctx.state.slots if _is_due(ctx.state, s)), None)
        if slot is None:
            for late in ctx.state.slots:  # a companion whose owner delayed all round
                if late.round < ctx.state.round:
                    _pass_over(ctx, late.who)
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


def _begins_as_named(ctx: Context, named: str) -> bool:
    """Begin the turn of the one named; True if the order has nothing more to begin."""
    state = ctx.state
    if not is_popcorn(state):
        return False
    due = [s for s in state.slots if _is_due(state, s) and can_take_turns(state, s)]
    if not due or not any(slot.round for slot in state.slots):
        return False
    slot = next((slot for slot in due if slot.who == named), None)
    if slot is not None:
        begin_turn(ctx, slot)
    return slot is not None or (not named and len(choices(state)) > 1)


def _is_due(state: Encounter, slot: Slot) -> bool:
    due = slot.round < state.round or (slot.open and not slot.held)
    master = state.slot(slot.follows) if slot.follows else None
    return due and not (master is not None and master.held and not master.gone)


def _due_with(state: Encounter, slot: Slot) -> list[Slot]:
    """The slot, and those of its group or side whose turn is due as well, in their order."""
    return [s for s in turn_order.sharing_turn(state, slot) if s is slot or _is_due(state, s)]


def is_last(state: Encounter) -> bool:
    """True if only delayed turns are left in this round after the present one."""
    now = state.taking_turn()
    others = (slot for slot in state.slots if slot.who not in now)
    return not any(_is_due(state, slot) and can_take_turns(state, slot) for slot in others)


@lru_cache(maxsize=16)  # a state never changes, and several panes ask for the same two of one
def upcoming_turns(state: Encounter, most: int) -> tuple[str, ...]:
    """Return the ids of those likely to be up after the present turn, the next first.

    A group, which has one turn, is represented by its first member.
    """
    if is_popcorn(state):
        may = choices(state)
        return tuple(may) if len(may) == 1 else ()
    able = (
        next((slot.who for slot in unit if can_take_turns(state, slot)), "")
        for unit in turn_order.units_after(state, state.turn)
    )
    return tuple(islice(filter(None, able), most))


def anyone_left(state: Encounter) -> bool:
    """True if somebody in the fight can still take a turn."""
    return any(can_take_turns(state, slot) for slot in state.slots)


def can_take_turns(state: Encounter, slot: Slot) -> bool:
    """True if its owner is in the fight, alive, and one that has turns."""
    if slot.gone or slot.passive:
        return False
    owner = state.find(slot.who)
    return owner is not None and not owner.is_out


def begin_turn(ctx: Context, first: Slot) -> None:
    """Begin a turn, or resume an open one, for the slot and all of its group or side.

    Members who are out of the fight get their turn counted, so that effects end with it.
    """
    due = _due_with(ctx.state, first)
    begins = [s.who for s in due if not s.open and can_take_turns(ctx.state, s)]
    for slot in due:
        if not can_take_turns(ctx.state, slot):
            ctx.emit(e.TurnEnded(slot.who, passed=not slot.open))
            end_due_effects(ctx, slot.who, "start")
        elif slot.open:
            resume(ctx, slot.who)
        else:
            _begin_one(ctx, slot)
    reset_tracks(ctx, begins, "turn", "a new turn")


def _begin_one(ctx: Context, slot: Slot) -> None:
    ctx.emit(e.TurnStarted(slot.who))
    end_due_effects(ctx, slot.who, "start")
    ctx.ruleset.turns.on_turn_start(ctx, slot.who)


def resume(ctx: Context, combatant_id: str) -> None:
    """Continue a turn that was interrupted, and end the effects due at its start.

    An effect "until the start of X's turn" that began during the interruption would otherwise last
    another round.
    """
    ctx.emit(e.TurnStarted(combatant_id, resumed=True))
    end_due_effects(ctx, combatant_id, "start")


def end_present_turn(ctx: Context) -> None:
    """End the present turn, for all who take it."""
    for combatant_id in ctx.state.taking_turn():
        end_turn(ctx, combatant_id)


def end_turn(ctx: Context, combatant_id: str) -> None:
    """End somebody's turn: call the rules, then end the effects that are due.

    The last turn of a group also ends the effects that its dead members' turns would have ended.
    """
    if ctx.state.find(combatant_id) is not None:
        ctx.ruleset.turns.on_turn_ending(ctx, combatant_id)
    end_due_effects(ctx, combatant_id, "end")
    ctx.emit(e.TurnEnded(combatant_id))
    _come_again(ctx, combatant_id)
    slot = ctx.state.slot(combatant_id)
    unit = turn_order.sharing_turn(ctx.state, slot) if slot is not None else ()
    if not any(slot.open for slot in unit):
        for slot in unit:
            if slot.who != combatant_id:
                end_due_effects(ctx, slot.who, "end")


# -------------------------------------------------------------------------------------------------
# Several turns a round for one: those behind the first come evenly among the turns that are left.


def set_often(ctx: Context, combatant_id: str, often: int) -> None:
    """Give somebody several turns a round. Raises Refused for a companion, and for a group's
    member."""
    slot = ctx.state.slot(combatant_id)
    if slot is None or slot.follows or slot.passive or slot.group:
        name = ctx.state.name(combatant_id)
        raise Refused(f"{name} has no turn of its own, so can't have several a round")
    again = often - 1 if slot.open or slot.round < max(1, ctx.state.round) else 0
    new = replace(slot, often=often, again=again)
    ctx.emit(e.InitiativeSet(tuple(new if s is slot else s for s in ctx.state.slots)))


def _come_again(ctx: Context, combatant_id: str) -> None:
    """Put somebody who has had a turn in their place for another of this round, if any is left."""
    state = ctx.state
    slot = state.slot(combatant_id)
    if slot is None or not slot.again or not can_take_turns(state, slot):
        return
    again = replace(slot, again=slot.again - 1, round=state.round - 1)
    others = [s for s in state.slots if s is not slot]
    due = [s for s in others if _is_due(state, s) and can_take_turns(state, s)]
    rows = [unit[-1] for unit in turn_order.turn_units(due)]
    before = -(-len(rows) // (slot.again + 1))
    place = (
        others.index(rows[before - 1]) + 1 if rows and not slot.shares else state.slots.index(slot)
    )
    ctx.emit(e.InitiativeSet((*others[:place], again, *others[place:])))


def come_back_to_places(ctx: Context) -> None:
    """Let a round begin for those who have several turns in it."""
    slots = ctx.state.slots
    if any(slot.often > 1 for slot in slots):
        ready = [replace(slot, again=slot.often - 1) for slot in slots]
        ctx.emit(e.InitiativeSet(initiative.in_places(ctx, ready)))


def _pass_over(ctx: Context, combatant_id: str) -> None:
    """Count a turn of somebody who no longer takes any.

    It ends an open turn in which they fell and were interrupted, and counts no further one.
    """
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
    """End the round, with its effects, and begin the next one and its clocks.

    With dynamic initiative, a delayed turn that was not taken in the round is lost.
    """
    for bearer, effect in durations.due_at_round_end(ctx.state):
        remove_effect(ctx, bearer.id, effect.id, "its time is up")
    ctx.ruleset.turns.on_round_end(ctx)
    if has_dynamic_initiative(ctx.state):
        for slot in ctx.state.slots:
            if slot.held and not slot.gone:
                end_turn(ctx, slot.who)
        roll_new_initiative(ctx)
    come_back_to_places(ctx)
    ctx.emit(e.RoundStarted(ctx.state.round + 1))
    reset_tracks(ctx, (each.id for each in ctx.state.combatants), "round", "a new round")
    durations.begin_round(ctx)


def delay_turn(ctx: Context, combatant_id: str, count: int | None) -> None:
    """Delay a combatant's present turn, until they come back or to a lower initiative count.

    Raises Refused when it isn't their turn, when they have acted or are down, and for a count that
    is not lower.
    """
    _refuse_to_put_off(ctx, combatant_id, "delay")
    now = _own_turn(ctx.state, combatant_id)
    slot = ctx.state.slot(combatant_id)
    if count is not None and ORDER.value(ctx.state) != "rolled":
        raise Refused("there are no counts to delay to: `delay` alone, and `return` later")
    if count is not None and slot is not None and count >= (slot.initiative or 0):
        raise Refused(f"a turn is delayed to a lower count than {slot.initiative}, not to {count}")
    for member in now:
        ctx.emit(e.Delayed(member))
        ctx.ruleset.turns.on_turn_delayed(ctx, member)
    if count is not None:
        initiative.set_initiative(ctx, {combatant_id: count})
        slots = (replace(s, held=s.held and s.who not in now) for s in ctx.state.slots)
        ctx.emit(e.InitiativeSet(tuple(slots)))
    if not ctx.state.turn:
        begin_next(ctx)


def _own_turn(state: Encounter, combatant_id: str) -> tuple[str, ...]:
    """The ids of those who delay together: a group; of a side each alone."""
    if not acts_by_sides(state):
        return state.taking_turn()
    row = turn_unit(state, combatant_id)
    return tuple(slot.who for slot in row if state.takes_turn(slot.who))


def skip_turn(ctx: Context, combatant_id: str, other: str, side: initiative.Placement) -> None:
    """Give up the present turn for a place before or after another combatant, from the next round
    on.

    Raises Refused when it isn't their turn, when they have acted or are down, and when the other
    stands in the same place or has no initiative.
    """
    _refuse_to_put_off(ctx, combatant_id, "skip")
    beside = turn_order.turn_unit(ctx.state, other)
    if beside == turn_order.turn_unit(ctx.state, combatant_id):
        raise Refused(f"{ctx.state.name(combatant_id)} can only go {side} somebody else")
    if not beside or beside[0].initiative is None:
        raise Refused(f"{ctx.state.name(other)} has no initiative yet: `init {other} NUMBER`")
    end_present_turn(ctx)
    initiative.stand_beside(ctx, combatant_id, other, side)
    begin_next(ctx)


def _refuse_to_put_off(ctx: Context, combatant_id: str, verb: str) -> None:
    """Raises Refused if somebody can't put off a turn: it isn't theirs, or they have acted."""
    name = ctx.state.name(combatant_id)
    if not ctx.state.takes_turn(combatant_id):
        raise Refused(f"it is not {name}'s turn, so there is nothing to {verb}")
    if ctx.state[combatant_id].life != "up":
        raise Refused(f"{name} can't {verb}: {ctx.state[combatant_id].life}")
    acted = who_acted(ctx, _own_turn(ctx.state, combatant_id))
    if acted:
        raise Refused(f"{ctx.state.name(acted)} has already acted this turn, so can't {verb} it")


def who_acted(ctx: Context, people: Sequence[str] | None = None) -> str:
    """Return the id of the first of those `people` who has acted in the current turn; empty for
    nobody."""
    ids = ctx.state.taking_turn() if people is None else people
    now = (ctx.state.find(combatant_id) for combatant_id in ids)
    return next((c.id for c in now if c is not None and ctx.ruleset.turns.has_acted(c)), "")


def come_back(ctx: Context, combatant_id: str) -> None:
    """Take a delayed turn now, just before the present one, which goes on afterwards.

    In games without interruptions, a present turn in which somebody has acted is ended first, if
    only delayed turns are left in the round. Raises Refused if others are left, and where all who
    wait together are out of the fight.
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
                f"{ctx.state.name(acted)} has acted: a delayed turn comes between two turns, not "
                "during one"
            )
        end_present_turn(ctx)
    if ORDER.value(ctx.state) == "rolled":
        initiative.step_in(ctx, combatant_id)
    for mine in held:
        resume(ctx, mine.who)


def give_up_turn(ctx: Context, combatant_id: str) -> bool:
    """Count a combatant's turn of this round as taken; False if it was taken already.

    Effects due at its start end. The caller ends those due at its end (`end_due_effects`), since
    something else may replace that turn.
    """
    slot = ctx.state.slot(combatant_id)
    if slot is None or slot.round >= ctx.state.round:
        return False
    ctx.emit(e.TurnEnded(combatant_id, passed=True))
    end_due_effects(ctx, combatant_id, "start")
    return True


# -------------------------------------------------------------------------------------------------
# Swapping tied allies: this reverses the start of the first one's turn and starts the other's, as
# if that had come first. Either may be a group.


def swap_tied(ctx: Context, combatant_id: str) -> None:
    """Let a tied ally go before the one whose turn it is.

    Raises Refused unless both are tied, the present one has not acted, and the other can still act.
    """
    if ORDER.value(ctx.state) != "rolled":
        raise Refused("there are no ties to swap: this order goes without initiative")
    now, other = ctx.state.slot(ctx.state.turn), ctx.state.slot(combatant_id)
    if now is None or other is None or ctx.state.up is None or ctx.state.takes_turn(combatant_id):
        raise Refused("`swap NAME` works only in a fight, and with somebody else")
    _refuse_unequal(ctx, now, other)
    _undo_turn_start(ctx, ctx.state.taking_turn())
    initiative.step_in(ctx, combatant_id)
    begin_turn(ctx, next(slot for slot in ctx.state.slots if slot.who == combatant_id))


def _refuse_unequal(ctx: Context, now: Slot, other: Slot) -> None:
    name, turn = row_label(ctx.state, other.who), row_label(ctx.state, now.who)
    is_ally = ctx.state[other.who].side == ctx.state[now.who].side or ctx.ruleset.swaps_foes
    if other.initiative != now.initiative or not is_ally:
        raise Refused(
            f"{name} is not an ally tied with {turn}: initiative and side must be the same"
        )
    unit = [ctx.state.find(slot.who) for slot in turn_unit(ctx.state, other.who)]
    acted = any(c is not None and ctx.ruleset.turns.has_acted(c) for c in unit)
    is_interrupted = other.open and not other.held and not acted
    if other.round >= ctx.state.round and not is_interrupted:
        raise Refused(f"{name} has already had a turn this round")
    if not can_take_turns(ctx.state, other):
        raise Refused(f"{name} is {ctx.state[other.who].life}, so takes no turn")
    if who_acted(ctx):
        raise Refused(f"{turn} has already acted, so that turn has begun")


def _undo_turn_start(ctx: Context, people: Collection[str]) -> None:
    """Emit events that reverse the start of these combatants' present turn.

    A change that was corrected by hand since then stays (`_still_fits`).
    """
    before, after = _start_of(ctx, people)
    counted = {s.who for s in turn_unit(ctx.state, ctx.state.turn) if not can_take_turns(before, s)}
    then = {slot.who: slot for slot in before.slots if slot.who in counted.union(people)}
    slots = (
        replace(slot, turns=old.turns, round=old.round, open=old.open)
        if (old := then.get(slot.who))
        else slot
        for slot in ctx.state.slots
    )
    ctx.emit(e.InitiativeSet(tuple(slots)))
    for event in diff_events(
        after, before, f"{current_turn_label(ctx.state)}'s turn is still to come"
    ):
        if _still_fits(ctx.state, after, event):
            ctx.emit(clamp_event(ctx.tables, ctx.state, event))


def _still_fits(state: Encounter, after: Encounter, event: e.AnyEvent) -> bool:
    """True if the change that an event reverses has not been corrected since then."""
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
    """Return the fight before and after the start of these combatants' current turn. Raises Refused
    if the log lacks that start.
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
    raise Refused(f"the log doesn't show how {current_turn_label(ctx.state)}'s turn began")

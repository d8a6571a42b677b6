"""Initiative: who gets which, and where that puts their slot in the order of turns.

A combatant that gets an initiative is put in its place; the others stay as they are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Literal

from msgspec.structs import replace

from affray.core.engine.events import InitiativeSet
from affray.core.engine.state import Encounter, Slot
from affray.core.engine.turn_order import is_finished, turn_unit, turn_units
from affray.core.rules.ruleset import Context

_INITIATIVE = ("init", "initiative")
"""The stats under which sheets have it."""
Placement = Literal["before", "after"]
"""On which side of another somebody stands in the order."""


def initiatives(ctx: Context, who: Sequence[str], lying: tuple[int, ...] = ()) -> dict[str, int]:
    """Roll initiative by the rules, or with dice that lie there, and give the totals by id.

    That of a hazard is its count, such as that of a lair which acts on 20 in every round.
    """
    hazards = [each for one in who if (each := ctx.state[one]).kind == "hazard"]
    counts = {h.id: h.number(stat) for h in hazards for stat in _INITIATIVE if stat in h.stats}
    rolling = [one for one in who if one not in counts]
    return counts | (ctx.ruleset.initiative.roll(ctx, rolling, lying) if rolling else {})


def set_initiative(ctx: Context, totals: dict[str, int]) -> None:
    """Set initiatives and put those slots where they belong; the others stay as they stand.

    Highest first; ties as the ruleset ranks them, then behind those who are there. A member's is
    its group's; of several members' the first one's is. A latecomer whose place is past waits for
    the next round.
    """
    order = [unit for unit in turn_units(ctx.state.slots) if not _first_of(unit, totals)]
    moved: set[str] = set()
    for unit in turn_units(ctx.state.slots):
        combatant_id = _first_of(unit, totals)
        if combatant_id:
            placed = [slot for other in order for slot in other]
            rank = ctx.ruleset.initiative.tie_rank(ctx, combatant_id, totals[combatant_id], placed)
            new = tuple(replace(slot, initiative=totals[combatant_id], rank=rank) for slot in unit)
            place = next((i for i, u in enumerate(order) if _key(u[0]) > _key(new[0])), len(order))
            order.insert(place, new)
            moved.update(slot.who for slot in unit)
    slots = arranged(ctx, [slot for unit in order for slot in unit])
    if ctx.state.phase == "combat" and ctx.state.turn:
        slots = _late(ctx.state, slots, moved)
    ctx.emit(InitiativeSet(slots))


def _first_of(unit: tuple[Slot, ...], people: Collection[str]) -> str:
    """The first of a unit who is among those people; empty for none."""
    return next((slot.who for slot in unit if slot.who in people), "")


def forget_initiative(ctx: Context, people: Iterable[str]) -> None:
    """Take back the initiative of some and their groups; until it is known again they stand behind
    the others."""
    who = set(people)
    if who:
        slots = [
            replace(slot, initiative=None) if _first_of(unit, who) else slot
            for unit in turn_units(ctx.state.slots)
            for slot in unit
        ]
        ctx.emit(InitiativeSet(arranged(ctx, sorted(slots, key=_key))))


def new_encounter(ctx: Context) -> None:
    """Begin anew after a fight that is over: nobody has had a turn, and initiative is unknown.

    Done once, by `start` or the first initiative that is given for it. Turns go on being numbered,
    and groups stay together.
    """
    if is_finished(ctx.state):
        slots = (Slot(s.who, turns=s.turns, gone=s.gone, group=s.group) for s in ctx.state.slots)
        ctx.emit(InitiativeSet(tuple(slots)))


def _key(slot: Slot) -> tuple[bool, int, tuple[int, ...]]:
    return (slot.initiative is None, -(slot.initiative or 0), slot.rank)


def arranged(ctx: Context, order: list[Slot]) -> tuple[Slot, ...]:
    """The order with all of a group where its first stands, and every slot that follows another
    right behind that one, or its group, at its initiative. Who follows is in no group. Whoever the
    rules give no turns is passed over."""
    masters = {}
    for slot in order:
        owner = ctx.state.find(slot.who)
        masters[slot.who] = (
            ctx.ruleset.companions.owner_of(owner) if owner is not None else slot.follows
        )
    there = {slot.who for slot in order if not masters[slot.who]}
    followers = [slot for slot in order if masters[slot.who] in there]
    placed: list[Slot] = []
    for unit in turn_units([slot for slot in order if masters[slot.who] not in there]):
        placed += [replace(slot, follows="") if slot.follows else slot for slot in unit]
        placed += [
            replace(s, initiative=led.initiative, rank=led.rank, follows=led.who, group="")
            for led in unit
            for s in followers
            if masters[s.who] == led.who
        ]
    return tuple(_as_its_owner_is(ctx, slot) for slot in placed)


def _as_its_owner_is(ctx: Context, slot: Slot) -> Slot:
    """The slot as one of somebody who has turns, or who has none."""
    owner = ctx.state.find(slot.who)
    passive = owner is not None and ctx.ruleset.companions.has_no_turn(ctx.state, owner)
    return slot if slot.passive == passive else replace(slot, passive=passive)


def arrange_anew(ctx: Context) -> None:
    """Put right who follows whom and who has turns, where something has changed that."""
    slots = arranged(ctx, list(ctx.state.slots))
    if slots != ctx.state.slots:
        ctx.emit(InitiativeSet(slots))


def _late(state: Encounter, slots: tuple[Slot, ...], moved: set[str]) -> tuple[Slot, ...]:
    """The order with latecomers waiting for the next round, or for their place where that is still
    to come, be it only by a corrected initiative."""
    latecomers = {
        s.who
        for s in state.slots
        if s.initiative is None or (s.who in moved and not s.turns and s.round >= state.round)
    }.difference(state.taking_turn())
    now = next((i for i, s in enumerate(slots) if s.who == state.turn), 0)
    return tuple(
        replace(s, round=state.round if i < now else min(s.round, state.round - 1))
        if s.who in latecomers
        else s
        for i, s in enumerate(slots)
    )


def step_in(ctx: Context, combatant_id: str) -> None:
    """Put somebody, and their group, just before the one whose turn it is, with that one's
    initiative.

    When the last turn of the round is over, their place is a count below everybody's.
    """
    mine = turn_unit(ctx.state, combatant_id)
    others = [s for s in ctx.state.slots if s not in mine]
    if ctx.state.turn:
        first = turn_unit(ctx.state, ctx.state.turn)[:1]
        place = next((i for i, s in enumerate(others) if s in first), len(others))
        there = others[place] if place < len(others) else mine[0]
    else:
        numbers = [s.initiative for s in ctx.state.slots if s.initiative is not None]
        there = replace(mine[0], initiative=min(numbers, default=0) - 1)
        place = next((i for i, s in enumerate(others) if s.initiative is None), len(others))
    moved = [_stepped_in(ctx.state, slot, there) for slot in mine]
    ctx.emit(InitiativeSet(arranged(ctx, [*others[:place], *moved, *others[place:]])))


def _stepped_in(state: Encounter, slot: Slot, there: Slot) -> Slot:
    """The slot with another's initiative; its turn of this round, if that is still to come, is."""
    to_come = slot.round < state.round and not slot.held
    round_ = slot.round if to_come else state.round
    return replace(slot, initiative=there.initiative, rank=there.rank, round=round_)


def stand_beside(ctx: Context, combatant_id: str, other: str, side: Placement) -> None:
    """Put somebody, and their group, before or after another, with that one's initiative.

    Whether their turn of this round is still to come stays as it is.
    """
    mine, beside = turn_unit(ctx.state, combatant_id), turn_unit(ctx.state, other)
    others = [slot for slot in ctx.state.slots if slot not in mine]
    place = others.index(beside[0]) + (len(beside) if side == "after" else 0)
    there = beside[0]
    moved = [replace(s, initiative=there.initiative, rank=there.rank) for s in mine]
    ctx.emit(InitiativeSet(arranged(ctx, [*others[:place], *moved, *others[place:]])))

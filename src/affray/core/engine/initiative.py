"""Initiative: it is rolled or set, and puts a combatant's slot in its place in the turn order.

The other slots keep their order.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import takewhile
from typing import Literal

from msgspec.structs import replace

from affray.core.engine.events import InitiativeSet
from affray.core.engine.history import earlier_entries
from affray.core.engine.settings import ORDER
from affray.core.engine.state import Encounter, Slot
from affray.core.engine.turn_order import is_finished, turn_unit, turn_units
from affray.core.rules.ruleset import Context

_INITIATIVE = ("init", "initiative")
"""The stats under which sheets have it."""
Placement = Literal["before", "after"]
"""The side of another slot in the order: before or after."""


def acts_by_sides(state: Encounter) -> bool:
    """True if all of a side act at once."""
    return ORDER.value(state) == "sides"


def initiatives(ctx: Context, who: Sequence[str], lying: tuple[int, ...] = ()) -> dict[str, int]:
    """Roll initiative by the rules, or with the dice in `lying`, and return the totals by id.

    A hazard doesn't roll: its sheet has a fixed count, such as 20 for a lair.
    """
    hazards = [each for one in who if (each := ctx.state[one]).kind == "hazard"]
    counts = {h.id: h.number(stat) for h in hazards for stat in _INITIATIVE if stat in h.stats}
    rolling = [one for one in who if one not in counts]
    return counts | (ctx.ruleset.initiative.roll(ctx, rolling, lying) if rolling else {})


def set_initiative(ctx: Context, totals: dict[str, int]) -> None:
    """Set initiatives and move those slots to their places; the others keep theirs.

    Highest first. The ruleset ranks ties; further ties go after those who are there. A group has
    the initiative of the first of its members in `totals`. A latecomer whose place has passed waits
    for the next round.
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
    if ctx.state.in_combat and ctx.state.turn:
        slots = _late(ctx, slots, moved)
    ctx.emit(InitiativeSet(slots))


def _first_of(unit: tuple[Slot, ...], people: Collection[str]) -> str:
    """The first of a unit among those people; empty for none."""
    return next((slot.who for slot in unit if slot.who in people), "")


def forget_initiative(ctx: Context, people: Iterable[str]) -> None:
    """Make the initiative of combatants and their groups unknown: they go after the others."""
    who = set(people)
    if who:
        slots = [
            replace(slot, initiative=None) if _first_of(unit, who) else slot
            for unit in turn_units(ctx.state.slots)
            for slot in unit
        ]
        ctx.emit(InitiativeSet(arranged(ctx, sorted(slots, key=_key))))


def new_encounter(ctx: Context) -> None:
    """Reset the order after a fight that is over: nobody has had a turn, initiative is unknown.

    Nothing happens in a fight that isn't over. Numbers of turns go on, and groups stay together.
    """
    if is_finished(ctx.state):
        slots = (
            Slot(s.who, turns=s.turns, gone=s.gone, group=s.group, shares=s.shares, often=s.often)
            for s in ctx.state.slots
        )
        ctx.emit(InitiativeSet(tuple(slots)))


def _key(slot: Slot) -> tuple[bool, int, tuple[int, ...]]:
    return (slot.initiative is None, -(slot.initiative or 0), slot.rank)


def arranged(ctx: Context, order: list[Slot]) -> tuple[Slot, ...]:
    """Return the order with groups together and companions right after their owners. A group has
    the place of its first member. A companion has its owner's initiative and is in no group. Slots
    without turns by the rules are marked `passive`.
    """
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
    return _by_side(ctx.state, [_with_passive(ctx, slot) for slot in placed])


def _by_side(state: Encounter, order: list[Slot]) -> tuple[Slot, ...]:
    """The order with all of a side at the place of its first, where sides act at once."""
    if not acts_by_sides(state):
        return tuple(replace(slot, shares="") if slot.shares else slot for slot in order)
    shared = []
    for slot in order:
        owner = state.find(slot.who)
        side = owner.side if owner is not None else slot.shares
        shared.append(slot if slot.shares == side else replace(slot, shares=side))
    return tuple(slot for unit in turn_units(shared, lambda s: s.shares) for slot in unit)


def _with_passive(ctx: Context, slot: Slot) -> Slot:
    owner = ctx.state.find(slot.who)
    passive = owner is not None and ctx.ruleset.companions.has_no_turn(ctx.state, owner)
    return slot if slot.passive == passive else replace(slot, passive=passive)


def in_places(ctx: Context, slots: Iterable[Slot]) -> tuple[Slot, ...]:
    """Return the order by initiative, with those who delayed back in it."""
    return arranged(ctx, sorted(slots, key=_key))


def arrange_anew(ctx: Context) -> None:
    """Arrange the order again, after a change of owners or of who has turns."""
    slots = arranged(ctx, list(ctx.state.slots))
    if slots != ctx.state.slots:
        ctx.emit(InitiativeSet(slots))


def _late(ctx: Context, slots: tuple[Slot, ...], moved: set[str]) -> tuple[Slot, ...]:
    """The order in which latecomers wait for their place, or for the next round if it has passed.

    Latecomers are those whose initiative was unknown, and those moved before their first turn: the
    number that is replaced counts as never rolled (every game, ruling 7).
    """
    state = ctx.state
    latecomers = {
        s.who
        for s in state.slots
        if s.initiative is None
        or (s.who in moved and not s.turns and (s.round >= state.round or _has_joined(ctx, s.who)))
    }.difference(state.taking_turn())
    now = next((i for i, s in enumerate(slots) if s.who == state.turn), 0)
    return tuple(
        replace(s, round=state.round if i < now else min(s.round, state.round - 1))
        if s.who in latecomers
        else s
        for i, s in enumerate(slots)
    )


def _has_joined(ctx: Context, combatant_id: str) -> bool:
    """True if somebody had no initiative yet when this round began."""
    states = (each.before for each in earlier_entries(ctx.previous))
    this_round = takewhile(lambda state: state.round == ctx.state.round, states)
    there = [state.slot(combatant_id) for state in this_round if state.turn]
    return any(slot is None or slot.initiative is None for slot in there)


def step_in(ctx: Context, combatant_id: str) -> None:
    """Put somebody, and their group, just before the present turn, at the same initiative.

    When the last turn of the round is over, they stand one count below everybody.
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
    moved = []
    for slot in mine:
        to_come = slot.round < ctx.state.round and not slot.held
        round_ = slot.round if to_come else ctx.state.round
        moved.append(replace(slot, initiative=there.initiative, rank=there.rank, round=round_))
    ctx.emit(InitiativeSet(arranged(ctx, [*others[:place], *moved, *others[place:]])))


def stand_beside(ctx: Context, combatant_id: str, other: str, side: Placement) -> None:
    """Put somebody, and their group, before or after another, at the same initiative.

    They get no second turn in this round by it, and lose none.
    """
    mine, beside = turn_unit(ctx.state, combatant_id), turn_unit(ctx.state, other)
    others = [slot for slot in ctx.state.slots if slot not in mine]
    place = others.index(beside[0]) + (len(beside) if side == "after" else 0)
    there = beside[0]
    moved = [replace(s, initiative=there.initiative, rank=there.rank) for s in mine]
    ctx.emit(InitiativeSet(arranged(ctx, [*others[:place], *moved, *others[place:]])))

"""The order of initiative: who acts after whom, with groups and companions kept together.

A combatant that gets an initiative is put in its place; the others stay as they are. A group is
nothing but a name that its members' slots share (`Slot.group`): they have one initiative and one
turn, but each its own HP, tracks, effects and life. A companion stands right behind its owner.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from msgspec.structs import replace

from affray.core.engine.events import InitiativeSet
from affray.core.engine.state import Combatant, Encounter, Slot
from affray.core.formatting.safe_text import hyphenate

if TYPE_CHECKING:
    from affray.core.engine.decide import Context


# -------------------------------------------------------------------------------------------------
# Groups, as rows of the order: six mooks are one row.


class TurnOrderRow(Struct, frozen=True, gc=False):
    """A line of the order: one combatant, or all of a group that are in the fight, the dead too.

    `slot` is the first one's; `group` is the group's bare name, empty for one alone.
    """

    members: tuple[Combatant, ...]
    slot: Slot
    group: str = ""

    @property
    def name(self) -> str:
        """The name of the row: `Brannoc`, or `Crockling ×6` by the members that are alive."""
        return group_label(self.group, self.members) if self.group else self.members[0].name


def unit_index(combatant_id: str, units: Sequence[Sequence[Slot]]) -> int | None:
    """In which of those who act together somebody is; None for a stranger, and for nobody."""
    return next(
        (n for n, unit in enumerate(units) if combatant_id in [slot.who for slot in unit]), None
    )


def group_label(group: str, members: Iterable[Combatant]) -> str:
    """A group's name with the number of its members that are alive: `Crockling ×6`."""
    return f"{group} ×{sum(1 for c in members if not c.is_out)}"


def row_label(state: Encounter, combatant_id: str) -> str:
    """The name of the row in which somebody acts: `Crockling ×6` for a member, else the name."""
    slot = state.slot(combatant_id)
    if slot is None or not slot.group:
        return state.name(combatant_id)
    return group_label(slot.group, group_members(state, slot.group))


def current_turn_label(state: Encounter) -> str:
    """The name of those who are up; empty when nobody is.

    They are their group, unless others of it who are alive have had their turn or hold it back.
    """
    slot, up = state.slot(state.turn), list(state.all_up())
    if slot is None or not state.acting:
        return state.name(state.turn)
    all_alive = (c for c in group_members(state, slot.group) if not c.is_out)
    if all(state.takes_turn(c.id) for c in all_alive):
        return row_label(state, state.turn)
    return up[0].name if len(up) == 1 else group_label(slot.group, up)


def life_at_turn(state: Encounter) -> str:
    """The life of whose turn it is: in a group of the one who is best off. Empty for nobody."""
    row = (state.find(slot.who) for slot in turn_unit(state, state.turn))
    best = first_able(combatant for combatant in row if combatant is not None)
    return best.life if best is not None else ""


def why_not_their_turn(state: Encounter) -> str:
    """Why somebody can't act who is not up: `it is Mira's turn`, or `nobody's turn`."""
    return f"it is {current_turn_label(state)}'s turn" if state.turn else "nobody's turn"


def said_by(state: Encounter, combatant_id: str) -> str:
    """The ` by NAME` of a command in which somebody acts outside of their turn; else empty."""
    return "" if combatant_id == state.turn else f" by {combatant_id}"


def group_members(state: Encounter, group: str) -> list[Combatant]:
    """All of a group who are in the fight, in their order; none for a group that isn't there."""
    slots = (slot for slot in state.slots if slot.group == group and not slot.gone)
    found = (state.find(slot.who) for slot in slots)
    return [combatant for combatant in found if combatant is not None]


def turn_unit(state: Encounter, combatant_id: str) -> tuple[Slot, ...]:
    """The slot of somebody, with all of their group, those who left too; none of a stranger's."""
    mine = state.slot(combatant_id)
    return () if mine is None else unit_with(state, mine)


def unit_with(state: Encounter, slot: Slot) -> tuple[Slot, ...]:
    """The slot, with all of its group."""
    return tuple(s for s in state.slots if s.group == slot.group) if slot.group else (slot,)


def first_able(people: Iterable[Combatant]) -> Combatant | None:
    """The first of some who is up; else the first who is alive, or else the first; None of none."""
    return min(people, key=lambda c: (c.life != "up", c.is_out), default=None)


def groups_of(state: Encounter) -> list[str]:
    """The names of the groups of which somebody is in the fight, in their order."""
    return list(dict.fromkeys(s.group for s in state.slots if s.group and not s.gone))


def group_tokens(state: Encounter) -> list[str]:
    """The names of those groups as commands have them, each in one word: `reed-rats`."""
    return [hyphenate(name) for name in groups_of(state)]


def group_named(state: Encounter, word: str) -> str:
    """The group that a word names, however it is written; empty for none."""
    return next((name for name in groups_of(state) if hyphenate(name) == hyphenate(word)), "")


def leaders(state: Encounter, people: Iterable[str]) -> list[str]:
    """The ids among `people` with an initiative of their own; of a group only the first alive."""
    led = {}
    for slot in state.slots:
        owner = state.find(slot.who) if slot.group and slot.group not in led else None
        if owner is not None and not slot.gone and not owner.is_out:
            led[slot.group] = slot.who
    in_groups = {slot.who: slot.group for slot in state.slots if slot.group}
    return [
        combatant_id
        for combatant_id in people
        if led.get(in_groups.get(combatant_id, ""), combatant_id) == combatant_id
    ]


def turn_order_rows(state: Encounter) -> list[TurnOrderRow]:
    """The rows of the turn order, in the order in which they act."""
    by_id = {c.id: c for c in state.combatants}
    there = [slot for slot in state.slots if not slot.gone and slot.who in by_id]
    return [
        TurnOrderRow(tuple([by_id[slot.who] for slot in unit]), unit[0], unit[0].group)
        for unit in turn_units(there)
    ]


def turn_units(slots: Sequence[Slot]) -> list[tuple[Slot, ...]]:
    """The order as those who act together: each slot alone, or a group where its first stands."""
    if not any(slot.group for slot in slots):
        return [(slot,) for slot in slots]
    groups: dict[str, list[Slot]] = {}
    for slot in slots:
        if slot.group:
            groups.setdefault(slot.group, []).append(slot)
    return [
        tuple(groups[slot.group]) if slot.group else (slot,)
        for slot in slots
        if not slot.group or groups[slot.group][0] is slot
    ]


def units_after(state: Encounter, combatant_id: str) -> list[tuple[Slot, ...]]:
    """The units of the order but that of `combatant_id`, from the one behind it on, once round.

    All of them, in their order, where `combatant_id` is nobody or is not in it.
    """
    row = turn_units(state.slots)
    place = unit_index(combatant_id, row)
    return row if place is None else [*row[place + 1 :], *row[:place]]


_INITIATIVE = ("init", "initiative")
"""The stats under which sheets have it."""
Side = Literal["before", "after"]
"""On which side of another somebody stands in the order."""


def initiatives(ctx: Context, who: Sequence[str], lying: tuple[int, ...] = ()) -> dict[str, int]:
    """Roll initiative by the rules, or with dice that lie there, and give the totals by id.

    That of a hazard is its count, such as that of a lair which acts on 20 in every round.
    """
    hazards = [each for one in who if (each := ctx.state[one]).kind == "hazard"]
    counts = {h.id: h.number(stat) for h in hazards for stat in _INITIATIVE if stat in h.stats}
    rolling = [one for one in who if one not in counts]
    return counts | (ctx.ruleset.initiative(ctx, rolling, lying) if rolling else {})


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
            rank = ctx.ruleset.tie_rank(ctx, combatant_id, totals[combatant_id], placed)
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


def is_finished(state: Encounter) -> bool:
    """Whether a fight is over, so that what its initiative was counts no more."""
    return state.phase == "ended" and any(slot.round for slot in state.slots)


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
        masters[slot.who] = ctx.ruleset.master(owner) if owner is not None else slot.follows
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
    passive = owner is not None and ctx.ruleset.passive(ctx.state, owner)
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


def stand_beside(ctx: Context, combatant_id: str, other: str, side: Side) -> None:
    """Put somebody, and their group, before or after another, with that one's initiative.

    Whether their turn of this round is still to come stays as it is.
    """
    mine, beside = turn_unit(ctx.state, combatant_id), turn_unit(ctx.state, other)
    others = [slot for slot in ctx.state.slots if slot not in mine]
    place = others.index(beside[0]) + (len(beside) if side == "after" else 0)
    there = beside[0]
    moved = [replace(s, initiative=there.initiative, rank=there.rank) for s in mine]
    ctx.emit(InitiativeSet(arranged(ctx, [*others[:place], *moved, *others[place:]])))

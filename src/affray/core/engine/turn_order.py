"""The order of initiative: who acts after whom, with groups and companions kept together.

A group is a name that its members' slots share (`Slot.group`): they have one initiative and one
turn, and each its own HP, tracks, effects and life. A companion comes right after its owner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct

from affray.core.engine.state import Combatant, Encounter, Side, Slot
from affray.core.formatting.safe_text import hyphenate
from affray.core.parser.spelling import fold

# -------------------------------------------------------------------------------------------------
# Groups, as rows of the order: six mooks are one row.


SIDES: Mapping[Side, str] = {
    "party": "The party",
    "foes": "The enemy",
    "others": "The third side",
    "world": "The world",
}
"""The names of sides that act at once."""


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
    """Return the index of the unit that somebody is in; None for an unknown or empty id."""
    return next(
        (n for n, unit in enumerate(units) if combatant_id in [slot.who for slot in unit]), None
    )


def group_label(group: str, members: Iterable[Combatant], times: str = "×") -> str:
    """A group's name with the number of its members that are alive, if any: `Crockling ×6`, or
    with another sign or word for `times`."""
    alive = sum(1 for combatant in members if not combatant.is_out)
    return f"{group} {times}{alive}" if alive else group


def row_label(state: Encounter, combatant_id: str, times: str = "×") -> str:
    """The name of the row in which somebody acts: `Crockling ×6` for a member, else the name."""
    slot = state.slot(combatant_id)
    if slot is None or not slot.group:
        return state.name(combatant_id)
    return group_label(slot.group, group_members(state, slot.group), times)


def current_turn_label(state: Encounter, times: str = "×") -> str:
    """Return the name of those whose turn it is; empty for nobody.

    It is the group's name only if all of its living members take this turn together.
    """
    slot, up = state.slot(state.turn), list(state.all_up())
    if slot is None or not state.acting:
        return state.name(state.turn)
    if slot.shares:
        return up[0].name if len(up) == 1 else SIDES[up[0].side]
    all_alive = (c for c in group_members(state, slot.group) if not c.is_out)
    if all(state.takes_turn(c.id) for c in all_alive):
        return row_label(state, state.turn, times)
    return up[0].name if len(up) == 1 else group_label(slot.group, up, times)


def life_at_turn(state: Encounter) -> str:
    """Return the life of the one whose turn it is; for a group the best. Empty for nobody."""
    slot = state.slot(state.turn)
    row = (state.find(each.who) for each in (sharing_turn(state, slot) if slot else ()))
    best = first_able(combatant for combatant in row if combatant is not None)
    return best.life if best is not None else ""


def who_is_up(state: Encounter) -> str:
    """Name the combatant whose turn it is, in words; the dying have turns as well. Empty for
    nobody."""
    whose = current_turn_label(state)
    if not whose:
        return ""
    return f"{whose} is up" if life_at_turn(state) == "up" else f"it is {whose}'s turn"


def why_not_their_turn(state: Encounter) -> str:
    """Say why somebody can't act out of turn: `it is Mira's turn`, or `nobody's turn`."""
    return f"it is {current_turn_label(state)}'s turn" if state.turn else "nobody's turn"


def said_by(state: Encounter, combatant_id: str) -> str:
    """The ` by NAME` of a command in which somebody acts outside of their turn; else empty."""
    return "" if combatant_id == state.turn else f" by {combatant_id}"


def group_members(state: Encounter, group: str) -> list[Combatant]:
    """Return a group's members in the fight, in their order; none for an unknown group."""
    slots = (slot for slot in state.slots if slot.group == group and not slot.gone)
    found = (state.find(slot.who) for slot in slots)
    return [combatant for combatant in found if combatant is not None]


def turn_unit(state: Encounter, combatant_id: str) -> tuple[Slot, ...]:
    """Return somebody's slot with those of their group, including those gone; empty for an unknown
    id."""
    mine = state.slot(combatant_id)
    return () if mine is None else unit_with(state, mine)


def sharing_turn(state: Encounter, slot: Slot) -> tuple[Slot, ...]:
    """The slots that share a turn with this one: its group, or its side."""
    return tuple(s for s in state.slots if s.unit == slot.unit) if slot.unit else (slot,)


def unit_with(state: Encounter, slot: Slot) -> tuple[Slot, ...]:
    """The slot, with all of its group."""
    return tuple(s for s in state.slots if s.group == slot.group) if slot.group else (slot,)


def first_able(people: Iterable[Combatant]) -> Combatant | None:
    """Return the first who is not down, else the first alive, else the first; None for no
    members."""
    return min(people, key=lambda c: (c.life != "up", c.is_out), default=None)


def groups_of(state: Encounter) -> list[str]:
    """Return the names of the groups with members in the fight, in their order."""
    return list(dict.fromkeys(s.group for s in state.slots if s.group and not s.gone))


def group_tokens(state: Encounter) -> list[str]:
    """The names of those groups in commands, each as one word: `reed-rats`."""
    return [hyphenate(name) for name in groups_of(state)]


def group_named(state: Encounter, word: str) -> str:
    """The group that a word names, however it is written; empty for none."""
    wanted = hyphenate(word)
    names = {hyphenate(name): name for name in groups_of(state)}
    return names.get(wanted) or next((names[n] for n in names if fold(n) == fold(wanted)), "")


def leaders(state: Encounter, people: Iterable[str]) -> list[str]:
    """Return the ids in `people` without those members of a group who aren't its first alive."""
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


def turn_units(
    slots: Sequence[Slot], unit: Callable[[Slot], str] = lambda slot: slot.group
) -> list[tuple[Slot, ...]]:
    """Split the order into units: a slot, or a group at its first member's place; or slots with the
    same `unit`."""
    if not any(map(unit, slots)):
        return [(slot,) for slot in slots]
    units: dict[str, list[Slot]] = {}
    for slot in slots:
        if unit(slot):
            units.setdefault(unit(slot), []).append(slot)
    return [
        tuple(units[unit(slot)]) if unit(slot) else (slot,)
        for slot in slots
        if not unit(slot) or units[unit(slot)][0] is slot
    ]


def units_after(state: Encounter, combatant_id: str) -> list[tuple[Slot, ...]]:
    """Return the other units of the order, from the one after `combatant_id`'s on, once round.

    All units, in their order, where `combatant_id` is in none.
    """
    row = turn_units(state.slots, lambda slot: slot.unit)
    place = unit_index(combatant_id, row)
    return row if place is None else [*row[place + 1 :], *row[:place]]


def is_finished(state: Encounter) -> bool:
    """True if a fight was fought and is over, so that its initiative counts no more."""
    return state.phase == "ended" and any(slot.round for slot in state.slots)

"""Groups: several who have one place in the order and one turn, such as six mooks.

A group is nothing but the name that its members' slots share (`Slot.group`): each member has its
own HP, tracks, effects and life. Here is how it is read from the order; `core/turns.py` keeps it
together, and `core/commands/grouping.py` makes and splits it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from affray.core.state import OUT_OF_THE_FIGHT, Combatant, Encounter, Slot


class Row(Struct, frozen=True, gc=False):
    """A line of the order: one combatant, or all of a group that are in the fight, the dead too.

    `group` is the group's bare name; empty for one alone.
    """

    members: tuple[Combatant, ...]
    group: str = ""

    @property
    def name(self) -> str:
        """What the row is called: `Brannoc`, or `Crockling ×6` by the members that are alive."""
        return called(self.group, self.members) if self.group else self.members[0].name


def called(group: str, members: Iterable[Combatant]) -> str:
    """A group's name with the number of its members that are alive: `Crockling ×6`."""
    return f"{group} ×{sum(1 for c in members if c.life not in OUT_OF_THE_FIGHT)}"


def rows(state: Encounter) -> list[Row]:
    """Those in the fight as rows, in the order in which they act."""
    by_id = {c.id: c for c in state.combatants}
    there = [slot for slot in state.slots if not slot.gone and slot.who in by_id]
    return [Row(tuple(by_id[s.who] for s in unit), unit[0].group) for unit in units(there)]


def units(slots: Sequence[Slot]) -> list[tuple[Slot, ...]]:
    """The order as those who act together: each slot alone, or a group where its first stands."""
    groups: dict[str, list[Slot]] = {}
    for slot in slots:
        if slot.group:
            groups.setdefault(slot.group, []).append(slot)
    return [
        tuple(groups[slot.group]) if slot.group else (slot,)
        for slot in slots
        if not slot.group or groups[slot.group][0] is slot
    ]

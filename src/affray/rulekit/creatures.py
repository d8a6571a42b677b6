"""What sheets of several games have alike: a size, and whose creature somebody is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from affray.core.heart.state import Combatant, Encounter

SIZES = ("tiny", "small", "medium", "large", "huge", "gargantuan")
"""The sizes of most games, the smallest first."""


def size_of(who: Combatant, sizes: Sequence[str] = SIZES) -> str:
    """Its size, one of the game's `sizes`; medium for whom nothing is said."""
    size = who.stats.get("size")
    return size if isinstance(size, str) and size in sizes else "medium"


def larger_by(one: Combatant, other: Combatant, sizes: Sequence[str] = SIZES) -> int:
    """By how many sizes the one is larger than the other; below 0 when it is smaller."""
    return sizes.index(size_of(one, sizes)) - sizes.index(size_of(other, sizes))


def owner_of(who: Combatant) -> str:
    """Whose companion or summon it is; empty for nobody's."""
    owner = who.stats.get("owner", "")
    return owner if isinstance(owner, str) else ""


def owner_here(state: Encounter, who: Combatant) -> Combatant | None:
    """Its owner, when that is somebody else in the fight; None for nobody's, or one left alone."""
    owner = owner_of(who)
    return state.find(owner) if owner and owner != who.id else None


def owners_totals(state: Encounter, people: Iterable[str], found: dict[str, int]) -> dict[str, int]:
    """The initiative of those who have their owner's: as it was just found, or stands.

    Nothing for whose owner has none yet: it will be theirs as well.
    """
    known: dict[str, int | None] = {s.who: s.initiative for s in state.slots} | {**found}
    totals = {who: known.get(owner_of(state[who])) for who in people}
    return {who: total for who, total in totals.items() if total is not None}

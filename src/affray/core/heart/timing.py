"""When effects end: turns are numbered, so a duration is a place in time that nothing can move.

"The end of Mira's next turn" is kept as the end of turn number n of Mira's slot. Delay, ties, a new
initiative and Mira's leaving change when that turn comes, never which one it is.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from msgspec.structs import replace

from affray.core.heart.state import (
    MOST_KEPT,
    Combatant,
    Duration,
    Edge,
    Effect,
    Encounter,
    Ends,
    Slot,
)

NEVER = (1_000_000, 0, 0)
"""The place in time of what no turn ends; sorts last."""


def turns_begun(slot: Slot | None) -> int:
    """How many turns have begun. One that was delayed is still to come."""
    if slot is None:
        return 0
    return slot.turns - 1 if slot.held else slot.turns


def next_turn_number(state: Encounter, who: str) -> int:
    """The number of the turn that `who`'s next one is for what is to last until then.

    A turn into which a delayed one came, before anything was done in it, is still to come, too.
    """
    slot = state.slot(who)
    begun = turns_begun(slot)
    return begun if slot is not None and _is_put_off(state, slot) else begun + 1


def _is_put_off(state: Encounter, slot: Slot) -> bool:
    """Whether its turn has begun, is another's now without a delay, and nothing was done in it."""
    owner = state.find(slot.who)
    has_begun = slot.open and not slot.held and not state.takes_turn(slot.who)
    return has_begun and not (owner is not None and owner.has_acted)


def at_turn(state: Encounter, who: str, edge: Edge, turns: int = 1) -> Duration:
    """The start or end of `who`'s next turn; of the n-th next with `turns`."""
    return Duration("turn", who, edge, next_turn_number(state, who) + turns - 1)


def this_turn(state: Encounter, who: str) -> Duration:
    """The end of the turn that `who` is taking; of the next when it is taking none."""
    slot = state.slot(who)
    if slot is not None and slot.open and not slot.held:
        return Duration("turn", who, "end", slot.turns)
    return at_turn(state, who, "end")


def present_turn(state: Encounter, who: str) -> Duration:
    """The end of the turn that is on now, in which `who` does something: mostly its own."""
    return this_turn(state, who if state.takes_turn(who) else state.turn or who)


def later(duration: Duration, turns: int) -> Duration | None:
    """The duration made longer by so many turns or rounds; None for one that time doesn't end."""
    if duration.ends in ("turn", "round"):
        return replace(duration, count=duration.count + turns)
    return None


def due(state: Encounter, who: str, edge: Edge) -> list[tuple[Combatant, Effect]]:
    """The effects that end now, at the start or end of the turn that `who` is taking."""
    slot = state.slot(who)
    turns = slot.turns if slot else 0
    return [
        (bearer, effect)
        for bearer in state.combatants
        if bearer.effects and ("turn", who) in _ended_by(bearer)
        for effect in bearer.effects
        if effect.until.who == who
        and effect.until.ends == "turn"
        and (
            effect.until.count < turns
            or (effect.until.count == turns and effect.until.edge == edge)
        )
    ]


def due_at_round_end(state: Encounter) -> list[tuple[Combatant, Effect]]:
    """The effects that end with the round that is ending."""
    return [
        (bearer, effect)
        for bearer in state.combatants
        if bearer.effects and ("round", "") in _ended_by(bearer)
        for effect in bearer.effects
        if effect.until.ends == "round" and effect.until.count <= state.round
    ]


@lru_cache(maxsize=MOST_KEPT)
def _ended_by(bearer: Combatant) -> frozenset[tuple[Ends, str]]:
    """What ends effects on somebody, and whose: of most it is nothing that happens now."""
    return frozenset((effect.until.ends, effect.until.who) for effect in bearer.effects)


def place(state: Encounter, duration: Duration) -> tuple[int, int, int]:
    """Where in time a duration ends: (round, place in the order, edge), or NEVER."""
    return placing(state)(duration)


def placing(state: Encounter) -> Callable[[Duration], tuple[int, int, int]]:
    """`place`, for many durations of one state: their anchors are looked for only once."""
    slots = {slot.who: (index, slot) for index, slot in enumerate(state.slots)}

    def placed(duration: Duration) -> tuple[int, int, int]:
        if duration.ends == "round":
            return (duration.count, len(state.slots), 1)
        if duration.ends != "turn" or duration.who not in slots:
            return NEVER
        index, slot = slots[duration.who]
        edge = 0 if duration.edge == "start" else 1
        return (_round_of_turn(state, slot, duration.count), index, edge)

    return placed


def _round_of_turn(state: Encounter, slot: Slot, turn: int) -> int:
    """The round in which the slot takes its turn number `turn`."""
    if state.round == 0:
        return turn
    if slot.round >= state.round or slot.open:
        return state.round + turn - slot.turns
    return state.round + turn - slot.turns - 1


def in_words(state: Encounter, duration: Duration, who_says: str = "id") -> str:
    """The duration in words: `end of mira's next turn`. `who_says` is `id` or `name`."""
    if duration.says:
        return f"until {duration.says}"
    if duration.ends == "turn":
        who = state.name(duration.who) if who_says == "name" else duration.who
        return f"{duration.edge} of {who}'s {_which_turn(state.slot(duration.who), duration)}"
    return {
        "round": f"end of round {duration.count}",
        "save": "until saved against",
        "use": "until used",
        "rest": "until a rest",
        "long-rest": "until a long rest",
        "fight": "until the fight ends",
        "removed": "until removed",
    }[duration.ends]


def _which_turn(slot: Slot | None, duration: Duration) -> str:
    ahead = duration.count - turns_begun(slot)
    if ahead <= 0:
        return "turn"
    if ahead == 1:
        return "next turn"
    return f"{ordinal(ahead)} turn from now"


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th, 11th ..."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10)
    return f"{number}{ending or 'th'}"

"""When something ends, in the fewest words: for places where every cell counts."""

from __future__ import annotations

from affray.core import timing
from affray.core.narrate import own
from affray.core.state import Combatant, Duration, Encounter
from affray.tui.drawing import plain


def end_words(state: Encounter, bearer: Combatant, duration: Duration) -> str:
    """`after its next turn`, `at Mira's turn`, `until it stands`."""
    words = plain(timing.in_words(state, duration, "name"))
    if duration.says or duration.ends != "turn":
        return words.replace("end of round", "after round", 1)
    edge = "after" if duration.edge == "end" else "at"
    whose, _, which = words.partition(" of ")[2].rpartition("'s ")
    if duration.who == bearer.id:
        return f"{edge} {own(bearer)} {which}"
    return f"{edge} {whose}'s {which}"


def ends_this_turn(state: Encounter, duration: Duration) -> bool:
    """Whether it ends with the turn that is being taken."""
    slot = state.slot(state.turn) if state.turn else None
    return (
        slot is not None
        and duration.ends == "turn"
        and (duration.who, duration.edge) == (slot.who, "end")
        and duration.count <= slot.turns
    )

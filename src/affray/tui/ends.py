"""When something ends, in the fewest words: for places where every cell counts."""

from __future__ import annotations

from collections.abc import Sequence

from affray.core import timing
from affray.core.narrate import own
from affray.core.state import Combatant, Duration, Effect, Encounter
from affray.core.tables import Tables
from affray.tui.drawing import plain


def end_words(state: Encounter, bearer: Combatant, duration: Duration) -> str:
    """`after its turn`, `after next turn`, `at Mira's turn`, `until it stands`, `save ends`."""
    if duration.ends == "save" and not duration.says:
        return "save ends"
    if duration.says or duration.ends != "turn":
        words = plain(timing.in_words(state, duration, "name"))
        return words.replace("end of round", "after round", 1)
    if ends_this_turn(state, duration):
        return "after this turn"
    edge = "after" if duration.edge == "end" else "at"
    if duration.who == bearer.id and _which(state, duration) != "turn":
        return f"{edge} {_which(state, duration)}"
    owner = own(bearer) if duration.who == bearer.id else f"{plain(state.name(duration.who))}'s"
    return f"{edge} {owner} {_which(state, duration)}"


def end_of(tables: Tables, state: Encounter, bearer: Combatant, effects: Sequence[Effect]) -> str:
    """The end that these effects have in common: `after its turn`, `waits until next turn`."""
    until = effects[0].until
    words = end_words(state, bearer, until)
    said = {tables.kind(effect.kind).ends for effect in effects}
    if len(said) > 1 or said == {""} or until.ends != "turn" or until.says:
        return words
    return f"{said.pop()} {words.partition(' ')[2]}"


def _which(state: Encounter, duration: Duration) -> str:
    """`turn` for the one that comes first, unless another is still being taken: `next turn`."""
    slot = state.slot(duration.who)
    ahead = duration.count - (timing.next_turn_number(slot) - 1)
    if ahead > 1:
        return f"{timing.ordinal(ahead)} turn"
    taking = slot is not None and slot.open and not slot.held
    return "next turn" if taking and ahead == 1 else "turn"


def ends_this_turn(state: Encounter, duration: Duration) -> bool:
    """Whether it ends with the turn that is being taken."""
    if duration.ends != "turn" or duration.edge != "end" or not state.takes_turn(duration.who):
        return False
    slot = state.slot(duration.who)
    return slot is not None and duration.count <= slot.turns

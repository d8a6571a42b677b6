"""When something ends, in words: whole and short, since an end is never cut."""

from __future__ import annotations

from collections.abc import Sequence

from affray.core.heart import timing
from affray.core.heart.state import Combatant, Duration, Effect, Encounter
from affray.core.rules.tables import Tables
from affray.core.telling.effect_words import own
from affray.tui.drawing import plain


def end_words(state: Encounter, bearer: Combatant, duration: Duration) -> str:
    """`ends after its turn`, `until Mira's turn starts`, `until round 4 ends`, `until freed`."""
    if duration.says or duration.ends not in ("turn", "round", "save"):
        return plain(timing.in_words(state, duration, "name"))
    if duration.ends == "save":
        return "save ends"
    if duration.ends == "round":
        return f"until round {duration.count} ends"
    if ends_this_turn(state, duration):
        return "ends after this turn"
    turn = _whose_turn(state, bearer, duration)
    return f"until {turn} starts" if duration.edge == "start" else f"ends after {turn}"


def end_of(tables: Tables, state: Encounter, bearer: Combatant, effects: Sequence[Effect]) -> str:
    """The end that these effects have in common, in the words of their kind where it has any:

    `ends after its turn`, but of what is readied `waits until its turn starts`.
    """
    until = effects[0].until
    said = {tables.kind(effect.kind).ends for effect in effects}
    if len(said) > 1 or said == {""} or until.ends != "turn" or until.says:
        return end_words(state, bearer, until)
    return f"{said.pop()} {_whose_turn(state, bearer, until)} {until.edge}s"


def _whose_turn(state: Encounter, bearer: Combatant, duration: Duration) -> str:
    """`its turn`, `Mira's next turn`: the next one only while another is being taken."""
    is_own = duration.who == bearer.id
    owner = own(bearer) if is_own else f"{plain(state.name(duration.who))}'s"
    slot = state.slot(duration.who)
    ahead = duration.count - timing.turns_begun(slot)
    if ahead > 1:
        return f"{owner} {timing.ordinal(ahead)} turn"
    taking = slot is not None and slot.open and not slot.held
    return f"{owner} next turn" if taking and ahead == 1 else f"{owner} turn"


def ends_this_turn(state: Encounter, duration: Duration) -> bool:
    """Whether it ends with the turn that is being taken, which may be that of several."""
    if (duration.ends, duration.edge) != ("turn", "end"):
        return False
    slot = state.slot(duration.who) if state.takes_turn(duration.who) else None
    return slot is not None and duration.count <= slot.turns

"""The turn's timer and the bell: how much of a turn is left at the table. Nothing happens at 0.

`timer_of` gives the timer of the turn that is going on; what the entries' times make of a whole
fight is in the recap.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from math import ceil

from msgspec import Struct

from affray.core.engine.history import History
from affray.core.engine.settings import BELL, TURN_TIMER
from affray.core.engine.state import Encounter


class TurnTimer(Struct, frozen=True):
    """The timer of a turn.

    seconds  how long a turn is meant to take
    since    when the turn began, in UTC
    """

    seconds: int
    since: datetime

    def left(self, now: datetime) -> int:
        """The whole seconds left: all at the beginning, 0 from the end on."""
        passed = (now - self.since).total_seconds()
        return min(self.seconds, max(0, ceil(self.seconds - passed)))


def rings(state: Encounter) -> bool:
    """True if the GM's terminal is to ring when something waits (`setting bell on`)."""
    return BELL.is_on(state)


def timer_seconds(state: Encounter) -> int:
    """Return the time limit of a turn; 0 without a timer, and for an invalid value."""
    value = TURN_TIMER.value(state)
    return 0 if value == "off" else int(value)


def timer_of(history: History, counts: Callable[[str], bool] = lambda _: True) -> TurnTimer | None:
    """Return the timer of the current turn. During turns of combatants that don't count, the one
    before goes on. None without a timer, in nobody's turn, or if the log doesn't say when the turn
    began.
    """
    seconds = timer_seconds(history.state)
    began = _turn_began(history, counts) if seconds else None
    if began is None:
        return None
    return TurnTimer(seconds, began if began.tzinfo is not None else began.replace(tzinfo=UTC))


def _turn_began(history: History, counts: Callable[[str], bool]) -> datetime | None:
    """The start of the last turn of somebody who counts; an interruption by somebody who doesn't
    count doesn't end the turn."""
    began, turns = None, dict[str, int]()
    for seq in reversed(history.path):
        state = history.states[seq]
        slots = map(state.slot, filter(counts, state.taking_turn()))
        now = {slot.who: slot.turns for slot in slots if slot is not None}
        if not state.in_combat or (turns and now and not now.items() & turns.items()):
            break
        if now:
            began, turns = history.entries[seq].at, now
    return began

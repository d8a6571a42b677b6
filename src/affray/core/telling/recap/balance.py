"""How the two sides stood: their health in percent round by round, and where that turned most."""

from __future__ import annotations

from collections.abc import Sequence

from affray.core.heart.state import Combatant, Encounter, Side
from affray.core.telling.public.known import is_known
from affray.core.telling.recap.facts import Chapter, Swing

SLIGHT = 10
"""A gain of fewer percent on the other side is no swing."""


class Balance:
    """The health of everybody in the fight; whoever has left it counts as having none.

    `health` is the id of the track that damage goes to; with `only_known` nobody hidden counts.
    """

    def __init__(self, health: str, only_known: bool) -> None:
        self._health, self._only_known = health, only_known
        self._last: dict[str, tuple[Side, int]] = {}  # side and maximum of all who were ever there

    def see(self, state: Encounter) -> None:
        """Take in who is in the fight, so that they still count when they have left it."""
        for who in filter(self._counts, state.combatants):
            track = who.tracks.get(self._health)
            if track is not None and track.full:
                self._last[who.id] = (who.side, track.full)

    def _counts(self, who: Combatant) -> bool:
        return is_known(who) or not self._only_known

    def share(self, state: Encounter, side: Side) -> int | None:
        """How many percent of its health a side has; None where it has nobody with any."""
        self.see(state)
        counted = (who for who in state.combatants if who.side == side and self._counts(who))
        tracks = (who.tracks.get(self._health) for who in counted)
        left = sum(max(0, min(t.value, t.full or 0)) for t in tracks if t is not None)
        total = sum(most for of, most in self._last.values() if of == side)
        return round(100 * left / total) if total else None


def swing(chapters: Sequence[Chapter]) -> Swing | None:
    """The round in which one side gained most on the other; None where none gained much."""
    found, most = None, SLIGHT - 1
    before = (100, 100)
    for chapter in chapters:
        if not chapter.round or chapter.party is None or chapter.foes is None:
            before = (100, 100)  # what comes next is another fight
            continue
        after = (chapter.party, chapter.foes)
        gain = (after[0] - before[0]) - (after[1] - before[1])
        if abs(gain) > most:
            most = abs(gain)
            found = Swing(chapter.heading, "party" if gain > 0 else "foes", before, after)
        before = after
    return found

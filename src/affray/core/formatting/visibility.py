"""Which combatants and numbers the players know of, for their view and their recap alike.

Players know nothing of hidden combatants, not even that they exist. They know the numbers of the
party; of everybody else what can be seen. `players_names` gives the names under which they know
combatants.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Self
from weakref import WeakKeyDictionary

from affray.core.engine import events as e
from affray.core.engine.history import History
from affray.core.engine.settings import PLAYERS_NAMES
from affray.core.engine.state import Combatant, Encounter, Side
from affray.core.late_pattern import late_pattern


def is_known_to_players(combatant: Combatant | None) -> bool:
    """True if the players know of somebody; False for None, one who has left."""
    return combatant is not None and not combatant.hidden


def shows_numbers(side: Side) -> bool:
    """True if the players know the numbers of those on a side."""
    return side == "party"


# -------------------------------------------------------------------------------------------------
# Names are numbered as if only combatants whom the players have met had joined: the third ghoul is
# `Ghoul` while the others are hidden. A name that was used in a fight never changes.

_NUMBERED = late_pattern(r"(.+) \d+$")
_UNNAMED: dict[Side, str] = {"foes": "Foe", "others": "Other", "world": "World"}


def players_names(history: History) -> dict[str, str]:
    """Return the names of everybody in the fight known to the players, by id, in turn order."""
    called = names_of_met(history)
    return {
        combatant.id: called[combatant.id]
        for combatant in filter(is_known_to_players, history.state.in_order())
    }


def names_of_met(history: History) -> dict[str, str]:
    """Return the names of everybody the players know or have met, by id, including those gone."""
    state, heard = history.state, _heard(history).as_now(history.state)
    hides, names = PLAYERS_NAMES.value(state) == "hidden", {}
    for each, met in heard.met.items():
        joined, now = heard.joined[each], state.find(each)
        sides = {joined.side, now.side if now is not None else joined.side}
        if hides and not any(map(shows_numbers, sides)):
            alike = [other for other in heard.met if heard.joined[other].side == joined.side]
            names[each] = f"{_UNNAMED[joined.side]} {alike.index(each) + 1}"
        else:  # a new name given since then counts
            names[each] = met if now is None or now.name == joined.name else now.name
    return names


class _Joined(NamedTuple):
    """A combatant's arrival; `together` is the same number for all who joined in one entry."""

    name: str
    side: Side
    together: int


class _Heard:
    """The players' knowledge of combatants, up to an entry of a log.

    joined     everybody who ever joined, by id
    known_ids  ids of those in the fight known to the players
    met        id -> the players' name for each creature met in a fight, in order
    fights     True if a fight is going on
    """

    def __init__(
        self,
        joined: dict[str, _Joined],
        known_ids: Iterable[str],
        met: dict[str, str],
        fights: bool,
    ) -> None:
        self.joined, self.known_ids, self.met, self.fights = joined, set(known_ids), met, fights

    @classmethod
    def at_first(cls, start: Encounter) -> Self:
        """Before the first entry."""
        known_ids = (
            combatant.id for combatant in start.combatants if is_known_to_players(combatant)
        )
        return cls(_there(start), known_ids, {}, start.in_combat)

    def take(self, events: Iterable[e.AnyEvent]) -> None:
        """Take in the next entry."""
        together = len(self.joined)
        for event in events:
            if isinstance(event, e.Added):
                joined = _Joined(event.name, event.side, together)
                self.joined.setdefault(event.who, joined)
            if isinstance(event, e.Added | e.Revealed | e.Returned) and not event.hidden:
                self.known_ids.add(event.who)
            elif isinstance(event, e.Added | e.Revealed | e.Returned | e.Left):
                self.known_ids.discard(event.who)
            elif isinstance(event, e.Began | e.Ended):
                self.fights = isinstance(event, e.Began)
        if self.fights:
            self._meet()

    def as_now(self, state: Encounter) -> _Heard:
        """Return a copy with all whom the players know of in a state.

        A log that was edited by hand may lack the joining of some.
        """
        known_ids = (
            combatant.id for combatant in state.combatants if is_known_to_players(combatant)
        )
        now = _Heard(_there(state) | self.joined, known_ids, dict(self.met), self.fights)
        now._meet()
        return now

    def _meet(self) -> None:
        """Name all known combatants that have no name yet."""
        unmet = self.known_ids.difference(self.met)
        if not unmet:
            return
        new = [combatant_id for combatant_id in self.joined if combatant_id in unmet]
        rows: dict[tuple[str, int], list[str]] = {}
        for combatant_id in new:
            joined = self.joined[combatant_id]
            rows.setdefault((_series(joined.name), joined.together), []).append(combatant_id)
            self.met[combatant_id] = ""
        for (base, _), members in rows.items():
            for combatant_id in members:
                self.met[combatant_id] = self._name(combatant_id, base, alone=len(members) == 1)

    def _name(self, combatant_id: str, base: str, alone: bool) -> str:
        """The combatant's own name, if no unknown one has a similar name; else the next number."""
        own, heard = self.joined[combatant_id].name, set(self.met.values())
        unknown = (row.name for each, row in self.joined.items() if each not in self.met)
        if own not in heard and not any(_series(name) == base for name in unknown):
            return own
        if alone and not heard & {base, f"{base} 1"}:
            return base
        first = 2 if base in heard else 1
        numbered = (f"{base} {number}" for number in range(first, len(heard) + 3))
        return next(name for name in numbered if name not in heard)


def _there(state: Encounter) -> dict[str, _Joined]:
    """All combatants of a state, as if each had joined alone."""
    people = enumerate(state.combatants)
    return {
        combatant.id: _Joined(combatant.name, combatant.side, -1 - at) for at, combatant in people
    }


def _series(name: str) -> str:
    """`Ghoul` of `Ghoul 3`, and of `Ghoul`."""
    found = _NUMBERED.match(name)
    return found[1] if found else name


_READ: WeakKeyDictionary[History, tuple[int, _Heard]] = WeakKeyDictionary()
"""log -> the last entry read, and the knowledge up to there."""


def _heard(history: History) -> _Heard:
    """The players' knowledge at the head; reads only new entries, unless an undo took some back."""
    last, heard = _READ.get(history, (0, _Heard.at_first(history.states[0])))
    if not history.is_effective(last):
        last, heard = 0, _Heard.at_first(history.states[0])
    for seq in history.since(last):
        heard.take(history.entries[seq].events)
    _READ[history] = (history.head, heard)
    return heard

"""What the players call everybody: no number in a name tells of one that they have not met.

They are numbered as if only those whom the players have met had ever joined: the third ghoul is
`Ghoul` as long as the first two are hidden, and the first is `Ghoul 1` when it comes out. A name
that was heard in a fight never changes; what was added and hidden before it was heard by nobody.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple, Self
from weakref import WeakKeyDictionary

from affray.core.heart import events as e
from affray.core.heart.history import History
from affray.core.heart.state import Encounter, Side
from affray.core.telling.public.known import NAMES, chosen, has_told_numbers, is_known

_NUMBERED = re.compile(r"(.+) \d+$")
_UNNAMED: dict[Side, str] = {"foes": "Foe", "others": "Other", "world": "World"}


def names(history: History) -> dict[str, str]:
    """The names of all whom the players know of, by id, in the order of their turns."""
    called = names_of_met(history)
    return {who.id: called[who.id] for who in filter(is_known, history.state.in_order())}


def names_of_met(history: History) -> dict[str, str]:
    """The names of all whom the players know of or have met, by id, those who have left too."""
    state, heard = history.state, _heard(history).as_now(history.state)
    hides, found = chosen(state, NAMES) == "hidden", {}
    for each, met in heard.met.items():
        joined, now = heard.joined[each], state.find(each)
        sides = {joined.side, now.side if now is not None else joined.side}
        if hides and not any(map(has_told_numbers, sides)):
            alike = [other for other in heard.met if heard.joined[other].side == joined.side]
            found[each] = f"{_UNNAMED[joined.side]} {alike.index(each) + 1}"
        else:  # who was renamed since is called so
            found[each] = met if now is None or now.name == joined.name else now.name
    return found


class _Joined(NamedTuple):
    """How somebody joined; those who did so together have the same number."""

    name: str
    side: Side
    together: int


class _Heard:
    """What the players have heard, as far as a log has been read.

    joined  all who ever joined
    known   the ids of those in the fight of whom the players know
    met     the ids of those whom they have known of in a fight, in the order in which they met
            them, with the names by which they know them
    """

    def __init__(
        self,
        joined: dict[str, _Joined],
        known: Iterable[str],
        met: dict[str, str],
        fights: bool,
    ) -> None:
        self.joined, self.known, self.met, self.fights = joined, set(known), met, fights

    @classmethod
    def at_first(cls, start: Encounter) -> Self:
        """Before the first entry."""
        known = (who.id for who in start.combatants if is_known(who))
        return cls(_there(start), known, {}, start.phase == "combat")

    def take(self, events: Iterable[e.AnyEvent]) -> None:
        """Take in the next entry."""
        together = len(self.joined)
        for event in events:
            if isinstance(event, e.Added):
                joined = _Joined(event.name, event.side, together)
                self.joined.setdefault(event.who, joined)
            if isinstance(event, e.Added | e.Revealed) and not event.hidden:
                self.known.add(event.who)
            elif isinstance(event, e.Added | e.Revealed | e.Left):
                self.known.discard(event.who)
            elif isinstance(event, e.Began | e.Ended):
                self.fights = isinstance(event, e.Began)
        if self.fights:
            self._meet()

    def as_now(self, state: Encounter) -> _Heard:
        """The same, with all whom the players know of now. A log that was edited by hand may not
        tell of all who joined."""
        known = (who.id for who in state.combatants if is_known(who))
        now = _Heard(_there(state) | self.joined, known, dict(self.met), self.fights)
        now._meet()
        return now

    def _meet(self) -> None:
        """Name those whom they meet now."""
        unmet = self.known.difference(self.met)
        if not unmet:
            return
        new = [who for who in self.joined if who in unmet]
        rows: dict[tuple[str, int], list[str]] = {}
        for who in new:
            joined = self.joined[who]
            rows.setdefault((_series(joined.name), joined.together), []).append(who)
            self.met[who] = ""
        for (base, _), members in rows.items():
            for who in members:
                self.met[who] = self._name(who, base, alone=len(members) == 1)

    def _name(self, who: str, base: str, alone: bool) -> str:
        """Their own name, where nobody unknown is called alike; else the next of such names."""
        own, heard = self.joined[who].name, set(self.met.values())
        unknown = (row.name for each, row in self.joined.items() if each not in self.met)
        if own not in heard and not any(_series(name) == base for name in unknown):
            return own
        if alone and not heard & {base, f"{base} 1"}:
            return base
        return next(name for n in range(1, len(heard) + 2) if (name := f"{base} {n}") not in heard)


def _there(state: Encounter) -> dict[str, _Joined]:
    """Those who are there, as if each had come alone."""
    people = enumerate(state.combatants)
    return {who.id: _Joined(who.name, who.side, -1 - at) for at, who in people}


def _series(name: str) -> str:
    """`Ghoul` of `Ghoul 3`, and of `Ghoul`."""
    found = _NUMBERED.match(name)
    return found[1] if found else name


_READ: WeakKeyDictionary[History, tuple[int, _Heard]] = WeakKeyDictionary()
"""How far each log has been read, so that a longer one isn't read anew."""


def _heard(history: History) -> _Heard:
    """What the players have heard up to now. Costs as much as the entries since it was asked last,
    unless the fight has gone back meanwhile."""
    last, heard = _READ.get(history, (0, _Heard.at_first(history.states[0])))
    if not history.is_effective(last):
        last, heard = 0, _Heard.at_first(history.states[0])
    for seq in history.since(last):
        heard.take(history.entries[seq].events)
    _READ[history] = (history.head, heard)
    return heard

"""What the players call everybody: no number in a name tells of one that they have not met.

`Ghoul 3` is their second ghoul as long as Ghoul 2 is hidden. It stays that when Ghoul 2 comes out,
who is their third: a name that the players have heard never changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from affray.core.heart import events as e
from affray.core.heart.history import History
from affray.core.heart.state import Side
from affray.core.telling.public.known import NAMES, chosen, has_told_numbers, is_known

_NUMBERED = re.compile(r"(.+) \d+$")
_UNNAMED: dict[Side, str] = {"foes": "Foe", "others": "Other", "world": "World"}


def names(history: History) -> dict[str, str]:
    """The names of all whom the players know of, by id, in the order of their turns."""
    state, added = history.state, dict(_added(history))
    for who in state.combatants:  # a log that was edited by hand may not tell of all who joined
        added.setdefault(who.id, (who.name, who.side))
    known = (who.id for who in state.combatants if is_known(who))
    met = [who for who in dict.fromkeys((*_met(history), *known)) if who in added]
    hides, found = chosen(state, NAMES) == "hidden", {}
    for who in filter(is_known, state.in_order()):
        name, side = added[who.id]
        found[who.id] = who.name
        if hides and not (has_told_numbers(side) or has_told_numbers(who.side)):
            alike = [each for each in met if added[each][1] == side]
            found[who.id] = f"{_UNNAMED[side]} {alike.index(who.id) + 1}"
        elif who.name == name:
            found[who.id] = _numbered(who.id, met, {each: row[0] for each, row in added.items()})
    return found


def _numbered(who: str, met: list[str], added: dict[str, str]) -> str:
    """The name, by the number among those of its series whom the players have met.

    A series of one, or one that they have met from the first to the last, has its own numbers.
    """
    series = _series(added[who])
    members = [each for each, name in added.items() if _series(name) == series]
    in_series = [each for each in met if each in members]
    if not series or len(members) < 2 or in_series == members:
        return added[who]
    return f"{series} {in_series.index(who) + 1}"


def _series(name: str) -> str:
    """`Ghoul` of `Ghoul 3`; empty for a name without a number."""
    found = _NUMBERED.match(name)
    return found[1] if found else ""


def _events(history: History) -> Iterator[e.AnyEvent]:
    return (event for seq in history.path for event in history.entries[seq].events)


def _added(history: History) -> Iterator[tuple[str, tuple[str, Side]]]:
    """All who ever joined, with the names and the sides that they came by."""
    yield from ((who.id, (who.name, who.side)) for who in history.states[0].combatants)
    joined = (event for event in _events(history) if isinstance(event, e.Added))
    yield from ((event.who, (event.name, event.side)) for event in joined)


def _met(history: History) -> Iterator[str]:
    """The ids of all whom the players have known of at any time, whom they knew first before."""
    found = {who.id: None for who in history.states[0].combatants if not who.hidden}
    for event in _events(history):
        if isinstance(event, e.Added | e.Revealed) and not event.hidden:
            found.setdefault(event.who)
    yield from found

"""What follows a prompt by itself: the damage of an area after the saves against it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from affray.core.heart.events import AnyEvent, Rolled


class Takers(NamedTuple):
    """Who takes something, in their order; some of them half, and some all of it."""

    people: tuple[str, ...] = ()
    halved: tuple[str, ...] = ()

    @property
    def wholly(self) -> tuple[str, ...]:
        """Those who take all."""
        return tuple(who for who in self.people if who not in self.halved)


def takers(events: Iterable[AnyEvent], takes: Mapping[str, str]) -> Takers:
    """Who takes how much by the outcomes of their rolls: outcome -> `all` or `half`."""
    rolled = {
        e.who: takes[e.outcome] for e in events if isinstance(e, Rolled) and e.outcome in takes
    }
    return Takers(tuple(rolled), tuple(who for who, much in rolled.items() if much == "half"))

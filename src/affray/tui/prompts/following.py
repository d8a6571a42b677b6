"""What follows a prompt by itself: the damage of an area after the saves against it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from affray.core.heart.events import AnyEvent, Rolled
from affray.tui.prompts.people import Named


def takers(events: Iterable[AnyEvent], takes: Mapping[str, str]) -> Named:
    """Who takes how much by the outcomes of their rolls: outcome -> `all` or `half`."""
    rolled = {
        e.who: takes[e.outcome] for e in events if isinstance(e, Rolled) and e.outcome in takes
    }
    return Named(tuple(rolled), tuple(who for who, much in rolled.items() if much == "half"))

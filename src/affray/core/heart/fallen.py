"""The dice that fell for a command, read off its events: so that they can fall so once more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from affray.core.dice.notation import DiceError, parse_dice
from affray.core.dice.sources import Fallen
from affray.core.heart.events import AnyEvent, Rolled


def fallen(events: Iterable[AnyEvent]) -> list[Fallen]:
    """Each die that the program rolled, in the order in which they fell: a roll of `1d6+1d4` for
    5 and 2 is a d6 that shows 5 and a d4 that shows 2."""
    return [
        Fallen(sides, face, (event.who, event.for_, event.against))
        for event in events
        if isinstance(event, Rolled) and not event.by_hand
        for sides, face in zip(_sides(event.dice), event.faces, strict=False)
    ]


def _sides(dice: str) -> Iterator[int]:
    """The sides of each die; none of what makes no sense, as a log edited by hand may have it."""
    try:
        pools = parse_dice(dice).pools
    except DiceError:
        return
    for pool in pools:
        yield from (pool.sides,) * pool.count

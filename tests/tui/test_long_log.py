"""No key looks at more of a log than it shows: a long one is as quick as a short one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, SupportsIndex

from affray.store.open_encounter import OpenEncounter

Played = Callable[..., OpenEncounter]
FIGHT = """\
add pc Mira hp 24 ac 0 power 0 cunning 3 focus 2 luck 1 pb 2
add monster Ghoul x2 cr 2 hp 18 ac 2
init mira 20
init ghoul-1 10
init ghoul-2 5
start
"""
LONG = "\n".join(f"note the bell rings {times}" for times in range(60))
MOST = 40
"""So many entries at most are looked at, or copied, in one go: as many as are shown."""


class Way(list[int]):
    """The numbers of all entries, of which nobody may have more than a few."""

    def __getitem__(self, at: SupportsIndex | slice) -> Any:
        if isinstance(at, slice):
            assert len(range(*at.indices(len(self)))) <= MOST, "a slice is a copy"
        return super().__getitem__(at)

    def __iter__(self) -> Iterator[int]:
        raise AssertionError("all entries are gone through")

    def __reversed__(self) -> Iterator[int]:
        for looked_at, seq in enumerate(super().__reversed__()):
            assert looked_at < MOST, "more entries are gone back through than are shown"
            yield seq

    def __contains__(self, seq: object) -> bool:
        raise AssertionError("all entries are searched")


async def test_no_key_goes_through_all_that_was_done(played: Played, game_of: Any) -> None:
    encounter = played(FIGHT + LONG)
    encounter.history.path = Way(encounter.history.path)
    async with game_of(encounter, (120, 40)) as game:
        await game.type("ss7↵u<ctrl+r>u-17↵ jk[[⎋<pageup><pagedown>")
        await game.type(" uu<ctrl+r>y")
        await game.type("gone↵")
    given = {entry.command.split()[0] for entry in encounter.history.entries.values()}
    assert {"strike", "damage", "undo", "redo", "next"} <= given
    assert encounter.history.entries[encounter.history.last].command == 'note "gone"'
    assert isinstance(encounter.history.path, Way), "what undo does is looked at as well"

"""Initiative by another's: somebody stands before or after whoever is named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from affray.store.open_encounter import OpenEncounter

PARTING = """
add pc Mira hp 24 ac 3
add pc Brannoc hp 30 ac 4
add monster Ghoul cr 2 hp 18 ac 2
init mira 12
init brannoc 12
init ghoul 9
start
"""


@pytest.mark.parametrize(
    ("keys", "command"),
    [
        ("i2b1↵", "init brannoc before mira"),
        ("i1a3↵", "init mira after ghoul"),
        ("ib↵", "init mira before brannoc"),
        ("i1af", ""),
    ],
)
async def test_a_letter_in_place_of_the_number_asks_beside_whom(
    opened: Callable[..., Any], keys: str, command: str
) -> None:
    async with opened(PARTING, (80, 24)) as game:
        before = game.last
        await game.type(keys)
        assert game.last == (command or before)


async def test_of_one_who_is_called_first_the_number_after_the_letter_is_a_person(
    played: Callable[..., OpenEncounter], game_of: Callable[..., Any]
) -> None:
    fight = played("add pc Mira hp 24 ac 3\nadd pc Brannoc hp 30 ac 4")
    async with game_of(fight, (80, 24)) as game:
        await game.type("i12↵b1↵")
        assert game.last == "init brannoc before mira"

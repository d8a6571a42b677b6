"""Prompts that ask for an ally list allies first and nobody who is out of the fight; those that ask
for the enemy besides list the foes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.tui.test_more import offered

SHEETS = {
    "monsters-and-magic": "hp 30 pb 2",
    "orcus": "hp 30 ac 15",
    "level-up": "hp 30 ac 15 level 3",
    "5e": "hp 30 ac 15",
    "adventure-school": "hp 30 ac 15 songs 2",
}
TABLE = """\
add pc Mira {sheet}
add monster Goblin x2 hp 9 ac 12
add pc Teo {sheet}
add pc Una {sheet}
init mira 20
init goblin-1,goblin-2 5
init teo 3
init una 2
start
damage goblin-1 99
"""


@pytest.fixture
def table(played: Callable[..., Any], game_of: Callable[..., Any]) -> Callable[[str], Any]:
    """Mira is up; Goblin 1 is dead, Goblin 2 acts before Teo and Una."""
    return lambda game: game_of(
        played(TABLE.format(sheet=SHEETS[game]), "The Ford", game), (120, 40)
    )


@pytest.mark.parametrize(
    ("game", "keys"),
    [
        ("monsters-and-magic", "v"),
        ("monsters-and-magic", "A"),
        ("orcus", "v"),
        ("orcus", "h"),
        ("orcus", "l"),
        ("orcus", "A"),
        ("level-up", "A"),
        ("5e", "A"),
        ("adventure-school", "A"),
    ],
)
async def test_allies_are_listed_before_foes_and_the_dead_not_at_all(
    table: Callable[[str], Any], game: str, keys: str
) -> None:
    async with table(game) as opened:
        await opened.type(keys)
        assert offered(opened)[:3] == ["Teo", "Una", "Goblin 2"]
        assert "Goblin 1" not in offered(opened)


@pytest.mark.parametrize(
    ("game", "keys"), [("orcus", "h4"), ("orcus", "l4"), ("level-up", "A4"), ("5e", "A4⇥")]
)
async def test_the_enemy_of_whom_an_ally_is_helped_against_is_a_foe(
    table: Callable[[str], Any], game: str, keys: str
) -> None:
    async with table(game) as opened:
        await opened.type(keys)
        assert offered(opened)[0] == "Goblin 2"


async def test_a_song_is_heard_by_allies_first(table: Callable[[str], Any]) -> None:
    async with table("adventure-school") as opened:
        await opened.type("HMarch⇥s⇥⇥")
        assert offered(opened)[3:] == ["Mira", "Teo", "Una", "Goblin 2"]

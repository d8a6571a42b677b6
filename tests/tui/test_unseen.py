"""In a long order the frame says what is to know of those who are out of sight."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from affray.store.encounter import OpenEncounter
from affray.tui.app import AffrayApp
from affray.tui.panes.initiative import InitiativePane

CROWD = """
add pc Mira hp 30 fatigue 5 exhaustion 5
add monster Ghoul x40 cr 2 hp 20 fatigue 5 exhaustion 5 attack claws 1d6
init mira 30
start
"""


@pytest.mark.parametrize(
    ("commands", "told"),
    [
        ("", " +18 out of sight "),
        ("set ghoul-39 hp 5\nmark ghoul-39 fatigue 2", ", 1 hurt, Ghoul 39 most worn "),
        ("mark ghoul-39 fatigue 2\nmark mira fatigue 2", " out of sight "),
        ("mark ghoul-39 exhaustion 1\nmark mira fatigue 4", ", Ghoul 39 most worn "),
        ("mark ghoul-39 exhaustion 1\nset ghoul-39 hp 0", " out of sight "),
    ],
)
async def test_who_is_hurt_and_most_worn_is_said_of_those_who_are_out_of_sight(
    commands: str, told: str, played: Callable[..., OpenEncounter]
) -> None:
    """Of wear only what is worse than on anybody who is seen; a grave mark is, of whatever else."""
    async with AffrayApp(played(CROWD + commands)).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert pilot.app.screen.query_one(InitiativePane).aside.endswith(told)


async def test_where_all_are_seen_nothing_is_said(played: Callable[..., OpenEncounter]) -> None:
    few = CROWD.replace("x40", "x4")
    async with AffrayApp(played(f"{few}mark ghoul-4 exhaustion 1")).run_test(
        size=(120, 40)
    ) as pilot:
        await pilot.pause()
        assert pilot.app.screen.query_one(InitiativePane).aside == ""

"""The frame of the order says who is out of sight, who is worst hurt, and who most worn."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from affray.store.open_encounter import OpenEncounter
from affray.tui.app import AffrayApp
from affray.tui.widgets.tracks import TracksPane
from affray.tui.widgets.turn_order import TurnOrderList

CROWD = """
add pc Mira hp 30 fatigue 5 exhaustion 5
add monster Ghoul x40 cr 2 hp 20 fatigue 5 exhaustion 5 attack claws 1d6
init mira 30
start
"""


ORCUS = """
add pc Mira hp 30 ac 15 recoveries 8
add pc Odo hp 40 ac 15 recoveries 10
set mira recoveries 3
set odo recoveries 3
init mira 30
start
"""
TERM = """
add pc Mira hp 30 ac 15 stamina 4
add pc Odo hp 40 ac 15 spirit 6
init mira 30
start
set mira stamina 3
set odo spirit 3
"""


async def _said(opened: OpenEncounter) -> str:
    """What the frame of the order says below."""
    async with AffrayApp(opened).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        return pilot.app.screen.query_one(TurnOrderList).aside


@pytest.mark.parametrize(
    ("commands", "told"),
    [
        ("", " …18 out of sight "),
        ("set ghoul-39 hp 5", " …18 out of sight, 1 hurt · ◀ worst hurt Ghoul 39 5/20 "),
        ("set ghoul-39 hp 12", " …18 out of sight · ◀ worst hurt Ghoul 39 12/20 "),
        ("set ghoul-39 hp 12\nset mira hp 3", " · ◀ worst hurt Mira 3/30 "),
        ("set mira hp 0\nset ghoul-39 hp 1", ", 1 hurt · ◀ worst hurt Mira 0/30 "),
        ("mark ghoul-39 fatigue 2\nmark mira fatigue 1", " · ◀ most worn Ghoul 39 Fat 2/5 "),
        ("mark ghoul-39 exhaustion 1\nmark mira fatigue 4", " · ◀ most worn Ghoul 39 Exh 1/5 "),
        ("mark ghoul-39 exhaustion 1\nset ghoul-39 hp 0", " …18 out of sight "),
        (
            "set mira hp 3\nmark mira fatigue 1",
            " · ◀ hurt Mira 3/30, worn Mira Fat 1/5 ",  # the whole has no room
        ),
        (
            'set mira hp 3\nrename mira "Mirabel the Lampwright"\nmark mirabel fatigue 1',
            " · ◀ hurt Mirabel the Lampwright 3/30 ",  # nor has who is worn
        ),
    ],
)
async def test_the_worst_hurt_and_the_most_worn_of_all_are_named(
    commands: str, told: str, played: Callable[..., OpenEncounter]
) -> None:
    """The dying before others, grave marks before others; nobody who is out of the fight."""
    assert (await _said(played(CROWD + commands))).endswith(told)


@pytest.mark.parametrize(
    ("game", "commands", "told"),
    [("orcus", ORCUS, "Odo Rec 3/10"), ("adventure-school", TERM, "Odo Sp 3/6")],
)
async def test_where_nothing_is_marked_what_is_left_of_it_tells_who_is_worn(
    game: str, commands: str, told: str, played: Callable[..., OpenEncounter]
) -> None:
    """3 recoveries of 10 are less than 3 of 8, and 3 spirit of 6 less than 3 stamina of 4."""
    assert (await _said(played(commands, ruleset=game))).endswith(f"◀ most worn {told} ")


async def test_of_a_fresh_party_nobody_is_named(played: Callable[..., OpenEncounter]) -> None:
    assert await _said(played(CROWD.replace("x40", "x4"))) == ""


async def test_their_rows_are_marked_where_it_is_told(played: Callable[..., OpenEncounter]) -> None:
    """A group's member beside the others; one who is both, twice."""
    few = CROWD.replace("x40", "x3 group") + "set ghoul-2 hp 4\nmark mira exhaustion 1"
    assert await _marked(played(few)) == ["■□□□□◀", "3 4/20◀"]
    both = CROWD + "set mira hp 4\nmark mira fatigue 1"
    assert await _marked(played(both)) == ["30 ▇▇░░░░░░░░░░◀", "1/5◀"]


async def _marked(opened: OpenEncounter) -> list[str]:
    """What is marked, in the order of the rows."""
    async with AffrayApp(opened).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        pane = pilot.app.screen.query_one(TurnOrderList)
        beside = pilot.app.screen.query_one(TracksPane)
        rows = range(pane.size.height)
        told = "\n".join(f"{pane.render_line(y).text} {beside.render_line(y).text}" for y in rows)
    return re.findall(r"(?:\d+ )?\S+◀", told)

"""The pane of what wears everybody out: beside the order row by row, and with its history."""

from __future__ import annotations

from typing import Any

import pytest
from tests.tui.conftest import MOST_LOOKS, Sample
from tests.tui.seen import SeenPane, panes_of
from tests.tui.test_nothing_lost import A_MOMENT, settled
from textual.pilot import Pilot

from affray.store.open_encounter import OpenEncounter
from affray.tui.app import AffrayApp

TITLES = {
    "drowned-vale/encounters/the-sluice-gate": ("# Initiative", "Fatigue  Exh ──", "AP spend"),
    "salt-stair/encounters/the-bell-in-the-gale": (
        "# Initiative",
        "Fatigue  Strife",
        "Action spend",
    ),
    "kiln-road/encounters/the-ninth-kiln": ("# Initiative", "Recoveries", "Action spend"),
    "winter-term/encounters/the-frozen-conservatory": ("# Initiative", "Stamina", "Action spend"),
}


@pytest.mark.parametrize("fight", TITLES)
async def test_four_panes_carry_the_fight_each_in_a_frame_with_its_title(
    sample: Sample, fight: str
) -> None:
    async with AffrayApp(sample(f"{fight}.toml")).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        panes = await settled(pilot)
    for name, title in zip(("initiative", "tracks", "spend"), TITLES[fight], strict=True):
        assert not title or f"─ {title} " in panes[name].edges[0]
    assert "Condition timers " in panes["timers"].edges[0]


async def test_the_tracks_stand_beside_the_rows_of_the_order_and_scroll_with_them(
    ambush: OpenEncounter,
) -> None:
    ambush.do("add monster Rat x30 hp 3 ac 0 cr 0 fatigue 2 exhaustion 1")
    ambush.do("mark brannoc exhaustion 1")
    async with AffrayApp(ambush).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        for _ in range(2):
            panes = await settled(pilot)
            pairs = list(zip(panes["initiative"].rows, panes["tracks"].rows, strict=True))
            rats = [tracks for order, tracks in pairs if " Rat " in order]
            assert rats
            assert all("0/2  0/1" in tracks for tracks in rats)
            await pilot.press("ctrl+g", "r", "end")


async def test_they_say_what_marks_take_from_rolls_and_what_the_next_one_brings(
    ambush: OpenEncounter,
) -> None:
    ambush.do("set mira exhaustion 2")
    async with AffrayApp(ambush).run_test(size=(120, 40)) as pilot:
        panes = await settled(pilot)
        assert "−1" in _beside(panes, "Mira")
        ambush.do("set mira exhaustion 3")
        pilot.app.screen.publish()  # type: ignore[attr-defined]
        panes = await settled(pilot)
    assert "−1 →−2" in _beside(panes, "Mira")


def _beside(panes: dict[str, Any], name: str) -> str:
    pairs = zip(panes["initiative"].rows, panes["tracks"].rows, strict=True)
    return next(tracks for order, tracks in pairs if name.casefold() in order.casefold())


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_roll_column_is_the_sum_of_all_that_is_taken_from_checks(
    ambush: OpenEncounter, size: tuple[int, int]
) -> None:
    """Monsters & Magic, Conditions (weakened) and Exhaustion: −2, and −1 of two marks."""
    ambush.do("inflict mira weakened")
    ambush.do("set mira exhaustion 2")
    async with AffrayApp(ambush).run_test(size=size) as pilot:
        panes = await settled(pilot)
    row = next(row for row in panes["initiative"].rows if "mira" in row.casefold())
    assert "−3" in row + (_beside(panes, "Mira") if "tracks" in panes else "")


async def test_over_the_whole_room_every_track_of_everybody_has_its_history(
    ambush: OpenEncounter,
) -> None:
    async with AffrayApp(ambush).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("ctrl+g", "r")
        told: list[str] = []
        for _ in range(30):
            told += [row for row in (await _over_the_room(pilot)).rows if row not in told]
            await pilot.press("pagedown")
            await pilot.pause()
        await _leaves(pilot)
    text = "\n".join(told)
    for who in ambush.state.combatants:
        assert who.name in text
    assert "Exhaustion" in text
    assert any(bar in text for bar in "▃▄▅▆▇")


async def _over_the_room(pilot: Pilot[Any]) -> SeenPane:
    """The pane, once it is laid out: a key is taken before that is done."""
    for _ in range(MOST_LOOKS):
        if pane := panes_of(pilot.app.screen).get("tracks"):
            return pane
        await pilot.pause(A_MOMENT)
    raise AssertionError("the tracks are not over the whole room")


async def _leaves(pilot: Pilot[Any]) -> None:
    await pilot.press("escape")
    await pilot.pause()
    assert "tracks" not in panes_of(pilot.app.screen)

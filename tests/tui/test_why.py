"""`w`: where the numbers of the one under the cursor come from."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from textual.geometry import Size
from textual.pilot import Pilot
from textual.widgets import Static

from affray.store.open_encounter import OpenEncounter
from affray.tui.app import AffrayApp
from affray.tui.fight_view import FightView
from affray.tui.keymap import keymap_for
from affray.tui.screens.fight import FightScreen
from affray.tui.screens.reports import ExplainScreen, fitting_lines
from affray.tui.theme import DARK, styles_of

SIZES = [(80, 24), (120, 40), (200, 60)]


def told(pilot: Pilot[None]) -> list[str]:
    """The lines of the panel, which must be open."""
    assert isinstance(pilot.app.screen, ExplainScreen)
    return str(pilot.app.screen.query_one(Static).render()).splitlines()


def fight_screen(pilot: Pilot[None]) -> FightScreen:
    """The fight, with nothing over it."""
    assert isinstance(pilot.app.screen, FightScreen)
    return pilot.app.screen


@pytest.mark.parametrize("size", SIZES)
async def test_it_tells_the_parts_of_each_total_and_the_last_changes(
    ambush: OpenEncounter, size: tuple[int, int]
) -> None:
    async with AffrayApp(ambush).run_test(size=size) as pilot:
        await pilot.pause()
        fight_screen(pilot).put_cursor("brannoc")
        await pilot.press("w")
        await pilot.pause()
        lines = told(pilot)
        weakened = [line for line in lines if line.startswith("Checks −2")]
        assert "−2 weakened · entry " in weakened[0] and "until the end of" in weakened[0], lines
        assert any(line.startswith("AC 4") and "+4 own AC" in line for line in lines)
        assert any(line.startswith("HP 22/30") and "−8" in line for line in lines)
        assert any("began at 30" in line for line in lines)
        assert any(line.startswith("Exh 1/5") for line in lines)


def test_a_long_name_does_not_run_into_what_stands_behind_it(
    played: Callable[..., OpenEncounter],
) -> None:
    """In 5e `Damage taken +0` has a cell more than there were for names."""
    fight = played("add pc Mira hp 24 ac 15\nstart\n", ruleset="5e")
    mira, keymap = fight.state["mira"], keymap_for(fight.ruleset)
    view = FightView(fight.state, fight.ruleset, keymap, fight.history, 0, 0)
    lines = fitting_lines(view, mira, Size(100, 30), styles_of(DARK))
    assert {line.text.find("nothing changes") for line in lines} <= {-1, 16}, lines


@pytest.mark.parametrize("key", ["w", "escape", "space", "s"])
async def test_any_key_closes_it_and_does_nothing_else(ambush: OpenEncounter, key: str) -> None:
    async with AffrayApp(ambush).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        before = ambush.state
        await pilot.press("w", key)
        await pilot.pause()
        assert not fight_screen(pilot).query_one("#prompt").is_open  # type: ignore[attr-defined]
        assert ambush.state is before


async def test_in_the_past_it_tells_of_the_past(ambush: OpenEncounter) -> None:
    """Also of somebody who has left since."""
    assert ambush.do("leave ghoul-1").seq
    seq = ambush.history.head
    async with AffrayApp(ambush).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        screen = fight_screen(pilot)
        screen.look_at(seq - 1)
        screen.put_cursor("ghoul-1")
        await pilot.press("w")
        await pilot.pause()
        lines = told(pilot)
        assert any(line.startswith("HP 12/18") for line in lines), lines
        await pilot.press("w")
        screen.look_at(20)
        screen.put_cursor("brannoc")
        await pilot.press("w")
        await pilot.pause()
        assert any(
            line.startswith("Checks 0") or line.startswith("Checks +0") for line in told(pilot)
        )


async def test_nobody_has_no_numbers(played: Callable[..., OpenEncounter]) -> None:
    async with AffrayApp(played("")).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("w")
        await pilot.pause()
        fight_screen(pilot)


async def test_it_is_never_larger_than_its_room(ambush: OpenEncounter) -> None:
    async with AffrayApp(ambush).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        view = fight_screen(pilot).view
        for rows in range(1, 20):
            for who in view.state.combatants:
                lines = fitting_lines(view, who, Size(60, rows), styles_of(DARK))
                assert 0 < len(lines) <= rows

"""Rows are painted once and kept: what is seen is always what a fresh picture would show."""

from __future__ import annotations

import random

import pytest
from tests.tui.conftest import Sample
from textual.geometry import Size
from textual.pilot import Pilot

from affray.tui.app import AffrayApp
from affray.tui.screens import idle_work
from affray.tui.screens.fight import FightScreen
from affray.tui.theme import styles_of
from affray.tui.widgets import turn_order
from affray.tui.widgets.base import FightWidget, Pane
from affray.tui.widgets.turn_order import TurnOrderList
from affray.tui.widgets.turn_order_columns import TurnOrderRowData
from affray.tui.widgets.turn_order_rows import draw_row

FIGHTS = (
    "drowned-vale/encounters/the-sluice-gate.toml",
    "kiln-road/encounters/the-ninth-kiln.toml",
    "salt-stair/encounters/the-bell-in-the-gale.toml",
    "winter-term/encounters/the-frozen-conservatory.toml",
    "night-ferry/encounters/mid-river.toml",
)
KEYS = (
    *("down", "up", "space", "u", "ctrl+r", "s", "d", "h", "p", "7", "1", "2", "enter", "escape"),
    *("tab", "shift+tab", "z", "[", "]", "pageup", "pagedown", "minus", "plus", "a", "t", "f", "g"),
)
SIZES = ((80, 24), (120, 40), (200, 60))
THEMES = ("affray-dark", "affray-light", "affray-contrast", "ansi-dark")


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[TurnOrderRowData]:
    """The rows of the order that are drawn, in turn; none of them between two keys."""
    monkeypatch.setattr(idle_work, "PAUSE", 3600)
    found: list[TurnOrderRowData] = []
    monkeypatch.setattr(
        turn_order, "draw_row", lambda row, *rest: found.append(row) or draw_row(row, *rest)
    )
    return found


def stale(pilot: Pilot[None]) -> list[str]:
    """The widgets whose kept picture is not the one that painting anew gives."""
    found = []
    for widget in pilot.app.screen.query(FightWidget):
        if not (widget.display and widget.region):
            continue
        whole = widget.outer_size.region
        kept = [list(strip) for strip in widget.render_lines(whole)]
        widget.repaint()
        if kept != [list(strip) for strip in widget.render_lines(whole)]:
            found.append(f"{type(widget).__name__} #{widget.id}")
    return found


@pytest.mark.parametrize("fight", FIGHTS)
@pytest.mark.parametrize("size", SIZES)
async def test_whatever_was_pressed_no_row_is_stale(
    fight: str, size: tuple[int, int], sample: Sample
) -> None:
    """Also not when what the next key may show was worked out before it, and another key came."""
    dice = random.Random(7)
    encounter = sample(fight)
    async with AffrayApp(encounter).run_test(size=size) as pilot:
        await pilot.pause()
        for number in range(24):
            key = dice.choice(KEYS)
            await pilot.press(key)
            assert stale(pilot) == [], f"after key {number}, {key}"
            if isinstance(pilot.app.screen, FightScreen):
                pilot.app.screen.idle_work.run()


async def test_numbers_stand_out_on_rows_that_were_drawn_before(
    sample: Sample, drawn: list[TurnOrderRowData]
) -> None:
    def numbers() -> list[str]:
        """The numbers that are in the ink for what stands out."""
        rows = pane.render_lines(pane.outer_size.region)
        found = [each for row in rows for each in row if each.style and each.style.bold]
        return [each.text.strip() for each in found if each.text.strip().isdecimal()]

    encounter = sample(FIGHTS[0])
    async with AffrayApp(encounter).run_test(size=SIZES[1]) as pilot:
        pane = pilot.app.screen.query_one(TurnOrderList)
        everybody = [str(number) for number in encounter.state.by_number()]
        await pilot.press("down", "up")  # by now everything has its place
        assert numbers() == []
        drawn.clear()
        await pilot.press("minus")
        assert (numbers(), drawn) == (everybody, [])
        await pilot.press("escape")
        assert (numbers(), drawn) == ([], [])
        await pilot.press("minus")
        assert (numbers(), drawn) == (everybody, [])


async def test_nor_after_another_theme_or_size(sample: Sample) -> None:
    encounter = sample(FIGHTS[0])
    async with AffrayApp(encounter).run_test(size=SIZES[0]) as pilot:
        for theme in THEMES:
            for size in SIZES:
                pilot.app.theme = theme
                await pilot.resize_terminal(*size)
                await pilot.press("tab", "down")
                assert pilot.app.size == Size(*size)
                assert stale(pilot) == [], f"in {theme} at {size}"


async def test_the_tabs_are_drawn_in_the_new_themes_inks(sample: Sample) -> None:
    encounter = sample(FIGHTS[0])
    async with AffrayApp(encounter).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        pane = pilot.app.screen.query_one("#timers", Pane)
        pilot.app.theme = "affray-light"
        await pilot.pause()
        assert pane.tabs is not None
        inks = styles_of(pilot.app.current_theme)
        assert [s.style for s in pane.tabs.segments[:2]] == [inks.accent, inks.strong]


@pytest.mark.parametrize("columns", [60, 66, 75, 79])
async def test_the_tab_in_front_is_seen_in_a_narrow_window(columns: int, sample: Sample) -> None:
    encounter = sample(FIGHTS[0])
    async with AffrayApp(encounter).run_test(size=(columns, 16)) as pilot:
        await pilot.press("tab", "tab", "tab")
        await pilot.pause()
        pane = pilot.app.screen.query_one("#log", Pane)
        edge = pane.render_lines(pane.outer_size.region)[0].text
        assert "▸Log " in edge and edge.endswith("─╮")

"""What is told of a fight afterwards, on the screen: by a key, when it is over, and from home."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Sparkline, Static

from affray.core.engine.history import History
from affray.core.formatting.recap import Recap
from affray.core.formatting.recap_output import (
    Bar,
    BarChart,
    LineChart,
    Section,
    Table,
    players_recap,
)
from affray.core.rules.ruleset import Ruleset
from affray.store.open_encounter import OpenEncounter
from affray.tui.app import AffrayApp
from affray.tui.screens import reports
from affray.tui.screens.fight import FightScreen
from affray.tui.screens.home import HomeScreen
from affray.tui.screens.reports import CELLS_A_ROUND, RecapScreen
from affray.tui.theme import DARK, styles_of
from affray.tui.widgets.header_footer import Footer
from affray.tui.widgets.reports import RecapPane, recap_lines

INKS = styles_of(DARK)
SECTIONS = [
    Section("Ambush at the Ford", 1, ("Monsters · in round 2",)),
    Section(
        "How it went",
        curves=LineChart("HP left", ("start", "1"), (("Party", (100, 80)), ("Foes", (100, 0)))),
        bars=(
            BarChart(
                "Damage dealt",
                (Bar("Mira of the Long Reeds", 20, "20"), Bar("Tam", 1, "1", "foes")),
            ),
        ),
    ),
    Section("Who did what", table=Table(("", "Done", "Taken"), (("Mira", "20", "–"),))),
    Section("Round 1", 3, ("Mira strikes the ghoul with all that she has left, which is much",)),
]


def lines(width: int) -> list[str]:
    return [line.text for line in recap_lines(SECTIONS, width, INKS)]


@pytest.mark.parametrize("width", [24, 56, 76, 116, 196])
def test_no_line_is_wider_than_there_is_room(width: int) -> None:
    assert all(line.width <= width for line in recap_lines(SECTIONS, width, INKS))


def test_a_table_that_has_no_room_is_told_name_by_name() -> None:
    assert "Mira    20      –" in lines(40)
    assert "done 20" in lines(14) and "Done" not in "".join(lines(14))


def test_bars_are_as_long_as_what_they_stand_for_and_never_nothing() -> None:
    mira, tam = (next(row for row in lines(60) if row.startswith(n)) for n in ("Mira of", "Tam "))
    assert mira.count("▇") > 10 and tam.count("▇") == 1
    assert mira.endswith("20") and tam.endswith("1")


async def text(pilot: Any) -> str:
    await pilot.pause()
    pane = pilot.app.screen.query_one(RecapPane)
    return " ".join(" ".join(line.text for line in pane._lines).split())


@pytest.mark.parametrize("size", [(60, 16), (80, 24), (200, 60)])
async def test_a_key_tells_the_fight_and_another_what_players_may_read(
    ambush: OpenEncounter, size: tuple[int, int]
) -> None:
    async with AffrayApp(ambush).run_test(size=size) as pilot:
        await pilot.press("ctrl+t")
        assert isinstance(pilot.app.screen, RecapScreen)
        told = await text(pilot)
        assert "The ferry line is cut" in told and "Reed Lurker" in told
        charts = pilot.app.screen.query(Sparkline)
        assert [chart.data[0] for chart in charts if chart.data] == [0, 0]
        await pilot.press("p")
        told = await text(pilot)
        assert "ferry line" not in told and "Reed Lurker" not in told
        await pilot.press("end")
        pane = pilot.app.screen.query_one(RecapPane)
        assert pane.top + pane.size.height - 2 >= pane.line_count() - 2
        await pilot.press("p", "escape")
        assert isinstance(pilot.app.screen, FightScreen)


async def test_what_players_may_read_is_read_once_when_it_is_first_asked_for(
    ambush: OpenEncounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[History] = []

    def noted(history: History, ruleset: Ruleset) -> Recap:
        read.append(history)
        return players_recap(history, ruleset)

    monkeypatch.setattr(reports, "players_recap", noted)
    async with AffrayApp(ambush).run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+t")
        assert "The ferry line is cut" in await text(pilot) and read == []
        await pilot.press("p", "p", "p")
        assert "ferry line" not in await text(pilot) and read == [ambush.history]


async def test_when_a_fight_is_over_its_story_is_the_first_key_that_is_offered(
    ambush: OpenEncounter, game_of: Callable[..., Any]
) -> None:
    async with game_of(ambush) as game:
        assert game.screen.run_command("end")
        assert game.row(Footer).startswith(" ctrl+t story")


async def test_a_fight_that_is_not_begun_is_told_too(played: Callable[..., OpenEncounter]) -> None:
    async with AffrayApp(played("add pc Mira hp 9")).run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+t")
        assert "not begun" in await text(pilot)
        await pilot.press("q")
        assert isinstance(pilot.app.screen, FightScreen)


async def test_from_home_the_fight_under_the_cursor_is_told(
    ambush: OpenEncounter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encounters = tmp_path / "vale" / "encounters"
    encounters.mkdir(parents=True)
    (encounters / "ambush.toml").write_bytes(ambush.path.read_bytes())
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path))
    async with AffrayApp(None).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("s")
        assert "Ambush at the Ford" in await text(pilot)
        await pilot.press("escape")
        assert isinstance(pilot.app.screen, HomeScreen)
        await pilot.press("up", "s")
        assert isinstance(pilot.app.screen, HomeScreen), "a campaign has no story of its own"


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_charts_name_their_first_and_last_round(
    ambush: OpenEncounter, size: tuple[int, int]
) -> None:
    async with AffrayApp(ambush).run_test(size=size) as pilot:
        await pilot.press("ctrl+t")
        await pilot.pause()
        screen = pilot.app.screen
        chart = screen.query_one("#recap-party-damage", Sparkline)
        end = screen.query_one("#recap-party-end", Static)
        assert chart.data is not None and len(chart.data) == ambush.state.round + 1
        assert 0 < chart.size.width <= CELLS_A_ROUND * len(chart.data)
        assert end.region.x == chart.region.right, "the last round stands right behind it"
        assert f"{end.render()}".strip() == f"R{ambush.state.round}"
        assert f"{screen.query_one('#recap-party-title', Static).render()}".endswith("start ")

"""The ledger on the screen: what is carried is told, and `w` tells the way back to the blow."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.store.evenings import Evening
from textual.pilot import Pilot

from affray.store.open_encounter import OpenEncounter
from affray.tui.app import AffrayApp
from affray.tui.screens.command_preview import preview_command
from affray.tui.screens.fight import FightScreen
from affray.tui.screens.reports import why_lines
from affray.tui.widgets.header_footer import Footer, Header
from affray.tui.widgets.prompt import PromptWidget


def said(pilot: Pilot[None]) -> str:
    line = pilot.app.screen.query_one(PromptWidget)
    return "\n".join(line.render_line(y).text.strip() for y in range(line.size.height))


async def typed(pilot: Pilot[None], line: str) -> None:
    await pilot.press(":", *("space" if key == " " else key for key in line), "enter")


def screen_of(pilot: Pilot[None]) -> FightScreen:
    screen = pilot.app.screen
    assert isinstance(screen, FightScreen)
    return screen


async def test_the_ledger_says_what_it_is_and_offers_what_comes_between_fights(
    tmp_path: Path,
) -> None:
    evening = Evening(tmp_path / "vale")
    evening.play("ford", "add party", "init roll", "start", "damage mira 14", "end")
    async with AffrayApp(OpenEncounter.open(evening.ledger_path)).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        screen = pilot.app.screen
        rows = [screen.query_one(pane).render_line(0).text for pane in (Header, Footer)]
        assert "between fights" in rows[0] and "not begun" not in rows[0]
        assert rows[1].startswith(" Z rest") and "start" not in rows[1]


async def test_a_fight_ends_and_the_next_begins_with_what_it_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path))
    evening = Evening(tmp_path / "vale")
    evening.play("ford", "add party", "init roll", "start", "damage mira 14")
    evening.play("bridge")
    app = AffrayApp(None)
    async with app.run_test(size=(120, 40)) as pilot:
        assert app.open_encounter(evening.path("ford")) == ""
        await pilot.pause()
        await typed(pilot, "end")
        over = "→ The fight is over · the ledger, entry 1: Mira and Odo come from Ford"
        assert said(pilot).startswith(over)
        await typed(pilot, "heal mira 1")  # goes along at once
        assert "the ledger, entry 2: Mira and Odo come again from Ford" in said(pilot)
        with OpenEncounter.open(evening.ledger_path):
            await typed(pilot, "heal mira 1")
        assert said(pilot).startswith("! Mira is healed")
        assert pilot.app.screen.query_one(Footer).render_line(0).text.startswith(" ↵ carry")
        assert "was not carried over into the ledger" in said(pilot)
        foreseen = preview_command(screen_of(pilot).encounter, "carry", typing=True)
        assert foreseen is not None and "Mira +1 HP, now 20 of 30" in foreseen.text
        assert len(screen_of(pilot).encounter.history.path) == 7
        await pilot.press("enter")
        await pilot.pause()
        assert "the ledger, entry 3: Mira and Odo come again from Ford" in said(pilot)
        await pilot.press("enter")  # nothing to carry any more
        await pilot.pause()
        assert "the ledger, entry 3: Mira and Odo come again from Ford" in said(pilot)
        app.go_home()
        assert app.open_encounter(evening.path("bridge")) == ""
        await pilot.pause()
        await typed(pilot, "add party")
        view = screen_of(pilot).view
        assert view.state["mira"].track("hp") == 20
        told = [line.text for line in why_lines(view, view.state["mira"], 120, app.inks, 9)]
        assert any("comes from Ford, entry 4: Mira takes 14: −12 14, AC 2" in row for row in told)


async def test_where_there_is_no_ledger_a_key_begins_one_when_the_fight_is_over(
    tmp_path: Path,
) -> None:
    evening = Evening(tmp_path / "vale", ledger=False)
    evening.play("ford", "add party", "init roll", "start", "damage mira 14")
    async with AffrayApp(OpenEncounter.open(evening.path("ford"))).run_test() as pilot:
        await pilot.pause()
        footer = pilot.app.screen.query_one(Footer)
        assert "carry" not in footer.render_line(0).text
        await pilot.press("E", "enter")
        await pilot.pause()
        assert footer.render_line(0).text.startswith(" ↵ carry")
        await pilot.press("enter")
        await pilot.pause()
        assert evening.ledger_path.exists()
        assert "carry" not in footer.render_line(0).text

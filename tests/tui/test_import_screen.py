"""Another program's file is imported from the list of fights: asked for, reported, or stopped."""

from __future__ import annotations

import json
from pathlib import Path
from threading import Event

import pytest
from tests.store.importing.files import MARSH_CRAB
from textual.pilot import Pilot

from affray.store.importing.bringing import Brought
from affray.tui.app import AffrayApp
from affray.tui.panes.recap import RecapPane
from affray.tui.screens import importing
from affray.tui.screens.home import HomeScreen
from affray.tui.screens.importing import STOPPED, ImportScreen


@pytest.fixture
def campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path))
    folder = tmp_path / "tidewater"
    (folder / "encounters").mkdir(parents=True)
    (folder / "campaign.toml").write_text('name = "Tidewater"\nruleset = "plain"\n', "utf-8")
    (tmp_path / "crab.json").write_text(json.dumps(MARSH_CRAB), "utf-8")
    return folder


async def ask(pilot: Pilot[None], path: Path) -> None:
    await pilot.pause()
    await pilot.press("i")
    pilot.app.screen.query_one("#title").value = str(path)  # type: ignore[attr-defined]
    await pilot.press("enter")
    await pilot.pause()


async def told(pilot: Pilot[None]) -> str:
    assert isinstance(pilot.app.screen, ImportScreen)
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()
    pane = pilot.app.screen.query_one(RecapPane)
    return " ".join(pane.line(number, 76).text for number in range(pane.line_count()))


async def test_a_file_is_imported_and_its_report_is_shown(campaign: Path) -> None:
    async with AffrayApp(None).run_test(size=(80, 24)) as pilot:
        await ask(pilot, campaign.parent / "crab.json")
        assert "1 creature into bestiary.toml" in await told(pilot)
        assert "[marsh-crab]" in (campaign / "bestiary.toml").read_text("utf-8")
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(pilot.app.screen, HomeScreen)


async def test_what_can_not_be_imported_is_told_in_a_line(campaign: Path) -> None:
    async with AffrayApp(None).run_test(size=(80, 24)) as pilot:
        await ask(pilot, campaign.parent / "nothing")
        assert "there is no file" in await told(pilot)
        assert not (campaign / "bestiary.toml").exists()


async def test_esc_stops_it_and_nothing_is_changed(
    campaign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(path: Path, into: Path, *, progress: importing.Progress) -> Brought:
        while True:  # until it is stopped
            progress(1, 2, "files read")
            Event().wait(0.001)  # the screen is to have its turn as well

    monkeypatch.setattr(importing, "bring_in", slow)
    async with AffrayApp(None).run_test(size=(80, 24)) as pilot:
        await ask(pilot, campaign.parent / "crab.json")
        await pilot.press("escape")
        assert STOPPED in await told(pilot)
        assert not (campaign / "bestiary.toml").exists()

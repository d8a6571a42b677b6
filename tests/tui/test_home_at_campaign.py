"""The list of fights begins at the campaign that was named; a screenshot says where it went."""

from __future__ import annotations

from pathlib import Path

import platformdirs
import pytest

from affray.store.campaigns.manage import create_campaign, create_encounter
from affray.tui.app import AffrayApp
from affray.tui.screens.home import HomeScreen

SIZE = (80, 24)


@pytest.mark.parametrize("is_listed", [True, False])
async def test_the_cursor_is_on_the_campaign_that_was_named(
    is_listed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path / "campaigns"))
    for name in ("Ashes", "The Salt Road", "Zephyr"):
        create_encounter(create_campaign(name, "plain"), f"Fight of {name}")
    if not is_listed:
        monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path / "nowhere"))
    app = AffrayApp(None)
    app.campaign = tmp_path / "campaigns" / "the-salt-road"
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        screen = pilot.app.screen
        assert isinstance(screen, HomeScreen) and screen.fights.row is not None
        assert screen.fights.row.path == app.campaign / "encounters" / "fight-of-the-salt-road.toml"


@pytest.mark.parametrize("has_downloads", [True, False])
async def test_a_screenshot_is_saved_where_there_is_a_folder_and_tells_it(
    has_downloads: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    downloads = tmp_path / "Downloads"
    monkeypatch.setattr(platformdirs, "user_downloads_path", lambda: downloads)
    monkeypatch.setattr("textual.app.user_downloads_path", lambda: downloads)
    monkeypatch.chdir(tmp_path)
    if has_downloads:
        downloads.mkdir()
    app = AffrayApp(None)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await pilot.pause()
        app.deliver_screenshot()
        for _ in range(50):
            await pilot.pause(0.02)
            if app._notifications:
                break
        [notice] = app._notifications
        [file] = (downloads if has_downloads else tmp_path).glob("*.svg")
        assert file.name in notice.message.replace("\n", "")
        assert "<svg" in file.read_text("utf-8")


async def test_a_screenshot_that_can_not_be_saved_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = AffrayApp(None)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await pilot.pause()
        app.deliver_screenshot(path=str(tmp_path / "gone"))
        for _ in range(50):
            await pilot.pause(0.02)
            if app._notifications:
                break
        [notice] = app._notifications
        assert "No such file or directory" in notice.message and notice.severity == "error"

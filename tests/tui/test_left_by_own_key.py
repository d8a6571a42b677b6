"""A screen of its own is left by the key that opens it, whichever that is."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.screen import Screen

from affray.store.open_encounter import OpenEncounter
from affray.tui.app import AffrayApp
from affray.tui.screens.fight import FightScreen
from affray.tui.screens.reports import PhonesScreen, PlayersScreen, RecapScreen

SCREENS = {"recap": RecapScreen, "players": PlayersScreen, "phones": PhonesScreen}
OURS = {"recap": "ctrl+t", "players": "ctrl+d", "phones": "ctrl+b"}


@pytest.mark.parametrize("key", ["", "Z", "ctrl+k"])
@pytest.mark.parametrize("name", SCREENS)
async def test_the_key_that_opens_a_screen_leaves_it(
    name: str, key: str, ambush: OpenEncounter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if key:
        monkeypatch.setenv("AFFRAY_CONFIG", str(tmp_path))
        (tmp_path / "keys.toml").write_text(f'{name} = "{key}"\n', "utf-8")
    async with AffrayApp(ambush).run_test(size=(80, 24)) as pilot:
        await pilot.pause()

        async def screen_after(pressed: str) -> Screen[object]:
            await pilot.press(pressed)
            await pilot.pause()
            return pilot.app.screen

        assert isinstance(await screen_after(key or OURS[name]), SCREENS[name])
        if key:
            assert isinstance(await screen_after(OURS[name]), SCREENS[name]), "no longer its key"
        assert isinstance(await screen_after(key or OURS[name]), FightScreen)

"""What others did to the file of a fight is told when it is closed, on the list of fights."""

from __future__ import annotations

from collections.abc import Callable

from affray.store.open_encounter import OpenEncounter
from affray.tui.app import AffrayApp
from affray.tui.screens.home import HomeScreen
from affray.tui.widgets.home import HomeKeys

KEPT = "entry 2, removed when another program saved, was kept in"


async def test_the_list_of_fights_says_once_what_was_kept_of_the_one_that_was_left(
    played: Callable[..., OpenEncounter],
) -> None:
    fight = played("add monster Ghoul hp 18")
    async with AffrayApp(fight).run_test(size=(100, 30)) as pilot:
        older = fight.path.read_bytes()
        fight.do("damage ghoul 1")
        fight.path.write_bytes(older)
        pilot.app.go_home()
        await pilot.pause()
        keys = pilot.app.screen.query_one(HomeKeys)
        assert isinstance(pilot.app.screen, HomeScreen)
        assert keys.message.startswith(KEPT)
        keys.show("")
        pilot.app.screen.on_screen_resume()
        assert keys.message == ""
        assert pilot.app.parting == list(fight.foreign_edit_notes)

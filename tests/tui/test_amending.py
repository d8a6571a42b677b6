"""A past entry asked again in its prompt: what would be different is shown before it is done."""

from __future__ import annotations

from pathlib import Path

import pytest

from affray.core.dice.sources import SeededDice
from affray.store.encounter import OpenEncounter
from affray.tui.app import AffrayApp
from affray.tui.screens.fight import FightScreen
from affray.tui.screens.fight_sheets import show_amending
from affray.tui.sheets.amending import Amending

LINES = (
    "add pc Mira hp 30 ac 2 power 2 pb 2 attack axe 1d8 slashing",
    "add monster Ghoul x2 cr 2 hp 18 ac 2 fatigue 3 exhaustion 2 attack claws 1d6+2 slashing",
    *("init mira 20", "init ghoul-1 10", "init ghoul-2 8", "start"),
    *("next", "strike mira natural 16 8", "next", "strike mira strong 8", "next"),
)
THE_STRIKE = 8


@pytest.fixture
def fight(tmp_path: Path) -> OpenEncounter:
    """Mira's second turn; Ghoul 1 struck her, with Ghoul 2 behind it."""
    opened = OpenEncounter.create(tmp_path / "f.toml", "monsters-and-magic", "F", SeededDice(3))
    for line in LINES:
        opened.do(line)
    return opened


def hp(fight: OpenEncounter) -> int:
    mira = fight.state.find("mira")
    assert mira is not None
    return mira.tracks["hp"].value


def sheet_of(app: AffrayApp) -> Amending | None:
    """The preview, if it is open."""
    screen = app.screen
    assert isinstance(screen, FightScreen)
    contents = screen.sheet_pane.sheet.contents if screen.sheet_pane.sheet else None
    return contents if isinstance(contents, Amending) else None


async def test_i_had_cover_two_turns_back_in_at_most_8_keys_with_its_preview(
    fight: OpenEncounter,
) -> None:
    """A total of 18 is a strong hit; one step less is a weak one, of which half goes through."""
    app = AffrayApp(fight)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        keys = ["[", "[", "[", "[", "ctrl+e", "C", "enter"]
        await pilot.press(*keys)
        await pilot.pause()
        preview = sheet_of(app)
        assert preview is not None and hp(fight) == 18
        assert [step.old.seq for step in preview.made.others if step.old] == [THE_STRIKE]
        await pilot.press("enter")
        await pilot.pause()
        assert len(keys) + 1 == 8
        assert hp(fight) > 18 and sheet_of(app) is None
        await pilot.press("u")
        await pilot.pause()
        assert hp(fight) == 18


async def test_a_later_command_is_left_out_by_one_key(fight: OpenEncounter) -> None:
    """Who is dying from the first blow meets the second one otherwise."""
    app = AffrayApp(fight)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, FightScreen)
        show_amending(screen, "amend 8 damage mira 40")
        await pilot.press("down", "x")
        await pilot.pause()
        preview = sheet_of(app)
        assert preview is not None and preview.made.line == "amend 8 damage mira 40; 10 out"
        await pilot.press("enter")
        await pilot.pause()
        assert [fight.history.entries[seq].command for seq in fight.history.path[7:]] == [
            *("damage mira 40", "next", "next"),
        ]


async def test_esc_leaves_the_past_as_it_was(fight: OpenEncounter) -> None:
    app = AffrayApp(fight)
    before = fight.state
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("[", "[", "[", "[", "ctrl+e", "C", "enter", "escape")
        await pilot.pause()
        assert sheet_of(app) is None and fight.state is before


async def test_the_line_of_the_amendment_can_be_changed_by_one_key(fight: OpenEncounter) -> None:
    app = AffrayApp(fight)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, FightScreen)
        await pilot.press("[", "[", "[", "[", "ctrl+e", "C", "enter")
        await pilot.pause()
        preview = sheet_of(app)
        assert preview is not None
        await pilot.press("c")
        await pilot.pause()
        bar = screen.query_one("#prompt").bar  # type: ignore[attr-defined]
        assert bar is not None and bar.text == preview.made.line

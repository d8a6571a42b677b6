"""Another program's file is imported from the list of fights: asked for, reported, or stopped."""

from __future__ import annotations

import json
import os
from pathlib import Path
from threading import Event

import pytest
from tests.store.importers.files import MARSH_CRAB
from textual.pilot import Pilot
from textual.widgets import Input

from affray.store.importers.run_import import ImportSummary
from affray.tui.app import AffrayApp
from affray.tui.screens import home_dialogs
from affray.tui.screens.home import HomeScreen
from affray.tui.screens.home_dialogs import STOPPED, ImportScreen, completed, path_of
from affray.tui.widgets.home import HomeKeys
from affray.tui.widgets.reports import RecapPane


@pytest.fixture
def campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path))
    folder = tmp_path / "tidewater"
    (folder / "encounters").mkdir(parents=True)
    (folder / "campaign.toml").write_text('name = "Tidewater"\nruleset = "plain"\n', "utf-8")
    (tmp_path / "crab.json").write_text(json.dumps(MARSH_CRAB), "utf-8")
    return folder


async def ask(pilot: Pilot[None], path: Path | str) -> None:
    await pilot.pause()
    await pilot.press("i")
    pilot.app.screen.query_one("#title").value = str(path)  # type: ignore[attr-defined]
    await pilot.press("enter")
    await pilot.pause()


def said(screen: HomeScreen) -> str:
    return screen.query_one(HomeKeys).message


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


async def test_it_says_into_which_campaign_before_it_is_done_and_after(campaign: Path) -> None:
    async with AffrayApp(None).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        line = pilot.app.screen.query_one("#title", Input)
        for key, asked in (("n", "new encounter in Tidewater"), ("i", "import into Tidewater")):
            await pilot.press(key)
            assert line.placeholder.endswith(asked)
            await pilot.press("escape")
        await ask(pilot, campaign.parent / "crab.json")
        assert "Imported into Tidewater" in await told(pilot)


async def test_after_a_wrong_path_it_is_asked_again_as_it_was_typed_with_what_is_wrong(
    campaign: Path,
) -> None:
    async with AffrayApp(None).run_test(size=(80, 24)) as pilot:
        await ask(pilot, campaign.parent / "crab.jso")
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()
        screen = pilot.app.screen
        assert isinstance(screen, HomeScreen)
        assert "there is no file" in said(screen)
        assert not (campaign / "bestiary.toml").exists()
        await pilot.press("n")
        assert said(screen) == ""
        assert screen.query_one(Input).value == f"{campaign.parent / 'crab.json'}"
        await pilot.press("enter")
        assert "1 creature into bestiary.toml" in await told(pilot)


async def test_tab_completes_a_path_as_far_as_all_are_alike(campaign: Path) -> None:
    (campaign.parent / "crabs").mkdir()
    async with AffrayApp(None).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("i")
        line = pilot.app.screen.query_one(Input)
        line.value = str(campaign.parent / "cr")
        await pilot.press("tab")
        assert line.value == str(campaign.parent / "crab")
        assert str(line.border_subtitle) == "crab.json  crabs/"
        await pilot.press("full_stop", "tab")
        assert line.value == str(campaign.parent / "crab.json")
        await pilot.press("x", "tab")
        assert line.value.endswith("crab.jsonx")
        assert str(line.border_subtitle) == "nothing starts with that"


@pytest.mark.parametrize(
    "typed, whole, names",
    [
        ("{}/tide", "{}/tidewater/", ["tidewater/"]),
        ("{}/", "{}/", ["crab.json", "tidewater/"]),
        ("{}/.", "{}/.hidden", [".hidden"]),
        ("{}/nowhere/a", "{}/nowhere/a", []),
        ("~", "~/", []),
        ("~nobody-is-called-so/a", "~nobody-is-called-so/a", []),
    ],
)
def test_a_path_is_completed_while_it_is_typed(
    campaign: Path, typed: str, whole: str, names: list[str]
) -> None:
    (campaign.parent / ".hidden").touch()
    here = str(campaign.parent)
    whole, names = whole.format(here), [name.replace("/", os.sep) for name in names]
    if whole.endswith("/"):
        whole = f"{whole[:-1]}{os.sep if whole[:-1] != here else '/'}"
    assert completed(typed.format(here)) == (whole, names)


def test_letters_are_alike_where_nothing_begins_as_it_was_typed(campaign: Path) -> None:
    """As Macs and Windows take them, and a Mac lists an é otherwise than it is typed."""
    here = campaign.parent
    for name in ("Greenwood", "Great.json", "cafe\u0301.json"):
        (here / name).touch()
    assert completed(f"{here}/gre") == (f"{here}/Gre", ["Great.json", "Greenwood"])
    assert completed(f"{here}/Green")[0] == f"{here}/Greenwood"
    assert completed(f"{here}/café") == (f"{here}/cafe\u0301.json", ["cafe\u0301.json"])
    (here / "GREY").touch()
    assert completed(f"{here}/gre")[0] == f"{here}/gre", "nothing typed is taken back"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ('"C:\\Users\\Mira\\my crabs.json"', "C:\\Users\\Mira\\my crabs.json"),
        ("'/home/mira/my crabs.json' ", "/home/mira/my crabs.json"),
        ("/Users/mira/my\\ crabs\\ \\(2\\).json ", "/Users/mira/my crabs (2).json"),
        ("/Users/mira/crabs", "/Users/mira/crabs"),
        ("~nobody-is-called-so/a", "~nobody-is-called-so/a"),
        ('"', '"'),
        ("", "."),
    ],
)
def test_a_file_that_is_dropped_on_the_terminal_is_found(typed: str, meant: str) -> None:
    assert path_of(typed) == Path(meant)


def test_a_backslash_stays_in_a_path_of_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home_dialogs, "ON_WINDOWS", True)
    assert path_of(r"C:\Users\crabs.json") == Path(r"C:\Users\crabs.json")


async def test_the_home_of_nobody_is_no_file(campaign: Path) -> None:
    """The screen ended with a traceback."""
    async with AffrayApp(None).run_test(size=(80, 24)) as pilot:
        await ask(pilot, "~nobody-is-called-so/crab.json")
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()
        assert "there is no file" in said(pilot.app.screen)


async def test_esc_stops_it_and_nothing_is_changed(
    campaign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(path: Path, into: Path, *, progress: home_dialogs.Progress) -> ImportSummary:
        while True:  # until it is stopped
            progress(1, 2, "files read")
            Event().wait(0.001)  # the screen is to have its turn as well

    monkeypatch.setattr(home_dialogs, "bring_in", slow)
    async with AffrayApp(None).run_test(size=(80, 24)) as pilot:
        await ask(pilot, campaign.parent / "crab.json")
        await pilot.press("escape")
        assert STOPPED in await told(pilot)
        assert not (campaign / "bestiary.toml").exists()

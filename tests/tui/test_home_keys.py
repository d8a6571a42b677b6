"""The keys of the list of fights, and what it keeps from one time to the next."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from affray import cli
from affray.core.parser.errors import Refused
from affray.tui.app import AffrayApp
from affray.tui.keymap import (
    FILE,
    OWN_THEME_FILE,
    config_folder,
    keep_theme,
    own_keys,
    own_theme,
)
from affray.tui.screens.home import HomeHelp, HomeScreen
from affray.tui.widgets.home import KEYS, HomeKeys
from affray.tui.widgets.lookup import LookupPane

KNOWN = ("affray-dark", "affray-light")


@pytest.fixture
def settings() -> Path:
    """Where the theme is kept, in a folder that is there."""
    config_folder().mkdir(parents=True)
    return config_folder() / OWN_THEME_FILE


# -- keys ------------------------------------------------------------------------------------------


async def test_esc_on_the_list_of_fights_asks_before_it_leaves() -> None:
    async with AffrayApp(None).run_test(size=(60, 16)) as pilot:
        await pilot.press("escape")
        keys = pilot.app.screen.query_one(HomeKeys)
        assert "leave affray? enter: yes · esc: no" in keys.render_line(0).text
        await pilot.press("escape")
        assert "? help" in keys.render_line(0).text and pilot.app.is_running
        await pilot.press("escape", "question_mark")
        assert isinstance(pilot.app.screen, HomeHelp), "another key does what it always does"
        await pilot.press("escape")
        assert not keys.asks
        await pilot.press("escape", "enter")
        assert pilot.app.return_code == 0


@pytest.mark.parametrize("key", ["q", "ctrl+q"])
async def test_q_leaves_at_once(key: str) -> None:
    async with AffrayApp(None).run_test(size=(80, 24)) as pilot:
        await pilot.press(key)
        assert pilot.app.return_code == 0


async def test_esc_on_the_list_of_fights_first_takes_a_message_away() -> None:
    async with AffrayApp(None).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        screen = pilot.app.screen
        assert isinstance(screen, HomeScreen)
        screen.say("something was said")
        await pilot.press("escape")
        assert screen.query_one(HomeKeys).message == ""
        await pilot.press("escape", "escape")
        assert screen.query_one(HomeKeys).message == ""
        assert pilot.app.is_running and pilot.app.screen is screen
        await pilot.press("n", "escape", "q")
        assert pilot.app.return_code == 0


@pytest.mark.parametrize("key", ["question_mark", "f1"])
@pytest.mark.parametrize("size", [(60, 16), (80, 24), (120, 40)])
async def test_the_help_of_the_list_names_every_key(size: tuple[int, int], key: str) -> None:
    async with AffrayApp(None).run_test(size=size) as pilot:
        await pilot.press(key)
        screen = pilot.app.screen
        assert isinstance(screen, HomeHelp)
        sheet = screen.query_one(LookupPane).sheet
        assert sheet is not None
        assert [row.pressed for row in sheet.rows[1 : len(KEYS) + 1]] == [key for key, _, _ in KEYS]
        await pilot.press(*"campaign", "escape")
        assert sheet.query == "" and pilot.app.screen is screen
        await pilot.press("escape")
        assert isinstance(pilot.app.screen, HomeScreen)


@pytest.mark.parametrize("width", [60, 80, 120])
async def test_the_last_line_names_help_and_quit(width: int) -> None:
    async with AffrayApp(None).run_test(size=(width, 24)) as pilot:
        await pilot.pause()
        line = pilot.app.screen.query_one(HomeKeys).render_line(0).text
        assert "? help" in line and "q quit" in line and "…" not in line


# -- the theme -------------------------------------------------------------------------------------


async def _themes(app: AffrayApp, choose: str = "") -> tuple[str, list[str]]:
    """The theme that it begins with, and what is said; then another one is chosen."""
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        begun = app.theme
        if choose:
            app.theme = choose
            await pilot.pause()
        return begun, [app.screen.query_one(HomeKeys).message]


async def test_a_theme_that_was_chosen_is_there_the_next_time(settings: Path) -> None:
    settings.write_text('later = "kept"\n', "utf-8")
    assert await _themes(AffrayApp(None), "affray-light") == ("affray-dark", [""])
    assert await _themes(AffrayApp(None)) == ("affray-light", [""])
    assert await _themes(AffrayApp(None), "affray-dark") == ("affray-light", [""])
    assert await _themes(AffrayApp(None)) == ("affray-dark", [""])
    assert settings.read_text("utf-8") == 'theme = "affray-dark"\nlater = "kept"\n'
    assert [path.name for path in settings.parent.iterdir()] == [OWN_THEME_FILE]


async def test_nothing_is_written_until_a_theme_is_chosen() -> None:
    await _themes(AffrayApp(None))
    assert not config_folder().exists()


async def test_a_theme_that_is_named_stands_before_the_one_that_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    keep_theme("affray-light")
    monkeypatch.setenv("TEXTUAL_THEME", "nord")
    assert (await _themes(AffrayApp(None)))[0] == "nord"
    assert (await _themes(AffrayApp(None, "affray-contrast")))[0] == "affray-contrast"
    assert own_theme(KNOWN) == ("affray-light", "")


def test_a_theme_that_is_not_there_is_refused_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Refused, match="no theme called 'affray-lite'; did you mean affray-light"):
        AffrayApp(None, "affray-lite")
    monkeypatch.setenv("TEXTUAL_THEME", "x")
    with pytest.raises(Refused, match=r"^TEXTUAL_THEME: there is no theme .*'x'; there are"):
        AffrayApp(None)
    assert AffrayApp(None, "nord").theme == "nord", "the option stands before it"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"theme = ", f"{OWN_THEME_FILE} is not used: "),
        (b"\xff\xfe", f"{OWN_THEME_FILE} is not used: "),
        (b'theme = "mauve"', "no theme called 'mauve'"),
        (b"theme = 3", "no theme called '3'"),
        (b"theme = [1]", "no theme called '[1]'"),
    ],
)
async def test_a_broken_settings_file_is_one_line(settings: Path, text: bytes, said: str) -> None:
    settings.write_bytes(text)
    theme, (line,) = await _themes(AffrayApp(None))
    assert theme == "affray-dark"
    assert said in line and "\n" not in line


def test_what_is_no_file_is_one_line(settings: Path) -> None:
    settings.mkdir()
    assert own_theme(KNOWN) == ("", f"{settings} is not used: Is a directory")
    assert keep_theme("affray-light").endswith("Is a directory")


async def test_what_cant_be_read_is_not_written_to(settings: Path) -> None:
    settings.write_bytes(b"theme = ")
    _, (line,) = await _themes(AffrayApp(None), "affray-light")
    assert "the theme is not saved" in line
    assert settings.read_bytes() == b"theme = "


async def test_a_folder_that_cant_be_written_to_is_one_line() -> None:
    config_folder().parent.mkdir(parents=True, exist_ok=True)
    config_folder().write_bytes(b"")  # a file in the folder's place
    theme, (line,) = await _themes(AffrayApp(None), "affray-light")
    assert theme == "affray-dark"
    assert "the theme is not saved" in line and "\n" not in line


# -- on which terminal -----------------------------------------------------------------------------


@contextmanager
def _noted(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    calls: list[Any] = []
    monkeypatch.setattr("affray.tui.app.run_app", lambda *how: calls.append(how) or 0)
    yield calls


def test_a_driver_that_is_named_needs_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    with _noted(monkeypatch) as calls:
        assert cli.main([]) == 2 and not calls
        monkeypatch.setenv("TEXTUAL_DRIVER", "textual.drivers.web_driver:WebDriver")
        assert cli.main(["--theme", "affray-light"]) == 0
        assert cli.main([]) == 0
    assert calls == [(None, "affray-light", False, None, None), (None, "", False, None, None)]


def test_what_notepad_saves_is_read_and_kept_as_it_is(settings: Path) -> None:
    """A mark before it and the line ends of Windows; comments stay with the theme, too."""
    (settings.parent / FILE).write_bytes("\ufeffundo = 'Z'\r\n".encode())
    assert own_keys() == ({"undo": "Z"}, [])
    settings.write_bytes("\ufefftheme = 'affray-dark'  # for the dark\r\n# mine\r\n".encode())
    assert own_theme(KNOWN) == ("affray-dark", "")
    assert keep_theme("affray-light") == ""
    kept = settings.read_bytes().decode()
    assert kept == '\ufefftheme = "affray-light"  # for the dark\r\n# mine\r\n'

"""The screen and the log behind it: a file that changes, a disk that refuses, another fight."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
from textual.pilot import Pilot

from affray.store.log_file import LogFile
from affray.store.open_encounter import OpenEncounter
from affray.tui.app import AffrayApp
from affray.tui.screens.fight import FightScreen
from affray.tui.screens.home import HomeScreen
from affray.tui.widgets.prompt import PromptWidget

Played = Callable[..., OpenEncounter]

SHORT = """
add pc Mira hp 24 ac 3 power 0 cunning 3 focus 2 luck 1 pb 2
add monster Ghoul cr 2 hp 18 ac 2
note "the ferry is late"
"""


def fight_screen(pilot: Pilot[None]) -> FightScreen:
    """The fight, with nothing over it."""
    assert isinstance(pilot.app.screen, FightScreen)
    return pilot.app.screen


def text_of(pilot: Pilot[None], widget: str) -> str:
    """What a widget shows."""
    found = pilot.app.screen.query_one(f"#{widget}")
    return "\n".join(found.render_line(y).text.rstrip() for y in range(found.size.height))


def edit(path: Path, old: str, new: str) -> None:
    """As somebody does who opens the file in an editor."""
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


async def test_a_file_that_was_edited_meanwhile_is_told_of_and_read_anew(played: Played) -> None:
    fight = played(SHORT)
    async with AffrayApp(fight).run_test(size=(200, 60)) as pilot:
        await pilot.pause()
        assert "the ferry is late" in text_of(pilot, "log")
        edit(fight.path, "the ferry is late", "the ferry is gone")
        await pilot.press("S", "r")
        await pilot.pause()
        message, kind, *_ = fight_screen(pilot).query_one(PromptWidget).message
        assert "edited" in message and kind == "warning"
        assert fight.state.phase == "combat"
        assert "the ferry is gone" in text_of(pilot, "log")
        assert "the ferry is late" not in text_of(pilot, "log")
        await pilot.press("space")
        await pilot.pause()
        assert "edited" not in fight_screen(pilot).query_one(PromptWidget).message[0]


async def test_a_disk_that_refuses_is_told_of_in_the_header(
    played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    fight = played(SHORT)

    def full(*_: Any) -> NoReturn:
        raise OSError(errno.ENOSPC, "No space left on device")

    async with AffrayApp(fight).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert "saved ✓" in text_of(pilot, "header")
        monkeypatch.setattr(LogFile, "_write", full)
        await pilot.press("S", "r")
        await pilot.pause()
        header = text_of(pilot, "header")
        assert "READ-ONLY" in header and "saved" not in header
        assert "No space left" in header
        assert "NOT saved" in fight_screen(pilot).query_one(PromptWidget).message[0]


async def test_the_list_of_fights_can_be_reached_from_a_fight_that_was_named(
    played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path / "campaigns"))
    async with AffrayApp(played(SHORT)).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("ctrl+o")
        await pilot.pause()
        assert isinstance(pilot.app.screen, HomeScreen)
        await pilot.press("n", *"Weir", "enter")
        await pilot.pause()
        assert fight_screen(pilot).encounter.title == "Weir"
        await pilot.press("ctrl+o")
        await pilot.pause()
        assert isinstance(pilot.app.screen, HomeScreen)
        assert len(pilot.app.screen_stack) == 2


class Unwalked(list[int]):
    """A way through the log that may be looked into, but not walked."""

    def __iter__(self) -> Iterator[int]:
        raise AssertionError("the log was walked")

    def index(self, *_: Any) -> int:
        raise AssertionError("the log was walked")


class Unread(dict[int, Any]):
    """Entries that may be looked up, but not walked."""

    def values(self) -> Any:
        raise AssertionError("the log was walked")

    __iter__ = items = keys = values


async def test_no_key_walks_the_log(played: Played) -> None:
    fight = played(SHORT + "note hm\n" * 30)
    async with AffrayApp(fight).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        fight.history.path = Unwalked(fight.history.path)
        fight.history.entries = Unread(fight.history.entries)
        await pilot.press(
            ":", "n", "o", "up", "escape", ",", ",", ".", "escape", "[", "]", "j", "k"
        )
        await pilot.pause()
        assert fight_screen(pilot).view_at is None


async def test_looking_back_goes_to_the_beginning_and_on_to_now(played: Played) -> None:
    fight = played(SHORT)
    async with AffrayApp(fight).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        screen = fight_screen(pilot)
        seen = []
        for key in (",", ",", ",", ",", ".", ".", ".", "."):
            await pilot.press(key)
            seen.append(screen.view_at)
        assert seen == [2, 1, 0, 0, 1, 2, None, None]


async def test_the_bar_offers_commands_but_not_the_way_through_the_log(played: Played) -> None:
    fight = played(SHORT)
    async with AffrayApp(fight).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await pilot.press("u", ":", "up")
        await pilot.pause()
        bar = fight_screen(pilot).query_one(PromptWidget).bar
        assert bar is not None and bar.text == 'note "the ferry is late"'

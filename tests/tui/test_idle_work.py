"""Work is done between two keys, and a fight that was opened is out of the collector's way."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator

import pytest

from affray import cli
from affray.__main__ import OFTEN, run
from affray.store.open_encounter import OpenEncounter
from affray.tui.app import AffrayApp
from affray.tui.screens import idle_work
from affray.tui.screens.fight import FightScreen
from affray.tui.widgets.base import Pane

Played = Callable[..., OpenEncounter]
THREE = """
add monster Ghoul x3 cr 2 hp 20 fatigue 5 exhaustion 5 attack claws 1d6
start
"""


@pytest.fixture(autouse=True)
def nothing_put_away() -> None:
    """Here it is."""


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[object]]:
    """What is asked of the collector, in order. It does nothing of it."""
    found: list[object] = []
    for name in ("unfreeze", "freeze"):
        monkeypatch.setattr(idle_work.gc, name, lambda name=name: found.append(name))
    monkeypatch.setattr(idle_work.gc, "collect", lambda young=2: found.append(young))
    before = gc.get_threshold()
    yield found
    gc.set_threshold(*before)


@pytest.mark.parametrize(
    ("put_away_before", "expected"), [(0, ["freeze"]), (9, ["unfreeze", 2, "freeze"])]
)
async def test_a_fight_that_was_left_is_given_back_before_the_next_is_put_away(
    played: Played,
    done: list[object],
    monkeypatch: pytest.MonkeyPatch,
    put_away_before: int,
    expected: list[object],
) -> None:
    monkeypatch.setattr(idle_work.gc, "get_freeze_count", lambda: put_away_before)
    async with AffrayApp(played(THREE)).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert done[: len(expected)] == expected


@pytest.fixture
def prepared(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ids of the panes that have drawn something ahead, in turn."""
    found: list[str] = []
    monkeypatch.setattr(Pane, "prepare", lambda pane: found.append(pane.id or ""))
    return found


async def test_work_is_done_a_moment_after_a_key_and_not_in_it(
    played: Played, prepared: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(idle_work, "PAUSE", 3600)
    async with AffrayApp(played(THREE)).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("down", "s", "escape")
        await pilot.pause()
        assert prepared == [], "the moment has not come yet"
        assert isinstance(pilot.app.screen, FightScreen)
        pilot.app.screen.idle_work.run()
        assert prepared.count("log") == 1


async def test_what_a_key_left_goes_between_two_keys(played: Played, done: list[object]) -> None:
    async with AffrayApp(played(THREE)).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert isinstance(pilot.app.screen, FightScreen)
        done.clear()
        pilot.app.screen.idle_work.run()
        assert done == [1]


async def test_it_happens_by_itself_once_no_key_comes(played: Played, prepared: list[str]) -> None:
    async with AffrayApp(played(THREE)).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("down")
        while not prepared:  # a moment later
            await pilot.pause(idle_work.PAUSE)
        await pilot.pause(3 * idle_work.PAUSE)
        assert prepared.count("log") == 1, "once for the key, and not again and again"


def test_python_looks_by_itself_but_seldom_and_not_once_more_at_the_end(
    monkeypatch: pytest.MonkeyPatch, done: list[object]
) -> None:
    monkeypatch.setattr(cli, "main", lambda: done.append(gc.get_threshold()) or 2)
    assert run() == 2
    assert gc.isenabled() and done == [OFTEN, "freeze"]

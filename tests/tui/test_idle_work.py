"""Work is done between two keys, and Python seldom looks for what nobody uses any more."""

from __future__ import annotations

import gc
from collections.abc import Callable

import pytest

from affray import cli
from affray.__main__ import UNTIL_STARTED, run
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
def nothing_frozen() -> None:
    """Here it is."""


@pytest.mark.parametrize(
    ("frozen_before", "expected"), [(0, ["freeze"]), (9, ["unfreeze", "collect", "freeze"])]
)
async def test_a_fight_that_was_left_is_given_back_before_the_next_is_frozen(
    played: Played, monkeypatch: pytest.MonkeyPatch, frozen_before: int, expected: list[str]
) -> None:
    done: list[str] = []
    for name in ("unfreeze", "freeze"):
        monkeypatch.setattr(gc, name, lambda name=name: done.append(name))
    monkeypatch.setattr(gc, "collect", lambda: done.append("collect"))
    monkeypatch.setattr(gc, "get_freeze_count", lambda: frozen_before)
    async with AffrayApp(played(THREE)).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert done[: len(expected)] == expected


@pytest.mark.parametrize(
    ("count", "expected"),
    [((900, 20, 50), [0]), ((900, 21, 50), [1]), ((900, 0, 51), [2, "freeze"])],
)
async def test_garbage_is_collected_between_keys_that_of_many_keys_seldom(
    played: Played,
    monkeypatch: pytest.MonkeyPatch,
    count: tuple[int, int, int],
    expected: list[object],
) -> None:
    monkeypatch.setattr(idle_work, "PAUSE", 3600)
    done: list[object] = []
    async with AffrayApp(played(THREE)).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        with monkeypatch.context() as patched:
            patched.setattr(gc, "collect", done.append)
            patched.setattr(gc, "freeze", lambda: done.append("freeze"))
            patched.setattr(gc, "get_count", lambda: count)
            await pilot.press("down")
            assert done == []
            assert isinstance(pilot.app.screen, FightScreen)
            pilot.app.screen.idle_work.run()
            assert done == expected


@pytest.fixture
def prepared(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ids of the panes that have worked something out between two keys, in turn."""
    found: list[str] = []
    monkeypatch.setattr(Pane, "prefetch", lambda pane, view: found.append(pane.id or ""))
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


async def test_it_happens_by_itself_once_no_key_comes(played: Played, prepared: list[str]) -> None:
    async with AffrayApp(played(THREE)).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("down")
        while not prepared:  # a moment later
            await pilot.pause(idle_work.PAUSE)
        await pilot.pause(3 * idle_work.PAUSE)
        assert prepared.count("log") == 1, "once for the key, and not again and again"


def test_python_looks_by_itself_but_seldom_and_not_once_more_at_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[object] = []
    before = gc.get_threshold()
    monkeypatch.setattr(gc, "freeze", lambda: done.append("freeze"))
    monkeypatch.setattr(cli, "main", lambda: done.append(gc.get_threshold()) or 2)
    try:
        assert run() == 2
    finally:
        gc.set_threshold(*before)
    (first, *_), last = done
    assert gc.isenabled() and (first, last) == (UNTIL_STARTED, "freeze")


async def test_python_looks_for_garbage_once_the_first_picture_is_there(played: Played) -> None:
    """What the start makes lasts; to look through it took a twentieth of the start."""
    before = gc.get_threshold()
    gc.set_threshold(UNTIL_STARTED)
    try:
        async with AffrayApp(played(THREE)).run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            assert gc.get_threshold() == idle_work.GC_THRESHOLD
    finally:
        gc.set_threshold(*before)

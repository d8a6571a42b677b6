"""The turn's timer in the header, by a clock of the test's own; and the bell for what waits."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from affray.store.open_encounter import OpenEncounter
from affray.tui.app import AffrayApp
from affray.tui.screens.fight import FightScreen
from affray.tui.widgets.base import FightWidget
from affray.tui.widgets.header_footer import Header


class Clock:
    """The time of the last entry, and what has passed since."""

    def __init__(self, fight: OpenEncounter) -> None:
        self.fight, self.passed = fight, timedelta()

    def __call__(self) -> datetime:
        at = self.fight.history.entries[self.fight.history.head].at
        assert at is not None
        return at + self.passed


def told(header: Header) -> str:
    return header.line(0, header.room.width).text


async def test_the_header_tells_what_is_left_and_draws_nothing_else(
    ambush: OpenEncounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    ambush.do("setting turn-timer 90")
    ambush.do("next")
    app = AffrayApp(ambush)
    app.now = clock = Clock(ambush)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        header = app.screen.query_one(Header)
        assert "1:30" in told(header)
        drawn: list[FightWidget] = []
        redraw = FightWidget.refresh
        monkeypatch.setattr(
            FightWidget,
            "refresh",
            lambda self, *a, **k: drawn.append(self) or redraw(self, *a, **k),
        )
        header.redo()
        assert drawn == []  # the same second
        clock.passed = timedelta(seconds=25)
        header.redo()
        assert "1:05" in told(header) and set(drawn) == {header}
        before = ambush.state
        clock.passed = timedelta(hours=2)
        header.redo()
        assert "0:00" in told(header) and ambush.state is before
        assert header._ticks is None  # nothing is left to be counted


async def test_without_the_setting_nothing_ticks(ambush: OpenEncounter) -> None:
    app = AffrayApp(ambush)
    app.now = Clock(ambush)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, FightScreen)
        header = screen.query_one(Header)
        assert header._ticks is None and ":" not in told(header)
        screen.run_command("setting turn-timer 90")
        screen.run_command("next")
        await pilot.pause()
        assert header._ticks is not None and "1:30" in told(header)
        screen.run_command("setting turn-timer off")
        await pilot.pause()
        assert header._ticks is None and ":" not in told(header)


async def test_the_bell_rings_once_for_what_is_new_and_only_where_it_is_set(
    ambush: OpenEncounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, rung = AffrayApp(ambush), []
    monkeypatch.setattr(app, "bell", lambda: rung.append(1))
    app.ring_for(ambush.state, ["a"])
    assert rung == []
    ambush.do("setting bell on")
    for waiting, times in ((["a"], 0), (["a", "b"], 1), (["b"], 1), ([], 1), (["a"], 2)):
        app.ring_for(ambush.state, waiting)
        assert len(rung) == times
    ambush.close()

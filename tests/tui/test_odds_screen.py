"""The key that reckons how the fight may end: told while one looks on, until another key."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.widgets import Static

from affray.core.engine.state import Encounter
from affray.odds.simulation import RulesRef, SimulationResult, simulate
from affray.store.open_encounter import OpenEncounter
from affray.tui.app import AffrayApp
from affray.tui.screens import reports
from affray.tui.screens.fight import FightScreen
from affray.tui.screens.reports import OddsScreen


@pytest.fixture(autouse=True)
def _few_fights_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """So many as are played at once, in one process."""

    def few(state: Encounter, rules: RulesRef) -> Iterator[SimulationResult]:
        return simulate(state, rules, 20, processes=1)

    monkeypatch.setattr(reports, "simulate", few)


async def test_the_odds_are_told_beside_the_fight_until_a_key(tmp_path: Path) -> None:
    fight = OpenEncounter.create(tmp_path / "fight.toml", "orcus", "Duel")
    fight.do("add pc Mira hp 30 ac 15 attack sword +6 vs ac 1d8+3")
    fight.do("add monster Ghoul hp 20 ac 12 attack claws +4 vs ac 1d6")
    before = fight.state
    async with AffrayApp(fight).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("ctrl+f")
        await pilot.pause()
        screen = pilot.app.screen
        assert isinstance(screen, OddsScreen)
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()
        told = str(screen.query_one(Static).render())
        assert "20 fights from here on" in told
        assert "Ghoul" in told
        await pilot.press("x")
        await pilot.pause()
        assert isinstance(pilot.app.screen, FightScreen)
    assert fight.state is before


async def test_what_cant_be_reckoned_is_said_there(tmp_path: Path) -> None:
    fight = OpenEncounter.create(tmp_path / "fight.toml", "orcus", "Nobody")
    async with AffrayApp(fight).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("ctrl+f")
        await pilot.pause()
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()
        told = str(pilot.app.screen.query_one(Static).render())
        assert "expected at least one standing party member" in told

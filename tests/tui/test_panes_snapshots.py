"""Pictures of the screens. Look at each before it is accepted: `pytest --snapshot-update`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from affray.core.dice import SeededDice
from affray.store.open_encounter import OpenEncounter
from affray.tui.app import AffrayApp
from affray.tui.screens.fight import FightScreen

SIZES = [(80, 24), (120, 40), (200, 60)]
SMALL_SIZES = SIZES[:2]


def ids(value: object) -> str:
    return "x".join(str(part) for part in value) if isinstance(value, tuple) else str(value)


def doing(*steps: Callable[[FightScreen], object]) -> Callable[[Pilot[None]], Awaitable[None]]:
    """What is done before the picture is taken."""

    async def before(pilot: Pilot[None]) -> None:
        await pilot.pause()
        for step in steps:
            step(pilot.app.screen)  # type: ignore[arg-type]
            await pilot.pause()

    return before


@pytest.mark.parametrize("size", SIZES, ids=ids)
def test_the_fight(snap_compare: Any, ambush: OpenEncounter, size: tuple[int, int]) -> None:
    """The turn of somebody who is dying."""
    assert snap_compare(AffrayApp(ambush), terminal_size=size)


@pytest.mark.parametrize("size", SIZES, ids=ids)
def test_the_turn_of_a_character(
    snap_compare: Any, ambush: OpenEncounter, size: tuple[int, int]
) -> None:
    """Mira's second turn, after a move; the cursor looks at Brannoc."""
    for command in ("death tobin strong", "next", "next", "next", "next", "move"):
        ambush.do(command)
    before = doing(lambda screen: screen.put_cursor("brannoc"))
    assert snap_compare(AffrayApp(ambush), terminal_size=size, run_before=before)


@pytest.mark.parametrize("tab", ["timers", "log"])
def test_the_tabs(snap_compare: Any, ambush: OpenEncounter, tab: str) -> None:
    before = doing(lambda screen: screen.panes.choose(tab))
    assert snap_compare(AffrayApp(ambush), terminal_size=(80, 24), run_before=before)


@pytest.mark.parametrize("size", SMALL_SIZES, ids=ids)
def test_the_log_maximised(snap_compare: Any, ambush: OpenEncounter, size: tuple[int, int]) -> None:
    """One entry is opened up to all that it came to."""
    before = doing(
        lambda screen: screen.panes.choose("log"),
        lambda screen: screen.panes.toggle_maximised(),
        lambda screen: screen.select_entry(-7),
    )
    assert snap_compare(AffrayApp(ambush), terminal_size=size, run_before=before)


@pytest.mark.parametrize("size", SMALL_SIZES, ids=ids)
def test_looking_back(snap_compare: Any, ambush: OpenEncounter, size: tuple[int, int]) -> None:
    before = doing(
        lambda screen: screen.select_entry(-14), lambda screen: screen.look_at_selected()
    )
    assert snap_compare(AffrayApp(ambush), terminal_size=size, run_before=before)


@pytest.mark.parametrize("theme", ["affray-light", "affray-contrast"])
def test_the_themes(snap_compare: Any, ambush: OpenEncounter, theme: str) -> None:
    before = doing(lambda screen: setattr(screen.app, "theme", theme))
    assert snap_compare(AffrayApp(ambush), terminal_size=(120, 40), run_before=before)


def test_without_colour(
    snap_compare: Any, ambush: OpenEncounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert snap_compare(AffrayApp(ambush), terminal_size=(120, 40))


@pytest.mark.parametrize("size", SMALL_SIZES, ids=ids)
def test_a_fight_that_is_only_looked_at(
    snap_compare: Any, ambush: OpenEncounter, size: tuple[int, int]
) -> None:
    seen = OpenEncounter.view(ambush.path, "another affray has it open")
    assert snap_compare(AffrayApp(seen), terminal_size=size)


@pytest.mark.parametrize("size", SMALL_SIZES, ids=ids)
def test_an_empty_fight(
    snap_compare: Any, played: Callable[..., OpenEncounter], size: tuple[int, int]
) -> None:
    assert snap_compare(AffrayApp(played("", "The Weir")), terminal_size=size)


def _now() -> datetime:
    return datetime(2026, 11, 20, tzinfo=UTC)


def the_reedmark(folder: Path) -> None:
    """Two campaigns: one with a prepared, a running, a finished and a broken encounter."""
    empty = folder / "ashfall"
    empty.mkdir()
    (empty / "campaign.toml").write_text('name = "Ashfall Nights"\n', "utf-8")
    encounters = folder / "reedmark" / "encounters"
    encounters.mkdir(parents=True)
    (folder / "reedmark" / "campaign.toml").write_text('name = "The Reedmark"\n', "utf-8")
    (encounters / "broken.toml").write_text("no log\n", "utf-8")
    begun = ("add pc Mira hp 24", "init mira 12", "start")
    for name, title, commands in (
        ("a-weir", "The Weir at Dusk", ()),
        ("b-ford", "Ambush at the Ford", begun),
        ("c-barge", "The Toll Barge", (*begun, "end")),
    ):
        path = encounters / f"{name}.toml"
        with OpenEncounter.create(
            path, "monsters-and-magic", title, SeededDice(7), _now
        ) as encounter:
            for command in commands:
                encounter.do(command)


@pytest.mark.parametrize("size", SMALL_SIZES, ids=ids)
def test_home(
    snap_compare: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    size: tuple[int, int],
) -> None:
    the_reedmark(tmp_path)
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path))
    assert snap_compare(AffrayApp(None), terminal_size=size, press=["down", "down"])


@pytest.mark.parametrize("size", SMALL_SIZES, ids=ids)
def test_home_without_a_campaign(snap_compare: Any, size: tuple[int, int]) -> None:
    assert snap_compare(AffrayApp(None), terminal_size=size)


def test_home_asks_for_a_title(
    snap_compare: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    the_reedmark(tmp_path)
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path))
    assert snap_compare(AffrayApp(None), terminal_size=(80, 24), press=["n", "F", "o", "g"])

"""The list of fights begins campaigns and encounters, and shows what can not be opened."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from affray.rulesets import known_rulesets
from affray.tui.app import AffrayApp
from affray.tui.fight_view import get_app
from affray.tui.screens.fight import FightScreen
from affray.tui.screens.home import HomeScreen
from affray.tui.widgets.base import Pane


def text_of(pilot: Pilot[None], pane: str) -> str:
    """What a pane shows now."""
    found = pilot.app.screen.query_one(f"#{pane}", Pane)
    return "\n".join(found.render_line(y).text.rstrip() for y in range(found.size.height))


def screen_of(pilot: Pilot[None]) -> FightScreen:
    screen = pilot.app.screen
    assert isinstance(screen, FightScreen)
    return screen


def a_campaign(folder: Path) -> Path:
    campaign = folder / "reedmark"
    (campaign / "encounters").mkdir(parents=True)
    (campaign / "campaign.toml").write_text(
        'name = "The Reedmark"\nruleset = "monsters-and-magic"\n', "utf-8"
    )
    return campaign


async def test_home_without_a_campaign_begins_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path / "mine"))
    async with AffrayApp(None).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "n begins an encounter" in text_of(pilot, "home")
        await pilot.press("n", *"Weir", "enter")
        await pilot.pause()
        assert screen_of(pilot).encounter.title == "Weir"
    assert (tmp_path / "mine" / "my-campaign" / "encounters" / "weir.toml").is_file()


async def test_home_begins_an_encounter_and_lists_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path))
    campaign = a_campaign(tmp_path)
    async with AffrayApp(None).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("n", *"At the Weir", "enter")
        await pilot.pause()
        screen = screen_of(pilot)
        assert (campaign / "encounters" / "at-the-weir.toml").is_file()
        assert screen.run_command("add pc Mira hp 24")
        assert screen.run_command("start")
        get_app(screen).go_home()
        await pilot.pause()
        assert "At the Weir   ▶ round 1   Mira is up" in text_of(pilot, "home")
        await pilot.press("n", "x", "escape")
        assert isinstance(pilot.app.screen, HomeScreen)
        await pilot.press("enter")
        await pilot.pause()
        assert screen_of(pilot).encounter.state.round == 1


async def test_a_new_campaign_is_by_the_rules_that_are_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path))
    a_campaign(tmp_path)
    async with AffrayApp(None).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        title = pilot.app.screen.query_one("#title")
        await pilot.press("c")
        assert str(title.border_title) == f"rules: {known_rulesets()[0]}"
        others = ", ".join(known_rulesets()[1:])
        assert str(title.border_subtitle) == f"tab: {others}" and len(others) < 70
        for rules in (*known_rulesets()[1:], *known_rulesets()[:2]):
            await pilot.press("tab")
            assert str(title.border_title) == f"rules: {rules}"
        await pilot.press(*"The Kiln", "enter")
        await pilot.pause()
        assert f"The Kiln   {known_rulesets()[1]}" in text_of(pilot, "home")
        await pilot.press("n")  # the cursor is on the new campaign, whose rules are its own
        assert str(title.border_title) == f"rules: {known_rulesets()[1]}"
        assert title.border_subtitle is None
        await pilot.press("tab", *"Fire", "enter")
        await pilot.pause()
        assert screen_of(pilot).encounter.ruleset.id == known_rulesets()[1]
    assert (tmp_path / "the-kiln" / "encounters" / "fire.toml").is_file()


async def test_the_first_encounter_is_by_the_rules_that_are_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path / "mine"))
    async with AffrayApp(None).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("n", "tab", *"Weir", "enter")
        await pilot.pause()
        assert screen_of(pilot).encounter.ruleset.id == known_rulesets()[1]


async def test_shift_tab_goes_back_among_the_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path / "mine"))
    async with AffrayApp(None).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("n", "tab", "tab", "shift+tab", *"Weir", "enter")
        await pilot.pause()
        assert screen_of(pilot).encounter.ruleset.id == known_rulesets()[1]


@pytest.mark.parametrize(
    ("name", "why"), [("The Reedmark!", "already"), ("reedmark", "already"), ("?!", "letter")]
)
async def test_a_campaign_that_cant_be_made_is_told_in_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, why: str
) -> None:
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path))
    a_campaign(tmp_path).rename(tmp_path / ("the-reedmark" if "The" in name else "reedmark"))
    before = sorted(tmp_path.rglob("*"))
    async with AffrayApp(None).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("c", *name, "enter")
        await pilot.pause()
        assert why in text_of(pilot, "home-keys")
    assert sorted(tmp_path.rglob("*")) == before


async def test_home_shows_what_cannot_be_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path))
    campaign = a_campaign(tmp_path)
    (campaign / "encounters" / "broken.toml").write_bytes(b"\x00\xff no log")
    async with AffrayApp(None).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "broken" in text_of(pilot, "home") and "✗" in text_of(pilot, "home")
        await pilot.press("enter")
        await pilot.pause()
        assert "✗" in text_of(pilot, "home-keys") or isinstance(pilot.app.screen, FightScreen)

"""What the list of fights says of each, so that it can be told from others, and opened or not."""

from __future__ import annotations

from pathlib import Path

import pytest

from affray.store import campaigns
from affray.store.campaigns import Campaign
from affray.tui.app import AffrayApp
from affray.tui.panes.home_list import HomeKeys, HomeList, HomeRow, home_line, home_rows
from affray.tui.screens.home import HomeScreen
from affray.tui.themes import DARK, inks_of

INKS = inks_of(DARK)


def said(row: HomeRow) -> str:
    return "".join(segment.text for segment in home_line(row, False, 12, INKS).segments)


def found(folder: Path) -> Campaign:
    (made,) = (c for c in campaigns._campaigns_in(folder.parent) if c.path == folder)
    return made


def begun(parent: Path) -> Path:
    """A campaign with two encounters."""
    folder = parent / "vale"
    (folder / "encounters").mkdir(parents=True)
    for title in ("The Ford", "The Bell"):
        campaigns.new_encounter(folder, title)
    return folder


def test_a_conflict_copy_is_told_by_the_name_of_its_file(tmp_path: Path) -> None:
    folder = begun(tmp_path)
    ford = folder / "encounters" / "the-ford.toml"
    copy = ford.with_name("the-ford (conflict, 2026-11-20).toml")
    copy.write_bytes(ford.read_bytes())
    rows = {row.encounter.path: row for row in home_rows([found(folder)]) if row.encounter}
    assert "the-ford.toml   ○ not begun" in said(rows[ford])
    assert "the-ford (conflict, 2026-11-20).toml   ○ not begun" in said(rows[copy])
    assert said(rows[folder / "encounters" / "the-bell.toml"]).count(".toml") == 0


def test_titles_that_only_look_alike_are_told_apart_too(tmp_path: Path) -> None:
    folder = begun(tmp_path)
    odd = folder / "encounters" / "odd\u202e.toml"
    odd.write_text('format = 1\ntitle = "The Ford\\u202e"\nruleset = "orcus"\n', "utf-8")
    rows = [said(row) for row in home_rows([found(folder)]) if row.encounter is not None]
    assert sum(".toml" in row for row in rows) == 2
    assert not any("\u202e" in row for row in rows)


def test_an_encounter_without_a_title_shows_its_file_without_what_moves_the_cursor(
    tmp_path: Path,
) -> None:
    folder = begun(tmp_path)
    odd = folder / "encounters" / "a\x1b[2Jb.toml"
    odd.write_text('format = 1\ntitle = "\\u202e"\nruleset = "orcus"\n', "utf-8")
    assert "    a[2Jb" in [said(row)[:9] for row in home_rows([found(folder)])]


async def test_a_fight_whose_rules_are_not_installed_is_marked_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path))
    odd = begun(tmp_path) / "encounters" / "afar.toml"
    odd.write_text('format = 1\ntitle = "Afar"\nruleset = "far-rules"\n', "utf-8")
    async with AffrayApp(None).run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        rows = pilot.app.screen.query_one(HomeList)
        assert rows.row is not None and rows.row.encounter is not None
        assert rows.row.encounter.path == odd
        assert "✗ no ruleset 'far-rules'" in said(rows.row)
        await pilot.press("enter")
        assert isinstance(pilot.app.screen, HomeScreen)
        assert "no ruleset 'far-rules'" in pilot.app.screen.query_one(HomeKeys).message

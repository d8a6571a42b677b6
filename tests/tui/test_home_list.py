"""What the list of fights says of each, so that it can be told from others, and opened or not."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.app import App

from affray.core.dice import SeededDice
from affray.store.campaigns import find, manage
from affray.store.campaigns.find import Campaign
from affray.store.campaigns.summaries import summary
from affray.store.open_encounter import OpenEncounter
from affray.tui.app import AffrayApp
from affray.tui.screens.fight import FightScreen
from affray.tui.screens.home import HomeScreen
from affray.tui.theme import DARK, styles_of
from affray.tui.widgets.home import CampaignList, CampaignListRow, HomeKeys, home_line, home_rows

INKS = styles_of(DARK)


def said(row: CampaignListRow) -> str:
    return home_line(row, False, 12, INKS).text


def found(folder: Path) -> Campaign:
    (made,) = (c for c in find._campaigns_in(folder.parent) if c.path == folder)
    return made


def begun(parent: Path) -> Path:
    """A campaign with two encounters."""
    folder = parent / "vale"
    (folder / "encounters").mkdir(parents=True)
    for title in ("The Ford", "The Bell"):
        manage.create_encounter(folder, title)
    return folder


def test_a_conflict_copy_is_told_by_the_name_of_its_file(tmp_path: Path) -> None:
    folder = begun(tmp_path)
    ford = folder / "encounters" / "the-ford.toml"
    copy = ford.with_name("the-ford (conflict, 2026-11-20).toml")
    copy.write_bytes(ford.read_bytes())
    rows = {row.encounter.path: row for row in home_rows([found(folder)]) if row.encounter}
    assert "the-ford.toml   …" in said(rows[ford])
    assert "the-ford (conflict, 2026-11-20).toml   …" in said(rows[copy])
    assert said(rows[folder / "encounters" / "the-bell.toml"]).count(".toml") == 0


def test_where_there_is_no_room_for_who_stands_they_are_counted(tmp_path: Path) -> None:
    names = ("Rosalind", "Cato", "Timo")
    fight = manage.create_encounter(begun(tmp_path), "The Mill")
    with OpenEncounter.open(fight, SeededDice(3)) as opened:
        for line in (*(f"add pc {name} hp 9" for name in names), "init 1 9", "start"):
            opened.do(line)
        opened.do("damage timo 60", "end")
    row = CampaignListRow(encounter=summary(fight))
    assert "Rosalind and Cato of 3" in home_line(row, False, 12, INKS).text
    assert "2 of 3" in home_line(row, False, 12, INKS, brief=True).text


def test_titles_that_only_look_alike_are_told_apart_too(tmp_path: Path) -> None:
    folder = begun(tmp_path)
    odd = folder / "encounters" / "odd\u202e.toml"
    odd.write_text('format = 1\ntitle = "The Ford\\u202e"\nruleset = "orcus"\n', "utf-8")
    rows = [said(row) for row in home_rows([found(folder)]) if row.encounter is not None]
    assert sum(".toml" in row for row in rows) == 2
    assert not any("\u202e" in row for row in rows)


def test_campaigns_of_one_name_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    folder = begun(tmp_path)
    (folder / "campaign.toml").write_text('name = "Vale"\nruleset = "orcus"\n', "utf-8")
    shutil.copytree(folder, tmp_path / "vale-of-old")
    other = found(folder.with_name("vale-of-old"))
    headings = [said(row) for row in home_rows([found(folder), other]) if row.is_heading]
    assert [row.split("   ")[-1] for row in headings] == [str(folder), str(other.path)]
    (alone,) = (said(row) for row in home_rows([other]) if row.is_heading)
    assert alone == f"{other.name}   {other.ruleset_id}"


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
    odd.write_text(
        'format = 1\ntitle = "Afar"\nruleset = "far-rules"\ncreated = 2999-01-01T00:00:00Z\n',
        "utf-8",
    )
    async with AffrayApp(None).run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        rows = pilot.app.screen.query_one(CampaignList)
        assert rows.row is not None and rows.row.encounter is not None
        assert rows.row.encounter.path == odd
        assert "✗ no ruleset 'far-rules'" in said(rows.row)
        await pilot.press("enter")
        assert isinstance(pilot.app.screen, FightScreen)
        assert "no ruleset 'far-rules'" in pilot.app.screen.encounter.read_only


# -- who is up -------------------------------------------------------------------------------------


def told_of(fight: OpenEncounter) -> str:
    """What the list says of it."""
    return said(CampaignListRow(encounter=summary(fight.path))).split(maxsplit=2)[-1]


def test_the_list_says_who_is_up_only_of_those_who_are(
    played: Callable[..., OpenEncounter],
) -> None:
    fight = played("add pc Mira hp 9\nadd monster Ghoul hp 9\ninit mira 9\ninit ghoul 5", "Ford")
    assert told_of(fight) == "prepared   1 of the party, 1 foe"
    fight.do("start")
    assert told_of(fight) == "round 1   Mira is up"
    fight.do("damage mira 9")
    assert told_of(fight) == "round 1   Mira's turn   dying"
    fight.do("next")
    fight.do("damage ghoul 9")
    assert "is up" not in told_of(fight) and told_of(fight).endswith("dead")
    fight.do("end")
    assert told_of(fight) == "over after 1 round   nobody is standing"


# -- a fight that is in no campaign ----------------------------------------------------------------


def _shown(app: App[None]) -> list[str]:
    return [said(row).strip() for row in app.screen.query_one(CampaignList).rows]


async def test_behind_a_fight_in_no_campaign_is_the_list_of_its_folder(
    played: Callable[..., OpenEncounter], tmp_path: Path
) -> None:
    played("", "The Mill")
    fight = played("add pc Mira hp 9", "The Ford", "orcus")
    (tmp_path / "notes.toml").write_text("about = 1\n", "utf-8")
    async with AffrayApp(fight).run_test(size=(100, 30)) as pilot:
        await pilot.press("ctrl+o")
        heading, *rows = _shown(pilot.app)
        assert heading == f"{tmp_path}   orcus"
        assert [row.split("  ")[0] for row in rows] == ["The Ford", "The Mill"]
        row = pilot.app.screen.query_one(CampaignList).row
        assert row is not None and row.encounter is not None
        assert row.encounter.path.name == fight.path.name, "the cursor is on it"
        await pilot.pause()
        assert pilot.app.screen.query_one(CampaignList).top == 0, "and its folder's name is seen"
        await pilot.press("enter")
        assert isinstance(pilot.app.screen, FightScreen)


async def test_a_new_fight_there_lies_beside_it_and_goes_by_the_same_rules(
    played: Callable[..., OpenEncounter], tmp_path: Path
) -> None:
    async with AffrayApp(played("", "The Ford", "orcus")).run_test(size=(100, 30)) as pilot:
        await pilot.press("ctrl+o", "n", *"Bell", "enter")
        assert isinstance(pilot.app.screen, FightScreen)
        made = pilot.app.screen.encounter
        assert (made.path, made.ruleset.id) == (tmp_path / "bell.toml", "orcus")
        await pilot.press("ctrl+o")
        row = pilot.app.screen.query_one(CampaignList).row
        assert row is not None and row.encounter is not None and row.encounter.title == "Bell"
    assert not (tmp_path / "encounters").exists()


async def test_a_fight_in_a_campaign_that_is_not_looked_for_brings_its_campaign(
    tmp_path: Path,
) -> None:
    folder = begun(tmp_path / "elsewhere")
    path = folder / "encounters" / "the-bell.toml"
    async with AffrayApp(OpenEncounter.open(path)).run_test(size=(100, 30)) as pilot:
        await pilot.press("ctrl+o")
        heading, *rows = _shown(pilot.app)
        assert heading.startswith("vale ") and len(rows) == 2


async def test_a_fight_that_is_in_the_list_already_is_there_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path))
    path = begun(tmp_path) / "encounters" / "the-ford.toml"
    async with AffrayApp(OpenEncounter.open(path)).run_test(size=(100, 30)) as pilot:
        await pilot.press("ctrl+o")
        assert len(_shown(pilot.app)) == 3
        row = pilot.app.screen.query_one(CampaignList).row
        assert row is not None and row.encounter is not None and row.encounter.path == path


async def test_a_fight_that_is_gone_by_then_leaves_a_list_that_can_be_used(
    played: Callable[..., OpenEncounter],
) -> None:
    fight = played("", "The Ford")
    async with AffrayApp(fight).run_test(size=(100, 30)) as pilot:
        fight.path.unlink()
        await pilot.press("ctrl+o")
        assert isinstance(pilot.app.screen, HomeScreen)
        await pilot.press("n", *"Bell", "enter")
        assert isinstance(pilot.app.screen, FightScreen)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
async def test_a_pipe_beside_the_fight_is_not_waited_for(
    played: Callable[..., OpenEncounter], tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    async with AffrayApp(played("", "The Ford")).run_test(size=(100, 30)) as pilot:
        await pilot.press("ctrl+o")
        assert len(_shown(pilot.app)) == 2


async def test_the_ledger_is_a_row_of_its_campaign_which_stays_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path))
    folder = begun(tmp_path)
    (folder / "party.toml").write_text("[mira]\nhp = 20\n", "utf-8")
    with OpenEncounter.create(
        folder / "ledger.toml", "monsters-and-magic", "Ledger", dice=SeededDice(3)
    ) as ledger:
        ledger.do("add party")
    app = AffrayApp(None)
    async with app.run_test() as pilot:
        rows = app.screen.query_one(CampaignList).rows
        assert said(rows[-1]) == "    Ledger         ◆ between fights   1 of the party"
        for key in ("end", "x"):
            await pilot.press(key)
        assert "the ledger stays with its campaign" in app.screen.query_one(HomeKeys).message
        await pilot.press("R", "enter")
        assert isinstance(app.screen, FightScreen)
        assert app.screen.encounter.path == folder / "ledger.toml"
        app.go_home()
        await pilot.pause()
        here = app.screen.query_one(CampaignList).row
        assert here is not None and here.ledger


@pytest.mark.parametrize("width", [60, 80, 120])
async def test_a_long_title_leaves_room_for_how_its_fight_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    folder = tmp_path / "vale"
    (folder / "encounters").mkdir(parents=True)
    long = "The Ambush at the Ford below the Old Mill where the Reeds are High and Nobody Is"
    manage.create_encounter(folder, long)
    manage.create_encounter(folder, "The Bell")
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path))
    async with AffrayApp(None).run_test(size=(width, 24)) as pilot:
        await pilot.pause()
        pane = pilot.app.screen.query_one(CampaignList)
        rows = [pane.line(n, width).text for n, row in enumerate(pane.rows) if row.encounter]
        assert len(rows) == 2 and all("   ○ nobody in it yet" in row for row in rows), rows


async def test_enter_on_a_campaign_does_what_the_last_line_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = begun(tmp_path)
    bell = folder / "encounters" / "the-bell.toml"
    with OpenEncounter.open(bell, SeededDice(1)) as fight:
        fight.do("add pc Mira hp 9")
    (tmp_path / "empty" / "encounters").mkdir(parents=True)
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path))
    async with AffrayApp(None).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        home = pilot.app.screen
        assert isinstance(home, HomeScreen)
        keys = home.query_one(HomeKeys)
        home.fights.go_to(bell)
        await pilot.pause()
        assert keys.render_line(0).text.startswith(" ↵ open  ")
        while not home.fights.row.is_heading:
            await pilot.press("up")
        await pilot.pause()
        assert keys.render_line(0).text.startswith(" ↵ open the last played  ")
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(pilot.app.screen, FightScreen)
        assert pilot.app.screen.encounter.path.name == "the-bell.toml"

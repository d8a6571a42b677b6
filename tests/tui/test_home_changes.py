"""At home encounters and campaigns are found, copied, renamed, put away; each can be taken back."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from textual.pilot import Pilot

from affray.core.dice import SeededDice
from affray.store.campaigns import summaries
from affray.store.open_encounter import OpenEncounter
from affray.tui.app import AffrayApp
from affray.tui.screens import home
from affray.tui.screens.fight import FightScreen
from affray.tui.screens.home import HomeScreen
from affray.tui.widgets.home import CampaignList, HomeKeys

RULES = "monsters-and-magic"
THEN = datetime(2026, 10, 2, 19, tzinfo=UTC)


def made(folder: Path, title: str, day: int, *lines: str) -> Path:
    path = folder / "encounters" / f"{title.casefold().replace(' ', '-')}.toml"
    at = THEN + timedelta(days=day)
    with OpenEncounter.create(path, RULES, title, dice=SeededDice(3), now=lambda: at) as opened:
        for line in lines:
            opened.do(line)
    return path


@pytest.fixture
def vale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two campaigns: the Vale with The Ford, played last, and The Bell; the Weald with Oak."""
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path))
    for name in ("vale", "weald"):
        (tmp_path / name / "encounters").mkdir(parents=True)
        about = f'name = "The {name.title()}"\nruleset = "{RULES}"\n'
        (tmp_path / name / "campaign.toml").write_text(about, "utf-8")
    lines = ("add pc Mira hp 9", "add monster Ghoul hp 9", "init mira 9", "init ghoul 2", "start")
    made(tmp_path / "vale", "The Ford", 9, *lines)
    made(tmp_path / "vale", "The Bell", 5)
    made(tmp_path / "weald", "Oak", 3)
    return tmp_path / "vale"


class At:
    """The list of fights, by keys."""

    def __init__(self, pilot: Pilot[None]) -> None:
        self.pilot = pilot

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    @property
    def list(self) -> CampaignList:
        return self.pilot.app.screen.query_one(CampaignList)

    @property
    def titles(self) -> list[str]:
        return [row.encounter.title for row in self.list.rows if row.encounter is not None]

    @property
    def cursor(self) -> str:
        row = self.list.row
        assert row is not None and row.campaign is not None
        return row.encounter.title if row.encounter is not None else row.campaign.name

    @property
    def said(self) -> str:
        return self.pilot.app.screen.query_one(HomeKeys).message

    @property
    def text(self) -> str:
        height = self.list.size.height
        return "\n".join(self.list.render_line(y).text.rstrip() for y in range(height))


@asynccontextmanager
async def at_home(size: tuple[int, int] = (100, 30)) -> AsyncIterator[At]:
    async with AffrayApp(None).run_test(size=size) as pilot:
        await pilot.pause()
        yield At(pilot)


async def test_what_was_played_last_is_first_and_the_cursor_is_on_it(vale: Path) -> None:
    async with at_home() as at:
        assert at.titles == ["The Ford", "The Bell", "Oak"]
        assert at.cursor == "The Ford"
        assert "▶ round 1   Mira is up" in at.text and "○ nobody in it yet" in at.text
        assert "2026-10-11" in at.text


async def test_typed_words_narrow_the_list_and_enter_opens_what_is_left(vale: Path) -> None:
    async with at_home() as at:
        await at.press("slash", *"be va")
        assert at.titles == ["The Bell"] and at.cursor == "The Bell"
        await at.press("backspace", "backspace", "backspace", "backspace", "backspace", *"o")
        assert at.titles == ["The Ford", "Oak"]
        await at.press("down", "down", "enter")
        assert isinstance(at.pilot.app.screen, FightScreen)
        assert at.pilot.app.screen.encounter.title == "Oak"
        await at.press("ctrl+o")
        assert at.titles == ["The Ford", "Oak"], "it is as narrow as before"
        await at.press("escape")
        assert at.titles == ["The Ford", "The Bell", "Oak"] and not at.said


async def test_esc_while_words_are_typed_shows_all_again(vale: Path) -> None:
    async with at_home() as at:
        await at.press("slash", *"xyz")
        assert at.titles == [] and "nothing here contains these words" in at.text
        await at.press("escape")
        assert len(at.titles) == 3


async def test_a_copy_is_named_shown_and_taken_back(vale: Path) -> None:
    async with at_home() as at:
        await at.press("d")
        field = at.pilot.app.screen.query_one("#title")
        assert str(field.border_title) == "title of the copy"
        await at.press("enter")
        assert at.cursor == "The Ford (copy)" and "round 1" in at.text.split("(copy)")[1]
        assert "u undoes that" in at.said
        assert (vale / "encounters" / "the-ford-copy.toml").is_file()
        await at.press("u")
        assert at.titles == ["The Ford", "The Bell", "Oak"]
        assert (vale / "put-away" / "the-ford-copy.toml").is_file(), "nothing is deleted"


async def test_on_a_campaigns_name_it_is_said_that_all_of_it_is_copied(vale: Path) -> None:
    async with at_home() as at:
        await at.press("home", "t")
        assert "move the cursor to it" in at.said
        await at.press("d")
        field = at.pilot.app.screen.query_one("#title")
        assert (
            str(field.border_title) == "name of the copy of the whole campaign, with 2 encounters"
        )
        await at.press("enter")
        assert "the whole campaign is copied as 'The Vale (copy)'" in at.said
        await at.press("u")
        assert at.titles == ["The Ford", "The Bell", "Oak"]


async def test_a_copy_to_play_is_not_begun(vale: Path) -> None:
    async with at_home() as at:
        await at.press("t", "enter")
        assert at.cursor == "The Ford again"
        assert "○ prepared   1 of the party, 1 foe" in at.text


async def test_a_name_is_changed_and_changed_back(vale: Path) -> None:
    async with at_home() as at:
        await at.press("R", *"The Mill", "enter")
        assert at.titles[0] == "The Mill" and "'The Ford' is now called 'The Mill'" in at.said
        await at.press("u")
        assert at.titles[0] == "The Ford"
        await at.press("up", "R", "end", *" Two", "enter")
        assert at.text.splitlines()[0].split("   ")[0].strip("│ ›") == "The Vale Two"


async def test_what_is_put_away_is_gone_from_the_list_and_can_be_had_again(vale: Path) -> None:
    async with at_home() as at:
        await at.press("x")
        assert at.titles == ["The Bell", "Oak"] and "is archived" in at.said
        await at.press("X")
        assert at.titles == ["The Bell", "The Ford", "Oak"] and "archived" in at.text
        at.list.go_to(vale / "put-away" / "the-ford.toml")
        await at.press("enter")
        assert "x brings it back" in at.said
        await at.press("x")
        assert "'The Ford' is back" in at.said and (vale / "encounters" / "the-ford.toml").is_file()
        await at.press("u", "u")
        assert (vale / "encounters" / "the-ford.toml").is_file()
        await at.press("u")
        assert "nothing to undo" in at.said


async def test_a_campaign_is_put_away_with_all_that_is_in_it(vale: Path) -> None:
    async with at_home() as at:
        await at.press("up", "x")
        assert at.titles == ["Oak"]
        await at.press("X")
        assert at.titles == ["Oak", "The Ford", "The Bell"]
        await at.press("end", "x")
        assert "its campaign is archived" in at.said
        await at.press("n", *"New", "enter")
        assert "the campaign is archived" in at.said
        await at.press("escape", "up", "up", "x")
        assert "'The Vale' is back" in at.said and vale.is_dir()


@pytest.mark.parametrize(("where", "left"), [((), ["The Bell", "Oak"]), (("up",), ["Oak"])])
async def test_a_fight_that_was_left_can_be_put_away_and_its_campaign_too(
    where: tuple[str, ...], left: list[str], vale: Path
) -> None:
    async with at_home() as at:
        await at.press("enter", "ctrl+o", *where, "x")
        assert at.titles == left
        names = [row.campaign.name for row in at.list.rows if row.campaign and row.is_heading]
        assert sorted(names) == (["The Weald"] if where else ["The Vale", "The Weald"])


async def test_a_campaign_is_copied_under_another_name(vale: Path) -> None:
    async with at_home() as at:
        await at.press("up", "d", "enter")
        assert at.titles.count("The Ford") == 2 and at.cursor == "The Ford"
        assert (vale.parent / "the-vale-copy" / "encounters" / "the-ford.toml").is_file()
        await at.press("u")
        assert at.titles.count("The Ford") == 1


@pytest.mark.parametrize("key", ["d", "t", "R"])
async def test_what_cant_be_done_is_one_line_and_changes_nothing(key: str, vale: Path) -> None:
    before = {path: path.read_bytes() for path in vale.rglob("*.toml")}
    async with at_home() as at:
        await at.press(key, *["backspace"] * 30, "question_mark", "enter")
        assert "at least one letter" in at.said
    assert {path: path.read_bytes() for path in vale.rglob("*.toml")} == before


@pytest.mark.parametrize("key", ["d", "t", "R", "x"])
async def test_where_there_is_no_campaign_nothing_is_changed(
    key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path / "none"))
    async with at_home((80, 24)) as at:
        await at.press(key)
        assert isinstance(at.pilot.app.screen, HomeScreen)
        assert not at.pilot.app.screen.query_one("#title").display
    assert not (tmp_path / "none").exists()


async def test_a_folder_of_ones_own_is_no_campaign_to_rename(vale: Path, tmp_path: Path) -> None:
    path = tmp_path / "loose" / "ford.toml"
    path.parent.mkdir()
    path.write_bytes((vale / "encounters" / "the-ford.toml").read_bytes())
    async with AffrayApp(OpenEncounter.open(path)).run_test(size=(100, 30)) as pilot:
        at = At(pilot)
        await at.press("ctrl+o", "up", "x")
        assert "is your own folder" in at.said


async def test_logs_that_are_long_are_told_later_and_keys_are_answered_before(
    vale: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    later: list[Callable[[], None]] = []
    monkeypatch.setattr(home, "AT_ONCE", 1)
    monkeypatch.setattr(HomeScreen, "set_timer", lambda self, after, then: later.append(then))
    async with at_home() as at:
        assert "round 1" in at.text and at.text.count("…") == 2
        await at.press("down")
        assert at.cursor == "The Bell"
        later.pop()()
        assert at.text.count("…") == 1
        later.pop()()
        assert "…" not in at.text and not later


async def test_what_was_told_once_is_not_read_again_until_its_file_is_saved(
    vale: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with at_home() as at:
        read: list[Path] = []

        def noted(path: Path) -> summaries.EncounterSummary:
            read.append(path)
            return summaries.summary(path)

        monkeypatch.setattr(home, "summary", noted)
        await at.press("slash", *"ford", "escape", "r")
        assert read == [] and "▶ round 1" in at.text
        path = vale / "encounters" / "the-ford.toml"
        with OpenEncounter.open(path) as opened:
            opened.do("end")
        await at.press("r")
        assert read == [path] and "✓ over after 1 round" in at.text


async def test_nothing_is_read_for_the_list_while_a_fight_is_open(
    vale: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    later: list[Callable[[], None]] = []
    monkeypatch.setattr(home, "AT_ONCE", 1)
    monkeypatch.setattr(HomeScreen, "set_timer", lambda self, after, then: later.append(then))
    async with at_home() as at:
        await at.press("enter")
        assert isinstance(at.pilot.app.screen, FightScreen)
        read: list[bytes] = []
        with monkeypatch.context() as patch:
            patch.setattr(summaries, "read_log_tail", read.append)
            later.pop()()
        assert not read

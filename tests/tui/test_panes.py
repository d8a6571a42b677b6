"""What the panes show, and that they move, scroll and look back as the GM expects."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from rich.cells import cell_len
from textual.geometry import Region, Size
from textual.pilot import Pilot

from affray.core.state import Track
from affray.core.tables import TrackRule
from affray.rulesets import known_rulesets
from affray.store.encounter import OpenEncounter
from affray.tui.app import AffrayApp
from affray.tui.drawing import Line, bar, cut, cut_name, flow, plain, short_track, wrapped
from affray.tui.panes.pane import Pane
from affray.tui.screens.arrangement import LOW_BELOW, PANES, SMALL_TABS, Arrangement, Wants
from affray.tui.screens.fight import FightScreen
from affray.tui.screens.fight_panes import (
    choose_pane,
    next_pane,
    scroll_chosen_end,
    toggle_maximised,
)
from affray.tui.screens.home import HomeScreen
from affray.tui.shared import app_of
from affray.tui.themes import DARK, THEMES, inks_of

INKS = inks_of(DARK)
SIZES = [(80, 24), (120, 40), (200, 60)]


def said(line: Line) -> str:
    return "".join(segment.text for segment in line.segments)


def text_of(pilot: Pilot[None], pane: str) -> str:
    """What a pane shows now."""
    found = pilot.app.screen.query_one(f"#{pane}", Pane)
    return "\n".join(found.render_line(y).text.rstrip() for y in range(found.size.height))


def screen_of(pilot: Pilot[None]) -> FightScreen:
    screen = pilot.app.screen
    assert isinstance(screen, FightScreen)
    return screen


# -- drawing ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Sister Ash", "Sister Ash"),
        ("[red]Tobin[/]", "[red]Tobin[/]"),
        ("a\x1b[31mb\x07", "a[31mb"),
        ("one\ttwo\n", "one two "),
        ("left\u202eright\u200f", "leftright"),
        ("Zoë 龍", "Zoë 龍"),
        ("❤\ufe0f and ⌚\ufe0e", "❤ and ⌚"),
    ],
)
def test_names_are_shown_as_text(text: str, shown: str) -> None:
    assert plain(text) == shown


@pytest.mark.parametrize(
    ("value", "cells"), [(0, 0), (1, 1), (15, 5), (29, 9), (30, 10), (99, 10), (-4, 0)]
)
def test_a_bar_is_full_or_empty_only_when_the_track_is(value: int, cells: int) -> None:
    line = bar(Track(value, 30), 10, INKS)
    assert said(line) == "▇" * cells + "░" * (10 - cells)


@pytest.mark.parametrize(
    ("shown", "track", "text"),
    [
        ("pips", Track(2, 3), "●●○"),
        ("pips", Track(4, 3), "●●●●"),
        ("badge", Track(0, 1), "◇"),
        ("boxes", Track(3, 5), "■■■□□"),
        ("boxes", Track(7, 20), "7/20"),
        ("number", Track(6), "6"),
        ("die", Track(8), "d8"),
        ("die", Track(0), "none"),
        ("box", Track(1, 1), "■"),
        ("box", Track(0, 1), "□"),
        ("box", Track(0, 0), "□"),
        ("box", Track(2, 2), "■■"),
        ("bar", Track(-5, 44), "−5/44"),
        ("boxes", Track(-1, 3), "−1/3"),
    ],
)
def test_a_track_is_drawn_as_its_rule_says(shown: str, track: Track, text: str) -> None:
    rule = TrackRule("Label", shown)  # type: ignore[arg-type]
    assert said(short_track(rule, track, INKS)) == text


def test_a_strip_has_exactly_the_cells_it_is_asked_for() -> None:
    line = Line().add("Ghoul 龍龍龍", INKS.plain)
    for width in range(20):
        assert line.strip(width).cell_length == width


def test_text_is_cut_and_wrapped_by_cells() -> None:
    assert cut("Brannoc", 7) == "Brannoc"
    assert cut("Brannoc", 5) == "Bran…"
    assert cut("龍龍龍", 4) == "龍…"
    assert cut_name("Drowned Watchman 2", 15) == "Drowned Watc… 2"
    assert cut_name("Sister Ash", 6) == "Siste…"
    assert wrapped("one two three", 7) == ["one two", "three"]
    assert all(cell_len(line) <= 5 for line in wrapped("龍龍龍龍 abcdefgh", 5))
    assert wrapped("龍a", 1) == ["龍", "a"]
    assert [said(line) for line in flow([Line().add(w) for w in ("aa", "bb", "cc")], 7)] == [
        "aa   bb",
        "cc",
    ]


# -- where the panes stand -------------------------------------------------------------------------


@pytest.mark.parametrize("edge", [0, 5])
@pytest.mark.parametrize("size", [*SIZES, (100, 30), (60, 20), (30, 10), (160, 24), (1, 1)])
def test_panes_share_the_screen_without_covering_each_other(
    size: tuple[int, int], edge: int
) -> None:
    places = Arrangement(wants=Wants(edge=edge)).regions(Size(*size))
    whole = Region(0, 0, *size)
    assert all(whole.contains_region(place) for place in places.values())
    names = [name for name in places if size[1] >= 10 or name in PANES]
    for name in names:
        for other in names:
            assert name == other or not places[name].overlaps(places[other]), (name, other)


@pytest.mark.parametrize("size", SIZES)
def test_every_pane_can_be_reached(size: tuple[int, int]) -> None:
    seen = set()
    for pane in PANES:
        seen |= Arrangement(pane).regions(Size(*size)).keys()
        assert {"initiative", "spend", "prompt", "footer"} <= seen
    for pane in PANES:
        places = Arrangement(pane, maximised=True).regions(Size(*size))
        assert places.keys() == {"header", pane, "prompt", "footer"}
    assert seen >= {*PANES} - ({"second"} if size[1] < LOW_BELOW else set())


# -- the fight -------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
async def test_the_order_shows_who_is_up_and_how_everybody_is(
    ambush: OpenEncounter, size: tuple[int, int]
) -> None:
    async with AffrayApp(ambush).run_test(size=size) as pilot:
        await pilot.pause()
        rows = text_of(pilot, "initiative").splitlines()
        rows = [row for row in rows if row[2:4].strip()]  # not what stands below them
        assert rows[0].split()[:4] == ["1", "▲", "18", "Mira"]
        assert rows[6].startswith("›▶") and "TOBIN" in rows[6]
        assert "dying" in rows[6] and "0/16" in rows[6]
        assert rows[3].endswith("✗ dead")
        assert rows[7].split()[0] == "8?▼"  # the players don't know of it
        assert rows[8].split()[1] == "◈" and rows[9].split()[1] == "≈"


async def test_the_cursor_moves_and_follows_the_turn(ambush: OpenEncounter) -> None:
    async with AffrayApp(ambush).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        screen = screen_of(pilot)
        assert screen.actor() == "tobin"
        screen.move_cursor(-99)
        assert screen.actor() == "mira"
        await pilot.pause()
        assert text_of(pilot, "second").startswith("AC 3")
        assert text_of(pilot, "initiative").startswith("›")
        assert screen.run_command("next")
        assert screen.actor() == "reed-lurker"


async def test_a_click_moves_the_cursor(ambush: OpenEncounter) -> None:
    async with AffrayApp(ambush).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await pilot.click("#initiative", offset=(10, 2))
        assert screen_of(pilot).cursor == "brannoc"


async def test_a_refusal_is_a_line_and_changes_nothing(ambush: OpenEncounter) -> None:
    async with AffrayApp(ambush).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        before = ambush.state
        assert not screen_of(pilot).run_command("damage nobody 5")
        assert ambush.state is before


async def test_techniques_keep_their_places_and_say_why_not(ambush: OpenEncounter) -> None:
    async with AffrayApp(ambush).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        screen = screen_of(pilot)
        while ambush.state.turn != "mira":
            assert screen.run_command("next")
        await pilot.pause()
        before = text_of(pilot, "techniques").splitlines()
        places = [(y, row.find("Move")) for y, row in enumerate(before)]
        assert screen.run_command("move")
        assert screen.run_command("move")
        await pilot.pause()
        after = text_of(pilot, "techniques").splitlines()
        assert [(y, row.find("Move")) for y, row in enumerate(after)] == places
        assert any("m✗ Move: 0 AP left" in row for row in after)


async def test_timers_are_sorted_by_when_they_end(ambush: OpenEncounter) -> None:
    async with AffrayApp(ambush).run_test(size=(200, 60)) as pilot:
        await pilot.pause()
        rows = text_of(pilot, "timers").splitlines()
        assert rows[0] == "round 2"
        assert " ".join(rows[1].split()) == "Brannoc weakened ends after their turn"
        assert any("until it stands" in row for row in rows)
        assert any("The bridge falls" in row and "4d6" in row for row in rows)


async def test_the_log_follows_the_newest(ambush: OpenEncounter) -> None:
    async with AffrayApp(ambush).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        screen = screen_of(pilot)
        choose_pane(screen, "log")
        toggle_maximised(screen)
        await pilot.pause()
        last = ambush.history.head
        assert str(last) in text_of(pilot, "log").splitlines()[-1]
        assert "AC 1: −16 HP, 0 left" in text_of(pilot, "log")
        scroll_chosen_end(screen, start=True)
        await pilot.pause()
        assert text_of(pilot, "log").split()[0] == "1"


async def test_looking_back_shows_the_fight_as_it_was(ambush: OpenEncounter) -> None:
    async with AffrayApp(ambush).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        screen = screen_of(pilot)
        screen.look_at(21)
        await pilot.pause()
        assert "looking at entry 21" in text_of(pilot, "header")
        assert "30/30" in text_of(pilot, "initiative")
        before = ambush.history.last
        assert not screen.run_command("next")
        assert ambush.history.last == before
        assert screen.back_to_now()
        await pilot.pause()
        assert "saved ✓" in text_of(pilot, "header")
        assert not screen.back_to_now()


async def test_tabs_share_a_place_in_a_small_window(ambush: OpenEncounter) -> None:
    async with AffrayApp(ambush).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        screen = screen_of(pilot)
        for tab in (*SMALL_TABS[1:], SMALL_TABS[0]):
            next_pane(screen)
            await pilot.pause()
            assert screen.chosen == tab
            seen = [name for name in SMALL_TABS if screen.query_one(f"#{name}").region.area]
            assert seen == [tab]


async def test_every_size_and_theme_can_be_drawn(ambush: OpenEncounter) -> None:
    async with AffrayApp(ambush).run_test(size=(120, 40)) as pilot:
        for theme in (*(t.name for t in THEMES), "nord", "textual-light"):
            pilot.app.theme = theme
            await pilot.pause()
        for size in ((1, 1), (10, 4), (40, 12), (80, 24), (300, 80)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            screen_of(pilot).move_cursor(-1)
        await pilot.pause()


async def test_names_are_never_read_as_markup(played: Callable[..., OpenEncounter]) -> None:
    fight = played('add pc "[red]Al[/red] [b" hp 9\nnote "[bold]hm[/"', title="[link]x")
    async with AffrayApp(fight).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert "[red]Al[/red] [b" in text_of(pilot, "initiative")
        assert "[link]x" in text_of(pilot, "header")
        assert "[bold]hm[/" in text_of(pilot, "log")


async def test_a_fight_with_nobody_says_what_to_do(played: Callable[..., OpenEncounter]) -> None:
    async with AffrayApp(played("")).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "Nobody is here yet" in text_of(pilot, "initiative")
        assert "not begun" in text_of(pilot, "header")
        screen_of(pilot).move_cursor(1)
        assert screen_of(pilot).actor() == ""


async def test_a_key_costs_the_same_however_long_the_log_is(
    played: Callable[..., OpenEncounter], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only what can be seen is put into words: a cursor key puts nothing into words."""
    fight = played("add pc Mira hp 24\nadd monster Ghoul x9 hp 9\n" + "note hm\n" * 300)
    told: list[int] = []
    async with AffrayApp(fight).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        from affray.tui.panes import log

        words = log.entry_pieces
        monkeypatch.setattr(
            log, "entry_pieces", lambda entry, *rest: told.append(entry.seq) or words(entry, *rest)
        )
        screen_of(pilot).move_cursor(1)
        await pilot.pause()
        assert told == []
        assert screen_of(pilot).run_command("note more")
        await pilot.pause()
        assert told == [fight.history.head]


# -- the home screen -------------------------------------------------------------------------------


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
        app_of(screen).go_home()
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

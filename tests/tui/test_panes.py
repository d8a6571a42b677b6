"""What the panes show, and that they move, scroll and look back as the GM expects."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from msgspec.structs import replace
from tests.tui.seen import panes_of
from textual.geometry import Region, Size
from textual.pilot import Pilot

from affray.store.open_encounter import OpenEncounter
from affray.tui.app import AffrayApp
from affray.tui.screens.fight import FightScreen
from affray.tui.screens.fight_layout import (
    LOW_BELOW,
    PANES,
    SMALL_TABS,
    LayoutInput,
    RowsWanted,
    is_compact,
)
from affray.tui.theme import THEMES
from affray.tui.widgets.base import Pane

SIZES = [(80, 24), (120, 40), (200, 60)]


def text_of(pilot: Pilot[None], pane: str) -> str:
    """What a pane shows now."""
    found = pilot.app.screen.query_one(f"#{pane}", Pane)
    return "\n".join(found.render_line(y).text.rstrip() for y in range(found.size.height))


def screen_of(pilot: Pilot[None]) -> FightScreen:
    screen = pilot.app.screen
    assert isinstance(screen, FightScreen)
    return screen


# -- where the panes stand -------------------------------------------------------------------------


@pytest.mark.parametrize("size", [*SIZES, (100, 30), (60, 20), (30, 10), (160, 24), (1, 1)])
def test_panes_share_the_screen_without_covering_each_other(
    size: tuple[int, int],
) -> None:
    places = LayoutInput().regions(Size(*size))
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
        seen |= LayoutInput(pane).regions(Size(*size)).keys()
        assert {"initiative", "spend", "prompt", "footer"} <= seen
    for pane in PANES:
        places = LayoutInput(pane, maximised=True).regions(Size(*size))
        assert places.keys() == {"header", pane, "prompt", "footer"}
    large = size[0] >= 120 and size[1] >= LOW_BELOW
    unseen = {"second"} if size[1] < LOW_BELOW else set()
    assert seen >= {*PANES} - unseen - (set() if large else {"tracks"})


@pytest.mark.parametrize("size", [*SIZES, (100, 30), (160, 24)])
def test_a_game_without_techniques_and_prices_leaves_their_room_to_others(
    size: tuple[int, int],
) -> None:
    absent = frozenset({"techniques", "spend"})
    seen = [LayoutInput(pane, without=absent).regions(Size(*size)) for pane in PANES]
    assert not absent & {name for places in seen for name in places}
    there = {*PANES} - absent - ({"second"} if is_compact(Size(*size)) else set())
    assert there <= {name for places in seen for name in places} | {"second", "tracks"}
    whole = Region(0, 1, size[0], size[1] - 4)
    for places in seen:
        panes = [place for name, place in places.items() if name in PANES]
        assert sum(place.area for place in panes) == whole.area


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
        assert rows[5].startswith("›▶") and "TOBIN" in rows[5]
        assert "dying" in rows[5] and "0/16" in rows[5]
        assert rows[6].split()[0] == "8?▼"  # the players don't know of it
        assert rows[7].split()[1] == "◈" and rows[8].split()[1] == "≈"
        assert "Ghoul 2" in rows[9] and rows[9].endswith("✗ dead")


async def test_the_cursor_moves_and_follows_the_turn(ambush: OpenEncounter) -> None:
    async with AffrayApp(ambush).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        screen = screen_of(pilot)
        assert screen.view.actor() == "tobin"
        screen.move_cursor(-99)
        assert screen.view.actor() == "mira"
        await pilot.pause()
        assert text_of(pilot, "second").startswith("HP 24/24   AC 3")
        assert text_of(pilot, "initiative").startswith("›")
        assert screen.run_command("next")
        assert screen.view.actor() == "reed-lurker"


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


async def test_techniques_show_what_can_be_done_and_how_many_cannot(ambush: OpenEncounter) -> None:
    async with AffrayApp(ambush).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        screen = screen_of(pilot)
        while ambush.state.turn != "mira":
            assert screen.run_command("next")
        for _ in range(3):  # for its place, and for the rows that fill it
            await pilot.pause()
        assert "m  Move" in text_of(pilot, "techniques")
        assert screen.run_command("move")
        assert screen.run_command("move")
        for _ in range(3):
            await pilot.pause()
        assert "Move" not in text_of(pilot, "techniques")
        assert " not now: 0 AP left" in screen.query_one("#techniques", Pane).aside


async def test_timers_are_sorted_by_when_they_end(ambush: OpenEncounter) -> None:
    async with AffrayApp(ambush).run_test(size=(200, 60)) as pilot:
        await pilot.pause()
        rows = text_of(pilot, "timers").splitlines()
        first = rows.index("round 2") + 1  # below what the turn's start has set off
        assert " ".join(rows[first].split()) == "Brannoc weakened ends after their turn"
        assert any("until it stands" in row for row in rows)
        assert any("The bridge falls" in row and "4d6" in row for row in rows)


async def test_the_log_follows_the_newest(ambush: OpenEncounter) -> None:
    async with AffrayApp(ambush).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        screen = screen_of(pilot)
        screen.panes.choose("log")
        screen.panes.toggle_maximised()
        await pilot.pause()
        await pilot.pause()  # for its place, and for the rows that fill it
        last = ambush.history.head
        assert str(last) in text_of(pilot, "log").splitlines()[-1]
        assert "−16 HP, 0 left (AC 1)" in text_of(pilot, "log")
        screen.panes.scroll_end(start=True)
        await pilot.pause()
        assert text_of(pilot, "log").split()[0] == "1"


async def test_looking_back_shows_the_fight_as_it_was(ambush: OpenEncounter) -> None:
    async with AffrayApp(ambush).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        screen = screen_of(pilot)
        screen.look_at(21)
        await pilot.pause()
        assert "viewing entry 21" in text_of(pilot, "header")
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
            screen.panes.choose_next()
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


async def test_nobody_is_next_before_a_fight_and_when_it_is_over(
    played: Callable[..., OpenEncounter],
) -> None:
    people = "add pc Mira hp 24\nadd pc Pell hp 20\ninit mira 9\ninit pell 7\n"
    async with AffrayApp(played(people)).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        second = screen_of(pilot).query_one("#second", Pane)
        titles = []
        for command in ("start", "end", ""):
            titles.append(second.title)
            assert not command or screen_of(pilot).run_command(command)
            await pilot.pause()
        assert titles == ["Pell · PC", "Pell · PC · next", "Pell · PC"]


async def test_a_fight_with_nobody_says_what_to_do(played: Callable[..., OpenEncounter]) -> None:
    async with AffrayApp(played("")).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "Nobody is here yet" in text_of(pilot, "initiative")
        assert "not begun" in text_of(pilot, "header")
        screen_of(pilot).move_cursor(1)
        assert screen_of(pilot).view.actor() == ""


async def test_a_key_costs_the_same_however_long_the_log_is(
    played: Callable[..., OpenEncounter], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only what can be seen is put into words: a cursor key puts nothing into words."""
    fight = played("add pc Mira hp 24\nadd monster Ghoul x9 hp 9\n" + "note hm\n" * 300)
    told: list[int] = []
    async with AffrayApp(fight).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        from affray.tui.widgets import log

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


def test_what_ends_has_its_rows_beside_all_panes_and_takes_none_from_the_log() -> None:
    size, short = Size(120, 40), RowsWanted(order=10, people=8, spend=8, timers=5)
    few, many = (LayoutInput(wants=w).regions(size) for w in (short, replace(short, timers=11)))
    more = LayoutInput(wants=replace(short, timers=24)).regions(size)
    assert few["log"].height == many["log"].height == more["log"].height
    assert few["timers"].bottom == few["card"].bottom, "the panes below have the whole width"
    assert few["log"].width == 120 and more["log"].width < 120
    assert more["timers"].height == 28
    assert few["spend"].height == more["spend"].height == 8


TIGHT = RowsWanted(order=15, people=14, spend=7, timers=11, techniques=10, card=9)


def test_the_log_has_room_for_four_lines_or_shares_its_place() -> None:
    """The order has its rows before the techniques and the cards have all of theirs."""
    size = Size(120, 40)
    places = LayoutInput(wants=TIGHT).regions(size)
    assert (places["card"].height, places["log"].height) == (5, 6)
    longer = LayoutInput(wants=replace(TIGHT, order=19)).regions(size)
    assert (longer["initiative"].height, longer["techniques"].height) == (19, 6)
    assert longer["log"].height == 6
    crowd = LayoutInput(wants=replace(TIGHT, order=24, people=20))
    assert crowd.tabs(size) == ("techniques", "log") and "log" not in crowd.regions(size)


@pytest.mark.parametrize("size", [Size(120, 40), Size(200, 60)])
def test_a_card_has_the_rows_that_it_needs_and_no_more(size: Size) -> None:
    roomy = replace(TIGHT, order=10, timers=5, techniques=7)
    places = [LayoutInput(wants=replace(roomy, card=rows)).regions(size) for rows in (5, 8)]
    assert [place["card"].height for place in places] == [5, 8]
    assert [place["second"].height for place in places] == [5, 8]
    below = "log" if size.width == 120 else "techniques"
    assert places[0][below].height - places[1][below].height == 3


@pytest.mark.parametrize("timers, edge", [(12, 0), (16, 0), (17, 0), (12, 5)])
def test_in_a_large_window_techniques_stand_below_the_cards_and_the_log_below_the_timers(
    timers: int, edge: int
) -> None:
    """So rules have long rows, and what ends has all of its own."""
    places = LayoutInput(wants=replace(TIGHT, timers=timers, edge=edge)).regions(Size(200, 60))
    assert places["techniques"].width == 124 and places["techniques"].y == places["card"].bottom
    assert places["timers"].height >= timers + edge
    assert places["log"].y == places["timers"].bottom and places["log"].height >= 56 // 3


@pytest.mark.parametrize(
    "fight",
    [
        "drowned-vale/encounters/the-sluice-gate",
        "salt-stair/encounters/the-bell-in-the-gale",
        "winter-term/encounters/the-frozen-conservatory",
    ],
)
async def test_no_rule_of_a_sample_is_cut_beside_empty_rows(
    sample: Callable[[str], OpenEncounter], fight: str
) -> None:
    async with AffrayApp(sample(f"{fight}.toml")).run_test(size=(200, 60)) as pilot:
        await pilot.pause()
        await pilot.pause()
        panes = panes_of(screen_of(pilot))
        assert "…" not in panes["techniques"].text or not panes["techniques"].has_empty_row()


async def test_the_cards_grow_for_the_longest_of_them_and_stay_so_for_a_shorter_one(
    played: Callable[..., OpenEncounter],
) -> None:
    text = "Keeps the lock. " * 20
    people = f'add pc Mira hp 24 text "{text}"\nadd monster Ghoul x2 hp 9\n'
    fight = played(f"{people}init mira 9\ninit ghoul-1 2\ninit ghoul-2 1\nstart\n")
    async with AffrayApp(fight).run_test(size=(200, 60)) as pilot:
        await pilot.pause()
        card = screen_of(pilot).query_one("#card")
        tall = card.size.height
        assert tall > 6 and "Fatigue" in text_of(pilot, "card")
        assert screen_of(pilot).run_command("next")
        await pilot.pause()
        assert screen_of(pilot).query_one("#card").size.height == tall


@pytest.mark.parametrize("size", [*SIZES, (100, 30), (160, 48)])
@pytest.mark.parametrize(
    "fight",
    ["drowned-vale/encounters/the-sluice-gate", "salt-stair/encounters/the-bell-in-the-gale"],
)
async def test_a_fight_is_opened_as_it_stands_after_a_key_that_changes_nothing(
    sample: Callable[[str], OpenEncounter], fight: str, size: tuple[int, int]
) -> None:
    async with AffrayApp(sample(f"{fight}.toml")).run_test(size=size) as pilot:
        await pilot.pause()
        await pilot.pause()
        layout = screen_of(pilot).layout
        at_first = layout.arrangement.regions(Size(*size))
        await pilot.press("0")
        await pilot.pause()
        assert layout.arrangement.regions(Size(*size)) == at_first


ENDS = {
    "this round": ["Weir Ogre frightened ends after its turn"],
    "round 4": [
        "Tithe Taker 1 sundered",
        "Ilse concentrating: Fog Wall",
        "Tithe Taker 1 slowed",
    ],
    "until …": [
        "restrained: Pell, Oswin until freed",
        "Tithe… 2 doomed until freed",
        "Pell unconscious until healed",
        "Pell prone until it stands",
        "Tamsin protected until Ilse stops concentrating",
        "Ilse waterlogged until it is wrung out",
        "Oswin the horn of the wardens +1 ac until the fight ends",
    ],
}
"""All that lasts at the sluice gate, by the heading that has its end."""


async def test_what_lasts_is_told_with_its_end_from_the_first_picture(
    sample: Callable[[str], OpenEncounter],
) -> None:
    gate = sample("drowned-vale/encounters/the-sluice-gate.toml")
    lasting = [effect for who in gate.state.in_order() for effect in who.effects]
    assert len(lasting) == sum(map(len, ENDS.values())) + 1  # one is on two
    async with AffrayApp(gate).run_test(size=(120, 42)) as pilot:
        await pilot.pause()
        await pilot.pause()
        timers = " ".join(text_of(pilot, "timers").split())
        assert "later" not in timers
        _, *parts = re.split(f"({'|'.join(ENDS)}) ", timers)
        assert parts[::2] == [*ENDS]
        for (heading, told), part in zip(ENDS.items(), parts[1::2], strict=True):
            assert [what for what in told if what not in part] == [], heading
        order = " ".join(text_of(pilot, "initiative").split())
        for effect in lasting:
            called = effect.note if effect.name == effect.kind else effect.name
            assert called in order or f"{called[:15]}…" in order


@pytest.mark.parametrize("needed, moves", [(12, True), (11, False), (8, False), (7, True)])
def test_the_places_stay_as_they_are_while_the_timers_have_a_few_rows_too_many(
    needed: int, moves: bool
) -> None:
    assert replace(RowsWanted(), timers=needed).is_worth_it(RowsWanted(timers=11)) is moves

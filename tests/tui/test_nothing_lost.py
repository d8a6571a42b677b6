"""No loss without a mark, no cut beside room: of the samples and of crowds, at twenty sizes.

Everything is read off the screen's cells, as a GM reads it, at sizes from 80x24 on, and without a
key. Of everybody whose row is seen there are the name, HP, what is left to act with, what wears out
and what lasts, or `+2` for what has no room; and `…` stands nowhere beside room.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from tests.tui.conftest import MOST_LOOKS
from tests.tui.crowds import GAMES, Crowd, crowd
from tests.tui.order_read import FALLEN, blocks, lost_in, tells
from tests.tui.seen import SeenPane, free_at_end, panes_of
from tests.tui.timers_read import untold
from textual import events
from textual._compositor import Compositor
from textual.geometry import Size
from textual.pilot import Pilot

from affray.core.dice import SeededDice
from affray.core.engine.turn_order import current_turn_label, turn_order_rows
from affray.core.formatting.safe_text import strip_control_chars
from affray.store.open_encounter import OpenEncounter
from affray.tui.app import AffrayApp
from affray.tui.screens.fight import FightScreen
from affray.tui.screens.fight_layout import panes_to_hide
from affray.tui.widgets.turn_order_columns import shown_tracks, stands_apart

CAMPAIGNS = Path(__file__).parents[2] / "campaigns"
USUAL = ((80, 24), (100, 30), (120, 40), (160, 48), (200, 60))
ODD = (
    *((80, 30), (80, 50), (90, 24), (99, 29), (99, 60), (100, 24), (110, 30), (119, 39)),
    *((120, 24), (120, 30), (130, 36), (140, 50), (169, 39), (170, 40), (200, 24), (200, 40)),
    *((210, 55), (220, 60)),
)
SIZES = USUAL + ODD
CROWDS = (1, 2, 3, 5, 8, 10, 13, 13, 20, 30, 50, 200)
FOUR = {"initiative", "tracks", "spend", "timers"}
"""The panes that carry the fight."""
FOUR_FROM = (120, 38)
"""In smaller windows the tracks are columns of the order."""
CUT = re.compile(r"[^\s(]…")
"""What is cut ends so; a `…` by itself says that more may follow, as in `NAME hp N …`, and `(…)`
that something is noted, of which there is never a half."""
BEGUN_ABOVE = re.compile(r"^\s*\d+… ")
"""The number of an entry of the log whose first rows are above the pane."""
ROWS_FOR_NOTHING = 8
"""Techniques keep the rows that somebody before needed: so many free ones are not kept for that."""
MUCH_ROOM = 10
"""So many free cells at the end of a row would have held more."""
IN_COLUMNS = {"initiative": 20, "techniques": MUCH_ROOM}
"""Where names stand in columns, what one row has behind a column is no room for the name in
another: cells are free only where no row fills them. In the order a penalty, the count of what
lasts and longer numbers have their places there, which somebody further down may have."""
RUNNING = "drowned-vale/encounters/the-sluice-gate"
A_MOMENT, SEVERAL, SAME_LOOKS = 1 / 120, 20, 3
SHARE = 6
"""Crowds are seen at every sixth size, each at others than the one before, and samples at all usual
ones and every third of the odd ones."""
AT = datetime(2026, 1, 1, 20, 0, tzinfo=UTC)
SAMPLES = [
    str(path.relative_to(CAMPAIGNS).with_suffix(""))
    for path in sorted(CAMPAIGNS.glob("*/encounters/*.toml"))
]


async def seen_at(pilot: Pilot[Any], size: tuple[int, int]) -> dict[str, SeenPane]:
    """What the screen shows once the terminal has that size."""
    wanted, app = Size(*size), pilot.app
    app._driver._size = wanted  # type: ignore[union-attr]
    app.post_message(events.Resize(wanted, wanted))
    for look in range(1, MOST_LOOKS):
        if app.screen._compositor.size == wanted:
            break
        await pilot.pause(A_MOMENT)
        if not look % SEVERAL:  # a screen that was not yet up when it was told has not listened
            app.screen.post_message(events.Resize(wanted, wanted))
    assert app.screen._compositor.size == wanted
    return await settled(pilot)


async def settled(pilot: Pilot[Any]) -> dict[str, SeenPane]:
    """What the screen shows once nothing moves any more."""
    looks: list[dict[str, SeenPane]] = []
    for _ in range(MOST_LOOKS):  # what is laid out anew is drawn anew a moment later
        await pilot.pause()
        await pilot.pause(A_MOMENT)
        looks = [*looks[-SAME_LOOKS + 1 :], panes_of(pilot.app.screen)]
        if len(looks) == SAME_LOOKS and all(look == looks[0] for look in looks):
            break
    return looks[-1]


def losses(
    panes: dict[str, SeenPane], fight: OpenEncounter, size: tuple[int, int]
) -> Iterator[str]:
    """What this screen does not tell of the fight, or has cut beside room; a line each."""
    unseen = FOUR - panes.keys() - panes_to_hide(fight.ruleset.tables)
    width, height = size
    if width < FOUR_FROM[0] or height < FOUR_FROM[1] or not _is_worn(fight):
        unseen.discard("tracks")
    if unseen:
        yield f"not seen: {', '.join(sorted(unseen))}"
        return
    yield from _cuts(panes)
    yield from _whose_turn(panes, fight)
    yield from _order(panes, fight)
    yield from untold(panes["timers"], fight.state, fight.ruleset)
    yield from _room_below(panes)


def _is_worn(fight: OpenEncounter) -> bool:
    """Whether there is anything to be seen of what wears out: no quiet tracks without a mark."""
    rules = fight.ruleset.tables.tracks
    worn = [name for name in shown_tracks(fight.ruleset.tables) if stands_apart(rules[name])]
    return any(
        who.tracks[name].value or not rules[name].quiet
        for who in fight.state.in_order()
        for name in worn
        if name in who.tracks and not who.is_out
    )


def _room_below(panes: dict[str, SeenPane]) -> Iterator[str]:
    """Where techniques stand right below the timers, they take no rows from these for nothing."""
    above, below = panes["timers"], panes.get("techniques")
    if below is None or len(above.edges[0]) != len(below.edges[0]):
        return
    free = sum(not row.strip() for row in below.rows)
    if free >= ROWS_FOR_NOTHING and "later" in above.rows[-1]:
        yield f"timers: {above.rows[-1].strip()} above {free} empty rows of techniques"


def _order(panes: dict[str, SeenPane], fight: OpenEncounter) -> Iterator[str]:
    """As many as there are rows for are seen, and of each of them everything, or its count."""
    pane, tracks = panes["initiative"], panes.get("tracks")
    found = list(blocks(pane, fight.state, tracks))
    people, lines = len(turn_order_rows(fight.state)), len(pane.rows)
    if any(FALLEN.match(row) for row in pane.rows):
        lines -= 1
        people -= sum(
            all(who.is_out for who in row.members) for row in turn_order_rows(fight.state)
        )
    if len(found) < min(people, lines) or (people and not found):
        yield f"{len(found)} of {people} are seen in {len(pane.rows)} rows"
    for block in found:
        yield from lost_in(block, fight.state, fight.ruleset)


def _cuts(panes: dict[str, SeenPane]) -> Iterator[str]:
    """`…` where there would have been room: a free row, or ten free cells at the row's end."""
    for pane in panes.values():
        much = IN_COLUMNS.get(pane.name, MUCH_ROOM)
        least = min(map(free_at_end, pane.rows), default=0)
        for row in pane.rows:
            if not CUT.search(BEGUN_ABOVE.sub("", row) if pane.name == "log" else row):
                continue
            if pane.has_empty_row():
                yield f"{pane.name}: cut beside an empty row: {row!r}"
            if (least if pane.name in IN_COLUMNS else free_at_end(row)) >= much:
                yield f"{pane.name}: cut beside free cells: {row!r}"
        for edge in pane.edges:
            if CUT.search(edge) and "─" * MUCH_ROOM in edge:
                yield f"{pane.name}: cut beside room: {edge!r}"


def _whose_turn(panes: dict[str, SeenPane], fight: OpenEncounter) -> Iterator[str]:
    """Whoever is up stands in the header and in the order, and who comes next in one of them."""
    state = fight.state
    if state.up is None:
        return
    name = strip_control_chars(current_turn_label(state))
    if not tells(name, panes["header"].text):
        yield f"{name} is up, and not in the header: {panes['header'].text!r}"
    rows = (block for block in blocks(panes["initiative"], state) if "▶" in block.rows[0][:4])
    if not any(state.turn in {who.id for who in block.of.members} for block in rows):
        yield f"{name} is up, and not seen in the order"


@pytest.fixture(autouse=True)
def _painted_when_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cells are drawn when they are read here, all of them; not for the terminal as well."""

    def only_forget(compositor: Compositor, **_: object) -> None:
        compositor._dirty_regions.clear()

    monkeypatch.setattr(Compositor, "render_update", only_forget)


def _opened(path: Path) -> OpenEncounter:
    return OpenEncounter.open(path, SeededDice(7), lambda: AT)


@pytest.mark.parametrize(("number", "sample"), enumerate(SAMPLES), ids=SAMPLES)
async def test_a_sample_is_told_whole_at_every_size(
    tmp_path: Path, number: int, sample: str
) -> None:
    copytree(CAMPAIGNS, tmp_path, dirs_exist_ok=True)
    found = []
    with _opened(tmp_path / f"{sample}.toml") as fight:
        async with AffrayApp(fight).run_test(size=USUAL[0]) as pilot:
            await pilot.pause()
            for size in (*USUAL, *ODD[number % 3 :: 3]):  # each has some, together all
                panes = await seen_at(pilot, size)
                found += [f"{size}: {lost}" for lost in losses(panes, fight, size)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("size", USUAL)
async def test_it_is_told_whole_from_the_first_picture(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    copytree(CAMPAIGNS, tmp_path, dirs_exist_ok=True)
    with _opened(tmp_path / f"{RUNNING}.toml") as fight:
        async with AffrayApp(fight).run_test(size=size) as pilot:
            await pilot.pause()
            found = list(losses(await settled(pilot), fight, size))
    assert not found, "\n".join(found)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.ruleset)
async def test_a_crowd_is_told_whole_at_every_size(tmp_path: Path, game: Crowd) -> None:
    found = []
    with ExitStack() as stack:
        fights = [
            stack.enter_context(crowd(tmp_path / f"{seed}.toml", game, seed, people))
            for seed, people in enumerate(CROWDS)
        ]
        async with AffrayApp(fights[0]).run_test(size=USUAL[0]) as pilot:
            for number, fight in enumerate(fights):
                await pilot.app.switch_screen(FightScreen(fight))
                await pilot.pause()
                for size in SIZES[number % SHARE :: SHARE]:  # each has some, together all
                    panes = await seen_at(pilot, size)
                    found += [
                        f"{fight.state.title}, {size}: {lost}"
                        for lost in losses(panes, fight, size)
                    ]
    assert not found, "\n".join(found)

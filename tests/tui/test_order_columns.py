"""How the order shares out its width, mostly where what lasts stands beside the rows."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from tests.tui.conftest import SAMPLES, Sample
from tests.tui.test_nothing_lost import settled

from affray.store.open_encounter import OpenEncounter
from affray.tui.theme import DARK, styles_of
from affray.tui.widgets.turn_order import TurnOrderList
from affray.tui.widgets.turn_order_columns import (
    ENOUGH_OF_A_NAME,
    FOR_COUNT,
    FOR_MANY_WORDS,
    FOR_WORDS,
    MOST_OF_A_BAR,
    SOME_OF_A_NAME,
    ColumnLayout,
    measure_rows,
    turn_order_rows,
)
from affray.tui.widgets.turn_order_rows import RowStyle, words_beside, words_within

Played = Callable[..., OpenEncounter]
Play = Callable[..., Any]
FIGHTS = sorted(str(each.relative_to(SAMPLES)) for each in SAMPLES.glob("*/encounters/*.toml"))
LOOKS = 8
"""At so many moments of each it is looked."""
NARROW = 78  # the room in a window of 80 columns
MUCH = ("prone", "slowed", "impaired", "blinded", "sundered", "doomed")
ROAD = """\
add pc Brannoc hp 30 ac 2 power 2 cunning 1 luck 1 pb 2
add monster Ghoul x9 cr 1 hp 18 fatigue 6 exhaustion 6
start
"""


@pytest.fixture
def columns(played: Played) -> Callable[[str], ColumnLayout]:
    """The columns of a narrow order among a crowd, after these commands."""

    def made(commands: str) -> ColumnLayout:
        fight = played(f"{ROAD}{commands}")
        wants = measure_rows(turn_order_rows(fight.state), fight.ruleset)
        return ColumnLayout(wants, fight.ruleset, NARROW, crowded=True)

    return made


async def test_a_crowd_has_bars_at_120_columns(played: Played, game_of: Play) -> None:
    """Sixteen, whose words stand beside their rows: from across the table a bar tells most."""
    fight = played(
        "add pc Mira hp 24 ac 2\nadd pc Brannoc hp 30 ac 4\n"
        'add monster "Bog Ghoul" x14 cr 2 hp 18 ac 2 fatigue 3 exhaustion 2\nstart\n'
        "damage bog-ghoul-3 8\ninflict bog-ghoul-4 restrained\ninflict bog-ghoul-4 prone"
    )
    async with game_of(fight, (120, 40)) as game:
        pane = game.screen.query_one(TurnOrderList)
        rows = [pane.render_line(y).text for y in range(pane.size.height)]
    ghouls = [row for row in rows if "Ghoul" in row.title()]
    assert len(ghouls) > 12 and all("▇" in row for row in ghouls), rows
    assert any("restrained" in row for row in rows), rows


@pytest.mark.parametrize("fight", FIGHTS)
async def test_every_sample_fight_has_bars_at_120_columns(
    sample: Sample, game_of: Play, fight: str
) -> None:
    """At every moment; the heads of the tracks beside give up letters for that: `Exh`."""
    encounter = sample(fight)
    states = encounter.history.states
    async with game_of(encounter, (120, 40)) as game:
        for seq in [*states][1 :: max(len(states) // LOOKS, 1)]:
            game.screen.look_at(seq)
            panes = await settled(game.pilot)
            rows = panes["initiative"].rows
            single = [row for row in rows if re.fullmatch(r"[^/]*[▲▼◈][^/]*\d/\d[^/]*", row)]
            assert single and [row for row in single if not re.search("[▇░]", row)] == []
            assert not any("…" in row.partition("/")[0] for row in single), "a name is cut"


def test_words_have_room_beside_a_crowd(columns: Callable[[str], ColumnLayout]) -> None:
    found = columns("")
    assert found.width - found.end >= FOR_WORDS


def test_no_column_moves_as_conditions_come(columns: Callable[[str], ColumnLayout]) -> None:
    several = "\n".join(f"inflict ghoul-{n} {name}" for n in (1, 2) for name in MUCH)
    before, after = columns(""), columns(several)
    assert (before.name, before.bar, before.columns) == (after.name, after.bar, after.columns)


def test_a_long_name_gives_way_to_words_while_enough_of_it_is_left(played: Played) -> None:
    fight = played(
        f'{ROAD}add monster "Sergeant Under the Drowned Stairs of Ash" hp 20\n'
        "inflict ghoul-1 weakened\n"
    )
    wants = measure_rows(turn_order_rows(fight.state), fight.ruleset)
    found = ColumnLayout(wants, fight.ruleset, NARROW, crowded=True)
    assert SOME_OF_A_NAME <= found.name < found.longest
    look = RowStyle(fight.state, fight.ruleset, styles_of(DARK))
    assert words_beside(look, fight.state["ghoul-1"], found).text == "weakened"


def test_words_without_room_give_up_which_one_it_is_then_their_ends(played: Played) -> None:
    fight = played(
        f'{ROAD}inflict brannoc prone\ninflict brannoc "song" note "the Long Hymn"\n'
        'inflict ghoul-1 "song" note "the Long Hymn"\n'
    )
    look = RowStyle(fight.state, fight.ruleset, styles_of(DARK))
    wants = measure_rows(turn_order_rows(fight.state), fight.ruleset)

    def beside(who: str, cells: int) -> str:
        found = ColumnLayout(wants, fight.ruleset, NARROW, crowded=True)
        found.end = found.width - cells
        return words_beside(look, fight.state[who], found).text

    assert beside("brannoc", 40) == "prone  song: the Long Hymn"
    assert beside("brannoc", 18) == "prone  song"
    assert beside("brannoc", 9) == "pr  so"
    assert beside("ghoul-1", 18) == "song"


def test_a_wide_order_has_whole_names_long_bars_and_words_beside(played: Played) -> None:
    fight = played(f'{ROAD}add monster "Warg of the Upper Sluices" x2 hp 9\n')
    wants = measure_rows(turn_order_rows(fight.state), fight.ruleset)
    found = ColumnLayout(wants, fight.ruleset, 150, crowded=False)
    assert found.name == found.longest and found.bar == MOST_OF_A_BAR
    assert found.width - found.end >= FOR_MANY_WORDS


def test_a_long_name_gives_way_to_marks_and_a_bar_but_no_further(played: Played) -> None:
    fight = played(f'{ROAD}add pc "Mira Underhallow-Thistlewick of Weir" hp 24')
    wants = measure_rows(turn_order_rows(fight.state), fight.ruleset)
    found = ColumnLayout(wants, fight.ruleset, NARROW + 2, crowded=False)
    assert found.bar and all(column.drawn for column in found.columns)
    assert ENOUGH_OF_A_NAME <= found.name < found.longest
    narrower = ColumnLayout(wants, fight.ruleset, NARROW - 18, crowded=False)
    assert not narrower.bar and narrower.name >= ENOUGH_OF_A_NAME - FOR_COUNT


SHIELDS = """
add pc Brannoc hp 30 ac 16
add monster Ghoul x2 group hp 22 ac 12
add monster Rat hp 2
init brannoc 20
init ghoul-1 12
init rat 3
start
"""


@pytest.mark.parametrize("width", [120, 80])
async def test_ac_has_a_column(played: Played, game_of: Play, width: int) -> None:
    """Also of a group, where all of it have the same."""
    fight = played(SHIELDS, ruleset="5e")
    async with game_of(fight, size=(width, 40)) as game:
        pane = game.screen.query_one(TurnOrderList)
        edge = pane.render_lines(pane.outer_size.region)[0].text
        rows = [pane.render_line(y).text for y in range(3)]
        right = edge.index("AC") + 1  # the frame has one cell before the rows
        assert [row[:right].split()[-1] for row in rows] == ["16", "12", "10"]


async def test_the_column_of_ac_follows_what_lasts(played: Played, game_of: Play) -> None:
    fight = played("add pc Brannoc hp 30 ac 2\nstart")
    async with game_of(fight, size=(120, 40)) as game:
        pane = game.screen.query_one(TurnOrderList)
        before = pane.render_line(0).text
        assert game.screen.run_command("ongoing brannoc +2 ac until fight")
        await game.pilot.pause()
        after = pane.render_line(0).text
        assert [row.partition("BRANNOC")[2].split()[0] for row in (before, after)] == ["2", "4"]


async def test_no_column_stands_for_marks_that_nobody_has(played: Played, game_of: Play) -> None:
    """5e's exhaustion; the tracks of Monsters & Magic always stand, as they are the game."""
    fight = played(SHIELDS, ruleset="5e")
    async with game_of(fight, size=(80, 24)) as game:
        pane = game.screen.query_one(TurnOrderList)
        assert "Exh" not in pane.render_lines(pane.outer_size.region)[0].text
        assert game.screen.run_command("mark brannoc exhaustion 1")
        await game.pilot.pause()
        assert "Exh" in pane.render_lines(pane.outer_size.region)[0].text


async def test_where_rows_are_few_a_row_tells_what_lasts_on_one_before_another_has_two(
    played: Played, game_of: Play
) -> None:
    """Whoever is up has all of it."""
    lasts = "\n".join(f"inflict {who} {what}" for who in (1, 2, 3, 4, 9) for what in MUCH)
    async with game_of(played(f"{ROAD}{lasts}"), (120, 40)) as game:
        await settled(game.pilot)
        pane = game.screen.query_one(TurnOrderList)
        rows = [pane.render_line(y).text.strip() for y in range(pane.size.height)]
    told = [row for row in rows if "prone" in row]
    assert rows[1:3] == ["prone · slowed · impaired · blinded · sundered", "doomed"], rows
    assert "GHOUL 2" in rows[0] and len(told) == 5
    assert told[2:] == ["prone  slowed  impaired  blinded  sundered …1"] * 3


def test_a_modifier_is_shown_by_its_name_where_its_numbers_have_no_room(played: Played) -> None:
    fight = played(f"{ROAD}ongoing brannoc -2 ac the chain\ninflict brannoc prone")
    brannoc, look = fight.state["brannoc"], RowStyle(fight.state, fight.ruleset, styles_of(DARK))
    assert words_within(look, brannoc, 18).text == "prone  the chain"
    assert words_within(look, brannoc, 40).text == "prone  the chain −2 ac"

"""The order as it is read from across the table: AC, who concentrates on what, who can't act."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.tui.seen import SeenPane
from tests.tui.test_nothing_lost import settled

from affray.core.engine.state import Track
from affray.store.open_encounter import OpenEncounter
from affray.tui.drawing import health_style
from affray.tui.theme import DARK, styles_of
from affray.tui.widgets.header_footer import Header

Played = Callable[..., OpenEncounter]
Play = Callable[..., Any]
SMALL = (80, 24)

LANTERN = """
add pc Pell hp 24 ac 3
add pc Ilse hp 22 ac 1 spells Sleep
add pc Oswin hp 34 ac 5
add monster "Bog Ghoul" x2 cr 2 hp 18 ac 2 fatigue 3 exhaustion 2
add monster "Lantern Wisp" x4 cr 1 hp 8 ac 0 fatigue 2 exhaustion 1
add pc Bramble hp 16 ac 1
init ilse 30
start
concentrate "Sleep"
next
inflict bog-ghoul-2 slowed concentrating "Sleep" by ilse
inflict ilse frightened from bog-ghoul-2
inflict bog-ghoul-1 restrained
"""
BRIDGE = """
add pc Wick hp 39 ac 18 recoveries 9
add monster "Toll Keeper" x12 hp 40 ac 17 important
start
inflict wick persistent 5 fire
inflict wick slowed save-ends
"""
DRAKE = """
add pc Mira hp 30 ac 13
add monster "Ash Ghoul" x3 hp 22 ac 12
add monster Passenger hp 60 ac 16 hidden
add hazard World
start
inflict ash-ghoul-1 paralyzed
inflict world "stormy"
inflict world "drowned bells"
"""


async def _panes(played: Played, game_of: Play, commands: str, ruleset: str) -> dict[str, SeenPane]:
    async with game_of(played(commands, ruleset=ruleset), SMALL) as game:
        return await settled(game.pilot)


def _row(panes: dict[str, SeenPane], name: str) -> str:
    rows = panes["initiative"].rows
    return next(row for row in rows if name in row.casefold()).rstrip()


async def test_at_80_columns_a_row_has_ac_and_begins_with_what_its_bearer_concentrates_on(
    played: Played, game_of: Play
) -> None:
    panes = await _panes(played, game_of, LANTERN, "monsters-and-magic")
    edge = panes["initiative"].edges[0]
    assert "# Initiative " in edge and " AC  AP  R  HP " in edge
    assert "  1  ••◦ ◆  22/22" in _row(panes, "ilse")
    assert _row(panes, "ilse").endswith("◉ Sleep  frightened")


async def test_at_80_columns_ac_has_room_beside_all_that_is_counted_and_names_of_what_lasts(
    played: Played, game_of: Play
) -> None:
    """Monsters & Magic among ten, with temporary HP, both tracks and the penalty: a GM asks for AC
    whenever somebody strikes."""
    crowd = (
        f'add monster "Mud Eel" x4 cr 2 hp 46 ac 3{LANTERN}temp pell 4\n'
        "mark oswin exhaustion 2\ninflict oswin sundered\ninflict oswin slowed"
    )
    panes = await _panes(played, game_of, crowd, "monsters-and-magic")
    assert " AC  AP  R  HP ─── tmp Fat Exh  Roll ─" in panes["initiative"].edges[0]
    assert _row(panes, "pell").split()[3:8] == ["Pell", "3", "●●●", "◆", "24/24"]
    assert _row(panes, "oswin").endswith(" 0/5 2/5◀ −1  sundered  slowed")


async def test_who_cannot_act_has_a_dash_in_place_of_what_acts(
    played: Played, game_of: Play
) -> None:
    panes = await _panes(played, game_of, LANTERN, "monsters-and-magic")
    assert "  2  –   ◆  18/18" in _row(panes, "bog ghoul 1")
    panes = await _panes(played, game_of, DRAKE, "5e")
    assert " 12  ––  –  22/22" in _row(panes, "ash ghoul 1")


async def test_letters_of_a_turn_and_the_reaction_have_labels_above(
    played: Played, game_of: Play
) -> None:
    edge = (await _panes(played, game_of, DRAKE, "5e"))["initiative"].edges[0]
    row = _row(await _panes(played, game_of, DRAKE, "5e"), "mira")
    assert " AC  Act R  HP " in edge
    assert edge.index(" R ") == row.index(" ◆ ") + edge.index("#") - 2  # the frame, its blank


async def test_beside_a_crowd_damage_that_comes_back_keeps_its_number(
    played: Played, game_of: Play
) -> None:
    row = _row(await _panes(played, game_of, BRIDGE, "orcus"), "wick")
    assert row.endswith("persistent 5 fire  slowed") or row.endswith("5 fire  slowed"), row


async def test_a_row_without_tracks_says_what_lasts_behind_its_name(
    played: Played, game_of: Play
) -> None:
    assert _row(await _panes(played, game_of, DRAKE, "5e"), "world").endswith(
        "stormy  drowned bells"
    )


async def test_who_is_hidden_from_the_players_is_called_so(played: Played, game_of: Play) -> None:
    row = _row(await _panes(played, game_of, DRAKE, "5e"), "passenger")
    assert "?▼" in row and row.endswith("hidden from players")


@pytest.mark.parametrize(
    ("title", "size", "shown"),
    [
        ("The Bed of the Drake", (80, 24), " The Bed of the Drake   "),
        ("The Bed of the Drake", (120, 40), " affray  The Bed of the Drake   "),
        ("The Long Night at the Frozen Conservatory", (80, 24), " The Long Night at the F"),
    ],
)
async def test_what_is_saved_is_told_in_brief_before_the_title_is_cut(
    played: Played, game_of: Play, title: str, size: tuple[int, int], shown: str
) -> None:
    async with game_of(played(DRAKE, title, "5e"), size) as game:
        row = game.row(Header)
    assert row.startswith(shown), row
    assert row.rstrip().endswith("saved ✓  entry 8" if size[0] > 80 else "  ✓ 8"), row


async def test_the_frame_names_the_worst_hurt_in_brief_rather_than_cut(
    played: Played, game_of: Play
) -> None:
    hurt = 'add pc "Sister Alder of Weir" hp 30 ac 2\nset sister-alder-of-weir hp 3'
    fight = played(f"{LANTERN}{hurt}\nmark sister-alder-of-weir fatigue 1")
    async with game_of(fight, SMALL) as game:
        aside = (await settled(game.pilot))["initiative"].edges[1]
    assert "◀ hurt Sister Alder of Weir 3/30, worn Sister" in aside, aside


@pytest.mark.parametrize(
    ("value", "ink"), [(30, "good"), (29, "good"), (20, "warn"), (10, "bad"), (0, "bad")]
)
def test_full_hp_is_as_green_as_nearly_full(value: int, ink: str) -> None:
    """Gray looks like what can't be used."""
    inks = styles_of(DARK)
    assert health_style(Track(value, 30), inks) is getattr(inks, ink)

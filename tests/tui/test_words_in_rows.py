"""What lasts, in the words that game masters say: who sings what, who holds whom, what it is
called; and what a creature can still turn away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.tui.seen import SeenPane
from tests.tui.test_nothing_lost import settled

from affray.store.open_encounter import OpenEncounter

Played = Callable[..., OpenEncounter]
Play = Callable[..., Any]
SMALL, USUAL, LARGE = (80, 24), (120, 40), (200, 60)

DRAKE = """
add pc Mira hp 30 ac 13 str 3
add pc Odo hp 24 ac 16 level 4 pb 2 wis 3 spells Bless
add monster Drake hp 90 ac 15 legendary 3 legendary-resistance 2
init mira 20
init odo 10
init drake 5
start
"""
SCHOOL = """
add pc Ione hp 36 ac 15 performance 7 spirit 5
add monster "Glass Vine" size large hp 42 ac 11 strength 9
init ione 12
init glass-vine 5
start
"""
KILN = """
add pc Maud hp 36 ac 16 power "Smoke Wall" at-will standard
add monster Slipworm hp 58 ac 17
init maud 20
init slipworm 5
start
"""


LONG = 'inflict maud "wading through the warm clay of the kiln" until "she is out of the clay"'


async def panes_of(
    played: Played, game_of: Play, commands: str, ruleset: str, size: tuple[int, int]
) -> dict[str, SeenPane]:
    async with game_of(played(commands, ruleset=ruleset), size) as game:
        return await settled(game.pilot)


async def told_of(name: str, *fight: Any) -> str:
    """What the order tells of somebody, in the row and below it."""
    rows = (await panes_of(*fight))["initiative"].rows
    at = next(n for n, row in enumerate(rows) if name in row.casefold())
    below = next((n for n, row in enumerate(rows) if n > at and not row[:9].isspace()), None)
    return " ".join(" ".join(rows[at:below]).split())


@pytest.mark.parametrize("size", [SMALL, USUAL, LARGE])
async def test_dice_from_a_spell_have_its_name(
    played: Played, game_of: Play, size: tuple[int, int]
) -> None:
    """5e, Bless: `modifier 1d4` told which die, and not of what."""
    fight = f'{DRAKE}modifier mira 1d4 attack,save until fight "Bless"'
    told = await told_of("mira", played, game_of, fight, "5e", size)
    assert "Bless +1d4 attack and save" in told and "modifier" not in told


async def test_dice_without_a_name_say_for_which_rolls_they_are(
    played: Played, game_of: Play
) -> None:
    fight = f"{DRAKE}modifier mira -1d4 attack until fight"
    told = await told_of("mira", played, game_of, fight, "5e", LARGE)
    assert "modifier −1d4 attack" in told


@pytest.mark.parametrize("size", [SMALL, USUAL, LARGE])
@pytest.mark.parametrize(
    ("ruleset", "fight", "bearer", "holder"),
    [
        ("adventure-school", f"{SCHOOL}inflict ione grabbed from glass-vine", "ione", "Glass Vine"),
        ("orcus", f"{KILN}inflict maud grappled from slipworm", "maud", "Slipworm"),
        ("5e", f"{DRAKE}inflict mira frightened from drake", "mira", "Drake"),
    ],
)
async def test_a_hold_or_a_fear_says_by_whom(
    played: Played,
    game_of: Play,
    ruleset: str,
    fight: str,
    bearer: str,
    holder: str,
    size: tuple[int, int],
) -> None:
    word = fight.split()[-3]
    told = await told_of(bearer, played, game_of, fight, ruleset, size)
    assert f"{word} by {holder}" in told


async def test_what_one_lays_on_oneself_is_by_nobody(played: Played, game_of: Play) -> None:
    fight = f"{DRAKE}inflict mira frightened from mira"
    assert " by " not in await told_of("mira", played, game_of, fight, "5e", LARGE)


async def test_a_song_and_a_zone_are_told_as_one_says_it(played: Played, game_of: Play) -> None:
    """`Ione song (Marching)` was read as a song about Ione."""
    fight = f'{SCHOOL}song "Marching" pass +1 check by ione'
    panes = await panes_of(played, game_of, fight, "adventure-school", USUAL)
    assert "Ione sings Marching" in " ".join(panes["timers"].text.split())
    assert "song" not in await told_of("ione", played, game_of, fight, "adventure-school", USUAL)


@pytest.mark.parametrize("size", [SMALL, USUAL, LARGE])
async def test_a_row_has_what_is_left_of_legendary_resistance_and_actions(
    played: Played, game_of: Play, size: tuple[int, int]
) -> None:
    """Behind what lasts, in everybody's turn; of nobody who has none."""
    fight = f"{DRAKE}set drake legendary-resistance 1\ninflict drake prone"
    told = await told_of("drake", played, game_of, fight, "5e", size)
    assert "prone" in told.partition("LR ●○")[0] and "Lg ●●●" in told
    assert "LR" not in await told_of("mira", played, game_of, fight, "5e", size)


async def test_ends_stand_below_a_row_of_a_large_window_that_has_no_room_for_them(
    played: Played, game_of: Play
) -> None:
    fight = KILN + LONG
    told = await told_of("maud", played, game_of, fight, "orcus", LARGE)
    assert told.endswith("wading through the warm clay of the kiln until she is out of the clay")


async def test_a_hold_stands_before_what_the_bar_of_hp_tells(played: Played, game_of: Play) -> None:
    """Where one effect has room, being staggered is seen by half a bar; a hold is not."""
    fight = f"{KILN}damage maud 20\ninflict maud grappled from slipworm"
    told = await told_of("maud", played, game_of, fight, "orcus", USUAL)
    assert told.index("grappled by Slipworm") < told.index("½ staggered")


async def test_where_concentration_has_no_room_in_words_its_mark_stands(
    sample: Played, game_of: Play
) -> None:
    """The row of Corvane, who is unconscious and prone, has but one cell left for it."""
    fight = sample("salt-stair/encounters/the-bell-in-the-gale.toml")
    async with game_of(fight, SMALL) as game:
        rows = (await settled(game.pilot))["initiative"].rows
    assert any("Corvane" in row and row.endswith("unconscious  prone  ◉") for row in rows)


async def test_a_row_says_once_that_somebody_is_dying(played: Played, game_of: Play) -> None:
    """Orcus: the condition has the word that stands where the actions would."""
    told = await told_of("maud", played, game_of, f"{KILN}damage maud 40", "orcus", USUAL)
    assert told.count("dying") == 1 and "unconscious" in told

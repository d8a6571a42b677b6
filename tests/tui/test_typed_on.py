"""Fingers are ahead of eyes: what is typed on for a prompt that isn't there changes nothing, and
the end of a turn takes no player's die at the first press."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import pairwise
from typing import Any, TypeGuard

import pytest
from tests.fuzz.fights import ENCOUNTERS, fight_at
from tests.tui.conftest import Game
from textual.events import Key

from affray.core.dice import StubDice
from affray.core.engine.events import Rolled
from affray.store.open_encounter import OpenEncounter
from affray.tui.app import AffrayApp
from affray.tui.screens.fight_prompts import PAUSE, TypedOn
from affray.tui.widgets.prompt import PromptWidget

Opened = Callable[..., Any]
Played = Callable[..., OpenEncounter]

POWER = """
add pc Mira hp 24 ac 14 level 3 pb 2 attack rapier +5 1d8+3 piercing power Moonflare bonus
add pc Garrow hp 30 ac 15 level 3 pb 2
add monster Wrecker hp 22 ac 12 hit-dice 5
init mira 17
init garrow 15
init wrecker 5
start
"""
ALONE = """
add pc Wren hp 30 ac 15 fort 14 ref 14 will 14 init 2 recoveries 6
add monster Fox hp 20 ac 14 companion wren attack Bite +5 vs ac 1d8+2
add monster Goblin hp 20 ac 14 fort 12 ref 13 will 11 init 2 attack Spear +5 vs ac 1d8+2
init wren 20
init goblin 3
start
"""


def entries(game: Game) -> int:
    return len(game.encounter.history.entries)


# -- behind a refused key --------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(120, 40), (80, 24)])
@pytest.mark.parametrize("typed_on", ["10n18↵", "3s8↵", "3 s 8↵", "mjk0↵", "2uES↵"])
async def test_what_is_typed_on_for_a_refused_strike_changes_nothing(
    fight: OpenEncounter, game_of: Opened, size: tuple[int, int], typed_on: str
) -> None:
    fight.do("set brannoc ap 0")
    async with game_of(fight, size) as game:
        before = entries(game)
        await game.type(f"s{typed_on}")
        assert (entries(game), fight.state.turn) == (before, "brannoc")
        assert (game.screen.cursor, game.line.bar) == ("brannoc", None)
        assert "Strike: 0 AP left" in game.row(PromptWidget)
        await game.type_on(" ")  # the enter was the last of it
        assert fight.state.turn == "mira"


@pytest.mark.parametrize("leave", ["escape", "pause"])
async def test_keys_act_again_after_esc_or_a_pause(
    fight: OpenEncounter, game_of: Opened, leave: str
) -> None:
    fight.do("set brannoc ap 0")
    async with game_of(fight) as game:
        await game.type("s3")
        assert game.screen.cursor == "brannoc"
        if leave == "pause":
            game.pause()
        else:
            await game.type_on("⎋")
            assert not game.line.is_open
        await game.type_on("3")
        assert game.screen.cursor == "ghoul-1"


async def test_each_key_that_is_typed_on_begins_the_pause_anew(
    fight: OpenEncounter, game_of: Opened
) -> None:
    fight.do("set brannoc ap 0")
    async with game_of(fight) as game:
        await game.type("s")
        for _ in range(5):
            game.pause(PAUSE * 0.9)
            await game.type_on(" ")
        assert fight.state.turn == "brannoc"


def test_keys_that_no_answer_has_are_never_swallowed() -> None:
    for key in ("ctrl+q", "ctrl+u", "f1"):
        typed_on = TypedOn(lambda: 0.0)
        typed_on.begin()
        assert not typed_on.swallows(key) and not typed_on.swallows("s")


async def test_a_click_is_no_key_that_was_typed_on(fight: OpenEncounter, game_of: Opened) -> None:
    fight.do("set brannoc ap 0")
    async with game_of(fight) as game:
        await game.type("s")
        game.screen.on_combatant_clicked(type("Pointed", (), {"who": "mira"})())
        assert game.screen.cursor == "mira"


async def test_what_is_typed_on_for_a_refused_command_without_a_prompt_does_nothing(
    fight: OpenEncounter, game_of: Opened
) -> None:
    fight.do("set brannoc ap 0")
    async with game_of(fight) as game:
        before = entries(game)
        await game.type("d 3s8↵")
        assert (entries(game), fight.state.turn) == (before, "brannoc")


async def test_behind_a_companion_that_nobody_commands_nothing_is_typed_on(
    played: Played, game_of: Opened
) -> None:
    """Orcus, a companion acts on command."""
    fight = played(ALONE, ruleset="orcus")
    async with game_of(fight) as game:
        game.screen.put_cursor("fox")
        before = entries(game)
        await game.type("sn13↵")
        assert (entries(game), fight.state.turn) == (before, "wren")


# -- behind what was over sooner -------------------------------------------------------------------


async def test_the_only_power_is_not_used_up_by_the_enter_that_takes_it(
    played: Played, game_of: Opened
) -> None:
    fight = played(POWER, ruleset="level-up")
    async with game_of(fight) as game:
        used = entries(game)
        await game.type("p↵")
        assert game.line.is_open and entries(game) == used
        await game.type("3")
        assert game.line.prompt.line == 'power "Moonflare" wrecker'


async def test_what_is_typed_on_for_a_power_that_was_used_at_once_changes_nothing(
    played: Played, game_of: Opened
) -> None:
    fight = played(POWER, ruleset="level-up")
    async with game_of(fight) as game:
        await game.type("p↵↵")
        used = entries(game)
        await game.type_on("3n15s8 ↵")
        assert (entries(game), fight.state.turn, game.screen.cursor) == (used, "mira", "mira")
        assert not game.line.is_open
        await game.type(" ")
        assert fight.state.turn == "garrow"


@pytest.mark.parametrize("key", ["+", "-", " ", "c", "?"])
async def test_a_key_that_answers_nothing_in_its_prompt_acts_at_once(
    played: Played, game_of: Opened, key: str
) -> None:
    """A second wind, and `+` right behind it for what it heals."""
    fight = played(POWER, ruleset="level-up")
    async with game_of(fight) as game:
        await game.type("p↵↵")
        await game.type_on(key)
        opened = game.line.is_open or game.screen.sheet_pane.sheet is not None
        assert opened or fight.state.turn == "garrow"


@pytest.mark.parametrize("named", ["Oveil↵", "Rrope↵", "Ulamp↵"])
async def test_behind_a_name_that_only_tab_goes_on_from_the_next_act_comes_at_once(
    fight: OpenEncounter, game_of: Opened, named: str
) -> None:
    """Monsters & Magic, Concentrate, Retrieve Item, Use Item."""
    async with game_of(fight) as game:
        await game.type(named)
        assert not game.line.is_open
        await game.type_on("s3s8↵")
        assert game.last == "strike ghoul-1 strong 8"


async def test_behind_a_strike_the_next_turn_comes_at_once(
    fight: OpenEncounter, game_of: Opened
) -> None:
    async with game_of(fight) as game:
        await game.type("s3s8↵ ")
        assert fight.state.turn == "mira"
        await game.type("s3m ")
        assert fight.state.turn == "ghoul-1"


# -- the old key of the next turn ------------------------------------------------------------------


async def test_n_ends_no_turn_and_does_the_last_act_again(
    fight: OpenEncounter, game_of: Opened
) -> None:
    async with game_of(fight) as game:
        await game.type("n15↵")
        assert game.said == "Brannoc has done nothing recently to repeat"
        assert (fight.state.turn, game.screen.cursor) == ("brannoc", "brannoc")
        await game.type("⎋s3s8↵")
        await game.type("n")
        assert "again" in game.row(PromptWidget)
        assert fight.state.turn == "brannoc"


# -- nobody's die is taken -------------------------------------------------------------------------

SLIPPING = """
add pc Mira hp 24 ac 3 power 0 cunning 1 focus 2 luck 1 pb 2
add monster "Peat Ogre" cr 3 hp 40 ac 2
add monster Horse side party hp 16 ac 1 speed 50 size large trained
init mira 17
init peat-ogre 12
init horse 3
start
mount horse by mira
next
next
inflict mira prone
"""


async def test_a_riders_save_in_anothers_turn_is_asked_before_it_is_rolled(
    played: Played, game_of: Opened
) -> None:
    """Monsters & Magic, Mounts: whoever is knocked prone saves to stay mounted."""
    fight = played(SLIPPING)
    assert fight.state.turn == "peat-ogre"
    async with game_of(fight) as game:
        before = entries(game)
        await game.type(" ")
        assert entries(game) == before
        assert "Mira saves to stay mounted" in game.row(PromptWidget)
        await game.type(" ")
        assert fight.state.turn == "peat-ogre"
        await game.type("r ")
        assert fight.state.turn != "peat-ogre"


@pytest.mark.parametrize("name", ENCOUNTERS)
def test_no_characters_d20_is_rolled_by_a_turns_end_that_was_not_asked_for_before(
    name: str,
) -> None:
    """Before each turn's end of the samples: whoever would be rolled for is asked first."""
    history = fight_at(name, 10**9).history
    for before, seq in pairwise(history.path):
        if history.entries[seq].verb != "next":
            continue
        fight = fight_at(name, before)
        rolls = [e for e in fight.preview("next", StubDice(high=True)).events if is_d20(e)]
        own = {e.who for e in rolls if fight.state[e.who].kind == "pc"}
        assert own <= {each.who for each in fight.asked_before_end()}, before


def is_d20(event: object) -> TypeGuard[Rolled]:
    return isinstance(event, Rolled) and event.natural is not None and not event.by_hand


# -- in bursts -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "keys",
    [
        ("ctrl+p", "u", "n", "d", "o", "enter", "enter"),
        ("ctrl+p", "enter", "enter"),
        ("ctrl+p", "pageup"),
        ("ctrl+o", "enter", "ctrl+o", "enter", "ctrl+o", "enter"),
        ("ctrl+o", "ctrl+o", "ctrl+o", "?", "escape"),
        ("ctrl+t", "escape", "ctrl+t", "q", "ctrl+d", "escape"),
        ("ctrl+q", "s", "3", "enter"),
    ],
    ids=" ".join,
)
async def test_keys_in_one_burst_end_nothing(fight: OpenEncounter, keys: tuple[str, ...]) -> None:
    app = AffrayApp(fight)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        for key in keys:
            app.post_message(Key(key, key if len(key) == 1 else None))
        while app.is_running and (app.message_queue_size or app.one_by_one.is_busy):
            await asyncio.sleep(0)
        await pilot.pause()

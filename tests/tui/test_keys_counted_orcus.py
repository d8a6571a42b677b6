"""How many keys the frequent things of an Orcus fight take."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.tui.hands import takes_so_many_keys

from affray.store.open_encounter import OpenEncounter
from affray.tui.widgets.prompt import PromptWidget
from affray.tui.widgets.turn_summary import TurnSummaryPane

MORE = """\
add monster Ogre hp 60 ac 15 init 1 attack Club +6 vs ac 2d6 \
attack "Thrown Rock" +4 vs ac 1d10 ranged
init ogre 2
"""
OGRE_UP = f"{MORE}next\nnext\nnext\nnext\nnext\n"
DYING = "damage mira 33\n"
Play = Callable[..., Any]


@pytest.fixture
def play(stair: Callable[..., OpenEncounter], game_of: Callable[..., Any]) -> Play:
    """Brannoc (1), Mira (2), Goblin 1 (3), Goblin 2 (4), Goblin Hexer (5); Brannoc is up."""

    def open_(more: str = "") -> Any:
        return game_of(stair(more), (80, 24))

    return open_


COUNTED = {
    "a character's hit": (5, "", "s3h8↵", "attack goblin-1 hit 8"),
    "a miss": (3, "", "s3m", "attack goblin-1 miss"),
    "a monster's attack": (3, OGRE_UP, "s2↵", "attack mira roll"),
    "its other attack": (4, OGRE_UP, "s2T↵", 'attack mira roll with "Thrown Rock"'),
    "an attack with combat advantage": (6, "", "s3Ah8↵", "attack goblin-1 hit 8 advantage"),
    "a condition that a save ends": (7, "", "c3da⇥s↵", "inflict goblin-1 dazed save-ends"),
    "a condition until the start of Mira": (
        8, "", "c3da⇥a2↵", "inflict goblin-1 dazed until start of mira",
    ),
    "a condition until the end of the target's turn": (
        7, "", "c3da⇥t↵", "inflict goblin-1 dazed target-end",
    ),
    "a condition on all foes": (
        7, "", "cFda⇥s↵", "inflict goblin-1,goblin-2,goblin-hexer dazed save-ends",
    ),
    "a burst at three, one of them missed": (
        12, "", "pfi⇥3-5hmh9↵", 'power "Fire Burst" goblin-1,goblin-2,goblin-hexer hit,miss,hit 9',
    ),
    "somebody else's saving throw": (
        4, "inflict mira dazed save ends\n", "T2s↵", "save mira dazed success",
    ),
    "one that failed": (3, "inflict mira dazed save ends\n", "T2f", "save mira dazed failure"),
    "the HP of somebody else": (6, "", "Q3hp7↵", "set goblin-1 hp 7"),
    "temporary HP for the party": (4, "", "Hp5↵", "temp brannoc,mira 5"),
}  # fmt: skip


@pytest.mark.parametrize("what", COUNTED)
async def test_what_is_done_often_takes_so_many_keys(play: Play, what: str) -> None:
    await takes_so_many_keys(play, COUNTED[what])


@pytest.mark.parametrize("letters", ["s", "save", "save-ends"])
async def test_a_word_that_is_written_out_is_that_word(play: Play, letters: str) -> None:
    async with play() as game:
        await game.type(f"c3da⇥{letters}")
        assert game.line.prompt.line == "inflict goblin-1 dazed save-ends"


async def test_the_outcomes_of_several_stand_beside_their_names(play: Play) -> None:
    async with play() as game:
        await game.type("pfi⇥3-5h")
        assert "Goblin 1 hit  Goblin 2 ?" in game.row(PromptWidget)


async def test_of_several_targets_each_has_its_own_defence(play: Play) -> None:
    """Reflex 13, 13 and 14, and then that of whom it is asked for."""
    async with play() as game:
        await game.type("pfi⇥3-5⇥")
        assert "against 13, 13, 14" in game.row(PromptWidget)
        await game.type("hh")
        assert "against 14" in game.row(PromptWidget)


async def test_a_command_goes_to_ones_own_companion_first(play: Play) -> None:
    async with play("add pc Hesper hp 20\nadd monster Ash hp 9 companion of brannoc\n") as game:
        await game.type(";cc↵s")
        assert game.line.prompt.line == "command ash standard"


@pytest.mark.parametrize("more", "+,")
async def test_behind_a_type_of_damage_goes_on_damage_of_another(play: Play, more: str) -> None:
    async with play() as game:
        await game.type(f"s3h8fi{more}")
        assert "8 fire + " in game.row(PromptWidget) and not game.line.prompt.complete
        await game.type("4c")
        assert "Goblin 1 −12 HP, 8 left (8 fire and 4 cold)" in game.row(PromptWidget, 1)
        await game.type("<backspace><backspace><backspace>")
        assert "Goblin 1 −8 HP, 12 left (8 fire)" in game.row(PromptWidget, 1)
        await game.type(f"{more}4c↵")
        assert game.last == "attack goblin-1 hit 8 fire 4 cold"
        assert game.who("goblin-1").track("hp") == 8
        await game.type("<ctrl+e><tab>")
        assert "8 fire + 4 cold" in game.row(PromptWidget)
        await game.type("<backspace>" * 5 + "5c↵")
        assert game.last == "attack goblin-1 hit 8 fire 5 cold"


async def test_a_saving_throw_succeeds_or_fails_and_hits_nobody(play: Play) -> None:
    async with play("inflict mira dazed save ends") as game:
        await game.type("T2")
        row = game.row(PromptWidget)
        assert "s success  f fail" in row and "hit" not in row
        await game.type("h")
        assert "h is no answer" in game.row(PromptWidget, 1)


async def test_a_power_is_asked_again_with_one_miss_less(play: Play) -> None:
    async with play() as game:
        await game.type("pfi⇥3-5hmh9↵")
        await game.type("<ctrl+e>hhh↵")
        command = 'power "Fire Burst" goblin-1,goblin-2,goblin-hexer hit,hit,hit 9'
        assert game.last == command
        assert game.who("goblin-2").track("hp") == 20 - 9


async def test_an_attack_is_asked_again_with_advantage_after_all(play: Play) -> None:
    async with play() as game:
        await game.type("s3n12 8↵")
        assert game.last == "attack goblin-1 natural 12 8"
        await game.type("<ctrl+e>A↵")
        assert game.last == "attack goblin-1 natural 12 8 advantage"
        entries = game.encounter.history.entries
        assert entries[game.encounter.history.last - 1].command == "undo 1"


async def test_an_action_that_is_there_again_is_not_named_as_spent(
    stair: Callable[..., OpenEncounter], game_of: Callable[..., Any]
) -> None:
    """Orcus, Action Points. And none left is said as 0."""
    fight = stair("attack goblin-1 miss\naction-point\n")
    async with game_of(fight, (120, 40)) as game:
        rows = [game.row(TurnSummaryPane, y) for y in range(8)]
        (standard,) = [row for row in rows if "Standard" in row]
        assert "left, after" in standard
        assert any("Action points 0" in row for row in rows), rows

"""An area by keys: whom, each one's save, the damage once; one act with its price."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.tui.test_more import offered

from affray.tui.widgets.prompt import PromptWidget

Play = Callable[..., Any]

MONSTERS_AND_MAGIC = """
add pc Mira hp 24 ac 2 power 0 cunning 3 focus 2 luck 2 pb 1 \
attack burst 3d6 fire spell save cunning dc 13 half attack spark 1d6 fire spell
add pc Odo hp 24 ac 2 power 0 cunning 3 focus 2 luck 2 pb 1
add monster Ghoul x3 cr 2 hp 38 ac 2 fatigue 3 exhaustion 2 attack bite 1d8 \
attack "Rot Breath" 4d6 acid natural save power dc 12 half powers "Rot Breath" ap 2
init mira 18
init odo 15
init ghoul-1 10
init ghoul-2 9
init ghoul-3 8
start
"""
GHOUL_UP = f"{MONSTERS_AND_MAGIC}next\nnext\n"
FIFTH = """
add pc Sefa hp 24 ac 12 int 4 pb 3 spell 7 spell-dc 15 slots 4,3,2 spells Fireball
add pc Odo hp 30 ac 14 dex 1 pb 3
add pc Pell hp 30 ac 14 dex 1 pb 3
add monster Goblin x8 hp 7 ac 15 dex 2
add monster Hound side others hp 60 ac 15 power "Fire Breath" save dex dc 14 6d6 fire half
init sefa 18
init hound 17
init odo 15
init pell 14
init goblin-1,goblin-2,goblin-3,goblin-4,goblin-5,goblin-6,goblin-7,goblin-8 8
start
"""
GOBLINS = ",".join(f"goblin-{number}" for number in range(1, 9))
GHOULS = "ghoul-1,ghoul-2,ghoul-3"
OURS = "monsters-and-magic"
AN_AREA = {
    "a known spell at three, each save called": (
        11, OURS, MONSTERS_AND_MAGIC, "Cbu↵Fmws12↵",
        f'cast "burst" at {GHOULS} miss,weak,strong 12',
    ),
    "... with its price": (
        13, OURS, MONSTERS_AND_MAGIC, "Cbu⇥2⇥Fmws12↵",
        f'cast "burst" ap 2 at {GHOULS} miss,weak,strong 12',
    ),
    "... their dice as they lie": (
        15, OURS, MONSTERS_AND_MAGIC, "Cbu↵F9,14,2⇥12↵",
        f'cast "burst" at {GHOULS} natural 9,14,2 12',
    ),
    "... their saves rolled": (
        9, OURS, MONSTERS_AND_MAGIC, "Cbu↵F↵12↵", f'cast "burst" at {GHOULS} roll 12',
    ),
    "... all of them missed": (
        9, OURS, MONSTERS_AND_MAGIC, "Cbu↵Fm12↵", f'cast "burst" at {GHOULS} miss 12',
    ),
    "... none of them": (
        7, OURS, MONSTERS_AND_MAGIC, "Cbu↵Fs↵", f'cast "burst" at {GHOULS} strong',
    ),
    "a spell of no sheet, with its price, its save and half": (
        17, OURS, MONSTERS_AND_MAGIC, "Cice⇥2⇥FScHmws12↵",
        f'cast "ice" ap 2 at {GHOULS} miss,weak,strong 12 half save cunning',
    ),
    "a player's save is left to them": (
        11, OURS, MONSTERS_AND_MAGIC, "Cbu↵2,3↵12↵", 'cast "burst" at odo,ghoul-1 12',
    ),
    "a monster's breath on two players": (
        5, OURS, GHOUL_UP, "p1,2↵", 'power "Rot Breath" at mira,odo',
    ),
    "... their saves called": (
        9, OURS, GHOUL_UP, "p1,2ws20↵", 'power "Rot Breath" at mira,odo weak,strong 20',
    ),
    "an attack at one, as ever": (
        9, OURS, MONSTERS_AND_MAGIC, "Csp⇥⇥3s4↵", 'cast "spark" at ghoul-1 strong 4',
    ),
    "a fireball on eight, their saves rolled": (
        11, "5e", FIFTH, "Cf⇥4-11↵28↵", f'cast "Fireball" at {GOBLINS} roll 28',
    ),
    "a fireball on eight, each save called": (
        18, "5e", FIFTH, "Cf⇥4-11ffsffsff28↵",
        f'cast "Fireball" at {GOBLINS} failure,failure,success,failure,failure,success,'
        "failure,failure 28",
    ),
    "a breath on two": (
        5, "5e", f"{FIFTH}next\n", "p2,3↵", 'power "Fire Breath" odo,pell',
    ),
    "a breath on two, called": (
        9, "5e", f"{FIFTH}next\n", "p2,3sf20↵", 'power "Fire Breath" odo,pell success,failure 20',
    ),
}  # fmt: skip


@pytest.fixture
def play_area(played: Play, game_of: Play) -> Play:
    return lambda fight, game=OURS: game_of(played(fight, ruleset=game), (120, 40))


@pytest.mark.parametrize("what", AN_AREA)
async def test_an_area_is_one_act_of_so_many_keys(play_area: Play, what: str) -> None:
    count, game, fight, keys, command = AN_AREA[what]
    assert len(keys) == count
    async with play_area(fight, game) as screen:
        before = len(screen.encounter.history.path)
        await screen.type(keys)
        assert screen.last == command, screen.row(PromptWidget) + screen.row(PromptWidget, 1)
        assert len(screen.encounter.history.path) == before + 1


async def test_a_save_that_waits_is_answered_with_the_damage_that_fell(play_area: Play) -> None:
    async with play_area(MONSTERS_AND_MAGIC) as game:
        await game.type("Cbu↵2,3↵12↵")
        assert game.who("odo").track("hp") == 24
        await game.type("↵w")
        assert game.last == "withstand odo weak"
        assert game.who("odo").track("hp") == 20


async def test_the_die_of_a_save_that_waits_is_typed_as_it_lies(play_area: Play) -> None:
    async with play_area(GHOUL_UP) as game:
        await game.type("p1,2↵↵4↵")
        assert game.last == "withstand mira natural 4"


def offered_aside(game: Any) -> list[str]:
    fields = game.line.prompt.fields
    return [option.label for field in fields for option in field.toggle_options()]


async def test_behind_s_a_letter_says_what_is_saved_with_and_s_takes_it_back(
    play_area: Play,
) -> None:
    async with play_area(MONSTERS_AND_MAGIC) as game:
        await game.type("Cice↵3S")
        assert {"power", "cunning", "focus", "luck"} <= {*offered_aside(game)}
        await game.type("f")
        assert "save focus" in offered_aside(game)
        assert "its save" in game.row(PromptWidget)
        await game.type("S")
        assert "save" in offered_aside(game)
        await game.type("s6↵")
        assert game.last == 'cast "ice" at ghoul-1 strong 6'


async def test_a_capital_letter_of_the_only_powers_name_says_nothing_else(
    play_area: Play,
) -> None:
    fight = GHOUL_UP.replace("Rot Breath", "Holy Smoke")
    async with play_area(fight) as game:
        await game.type("pH1,2H↵")
        assert game.last == 'power "Holy Smoke" at mira,odo half'


async def test_what_is_asked_of_several_who_save_is_called_so(play_area: Play) -> None:
    async with play_area(MONSTERS_AND_MAGIC) as game:
        await game.type("Cbu↵F⇥")
        assert offered(game)[:4] == ["miss", "weak", "strong", "crit"]
        assert "their saves" in game.row(PromptWidget)

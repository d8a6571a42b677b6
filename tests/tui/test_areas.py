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
LEVEL_UP = """
add pc Wil hp 24 ac 12 level 5 pb 3 dex 1 int 4 spell 7
add pc Ann hp 30 ac 14 level 5 pb 3 dex 2 con 2
add monster Ghoul x3 hp 32 ac 12 dex 2
init wil 18
init ann 10
init ghoul-1,ghoul-2,ghoul-3 4
start
"""
SCHOOL = """
add pc Cato hp 28 ac 13 health 2 control 15 \
ability Boil control 1 save health reflex dc 14 half 3d6 fire
add pc Ada hp 30 ac 14 health 4
add monster Ghoul x3 hp 30 ac 12 health 1
add monster Drake side others hp 60 ac 15 ability Breath save health reflex dc 15 half 4d6 cold
init cato 20
init ada 12
init drake 11
init ghoul-1,ghoul-2,ghoul-3 4
start
"""
ORCUS = """
add pc Mira hp 32 ac 16 fort 12 ref 16 will 15 init 5 speed 6 recoveries 7 \
power "Fire Burst" encounter standard +6 vs reflex 3d6+4 fire near half
add pc Odo hp 32 ac 16 fort 12 ref 16 will 15 init 5 speed 6 recoveries 7
add monster Goblin x3 hp 20 ac 14 fort 12 ref 13 will 11 init 2 attack Spear +5 vs ac 1d8+2
init mira 17
init odo 16
init goblin-1,goblin-2,goblin-3 4
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
    "... their dice as rolled": (
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
    "in level up a fireball on three, each save called": (
        20, "level-up", LEVEL_UP, "Cfireball↵FSdHffs28↵",
        f'cast "fireball" at {GHOULS} failure,failure,success 28 half save dex',
    ),
    "... against the DC, their saves rolled": (
        22, "level-up", LEVEL_UP, "Cfireball↵FSdH⇥r28⇥15↵",
        f'cast "fireball" at {GHOULS} roll 28 dc 15 half save dex',
    ),
    "in adventure school a known spell at three": (
        9, "adventure-school", SCHOOL, "CB↵Fffs9↵", f'cast "Boil" at {GHOULS} fail,fail,pass 9',
    ),
    "... a spell of no sheet": (
        14, "adventure-school", SCHOOL, "Cice↵FShHffs9↵",
        f'cast "ice" at {GHOULS} fail,fail,pass 9 half save health',
    ),
    "... a breath on two": (
        5, "adventure-school", f"{SCHOOL}next\nnext\n", "p1,2↵", 'ability "Breath" cato,ada',
    ),
    "in orcus a burst at three, with half on a miss": (
        10, "orcus", ORCUS, "p3-5hmh12↵",
        'power "Fire Burst" goblin-1,goblin-2,goblin-3 hit,miss,hit 12',
    ),
    "a breath on two, called": (
        9, "5e", f"{FIFTH}next\n", "p2,3sf20↵", 'power "Fire Breath" odo,pell success,failure 20',
    ),
    "... one of them later": (
        9, "5e", f"{FIFTH}next\n", "p2,3sl20↵", 'power "Fire Breath" odo,pell success later 20',
    ),
    "... one of them rolled here": (
        9, "5e", f"{FIFTH}next\n", "p2,3fr20↵", 'power "Fire Breath" odo,pell failure roll 20',
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


# -- undo: the last answer, and the cast with its answers ------------------------------------------


BREATH = f'{GHOUL_UP}power "Rot Breath" at mira,odo 20\nwithstand odo miss\nwithstand mira weak\n'


def rows_of(game: Any) -> list[str]:
    pane = game.screen.sheet_pane
    return [pane.render_line(y).text.rstrip() for y in range(pane.size.height)]


async def test_u_takes_back_the_last_answer_and_then_the_others(play_area: Play) -> None:
    async with play_area(BREATH) as game:
        await game.type("u")
        assert game.said == "undone: Mira's save against Rot Breath, weak"
        assert game.who("mira").named("threatened") and game.who("odo").track("hp") == 6
        await game.type("uu")
        assert game.who("odo").track("hp") == 24
        assert not game.who("odo").named("threatened")
        assert game.said == "undone: Ghoul 1 uses Rot Breath; saves: Mira waits, Odo waits"


async def test_the_list_shows_what_asked_for_saves_and_the_answers_as_one_act(
    play_area: Play,
) -> None:
    async with play_area(BREATH) as game:
        await game.type("<ctrl+u>")
        acts = [row for row in rows_of(game) if "Rot Breath" in row and "now:" in row]
        assert len(acts) == 1
        assert "Ghoul 1 uses Rot Breath" in acts[0] and "and 2 saves" in acts[0]
        assert game.screen.view.head == game.encounter.history.head
        await game.type("<down>")
        assert game.screen.view.state["mira"].track("hp") == 24


async def test_u_in_the_list_takes_back_the_act_with_its_answers(play_area: Play) -> None:
    async with play_area(BREATH) as game:
        await game.type("<ctrl+u>u")
        assert game.who("mira").track("hp") == 24 and game.who("odo").track("hp") == 24
        assert not game.who("mira").named("threatened")
        assert game.who("ghoul-1").track("ap") == 3


async def test_an_answer_given_later_is_a_row_of_its_own(play_area: Play) -> None:
    fight = BREATH.replace("withstand mira", "damage ghoul-2 1\nwithstand mira")
    async with play_area(fight) as game:
        await game.type("<ctrl+u>")
        acts = [row for row in rows_of(game) if "Rot Breath" in row and "then" not in row]
        assert any("Mira's save against Rot Breath" in row and "now:" in row for row in acts)
        await game.type("<down><down>u")
        assert game.who("odo").track("hp") == 24 and game.who("ghoul-2").track("hp") == 38


async def test_behind_an_amended_answer_the_act_is_taken_back_all_the_same(
    play_area: Play,
) -> None:
    async with play_area(f"{BREATH}amend 13 withstand odo strong\n") as game:
        await game.type("<ctrl+u>u")
        assert game.who("odo").track("hp") == 24 and not game.who("odo").named("threatened")


async def test_in_the_list_the_cast_is_what_is_amended(play_area: Play) -> None:
    async with play_area(BREATH) as game:
        await game.type("<ctrl+u><ctrl+e>")
        assert "Power" in game.row(PromptWidget) and "again" in game.row(PromptWidget)

"""Who is asked for in prompts: one by number, several by numbers, ranges and sides."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from tests.tui.ghouls import prompt_after

from affray.store.open_encounter import OpenEncounter
from affray.tui.prompts.command_bar import InputState
from affray.tui.prompts.context import AnswerMemory
from affray.tui.prompts.prompt import Prompt

FIGHT = """
add pc Brannoc hp 30 ac 4
add pc Mira hp 24 ac 2
add monster Ghoul x3 cr 2 hp 18 ac 2 attack claw 1d6+2 slashing attack bite 1d8
add monster "Old Ferryman" side others cr 0 hp 8 ac 0
add hazard Flood
init brannoc 30
init mira 29
init ghoul-1 28
init ghoul-2 27
init ghoul-3 26
init old-ferryman 25
init flood 24
start
"""
Made = Callable[..., Prompt]


@pytest.fixture
def fight(played: Callable[..., OpenEncounter]) -> OpenEncounter:
    """Brannoc (1), Mira (2), three ghouls (3 to 5), a ferryman (6), a flood (7); Brannoc is up."""
    return played(FIGHT)


@pytest.fixture
def prompt(fight: OpenEncounter) -> Made:
    """The prompt of that fight after these keys."""
    return partial(prompt_after, fight)


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ("- 3 , 5 space 4", "damage ghoul-1,ghoul-3 4"),
        ("- 3 4", "damage ghoul-1 4"),  # nobody has 34
        ("- 2 - 4 5", "damage mira,ghoul-1,ghoul-2 5"),
        ("- 4 - 2 space 5", "damage mira,ghoul-1,ghoul-2 5"),
        ("- 1 , 3 - 5 space 9", "damage brannoc,ghoul-1,ghoul-2,ghoul-3 9"),
        ("- F 9", "damage ghoul-1,ghoul-2,ghoul-3 9"),
        ("- f 9", "damage ghoul-1,ghoul-2,ghoul-3 9"),
        ("- p 9", "damage brannoc,mira 9"),
        ("- f , 2 space 9", "damage ghoul-1,ghoul-2,ghoul-3,mira 9"),
        ("- 2 , f space 9", "damage mira,ghoul-1,ghoul-2,ghoul-3 9"),
        ("- a 9", "damage brannoc,mira,ghoul-1,ghoul-2,ghoul-3,old-ferryman 9"),
        ("- 3 - 5 h 9", "damage ghoul-1,ghoul-2,ghoul-3 9 half ghoul-1,ghoul-2,ghoul-3"),
        ("- f h , 4 h 9", "damage ghoul-1,ghoul-2,ghoul-3 9 half ghoul-1,ghoul-3"),
        ("- f , 4 space 9", "damage ghoul-1,ghoul-2,ghoul-3 9"),
        ("- 3 backspace 4 space 9", "damage ghoul-2 9"),
        ("- = 9", "damage mira,ghoul-2 9"),
        ("+ p 9", "heal brannoc,mira 9"),
        ("b P p r o t", "bestow brannoc,mira protected"),
        ("b p r o t", "bestow brannoc protected"),  # the letter is of a status here
        ("c F p r o", "inflict ghoul-1,ghoul-2,ghoul-3 prone"),
        ("X p", "leave brannoc,mira"),
        ("C f i r e enter f m", 'cast "fire" at ghoul-1,ghoul-2,ghoul-3 miss'),
    ],
)
def test_several_are_numbers_ranges_and_sides(prompt: Made, keys: str, line: str) -> None:
    made = prompt(keys, memory=AnswerMemory(people=("mira", "ghoul-2")))
    assert made.line == line, made.trouble


def test_the_fallen_are_of_no_side_any_more(prompt: Made, fight: OpenEncounter) -> None:
    fight.do("damage ghoul-1 99")
    assert prompt("- f").line == "damage ghoul-2,ghoul-3"
    fight.do("damage ghoul-2,ghoul-3 99")
    assert prompt("- f").trouble == "nobody on that side can be chosen"


def test_a_range_without_its_end_is_not_taken(prompt: Made) -> None:
    made = prompt("- 2 - space")
    assert made.trouble == "2- is not a complete number"
    assert prompt("- 9").trouble.startswith("9 is not a number in the order: use 1 to 7")


def test_whoever_acts_is_in_none_of_the_groups_that_they_attack(prompt: Made) -> None:
    assert prompt("C x enter *").line == 'cast "x" at mira,ghoul-1,ghoul-2,ghoul-3,old-ferryman'


def test_a_click_takes_one_more_or_leaves_them_out_again(prompt: Made) -> None:
    made = prompt("- 3 , 4 h")
    made.choose("mira")
    assert made.line == "damage ghoul-1,ghoul-2,mira half ghoul-2"
    made.choose("ghoul-1")
    assert made.line == "damage ghoul-2,mira half ghoul-2"


def test_a_click_leaves_nothing_of_what_was_wrong_before(prompt: Made) -> None:
    made = prompt("- 9")
    made.choose("mira")
    assert (made.trouble, made.line) == ("", "damage mira")


@pytest.mark.parametrize("key", ["Q", "f", "F", "H", "x", ">", "K", "+", "-", "c", "b", "s"])
def test_everything_that_is_done_to_somebody_asks_who_by_number_first(
    prompt: Made, key: str
) -> None:
    made = prompt(f"{key} 2")
    assert {"mira", ""} >= {made.line.split()[1] if " " in made.line else ""}
    assert "mira" in made.line.split()
    assert not made.trouble


@pytest.mark.parametrize("between", ["", "space", "tab"])
def test_a_number_that_cant_grow_goes_on_by_itself_and_a_space_behind_it_does_no_harm(
    prompt: Made, between: str
) -> None:
    assert prompt(f"f 2 {between} 3 enter").line == "mark mira fatigue 3"
    assert prompt(f"s 3 {between} s 8 enter").line == "strike ghoul-1 strong 8"
    made = prompt(f"s 2 {between}", actor="ghoul-1")
    assert made.field is not None and made.field.label == "outcome"
    assert made.line == "strike mira roll by ghoul-1"


def test_with_more_than_nine_a_number_may_go_on(played: Callable[..., OpenEncounter]) -> None:
    fight = played("add monster Rat x12 cr 0 hp 2\nstart\n")
    ids = [who.id for _, who in sorted(fight.state.by_number().items())]

    def after(keys: str) -> str:
        return prompt_after(fight, f"f {keys}", ids[0]).line

    assert after("1 2 3") == f"mark {ids[11]} fatigue 3"
    assert after("1 space 2") == f"mark {ids[0]} fatigue 2"
    assert after("1 5") == f"mark {ids[0]} fatigue 5"  # nobody has 15
    assert after("3 2") == f"mark {ids[2]} fatigue 2"


def test_foes_come_first_where_it_is_an_attack(prompt: Made) -> None:
    assert list(prompt("s").candidates.values()) == [3, 4, 5, 6, 2, 7]
    assert list(prompt("s", actor="ghoul-2").candidates.values())[:2] == [1, 2]
    assert list(prompt("+").candidates.values()) == [1, 2, 3, 4, 5, 6, 7]


def test_attacks_are_offered_by_name_behind_their_letters(
    prompt: Made, fight: OpenEncounter
) -> None:
    fight.do("next")
    fight.do("next")  # Ghoul 1 is up
    made = prompt("s 1")
    row = [piece.text for piece in made.pieces()]
    assert row[row.index("b") + 1] == "bite"
    made.feed("b")
    assert made.line == "strike brannoc roll with bite"
    made.feed("b")
    assert made.line == "strike brannoc roll"
    assert made.feed("enter") is InputState.FINISHED


def test_until_when_and_from_whom(prompt: Made) -> None:
    assert prompt("c 3 w tab s 2 enter").line == "inflict ghoul-1 weakened until start of mira"
    assert prompt("c 3 w tab e enter").line == "inflict ghoul-1 weakened until end of brannoc"
    assert prompt("c 3 w tab f enter").line == "inflict ghoul-1 weakened until freed"
    assert prompt("c 3 w tab 1 2 enter").line == "inflict ghoul-1 weakened for 12 turns"
    made = prompt("c 3 w tab s 2 tab 4 enter")
    assert made.line == "inflict ghoul-1 weakened until start of mira from ghoul-2"
    assert prompt("c 3 w tab s 2 backspace backspace backspace f").line.endswith("until freed")


def test_an_effect_of_ones_own_stands_in_quotes(prompt: Made) -> None:
    made = prompt('c 3 space " h e x space i t " f')
    assert made.line == 'inflict ghoul-1 "hex it" until freed'
    assert prompt('c 3 space " h backspace backspace p r o').line == "inflict ghoul-1 prone"
    assert prompt('c 3 space " h e x tab s 2').line == 'inflict ghoul-1 "hex" until start of mira'


def test_the_letters_of_a_word_that_is_written_out_choose_nothing_else(prompt: Made) -> None:
    made = prompt("G r e r o l l")
    assert made.line.startswith("gm-thread reroll")
    made = prompt("Z l o n g")
    assert made.line.split()[:2] == ["rest", "long"]

"""Whoever is asked for can be named: by letters of a word of the name, and its number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.tui.ghouls import FIGHT, Made, finished, prompt_after

from affray.store.open_encounter import OpenEncounter
from affray.tui.widgets.prompt import PromptWidget

CROWD = FIGHT.replace(
    "init brannoc 17",
    """add monster "Toll Ogre" cr 3 hp 30 ac 2
add monster "Marsh Wolf" x12 cr 1 hp 5 ac 0
init foes 1
init brannoc 17""",
)


@pytest.fixture
def prompt(played) -> Made:
    fight: OpenEncounter = played(CROWD)

    def after(keys: str, **more):
        return prompt_after(fight, keys, **more)

    return after


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ("s g 2 s 8", "strike ghoul-2 strong 8"),
        ("s g h 1 m", "strike ghoul-1 miss"),
        ("s o s 8", "strike toll-ogre strong 8"),
        ("s t o l w 8", "strike toll-ogre weak 8"),
        ("s ' w 3 s 8", "strike marsh-wolf-3 strong 8"),  # w alone is a weak hit
        ("s ' w o 1 2 s 8", "strike marsh-wolf-12 strong 8"),
        ("s ' m 1 s 8", "strike marsh-wolf-1 strong 8"),
        ("s ' t backspace ' w 2 s 8", "strike marsh-wolf-2 strong 8"),
        ("s w 3", "strike ghoul-1 weak 3"),
        ("s 2 tab backspace 3 s 8", "strike ghoul-1 strong 8"),  # a number begun again
        ("- g 2 , 3 , o space 8", "damage ghoul-2,ghoul-1,toll-ogre 8"),
        ("- o , g 1 h space 8", "damage toll-ogre,ghoul-1 8 half ghoul-1"),
        ("- 3 , ' w 2 , 1 space 8", "damage ghoul-1,marsh-wolf-2,brannoc 8"),
        ("f ' m i 2", "mark mira fatigue 2"),
        ("c ' o w", "inflict toll-ogre weakened"),
    ],
)
def test_letters_of_a_name_answer_who(prompt: Made, keys: str, line: str) -> None:
    assert prompt(keys).line == line


def test_letters_that_could_be_several_are_no_answer(prompt: Made) -> None:
    some = prompt("s g")
    assert not some.complete and some.target == ""
    assert [offer.label for offer in some.field.offers()] == ["Ghoul 1", "Ghoul 2"]
    some.feed("enter")
    assert some.trouble == "g could be Ghoul 1 or Ghoul 2"
    assert not finished(some)
    some.feed("backspace")
    assert some.target == "ghoul-1", "the offer is back"


def test_a_key_with_a_name_of_its_own_is_no_letter_of_somebodys(
    played: Callable[..., OpenEncounter],
) -> None:
    """`up` moves the offer, or answers nothing, where somebody is called Upas, too."""
    fight = played(FIGHT.replace("init brannoc 17", "add monster Upas hp 30\ninit brannoc 17"))
    assert prompt_after(fight, "s ' up").target == "ghoul-1"
    some = prompt_after(fight, "s n up")
    assert some.target == "ghoul-1" and some.trouble


@pytest.mark.parametrize(
    ("keys", "label"),
    [("s", "target"), ("A", "ally"), ("f", "who"), ("c 3 w tab tab", "from")],
)
def test_who_is_asked_for_is_called_by_what_they_are(prompt: Made, keys: str, label: str) -> None:
    assert prompt(keys).field.label == label


def test_letters_of_nobody_are_refused_as_before(prompt: Made) -> None:
    assert "z is no answer" in prompt("s z").trouble
    assert prompt("s g 7").trouble


async def test_a_comma_where_one_alone_is_taken_says_so_and_nothing_behind_it_is_a_die(
    opened: Callable[..., Any],
) -> None:
    async with opened(FIGHT) as game:
        for typed in ("s3,4", "s3,g2", "s,4", "s'gh1,4"):
            await game.type(typed + "w9↵")
            assert "this takes only one, Ghoul 1" in game.row(PromptWidget, 1)
            assert game.line.is_open and game.last == "start"
            await game.type("⎋")
        await game.type("s3,4<backspace>w9↵")
        assert game.last == "strike ghoul-1 weak 9"
        await game.type("-3,4⇥5↵")
        assert game.last == "damage ghoul-1,ghoul-2 5"


async def test_a_comma_between_two_dice_is_none_of_a_name(opened: Callable[..., Any]) -> None:
    async with opened(FIGHT) as game:
        await game.type("s315,4a⇥6↵")
        assert game.last == "strike ghoul-1 natural 15,4 6 adv"


@pytest.mark.parametrize(
    ("keys", "answer"),
    [
        ("X p e", "pell"),  # `X` asks for nothing else
        ("- p e 5", "pell"),  # a letter is no damage
        ("- p 5", "brannoc,mira,pell"),
        ("- f r 5", "frog"),
        ("- 1 , p e 5", "brannoc,pell"),
    ],
)
def test_a_letter_behind_that_of_a_side_makes_a_name_of_both(
    played: Callable[..., OpenEncounter], keys: str, answer: str
) -> None:
    """`p` is the party, but `pe` is Pell, where nothing that is asked next begins with an `e`."""
    more = "add pc Pell hp 30\nadd monster Frog hp 5\ninit brannoc 17"
    fight = played(FIGHT.replace("init brannoc 17", more))
    asked = prompt_after(fight, keys)
    assert asked.fields[0].answer == answer and not asked.trouble

"""Whatever a game master types in play can be done by keys: the measure, and what it is made of.

The whole of it is `make by-keys`; here is a part of the cases.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from tests.testing.lines import (
    CASES,
    EXCEPTIONS,
    Given,
    exceptions,
    faults,
    given,
    refused_words,
)
from tests.testing.offered import never_decided

from affray import Fight
from affray.core.parser.errors import Refused
from affray.testing import NoKeys, Typed, fewest_keys, keys_for
from affray.testing.keyboard import Keyboard
from affray.testing.strokes import written
from affray.testing.wanted_line import WantedLine
from affray.tui.prompts.command_bar import InputState

EVERY = 24
"""Of so many cases the first is played here: all files take half a minute on one core."""


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_each_command_of_the_cases_is_given_by_keys_but_for_those_that_say_why(path: Path) -> None:
    assert faults(given(path, EVERY), exceptions()) == []


def test_each_letter_that_a_prompt_offers_comes_to_something_or_its_refusal_names_it() -> None:
    """Here in some cases of each game, and in others what comes to nothing in these: `make by-keys`
    looks at all."""
    files = [path for path in CASES if path.stem in ("5e", "orcus", "level-up", "adventure-school")]
    found = never_decided(files, EVERY // 4)
    left = [each for each in found if (each.game, each.key, each.word) not in refused_words()]
    assert never_decided(CASES, of=left) == {}


def test_keys_come_to_the_events_of_the_typed_command(fight: Fight) -> None:
    line = "damage goblin-1,goblin-2 7 fire"
    typed = keys_for(fight, line)
    assert isinstance(typed, Typed)
    assert fight.preview(typed.line).events == fight.preview(line).events
    assert typed.pressed == len(typed.shown.split())


def test_fewest_keys_leave_out_what_changes_nothing(fight: Fight) -> None:
    line = "damage goblin-2 7"
    typed = keys_for(fight, line)
    assert isinstance(typed, Typed)
    longer = typed._replace(keys=("tab", *typed.keys))
    assert fewest_keys(fight, longer, line).pressed <= typed.pressed


def test_a_line_without_keys_is_told_with_the_nearest(fight: Fight) -> None:
    found = keys_for(fight, "damage goblin-2 7", most=3)
    assert isinstance(found, NoKeys)
    assert "none among" in found.why


def test_what_is_refused_has_no_keys(fight: Fight) -> None:
    with pytest.raises(Refused, match="is refused"):
        keys_for(fight, "damage nobody 7")


def test_words_typed_into_the_rest_of_a_line_are_no_keys(fight: Fight) -> None:
    """What is typed as words of a command could have been typed as that command: its prompt takes
    them, and they don't count."""
    line = "setting surprise one-standard"
    keyboard = Keyboard(fight)
    opening = next(keyboard.openings("setting", WantedLine(line, fight.state)))
    prompt = keyboard.begin(opening)
    keys = (*written(line.removeprefix("setting ")), "enter")
    assert keyboard.press(prompt, keys) is InputState.FINISHED and prompt.line == line
    assert isinstance(keys_for(fight, line), NoKeys)


def test_words_picked_from_a_list_are_keys(fight: Fight) -> None:
    typed = keys_for(fight, 'clock "Flood" 4 rounds hidden')
    assert isinstance(typed, Typed)
    assert "r o u n d s" not in typed.shown and "h i d d e n" not in typed.shown


def test_what_is_asked_before_a_turn_ends_comes_before_it() -> None:
    """The die of a player is asked for, and then the turn ends: together they are what `next` does
    when it is typed."""
    fight = Fight("adventure-school", "case", 7)
    fight.do("add pc Bel hp 30 ac 13 fortune 2d4", "init bel 15", "start")
    typed = keys_for(fight, "next")
    assert isinstance(typed, Typed)
    assert typed.shown == "space r space"


def test_what_no_keys_give_goes_on_behind_a_colon() -> None:
    """A weapon's tag is another word for an ability, which the list of `tab` has under its own."""
    fight = Fight("monsters-and-magic", "case", 7)
    fight.do("add pc Mira hp 30 ac 15 cunning 3", "add monster Ghoul x2 hp 22 ac 12")
    fight.do("init mira 15", "init ghoul-1,ghoul-2 9", "start")
    found = keys_for(fight, "strike ghoul-2 natural 14 5 agile")
    assert isinstance(found, NoKeys) and found.typed_on is not None
    assert found.typed_on.words == "agile"
    line = f"{found.typed_on.begun} {found.typed_on.words}"
    assert fight.preview(line).events == fight.preview("strike ghoul-2 natural 14 5 agile").events


def test_each_reason_says_what_a_key_would_be_and_none_that_it_is_missing() -> None:
    document = tomllib.loads(EXCEPTIONS.read_text("utf-8"))
    reasons = [row["reason"] for row in (*document["exception"], *document["word"])]
    assert all(reasons) and not [text for text in reasons if text.startswith("missing")]


def test_an_exception_is_told_once_keys_give_it() -> None:
    by_keys = Given("orcus", "a case", "walk", 1, "m", "walk")
    lacks = Given("orcus", "a case", "rally with wolf", 0, "none among 2", "rally")
    walk, rally = ("orcus", "walk"), ("orcus", "rally with wolf")
    assert faults([by_keys], {walk}, of_all=True) == ["no longer an exception: orcus: walk"]
    assert "no keys give 'rally with wolf'" in faults([lacks], {walk})[0]
    assert faults([by_keys, lacks], {rally}, of_all=True) == []


@pytest.fixture
def fight() -> Fight:
    found = Fight("orcus", "case", 7)
    found.do("add pc Mira hp 30 ac 15", "add monster Goblin x2 hp 26 ac 16")
    found.do("init mira 15", "init goblin-1 12", "init goblin-2 10", "start")
    return found

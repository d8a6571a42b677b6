"""Who comes into question in a prompt, who is offered first, and who needs no asking."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.tui.ghouls import Made, prompt_after

from affray.store.open_encounter import OpenEncounter
from affray.tui.prompts.context import AnswerMemory
from affray.tui.prompts.field import PromptPart
from affray.tui.prompts.follow_ups import remember_answers
from affray.tui.widgets.header_footer import Footer
from affray.tui.widgets.prompt import PromptWidget


def test_nobody_attacks_themself_or_the_dead(prompt: Made, fight: OpenEncounter) -> None:
    fight.do("damage ghoul-1 99")
    made = prompt("s 1")
    assert made.trouble == "Brannoc is the one acting: choose somebody else"
    assert prompt("s 3").trouble == "Ghoul 1 is dead"
    assert made.candidates == {"mira": 2, "ghoul-2": 4}
    assert [p.text for p in made.pieces() if p.role in ("offer", "picked")] == ["Ghoul 2", "Mira"]
    assert prompt("s j").target == "mira"


def test_a_number_that_may_go_on_is_refused_only_at_its_end(
    played: Callable[..., OpenEncounter],
) -> None:
    encounter = played("add pc Mira hp 9\nadd monster Rat x11 cr 0 hp 2\ninit mira 99\nstart")
    made = prompt_after(encounter, "s 1", "mira")
    assert not made.trouble
    made.feed("s")
    assert made.trouble == "Mira is the one acting: choose somebody else"
    made.feed("2")
    made.feed("s")
    assert made.line.endswith("strong") and made.target != "mira"


def test_out_of_turn_the_likely_target_is_whose_turn_it_is(
    prompt: Made, fight: OpenEncounter
) -> None:
    for _ in range(3):
        fight.do("next")
    assert prompt("o", actor="mira", memory=AnswerMemory("ghoul-1")).target == "ghoul-2"


def test_the_last_target_is_offered_again_only_while_it_is_up(
    prompt: Made, fight: OpenEncounter
) -> None:
    fight.do("next")
    fight.do("next")
    assert prompt("s", actor="ghoul-1", memory=AnswerMemory("mira")).target == "mira"
    fight.do("damage mira 99")
    assert prompt("s", actor="ghoul-1", memory=AnswerMemory("mira")).target == "brannoc"


async def test_in_a_fight_that_is_opened_anew_the_last_target_is_offered(
    fight: OpenEncounter, game_of: Callable[..., Any]
) -> None:
    fight.do("strike ghoul-2 strong 4")
    async with game_of(fight) as game:
        await game.type("s")
        assert game.line.prompt.target == "ghoul-2"
        await game.type("<escape>")
        fight.do("undo 1")
        await game.type("s")
        assert game.line.prompt.target == "ghoul-1"


def test_the_unseen_is_not_the_likely_target(prompt: Made, fight: OpenEncounter) -> None:
    fight.do("bestow ghoul-1 invisible")
    assert prompt("s").target == "ghoul-2"
    fight.do("damage ghoul-2 99")
    assert prompt("s").target == "ghoul-1"


def test_the_only_one_needs_no_asking_and_of_several_who_is_offered_first(
    prompt: Made, fight: OpenEncounter
) -> None:
    fight.do("damage mira 99")
    assert prompt("D").pieces()[:2] == [
        PromptPart("Death roll", "label"),
        PromptPart("Mira", "whom"),
    ]
    fight.do("damage brannoc 99")
    assert prompt("D").pieces()[:2] == [
        PromptPart("Death roll", "label"),
        PromptPart("Brannoc", "now"),
    ]
    assert prompt("D 2 s").line == "death mira strong"
    assert prompt("D s").line == "death brannoc strong"


async def test_the_footer_offers_tab_only_for_what_it_does(
    fight: OpenEncounter, game_of: Callable[..., Any]
) -> None:
    async with game_of(fight) as game:
        await game.type("f")
        assert "tab next" in game.row(Footer)
        await game.type("33")
        assert "tab more" in game.row(Footer)
        await game.type("⎋s3s8")
        assert "tab more" in game.row(Footer)


async def test_initiative_goes_on_to_the_next_character(
    played: Callable[..., OpenEncounter], game_of: Callable[..., Any]
) -> None:
    encounter = played(
        "add pc Tam hp 9\nadd monster Ghoul cr 1 hp 9\nadd pc Ash hp 9\nadd pc Bo hp 9"
    )
    async with game_of(encounter) as game:
        game.screen.put_cursor("tam")
        await game.type("i")
        assert "tab somebody else" in game.row(Footer)
        await game.type("12↵")
        assert game.screen.cursor == "ash"
        assert "Initiative of Tam: 12" in game.row(
            PromptWidget, 1
        ) and "Initiative: Ash" in game.row(PromptWidget)
        await game.type("15↵")
        assert game.screen.cursor == "bo"
        await game.type("3↵")
        assert not game.line.is_open
        game.screen.put_cursor("ash")
        await game.type("i↵18↵")
        assert game.said == "Initiative of Ash: 18, was 15"
        assert game.screen.cursor == "ash"


async def test_initiative_is_asked_of_the_characters_wherever_the_cursor_is(
    played: Callable[..., OpenEncounter], game_of: Callable[..., Any]
) -> None:
    encounter = played("add pc Tam hp 9\nadd monster Ghoul cr 1 hp 9\nadd pc Ash hp 9")
    async with game_of(encounter) as game:
        game.screen.put_cursor("ghoul")
        await game.type("i")
        assert "Initiative: Tam" in game.row(PromptWidget)
        await game.type("12↵15↵")
        assert not game.line.is_open
        game.screen.put_cursor("ghoul")
        await game.type("i9↵")  # all of them have called theirs
        assert game.said == "Initiative of Ghoul: 9"


async def test_the_fight_can_be_started_while_the_next_initiative_is_asked_for(
    played: Callable[..., OpenEncounter], game_of: Callable[..., Any]
) -> None:
    encounter = played("add pc Tam hp 9\nadd pc Ash hp 9\nadd monster Ghoul cr 1 hp 9")
    async with game_of(encounter) as game:
        await game.type("i12↵")
        assert "S start the fight" in game.row(Footer)
        await game.type("1S")
        assert game.line.is_open  # a number is begun
        await game.pilot.press("backspace")
        await game.type("S")
        assert "r rolls Ash's d20" in game.row(PromptWidget, 1)
        await game.type("r")
        assert not game.line.is_open
        assert encounter.state.phase == "combat"


def test_the_dead_stand_behind_the_living(prompt: Made, fight: OpenEncounter) -> None:
    fight.do("damage ghoul-1 99")
    assert list(prompt("+").candidates) == ["brannoc", "mira", "ghoul-2", "ghoul-1"]
    assert list(prompt("c").candidates) == ["ghoul-2", "brannoc", "mira", "ghoul-1"]
    assert list(prompt("A").candidates) == ["mira", "ghoul-2"]
    assert list(prompt("A", actor="ghoul-2").candidates) == ["brannoc", "mira"]
    assert prompt("c 3").line.startswith("inflict ghoul-1 ")  # their numbers stay


def test_the_last_bond_is_offered_again(prompt: Made) -> None:
    given = remember_answers(AnswerMemory(), prompt("v 2 space 2 enter"))
    assert prompt("v enter enter", memory=given).line == "aid mira 2"
    assert prompt("v 2 space 3 enter", memory=given).line == "aid mira 3"
    assert prompt("v 1 enter enter", actor="mira", memory=given).line == "aid brannoc 2 by mira"
    assert prompt("T o 2 space enter", memory=given).line == "thread brannoc bonds-of-fate mira 2"


def test_of_what_is_the_partys_the_party_is_offered_first_in_the_turn_of_a_foe(
    prompt: Made, fight: OpenEncounter
) -> None:
    """Monsters & Magic, Threads of Fate."""
    made = prompt("T", actor="ghoul-1", cursor="ghoul-1")
    assert list(made.candidates)[:2] == ["brannoc", "mira"]
    assert made.field is not None and made.field.answer == "brannoc"
    assert prompt("T", actor="ghoul-1", cursor="mira").field.answer == "mira"


def test_an_ally_is_on_the_side_of_whoever_was_named_before(
    prompt: Made, fight: OpenEncounter
) -> None:
    """Monsters & Magic, Threads of Fate."""
    made = prompt("T 2 tab o", actor="ghoul-1", cursor="ghoul-1")
    assert list(made.candidates)[:2] == ["brannoc", "mira"]
    assert made.field is not None and made.field.answer == "brannoc"
    assert prompt("T 1 tab o", actor="ghoul-1").field.answer == "mira"


def test_in_a_rest_the_party_and_their_own_are_offered_first_wherever_the_cursor_is(
    prompt: Made, fight: OpenEncounter
) -> None:
    """Monsters & Magic, Rests."""
    fight.do("end")
    fight.do("rest short")
    made = prompt("Y t", actor="ghoul-1", cursor="ghoul-1", complete=fight.complete)
    assert made.line.startswith("rest brannoc tend")
    assert list(made.candidates)[:2] == ["brannoc", "mira"]


def test_a_recovery_is_offered_to_the_party_in_the_turn_of_a_foe(
    stair: Callable[..., OpenEncounter],
) -> None:
    """Orcus, Recoveries."""
    made = prompt_after(stair(), "R", "goblin-1", "goblin-1")
    assert made.line.startswith("recovery brannoc")


@pytest.mark.parametrize("keys", ["s", "pFi↵", "g", "t", "b"])
async def test_where_no_foe_stands_nobody_is_offered_to_be_struck(
    stair: Callable[..., Any], game_of: Callable[..., Any], keys: str
) -> None:
    fight = stair("damage goblin-1 20\ndamage goblin-2 20\ndamage goblin-hexer 99\n")
    async with game_of(fight, (80, 24)) as game:
        before = game.last
        await game.type(f"{keys}↵")
        assert game.last == before
        assert "no foe is standing" in game.line.prompt.trouble
        assert not game.line.prompt.field.answer


async def test_an_ally_is_struck_where_no_foe_stands_once_they_are_named(
    stair: Callable[..., Any], game_of: Callable[..., Any]
) -> None:
    fight = stair("damage goblin-1 20\ndamage goblin-2 20\ndamage goblin-hexer 99\n")
    async with game_of(fight, (80, 24)) as game:
        await game.type("s2m")
        assert game.last == "attack mira miss"

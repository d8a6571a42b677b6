"""Which attack it is, by its letter behind the target: an enter takes the first of the sheet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from affray.tui.widgets.prompt import PromptWidget

Play = Callable[..., Any]
ORDER = "init ghast 20\ninit oda 9\nstart"
GHAST = {
    "monsters-and-magic": (
        "hp 40 cr 2 ac 1 attack claws 1d6 slashing attack bite 1d8 piercing attack bow 1d6 ranged",
        "hp 30 ac 1 power 2 luck 1 pb 2 attack axe 1d8 slashing attack spear 1d6 piercing",
    ),
    "5e": (
        "hp 40 ac 12 pb 2 attack claws +4 2d4+2 attack bite +2 2d6+2 attack bow +4 1d6 ranged",
        "hp 30 ac 14 pb 2 str 2 attack axe +5 1d8+3 slashing attack spear +5 1d6+3 piercing",
    ),
    "level-up": (
        "hp 40 ac 12 pb 2 attack claws +4 2d4+2 attack bite +2 2d6+2 attack bow +4 1d6 ranged",
        "hp 30 ac 14 pb 2 str 2 attack axe +5 1d8+3 slashing attack spear +5 1d6+3 piercing",
    ),
    "orcus": (
        "hp 40 ac 12 fort 12 ref 12 will 12 attack claws +4 vs ac 2d4 attack bite +2 vs ac 2d6"
        " attack bow +4 vs ac 1d6 ranged",
        "hp 30 ac 14 fort 14 ref 14 will 14 attack axe +5 vs ac 1d8 attack spear +5 vs ac 1d6",
    ),
    "adventure-school": (
        "hp 40 ac 12 attack claws +4 vs ac 2d4 attack bite +2 vs ac 2d6"
        " attack bow +4 vs ac 1d6 ranged",
        "hp 30 ac 14 attack axe +5 vs ac 1d8 attack spear +5 vs ac 1d6",
    ),
}
VERB = {"monsters-and-magic": "strike"}


@pytest.fixture
def play(played: Callable[..., Any], game_of: Callable[..., Any]) -> Play:
    """A fight of Oda (1) against a ghast (2), who is up, and in which others may be."""

    def open_(ruleset: str, more: str = "", size: tuple[int, int] = (80, 24)) -> Any:
        ghast, oda = GHAST[ruleset]
        lines = (f"add pc Oda {oda}", f"add monster Ghast {ghast}", ORDER)
        return game_of(played("\n".join((*lines, *more.splitlines())), ruleset=ruleset), size)

    return open_


@pytest.mark.parametrize("ruleset", GHAST)
async def test_a_monsters_second_kind_of_attack_is_four_keys(play: Play, ruleset: str) -> None:
    async with play(ruleset) as game:
        await game.type("s1")
        row = game.row(PromptWidget)
        assert "b bite" in row and row.find("m miss") not in range(row.index("b bite"))
        await game.type("b↵")
        assert game.last == f"{VERB.get(ruleset, 'attack')} oda roll with bite"
        assert not game.line.is_open


@pytest.mark.parametrize("ruleset", GHAST)
async def test_an_enter_takes_the_first_and_an_outcome_needs_no_key_more(
    play: Play, ruleset: str
) -> None:
    hit = "s" if ruleset == "monsters-and-magic" else "h"
    word, verb = {"s": "strong", "h": "hit"}[hit], VERB.get(ruleset, "attack")
    async with play(ruleset) as game:
        await game.type("s1↵")
        assert game.last == f"{verb} oda roll"
        await game.type(" s2m")
        assert game.last == f"{verb} ghast miss"
        await game.type(f"  s2{hit}8↵")
        assert game.last == f"{verb} ghast {word} 8"


async def test_a_letter_that_calls_an_outcome_stays_one_and_the_attack_has_the_next_of_its_name(
    play: Play,
) -> None:
    async with play("5e") as game:
        await game.type("s1")
        assert "l claws  b bite  o bow" in game.row(PromptWidget)
        await game.type("c")
        assert game.line.prompt.line == "attack oda crit"
        await game.type("⎋s1l")
        assert game.line.prompt.line == "attack oda roll with claws"
        await game.type("l")  # said again, it is taken back
        assert game.line.prompt.line == "attack oda roll"


async def test_behind_an_answer_it_is_the_capital(play: Play) -> None:
    async with play("monsters-and-magic", size=(120, 40)) as game:
        await game.type(" s2s8")
        assert "P spear" in game.row(PromptWidget)
        await game.type("P↵")
        assert game.last == "strike ghast strong 8 with spear"


async def test_with_one_attack_nothing_is_asked(play: Play) -> None:
    more = "add monster Rat hp 4 ac 9 pb 2 attack teeth +2 1d4\ninit rat 5\n"
    async with play("5e", more) as game:
        await game.type("  s1")
        assert "Attack › Oda" in game.row(PromptWidget)
        assert "teeth" not in game.row(PromptWidget)
        await game.type("t")
        assert "t is no answer" in game.row(PromptWidget, 1)


async def test_as_long_as_the_target_is_open_a_letter_with_a_number_is_a_name(play: Play) -> None:
    """Otherwise `s` `b2` would be a bite with a 2 on the die, at somebody else."""
    more = "add pc Boat-Hand x2 hp 9 ac 12\n"
    async with play("5e", more) as game:
        await game.type("sb2h5↵")
        assert game.last == "attack boat-hand-2 hit 5"
    async with play("5e", more) as game:
        await game.type("s1b2")
        assert game.line.prompt.line == "attack oda natural 2 with bite"


async def test_the_letter_goes_with_whom_is_proposed_and_with_the_act_again(play: Play) -> None:
    async with play("5e") as game:
        await game.type("sb↵")
        assert game.last == "attack oda roll with bite"
        await game.type("  n↵")
        assert game.last == "attack oda roll with bite"
        await game.type("  no↵")
        assert game.last == "attack oda roll with bow"


async def test_a_reaction_offers_the_attacks_of_who_reacts(play: Play) -> None:
    async with play("5e") as game:
        await game.type(" o2")
        assert "b bite" in game.row(PromptWidget)

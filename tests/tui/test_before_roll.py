"""What is to be known before a die falls is said before it does: advantage and disadvantage with
every reason, the number, what is added; and one die for two is taken as the one that counts.

Adventure School, Level Up and Monsters & Magic, Advantage, Disadvantage; Orcus, Combat Advantage.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from affray.core.engine.events import Rolled
from affray.core.formatting.pieces import why_in_words
from affray.store.open_encounter import OpenEncounter
from affray.tui.widgets.prompt import PromptWidget

Opened = Callable[..., Any]
Played = Callable[..., OpenEncounter]

PEOPLE = {
    "monsters-and-magic": """
add pc Oda hp 30 ac 4 power 2 cunning 3 luck 1 pb 2 attack knife 1d6 piercing agile
add monster Ghoul x2 cr 2 hp 18 ac 2 attack claw 1d6 slashing
""",
    "level-up": """
add pc Oda hp 24 ac 14 level 3 pb 2 dex 3 attack rapier +5 1d8+3 piercing melee
add monster Ghoul x2 hp 22 ac 12 hit-dice 5 attack claws +4 2d4+2 slashing melee
""",
    "adventure-school": """
add pc Oda hp 20 ac 12 strength 3 attack sword +4 vs ac 1d8 slashing
add monster Ghoul x2 hp 20 ac 11 strength 2 attack claw +3 vs ac 1d6
""",
    "orcus": """
add pc Oda hp 30 ac 15 fort 14 ref 14 will 14 init 2 recoveries 6 attack Sword +7 vs ac 1d8 \
power "Fire Burst" at-will standard +6 vs reflex 1d6 fire near
add monster Ghoul hp 20 ac 14 fort 12 ref 13 will 11 init 2 attack Claw +5 vs ac 1d8+2
add monster Wisp hp 20 ac 16 fort 12 ref 18 will 11 init 2 attack Claw +5 vs ac 1d8+2
""",
}
ORDER = "init oda 17\ninit ghoul-1 10\ninit ghoul-2 9\nstart\n"
OF_ORCUS = "init oda 17\ninit ghoul 10\ninit wisp 9\nstart\n"


@pytest.fixture
def fight_of(played: Played, game_of: Opened) -> Opened:
    """Oda (1) is up; behind her two ghouls (2, 3), or a ghoul and a wisp in Orcus."""

    def open_(ruleset: str, *lines: str, size: tuple[int, int] = (120, 40)) -> Any:
        order = OF_ORCUS if ruleset == "orcus" else ORDER
        commands = PEOPLE[ruleset] + order + "\n".join(lines)
        return game_of(played(commands, ruleset=ruleset), size)

    return open_


LEANING = (
    ("monsters-and-magic", "inflict oda prone"),
    ("level-up", "modifier oda dis attack"),
    ("adventure-school", "inflict oda prone"),
)


def rolled(fight: OpenEncounter) -> Rolled:
    history = fight.history
    events = history.entries[history.last].events
    return next(e for e in events if isinstance(e, Rolled) and e.natural is not None)


@pytest.mark.parametrize("size", [(120, 40), (80, 24)])
async def test_disadvantage_is_said_as_soon_as_the_target_is_known(
    fight_of: Opened, size: tuple[int, int]
) -> None:
    async with fight_of("monsters-and-magic", "inflict oda prone", size=size) as game:
        await game.type("s2")
        assert "disadvantage: Oda is prone" in game.row(PromptWidget, 1)


async def test_what_cancels_out_is_said_with_both_reasons(fight_of: Opened) -> None:
    lines = ("inflict oda prone", "inflict ghoul-1 prone")
    async with fight_of("monsters-and-magic", *lines) as game:
        await game.type("s2")
        told = "advantage (Ghoul 1 is prone) and disadvantage (Oda is prone) cancel out"
        assert told in game.row(PromptWidget, 1)


@pytest.mark.parametrize(("ruleset", "line"), LEANING)
async def test_one_die_for_two_is_taken_as_the_one_that_counts_and_that_is_said_before(
    fight_of: Opened, ruleset: str, line: str
) -> None:
    async with fight_of(ruleset, line) as game:
        await game.type("s2n")
        assert "both, or the one that counts" in game.row(PromptWidget, 1)
        await game.type("15⇥4")
        assert "15 is the one that counts" in game.row(PromptWidget, 1)
        await game.type("↵")
        assert "natural 15" in game.last
        assert "taken as the one that counts" in why_in_words(rolled(game.encounter))


@pytest.mark.parametrize(("ruleset", "line"), LEANING)
async def test_both_dice_are_taken_at_once(fight_of: Opened, ruleset: str, line: str) -> None:
    async with fight_of(ruleset, line) as game:
        await game.type("s215,17⇥4↵")
        assert "natural 15,17" in game.last
        assert rolled(game.encounter).natural == 15


@pytest.mark.parametrize("ruleset", [ruleset for ruleset, _ in LEANING])
async def test_one_die_is_taken_at_once_where_nothing_leans_it(
    fight_of: Opened, ruleset: str
) -> None:
    async with fight_of(ruleset) as game:
        await game.type("s215⇥4↵")
        assert "natural 15" in game.last


async def test_advantage_that_is_said_needs_no_further_key_for_one_die(
    fight_of: Opened,
) -> None:
    async with fight_of("level-up") as game:
        await game.type("s2n17⇥4A↵")
        assert game.last == "attack ghoul-1 natural 17 4 adv"
        assert "taken as the one that counts" in why_in_words(rolled(game.encounter))


async def test_the_preview_of_a_monsters_roll_says_why_there_are_two_dice(
    fight_of: Opened,
) -> None:
    async with fight_of("monsters-and-magic", "inflict ghoul-1 prone", "next") as game:
        await game.type("s1r")
        row = game.row(PromptWidget, 1)
        assert "2d20kl1" in row and "disadvantage: Ghoul 1 is prone" in row


async def test_which_ability_an_agile_weapon_rolls_is_said_before_it_does(
    fight_of: Opened,
) -> None:
    """Monsters & Magic, Abilities: a cunning roll in place of a power roll."""
    async with fight_of("monsters-and-magic", size=(200, 60)) as game:
        await game.type("s2")
        assert "+3 CUNNING, +2 PB" in game.row(PromptWidget, 1)


async def test_each_of_several_has_its_own_number(fight_of: Opened) -> None:
    async with fight_of("orcus") as game:
        await game.type("%2,3 " if game.screen.keymap.find("p") is None else "p2,3 ")
        assert "against 13, 18" in game.row(PromptWidget)


async def test_each_of_several_leans_as_it_does(fight_of: Opened) -> None:
    lines = ("inflict ghoul dazed",)
    async with fight_of("orcus", *lines) as game:
        await game.type("s2")
        assert "combat advantage" in game.row(PromptWidget, 1)


async def test_a_saving_throw_of_several_says_who_leans(fight_of: Opened) -> None:
    async with fight_of("level-up", "modifier ghoul-1 dis dex-save") as game:
        await game.type("*2,3 ⇥d")
        assert "Ghoul 1: disadvantage: modifier" in game.row(PromptWidget, 1)


async def test_a_death_save_under_disadvantage_says_that_there_are_two_dice(
    fight_of: Opened,
) -> None:
    """Level Up, Death Saving Throws."""
    lines = ("modifier oda dis save", "next", "damage oda 24", "next", "next")
    async with fight_of("level-up", *lines) as game:
        await game.type("↵")
        assert "disadvantage: modifier" in game.row(PromptWidget)
        assert "both, or the one that counts" in game.row(PromptWidget)
        await game.type("12↵")
        assert game.last == "death oda natural 12"
        await game.type("u↵12,4↵")
        assert game.last == "death oda natural 12,4"

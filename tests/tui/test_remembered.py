"""What a prompt was answered is offered again by the next ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from affray.store.open_encounter import OpenEncounter


async def test_the_target_chosen_last_is_offered_behind_a_prompt_that_has_none(
    fight: OpenEncounter, game_of: Callable[..., Any]
) -> None:
    """By keys: the one who was struck by a command meanwhile is not it."""
    async with game_of(fight) as game:
        await game.type("s4s3↵")
        assert fight.history.entries[fight.history.last].command == "strike ghoul-2 strong 3"
        fight.do("strike ghoul-1 strong 2 by brannoc")
        await game.type("m↵")
        await game.type("s")
        assert game.line.prompt.target == "ghoul-2"


async def test_whoever_was_struck_is_not_those_to_whom_something_was_done(
    fight: OpenEncounter, game_of: Callable[..., Any]
) -> None:
    """`=` (as before) is about those who were named together, and is offered behind such alone."""
    async with game_of(fight) as game:
        await game.type("s4s3↵-")
        assert "as before" not in [offer.label for offer in game.line.prompt.field.offers()]
        await game.type("3,4 2↵-")
        assert "as before" in [offer.label for offer in game.line.prompt.field.offers()]


CASTERS = """
add pc Sefa hp 24 ac 12 int 4 pb 3 spell 7 spell-dc 15 slots 4,3,2 spells Fireball
add pc Odo hp 30 ac 14 dex 1 pb 3
add monster Goblin hp 70 ac 15 dex 2
init sefa 18
init odo 15
init goblin 8
start
"""


async def test_nobody_is_offered_the_spells_that_others_have_cast(
    played: Callable[..., Any], game_of: Callable[..., Any]
) -> None:
    fight = played(CASTERS, ruleset="5e")
    async with game_of(fight) as game:
        await game.type("CGlow↵↵ ")
        await game.type("C")
        assert fight.state.turn == "odo" and not game.line.prompt.field.choices
        await game.type("⎋1C")
        assert game.line.prompt.field.choices == ("Fireball", "Glow")

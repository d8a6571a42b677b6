"""Spells that ask for a save are told as saves, by keys (Adventure School, Adventure School,
Spells)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from affray.tui.widgets.prompt import PromptWidget

FIGHT = """
add pc Cato hp 28 ac 13 spellburn d10 control 15 ability Drench spellburn save health dc 14 \
inflicts soaked ability Boil spellburn save health dc 14 half 3d6 fire ability Bolt spellburn \
+7 vs ac 2d6 fire
add monster Ghoul hp 30 ac 12 health 1
init cato 20
init ghoul 3
start
"""


@pytest.mark.parametrize(
    ("keys", "command"),
    [
        ("pDre↵2f↵r", 'ability "Drench" ghoul fail'),
        ("pDre↵2s↵r", 'ability "Drench" ghoul pass'),
        ("pBoi↵2s9↵r", 'ability "Boil" ghoul pass 9'),
        ("pBoi↵2f9↵r", 'ability "Boil" ghoul fail 9'),
        ("pBol↵2h9↵r", 'ability "Bolt" ghoul hit 9'),
        ("pDre⇥7⇥2f↵", 'ability "Drench" rolled 7 ghoul fail'),
        ("CDre⇥7⇥2f↵", 'cast "Drench" rolled 7 at ghoul fail'),
        ("CDre↵2f↵r", 'cast "Drench" at ghoul fail'),
        ("pDre↵2↵r", 'ability "Drench" ghoul roll'),
        ("CDre↵2↵r", 'cast "Drench" at ghoul roll'),
    ],
)
async def test_how_a_save_came_out_has_its_letter_and_damage_is_asked_where_there_is_some(
    played: Callable[..., Any], game_of: Callable[..., Any], keys: str, command: str
) -> None:
    async with game_of(played(FIGHT, ruleset="adventure-school"), (120, 40)) as game:
        await game.type(keys)
        assert game.last == command, game.row(PromptWidget) + game.row(PromptWidget, 1)


async def test_a_save_offers_the_letters_of_saves_alone(
    played: Callable[..., Any], game_of: Callable[..., Any]
) -> None:
    async with game_of(played(FIGHT, ruleset="adventure-school"), (120, 40)) as game:
        await game.type("pDre↵2⇥")
        assert [o.key for o in game.line.prompt.field.offers()] == ["c", "s", "f", "n", "r"]
        await game.type("⎋pBol↵2⇥")
        assert [o.key for o in game.line.prompt.field.offers()] == ["m", "h", "c", "x", "n", "r"]


@pytest.mark.parametrize(("keys", "asks"), [("pDre↵2s", False), ("pBoi↵2s", True)])
async def test_a_save_that_was_made_asks_for_damage_only_where_half_of_it_is_left(
    played: Callable[..., Any], game_of: Callable[..., Any], keys: str, asks: bool
) -> None:
    async with game_of(played(FIGHT, ruleset="adventure-school"), (120, 40)) as game:
        await game.type(keys)
        assert ("damage" in game.row(PromptWidget)) is asks


async def test_what_a_spellburn_die_shows_is_a_number(
    played: Callable[..., Any], game_of: Callable[..., Any]
) -> None:
    async with game_of(played(FIGHT, ruleset="adventure-school"), (80, 24)) as game:
        await game.type("pDre⇥x")
        assert game.line.prompt.trouble.startswith(
            "x is no answer: the numbers on the dice, such as 7 or 7,3"
        )
        await game.type("1")
        await game.type("2⇥")
        assert "1 to 10, found 12" in game.line.prompt.trouble
        await game.type("<backspace>⇥2f↵")
        assert game.last == 'ability "Drench" rolled 1 ghoul fail'


async def test_what_rolls_no_spellburn_die_asks_for_none(
    played: Callable[..., Any], game_of: Callable[..., Any]
) -> None:
    fight = FIGHT.replace("ability Bolt spellburn ", "ability Bolt ")
    async with game_of(played(fight, ruleset="adventure-school"), (80, 24)) as game:
        await game.type("pBol⇥")
        assert "spellburn" not in game.row(PromptWidget)
        await game.type("2h9↵")
        assert game.last == 'ability "Bolt" ghoul hit 9'


async def test_a_players_roll_is_asked_for_behind_the_target(
    played: Callable[..., Any], game_of: Callable[..., Any]
) -> None:
    async with game_of(played(FIGHT, ruleset="adventure-school"), (80, 24)) as game:
        await game.type("pBol↵2↵")
        assert "outcome" in game.row(PromptWidget)
        await game.type("mr")
        assert game.last == 'ability "Bolt" ghoul miss'


ONE = """
add pc Runa hp 46 ac 15 stamina 5 ability Hew stamina 1 +8 vs ac 2d6 slashing
add monster Ghoul hp 30 ac 12 health 1
init runa 20
init ghoul 3
start
"""


@pytest.mark.parametrize("keys", ["p", "pHew↵", "phe↵", "pHew⇥"])
async def test_the_name_of_the_only_ability_may_be_typed_and_uses_nothing_up(
    played: Callable[..., Any], game_of: Callable[..., Any], keys: str
) -> None:
    async with game_of(played(ONE, ruleset="adventure-school"), (80, 24)) as game:
        await game.type(keys)
        assert game.last == "start"
        await game.type("2h9↵")
        assert game.last == 'ability "Hew" ghoul hit 9'


ONE_SPELL = FIGHT.partition(" ability Boil")[0] + FIGHT.partition("2d6 fire")[2]


@pytest.mark.parametrize(
    ("keys", "command"),
    [
        ("p2f↵r", 'ability "Drench" ghoul fail'),
        ("p↵2f↵r", 'ability "Drench" ghoul fail'),
        ("p⇥7⇥2f↵", 'ability "Drench" rolled 7 ghoul fail'),
        ("pdre⇥7⇥2f↵", 'ability "Drench" rolled 7 ghoul fail'),
    ],
)
async def test_the_number_behind_the_only_spell_is_whom_it_is_at(
    played: Callable[..., Any], game_of: Callable[..., Any], keys: str, command: str
) -> None:
    async with game_of(played(ONE_SPELL, ruleset="adventure-school"), (120, 40)) as game:
        await game.type(keys)
        assert game.last == command, game.row(PromptWidget) + game.row(PromptWidget, 1)


async def test_at_80_columns_the_letters_of_a_save_are_told(
    played: Callable[..., Any], game_of: Callable[..., Any]
) -> None:
    fight = ONE_SPELL.replace("Ghoul", '"Gutter Eel"').replace("ghoul", "gutter-eel")
    async with game_of(played(fight, ruleset="adventure-school"), (80, 24)) as game:
        await game.type("p2⇥")
        row = game.row(PromptWidget)
        assert all(words in row for words in ("c crit", "s pass")), row

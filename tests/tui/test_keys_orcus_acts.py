"""What the text of Orcus lets one do with powers is done by keys (Orcus, Powers)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from affray.tui.widgets.prompt import PromptWidget

FIGHT = """
add pc Hesper hp 40 ac 16
add pc Wren hp 40 ac 16 psi-focus attack bow +7 vs ac 1d10 attack claw +8 vs ac 2d6 \
power "Mind Thrust" at-will augmentable +7 vs will 1d10 psychic \
power "Double Claw" at-will power "Grey Fog" daily tags zone power "Iron Stand" encounter swift \
tags stance
add monster Fen hp 30 ac 12 will 11
add monster Ash companion of Wren hp 20
init wren 20
init hesper 15
init fen 3
start
"""


@pytest.mark.parametrize(
    ("keys", "command"),
    [
        ("pMin⇥3Uh8↵", 'power "Mind Thrust" fen hit 8 augmented'),
        ("pMin⇥3Ah8↵", 'power "Mind Thrust" fen hit 8 advantage'),
        ("pDou⇥3Lh8↵", 'power "Double Claw" fen hit 8 with claw'),
        (";ccm↵", "command ash move"),
    ],
)
async def test_an_act_has_its_keys(
    played: Callable[..., Any], game_of: Callable[..., Any], keys: str, command: str
) -> None:
    async with game_of(played(FIGHT, ruleset="orcus"), (120, 40)) as game:
        await game.type(keys)
        assert game.last == command, game.row(PromptWidget) + game.row(PromptWidget, 1)


@pytest.mark.parametrize(
    ("keys", "name"), [("pGre↵↵", "zone"), ("pIro↵↵", "stance")], ids=["zone", "stance"]
)
async def test_a_power_begins_what_it_is(
    played: Callable[..., Any], game_of: Callable[..., Any], keys: str, name: str
) -> None:
    async with game_of(played(FIGHT, ruleset="orcus"), (120, 40)) as game:
        await game.type(keys)
        assert any(name in (e.kind, e.name) for e in game.who("wren").effects)

"""The footer says what an enter does: `do it` where it is done, `go on` where more is asked, and
nothing where it could only say what is lacking, such as a player's die."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.tui.conftest import Sample
from tests.tui.test_areas import FIFTH
from tests.tui.test_hints_whole import GAMES, MOST_STEPS

from affray.core.engine.foresight import Foresight
from affray.core.parser.errors import Refused
from affray.store.open_encounter import OpenEncounter
from affray.tui.keymap import keymap_for
from affray.tui.prompts.command_bar import InputState
from affray.tui.prompts.context import PromptContext
from affray.tui.prompts.prompt import Prompt
from affray.tui.widgets.header_footer import Footer

Play = Callable[..., Any]


def questions(fight: OpenEncounter) -> Iterator[Prompt]:
    """Each prompt of the game at each question to which `tab` leads, anew each time."""
    view = PromptContext(
        fight.state, fight.ruleset, fight.state.turn, fight.state.turn,
        preview_command=Foresight(fight.preview),
    )  # fmt: skip
    for binding in keymap_for(fight.ruleset).keys:
        for tabs in range(MOST_STEPS if binding.prompt is not None else 0):
            assert binding.prompt is not None
            prompt = Prompt(binding.prompt, view)
            if all(prompt.feed("tab") is InputState.OPEN for _ in range(tabs)):
                yield prompt


@pytest.mark.parametrize("game", GAMES)
def test_what_the_footer_says_of_enter_is_what_it_does(sample: Sample, game: str) -> None:
    wrong, done = [], 0
    for prompt in questions(sample(game)):
        said, where = prompt.enter, f"{prompt.spec.id}: {prompt.line!r} at {prompt.at}"
        done += said == "do it"
        does = prompt.feed("enter") is InputState.FINISHED
        is_done = does and not isinstance(prompt.view.preview_command(prompt.line), Refused)
        wrong += [where] if is_done is not (said == "do it") else []
    assert done > 5 and not wrong, wrong[:10]


async def test_an_enter_that_asks_for_a_players_die_does_not_say_that_it_does_it(
    played: Play, game_of: Play
) -> None:
    async with game_of(played(FIFTH, ruleset="5e")) as game:
        await game.type("Cf⇥4-6⇥ffs")
        assert "Sefa's 8d6, or r to roll them" in game.row(type(game.line), 1)
        assert "↵" not in game.row(Footer)
        await game.type("20")
        assert "↵ do it" in game.row(Footer)


async def test_an_enter_that_would_be_refused_is_not_offered(played: Play, game_of: Play) -> None:
    fight = played(f"{FIFTH}cast Fireball at goblin-1 failure 20\n", ruleset="5e")
    async with game_of(fight) as game:
        await game.type("Cf⇥5⇥f20")
        assert "Sefa has used a slot" in game.row(type(game.line), 1)
        assert "↵" not in game.row(Footer)


async def test_the_enter_that_only_takes_ones_only_power_goes_on(
    played: Play, game_of: Play
) -> None:
    fight = played(FIFTH.replace("spells Fireball", 'power "Second Wind" bonus'), ruleset="5e")
    async with game_of(fight) as game:
        await game.type("p")
        assert "↵ continue" in game.row(Footer)
        await game.type("↵")
        assert "↵ do it" in game.row(Footer)

"""What a command came to stands whole in the message row, however many rows that takes.

Nothing is cut beside empty rows (docs/screen.md): the panes above give way, and whoever is up stays
in sight.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.tui.seen import panes_of

from affray.core.formatting.log_lines import entry_line
from affray.store.open_encounter import OpenEncounter
from affray.tui.widgets.prompt import LEFT_TO_PANES

Sample = Callable[[str], OpenEncounter]
Play = Callable[..., Any]

SIZES = [(80, 24), (120, 40), (200, 60)]
SAMPLES = {
    "monsters-and-magic": "drowned-vale/encounters/lantern-street.toml",
    "orcus": "kiln-road/encounters/the-ninth-kiln.toml",
    "level-up": "salt-stair/encounters/the-bell-in-the-gale.toml",
    "5e": "ash-road/encounters/the-bed-of-the-drake.toml",
    "adventure-school": "winter-term/encounters/midnight-in-the-refectory.toml",
    "plain": "night-ferry/encounters/mid-river.toml",
}


def message(game: Any) -> str:
    """All that stands in the rows of the prompt, as one text."""
    rows = panes_of(game.screen)["prompt"].rows
    return " ".join(" ".join(rows).split())


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", SAMPLES)
async def test_what_all_of_them_take_is_told_whole(
    sample: Sample, game_of: Play, name: str, size: tuple[int, int]
) -> None:
    """An area on everybody, typed: its preview before enter, and its result."""
    fight = sample(SAMPLES[name])
    if fight.state.phase != "combat":
        states = fight.history.states
        fight.do(f"goto {max(seq for seq, state in states.items() if state.phase == 'combat')}")
    async with game_of(fight, size) as game:
        await game.type(":damage all 3")
        await game.pilot.pause()
        ahead = game.line.outlook.text
        assert ahead and ahead in message(game)
        await game.type("↵")
        await game.pilot.pause()
        assert len(game.said) > 2 * 76 or name == "plain"
        assert game.said in message(game)
        seen = panes_of(game.screen)
        assert "▶" in seen["initiative"].text
        assert len(seen["prompt"].rows) <= size[1] - LEFT_TO_PANES
        await game.type("⎋")
        await game.pilot.pause()
        assert len(panes_of(game.screen)["prompt"].rows) == 2


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", SAMPLES)
async def test_the_longest_of_each_game_have_the_rows_that_they_need(
    sample: Sample, game_of: Play, name: str, size: tuple[int, int]
) -> None:
    """The results of a whole fight: attacks of several, saves, what a reaction set off, `why`."""
    fight = sample(SAMPLES[name])
    tracks, history = fight.ruleset.tables.tracks, fight.history
    lines = [
        entry_line(each, history.before(each.seq), tracks)
        for each in history.entries.values()
        if each.to is None
    ]
    who = next(iter(fight.state.combatants))
    lines.append(" · ".join(fight.ask(f"why {who.id} ac").lines))
    async with game_of(fight, size) as game:
        for line in sorted(lines, key=len)[-3:]:
            game.screen.show_message(line)
            await game.pilot.pause()
            assert " ".join(game.said.split()) in message(game)


async def test_what_would_come_of_an_answer_takes_rows_and_leaves_the_keys(
    sample: Sample, game_of: Play
) -> None:
    fight = sample(SAMPLES["5e"])
    while fight.state.turn != "teasel":
        fight.do("next")
    async with game_of(fight, (80, 24)) as game:
        await game.type("s5n15")
        await game.type("\t")
        await game.pilot.pause()
        rows = panes_of(game.screen)["prompt"].rows
        assert game.line.outlook.text in message(game)
        assert "esc" in panes_of(game.screen)["footer"].text, rows

"""What a command came to stands whole in the message row, however many rows that takes.

Nothing is cut beside empty rows (docs/screen.md): the panes above give way, and whoever is up stays
in sight.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.tui.seen import panes_of
from textual.app import App

from affray.core.formatting.log_lines import entry_line
from affray.store.open_encounter import OpenEncounter
from affray.tui.widgets.base import Pane
from affray.tui.widgets.prompt import LEFT_TO_PANES, PROMPT_ROWS

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


@pytest.mark.parametrize("size", [(80, 24), (120, 26), (120, 40), (200, 60)])
async def test_more_rows_stand_in_front_of_the_panes_whose_frames_end_above(
    sample: Sample, game_of: Play, size: tuple[int, int]
) -> None:
    """No pane is placed again, and what has to be seen of it stays in sight."""
    async with game_of(sample(SAMPLES["5e"]), size) as game:
        while game.screen.layout.arrangement.chosen != "log":
            await game.type("\t")
        game.screen.move_cursor(40)
        newest = str(game.screen.encounter.history.head)
        placed = {pane.id: pane.region for pane in game.screen.query(Pane)}
        await game.type(":damage all 3")
        await game.pilot.pause()
        assert game.line.region.height > PROMPT_ROWS
        assert placed == {pane.id: pane.region for pane in game.screen.query(Pane)}
        seen = panes_of(game.screen)
        framed = {name: pane for name, pane in seen.items() if pane.edges}
        assert framed.keys() >= {"initiative", "log"}
        assert all(pane.edges[1].startswith("╰") for pane in framed.values()), framed
        assert "›" in seen["initiative"].text
        assert f" {newest} " in seen["log"].text
        await game.type("⎋")
        await game.pilot.pause()
        assert game.line.region.height == PROMPT_ROWS
        assert not any(pane.covered for pane in game.screen.query(Pane))


async def test_a_key_whose_result_takes_more_rows_is_painted_once(
    sample: Sample, game_of: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second picture would come a frame later, which is longer than all the work for the key."""
    painted: list[str] = []
    monkeypatch.setattr(App, "_display", lambda _app, _screen, _update: painted.append("once"))
    async with game_of(sample(SAMPLES["5e"]), (120, 40)) as game:
        await game.type(":damage all ")
        await game.pilot.pause(0.2)
        for key, rows in (("3", True), ("⎋", False)):
            painted.clear()
            await game.type(key)
            await game.pilot.pause(0.2)
            assert painted == ["once"]
            assert (game.line.region.height > PROMPT_ROWS) is rows

"""What was asked by its own rules is asked like everything else: who is concealed, which clock."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.tui.conftest import play

FIGHT = """
add pc Mira hp 24
add monster Ghoul x2 hp 18
init roll all
start
clock "The dike breaks" 6
"""


async def test_who_is_kept_from_the_players_is_asked(opened: Callable[..., Any]) -> None:
    async with opened(FIGHT) as game:
        await game.type("V")
        assert not game.who("mira").hidden and not game.who("ghoul-1").hidden
        await game.type("2↵")
        assert game.last == "conceal ghoul-1"
        await game.type("V2↵")
        assert game.last == "reveal ghoul-1"
        await game.type("VF↵V1,2r↵")
        assert game.last == "reveal mira,ghoul-1"


async def test_the_only_clock_is_chosen_and_the_beginning_of_a_word_is_enough(
    opened: Callable[..., Any],
) -> None:
    async with opened(FIGHT) as game:
        await game.type("L⇥t↵")
        assert game.last == 'clock "The dike breaks" t'
        assert [clock.value for clock in game.encounter.state.clocks] == [5]
        await game.type("Lrain⇥4↵")
        assert game.last == 'clock "rain" 4'
        await game.type("L⇥")
        assert game.line.is_open, "of two none is chosen"


RULES = """
[effects.frightened]
modifiers = { attack = -2 }

[tracks.slotsone]
label = "Slots 1"
"""


async def test_the_beginning_of_a_condition_or_counter_of_the_campaigns_is_enough(
    tmp_path: Path, game_of: Callable[..., Any]
) -> None:
    (tmp_path / "encounters").mkdir()
    (tmp_path / "campaign.toml").write_text('ruleset = "plain"\n', "utf-8")
    (tmp_path / "rules.toml").write_text(RULES, "utf-8")
    with play(tmp_path / "encounters" / "mill.toml", "", ruleset="plain") as fight:
        for line in (
            "add pc Mira hp 20 slotsone 3",
            "add monster Wolf hp 8",
            "init roll all",
            "start",
        ):
            fight.do(line)
        async with game_of(fight) as game:
            await game.type("c2fri⇥e↵")
            assert game.last.startswith("inflict wolf frightened until end of")
            await game.type("m1sl⇥-1↵")
            assert game.last == "count mira slotsone -1"
            await game.type("c1hexed↵")
            assert game.last == 'inflict mira "hexed"', "any other name is one as well"

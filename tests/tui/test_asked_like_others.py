"""What was asked by its own rules is asked like everything else: who is concealed, which clock."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.tui.conftest import play

from affray.tui.widgets.prompt import PromptWidget
from affray.tui.widgets.techniques import TechniquesPane

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
        assert game.last == 'clock "The dike breaks" tick'
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


@pytest.mark.parametrize(
    ("ruleset", "sheet", "keys", "choices"),
    [
        ("adventure-school", "hp 30 ac 14 init 2", "Z", ("short", "long")),
        ("adventure-school", "hp 30 ac 14 init 2", ";sk", ("before", "after")),
        ("orcus", "hp 30 ac 14 fort 12 ref 12 will 12 init 2", "Z", ("short",)),
        ("level-up", "hp 30 ac 14 init 2", "Z", ("short", "long")),
        ("5e", "hp 30 ac 14 init 2", "Z", ("short", "long")),
        ("monsters-and-magic", "hp 30 ac 2", "Z", ("short", "long")),
        ("monsters-and-magic", "hp 30 ac 2", "i", ("number…", "roll", "before", "after")),
    ],
)
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_what_there_is_to_choose_from_is_said_once(
    played: Callable[..., Any],
    game_of: Callable[..., Any],
    ruleset: str,
    sheet: str,
    keys: str,
    choices: tuple[str, ...],
    size: tuple[int, int],
) -> None:
    fight = played(f"add pc Mira {sheet}", ruleset=ruleset)
    async with game_of(fight, size) as game:
        await game.type(keys)
        said = f"{game.row(PromptWidget)} {game.row(PromptWidget, 1)}"
        assert [said.split().count(word) for word in choices] == [1] * len(choices), said


@pytest.mark.parametrize(
    ("ruleset", "sheet", "name"),
    [
        ("adventure-school", "hp 30 ac 14 init 2", "Ability"),
        ("level-up", "hp 30 ac 14 init 2", "Power"),
    ],
)
async def test_who_has_no_powers_is_offered_none_and_the_key_says_so(
    played: Callable[..., Any], game_of: Callable[..., Any], ruleset: str, sheet: str, name: str
) -> None:
    fight = played(f"add monster Ghoul {sheet}\nstart", ruleset=ruleset)
    async with game_of(fight, (120, 40)) as game:
        pane = game.screen.query_one(TechniquesPane)
        rows = [pane.render_line(y).text for y in range(pane.size.height)]
        assert not any(name in row for row in rows), rows
        assert " not now" in pane.aside
        await game.type("p")
        assert "Ghoul has none" in game.row(PromptWidget)


async def test_with_nobody_there_a_key_for_a_power_says_so(
    played: Callable[..., Any], game_of: Callable[..., Any]
) -> None:
    async with game_of(played("", ruleset="adventure-school"), (80, 24)) as game:
        await game.type("p")
        assert "nobody is in the fight yet" in game.row(PromptWidget)

"""What people carry, and counters that come back, by keys (docs/commands.md, What people carry)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from tests.tui.conftest import play
from tests.tui.test_people import screen_text

from affray.tui.widgets.prompt import PromptWidget

GAMES = ["5e", "level-up", "orcus", "adventure-school", "plain"]
THINGS = 'item "Potion of Healing" x2 does "2d4+2 HP" item rope'
GRIT = """
[tracks.grit]
label = "Grit"
shown = "pips"
resets = "round"
"""
SIZES = [(80, 24), (120, 40)]
TABLE = f"""
add pc Mira hp 30 ac 14 {THINGS}
add pc Odo hp 30 ac 12
add monster Rat hp 5 ac 9
init mira 20
init odo 10
init rat 5
start
"""
Open = Callable[..., Any]


@pytest.fixture
def table(played: Open, game_of: Open) -> Open:
    def open_(game: str, size: tuple[int, int] = (120, 40), more: str = "") -> Any:
        return game_of(played(TABLE + more, "The Barrow", game), size)

    return open_


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("rules", GAMES)
async def test_a_thing_is_given_by_letters_of_its_name(
    table: Open, rules: str, size: tuple[int, int]
) -> None:
    async with table(rules, size) as game:
        await game.type(";it1")
        assert "Potion of Healing  rope" in game.row(PromptWidget)
        await game.type("ro↵")
        assert "Mira gets rope, 2 in all" in game.said
        assert game.last == 'item mira "rope"'


@pytest.mark.parametrize("rules", GAMES)
async def test_one_is_used_and_another_is_new_by_keys(table: Open, rules: str) -> None:
    async with table(rules) as game:
        await game.type(";it1pot⇥-1↵")
        assert "Mira uses Potion of Healing (2d4+2 HP), 1 left" in game.said
        await game.type(";it2rope of silk⇥3↵")
        assert "Odo gets 3 rope of silk" in game.said
        await game.type("u")
        assert "items" not in game.who("odo").stats or not game.who("odo").stats["items"]


@pytest.mark.parametrize("rules", GAMES)
async def test_the_partys_inventory_is_a_few_keys_away(table: Open, rules: str) -> None:
    async with table(rules, (120, 40), "item odo torch +2\n") as game:
        entries = len(game.encounter.history.entries)
        await game.type(";inv")
        assert "Mira: Potion of Healing ×2 (2d4+2 HP), rope · Odo: torch ×2" in game.said
        assert len(game.encounter.history.entries) == entries


@pytest.mark.parametrize("rules", ["5e", "level-up"])
@pytest.mark.parametrize("size", SIZES)
async def test_what_is_used_is_offered_by_letters_and_one_is_gone(
    table: Open, rules: str, size: tuple[int, int]
) -> None:
    async with table(rules, size) as game:
        await game.type("Up")
        assert "Potion of Healing" in screen_text(game.pilot.app)
        await game.type("↵")
        assert "Mira uses Potion of Healing (2d4+2 HP), 1 left" in game.said


@pytest.mark.parametrize("rules", ["5e", "plain"])
async def test_the_card_tells_what_somebody_carries(table: Open, rules: str) -> None:
    async with table(rules, (200, 60)) as game:
        assert "Carries Potion of Healing ×2 (2d4+2 HP), rope" in screen_text(game.pilot.app)


@pytest.fixture
def gritty(tmp_path: Path, game_of: Open) -> Iterator[Open]:
    """Opens a fight in a campaign that has a track of its own; Mira has 1 of 3 grit."""
    with ExitStack() as opened:

        def open_(game: str) -> Any:
            folder = tmp_path / "vale"
            (folder / "encounters").mkdir(parents=True)
            (folder / "rules.toml").write_text(GRIT, "utf-8")
            lines = TABLE.replace(THINGS, "grit 3")
            if game == "monsters-and-magic":
                lines = lines.replace(" ac 14", "").replace(" ac 12", "").replace(" ac 9", "")
            path = folder / "encounters" / "one.toml"
            lines += "set mira grit 1\nnext\n"
            return game_of(opened.enter_context(play(path, lines, "The Barrow", game)))

        yield open_


@pytest.mark.parametrize("rules", [*GAMES, "monsters-and-magic"])
async def test_a_counter_comes_back_as_the_round_does_by_keys(gritty: Open, rules: str) -> None:
    async with gritty(rules) as game:
        assert game.who("mira").track("grit") == 1
        await game.type(" ")
        assert game.who("mira").track("grit") == 1
        await game.type(" ")
        assert game.encounter.state.round == 2
        assert game.who("mira").track("grit") == 3
        assert "Grit comes back" in screen_text(game.pilot.app)
        await game.type("u")
        assert game.who("mira").track("grit") == 1

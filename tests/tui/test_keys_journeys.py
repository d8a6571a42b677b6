"""Whole journeys with the keys alone, on the real screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.tui.ghouls import FIGHT
from textual.geometry import Offset

from affray.core.dice import SeededDice, parse_dice, roll
from affray.tui.screens.fight import FightScreen
from affray.tui.widgets.header_footer import Footer
from affray.tui.widgets.prompt import PromptWidget
from affray.tui.widgets.timers import TimersPane

SIZES = [(80, 24), (120, 40)]


Play = Callable[..., Any]


@pytest.fixture
def play(opened: Play) -> Play:
    """Opens a fight on the screen."""
    return lambda commands=FIGHT, size=(120, 40): opened(commands, size)


@pytest.mark.parametrize("size", SIZES)
async def test_the_strike_in_five_keys(play: Play, size: tuple[int, int]) -> None:
    async with play(size=size) as game:
        await game.type("s3s8↵")
        assert game.who("ghoul-1").track("hp") == 12
        assert "Brannoc strikes Ghoul 1, strong 8" in game.said
        assert not game.line.is_open


async def test_the_preview_stands_below_the_prompt_and_changes_nothing(play: Play) -> None:
    async with play() as game:
        entries = len(game.encounter.history.entries)
        await game.type("s3s8")
        assert "Strike › Ghoul 1 › strong › 8" in game.row(PromptWidget)
        assert "12 left" in game.row(PromptWidget, 1)
        await game.type("⎋")
        assert len(game.encounter.history.entries) == entries
        assert not game.line.is_open


async def test_a_monsters_strike_is_one_key_and_an_enter(play: Play) -> None:
    async with play() as game:
        await game.type("  ")
        assert game.encounter.state.turn == "ghoul-1"
        await game.type("s")
        assert "rolls" not in game.row(PromptWidget, 1) or "1d20+2" in game.row(PromptWidget, 1)
        await game.type("↵")
        entry = game.encounter.history.entries[game.encounter.history.last]
        assert entry.command == "strike brannoc roll"


async def test_a_whole_round(play: Play) -> None:
    async with play() as game:
        await game.type("s3s8↵")  # Brannoc
        await game.type("s w9↵ ")  # the same target again, weak
        await game.type("t4s↵ ")  # Mira distracts Ghoul 2
        await game.type("s↵ ")  # Ghoul 1, by the app
        await game.type("s2↵ ")  # Ghoul 2, by the app
        assert game.encounter.state.round == 2
        assert game.encounter.state.turn == "brannoc"
        assert game.who("ghoul-1").track("hp") == 12 - 2
        assert game.who("brannoc").track("ap") == 3


async def test_a_death_and_a_rescue(play: Play) -> None:
    async with play() as game:
        await game.type("-2 99↵")
        assert game.who("mira").life == "dying"
        await game.type(" ")  # Mira's turn: the edge asks for the roll
        head = " ".join(line.text for line in game.screen.query_one(TimersPane).head)
        assert "luck roll" in head
        await game.type("↵w")
        assert game.who("mira").track("deathsaves") == 1
        await game.type("u")
        assert game.who("mira").track("deathsaves") == 0
        await game.type("Dn15↵")
        assert game.who("mira").track("deathsaves") == 1
        await game.type("+2 5↵")
        assert game.who("mira").life == "up"
        assert game.who("mira").track("hp") == 5


async def test_undo_across_a_turns_end_names_what_it_takes_back(play: Play) -> None:
    async with play() as game:
        await game.type("s3s8↵c3w↵")
        before = game.encounter.state
        await game.type("   ")
        await game.type("uuu")
        assert game.encounter.state is before
        assert game.said.startswith("undone: Brannoc's turn ends")
        await game.type("u")
        assert "undone: Ghoul 1" in game.said
        await game.type("u")
        assert game.said == "undone: Brannoc strikes Ghoul 1, strong 8"
        await game.type("<ctrl+r>")
        assert game.said == "redone: Brannoc strikes Ghoul 1, strong 8"
        assert game.who("ghoul-1").track("hp") == 12


async def test_a_reaction_in_the_middle_of_anothers_turn(play: Play) -> None:
    async with play() as game:
        await game.type("  ")  # Ghoul 1 is up; the cursor goes to Mira
        await game.type("k")
        assert game.screen.cursor == "mira"
        await game.type("o3s6↵")
        assert game.who("ghoul-1").track("hp") == 14
        assert game.who("mira").track("reaction") == 0
        assert game.encounter.state.turn == "ghoul-1"


async def test_a_monster_joins_in_mid_fight(play: Play) -> None:
    async with play() as game:
        await game.type(" a")
        await game.type("monster Warg cr 3 hp 34 ac 3↵⎋")
        assert game.who("warg").kind == "monster"
        await game.type("5")
        assert game.screen.cursor == "warg"
        await game.type("i↵15↵")
        assert [c.id for c in game.encounter.state.in_order()][1] == "warg"
        assert game.encounter.state.turn == "mira"


async def test_a_refused_command_costs_one_line(play: Play) -> None:
    async with play() as game:
        entries = len(game.encounter.history.entries)
        await game.type("s3s1↵s3s1↵")
        assert len(game.encounter.history.entries) == entries + 2
        await game.type("s3m↵")
        assert len(game.encounter.history.entries) == entries + 2
        assert "AP left, needs" in game.row(PromptWidget)
        await game.type("⎋:strik ghoul-1 strong 3↵")
        assert "did you mean strike" in game.said
        assert game.line.bar is not None and game.line.bar.text == "strik ghoul-1 strong 3"
        assert len(game.encounter.history.entries) == entries + 2
        await game.type("⎋")
        assert not game.line.is_open


async def test_damage_to_several_with_a_half(play: Play) -> None:
    async with play() as game:
        await game.type("-3,4h 12ac↵")
        assert game.who("ghoul-1").track("hp") == 18 - 10
        assert game.who("ghoul-2").track("hp") == 18 - 4


async def test_the_command_bar_completes_and_remembers(play: Play) -> None:
    async with play() as game:
        await game.type(":strike g⇥⇥ strong 8↵")
        assert game.who("ghoul-1").track("hp") == 12
        await game.type("u")
        await game.type(":<up>↵")
        assert game.who("ghoul-1").track("hp") == 12
        await game.type(":why ghoul-1 hp↵")
        assert "18" in game.said or "12" in game.said


async def test_dice_are_rolled_in_the_bar_and_no_entry_tells_of_it(play: Play) -> None:
    async with play() as game:
        entries = len(game.encounter.history.entries)
        await game.type(":roll 4d6")
        assert "→" not in game.said  # nothing falls before it is asked for
        await game.type("↵")
        assert game.said == str(roll(parse_dice("4d6"), SeededDice(11)))
        await game.type(":roll 4dx↵")
        assert "expected a number of sides" in game.said
        assert len(game.encounter.history.entries) == entries


async def test_how_long_a_pool_lasts_is_asked_in_the_bar_and_no_clock_begins(play: Play) -> None:
    async with play() as game:
        await game.type(":clock expect 4d6↵")
        assert game.said == "4d6 lasts this many rolls on average: 12 slow, 6 medium, 4 fast"
        assert game.encounter.state.clocks == ()


async def test_looking_back_changes_nothing_and_enter_goes_on_from_there(play: Play) -> None:
    async with play() as game:
        await game.type("s3s8↵ ")
        entries = len(game.encounter.history.entries)
        await game.type(",,")
        assert game.screen.view_at is not None
        await game.type("s")
        assert "entry" in game.said and not game.line.is_open
        await game.type("⎋")
        assert game.screen.view_at is None
        assert len(game.encounter.history.entries) == entries
        await game.type(",,↵")
        assert game.who("ghoul-1").track("hp") == 18
        assert game.said.startswith("now at")


@pytest.mark.parametrize("size", SIZES)
async def test_help_rules_and_palette_open_and_close(play: Play, size: tuple[int, int]) -> None:
    async with play(size=size) as game:
        await game.type("?")
        assert game.sheet.contents.KEY == "help"
        await game.type("⎋/prone")
        assert game.sheet.contents.KEY == "rules"
        await game.type("⎋⎋<ctrl+p>")
        assert not isinstance(game.pilot.app.screen, FightScreen)
        await game.type("⎋s")
        assert game.line.prompt is not None


async def test_the_palette_begins_a_technique(play: Play) -> None:
    async with play() as game:
        await game.find("dodge")
        await game.type("↵")
        await game.until(lambda: game.who("brannoc").named("dodging") is not None)


async def test_the_footer_is_clicked(play: Play) -> None:
    async with play() as game:
        at = game.row(Footer).index("next turn")
        await game.pilot.click(Footer, offset=Offset(at, 0))
        assert game.encounter.state.turn == "mira"


async def test_a_prompt_takes_the_row_that_is_clicked(play: Play) -> None:
    async with play() as game:
        await game.type("s")
        await game.pilot.click("#initiative", offset=Offset(12, 4))
        await game.pilot.pause()
        assert game.line.prompt is not None and game.line.prompt.target == "ghoul-2"


async def test_no_key_lays_the_screen_out_anew(play: Play) -> None:
    async with play() as game:
        await game.type("s3s1↵")  # what the turn's edge had to say goes with it
        laid_out = []
        layout = game.screen.layout
        arrange = layout.arrange

        def counted(*args: Any, **more: Any) -> Any:
            laid_out.append(1)
            return arrange(*args, **more)

        layout.arrange = counted  # type: ignore[method-assign]
        await game.type("jks3s8<backspace>9↵u:next⎋")
        assert laid_out == []


async def test_own_keys_and_what_is_wrong_with_them(
    play: Play, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFFRAY_CONFIG", str(tmp_path))
    (tmp_path / "keys.toml").write_text('next = "v"\nfly = "Y"\n', "utf-8")
    async with play() as game:
        assert "fly" in game.said
        await game.type("v")
        assert game.encounter.state.turn == "mira"


async def test_the_footer_offers_no_key_that_does_something_else(
    play: Play, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFFRAY_CONFIG", str(tmp_path))
    (tmp_path / "keys.toml").write_text('undo = "x"\nnext = "x"\nhelp = "x"\n', "utf-8")
    async with play() as game:
        row = game.row(Footer)
        assert "x next turn" in row
        assert "undo" not in row and "help" not in row

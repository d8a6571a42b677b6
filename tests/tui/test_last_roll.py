"""The last roll asked again: its dice lie as they fell, and one thing is another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.fallen_dice import FallenDice

from affray.core.dice import RecordedDice, RecordedDie, SeededDice
from affray.core.engine.events import Rolled
from affray.store.open_encounter import OpenEncounter
from affray.tui.widgets.prompt import PromptWidget

FIGHT = """
add monster "Ghoul 1" cr 2 hp 18 ac 2 fatigue 3 exhaustion 2 attack claws 1d6+2 slashing
add pc Brannoc hp 30 ac 0 power 2 cunning 1 focus 0 luck 1 pb 2 attack axe 1d8 slashing
add pc Mira hp 24 ac 2 power 0 cunning 3 focus 2 luck 2 pb 1
add monster "Ghoul 2" cr 2 hp 18 ac 2 fatigue 3 exhaustion 2 attack claws 1d6+2 slashing
init ghoul-1 17
init brannoc 12
init mira 10
init ghoul-2 9
start
"""
Play = Callable[..., Any]


class Dice:
    """Faces that lie ready for one command, and others behind them."""

    def __init__(self, *faces: int) -> None:
        self.fallen = FallenDice(faces)

    def die(self, sides: int) -> int:
        return self.fallen.die(sides)


@pytest.fixture
def play(played: Callable[..., OpenEncounter], game_of: Callable[..., Any]) -> Play:
    """Ghoul 1 (1) is up; behind it Brannoc (2), Mira (3) and Ghoul 2 (4)."""

    def open_(*faces: int, more: str = "", size: tuple[int, int] = (80, 24)) -> Any:
        encounter = played(FIGHT + more)
        encounter.dice = Dice(*faces)
        return game_of(encounter, size)

    return open_


def entries(game: Any) -> list[Any]:
    """All entries of the log."""
    return list(game.encounter.history.entries.values())


def rolled(game: Any) -> list[tuple[int, ...]]:
    """What lies there after the last command."""
    return [e.faces for e in entries(game)[-1].events if isinstance(e, Rolled)]


async def test_a_monsters_roll_with_disadvantage_after_all_is_three_keys(play: Play) -> None:
    async with play(16, 5, 3) as game:
        await game.type("s2↵")
        assert game.who("brannoc").track("hp") == 30 - 7
        await game.type("<ctrl+e>")
        assert "Strike again · d20 16 · d6 5 › Brannoc › roll" in game.row(PromptWidget)
        assert "−7 HP" in game.row(PromptWidget, 1)
        await game.type("d↵")
        assert [e.command for e in entries(game)[-2:]] == ["undo 1", "strike brannoc roll dis"]
        assert rolled(game)[0] == (16, 3)
        assert game.who("brannoc").track("hp") == 30
        assert game.encounter.history.path[-1] == entries(game)[-1].seq


@pytest.mark.parametrize(
    ("keys", "command", "hp"),
    [
        ("C↵", "strike brannoc roll cover", {"brannoc": 30 - 1}),
        ("12↵", "strike brannoc natural 12 ", {"brannoc": 30 - 3}),
        ("⇥9↵", "strike brannoc roll 9", {"brannoc": 30 - 9}),
        ("<left>3↵", "strike mira roll", {"brannoc": 30, "mira": 24 - 5}),
        ("m", "strike brannoc miss", {"brannoc": 30}),
    ],
)
async def test_one_thing_is_another_in_at_most_five_keys(
    play: Play, keys: str, command: str, hp: dict[str, int]
) -> None:
    assert len(keys.replace("<left>", "←")) + 1 <= 5
    async with play(16, 5) as game:
        await game.type("s2↵")
        await game.type(f"<ctrl+e>{keys}")
        assert entries(game)[-1].command == command.strip()
        assert {who: game.who(who).track("hp") for who in hp} == hp
        assert game.who("ghoul-1").track("ap") == 2, "it is paid once"
        assert not game.line.is_open


async def test_a_characters_die_is_put_right(play: Play) -> None:
    async with play(more="next\n") as game:
        await game.type("s1n15 8↵")
        await game.type("<ctrl+e>19↵")
        assert entries(game)[-1].command == "strike ghoul-1 natural 19 8"
        await game.type("<ctrl+e>,4a↵")
        assert entries(game)[-1].command == "strike ghoul-1 natural 19,4 8 adv"


async def test_a_die_that_was_called_out_lacks_the_other_one_when_it_leans_after_all(
    play: Play,
) -> None:
    async with play(more="next\n") as game:
        await game.type("s1n15 8↵<ctrl+e>d↵")
        assert game.line.is_open
        assert "two dice, 15 and the other number" in game.row(PromptWidget, 1)
        await game.type("4↵")
        assert entries(game)[-1].command == "strike ghoul-1 natural 15,4 8 dis"
        assert rolled(game)[0] == (15, 4)


@pytest.mark.parametrize(
    ("keys", "command"),
    [
        ("dd↵", "strike ghoul-1 natural 15 8"),
        ("d<backspace>↵", "strike ghoul-1 natural 15 8 dis"),
        ("d4<backspace><backspace><backspace>↵", "strike ghoul-1 natural 15 8"),
    ],
)
async def test_the_other_die_can_be_taken_back_and_so_can_the_lean(
    play: Play, keys: str, command: str
) -> None:
    async with play(more="next\n") as game:
        await game.type(f"s1n15 8↵<ctrl+e>{keys}")
        assert not game.line.is_open
        assert entries(game)[-1].command == command


async def test_what_was_just_taken_back_is_asked_again(play: Play) -> None:
    async with play(4, 16, 5, more="next\nstrike ghoul-1 natural 15 8\n") as game:
        await game.type("0 ")
        await game.type("u")
        await game.type("<ctrl+e>")
        assert "Strike again" in game.row(PromptWidget), "the turn's end is no roll"
        await game.type("⎋u<ctrl+e>9↵")
        assert [e.command for e in entries(game)[-3:]] == [
            "undo 1",
            "undo 1",
            "strike ghoul-1 natural 9 8",
        ]
        assert game.who("brannoc").track("ap") == 2


async def test_whose_roll_it_was_is_said_where_they_are_not_up(play: Play) -> None:
    async with play(16, 5) as game:
        await game.type("s2↵ <ctrl+e>")
        assert "Strike again · d20 16 · d6 5" in game.row(PromptWidget)
        await game.type("⎋")
        game.encounter.do("react opportunity-attack ghoul-1 natural 12 5 by mira")
        await game.type("<ctrl+e>")
        assert "Mira's Opportunity Attack again" in game.row(PromptWidget)


async def test_what_came_behind_it_is_decided_anew_and_shown_first(play: Play) -> None:
    async with play(16, 5) as game:
        await game.type("s2↵ ")
        assert game.encounter.state.turn == "brannoc"
        await game.type("<ctrl+e>C↵")
        assert game.screen.sheet_pane.is_open
        await game.type("↵")
        assert entries(game)[-1].verb == "amend"
        assert game.encounter.state.turn == "brannoc"


async def test_esc_leaves_it_as_it_was(play: Play) -> None:
    async with play(16, 5) as game:
        await game.type("s2↵")
        before = len(entries(game))
        await game.type("<ctrl+e>a⎋")
        assert len(entries(game)) == before
        assert not game.line.is_open


async def test_ctrl_u_empties_the_answer_and_another_one_is_typed(play: Play) -> None:
    async with play(16, 5) as game:
        await game.type("s2↵ <ctrl+e>1<ctrl+u>")
        assert game.line.prompt.field.answer == "roll" and game.line.prompt.trouble == ""
        assert game.line.is_open and not game.screen.sheet_pane.is_open
        await game.type("12")
        assert game.line.prompt.field.answer == "natural 12"


async def test_what_is_refused_then_changes_nothing(play: Play) -> None:
    async with play(16, 5) as game:
        await game.type("s2↵")
        before, state = len(entries(game)), game.encounter.state
        await game.type("<ctrl+e>")
        game.line.prompt.fields[0].pick = "nobody"
        await game.type("↵")
        assert len(entries(game)) == before and game.encounter.state is state


async def test_a_reaction_is_asked_again_with_whoever_made_it(play: Play) -> None:
    async with play(16, 5, more="next\n") as game:
        await game.type("o1↵")
        assert entries(game)[-1].by == "ghoul-1"
        await game.type("<ctrl+e>C↵")
        assert entries(game)[-1].command.endswith("roll cover by ghoul-1")


async def test_what_no_prompt_asks_for_is_not_passed_over_for_an_earlier_roll(play: Play) -> None:
    async with play(16, 5, 17) as game:
        await game.type("s2↵")
        await game.type(":cast frost brannoc roll 6↵")  # prompts say `at`
        await game.type("<ctrl+e>")
        assert "no prompt can ask for it as typed" in game.said
        assert not game.line.is_open


async def test_without_a_roll_it_says_so(play: Play) -> None:
    async with play() as game:
        await game.type("<ctrl+e>")
        assert "none of the last commands has a roll" in game.said
        assert not game.line.is_open


async def test_several_targets_keep_their_dice(play: Play) -> None:
    blast = "add monster Imp cr 3 hp 40 attack blast 2d6 fire spell\ninit imp 1\n"
    blast += "next\n" * 4
    async with play(4, 16, 3, 3, more=blast) as game:
        assert game.encounter.state.turn == "imp"
        await game.type("Cb↵2,3↵")
        assert entries(game)[-1].command == 'cast "blast" at brannoc,mira roll'
        before = rolled(game)
        await game.type("<ctrl+e>C↵")
        assert entries(game)[-1].command == 'cast "blast" at brannoc,mira roll cover'
        assert rolled(game)[:2] == before[:2] == [(4,), (16,)]


def test_dice_fall_again_each_kind_in_its_order() -> None:
    dice = RecordedDice([RecordedDie(20, 4), RecordedDie(6, 5), RecordedDie(20, 9)], SeededDice(1))
    assert [dice.die(20), dice.die(20), dice.die(6)] == [4, 9, 5]
    assert 1 <= dice.die(6) <= 6

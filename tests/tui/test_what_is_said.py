"""What is said: of wrong keys, of what is only unfinished, of what waits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.tui.ghouls import Made, finished

from affray.store.open_encounter import OpenEncounter
from affray.tui.prompts.prompt import Prompt
from affray.tui.widgets.prompt import PromptWidget


@pytest.mark.parametrize(
    ("keys", "wanted"),
    [
        ("s z", "a number, or"),
        ("s 3 z", "m miss, w weak, s strong, c crit, f fumble, n and the d20, or r"),
        ("s 3 s z", "a number or dice, then letters of its type or f fatigue"),
        ("f z", "a number"),
        ("- space z", "a number, or dice such as 2d6"),
        ("K 1 z", "p power, c cunning, f focus, l luck"),
        ("K p z", "m miss, w weak, s strong, c crit, f fumble, n and the d20, or r"),
        ("c 3 space ,", "the first letters"),
        ("c 3 w tab z", "s start, e end, f freed, r rest, i fight"),
    ],
)
def test_a_wrong_key_is_told_what_would_be_right(prompt: Made, keys: str, wanted: str) -> None:
    trouble = prompt(keys).trouble
    assert wanted in trouble and trouble.endswith("; esc leaves")


def test_only_who_has_an_attack_is_told_that_the_app_rolls(
    prompt: Made, fight: OpenEncounter
) -> None:
    def hint(made: Prompt) -> str:
        return f"{made.field.hint} {made.field.tip}" if made.field else ""

    assert "the app rolls" not in hint(prompt("s 3 s"))
    assert prompt("s 3 s enter").trouble == "type the damage"
    assert not finished(prompt("s 3 s enter"))
    for _ in range(2):
        fight.do("next")
    assert "the app rolls" in hint(prompt("s 1 s"))


def test_a_saving_throw_says_what_it_is_against(prompt: Made) -> None:
    made = prompt("g 3")
    made.feed("space")
    assert made.field is not None and "against 12" in made.field.hint


async def test_nothing_is_wrong_while_it_is_only_unfinished(
    fight: OpenEncounter, game_of: Callable[..., Any]
) -> None:
    async with game_of(fight) as game:
        for key in "s3s":
            await game.type(key)
            assert "✗" not in game.row(PromptWidget, 1)
        assert "type the damage" in game.row(PromptWidget, 1)
        await game.type("8")
        assert "Ghoul 1 −6 HP, 12 left" in game.row(PromptWidget, 1)


async def test_what_came_of_it_stands_before_the_dice(
    fight: OpenEncounter, game_of: Callable[..., Any]
) -> None:
    async with game_of(fight) as game:
        await game.type("s3n15 8↵")
        told = game.said
        assert told.index("−6 HP") < told.index("1d20")


async def test_a_long_message_takes_both_rows(
    fight: OpenEncounter, game_of: Callable[..., Any]
) -> None:
    async with game_of(fight, (80, 24)) as game:
        game.screen.show_message("word " * 25 + "end")
        await game.pilot.pause()
        assert "word" in game.row(PromptWidget) and game.row(PromptWidget, 1).rstrip().endswith(
            "end"
        )


async def test_a_death_roll_is_asked_for_and_what_was_rolled_is_named(
    fight: OpenEncounter, game_of: Callable[..., Any]
) -> None:
    for line in ("damage mira 99", "next"):
        fight.do(line)
    async with game_of(fight) as game:
        await game.type(" ")
        assert game.said == "Mira's d20, or r to roll it; then space ends the turn"
        await game.type(" ")
        assert game.line.prompt.trouble == "Mira's d20, or r to roll it"
        await game.type("r ")
        assert game.encounter.state.turn != "mira"


async def test_a_monsters_death_roll_is_rolled_by_a_second_space_and_named(
    fight: OpenEncounter, game_of: Callable[..., Any]
) -> None:
    fight.do('add monster "Bog King" hp 9 ac 1 important')
    for line in ("init bog-king 17", "damage bog-king 99", "next"):
        fight.do(line)
    async with game_of(fight) as game:
        await game.type(" ")
        assert game.said == "space rolls the rest and ends the turn"
        await game.type(" ")
        assert game.said.startswith("Bog King's death roll was rolled · u undoes it")


async def test_what_each_answer_would_cost_is_said_before_it_is_given(
    fight: OpenEncounter, game_of: Callable[..., Any]
) -> None:
    for line in ("mark brannoc fatigue 4", "inflict brannoc restrained from ghoul-1"):
        fight.do(line)
    before = fight.state
    async with game_of(fight) as game:
        await game.type("↵")
        rows = (game.row(PromptWidget, y) for y in range(game.line.size.height))
        said = " ".join(" ".join(rows).split())
        assert (
            "f: Brannoc +1 Exhaustion, now 1 of 5 (Fatigue was full, now 1 of 5, to get free"
            in said
        )
        assert "p: " in said
    assert fight.state is before


async def test_a_die_that_is_typed_for_what_waits_says_what_it_comes_to(
    fight: OpenEncounter, game_of: Callable[..., Any]
) -> None:
    for line in ("damage mira 99", "next"):
        fight.do(line)
    async with game_of(fight) as game:
        await game.type("↵14")
        assert "+1 Deathsave, now 1 of 3" in game.row(PromptWidget, 1)


async def test_what_time_cant_make_longer_is_not_extended_and_nothing_more_is_asked(
    fight: OpenEncounter, game_of: Callable[..., Any]
) -> None:
    fight.do("inflict ghoul-1 doomed")
    async with game_of(fight) as game:
        await game.type("c3doo e")
        assert "doomed lasts until freed: it can't be extended" in game.row(PromptWidget, 1)
        assert "already there" in game.row(PromptWidget)
        await game.type("d7↵")
        assert game.last == "inflict ghoul-1 doomed detonate 7"


async def test_what_lacks_only_an_amount_is_asked_for_it(
    fight: OpenEncounter, game_of: Callable[..., Any]
) -> None:
    fight.do("inflict ghoul-1 weakened")
    async with game_of(fight) as game:
        await game.type("c3w e↵")
        assert game.last == "inflict ghoul-1 weakened extend"


async def test_a_round_that_waits_for_initiative_asks_for_it(
    fight: OpenEncounter, game_of: Callable[..., Any]
) -> None:
    for line in ("setting dynamic-initiative on", "next", "next", "next"):
        fight.do(line)
    async with game_of(fight) as game:
        await game.type(" ")
        assert fight.state.turn == ""
        await game.type(" ")
        assert "round 2 waits for the initiative of Brannoc and Mira" in game.said
        await game.type("↵")
        asked = game.line.prompt
        assert asked is not None
        assert asked.pieces()[0].text == "Brannoc's initiative for round 2"
        await game.type("rr ")
        assert (fight.state.round, fight.state.turn != "") == (2, True)


async def test_enter_with_nothing_to_answer_says_nothing(
    fight: OpenEncounter, game_of: Callable[..., Any]
) -> None:
    async with game_of(fight) as game:
        await game.type("⎋↵")
        assert game.said == ""


async def test_a_technique_that_cant_be_used_says_so_and_swallows_no_key(
    fight: OpenEncounter, game_of: Callable[..., Any]
) -> None:
    for line in ("strike ghoul-1 miss", "strike ghoul-1 miss"):
        fight.do(line)
    entries = len(fight.history.entries)
    async with game_of(fight) as game:
        await game.type("s")
        assert "Strike: 0 AP left, needs 3" in game.row(PromptWidget)
        await game.type("3")
        assert game.screen.cursor == "ghoul-1"
        await game.type("s")
        assert "Strike: it is Brannoc's turn" in game.row(PromptWidget)
        assert "esc or a pause clears this" in game.row(PromptWidget)
        assert "0 s does it for Brannoc, whose turn it is" in game.row(PromptWidget, 1)
        await game.type("0")
        assert game.screen.cursor == "brannoc"
        await game.type("s⎋")
        assert not game.line.is_open
        assert len(fight.history.entries) == entries


async def test_the_key_of_the_command_bar_leads_there_from_a_prompt_but_not_from_a_text(
    fight: OpenEncounter, game_of: Callable[..., Any]
) -> None:
    entries = len(fight.history.entries)
    async with game_of(fight) as game:
        await game.type("s3:")
        assert game.line.bar is not None and game.line.prompt is None
        assert game.line.bar.text == "strike ghoul-1 "
        await game.type("⎋")
        assert game.line.prompt is not None and game.line.prompt.line == "strike ghoul-1"
        await game.type("⎋y:")
        assert game.line.prompt is not None and ":" in game.line.prompt.line
        assert len(fight.history.entries) == entries

"""What is said: of wrong keys, of what is only unfinished, of what waits."""

from __future__ import annotations

import pytest
from tests.tui.ghouls import Made, finished, playing, press, row, said, screen

from affray.store.encounter import OpenEncounter
from affray.tui.panes.prompt import PromptLine
from affray.tui.prompts import Prompt


@pytest.mark.parametrize(
    ("keys", "wanted"),
    [
        ("s z", "a number of the order"),
        ("s 3 z", "m w s c f, n and the d20, or r"),
        ("s 3 s z", "a number, then letters of its type or f fatigue"),
        ("f z", "a number"),
        ("- space z", "a number, or dice such as 2d6"),
        ("K 1 z", "p power, c cunning, f focus, l luck"),
        ("K p z", "what the d20 shows, or r"),
        ("c 3 space ,", "the beginning of its name"),
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
        return made.slot.hint if made.slot else ""

    assert "the app rolls" not in hint(prompt("s 3 s"))
    assert prompt("s 3 s enter").trouble == "type the damage"
    assert not finished(prompt("s 3 s enter"))
    for _ in range(2):
        fight.do("next")
    assert "the app rolls" in hint(prompt("s 1 s"))


def test_a_saving_throw_says_what_it_is_against(prompt: Made) -> None:
    made = prompt("g 3")
    made.feed("space")
    assert made.slot is not None and "against 12" in made.slot.hint


async def test_nothing_is_wrong_while_it_is_only_unfinished(fight: OpenEncounter) -> None:
    async with playing(fight) as pilot:
        for key in "s3s":
            await press(pilot, key)
            assert "✗" not in row(pilot, 1)
        assert "type the damage" in row(pilot, 1)
        await press(pilot, "8")
        assert "Ghoul 1 −6 HP, 12 left" in row(pilot, 1)


async def test_what_came_of_it_stands_before_the_dice(fight: OpenEncounter) -> None:
    async with playing(fight) as pilot:
        await press(pilot, "s3n15 8↵")
        told = said(pilot)
        assert told.index("−6 HP") < told.index("1d20")


async def test_a_long_message_takes_both_rows(fight: OpenEncounter) -> None:
    async with playing(fight, (80, 24)) as pilot:
        screen(pilot).show_message("word " * 25 + "end")
        await pilot.pause()
        assert "word" in row(pilot, 0) and row(pilot, 1).rstrip().endswith("end")


async def test_a_death_roll_is_asked_for_and_what_was_rolled_is_named(
    fight: OpenEncounter,
) -> None:
    for line in ("damage mira 99", "next"):
        fight.do(line)
    async with playing(fight) as pilot:
        await press(pilot, " ")
        assert said(pilot) == "space has the rest rolled, and ends the turn"
        await press(pilot, " ")
        assert said(pilot).startswith("Mira's death roll was rolled · u goes back")
        await press(pilot, "u")
        await press(pilot, "↵w")
        await press(pilot, " ")
        assert "was rolled" not in said(pilot)


async def test_a_round_that_waits_for_initiative_asks_for_it(fight: OpenEncounter) -> None:
    for line in ("setting dynamic-initiative on", "next", "next", "next"):
        fight.do(line)
    async with playing(fight) as pilot:
        await press(pilot, " ")
        assert fight.state.turn == ""
        await press(pilot, " ")
        assert "round 2 waits for the initiative of Brannoc and Mira" in said(pilot)
        await press(pilot, "↵")
        asked = pilot.app.screen.query_one(PromptLine).prompt
        assert asked is not None
        assert asked.pieces()[0].text == "Brannoc's initiative for round 2"
        await press(pilot, "rr ")
        assert (fight.state.round, fight.state.turn != "") == (2, True)


async def test_enter_with_nothing_to_answer_says_nothing(fight: OpenEncounter) -> None:
    async with playing(fight) as pilot:
        await press(pilot, "⎋↵")
        assert said(pilot) == ""


async def test_a_technique_that_cant_be_used_says_so_and_swallows_no_key(
    fight: OpenEncounter,
) -> None:
    for line in ("strike ghoul-1 miss", "strike ghoul-1 miss"):
        fight.do(line)
    entries = len(fight.history.entries)
    async with playing(fight) as pilot:
        await press(pilot, "s")
        assert "Strike: 0 AP left, needs 3" in row(pilot)
        await press(pilot, "3")
        assert screen(pilot).cursor == "ghoul-1"
        await press(pilot, "s")
        assert "Strike: it is Brannoc's turn" in row(pilot)
        assert "0 puts the cursor on Brannoc, who is up" in row(pilot, 1)
        await press(pilot, "0")
        assert screen(pilot).cursor == "brannoc"
        await press(pilot, "s⎋")
        assert not screen(pilot).query_one(PromptLine).is_open
        assert len(fight.history.entries) == entries

"""What a prompt offers stands there with its word, or not at all, in every prompt of every game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from tests.tui.conftest import Sample
from tests.tui.ghouls import prompt_after
from tests.tui.test_nothing_lost import settled

from affray.core.engine.foresight import Foresight
from affray.store.open_encounter import OpenEncounter
from affray.tui.app import AffrayApp
from affray.tui.keymap import keymap_for
from affray.tui.prompts.command_bar import InputState
from affray.tui.prompts.context import PromptContext
from affray.tui.prompts.field import PromptPart
from affray.tui.prompts.prompt import Prompt
from affray.tui.theme import DARK, styles_of
from affray.tui.widgets.prompt import prompt_rows

INKS = styles_of(DARK)
GAMES = (
    "ash-road/encounters/the-bed-of-the-drake.toml",
    "drowned-vale/encounters/the-sluice-gate.toml",
    "kiln-road/encounters/the-ninth-kiln.toml",
    "salt-stair/encounters/the-bell-in-the-gale.toml",
    "winter-term/encounters/the-frozen-conservatory.toml",
    "night-ferry/encounters/mid-river.toml",
)
MOST_STEPS = 8


def _prompts(fight: OpenEncounter) -> Iterator[Prompt]:
    """Each prompt of the game, at each of its questions, as far as `tab` leads."""
    view = PromptContext(
        fight.state, fight.ruleset, fight.state.turn, fight.state.turn,
        preview_command=Foresight(fight.preview),
    )  # fmt: skip
    for binding in keymap_for(fight.ruleset).keys:
        if binding.prompt is None:
            continue
        prompt = Prompt(binding.prompt, view)
        for _ in range(MOST_STEPS):
            yield prompt
            if prompt.feed("tab") is not InputState.OPEN:
                break


def _without_words(pieces: tuple[PromptPart, ...], width: int, rows: int) -> Iterator[str]:
    """Letters that stand there without the word that they were given with, and words cut."""
    words: dict[str, set[str]] = {}
    for key, word in pairwise(pieces):
        if key.role == "key" and word.role in ("offer", "picked"):
            words.setdefault(key.text, set()).add(word.text)
    for line in prompt_rows(pieces, INKS, width, rows):
        parts = [(text.strip(), style) for text, style, *_ in line.segments if text.strip()]
        for n, (text, style) in enumerate(parts):
            if style == INKS.accent and text in words and not text.isdecimal():
                beside = parts[n + 1][0] if n + 1 < len(parts) else ""
                if beside not in words[text]:
                    yield f"{text} {beside!r} in {line.text!r}"


@pytest.mark.parametrize("game", GAMES)
def test_every_letter_that_a_prompt_shows_has_its_whole_word(sample: Sample, game: str) -> None:
    seen, found = 0, []
    for prompt in _prompts(sample(game)):
        for width in (80, 120):
            pieces = tuple(prompt.pieces(width))
            seen += 1
            for rows in (1, 2):
                found += _without_words(pieces, width, rows)
    assert seen > 60
    assert not found, found[:10]


@pytest.mark.parametrize("game", GAMES)
def test_letters_that_have_no_room_in_the_row_stand_below_it(sample: Sample, game: str) -> None:
    left_out = []
    for prompt in _prompts(sample(game)):
        pieces = prompt.pieces(80)
        shown = " ".join(line.text for line in prompt_rows(pieces, INKS, 80, 2))
        for key, word in pairwise(pieces):
            if key.role == "key" and word.role in ("offer", "picked") and not key.text.isdecimal():
                told = f"{key.text} {word.text}"
                left_out += [] if told in shown else [f"{told}: {shown}"]
    assert not left_out, left_out[:10]


def test_a_side_is_said_and_not_its_names(played: Callable[..., OpenEncounter]) -> None:
    fight = played(
        "add pc Mira hp 24 ac 2\nadd monster Bog-Ghoul x6 cr 1 hp 18 ac 2\ninit mira 30\nstart"
    )
    said = [piece.text for piece in prompt_after(fight, "- F").pieces(80)]
    assert "all 6 foes" in said
    assert "Bog-Ghoul 1" not in " ".join(said[:3])


async def test_a_whole_side_is_told_in_few_words_in_what_a_command_would_do(
    played: Callable[..., OpenEncounter],
) -> None:
    fight = played(
        "add pc Mira hp 9\nadd monster Ghoul x6 hp 9 cr 1\ninit mira 9\ninit roll all\nstart"
    )
    async with AffrayApp(fight).run_test(size=(80, 24)) as pilot:
        await pilot.press("c", "F", "space", "r", "tab")
        rows = (await settled(pilot))["prompt"].rows
        assert any(row.strip() == "→ all 6 foes restrained until freed" for row in rows), rows


async def test_what_was_said_by_a_capital_letter_takes_no_room_from_the_answers(
    played: Callable[..., OpenEncounter],
) -> None:
    fight = played(
        "add pc Mira hp 9\nadd monster Abbot hp 9 cr 1\ninit mira 9\ninit abbot 3\nstart"
    )
    async with AffrayApp(fight).run_test(size=(80, 24)) as pilot:
        await pilot.press("s", "2", "A")
        row = (await settled(pilot))["prompt"].rows[0]
        assert "advantage ›" in row and "m miss  w weak  s strong" in row


async def test_where_not_all_letters_have_room_the_first_answers_have(sample: Sample) -> None:
    kiln = sample("kiln-road/encounters/the-ninth-kiln.toml")
    async with AffrayApp(kiln).run_test(size=(80, 24)) as pilot:
        await pilot.press("s", "8", "A")
        row = (await settled(pilot))["prompt"].rows[0]
        assert "l longbow  g goad" in row and "A advantage" not in row, row

"""A refusal's usage in a narrow window: what is wanted is seen, what is known gives way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from affray.core.decide import verbs_of
from affray.core.refusal import Refused
from affray.rulesets import known_rulesets, load_ruleset
from affray.store.encounter import OpenEncounter
from affray.tui.panes.prompt import PromptLine
from affray.tui.prompts.outlook import Outlook, needed_of, refused

Play = Callable[..., Any]
NARROW = (80, 24)


@pytest.mark.parametrize(
    ("typed", "seen"),
    [
        ("inflict mira dazed until", "until start|end of NAME"),
        ("inflict mira dazed for", "for N turns]"),
        ("modifier mira +2 ac feat nonsense", "[DURATION] [from NAME"),
        ("zone fog maintain", "maintain standard"),
        ("add monster Rat ac 12", "expected `hp` and a number"),
        ("add monster Rat hp 9 attack Bite", "attack NAME +N vs AC DICE"),
        ("power", "… NAME [augmented] [TARGET"),
    ],
)
async def test_what_is_wanted_is_seen_at_80_cells(
    stair: Callable[..., OpenEncounter], game_of: Play, typed: str, seen: str
) -> None:
    async with game_of(stair(), NARROW) as game:
        await game.type(f":{typed}")
        row = game.row(PromptLine, 1)
        assert seen in row, row


async def test_what_was_refused_goes_on_in_the_second_row(
    stair: Callable[..., OpenEncounter], game_of: Play
) -> None:
    async with game_of(stair(), NARROW) as game:
        game.screen.run_command("inflict mira dazed until")
        rows = game.row(PromptLine) + game.row(PromptLine, 1)
        assert "expected when it ends" in rows and "until start|end of NAME" in rows


def test_a_usage_with_room_is_whole() -> None:
    refusal = Refused("expected N", usage="undo [N]")
    assert refused("undo x", refusal).within(40) == "expected N (usage: undo [N])"


def test_of_a_usage_the_beginning_gives_way_and_no_more_of_it_than_must() -> None:
    said = Outlook("expected D (usage: a b c d e f)", "refused", "a b c d e f", 3)
    assert said.within(28) == "expected D (usage: … d e f)"
    assert said.within(29) == "expected D (usage: … c d e f)"
    assert said.within(12) == "expected D (usage: … d e f)"  # the row cuts its end


@pytest.mark.parametrize(
    ("usage", "given", "needed"),
    [
        ("goto N", [], 1),
        ("set NAME TRACK VALUE [of MAX]", ["mira", "hp"], 3),
        ("inflict NAME CONDITION [for N turns] [until start|end of NAME]", ["a", "b", "until"], 6),
        ("inflict NAME CONDITION [for N turns] [until start|end of NAME]", ["a", "b", "end"], 7),
        ("next", ["a", "b"], 0),
        ("", ["a"], 0),
    ],
)
def test_the_needed_word_of_a_usage(usage: str, given: list[str], needed: int) -> None:
    assert needed_of(usage, given) == needed


@pytest.mark.parametrize("ruleset", known_rulesets())
def test_no_refusal_of_a_word_names_what_is_not_installed(
    played: Callable[..., OpenEncounter], ruleset: str
) -> None:
    fight = played("add pc Mira hp 9", "", ruleset)
    for line in ("xyzzy", "rec", *verbs_of(load_ruleset(ruleset))):
        try:
            fight.preview(line)
        except Refused as refusal:
            assert "docs/" not in refusal.message and ".md" not in refusal.message


def test_a_command_that_was_begun_is_named(stair: Callable[..., OpenEncounter]) -> None:
    with pytest.raises(Refused, match="'rec' is no command; did you mean recovery"):
        stair().preview("rec")
    with pytest.raises(Refused, match=r"no command; \? on the screen lists all commands"):
        stair().preview("xyzzy")

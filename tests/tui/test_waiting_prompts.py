"""Prompts for those who wait: with something readied, or their turn delayed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.tui.ghouls import FIGHT, Made, finished

from affray.core.formatting.effects import common_end_text
from affray.store.open_encounter import OpenEncounter
from affray.tui.prompts.command_bar import InputState


def test_a_readied_strike_asks_what_a_strike_asks(prompt: Made, fight: OpenEncounter) -> None:
    fight.do('ready strike "the door opens"')
    fight.do("next")
    made = prompt("@ 3 s 8 enter")
    assert finished(made)
    assert made.line == "trigger ghoul-1 strong 8 by brannoc"
    fight.do(made.line)
    assert fight.state["ghoul-1"].track("hp") == 12


def test_a_readied_spell_asks_only_what_was_not_said(prompt: Made, fight: OpenEncounter) -> None:
    fight.do('ready cast "Cold Rain" ap 3 "they come"')
    fight.do("next")
    made = prompt("@ 3 s 8 enter")
    assert finished(made)
    assert made.line == "trigger at ghoul-1 strong 8 by brannoc"
    fight.do(made.line)
    assert fight.state["ghoul-1"].track("hp") == 12


def test_a_readied_monsters_strike_is_rolled_by_the_app(prompt: Made, fight: OpenEncounter) -> None:
    for line in ("next", "next", "ready strike", "next"):
        fight.do(line)
    made = prompt("@ 2 enter")
    assert finished(made)
    assert made.line == "trigger mira roll by ghoul-1"


def test_of_several_who_wait_one_is_chosen(prompt: Made, fight: OpenEncounter) -> None:
    for line in ("ready strike", "next", "ready dodge", "next"):
        fight.do(line)
    assert "not Ghoul 1" in prompt("@ 3").trouble
    assert prompt("@ 2 enter").line == "trigger by mira"
    assert prompt("@ 1 space 4 m enter").line == "trigger ghoul-2 miss by brannoc"


def test_a_trigger_with_nobody_waiting_says_so_and_takes_no_key(prompt: Made) -> None:
    made = prompt("@ 3 s 8")
    assert made.barred == "nobody has anything readied"
    assert made.field is None
    assert [piece.text for piece in made.pieces()][:2] == ["Trigger", made.barred]


def test_ready_offers_the_strike_first_and_asks_for_the_trigger(prompt: Made) -> None:
    made = prompt("! enter")
    assert not finished(made)
    assert made.field is not None and made.field.label == "trigger"
    assert made.feed("enter") is InputState.FINISHED
    assert made.line == "ready strike"


def test_what_is_readied_waits(fight: OpenEncounter) -> None:
    fight.do("ready strike")
    brannoc = fight.state["brannoc"]
    told = common_end_text(fight.ruleset.tables, fight.state, brannoc, brannoc.effects)
    assert told == "waits until their next turn starts"


def test_come_back_offers_only_those_who_have_delayed(prompt: Made, fight: OpenEncounter) -> None:
    assert prompt("B").barred == "nobody has delayed"
    fight.do("delay")
    assert prompt("B").line == "return brannoc"
    assert prompt("B").instant
    fight.do("delay")
    made = prompt("B 3")
    assert "not Ghoul 1" in made.trouble
    assert prompt("B 2 enter").line == "return mira"


@pytest.mark.parametrize(
    ("since", "proposed"),
    [
        ("", ""),  # Mira is up, who is no foe
        ("next", ""),  # a ghoul that has done nothing yet
        ("next; strike mira miss", "ghoul-1"),
        ("next; strike brannoc miss; next", "ghoul-1"),
        ("next; strike mira miss; next", ""),  # its turn is over
    ],
)
async def test_a_trigger_proposes_whoever_has_set_it_off_or_nobody(
    opened: Callable[[str], Any], since: str, proposed: str
) -> None:
    lines = ["ready strike", "next", *filter(None, since.split("; "))]
    async with opened(FIGHT + "\n".join(lines)) as game:
        await game.type("@")
        assert game.line.prompt.target == proposed
        await game.type("4s8↵")
        assert game.last == "trigger ghoul-2 strong 8 by brannoc"


async def test_what_came_before_it_was_readied_sets_off_no_trigger(
    opened: Callable[[str], Any],
) -> None:
    before = "next\nnext\nstrike brannoc miss\nnext\nnext\nready strike\nnext\n"
    async with opened(FIGHT + before) as game:
        await game.type("@")
        assert game.line.prompt.target == ""

"""What Orcus' commands say is declared: read in any order, offered, refused where idle."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.fallen_dice import FallenDice

from affray.core.engine.decide import complete, decide
from affray.core.parser.declarations import fields_of

if TYPE_CHECKING:
    from tests.rulesets.orcus.conftest import Fight

    from affray.core.engine.events import AnyEvent


@pytest.mark.parametrize(
    ("usual", "other"),
    [
        ("check mira heal natural 9 dc 12 plus 2", "check mira dc 12 plus 2 heal natural 9"),
        (
            "feint goblin-1 natural 9 dc 12",
            "feint goblin-1 plus 0 dc 12 natural 9",
        ),
        ("modifier mira +2 ac power until fight", "modifier mira +2 ac until fight power"),
        ("attack goblin-1 hit 8 cover vs will", "attack goblin-1 vs will cover hit 8"),
        (
            "inflict mira dazed for 2 turns from goblin-1",
            "inflict mira dazed from goblin-1 for 2 turns",
        ),
        (
            'inflict mira "Hexed" note "mute" ac -2 for 2 turns',
            'inflict mira "Hexed" ac -2 for 2 turns note "mute"',
        ),
        ("zone fog maintain move for 2 turns", "zone fog for 2 turns maintain move"),
        ('form "the wolf" +1 ac no-ranged', 'form "the wolf" no-ranged +1 ac'),
    ],
)
def test_what_a_keyword_begins_stands_anywhere(fight: Fight, usual: str, other: str) -> None:
    def comes_to(line: str) -> tuple[AnyEvent, ...]:
        return decide(fight.state, line, fight.ruleset, FallenDice([])).events

    assert comes_to(other) == comes_to(usual)


@pytest.mark.parametrize(
    ("part", "offered"),
    [
        ("treat-ally mira ", ["first-aid", "save", "wound"]),
        ("escape ", ["athletics", "acrobatics"]),
        ("action-point ", ["standard", "move", "swift"]),
        ("command mira ", ["standard", "move", "swift", "immediate"]),
        ("zone fog maintain ", ["standard", "move", "swift"]),
        ("rest ", ["short", "long", "streak"]),
    ],
)
def test_what_may_stand_next_is_offered(fight: Fight, part: str, offered: list[str]) -> None:
    assert complete(fight.state, part, fight.ruleset)[: len(offered)] == offered


@pytest.mark.parametrize(
    ("line", "saying"),
    [
        ("treat-ally mira wound success later", "only for a save"),
        ("stance Iron power", "give the bonus that is power"),
        ("stance Iron with fire", "give the bonus that is with a tag"),
        ("feint goblin-1 success plus 2 plus", "expected the bonus"),
        ("zone fog maintain twice", "the action that maintains it"),
        ("shove goblin-1,goblin-2 hit", "just one"),
        ("shove goblin-1 hit with sword", "deals no damage"),
        ("check mira natural 9 dc 12 dc 13", "dc is given twice"),
    ],
)
def test_what_comes_to_nothing_is_refused(fight: Fight, line: str, saying: str) -> None:
    fight.refuses(line, saying)


def test_only_a_long_rest_waits_for_the_next_day(gathered: Fight) -> None:
    """Orcus, Resting."""
    gathered.refuses("rest short next-day", "only a long rest can be `next-day`")


def test_a_bonus_that_is_said_twice_is_added_up(fight: Fight) -> None:
    line = "check mira natural 9 plus 1 plus 2"
    decision = decide(fight.state, line, fight.ruleset, FallenDice([]))
    assert decision.text == "Mira rolls check: 12"


def test_a_rally_asks_for_nothing(fight: Fight) -> None:
    """A companion's second recovery is said where there is a companion."""
    said = fight.ruleset.commands["rally"].args_type
    assert said is not None
    assert fields_of(said) == ()

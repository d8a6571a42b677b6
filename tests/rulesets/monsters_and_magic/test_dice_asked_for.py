"""Which dice affray rolls by itself: how many, and of how many sides.

Monsters & Magic, Ability Checks, Advantage & Disadvantage, Order, Death & Dying, Conditions,
Threads.
"""

from __future__ import annotations

import pytest
from tests.rulesets.monsters_and_magic.conftest import Fight

from affray.core.engine.decide import decide


class Highest:
    """Dice that all show their highest face, and remember how many sides were asked for."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def die(self, sides: int) -> int:
        self.asked.append(sides)
        return sides


@pytest.mark.parametrize(
    ("before", "line", "asked"),
    [
        ([], "init mira roll", [20]),
        (["bestow mira invisible"], "init mira roll", [20, 20]),
        ([], "check mira cunning roll", [20]),
        ([], "check mira cunning roll dis", [20, 20]),
        ([], "check mira cunning roll adv dis", [20]),
        ([], "strike ghoul-1 roll 5", [20]),
        (["inflict ghoul-1 weakened"], "inflict ghoul-1 weakened detonate", [10]),
        (["damage mira 99"], "death mira roll", [20]),
        (["check mira luck natural 9"], "thread mira feeling-lucky", [20]),
        (["thread mira lucky-find", "check mira luck natural 9"], "gm-thread reroll", [20]),
        (
            ["thread mira lucky-find", "check mira luck natural 9,4 adv"],
            "gm-thread reroll",
            [20] * 2,
        ),
    ],
)
def test_the_dice_that_are_rolled(
    fight: Fight, before: list[str], line: str, asked: list[int]
) -> None:
    fight.do(*before)
    dice = Highest()
    decide(fight.state, line, fight.ruleset, dice, fight.history.previous)
    assert dice.asked == asked


def test_what_was_readied_is_the_deed_of_who_readied_it(fight: Fight) -> None:
    """Monsters & Magic, Ready an Action."""
    fight.do("ready strike", "next", "trigger ghoul-1 strong 5")
    made = fight.history.previous
    assert made is not None
    assert made.entry.by == "brannoc"

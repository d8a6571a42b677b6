"""What is told beside dice adds up to the total that is told (Orcus, Threads of Fate)."""

from __future__ import annotations

import pytest

from affray import Fight
from affray.core.engine.events import Rolled

TWO = (
    "add pc Mira hp 24 ac 3 power 0 cunning 3 focus 2 luck 2 pb 2 attack dagger 1d4 piercing agile",
    "add monster Ghoul cr 2 hp 38 ac 2",
    "init mira 18",
    "init ghoul 3",
    "start",
)


@pytest.mark.parametrize(
    ("commands", "dice", "more"),
    [
        (["strike ghoul strong"], "1d4+3", 3),
        (["strike ghoul natural 1", "thread mira bend-luck"], "1d20+5+2", 7),
    ],
)
def test_what_is_added_to_dice_stands_with_them(commands: list[str], dice: str, more: int) -> None:
    fight = Fight("monsters-and-magic", seed=3)
    for line in (*TWO, *commands):
        fight.do(line)
    rolls = [e for e in fight.entries[-1].events if isinstance(e, Rolled) and e.faces]
    assert (rolls[-1].dice, rolls[-1].total) == (dice, sum(rolls[-1].faces) + more)

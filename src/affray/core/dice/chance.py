"""A chance of so many in a hundred, and whatever else somebody asks to have rolled.

>>> rolled("30%", SeededDice(3))
'30 % → [25] it happens'
"""

from __future__ import annotations

import re

from affray.core.dice.notation import DiceError, parse_dice, roll
from affray.core.dice.sources import DiceSource

_CHANCE = re.compile(r"\s*([0-9]{1,3})\s*%\s*", re.ASCII)
ALWAYS = 100


def rolled(text: str, source: DiceSource) -> str:
    """How dice or a chance fall, in words. It happens where d% shows no more than the chance.

    Raises DiceError for what is neither. Seed 004: What are Dice Used For, Percentage Chances.
    """
    chance = _CHANCE.fullmatch(text)
    if chance is None:
        return str(roll(parse_dice(text), source))
    of_a_hundred = int(chance[1])
    if of_a_hundred > ALWAYS:
        raise DiceError(f"a chance of 0 to {ALWAYS} %", text, chance.start(1))
    fell = source.die(ALWAYS)
    happens = "it happens" if fell <= of_a_hundred else "it doesn't happen"
    return f"{of_a_hundred} % → [{fell}] {happens}"

"""Foresee which rolls of a command will have advantage or disadvantage, and why.

for roll in foresee_advantage(encounter.preview, "attack ghoul-1,ghoul-2 ? with bow"):
    roll.against, roll.comes_to, roll.advantages, roll.disadvantages
# "ghoul-1", "disadvantage", (), ("prone",)
# "ghoul-2", "cancel", ("target restrained",), ("prone",)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, Protocol

from msgspec import Struct

from affray.core.dice import DiceSource, StubDice
from affray.core.parser.errors import Refused

DIE = "?"
"""Stands in a line in place of the die's outcome."""


class RollAdvantage(Struct, frozen=True):
    """Every reason for and against one roll of a d20, whether its die is called out or rolled.

    who, what, against          whose roll it is, what it is in words, and whom it is made against
    advantages, disadvantages   the reasons, each in a few words
    """

    who: str
    what: str
    against: str = ""
    advantages: tuple[str, ...] = ()
    disadvantages: tuple[str, ...] = ()

    @property
    def comes_to(self) -> Literal["advantage", "disadvantage", "cancel", ""]:
        """The sum of all reasons: `cancel` where there are both kinds; empty for none."""
        if self.advantages and self.disadvantages:
            return "cancel"
        return "advantage" if self.advantages else "disadvantage" if self.disadvantages else ""


class Previewed(Protocol):
    """A previewed line, of which only the rolls matter here."""

    @property
    def advantages(self) -> tuple[RollAdvantage, ...]:
        """The reasons for and against each roll."""


def foresee_advantage(
    preview: Callable[[str, DiceSource], Previewed], line: str
) -> tuple[RollAdvantage, ...]:
    """Return the rolls that a command will make, one for each target.

    The line lacks only its die: `?` stands for it where words follow, and at the end it is left
    out. Empty where the command can't be given, or makes no roll.
    """
    for tried in _with_some_die(preview, line):
        try:
            return preview(tried, StubDice(high=False)).advantages
        except Refused:
            continue
    return ()


def _with_some_die(preview: Callable[[str, DiceSource], Previewed], line: str) -> Iterator[str]:
    """Yield the line with each possible outcome in place of its die, then without any."""
    before, mark, after = f" {line} ".partition(f" {DIE} ")
    try:
        preview(before.strip(), StubDice(high=False))
    except Refused as refusal:
        for outcome in refusal.candidates:
            yield f"{before.strip()} {outcome} {after}".strip()
    if not mark or not after.strip():
        yield before.strip()
    else:
        yield f"{before.strip()} {after.strip()}"

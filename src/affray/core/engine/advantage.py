"""Which rolls of a command have advantage or disadvantage, and why.

A preview lists them before a die falls:

for roll in encounter.preview("attack ghoul-1,ghoul-2 roll with bow").advantages:
    roll.against, roll.comes_to, roll.advantages, roll.disadvantages
# "ghoul-1", "disadvantage", (), ("prone",)
# "ghoul-2", "cancel", ("target restrained",), ("prone",)
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class RollAdvantage(Struct, frozen=True):
    """Every reason for and against one check, with a called or a rolled die.

    who, what, against          the roller's id, the roll in words, and the target's id
    advantages, disadvantages   the reasons, each in a few words
    """

    who: str
    what: str
    against: str = ""
    advantages: tuple[str, ...] = ()
    disadvantages: tuple[str, ...] = ()

    @property
    def comes_to(self) -> Literal["advantage", "disadvantage", "cancel", ""]:
        """The result of all reasons: `cancel` if there are both kinds; empty for none."""
        if self.advantages and self.disadvantages:
            return "cancel"
        return "advantage" if self.advantages else "disadvantage" if self.disadvantages else ""

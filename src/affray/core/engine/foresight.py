"""Previews of lines, decided with stub dice and not done."""

from __future__ import annotations

from collections.abc import Callable

from affray.core.dice import DiceSource, StubDice
from affray.core.engine.decide import Decision
from affray.core.engine.dice_owners import PlayersDie, players_dice
from affray.core.parser.errors import Refused

Decide = Callable[[str, DiceSource], Decision]
"""A function from a line and its dice to the decision. Raises Refused."""


class Foresight:
    """The previews of lines, with stub dice in place of those that fall; each is made once."""

    def __init__(self, preview: Decide) -> None:
        self._preview = preview
        self._seen: dict[tuple[str, bool], tuple[Decision | Refused, StubDice]] = {}

    def __call__(self, line: str) -> Decision | Refused:
        """The decision of a line, or its refusal."""
        return self.decided(line, high=True)[0]

    def players_dice(self, line: str) -> list[PlayersDie]:
        """The players' dice that would fall, whatever other dice show; none if the line is
        refused."""
        found: list[PlayersDie] = []
        for high in (True, False):
            decision, dice = self.decided(line, high)
            if isinstance(decision, Decision):
                rolls = players_dice(decision.state, decision.events, dice)
                found += [die for die in rolls if die not in found or high]
        return found

    def decided(self, line: str, high: bool) -> tuple[Decision | Refused, StubDice]:
        """The decision of a line with high dice or low ones, or its refusal, and the dice that it
        threw; one that throws none is decided once for both."""
        if (line, high) not in self._seen:
            otherwise = self._seen.get((line, not high))
            if otherwise is not None and not otherwise[1].thrown:
                return otherwise
            dice = StubDice(high)
            try:
                decision: Decision | Refused = self._preview(line, dice)
            except Refused as refusal:
                decision = refusal
            self._seen[line, high] = decision, dice
        return self._seen[line, high]

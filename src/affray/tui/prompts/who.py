"""What slots that ask who it is have in common: of one (`person.py`) or several (`people.py`)."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property

from affray.core.heart.state import Combatant
from affray.tui.prompts.numbers import no_number
from affray.tui.prompts.slot import Offer, Slot

MOVES = {"j": 1, "down": 1, "k": -1, "up": -1}
"""The keys that move what is offered."""


class WhoSlot(Slot):
    """Somebody of those in the fight, by the number on the list, or by j and k.

    `pick` is the id of the one who is offered, and taken where nobody else is named.
    """

    pick = ""

    @property
    def at_foes(self) -> bool:
        """Whether it is likely to be done to foes."""
        return self.ask.kind == "target"

    def unfit(self, who: Combatant) -> str:
        """Why somebody does not come into question; empty when they do.

        Where others are asked for (`Ask.others`), neither whoever acts does, nor the dead.
        """
        if self.ask.others and who.id == self.view.actor:
            return f"{who.name} acts: choose somebody else"
        return f"{who.name} is dead" if self.ask.others and who.life == "dead" else ""

    @cached_property
    def candidates(self) -> dict[str, int]:
        """Who comes into question, with their numbers, foes or friends first, as it is done to."""
        view = self.view
        if self.at_foes:
            row = view.foes_first
        else:
            row = view.friends_first if self.ask.kind == "ally" else view.standing_first
        return {who.id: number for number, who in row if not self.unfit(who)}

    def offer_next(self, by: int = 1) -> None:
        """Offer somebody else of those who come into question, by so many steps."""
        fit = list(self.candidates)
        if fit:
            at = fit.index(self.pick) + by if self.pick in fit else 0
            self.pick = fit[at % len(fit)]

    def by_number(self, picked: Collection[str]) -> list[Offer]:
        """All who come into question, each with the number."""
        people = self.view.by_number
        fit = self.candidates.items()
        return [Offer(str(number), people[number].name, who in picked) for who, number in fit]

    def nobody_has(self, digits: str) -> str:
        """Why digits name nobody, and what takes those before the last."""
        return f"{no_number(digits, self.view.by_number)}; enter or tab goes on"

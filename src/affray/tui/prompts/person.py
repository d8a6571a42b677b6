"""A slot for one combatant, by the number on the list."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from affray.core.heart.state import Combatant
from affray.core.language.asks import Ask
from affray.core.language.refusal import Refused, listed
from affray.core.language.who import resolve
from affray.core.language.words import Word
from affray.tui.prompts.numbers import begins_one, may_grow, no_number
from affray.tui.prompts.slot import Fed, Offer, Slot
from affray.tui.prompts.view import PromptView

MOVES = {"j": 1, "down": 1, "k": -1, "up": -1}
"""The keys that move what is offered."""


def unfit_for(slot: Slot, who: Combatant) -> str:
    """Why somebody does not come into question for what is done to others; empty when they do."""
    if slot.ask.others and who.id == slot.view.actor:
        return f"{who.name} acts: choose somebody else"
    return f"{who.name} is dead" if slot.ask.others and who.life == "dead" else ""


class PersonSlot(Slot):
    """One combatant: digits are its number on the list, j and k move what is offered.

    A number that can't grow any more is whole, and the next slot is asked for. Any other key goes
    to the next slot, for the one who is offered. Only who is the only one is not asked for; with
    `self:unplaced` neither is the next of the party who waits for an initiative, nor with `self:up`
    the one under the cursor, who is up.
    """

    def __init__(self, ask: Ask, view: PromptView, earlier: Sequence[Slot]) -> None:
        super().__init__(ask, view, earlier)
        self.label = {"self": "who", "anyone": "who", "person": "who"}.get(ask.kind, ask.kind)
        if ask.kind == "anyone" and ask.before:
            self.label = ask.before
        self.digits = ""
        self.said = False  # whether somebody was named, and not only offered
        self.what = next(iter(ask.options), "")
        self.pick = self._likely()
        only = ask.kind == "person" and len(self.candidates) == 1
        waits = view.state.find(self.pick) if ask.kind == "self" and self.what else None
        self.given = only or (waits is not None and view.true_of(waits, self.what))

    def feed(self, key: str) -> Fed:
        """Digits gather; anything else but a move goes to the next slot."""
        if key.isdecimal():
            return self._digit(key)
        if key in MOVES:
            self._move(MOVES[key])
            return Fed.KEPT
        if self.missing:
            self.trouble = self.missing
            return Fed.REFUSED
        self.accept()
        return Fed.PASS

    def _digit(self, key: str) -> Fed:
        """Who does not come into question is refused, unless more digits may follow."""
        digits, fit = self.digits + key, self.candidates.values()
        if self.digits and self.pick and not begins_one(digits, fit):
            self.accept()  # the number is whole, and the digit is for what comes next
            return Fed.PASS
        if not begins_one(digits, fit):
            found = self.view.by_number.get(int(digits))
            self.trouble = (
                self.unfit(found)
                if found is not None
                else f"{no_number(digits, self.view.by_number)}; enter or tab goes on"
            )
            return Fed.REFUSED
        found = self.view.by_number.get(int(digits))
        self.digits, self.said = digits, True
        self.pick = found.id if found is not None else ""
        if may_grow(digits, fit):
            return Fed.KEPT
        self.accept()
        return Fed.NEXT

    def unfit(self, who: Combatant) -> str:
        """Why somebody does not come into question; empty when they do."""
        wanted = self.ask.options or ("",)
        if self.ask.kind == "person" and not any(self.view.true_of(who, each) for each in wanted):
            return f"not {who.name}: only who is {listed(wanted, 'or')}"
        return unfit_for(self, who)

    @cached_property
    def candidates(self) -> dict[str, int]:
        """Who comes into question, with their numbers, foes or friends first, as it is done to."""
        firsts = {"target": self.view.foes_first, "ally": self.view.friends_first}
        row = firsts.get(self.ask.kind, self.view.standing_first)
        return {c.id: n for n, c in row if not self.unfit(c)}

    def _likely(self) -> str:
        if self.ask.optional:
            return ""
        likely, fit = self.view.likely(self.ask.kind, self.what), self.candidates
        return likely if likely in fit else next(iter(fit), "")

    def accept(self) -> None:
        """The number is whole: who comes back here begins a new one."""
        self.digits = ""

    def _move(self, by: int) -> None:
        self.digits, self.said = "", True
        fit = list(self.candidates)
        if fit:
            at = fit.index(self.pick) + by if self.pick in fit else 0
            self.pick = fit[at % len(fit)]

    def go_on(self) -> None:
        """Offer the next who comes into question."""
        self._move(1)
        self.said = False

    def choose(self, who: str) -> None:
        """Take that combatant, as when a row is clicked."""
        found = self.view.state.find(who)
        self.trouble = self.unfit(found) if found is not None else ""
        if not self.trouble:
            self.digits, self.said = "", True
            self.pick = who

    def read(self, words: Sequence[Word]) -> int:
        """Whoever the first word names."""
        try:
            self.pick = resolve(self.view.state, words[0]).id
        except Refused:
            return 0
        self.said = True
        return 1

    def erase(self) -> bool:
        """Take back a digit, or whoever was chosen; the offer comes back then."""
        if not self.digits and not self.said:
            return False
        self.digits = self.digits[:-1]
        found = self.view.by_number.get(int(self.digits)) if self.digits else None
        self.said = bool(self.digits)
        self.pick = found.id if found is not None else "" if self.digits else self._likely()
        return True

    @property
    def missing(self) -> str:
        """Nobody chosen, or somebody who does not come into question."""
        found = self.view.state.find(self.pick)
        if found is not None:
            return self.unfit(found)
        return "" if self.ask.optional and not self.digits else f"{self.label}: {self.wants}"

    @property
    def wants(self) -> str:
        """A number of the order."""
        return "a number of the order, or ↑ ↓" if self.candidates else "nobody comes into question"

    @property
    def touched(self) -> bool:
        """Whether somebody was named."""
        return self.said

    @property
    def answer(self) -> str:
        """The id of the one who is picked."""
        return self.pick

    @property
    def leads(self) -> bool:
        """A target that may be left out is asked for all the same: so much hangs on it."""
        return self.preset or (self.ask.optional and self.ask.kind != "target")

    @property
    def shown(self) -> str:
        """The name of the one who is picked."""
        return self.view.state.name(self.pick) if self.pick else self.digits

    @property
    def preset(self) -> bool:
        """The only one needs no asking."""
        return self.given and bool(self.pick)

    def offers(self) -> list[Offer]:
        """All who come into question, by number."""
        name = {c.id: c.name for c in self.view.people}
        fit = self.candidates.items()
        return [Offer(str(number), name[who], who == self.pick) for who, number in fit]

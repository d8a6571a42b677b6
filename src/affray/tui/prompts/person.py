"""A slot for one combatant, by the number on the list."""

from __future__ import annotations

from collections.abc import Sequence

from affray.core.heart.state import Combatant
from affray.core.language.asks import Ask
from affray.core.language.refusal import Refused, listed
from affray.core.language.who import resolve
from affray.core.language.words import Word
from affray.tui.prompts.numbers import begins_one, may_grow
from affray.tui.prompts.slot import Fed, Offer, Slot
from affray.tui.prompts.view import PARTY, PromptView
from affray.tui.prompts.who import MOVES, NAMES, WhoSlot


class PersonSlot(WhoSlot):
    """One combatant: digits are its number on the list, j and k move what is offered.

    A number that can't grow any more is whole, and the next slot is asked for. Any other key goes
    to the next slot, for the one who is offered. Only who is the only one is not asked for; with
    `self:unplaced` neither is the next of the party who waits for an initiative, nor with `self:up`
    the one under the cursor, who is up.
    """

    digits = ""
    said = False
    """Whether somebody was named, and not only offered."""

    def __init__(self, ask: Ask, view: PromptView, earlier: Sequence[Slot]) -> None:
        super().__init__(ask, view, earlier)
        self.pick = self._likely()
        only = ask.kind == "person" and len(self.candidates) == 1
        waits = view.state.find(self.pick) if ask.kind == "self" and self.what else None
        self.given = only or (waits is not None and view.true_of(waits, self.what))

    @property
    def what(self) -> str:
        """What is to be true of them; empty for anybody."""
        return next(iter(self.ask.options), "")

    @property
    def label(self) -> str:
        """`target` or `ally`; else what stands before the name, or who it is."""
        if self.ask.kind == "anyone" and self.ask.before:
            return self.ask.before
        return self.ask.kind if self.ask.kind in ("target", "ally") else "who"

    def feed(self, key: str) -> Fed:
        """Digits gather, and letters of a name; anything else but a move goes to the next slot."""
        if self.typed is not None:
            fed = self.type_name(key)
            if fed is not None:
                return fed
        elif key == NAMES:
            self.typed, self.digits = "", ""
            self.name("")
            return Fed.KEPT
        elif key.isdecimal():
            return self._digit(key)
        if key in MOVES and not self.typed:
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
        found = self.view.by_number.get(int(digits))
        if not begins_one(digits, fit):
            if self.digits and self.pick:
                self.accept()  # the number is whole, and the digit is for what comes next
                return Fed.PASS
            self.trouble = self.unfit(found) if found is not None else self.nobody_has(digits)
            return Fed.REFUSED
        self.digits, self.said = digits, True
        self.pick = found.id if found is not None else ""
        if may_grow(digits, fit):
            return Fed.KEPT
        self.accept()
        return Fed.NEXT

    def unfit(self, who: Combatant) -> str:
        """Of a `person`, one of several things must be true as well."""
        wanted = self.ask.options or ("",)
        if self.ask.kind == "person" and not any(self.view.true_of(who, each) for each in wanted):
            return f"not {who.name}: only who is {listed(wanted, 'or')}"
        return super().unfit(who)

    def _likely(self) -> str:
        if self.ask.optional:
            return ""
        what = PARTY if PARTY in self.ask.options else self.what
        likely, fit = self._view_of_doer.likely(self.ask.kind, what), self.candidates
        return likely if likely in fit else next(iter(fit), "")

    def accept(self) -> None:
        """The number or name is whole: who comes back here begins a new one."""
        self.digits, self.typed = "", None

    def name(self, who: str) -> None:
        """Somebody is named, and not only offered."""
        super().name(who)
        self.said = True

    def _move(self, by: int) -> None:
        self.digits, self.typed, self.said = "", None, True
        self.offer_next(by)

    def offer_anew(self) -> None:
        """Offer who is likely now, as long as nobody was named."""
        if not self.touched and self.typed is None:
            self.pick = self._likely()

    def go_on(self) -> None:
        """Offer the next who comes into question, whom nobody has named."""
        self.digits, self.said = "", False
        self.offer_next()

    def choose(self, who: str) -> None:
        """Take that combatant, as when a row is clicked."""
        found = self.view.state.find(who)
        self.trouble = self.unfit(found) if found is not None else ""
        if not self.trouble:
            self.digits, self.typed, self.said = "", None, True
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
        if self.typed is not None:
            self.said = False
            return self.untype(self._likely())
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
        if self.unnamed:
            return self.unnamed
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
        return self.view.state.name(self.pick) if self.pick else self.digits or self.typed or ""

    @property
    def preset(self) -> bool:
        """The only one needs no asking."""
        return self.given and bool(self.pick)

    def offers(self) -> list[Offer]:
        """All who come into question, by number."""
        return self.by_number((self.pick,))

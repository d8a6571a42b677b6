"""A slot for damage as it was rolled, with its type."""

from __future__ import annotations

from collections.abc import Sequence

from affray.core.language.asks import Ask
from affray.core.language.words import Word
from affray.tui.prompts.outcome import OutcomeSlot
from affray.tui.prompts.slot import Fed, Offer, Slot
from affray.tui.prompts.view import PromptView

MOST_DIGITS = 4
"""So long may the number be."""


class DamageSlot(Slot):
    """Damage as it was rolled, then letters of its type; nothing: the app rolls the attack's dice.

    The options of the ask are words that may stand in its place (by their first letter).
    """

    def __init__(self, ask: Ask, view: PromptView, earlier: Sequence[Slot]) -> None:
        super().__init__(ask, view, earlier)
        self.digits = ""
        self.letters = ""
        self.instead = ""

    def feed(self, key: str) -> Fed:
        """Digits first; letters after them narrow the type."""
        if key.isdecimal() and not self.letters:
            if len(self.digits) >= MOST_DIGITS:
                self.trouble = f"{self.digits}{key} is too much damage"
                return Fed.REFUSED
            self.digits, self.instead = self.digits + key, ""
            return Fed.KEPT
        if not self.digits:
            word = next((w for w in self.ask.options if key and w.startswith(key)), "")
            if word:
                self.instead = word
                return Fed.NEXT
        if len(key) == 1 and key.isalpha() and self._types(self.letters + key):
            self.letters += key
            return Fed.KEPT
        return Fed.REFUSED

    def read(self, words: Sequence[Word]) -> int:
        """A number with its type, or what stands in its place."""
        if words[0] in self.ask.options:
            self.instead = str(words[0])
            return 1
        if not words[0].isdecimal() or len(words[0]) > MOST_DIGITS:
            return 0
        self.digits = str(words[0])
        has_type = len(words) > 1 and words[1] in self.view.ruleset.tables.damage_types
        self.letters = str(words[1]) if has_type else ""
        return 2 if has_type else 1

    def _types(self, begin: str) -> list[str]:
        return [t for t in self.view.ruleset.tables.damage_types if t.startswith(begin.casefold())]

    @property
    def type(self) -> str:
        """The damage type that the letters lead to."""
        return self._types(self.letters)[0] if self.letters else ""

    def erase(self) -> bool:
        """Take back a letter, a digit, or what stands in its place."""
        if self.instead:
            self.instead = ""
        elif self.letters:
            self.letters = self.letters[:-1]
        elif self.digits:
            self.digits = self.digits[:-1]
        else:
            return False
        return True

    def applies(self) -> bool:
        """Asked for when a roll before it hits."""
        rolls = [s for s in self.earlier if isinstance(s, OutcomeSlot)]
        return super().applies() and all(s.hits and s.applies() for s in rolls)

    @property
    def answer(self) -> str:
        """`8 slashing`, `8`, or what stands in its place."""
        return self.instead or " ".join(part for part in (self.digits, self.type) if part)

    @property
    def missing(self) -> str:
        """Nothing, where the app can roll it."""
        return "" if self.answer or self.can_roll else "type the damage"

    @property
    def can_roll(self) -> bool:
        """Whether the app has something to roll when nothing is typed."""
        return self.view.decide is None or self.look("") is not None

    @property
    def wants(self) -> str:
        """A number, or what may stand in its place."""
        words = [f"or {word[0]} {word}" for word in self.ask.options]
        return " ".join(["a number, then letters of its type", *words])

    @property
    def leads(self) -> bool:
        """The app rolls it unasked for whom it rolls anyway, unless a player called the roll."""
        if self.ask.optional:
            return True
        return self.view.by_the_app() and not self._called and self.can_roll

    @property
    def _called(self) -> bool:
        """Whether the roll before it was called out for one of the party: by whoever plays them."""
        rolls = [s for s in self.earlier if isinstance(s, OutcomeSlot) and s.applies()]
        who = self.view.state.find(self.view.actor)
        return who is not None and who.side == "party" and any(s.said for s in rolls)

    @property
    def shown(self) -> str:
        """The amount and the type."""
        return self.answer

    def offers(self) -> list[Offer]:
        """The types while letters narrow them; what may stand in its place before."""
        if self.letters:
            return [Offer("", t, t == self.type) for t in self._types(self.letters)]
        if self.digits:
            return []
        return [Offer(word[0], word, word == self.instead) for word in self.ask.options]

    @property
    def hint(self) -> str:
        """What can be typed."""
        if self.letters:
            return ""
        if self.digits:
            return "letters for its type"
        return "as rolled" + (" · nothing: the app rolls" if self.can_roll else "")

"""Slots for an amount: a number, or dice."""

from __future__ import annotations

from collections.abc import Sequence

from affray.core.language.words import Word
from affray.tui.prompts.slot import Fed, Offer, Slot

SIGNS = "+-"
MOST_IN_DICE = 12
"""So long may dice be."""
MOST_DIGITS = 6
"""So long may a number be, its sign included."""


class NumberSlot(Slot):
    """A whole number, with a sign if need be; its options are words that may stand in its place."""

    text = word = ""
    """What was typed, or the word in its place."""

    @property
    def label(self) -> str:
        """The words around it, if there are any."""
        return " ".join(filter(None, (self.ask.before, self.ask.after))) or super().label

    @property
    def between(self) -> tuple[str, frozenset[str]] | None:
        """What it is an amount of, and between whom: given once, it is offered again."""
        who = self.person_before(("ally", "target"))
        if who is None or self.ask.kind in ("number", "dice"):
            return None
        actor = self.person_before(("anyone", "self"))
        return self.ask.kind, frozenset((actor.id if actor else self.view.actor, who.id))

    def _as_before(self) -> str:
        if self.between is None:
            return ""
        return self.view.memory.amounts.get(self.between, "")

    def _is_known(self) -> bool:
        """Whether the command itself knows what it is between these two."""
        return self.between is not None and self.look("") is not None

    def takes(self, number: str) -> bool:
        """Take a number that was said elsewhere; False for one that is too long."""
        fits = len(number) <= MOST_DIGITS
        self.text = number if fits else self.text
        return fits

    def read(self, words: Sequence[Word]) -> int:
        """A number, or a word in its place."""
        if words[0] in self.ask.options:
            self.word = str(words[0])
        elif words[0].lstrip(SIGNS).isdecimal() and len(words[0]) <= MOST_DIGITS:
            self.text = str(words[0])
        return 1 if self.word or self.text else 0

    def feed(self, key: str) -> Fed:
        """Digits gather; another key goes to the next slot."""
        if key.isdecimal() or (key in SIGNS and not self.text):
            if len(self.text) >= MOST_DIGITS:
                self.trouble = f"{self.text}{key} is too long a number"
                return Fed.REFUSED
            self.text, self.word = self.text + key, ""
            return Fed.KEPT
        word = next((w for w in self.ask.options if key and w.startswith(key)), "")
        if word and not self.text:
            self.word = word
            return Fed.NEXT
        return Fed.PASS if self.answer or self.ask.optional else Fed.REFUSED

    def erase(self) -> bool:
        """Take back a digit or the word."""
        if self.word:
            self.word = ""
            return True
        if not self.text:
            return False
        self.text = self.text[:-1]
        return True

    @property
    def answer(self) -> str:
        """The number, or the word in its place."""
        return self.word or (self.text if self.text.strip(SIGNS) else self._as_before())

    @property
    def shown(self) -> str:
        """What was typed so far, or what it was the last time."""
        return self.word or self.text or self._as_before()

    @property
    def touched(self) -> bool:
        """Whether something was typed."""
        return bool(self.word or self.text)

    @property
    def missing(self) -> str:
        """The number, unless the command knows it."""
        can_lack = self.answer or self.ask.optional or self._is_known()
        return "" if can_lack else f"type {self.wants}"

    @property
    def wants(self) -> str:
        """A number, or a word in its place."""
        words = [f"or {word[0]} {word}" for word in self.ask.options]
        return " ".join(["a number,", *words] if words else ["a number"])

    def offers(self) -> list[Offer]:
        """The words that may stand in its place."""
        return [Offer(word[0], word, word == self.word) for word in self.ask.options]

    @property
    def hint(self) -> str:
        """Digits, plainly."""
        if self.text or self.word:
            return ""
        return "as before" if self._as_before() else "digits"


class DiceSlot(NumberSlot):
    """A number, or dice that the app rolls: `12` or `2d6+3`."""

    def feed(self, key: str) -> Fed:
        """Digits, `d`, plus and minus, as long as they can be dice."""
        if self.text and key in ("d", "+", "-") and len(self.text) < MOST_IN_DICE:
            if self.text[-1].isdecimal() and not (key == "d" and "d" in self.text):
                self.text += key
                return Fed.KEPT
            self.trouble = f"{self.text}{key} is neither a number nor dice such as 2d6+3"
            return Fed.REFUSED
        return super().feed(key)

    def read(self, words: Sequence[Word]) -> int:
        """A number, or dice."""
        whole = words[0][:1].isdecimal() and all(c.isdecimal() or c in "d+-" for c in words[0])
        self.text = str(words[0]) if whole and len(words[0]) <= MOST_IN_DICE else ""
        return 1 if self.text else 0

    @property
    def answer(self) -> str:
        """The number or the dice, once they are whole."""
        return self.text if self.text and self.text[-1].isdecimal() else ""

    @property
    def wants(self) -> str:
        """A number, or dice."""
        return "a number, or dice such as 2d6"

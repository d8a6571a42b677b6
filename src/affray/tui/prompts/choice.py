"""Slots for one of a few words, each by its own letter; for a word that is there, and for a yes."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from affray.core.language.words import Word
from affray.tui.prompts.slot import Fed, Offer, Slot


class WordSlot(Slot):
    """A word that is always there, and never asked for."""

    can_be_gone_to = False

    @property
    def preset(self) -> bool:
        """It is there from the beginning."""
        return True

    @property
    def answer(self) -> str:
        """The word."""
        return self.ask.options[0]

    @property
    def shown(self) -> str:
        """Nothing: the prompt's label says it."""
        return ""

    def feed(self, key: str) -> Fed:
        """It takes nothing."""
        return Fed.PASS

    def read(self, words: Sequence[Word]) -> int:
        """That very word."""
        return 1 if words[0] == self.ask.options[0] else 0

    def erase(self) -> bool:
        """There is nothing to take back."""
        return False


class SureSlot(Slot):
    """No word, only a moment to think: an enter says yes."""

    label = "sure?"

    @property
    def answer(self) -> str:
        """It adds nothing."""
        return ""

    @property
    def missing(self) -> str:
        """An enter is enough."""
        return ""

    @property
    def hint(self) -> str:
        """Both ways."""
        return "enter: yes · esc: no"

    def feed(self, key: str) -> Fed:
        """Nothing else is an answer."""
        return Fed.REFUSED

    def erase(self) -> bool:
        """There is nothing to take back."""
        return False


class ChoiceSlot(Slot):
    """One of a few words, each by its own letter."""

    label = "which"
    word = ""
    typed = ""
    """The letters of a word that is written out."""

    @property
    def choices(self) -> tuple[str, ...]:
        """The words that can be chosen."""
        return self.ask.options

    @property
    def keys(self) -> dict[str, str]:
        """The words by their letters."""
        return keys_for(self.choices)

    def feed(self, key: str) -> Fed:
        """A letter chooses; the others of its word may follow, and choose nothing else."""
        if self.word and self.word.startswith(self.typed + key):
            self.typed += key
            return Fed.KEPT
        if key in self.keys and not self.typed[1:]:
            self.word, self.typed = self.keys[key], key
            return Fed.NEXT
        return Fed.PASS if self.word or self.ask.optional else Fed.REFUSED

    def read(self, words: Sequence[Word]) -> int:
        """One of the words."""
        self.word = str(words[0]) if words[0] in self.choices else ""
        return 1 if self.word else 0

    def erase(self) -> bool:
        """Take the choice back."""
        taken, self.word, self.typed = bool(self.word), "", ""
        return taken

    @property
    def answer(self) -> str:
        """The chosen word."""
        return self.word

    def offers(self) -> list[Offer]:
        """The words with their letters."""
        return [Offer(key, word, word == self.word) for key, word in self.keys.items()]


class OfferedSlot(ChoiceSlot):
    """One of the words that the command itself takes here, as things are."""

    @property
    def choices(self) -> tuple[str, ...]:
        """What completion offers behind the line so far."""
        return tuple(self.view.complete(f"{self.so_far()} "))

    @property
    def hint(self) -> str:
        """Why there is none."""
        return "" if self.choices else self.view.barred(self.so_far())

    def read(self, words: Sequence[Word]) -> int:
        """Any word: it was one of them when it was given."""
        self.word = str(words[0])
        return 1


def keys_for(words: Sequence[str], taken: Collection[str] = ()) -> dict[str, str]:
    """A letter for each word: the first of its own that is free, else a digit."""
    keys: dict[str, str] = {}
    for number, word in enumerate(words, 1):
        letters = [c for c in word.casefold() if c.isalpha()]
        free = (c for c in letters if c not in keys and c not in taken)
        keys[next(free, str(number))] = word
    return keys

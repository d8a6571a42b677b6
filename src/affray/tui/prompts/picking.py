"""A slot for one of a long list: letters narrow it, up and down move in it."""

from __future__ import annotations

from collections.abc import Sequence

from affray.core.language.asks import Ask
from affray.core.language.words import Word
from affray.tui.prompts.slot import Fed, Offer, Slot
from affray.tui.prompts.view import PromptView


class PickSlot(Slot):
    """One of a long list: letters narrow it, up and down move in it."""

    def __init__(self, ask: Ask, view: PromptView, earlier: Sequence[Slot]) -> None:
        super().__init__(ask, view, earlier)
        self.letters = ""
        self.at = 0

    def rows(self) -> list[tuple[str, str]]:
        """All that can be picked, as (word of the command, what is shown)."""
        return []

    def narrowed(self) -> list[tuple[str, str]]:
        """What the letters leave: words that begin with them, then those that contain them."""
        part = self.letters.casefold()
        rows = self.rows()
        begins = [row for row in rows if row[1].casefold().startswith(part)]
        return begins + [r for r in rows if r not in begins and part in r[1].casefold() and part]

    def feed(self, key: str) -> Fed:
        """Letters narrow, as long as something is left."""
        if key in ("up", "down"):
            count = len(self.narrowed())
            self.at = (self.at + (1 if key == "down" else -1)) % count if count else 0
            return Fed.KEPT
        if len(key) == 1 and (key.isalnum() or key == "-"):
            return self._letter(key)
        return Fed.PASS if self.answer else Fed.REFUSED

    def _letter(self, key: str) -> Fed:
        before = self.letters, self.at, len(self.narrowed())
        self.letters, self.at = self.letters + key, 0
        if self.narrowed():
            return Fed.KEPT
        self.letters, self.at = before[0], before[1]
        whole = before[2] == 1 or key.isdecimal()  # a digit is no letter of another one
        return Fed.PASS if self.letters and whole else Fed.REFUSED

    def read(self, words: Sequence[Word]) -> int:
        """One of them, by its word."""
        word = f'"{words[0]}"' if words[0].quoted else str(words[0])
        names = [name for name, _ in self.rows()]
        label = next((label for name, label in self.rows() if name == word), "")
        if label:
            self.letters = label
            self.at = [name for name, _ in self.narrowed()].index(word)
        return 1 if word in names else 0

    def erase(self) -> bool:
        """Take back a letter."""
        if not self.letters and not self.at:
            return False
        self.letters, self.at = self.letters[:-1], 0
        return True

    @property
    def answer(self) -> str:
        """The word of what is highlighted."""
        rows = self.narrowed()
        if not rows or (self.ask.optional and not self.letters and not self.at):
            return ""
        return rows[min(self.at, len(rows) - 1)][0]

    @property
    def shown(self) -> str:
        """What is highlighted."""
        word = self.answer
        return next((label for key, label in self.rows() if key == word), word)

    def offers(self) -> list[Offer]:
        """What the letters leave."""
        word = self.answer
        return [Offer("", label, key == word) for key, label in self.narrowed()]

    @property
    def wants(self) -> str:
        """One of them."""
        return "the beginning of its name, or ↑ ↓"

    @property
    def touched(self) -> bool:
        """Whether anything was typed or chosen."""
        return bool(self.letters or self.at)

    @property
    def hint(self) -> str:
        """How to go about it, until something is typed."""
        return "" if self.letters else "type to narrow, ↑↓ to move"

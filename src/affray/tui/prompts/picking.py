"""Slots for one of a long list, such as the tables have: letters narrow it, up and down move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from affray.core.language.words import Word
from affray.tui.prompts.slot import Fed, Offer, Slot


def no_name_has(letters: str, besides: str = "") -> str:
    """That nothing fits what was typed, and what to do; `besides` taking letters back."""
    more = f"{besides}; " if besides else ""
    return f"nothing here is called {letters}: {more}backspace takes a letter back; esc leaves"


class PickSlot(Slot):
    """One of a long list: letters narrow it, up and down move in it."""

    BESIDES: ClassVar[str] = ""
    """What can be done with letters that nothing in the list has."""

    letters = ""
    """What was typed of a name."""
    at = 0
    """Which of those that the letters leave is highlighted."""

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
        """Letters narrow the list. When no name has them any more, nothing is chosen until some are
        taken back."""
        if key in ("up", "down") and not self._fits_nothing:
            count = len(self.narrowed())
            self.at = (self.at + (1 if key == "down" else -1)) % count if count else 0
            return Fed.KEPT
        if len(key) == 1 and (key.isalnum() or key == "-") and self.rows():
            return self._letter(key)
        self.trouble = self._fits_nothing
        return Fed.PASS if self.answer else Fed.REFUSED

    def _letter(self, key: str) -> Fed:
        letters, at, left = self.letters, self.at, len(self.narrowed())
        self.letters, self.at = letters + key, 0
        if self.narrowed():
            return Fed.KEPT
        if key.isdecimal() or (letters and left == 1):  # a digit is no letter of another one
            self.letters, self.at = letters, at
            self.trouble = self._fits_nothing
            return Fed.PASS if letters and left else Fed.REFUSED
        self.trouble = self._fits_nothing
        return Fed.REFUSED

    @property
    def _fits_nothing(self) -> str:
        """That letters were typed which none has; empty when there are none such."""
        return (
            "" if not self.letters or self.narrowed() else no_name_has(self.letters, self.BESIDES)
        )

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
    def missing(self) -> str:
        """One of them, and never letters that none has."""
        return self._fits_nothing or super().missing

    @property
    def shown(self) -> str:
        """What is highlighted, or letters that none has."""
        word = self.answer
        label = next((label for key, label in self.rows() if key == word), word)
        return label or (self.letters if self._fits_nothing else "")

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


class TrackSlot(PickSlot):
    """One of the tracks of the combatant named before."""

    def rows(self) -> list[tuple[str, str]]:
        """The tracks that are there, by their labels."""
        who = self.person_before()
        tables = self.view.ruleset.tables
        names = who.tracks if who else tables.tracks
        return [(name, tables.track(name).label) for name in names]


class TechniqueSlot(PickSlot):
    """One of the ruleset's techniques."""

    def rows(self) -> list[tuple[str, str]]:
        """All that are done in one's own turn, those first whose row of the prompts says `first`.

        Where the ask names tracks, only techniques that are paid with one of these.
        """
        tables, paid = self.view.ruleset.tables, {*self.ask.options}
        keys = [
            key
            for key, rule in tables.techniques.items()
            if not rule.reaction and (not paid or paid & {*rule.cost})
        ]
        keys.sort(key=lambda key: key not in tables.prompts or not tables.prompts[key].first)
        return [(key, tables.techniques[key].name or key) for key in keys]


class DamageTypeSlot(PickSlot):
    """One of the ruleset's types of damage."""

    def rows(self) -> list[tuple[str, str]]:
        """All types."""
        return [(word, word) for word in self.view.ruleset.tables.damage_types]

"""A slot for when an effect ends."""

from __future__ import annotations

from collections.abc import Sequence

from affray.core.language.asks import UNTIL, Ask
from affray.core.language.words import Word
from affray.tui.prompts.choice import keys_for
from affray.tui.prompts.person import PersonSlot
from affray.tui.prompts.slot import Fed, Offer, Slot
from affray.tui.prompts.view import PromptView

EDGES = UNTIL[:2]
"""The options behind which stands whose next turn it is the start or the end of."""
MOST_TURNS = 99


class UntilSlot(Slot):
    """`s3` until the start of number 3's turn, `f` until freed, `2` for 2 turns.

    The options of the ask are the words behind `until`, and with `=` before them what stands by
    itself, such as `=save-ends`. Without a number the turn is that of whoever acts.
    """

    word = turns = ""
    """What ends it, or for how many turns it lasts."""

    def __init__(self, ask: Ask, view: PromptView, earlier: Sequence[Slot]) -> None:
        super().__init__(ask, view, earlier)
        self.keys = keys_for([option.removeprefix("=") for option in ask.options])
        self.bare = {option[1:] for option in ask.options if option.startswith("=")}
        self.whose = PersonSlot(Ask("self"), view, earlier)
        self.whose.pick = view.actor or self.whose.pick

    def feed(self, key: str) -> Fed:
        """A letter says what ends it; digits are whose turn, or how many turns."""
        if self.word in EDGES:
            fed = self.whose.feed(key) if key.isdecimal() or not self.whose.touched else Fed.PASS
            self.trouble = self.whose.trouble
            return fed
        if key.isdecimal() and not self.word:
            if not 1 <= int(self.turns + key) <= MOST_TURNS:
                self.trouble = f"{self.turns}{key} is no number of turns: 1 to {MOST_TURNS}"
                return Fed.REFUSED
            self.turns += key
            return Fed.KEPT
        if key in self.keys and not self.turns:
            self.word = self.keys[key]
            return Fed.KEPT if self.word in EDGES else Fed.NEXT
        return Fed.PASS if self.answer or self.ask.optional else Fed.REFUSED

    def read(self, words: Sequence[Word]) -> int:
        """`until start of mira`, `until freed`, `for 2 turns`, `save-ends`."""
        row = [str(word) for word in words]
        if row[0] in self.bare:
            self.word = row[0]
            return 1
        if row[0] == "for" and len(row) > 2 and row[1].isdecimal() and row[2] in ("turn", "turns"):
            self.turns = row[1]
            return 3
        if row[0] != "until" or len(row) < 2 or row[1] not in self.keys.values():
            return 0
        if row[1] not in EDGES:
            self.word = row[1]
            return 2
        if row[2:3] != ["of"] or len(row) < 4 or not self.whose.read(words[3:]):
            return 0
        self.word = row[1]
        return 4

    @property
    def candidates(self) -> dict[str, int]:
        """Whose turn it could be, once that is asked."""
        return self.whose.candidates if self.word in EDGES else {}

    def choose(self, who: str) -> None:
        """Take whose turn it is."""
        self.whose.choose(who)

    def erase(self) -> bool:
        """Take back whose turn, then the word; or a digit."""
        if self.word in EDGES and self.whose.erase():
            return True
        taken = bool(self.word or self.turns)
        self.word, self.turns = "", self.turns[:-1]
        return taken

    @property
    def missing(self) -> str:
        """Whose turn it is, where there is nobody to offer."""
        return self.whose.missing if self.word in EDGES else super().missing

    @property
    def answer(self) -> str:
        """The words of the command."""
        if self.turns:
            return f"for {self.turns} turns"
        if self.word in EDGES:
            return f"until {self.word} of {self.whose.answer}"
        return self.word if self.word in self.bare else f"until {self.word}" if self.word else ""

    @property
    def shown(self) -> str:
        """The same, with the name."""
        if self.word in EDGES:
            return f"until the {self.word} of {self.whose.shown}'s turn"
        return self.answer

    def offers(self) -> list[Offer]:
        """The letters; then whose turn."""
        if self.word in EDGES:
            return self.whose.offers()
        return [Offer(key, word, word == self.word) for key, word in self.keys.items()]

    @property
    def hint(self) -> str:
        """That digits are turns."""
        return "" if self.word or self.turns else "digits: turns"

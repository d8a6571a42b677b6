"""The field for whatever else a command takes: the parser says what may come next."""

from __future__ import annotations

from collections.abc import Sequence

from affray.core.engine.decide import Continuation
from affray.core.parser.prompt_fields import DICE, NUMBER, OFFERED, Field
from affray.core.parser.tokens import Token, join_tokens
from affray.tui.prompts.choice_fields import PickField
from affray.tui.prompts.field import ACTOR, KeyResult

CALLED = {NUMBER: "a number", DICE: "a number or dice"}
"""What stands in the list for an answer that is no word, by the kind of its field."""
AMOUNTS = (NUMBER, DICE, "damage", "faces")
"""The kinds of fields that a digit begins."""

ROLL = "roll"
"""The word with which affray rolls a die."""


def _called(field: Field) -> str:
    return CALLED.get(field.kind) or " ".join(field.options[:1]) or field.kind


class MoreField(PickField):
    """One of the words that the command takes next; what stands behind it is asked for then.

    A digit is taken as the number that may stand there. Words that were given before are kept as
    they were.
    """

    given = ""
    """The words of a command that is asked again, where no other field has read them."""

    @property
    def label(self) -> str:
        """`more`; where something must stand here, what."""
        return "more" if self.spec.optional else "which"

    @property
    def found(self) -> Continuation:
        """The answer of the parser to what may stand here."""
        return self.view.follow(self.so_far() + self.by)

    def rows(self) -> list[tuple[str, str]]:
        """The words, people by their names; then what is typed, such as a number."""
        state = self.view.state
        words = [
            (f'"{word}"' if " " in word and '"' not in word else word, state.name(word) or word)
            for word in self.found.words
            if word != ACTOR
        ]
        return [*words, *((f"<{n}>", _called(each)) for n, each in enumerate(self._typed))]

    @property
    def _typed(self) -> list[Field]:
        """The fields of what is no word of the list: amounts before texts."""
        wanted = [self.found.needed] if self.found.needed is not None else []
        fields = [each for each in (*wanted, *self.found.besides) if each.kind != OFFERED]
        dice = [each for each in fields if each.kind == DICE]
        fields = [each for each in fields if each.kind != NUMBER or not dice]
        return sorted(dict.fromkeys(fields), key=lambda each: each.kind not in AMOUNTS)

    @property
    def picked(self) -> Field | None:
        """The field of what is typed, where that was picked in place of a word."""
        word = super().answer
        return self._typed[int(word.strip("<>"))] if word.startswith("<") else None

    def feed(self, key: str) -> KeyResult:
        """Letters narrow the words; a digit begins a number, where one may stand."""
        typed = self._typed if key.isdecimal() or key in "+-" else []
        if not self.letters and typed and typed[0].kind in AMOUNTS:
            self.at = len(self.rows()) - len(typed)
            return KeyResult.PASS
        return super().feed(key)

    def read(self, words: Sequence[Token]) -> int:
        """All words that are left of a command that was given."""
        self.given = join_tokens(words)
        return len(words)

    def erase(self) -> bool:
        """Take back a letter, or the last word that was given before."""
        if self.given:
            self.given = self.given.rpartition(" ")[0]
            return True
        return super().erase()

    @property
    def aside(self) -> bool:
        """True for what may be left out: only tab goes there."""
        return bool(self.spec.optional) and not self.spec.asked

    @property
    def answer(self) -> str:
        """The word; nothing in place of what is typed behind it."""
        if self.given or self.picked is not None:
            return self.given
        word = super().answer
        is_choice = word == ROLL or self.view.state.find(word) is not None
        return word if self.touched or not is_choice else ""  # no enter alone names or rolls

    @property
    def missing(self) -> str:
        """A word of the list, where there has to be one."""
        return "" if self.given or self.picked is not None else super().missing

    @property
    def shown(self) -> str:
        """The word, or the words that were given before."""
        return self.given or super().shown

    @property
    def hint(self) -> str:
        """That the list is empty."""
        return "" if self.rows() or self.given else self.found.refused or "nothing more to say"

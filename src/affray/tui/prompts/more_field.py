"""The field for everything else that a command takes: the parser says what may come next."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from affray.core.engine.decide import Continuation
from affray.core.parser.prompt_fields import AMOUNTS, DICE, IN_FULL, NUMBER, OFFERED, Field
from affray.core.parser.tokens import Token, join_tokens
from affray.tui.prompts.choice_fields import QUOTE, OwnNameField, ToggleField
from affray.tui.prompts.field import ACTOR, MORE, ROLL, AnswerOption, KeyResult

CALLED = {NUMBER: "a number", DICE: "a number or dice", "outcome": "an outcome"}
"""The list's item for an answer that is typed, by the kind of its field."""


def called(field: Field) -> str:
    """The name in the list of an answer that is typed."""
    return CALLED.get(field.kind) or " ".join(field.options[:1]) or field.kind


class MoreField(OwnNameField):
    """A choice of the words that the command takes next; the field for the next answer comes after
    it. A digit counts as the number that may come there. Words of an earlier command stay as they
    were.
    """

    asks_on = True
    given = ""
    """The words of an earlier command that no other field has read."""
    _followed: tuple[object, str, Field | None] | None = None
    """The keys that picked a word after which more is asked, the word, and the field typed in its
    place."""

    def is_followed(self) -> None:
        """True if more follows the word, so that it stays chosen."""
        self._followed = self._keys, self._word, self.picked

    @property
    def _keys(self) -> object:
        return self.before, self.letters, self.at, self.own

    @property
    def _word(self) -> str:
        """The highlighted word; before a key none if the field is optional, if several are
        possible, or if an amount may come here as well."""
        if not self.touched and (self.spec.optional or self._fields):
            return ""
        if self._followed is not None and self._followed[0] == self._keys:
            return self._followed[1]
        return super().answer

    @property
    def label(self) -> str:
        """`more`, or the name of a required answer."""
        return MORE if self.spec.optional else "which"

    @property
    def found(self) -> Continuation:
        """The parser's answer on what may come here."""
        return self.view.follow(self.so_far() + self.by)

    def rows(self) -> list[tuple[str, str]]:
        """The words, people by their names; then typed answers, such as a number. If none is
        required, words without a letter come first, then types of damage, then words with letters.
        """
        letters = [field for field in self.earlier if isinstance(field, ToggleField)]
        by_letter = {word for field in letters for word in field.choices}
        found = list(self.found.words)
        if self.spec.optional:
            found.sort(key=lambda word: (word in by_letter, word in self._types))
        words = [
            (f'"{word}"' if " " in word and '"' not in word else word, self._name(word))
            for word in found
            if word != ACTOR
        ]
        typed = () if self.before else self._typed
        return [*words, *((f"<{n}>", called(each)) for n, each in enumerate(typed))]

    @property
    def _types(self) -> Collection[str]:
        return self.view.ruleset.tables.damage_types

    def _name(self, word: str) -> str:
        return IN_FULL.get(word) or self.view.state.name(word) or word

    @property
    def _fields(self) -> list[Field]:
        """The fields of what may come here besides words of commands."""
        wanted = [self.found.needed] if self.found.needed is not None else []
        return [each for each in (*wanted, *self.found.besides) if each.kind != OFFERED]

    @property
    def _typed(self) -> list[Field]:
        """The fields of typed answers: amounts before texts."""
        words = {*self.found.words}
        is_listed = (each.kind == "choice" and {*each.options} <= words for each in self._fields)
        fields = [each for each, listed in zip(self._fields, is_listed, strict=True) if not listed]
        dice = [each for each in fields if each.kind == DICE]
        fields = [each for each in fields if each.kind != NUMBER or not dice]
        return sorted(dict.fromkeys(fields), key=lambda each: each.kind not in AMOUNTS)

    @property
    def picked(self) -> Field | None:
        """The field of a typed answer, if that was picked in place of a word."""
        if self._followed is not None and self._followed[0] == self._keys:
            return self._followed[2]
        word = self._word
        return self._typed[int(word.strip("<>"))] if word.startswith("<") else None

    def feed(self, key: str) -> KeyResult:
        """Letters narrow the words; a digit begins a number, if one may come here."""
        begins = self.own is None and (key.isdecimal() or key in "+-")
        typed = self._typed if begins else []
        if not (self.letters or self.before) and typed and typed[0].kind in AMOUNTS:
            self.at = len(self.rows()) - len(typed)
            return KeyResult.PASS
        return super().feed(key)

    def read(self, words: Sequence[Token]) -> int:
        """All remaining words of an earlier command."""
        self.given = join_tokens(words)
        return len(words)

    def erase(self) -> bool:
        """Take back a letter, or the last word that was given before."""
        if self.given:
            self.given = self.given.rpartition(" ")[0]
            return True
        return super().erase()

    @property
    def only_by_tab(self) -> bool:
        """True for an optional answer: only tab goes there."""
        return bool(self.spec.optional) and not self.spec.asked

    @property
    def answer(self) -> str:
        """The word; empty if a typed answer follows in its place."""
        if self.given or self.picked is not None:
            return self.given
        word = self._word
        is_choice = word == ROLL or word in self._types or self.view.state.find(word) is not None
        return word if self.touched or not is_choice else ""  # no enter alone decides on these

    @property
    def missing(self) -> str:
        """A complaint if a word is required."""
        return "" if self.given or self.picked is not None else super().missing

    @property
    def shown(self) -> str:
        """The highlighted word, or the words of the earlier command."""
        is_said = self._word or self.own is not None
        return self.given or (super().shown if is_said else "")

    def offers(self) -> list[AnswerOption]:
        """The words that match the typed letters, with the highlighted one."""
        rows = self.narrowed() if self.own is None else []
        return [AnswerOption("", label, word == self._word) for word, label in rows]

    @property
    def hint(self) -> str:
        """The hint that the list is empty; or how to end a name."""
        if self.own is not None:
            return f"its name, then {QUOTE}"
        return "" if self.rows() or self.given else self.found.refused or "no more options"

"""The `:` command bar as a pure model: a line that is edited, with history and completion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum, auto

# -------------------------------------------------------------------------------------------------
# The state of a line of input after a key


class InputState(Enum):
    """The state of a line after a key: still open, finished, or left."""

    OPEN = auto()
    FINISHED = auto()
    LEFT = auto()
    PASSED = auto()  # left, and the key was meant for something else


Complete = Callable[[str], list[str]]

MOST_CHARACTERS = 500
"""The most characters of a line: an `add` may have a whole sheet."""


class CommandBar:
    """A line in progress. `history` has earlier commands, oldest first; up and down go through
    those that begin like the typed text. `complete` gives the words that could come last.
    """

    def __init__(self, history: Sequence[str], complete: Complete, text: str = "") -> None:
        self.text = text
        self.caret = len(text)
        self._complete = complete
        self._history = list(dict.fromkeys(reversed(history)))  # newest first, each once
        self._walked = -1
        self._typed = ""  # what was typed before the history was walked
        self._offers: list[str] = []  # while tab shows them, or goes round
        self._offered = -1
        self._stem = ""  # what stands before the word that tab completes
        self._begun = ""  # as much of it as was typed

    def feed(self, key: str) -> InputState:
        """Take one key: a character, or a name such as `space`, `enter`, `up` or `ctrl+w`."""
        if key == "escape":
            return InputState.LEFT
        if key == "enter":
            return InputState.FINISHED
        if key in ("up", "down"):
            self._walk(1 if key == "up" else -1)
            return InputState.OPEN
        if key in ("tab", "shift+tab"):
            self._turn(1 if key == "tab" else -1)
            return InputState.OPEN
        self._offers = []
        if key == "right" and self.caret == len(self.text):
            self._put(self.suggestion)
        elif not self._move(key) and not self._remove(key):
            character = " " if key == "space" else key
            if len(character) == 1 and character.isprintable():
                self._put(character)
        return InputState.OPEN

    def paste(self, text: str) -> None:
        """Insert pasted text at the caret, as much as fits."""
        self._offers = []
        self._put(text[: max(0, MOST_CHARACTERS - len(self.text))])

    # -- editing -----------------------------------------------------------------------------------

    def _put(self, text: str) -> None:
        if len(self.text) + len(text) <= MOST_CHARACTERS:
            self._set(self.text[: self.caret] + text + self.text[self.caret :], len(text))

    def _set(self, text: str, by: int) -> None:
        self.text = text
        self.caret = max(0, min(len(text), self.caret + by))
        self._walked = -1

    def _move(self, key: str) -> bool:
        places = {
            "left": self.caret - 1,
            "right": self.caret + 1,
            "home": 0,
            "ctrl+a": 0,
            "end": len(self.text),
            "ctrl+e": len(self.text),
        }
        if key in places:
            self.caret = max(0, min(len(self.text), places[key]))
        return key in places

    def _remove(self, key: str) -> bool:
        before, rest = self.text[: self.caret], self.text[self.caret :]
        if key == "backspace":
            self._set(before[:-1] + rest, -1)
        elif key == "delete":
            self._set(before + rest[1:], 0)
        elif key == "ctrl+w":
            remaining = before.rstrip().rpartition(" ")
            left = remaining[0] + remaining[1]
            self._set(left + rest, len(left) - len(before))
        elif key == "ctrl+u":
            self._set(rest, -len(before))
        elif key == "ctrl+k":
            self._set(before, 0)
        else:
            return False
        return True

    # -- history -----------------------------------------------------------------------------------

    def _walk(self, by: int) -> None:
        if self._walked < 0:
            self._typed = self.text
        found = [line for line in self._history if line.startswith(self._typed)]
        at = max(-1, min(len(found) - 1, self._walked + by))
        self.text = found[at] if at >= 0 else self._typed
        self.caret = len(self.text)
        self._walked = at

    # -- completion --------------------------------------------------------------------------------

    def offers(self) -> list[str]:
        """The words that could follow at the caret, if it is at the end of the line."""
        if self.caret != len(self.text):
            return []
        return self._offers or self._complete(self.text)

    @property
    def begins_word(self) -> bool:
        """True if a new word would begin at the caret, at the end of the line."""
        return self.caret == len(self.text) and self.text.endswith(" ")

    @property
    def offering(self) -> bool:
        """True while tab shows the offers."""
        return bool(self._offers)

    @property
    def offered(self) -> int:
        """The index of the offer in the line now; -1 for none."""
        return self._offered if self._offers else -1

    @property
    def suggestion(self) -> str:
        """The suggested text: the rest of a word, or of an earlier command."""
        if not self.text or self.caret != len(self.text) or self.offering:
            return ""
        for line in self._history:
            if line.startswith(self.text) and line != self.text:
                return line[len(self.text) :]
        part = self.text.rpartition(" ")[2]
        offers = self._complete(self.text) if part else []
        return offers[0][len(part) :] if offers else ""

    def _turn(self, by: int) -> None:
        """Complete a begun word as far as it is unambiguous, then cycle through those that fit.
        Without a begun word, write nothing and show every word that could follow.
        """
        if not self._offers:
            self._complete_alike()
        elif self._begun:
            start = self._offered if self._offered >= 0 or by > 0 else 0
            self._offered = (start + by) % len(self._offers)
            self._set_word(self._offers[self._offered])

    def _complete_alike(self) -> None:
        self._stem, self._begun = split_last(self.text)
        self._offers, self._offered = self.offers(), -1
        if not self._begun or not self._offers:
            return
        if self._offers[1:]:
            self._set_word(max(common_prefix(self._offers), self._begun, key=len))
        else:
            self._set_word(f"{self._offers[0]} ")
            self._offers = []

    def _set_word(self, word: str) -> None:
        self.text = self._stem + word
        self.caret = len(self.text)


def split_last(text: str) -> tuple[str, str]:
    """Split a line into the text before its last word, and that word; the word is empty after a
    space."""
    head, space, begun = text.rpartition(" ")
    return head + space, begun


def common_prefix(words: Sequence[str]) -> str:
    """The letters with which all words begin."""
    different = (i for i, letters in enumerate(zip(*words, strict=False)) if len(set(letters)) > 1)
    return words[0][: next(different, min(map(len, words)))]

"""What the home screen asks for in a line above its keys, and the line that asks it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from rich.text import Text

from affray.tui.drawing import cut, plain
from affray.tui.panes.asked_line import AskedLine
from affray.tui.panes.keys_line import Keys
from affray.tui.paths import completed

NEW_ENCOUNTER = "title of the new encounter"
NEW_CAMPAIGN = "name of the new campaign"
IMPORT = "file or folder of another program, to be imported"
FIND = "words of a title, or of a campaign's name"
AROUND_NAMES = 8
"""The cells of the frame around the names that a path may go on with."""


class Question(NamedTuple):
    """What is asked for, and what is done with the answer.

    rules  the rule systems by which something new may be, the likely one first
    typed  whether it is taken with every key, and not only at the end
    path   whether it is the path of a file, which tab completes
    most   how many characters it may have
    """

    what: str
    then: Callable[[str], None]
    value: str = ""
    rules: tuple[str, ...] = ()
    typed: bool = False
    path: bool = False
    most: int = 80

    @property
    def keys(self) -> Keys:
        """The keys while it is asked."""
        narrows = [("↑ ↓", "move", "moves the cursor among what is found")] if self.typed else []
        turns = [("tab", "other rules", "chooses the next rule system")] if self.rules[1:] else []
        if self.path:
            turns = [("tab", "complete", "completes what is begun of a name")]
        enter = ("↵", "open" if self.typed else "do it", "does what is asked")
        return (enter, *narrows, *turns, ("esc", "leave", "leaves all as it was"))


class QuestionLine(AskedLine):
    """The line in which a question is answered; `question` is None while none is asked."""

    question: Question | None = None
    rules: tuple[str, ...] = ()
    """The rule systems that tab goes round; the first is chosen."""

    def put(self, question: Question) -> None:
        """Ask a question."""
        self.question, self.rules = question, question.rules
        self.placeholder = plain(question.what)
        self.ask(question.what, question.value, question.most, anew=not question.path)
        self._name_rules()

    def close(self) -> None:
        """Ask for nothing any more."""
        self.question = None
        super().close()

    def turn(self, back: bool = False) -> None:
        """Tab: complete a path, or choose the next rule system, or the one before it."""
        if self.question is not None and self.question.path:
            self._complete_path()
        else:
            first = len(self.rules) - 1 if back else 1
            self.rules = (*self.rules[first:], *self.rules[:first])
            self._name_rules()

    def _name_rules(self) -> None:
        """Have the frame say by which rules it will be, and what tab chooses."""
        if self.rules:
            self.border_title = Text(f"rules: {self.rules[0]}")
        self.border_subtitle = Text(f"tab: {self.rules[1]}") if self.rules[1:] else None

    def _complete_path(self) -> None:
        """Complete what was begun of a name, and tell which there are if it may be several."""
        self.value, names = completed(self.value)
        self.cursor_position = len(self.value)
        told = "  ".join(names) if len(names) > 1 else ""
        if not names:
            told = "nothing begins so"
        self.border_subtitle = Text(cut(told, max(self.size.width - AROUND_NAMES, 1)))

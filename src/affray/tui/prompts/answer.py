"""The answer to what waits at a turn's edge: one key chooses, and it is given at once.

What holds the turn is asked for when the turn is to end; the key that ends turns has the rest
rolled then, and ends it.
"""

from __future__ import annotations

from collections.abc import Sequence

from affray.core.ruleset import Choice, Pending
from affray.tui.prompts.prompt import Piece, Prompt, Step
from affray.tui.prompts.spec import PromptSpec
from affray.tui.prompts.view import View


class Answer(Prompt):
    """A prompt for what is pending; up, down and tab go from one to the next.

    `ends` are the keys that end the turn with the prompt open, where they may: `ending` is the
    command for it.
    """

    def __init__(
        self, pending: Sequence[Pending], view: View, ends: Sequence[str] = (), ending: str = ""
    ) -> None:
        super().__init__(PromptSpec("answer", "Now", ""), view)
        self.pending = tuple(pending)
        self.ends = tuple(ends)
        self.ending = ending
        self.over = False
        self.asked = 0
        self.choice: Choice | None = None

    @property
    def instant(self) -> bool:
        """There is something to choose."""
        return False

    def feed(self, key: str) -> Step:
        """A choice's key finishes."""
        self.trouble = ""
        if key == "escape":
            return Step.LEFT
        if key in ("tab", "down", "up"):
            self.asked = (self.asked + (-1 if key == "up" else 1)) % len(self.pending)
            return Step.OPEN
        choices = self.pending[self.asked].choices
        self.choice = next((choice for choice in choices if choice.key == key), None)
        self.over = self.choice is None and key in self.ends
        if self.choice is not None or self.over:
            return Step.FINISHED
        known = ", ".join(f"{choice.key} {choice.label}" for choice in choices)
        self.trouble = f"{key} is no answer: {known}; esc leaves"
        return Step.OPEN

    @property
    def line(self) -> str:
        """The command of what was chosen, or the one that ends the turn."""
        if self.over:
            return self.ending
        return self.choice.command if self.choice is not None else ""

    @property
    def complete(self) -> bool:
        """Nothing can be looked at before it is chosen."""
        return False

    def pieces(self) -> list[Piece]:
        """What waits, and its answers."""
        asked = self.pending[self.asked]
        row = [Piece(asked.what, "label")]
        for choice in asked.choices:
            row += [Piece(choice.key, "key"), Piece(choice.label, "offer")]
        if len(self.pending) > 1:
            row.append(Piece(f"{self.asked + 1} of {len(self.pending)}, tab: the next", "hint"))
        return row

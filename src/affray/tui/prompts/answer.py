"""The answer to what waits at a turn's edge: one key chooses, and it is given at once."""

from __future__ import annotations

from collections.abc import Sequence

from affray.core.ruleset import Choice, Pending
from affray.tui.prompts.prompt import Piece, Prompt, Step
from affray.tui.prompts.spec import PromptSpec
from affray.tui.prompts.view import View


class Answer(Prompt):
    """A prompt for what is pending; up, down and tab go from one to the next."""

    def __init__(self, pending: Sequence[Pending], view: View) -> None:
        super().__init__(PromptSpec("answer", "Now", ""), view)
        self.pending = tuple(pending)
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
        if self.choice is not None:
            return Step.FINISHED
        known = ", ".join(f"{choice.key} {choice.label}" for choice in choices)
        self.trouble = f"{key} is no answer: {known}; esc leaves"
        return Step.OPEN

    @property
    def line(self) -> str:
        """The command of what was chosen."""
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

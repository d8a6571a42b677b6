"""What the home screen asks for in a line above its keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from rich.text import Text
from textual.widgets import Input

from affray.tui.drawing import cut
from affray.tui.panes.keys_line import Keys
from affray.tui.paths import completed

NEW_ENCOUNTER = "title of the new encounter"
NEW_CAMPAIGN = "name of the new campaign"
IMPORT = "file or folder of another program, to be imported"
FIND = "words of a title, or of a campaign's name"
AROUND_NAMES = 8
"""The cells of the frame around the names that a path may go on with."""


class Question(NamedTuple):
    """What the line above the keys asks for: what it is, and what is done with the answer.

    rules  whether a rule system is chosen along with it
    typed  whether it is taken with every key, and not only at the end
    path   whether it is the path of a file, which tab completes
    most   how many characters it may have
    """

    what: str
    then: Callable[[str], None]
    value: str = ""
    rules: bool = False
    typed: bool = False
    path: bool = False
    most: int = 80

    @property
    def keys(self) -> Keys:
        """The keys while it is asked."""
        narrows = [("↑ ↓", "move", "moves the cursor among what is found")] if self.typed else []
        turns = [("tab", "other rules", "chooses the next rule system")] if self.rules else []
        if self.path:
            turns = [("tab", "complete", "completes what is begun of a name")]
        enter = ("↵", "open" if self.typed else "do it", "does what is asked")
        return (enter, *narrows, *turns, ("esc", "leave", "leaves all as it was"))


def complete_path(line: Input) -> None:
    """Complete what was begun of a name, and tell which there are if it may be several."""
    line.value, names = completed(line.value)
    line.cursor_position = len(line.value)
    told = "  ".join(names) if len(names) > 1 else ""
    if not names:
        told = "nothing begins so"
    line.border_subtitle = Text(cut(told, max(line.size.width - AROUND_NAMES, 1)))

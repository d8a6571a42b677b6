"""What the home screen asks for in a line above its keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from affray.tui.panes.keys_line import Keys

NEW_ENCOUNTER = "title of the new encounter"
NEW_CAMPAIGN = "name of the new campaign"
IMPORT = "file or folder of another program, to be imported"
FIND = "words of a title, or of a campaign's name"


class Question(NamedTuple):
    """What the line above the keys asks for: what it is, and what is done with the answer.

    rules  whether a rule system is chosen along with it
    typed  whether it is taken with every key, and not only at the end
    most   how many characters it may have
    """

    what: str
    then: Callable[[str], None]
    value: str = ""
    rules: bool = False
    typed: bool = False
    most: int = 80

    @property
    def keys(self) -> Keys:
        """The keys while it is asked."""
        narrows = [("↑ ↓", "move", "moves the cursor among what is found")] if self.typed else []
        turns = [("tab", "other rules", "chooses the next rule system")] if self.rules else []
        enter = ("↵", "open" if self.typed else "do it", "does what is asked")
        return (enter, *narrows, *turns, ("esc", "leave", "leaves all as it was"))

"""What the panes tell the screen that they stand on: that something in them was clicked."""

from __future__ import annotations

from textual.message import Message


class Pressed(Message):
    """A click that stands for a key, by the key's name in the table."""

    def __init__(self, key: str) -> None:
        super().__init__()
        self.key = key


class Chosen(Message):
    """A click that begins an entry of the table of keys, by its id.

    `own` is the name of an option of the actor's own, which has no entry there.
    """

    def __init__(self, key_id: str = "", own: str = "") -> None:
        super().__init__()
        self.key_id = key_id
        self.own = own


class Pointed(Message):
    """A click on somebody, by their id."""

    def __init__(self, who: str) -> None:
        super().__init__()
        self.who = who


class LookedAt(Message):
    """A click that asks for the fight as it was after an entry, by its number."""

    def __init__(self, seq: int) -> None:
        super().__init__()
        self.seq = seq


class Opened(Message):
    """A click that opens what the cursor of a list is on."""


class Turned(Message):
    """A click or the wheel has put the cursor of the sheet on another row."""


class Moved(Message):
    """The cursor of a list is on another row, or what is there is another."""

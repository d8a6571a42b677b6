"""Where what is typed stands after a key: a prompt, or the line of the command bar."""

from __future__ import annotations

from enum import Enum, auto


class Step(Enum):
    """Whether more is typed."""

    OPEN = auto()
    FINISHED = auto()
    LEFT = auto()
    PASSED = auto()  # left, and the key was meant for something else

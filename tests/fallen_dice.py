"""Dice that fall as a test says; a roll that takes more of them, or others, is refused."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn

from affray.core.dice import DiceError


class FallenDice:
    """Faces that a test says, handed out in order."""

    def __init__(self, faces: Iterable[int]) -> None:
        self._faces = tuple(faces)
        self._next = 0

    @property
    def left(self) -> int:
        """How many faces have not been handed out."""
        return len(self._faces) - self._next

    def die(self, sides: int) -> int:
        """The next face; raises `DiceError` when there is none, or a d`sides` doesn't have it."""
        if not self.left:
            self._fail(f"one more face, from 1 to {sides}, for a d{sides}")
        face = self._faces[self._next]
        if not 1 <= face <= sides:
            self._fail(f"a face from 1 to {sides} for a d{sides}")
        self._next += 1
        return face

    def _fail(self, expected: str) -> NoReturn:
        words = [str(face) for face in self._faces]
        before = " ".join(words[: self._next])
        at = len(before) + (1 if before and self.left else 0)
        raise DiceError(expected, " ".join(words), at)

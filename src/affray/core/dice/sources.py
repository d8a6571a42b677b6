"""Where the faces of dice come from: a seed, the operating system, or the table itself."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import NoReturn, Protocol

from affray.core.dice.notation import DiceError, parse_dice


class DiceSource(Protocol):
    """Whatever dice are rolled with."""

    def die(self, sides: int) -> int:
        """One face of a die, from 1 to `sides`."""


class _RandomDice:
    """Faces from a random number generator, by way of the dice that people own."""

    def __init__(self, generator: random.Random) -> None:
        self._generator = generator

    def die(self, sides: int) -> int:
        """One face, from 1 to `sides`, all equally likely.

        A d100 is two d10s, tens and ones, with two 0s as 100 (seed 004, Percentile Dice): each of
        the hundred pairs is one result, so it is as even as a die of 100 sides. An odd die is one
        of twice the sides, halved and rounded up (Odd Dice Faces); what is given, and so recorded,
        is the halved face.
        """
        if sides == 100:
            return (10 * self._below(10) + self._below(10)) or 100
        if sides % 2:
            return self._below(2 * sides) // 2 + 1
        return self._below(sides) + 1

    def _below(self, number: int) -> int:
        # Of all of Random, only random() is promised to give the same sequence for the same seed
        # in every version of Python. With 53 bits, no die of ours is uneven in any way that shows.
        return int(self._generator.random() * number)


class SeededDice(_RandomDice):
    """Dice that fall the same way for the same seed, on every machine."""

    def __init__(self, seed: int) -> None:
        super().__init__(random.Random(seed))


def fresh_dice() -> DiceSource:
    """Dice that nobody can foresee: their faces come from the operating system."""
    return _RandomDice(random.SystemRandom())


class FallenDice:
    """Faces that have fallen already, on the table or in a log, handed out in order."""

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


def kinds_and_faces(dice: str, faces: Iterable[int]) -> list[tuple[int, int]]:
    """Each die of a roll as its sides and the face that it showed: `1d6+1d4`, 5 and 2, is
    [(6, 5), (4, 2)]. Empty for dice that make no sense, as a log edited by hand may have them."""
    try:
        pools = parse_dice(dice).pools
    except DiceError:
        return []
    sides = (pool.sides for pool in pools for _ in range(pool.count))
    return list(zip(sides, faces, strict=False))


class KeptDice:
    """Dice that fall as they fell before, each with the roll that it belonged to; new ones fall
    only where a roll is new.

    `fell` are the dice in their order: of which roll (see `Context.dice_of`), its sides, its face.
    """

    def __init__(self, fell: Iterable[tuple[tuple[str, ...], int, int]], then: DiceSource) -> None:
        self._then = then
        self._left = list(fell)
        self.new = 0

    @property
    def left(self) -> list[tuple[int, int]]:
        """Sides and faces of the dice that no roll has taken."""
        return [(sides, face) for _, sides, face in self._left]

    def of(self, roll: tuple[str, ...]) -> DiceSource:
        """The dice for one roll: its own first, then those of the same roll against others."""
        return _OfRoll(self, roll)

    def die(self, sides: int) -> int:
        """A die of a roll that didn't say which it is: the next of its kind."""
        return self.take((), sides)

    def take(self, roll: tuple[str, ...], sides: int) -> int:
        """The next face that such a die has shown for that roll; a new one if there is none."""
        for known in (roll, roll[:-1]):
            for at, (key, each, face) in enumerate(self._left):
                if each == sides and key[: len(known)] == known:
                    del self._left[at]
                    return face
        self.new += 1
        return self._then.die(sides)


class _OfRoll:
    def __init__(self, kept: KeptDice, roll: tuple[str, ...]) -> None:
        self._kept, self._roll = kept, roll

    def die(self, sides: int) -> int:
        """One face, from 1 to `sides`."""
        return self._kept.take(self._roll, sides)


class RepeatedDice:
    """Dice that fall as they fell before, each kind in its order, and then as others do."""

    def __init__(self, fell: Iterable[tuple[int, int]], then: DiceSource) -> None:
        self._then = then
        self._left: dict[int, list[int]] = {}
        for sides, face in fell:
            self._left.setdefault(sides, []).append(face)

    def die(self, sides: int) -> int:
        """The next face that such a die has shown; a new one where there is none left."""
        left = self._left.get(sides)
        return left.pop(0) if left else self._then.die(sides)

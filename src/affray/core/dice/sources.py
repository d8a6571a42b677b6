"""Where the faces of dice come from: a seed, the operating system, or a log."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import NamedTuple, Protocol


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


def dice_by(seed: int | None) -> DiceSource:
    """Dice that fall the same each time for a seed; fresh ones without any."""
    return fresh_dice() if seed is None else SeededDice(seed)


class ShamDice:
    """Dice that always fall alike: one face below their highest, or a 2.

    So with a d20 a throw hits, or fails, without being the best or the worst there is. `thrown`
    are the sides of those that were thrown.
    """

    def __init__(self, high: bool) -> None:
        self.high = high
        self.thrown: set[int] = set()

    def die(self, sides: int) -> int:
        """The face, from 1 to `sides`."""
        self.thrown.add(sides)
        return max(sides - 1, 1) if self.high else min(2, sides)


class Fallen(NamedTuple):
    """A die that fell: its sides, the face that it showed, and the roll that it fell for (see
    `Context.dice_of`); empty for whichever."""

    sides: int
    face: int
    roll: tuple[str, ...] = ()


class KeptDice:
    """Dice that fall as they fell before, in their order, each with the roll that it belonged to;
    others fall only where a roll is new.

    left  those that no roll has taken        new  those that had to be thrown
    """

    def __init__(self, fell: Iterable[Fallen], then: DiceSource) -> None:
        self._then = then
        self.left = list(fell)
        self.new: list[Fallen] = []

    def of(self, roll: tuple[str, ...]) -> DiceSource:
        """The dice for one roll: its own first, then those of the same roll against others."""
        return _OfRoll(self, roll)

    def die(self, sides: int) -> int:
        """A die of a roll that didn't say which it is: the next of its kind."""
        return self.take((), sides)

    def take(self, roll: tuple[str, ...], sides: int) -> int:
        """The next face that such a die has shown for that roll; a new one if there is none."""
        for known in (roll, roll[:-1]):
            for at, each in enumerate(self.left):
                if each.sides == sides and each.roll[: len(known)] in ((), known):
                    return self.left.pop(at).face
        self.new.append(Fallen(sides, self._then.die(sides)))
        return self.new[-1].face


class _OfRoll:
    def __init__(self, kept: KeptDice, roll: tuple[str, ...]) -> None:
        self._kept, self._roll = kept, roll

    def die(self, sides: int) -> int:
        """One face, from 1 to `sides`."""
        return self._kept.take(self._roll, sides)

"""Sources of faces: the operating system, a seed, or dice that fell before; and dice as called."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import NamedTuple, Protocol

from msgspec import Struct

_SHOWN = 40  # characters of the offending text that a message quotes


def _quoted(text: str) -> str:
    # repr keeps a stray newline or escape code from breaking the line or the terminal.
    return repr(text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…")


class DiceError(ValueError):
    """Dice that can't be read, resized or rolled; the message is one line.

    `expected` says what should have stood at the index `at` (from 0) of `text`; the message counts
    characters from 1, as people do.
    """

    def __init__(self, expected: str, text: str, at: int) -> None:
        rest = text[at:]
        found = f"found {_quoted(rest)}" if rest.strip() else "the text ends there"
        super().__init__(f"expected {expected} at character {at + 1} of {_quoted(text)}: {found}")
        self.expected = expected
        self.text = text
        self.at = at


class DieInput(Struct, frozen=True):
    """The dice of a check as called: an outcome, the numbers on the dice, or neither, to be rolled.

    outcome   the outcome; empty for none
    faces  the numbers on the dice, with one more for advantage or disadvantage; for several dice a
           single number may be their result
    final  True if `outcome` is what the roll came to, whatever the rules would change
    """

    outcome: str = ""
    faces: tuple[int, ...] = ()
    final: bool = False

    @property
    def rolled_here(self) -> bool:
        """True if affray is to roll it."""
        return not self.outcome and not self.faces


class Forced(Struct, frozen=True):
    """The dice of checks of a command that is decided again, in place of those in its words.

    outcomes  for the dice in its arguments, in order
    faces     the numbers on the first of these
    rolls     (who rolls, against whom or empty) -> the outcome of a roll without an argument
    lying     the same -> the faces of such a roll
    """

    outcomes: tuple[str, ...] = ()
    faces: tuple[int, ...] = ()
    rolls: Mapping[tuple[str, str], str] = {}
    lying: Mapping[tuple[str, str], tuple[int, ...]] = {}

    @property
    def dice(self) -> list[DieInput]:
        """The dice that replace those of the arguments, in order."""
        lying = [DieInput(faces=self.faces)] if self.faces else []
        return [*lying, *(DieInput(outcome, final=True) for outcome in self.outcomes)]


Whose = tuple[str, str, str] | tuple[()]
"""The roll of a die: the id of who rolls, the purpose, the target; empty for any."""


class DiceSource(Protocol):
    """Base class of dice: system, seeded, recorded, stub."""

    def die(self, sides: int) -> int:
        """One face of a die, from 1 to `sides`."""


class _RandomDice:
    """Faces from a random number generator, by way of the dice that people own."""

    def __init__(self, generator: random.Random) -> None:
        self._generator = generator

    def die(self, sides: int) -> int:
        """One face, from 1 to `sides`, all equally likely.

        A d100 is two d10s, tens and ones, with two 0s as 100 (Monsters & Magic, Percentile Dice):
        each of the hundred pairs is one result, so it is as even as a die of 100 sides. An odd die
        is one of twice the sides, halved and rounded up (Odd Dice Faces); it returns, and so
        records, the halved face.
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


def system_dice() -> DiceSource:
    """Dice that nobody can foresee: their faces come from the operating system."""
    return _RandomDice(random.SystemRandom())


def seeded_dice(seed: int | None) -> DiceSource:
    """Dice that fall the same each time for a seed; fresh ones without any."""
    return system_dice() if seed is None else SeededDice(seed)


class _RollsApart(ABC):
    """Dice that tell apart the rolls that they are for."""

    @abstractmethod
    def take(self, roll: Whose, sides: int) -> int:
        """The next face, from 1 to `sides`, for a roll."""

    def of(self, roll: Whose) -> DiceSource:
        """The dice for one roll."""
        return _OfRoll(self, roll)

    def die(self, sides: int) -> int:
        """The face, from 1 to `sides`, for an unnamed roll."""
        return self.take((), sides)


class _OfRoll:
    def __init__(self, dice: _RollsApart, roll: Whose) -> None:
        self._dice, self._roll = dice, roll

    def die(self, sides: int) -> int:
        """One face, from 1 to `sides`."""
        return self._dice.take(self._roll, sides)


class StubDice(_RollsApart):
    """Dice that always fall alike: one face below their highest, or a 2.

    So with one die a throw hits, or fails, without being the best or the worst there is. `thrown`
    are the sides of each that was thrown, with the roll that it was for (see `Context.dice_of`);
    with none for a roll that didn't say which it is.
    """

    def __init__(self, high: bool) -> None:
        self.high = high
        self.thrown: list[tuple[Whose, int]] = []

    def take(self, roll: Whose, sides: int) -> int:
        self.thrown.append((roll, sides))
        return max(sides - 1, 1) if self.high else min(2, sides)


class RecordedDie(NamedTuple):
    """A die that fell: its sides, the face that it showed, and the roll that it fell for (see
    `Context.dice_of`); empty for whichever."""

    sides: int
    face: int
    roll: Whose = ()


class RecordedDice(_RollsApart):
    """Dice that fall as they fell before, in their order, each with the roll that it belonged to;
    others fall only where a roll is new.

    left  those that no roll has taken        new  those that had to be thrown
    """

    def __init__(self, dice: Iterable[RecordedDie], then: DiceSource) -> None:
        self._then = then
        self.left = list(dice)
        self.new: list[RecordedDie] = []

    def take(self, roll: Whose, sides: int) -> int:
        """The next face that a die of this size has shown for that roll, or else for the same roll
        against others; a new one if there is none."""
        for key in (roll, roll[:-1]):
            for at, each in enumerate(self.left):
                if each.sides == sides and each.roll[: len(key)] in ((), key):
                    return self.left.pop(at).face
        self.new.append(RecordedDie(sides, dice_of(self._then, roll).die(sides), roll))
        return self.new[-1].face


class LyingDice(_RollsApart):
    """Dice that lie there, in their order, before any others fall. `left` are those that no roll
    has taken."""

    def __init__(self, faces: Iterable[int], then: DiceSource) -> None:
        self._then = then
        self.left = list(faces)

    def take(self, roll: Whose, sides: int) -> int:
        """The next face, or a new one if none is left. Raises DiceError for no such face."""
        if not self.left:
            return dice_of(self._then, roll).die(sides)
        if not 1 <= self.left[0] <= sides:
            raise DiceError(f"a number on a d{sides}", str(self.left[0]), 0)
        return self.left.pop(0)


def is_stub(source: DiceSource) -> bool:
    """True for dice that nobody rolled, of which each falls just once."""
    return isinstance(source._dice if isinstance(source, _OfRoll) else source, StubDice)


def dice_of(dice: DiceSource, roll: Whose) -> DiceSource:
    """The dice for one roll, from a source that tells rolls apart; the source itself from any
    other, and for a roll of nobody's."""
    return dice.of(roll) if roll and isinstance(dice, _RollsApart) else dice

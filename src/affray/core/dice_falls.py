"""How one die falls, with rerolls and explosions, and its mean.

A die of 6 sides that rerolls 1 and explodes falls as `(1)→6+2`: 8.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb
from typing import NamedTuple


class DieFalls(NamedTuple):
    """A die as it fell: more than once if it exploded.

    falls  each as its face; or as the low face that was rerolled, and the one in its place
    """

    falls: tuple[tuple[int, ...], ...]

    @property
    def faces(self) -> tuple[int, ...]:
        """All its faces, in the order in which they fell."""
        return tuple(face for fall in self.falls for face in fall)

    @property
    def counted(self) -> tuple[int, ...]:
        """The faces that count."""
        return tuple(fall[-1] for fall in self.falls)

    def __str__(self) -> str:
        """The faces in writing: `6+2`, `(1)→4`."""
        rerolled = (["".join(f"({face})→" for face in fall[:-1]), fall[-1]] for fall in self.falls)
        return "+".join(f"{low}{face}" for low, face in rerolled)

    @property
    def spoken(self) -> str:
        """The faces for the ear: `6 plus 2`, `1 rerolled to 4`."""
        return " plus ".join(" rerolled to ".join(map(str, fall)) for fall in self.falls)


def fall(
    die: Callable[[], int], sides: int, rerolls: int = 0, explodes: bool = False, room: int = 0
) -> DieFalls:
    """Throw a die, and yield its faces one by one.

    rerolls   a face this low falls once more, and that counts
    explodes  True if the highest face falls again and is added, as often as it shows
    room      how many faces may fall by exploding
    """
    falls: list[tuple[int, ...]] = []
    while True:
        face = die()
        falls.append((face, die()) if face <= rerolls else (face,))
        room -= 2 if rerolls else 1
        if not explodes or falls[-1][-1] < sides or room < 0:
            return DieFalls(tuple(falls))


def chances_to_reach(sides: int, rerolls: int = 0) -> list[float]:
    """The chance that a die shows 1 or more, 2 or more and so on, with low faces rerolled once."""
    return [
        (sides - max(height - 1, rerolls) + rerolls * (sides - height + 1) / sides) / sides
        for height in range(1, sides + 1)
    ]


def mean_of_one(sides: int, rerolls: int = 0, explodes: bool = False) -> float:
    """The mean total of a die, with low faces rerolled once."""
    mean = (rerolls * (sides - rerolls) + sides * (sides + 1)) / (2 * sides)
    return mean / (1 - (1 + rerolls / sides) / sides) if explodes else mean


def mean_of_highest(kept_count: int, count: int, reached: Sequence[float]) -> float:
    """The mean sum of the highest `kept_count` of `count` dice, by their `chances_to_reach`.

    A sum of faces is, over every height from 1 to that of the die, the number of its dice that
    reach that height; of the highest dice, that is as many as reached it, but no more than
    `kept_count`.
    """
    combinations = [comb(count, many) for many in range(kept_count)]
    mean = 0.0
    for chance in reached:
        short = (
            (kept_count - many) * combinations[many] * chance**many * (1 - chance) ** (count - many)
            for many in range(kept_count)
        )
        mean += kept_count - sum(short)
    return mean

"""A row of the table: one thing measured beside its yardstick, round by round."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from time import perf_counter, process_time
from typing import Any, NamedTuple

Round = tuple[float, float]
"""What affray took and what the yardstick took, within the same seconds."""


class Size(NamedTuple):
    """A fight: entries in its log, combatants, and how much lasts on each of them all the time."""

    entries: int
    combatants: int
    effects: int = 0


@dataclass(frozen=True)
class Row:
    """One measurement.

    what        what was measured, in the words of the table
    game        the rule system
    size        of the fight
    unit        of affray's and the yardstick's figures
    bar         the most that the ratio may be; None for a row that only shows growth
    rounds      the figures of each round: the two are measured in turns, so that a slow moment of
                the machine falls on both
    """

    what: str
    game: str
    size: Size
    unit: str
    bar: float | None
    rounds: tuple[Round, ...]

    @property
    def ours(self) -> float:
        """affray's figure: the median of the rounds."""
        return statistics.median(ours for ours, _ in self.rounds)

    @property
    def yardstick(self) -> float:
        """The yardstick's figure: the median of the rounds."""
        return statistics.median(bare for _, bare in self.rounds)

    @property
    def ratios(self) -> list[float]:
        """How many times the yardstick it was in each round, the least first."""
        return sorted(ours / bare for ours, bare in self.rounds)

    @property
    def ratio(self) -> float:
        """How many times the yardstick it is: the median of the rounds."""
        return statistics.median(self.ratios)

    @property
    def holds(self) -> bool:
        """Whether it is within its bar."""
        return self.bar is None or self.ratio <= self.bar

    @property
    def doubtful(self) -> bool:
        """Whether the bar lies within the spread of the rounds, so that another run may differ."""
        return self.bar is not None and self.ratios[0] <= self.bar < self.ratios[-1]

    def to_json(self) -> dict[str, Any]:
        """The row with what was worked out from it."""
        return {**asdict(self), "ratio": self.ratio, "holds": self.holds}


def p95(values: Sequence[float]) -> float:
    """The value that 95 of 100 stay below; never more than the greatest."""
    return statistics.quantiles(values, n=20, method="inclusive")[-1]


def timed(what: Callable[[], object]) -> float:
    """The seconds that a call takes."""
    began = perf_counter()
    what()
    return perf_counter() - began


def worked(what: Callable[[], object]) -> float:
    """The seconds that the processor works on a call, which waits for nothing."""
    began = process_time()
    what()
    return process_time() - began


def in_turns(
    ours: Callable[[], float], bare: Callable[[], float], rounds: int, scale: float = 1.0
) -> tuple[Round, ...]:
    """Both figures, each of them measured in every round; `scale` brings seconds to the unit."""
    return tuple((ours() * scale, bare() * scale) for _ in range(rounds))

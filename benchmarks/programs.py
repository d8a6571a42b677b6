"""Rows of whole programs: from the command to the painted fight, and `affray show`."""

from __future__ import annotations

from pathlib import Path

from benchmarks.fights import path_of
from benchmarks.rows import Row, Size, in_turns
from benchmarks.terminal import Terminal
from benchmarks.yardsticks import BARE_APP, BARE_IMPORTS, running

AN_EVENING = Size(500, 50)
"""The fight at which starting and `affray show` have their bars."""
START_QUIET = 0.3
"""Seconds of quiet after which a program that started has painted all."""


def started(*arguments: str) -> float:
    """Seconds from the command to the last byte of the first picture."""
    with Terminal(*arguments) as program:
        return program.painted(quiet=START_QUIET) - program.began


def cold_start_row(folder: Path, game: str, rounds: int) -> Row:
    """From the command to the painted fight, against the bare app."""
    fight = str(path_of(folder, game, AN_EVENING))
    took = in_turns(
        lambda: started("-m", "affray", fight), lambda: started(*BARE_APP), rounds, scale=1e3
    )
    return Row("cold start", game, AN_EVENING, "ms", 1.5, took)


def show_row(folder: Path, game: str, size: Size, rounds: int) -> Row:
    """`affray show`, against a Python that only imports what reads a log."""
    fight = str(path_of(folder, game, size))
    took = in_turns(
        lambda: running("-m", "affray", "show", fight),
        lambda: running(*BARE_IMPORTS),
        rounds,
        scale=1e3,
    )
    return Row("affray show", game, size, "ms", 3.0 if size == AN_EVENING else None, took)

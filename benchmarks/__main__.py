"""`make bench`: every row of the table of bars, as a ratio to its yardstick in the same run.

`--quick` takes the rows that have bars, less often and less long; `--game` takes one rule system.
`--write` measures nothing, and puts what was kept last into docs/performance.md.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from benchmarks.fights import GAMES, write_fights
from benchmarks.keys import key_rows
from benchmarks.logs import flatness, log_rows
from benchmarks.programs import AN_EVENING, cold_start_row, show_row
from benchmarks.rows import Row
from benchmarks.table import as_text, bars, growth, keep, write_page

COMBATANTS, LONG = 50, 10_000
"""The size at which most bars stand."""


@dataclass(frozen=True)
class Plan:
    """How much is measured.

    lengths  of the log, in entries, with fifty in the fight
    crowds   how many fight, in a log of ten thousand entries
    rounds   of the rows that drive a program, and `times` that the keys are gone through in each;
             `times_for_growth` at the sizes without a bar
    """

    lengths: tuple[int, ...]
    crowds: tuple[int, ...]
    rounds: int
    times: int
    times_for_growth: int = 5

    def sizes(self) -> list[tuple[int, int]]:
        """Entries and combatants of each fight."""
        return [*((n, COMBATANTS) for n in self.lengths), *((LONG, n) for n in self.crowds)]


WHOLE = Plan((10, 1_000, LONG, 100_000), (5, 200), rounds=3, times=10)
QUICK = Plan((10, LONG), (), rounds=2, times=5, times_for_growth=0)


def main() -> int:
    """Measure, print the tables, keep the rows as JSON; status 1 when a bar is missed."""
    options = _options()
    if options.write:
        write_page()
        return 0
    # A program that was started once has its compiled modules beside it, as on anybody's machine.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    subprocess.run([sys.executable, "-m", "compileall", "-q", "src", "benchmarks"], check=False)
    began = perf_counter()
    plan, games = QUICK if options.quick else WHOLE, options.game or list(GAMES)
    with tempfile.TemporaryDirectory() as folder:
        _say("making the fights")
        _write_all(Path(folder), plan, games)
        rows = [row for game in games for row in measured(Path(folder), game, plan)]
    keep(rows, options.quick, perf_counter() - began)
    _print(rows, games)
    return 0 if all(row.holds for row in rows) else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="what has a bar, in under a minute")
    parser.add_argument("--game", action="append", choices=GAMES, help="one rule system alone")
    parser.add_argument("--write", action="store_true", help="write the last table into the docs")
    return parser.parse_args()


def _write_all(folder: Path, plan: Plan, games: list[str]) -> None:
    """The fights of both games at once, since nothing is timed yet."""
    with ProcessPoolExecutor(max_workers=2) as pool:
        made = [
            pool.submit(write_fights, folder, combatants, lengths, game)
            for game in games
            for combatants, lengths in (
                (COMBATANTS, (*plan.lengths, AN_EVENING)),
                *((crowd, (LONG,)) for crowd in plan.crowds),
            )
        ]
        for each in made:
            each.result()


def measured(folder: Path, game: str, plan: Plan) -> Iterator[Row]:
    """All rows of one rule system."""
    _say(f"{game}: programs")
    yield cold_start_row(folder, game, COMBATANTS, max(plan.rounds, 3))
    yield show_row(folder, game, AN_EVENING, COMBATANTS, plan.rounds * 3)
    logs: list[Row] = []
    for entries, combatants in plan.sizes():
        _say(f"{game}: the log, {entries:,} entries, {combatants} combatants")
        logs += log_rows(folder, game, entries, combatants, (entries, combatants) == _AT_BARS)
    yield from logs
    yield flatness([row for row in logs if row.combatants == COMBATANTS])
    for entries, combatants in plan.sizes():
        barred = (entries, combatants) == _AT_BARS
        if not (barred or plan.times_for_growth):
            continue
        _say(f"{game}: the screen, {entries:,} entries, {combatants} combatants")
        rounds, times = (plan.rounds, plan.times) if barred else (1, plan.times_for_growth)
        yield show_row(folder, game, entries, combatants, 3 if entries <= LONG else 1)
        yield from key_rows(folder, game, entries, combatants, rounds, times, barred)


_AT_BARS = (LONG, COMBATANTS)


def _say(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


def _print(rows: list[Row], games: list[str]) -> None:
    for game in games:
        own = [row for row in rows if row.game == game]
        print(f"\n{game}\n{as_text(bars(own))}\n\n{game}: growth\n{as_text(growth(own))}")
    missed = [row for row in rows if not row.holds]
    print(f"\n{len(missed)} bars missed" if missed else "\nEvery row is within its bar.")
    if any(row.doubtful for row in rows):
        print("~ the bar lies within the spread of the rounds: another run may say otherwise")


if __name__ == "__main__":
    sys.exit(main())

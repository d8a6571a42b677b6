"""`make bench`: every row of the table of bars, as a ratio to its yardstick in the same run.

`--quick` takes the rows that have bars, less often and less long; `--game` takes one rule system.
`--write` measures nothing, and puts what was kept last into docs/measurements.md.
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

from benchmarks.decisions import A_FEW, MANY, decision_rows
from benchmarks.fights import EFFECTS, GAMES, write_fights
from benchmarks.keys import Bars, key_rows
from benchmarks.logs import flatness, log_rows
from benchmarks.phones import GAME as PLAYED_BY_PHONES, phone_rows
from benchmarks.programs import AN_EVENING, cold_start_row, show_row
from benchmarks.rows import Row, Size
from benchmarks.table import as_text, bars, growth, keep, write_page

LONG = 10_000
AT_BARS = Size(LONG, 50)
"""The fight at which most bars stand."""
LASTING_ON_SOME, LASTING_ON_MANY = Size(2_000, 50, EFFECTS), Size(2_000, MANY.combatants, EFFECTS)
KEYS = {
    AT_BARS: Bars(2.5, 3.5, memory=2.0, most=16.7),
    MANY: Bars(3.0, 4.0),
    Size(100_000, 50): Bars(3.0, 4.0),
    LASTING_ON_SOME: Bars(2.5, 3.5, most=16.7),
    LASTING_ON_MANY: Bars(3.0, 4.0, most=33),
}
"""Where keys have bars, the memory, and the slowest that gives a command in milliseconds."""


@dataclass(frozen=True)
class Plan:
    """How much is measured.

    sizes    of the fights in which everything is measured
    lasting  of those on which much lasts, where the length of the log is none of the matter
    rounds, times   of the rows that drive a program where most bars stand, and how often the keys
             are gone through in each
    rounds_elsewhere, times_elsewhere   likewise at other sizes
    growth   whether keys are measured without a bar, too
    """

    sizes: tuple[Size, ...]
    lasting: tuple[Size, ...]
    rounds: int
    times: int
    rounds_elsewhere: int
    times_elsewhere: int
    growth: bool = True

    def fights(self) -> list[list[Size]]:
        """The sizes of all fights, those together that are of one fight as it goes on."""
        alike: dict[tuple[int, int], list[Size]] = {}
        for size in dict.fromkeys((*self.sizes, *self.lasting, AN_EVENING, A_FEW, MANY)):
            alike.setdefault((size.combatants, size.effects), []).append(size)
        return list(alike.values())


WHOLE = Plan(
    (*(Size(n, 50) for n in (10, 1_000, LONG, 100_000)), Size(LONG, 5), MANY),
    (LASTING_ON_SOME, LASTING_ON_MANY),
    rounds=3,
    times=8,
    rounds_elsewhere=3,
    times_elsewhere=5,
)
QUICK = Plan((Size(10, 50), AT_BARS), (LASTING_ON_MANY,), 2, 5, 1, 5, growth=False)
WHOLLY = ("monsters-and-magic", "orcus")
"""The games that are measured at every size; what grows with a log is the same in all of them."""


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
    games = options.game or list(GAMES)
    plans = {game: WHOLE if game in WHOLLY and not options.quick else QUICK for game in games}
    with tempfile.TemporaryDirectory() as folder:
        _say("making the fights")
        _write_all(Path(folder), plans)
        rows = [row for game in games for row in measured(Path(folder), game, plans[game])]
    if not options.game:
        _say(f"{PLAYED_BY_PHONES}: phones")
        rows += phone_rows()
        games.append(PLAYED_BY_PHONES)
    keep(rows, options.quick, perf_counter() - began)
    _print(rows, games)
    return 0 if all(row.holds for row in rows) else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="most of the bars, in four minutes")
    parser.add_argument("--game", action="append", choices=GAMES, help="one rule system alone")
    parser.add_argument("--write", action="store_true", help="write the last table into the docs")
    return parser.parse_args()


def _write_all(folder: Path, plans: dict[str, Plan]) -> None:
    """The fights of all games at once, since nothing is timed yet."""
    with ProcessPoolExecutor(max_workers=2) as pool:
        made = [
            pool.submit(write_fights, folder, sizes, game)
            for game, plan in plans.items()
            for sizes in plan.fights()
        ]
        for each in made:
            each.result()


def measured(folder: Path, game: str, plan: Plan) -> Iterator[Row]:
    """All rows of one rule system."""
    _say(f"{game}: programs")
    yield cold_start_row(folder, game, max(plan.rounds, 3))
    yield show_row(folder, game, AN_EVENING, plan.rounds * 3)
    _say(f"{game}: decisions")
    yield from decision_rows(folder, game, [AT_BARS, MANY, *plan.lasting], LASTING_ON_MANY)
    logs: list[Row] = []
    for size in plan.sizes:
        _say(f"{game}: the log, {_in_words(size)}")
        logs += log_rows(folder, game, size, size == AT_BARS)
    yield from logs
    yield flatness([row for row in logs if row.size.combatants == AT_BARS.combatants])
    for size in (*plan.sizes, *plan.lasting):
        if not (plan.growth or size in KEYS):
            continue
        _say(f"{game}: the screen, {_in_words(size)}")
        yield from _screen_rows(folder, game, size, plan)


def _screen_rows(folder: Path, game: str, size: Size, plan: Plan) -> Iterator[Row]:
    """What somebody sees of a fight of that size: `affray show`, and the keys."""
    rounds, times = plan.rounds_elsewhere, plan.times_elsewhere
    if size == AT_BARS:
        rounds, times = plan.rounds, plan.times
    elif size not in KEYS:
        rounds = 1
    yield show_row(folder, game, size, 3 if size.entries <= LONG else 1)
    yield from key_rows(folder, game, size, rounds, times, KEYS.get(size, Bars()))


def _in_words(size: Size) -> str:
    each = f" with {size.effects} effects each" if size.effects else ""
    return f"{size.entries:,} entries, {size.combatants} combatants{each}"


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

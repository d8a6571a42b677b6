"""`make bench`: every row of the table of bars, as a ratio to its yardstick in the same run."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import tomli

from affray.core.dice_sources import SeededDice
from affray.rulesets import DEFAULT
from affray.store.encounter import OpenEncounter
from benchmarks.fights import write_fight
from benchmarks.terminal import Terminal

ESC = "\x1b"
DOWN, UP = "\x1b[B", "\x1b[A"
RESULTS = Path(".benchmarks") / "last.json"


@dataclass(frozen=True)
class Row:
    """One measurement: what, affray's and the yardstick's figure in a unit, and the bar."""

    what: str
    ours: float
    yardstick: float
    unit: str
    bar: float

    @property
    def ratio(self) -> float:
        """How many times the yardstick it is."""
        return self.ours / self.yardstick

    @property
    def holds(self) -> bool:
        """Whether it is within its bar."""
        return self.ratio <= self.bar


def p95(values: list[float]) -> float:
    """The value that 95 of 100 stay below."""
    return statistics.quantiles(values, n=20)[-1]


def keys(fight: Path) -> list[Row]:
    """From the key to the painted screen, against the arrow key in the bare app."""
    with Terminal("-m", "benchmarks.bare_app") as bare:
        bare.painted(quiet=0.5)
        yardstick = p95([bare.press(DOWN if i % 20 < 10 else UP) for i in range(60)])
    rows = []
    with Terminal("-m", "affray", str(fight)) as app:
        app.painted(quiet=1.0)
        for what, pressed in _KEYS:
            presses = [(key, app.press(key)) for _ in range(15) for key in pressed]
            # The program waits a moment after esc, in case it begins a longer code.
            times = [took for key, took in presses if key != ESC]
            rows.append(Row(f"key: {what} (p95)", p95(times) * 1e3, yardstick * 1e3, "ms", 3.0))
    return rows


_KEYS = (
    ("cursor", [UP, UP, DOWN, DOWN]),
    ("next turn", [" "]),
    ("undo and redo", ["u", "\x12"]),
    ("a prompt's keys", ["-", "1", "7", ESC]),
    ("choose in the log", ["[", "["]),
)


def cold_start(fight: Path) -> Row:
    """From the command to the painted encounter, against the bare app."""

    def started(*arguments: str) -> float:
        with Terminal(*arguments) as app:
            return app.painted(quiet=0.4) - app.began

    ours = statistics.median(started("-m", "affray", str(fight)) for _ in range(5))
    bare = statistics.median(started("-m", "benchmarks.bare_app") for _ in range(5))
    return Row("cold start, 500 entries", ours * 1e3, bare * 1e3, "ms", 1.5)


def headless(fight: Path) -> Row:
    """`affray show` against a Python that only imports what reads a log."""

    def ran(*arguments: str) -> float:
        began = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
        return time.perf_counter() - began

    ours = statistics.median(ran("-m", "affray", "show", str(fight)) for _ in range(11))
    bare = statistics.median(ran("-c", "import tomli, msgspec") for _ in range(11))
    return Row("affray show, 500 entries", ours * 1e3, bare * 1e3, "ms", 3.0)


def saving(fight: Path, entries: int) -> Row:
    """Saving a command that was decided, against a bare write and fsync of the same bytes."""
    with OpenEncounter.open(fight, SeededDice(1)) as encounter:
        log = encounter._log
        assert log is not None
        body = {
            "command": "damage ghoul-1 9 fire",
            "events": [{"event": "noted", "text": "x" * 200}],
        }
        before = fight.stat().st_size
        ours = _median(lambda: log.append(body), 300)
        size = (fight.stat().st_size - before) // 300
    block = b"x" * size
    bare = fight.with_suffix(".bare")

    def write() -> None:
        fd = os.open(bare, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(fd, block)
        os.fsync(fd)
        os.close(fd)

    return Row(f"saving, at {entries:,} entries", ours * 1e6, _median(write, 300) * 1e6, "µs", 1.5)


def _median(what: Callable[[], object], times: int) -> float:
    took = []
    for _ in range(times):
        began = time.perf_counter()
        what()
        took.append(time.perf_counter() - began)
    return statistics.median(took)


def opening(fight: Path) -> Row:
    """Opening a long log, against parsing the same text."""
    text = fight.read_text("utf-8")
    ours = _median(lambda: OpenEncounter.view(fight), 5)
    return Row(
        "opening 10,000 entries", ours * 1e3, _median(lambda: tomli.loads(text), 5) * 1e3, "ms", 2.0
    )


def moving(fight: Path) -> Row:
    """Undo, redo and goto in the model, against a millisecond."""
    encounter = OpenEncounter.view(fight)
    lines = ["undo", "redo", "goto 5000", "goto 9000"]
    times = [_median(lambda line=line: encounter.rehearse(line), 1) for line in lines * 25]
    return Row("undo, redo, goto at 10,000 (p95)", p95(times) * 1e3, 1.0, "ms", 1.0)


def memory(fight: Path) -> Row:
    """Resident memory of the screen, against the bare app's."""
    with Terminal("-m", "affray", str(fight)) as app:
        app.painted(quiet=1.0)
        ours = app.memory()
    with Terminal("-m", "benchmarks.bare_app") as bare:
        bare.painted(quiet=0.5)
        return Row(
            "memory, 50 combatants, 10,000 entries", ours / 2**20, bare.memory() / 2**20, "MiB", 2.0
        )


def main() -> int:
    """Measure, print the table, keep it as JSON; status 1 when a bar is missed."""
    # A program that was started once has its compiled modules beside it, as on anybody's machine.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    subprocess.run([sys.executable, "-m", "compileall", "-q", "src", "benchmarks"], check=False)
    with tempfile.TemporaryDirectory() as folder:
        long, short = Path(folder) / "long.toml", Path(folder) / "short.toml"
        game = sys.argv[1] if len(sys.argv) > 1 else DEFAULT
        write_fight(long, 50, 10_000, game)
        write_fight(short, 50, 500, game)
        rows = [opening(long), moving(long), headless(short), cold_start(short)]
        rows += [memory(long), *keys(long), saving(short, 500), saving(long, 10_000)]
    for row in rows:
        mark = "ok " if row.holds else "OUT"
        print(
            f"{mark} {row.what:<40} {row.ours:>9.2f} / {row.yardstick:>8.2f} {row.unit:<4}"
            f" = {row.ratio:>5.2f}   bar {row.bar:g}"
        )
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps([asdict(row) for row in rows], indent=1), "utf-8")
    return 0 if all(row.holds for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())

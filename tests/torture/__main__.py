"""`make torture`: every fault, a table of what came of it, and a status that is 0 for all zeros.

python -m tests.torture                   all of it
python -m tests.torture --seed 7          with other random numbers
python -m tests.torture --only "one bit"  only the faults with these words in their names
python -m tests.torture --short           fewer tries of each
"""

from __future__ import annotations

import argparse
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from random import Random

from tests.torture.apart import BrokenOff, apart, break_off_all
from tests.torture.table import FAULTS, Tally, load_faults, tried

RESULTS = Path(".benchmarks") / "torture.json"
HEADS = ("fault", "tries", "lost", "misread", "tracebacks", "seconds", "the GM is told")
WIDEST = 110
LIMIT = 300
"""Seconds for one fault, several times as long as any takes."""


def main() -> int:
    """Try what is asked for, two at a time; print and keep the table."""
    options = _options()
    load_faults()
    names = [fault.name for fault in FAULTS if options.only.casefold() in fault.name.casefold()]
    if not names:
        print(f"no fault has {options.only!r} in its name", file=sys.stderr)
        return 2
    done: dict[str, Tally] = {}
    with ThreadPoolExecutor(options.jobs) as pool:
        futures = {name: pool.submit(_tried_apart, name, options) for name in names}
        try:
            for name, future in futures.items():
                done[name] = future.result()
                print(f"{done[name].seconds:6.1f} s  {name}", file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            break_off_all()
            raise
    print(table(done))
    for name, tally in done.items():
        for line in tally.wrong:
            print(f"\n{name}: {line}")
    _write(done, options.seed)
    print(f"\nseed {options.seed}; written to {RESULTS}")
    return 0 if all(tally.holds for tally in done.values()) else 1


def _tried_apart(name: str, options: argparse.Namespace) -> Tally:
    """Try a fault; one that hangs is broken off, and fails."""
    try:
        return apart(tried, name, options.seed, options.short, seconds=options.limit)
    except BrokenOff as error:
        tally = Tally(Path(), Random(), options.short, seconds=options.limit)
        tally.breaks(name, error)
        return tally


def table(done: dict[str, Tally]) -> str:
    """The table, as Markdown."""
    rows = [HEADS, tuple("-" * 3 for _ in HEADS)]
    for name, tally in done.items():
        told = f"(skipped: {tally.skipped})" if tally.skipped else _short(tally.told)
        counts = (tally.tries, tally.lost, tally.misread, tally.tracebacks)
        rows.append((name, *map(str, counts), f"{tally.seconds:.1f}", told))
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADS) - 1)]
    return "\n".join(
        "| " + " | ".join(c.ljust(w) for c, w in zip(row, [*widths, 0], strict=True)) + " |"
        for row in rows
    )


def _short(line: str) -> str:
    line = " ".join(line.split()).replace("|", "/")
    return line if len(line) <= WIDEST else f"{line[: WIDEST - 1]}…"


def _write(done: dict[str, Tally], seed: int) -> None:
    kept = {
        name: {k: v for k, v in asdict(tally).items() if k not in ("folder", "rng")}
        for name, tally in done.items()
    }
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(
        json.dumps({"seed": seed, "faults": kept}, indent=1, ensure_ascii=False), "utf-8"
    )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m tests.torture")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", metavar="NAME", help="words in the fault's name")
    parser.add_argument("--short", action="store_true", help="fewer tries of each")
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds for one fault")
    parser.add_argument("--jobs", type=int, default=2, help="so many at a time")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())

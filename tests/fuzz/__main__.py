"""`python -m tests.fuzz`: every target, a line each, and what went wrong with its input."""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from tests.fuzz.targets import TARGETS, TRIES, Outcome, attack


def main() -> int:
    """Try what is asked for, in parallel; 0 when nothing went wrong."""
    options = _options()
    names = [name for name in TARGETS if options.only in name]
    with ProcessPoolExecutor(options.jobs, get_context("spawn")) as pool:
        runs = {n: pool.submit(attack, n, options.tries, options.seed) for n in names}
        done = {name: run.result() for name, run in runs.items()}
    print(f"{'target':<10} {'tries':>8} {'a second':>9} {'refused':>8} {'taken':>8} {'faults':>7}")
    for name, outcome in done.items():
        print(_row(name, outcome))
    for name, outcome in done.items():
        for place, fault in outcome.faults.items():
            print(f"\n{name}: {fault.times} times {place}\n{fault.data!r}\n{fault.trace}")
    return 1 if any(outcome.faults for outcome in done.values()) else 0


def _row(name: str, outcome: Outcome) -> str:
    speed = outcome.tries / max(outcome.seconds, 0.001)
    refused, taken = outcome.answers["refused"], outcome.answers["fight"]
    faults = sum(fault.times for fault in outcome.faults.values())
    return f"{name:<10} {outcome.tries:>8} {speed:>9.0f} {refused:>8} {taken:>8} {faults:>7}"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m tests.fuzz")
    parser.add_argument("--tries", type=int, default=TRIES, help="of each target")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", metavar="NAME", help="targets with this in the name")
    parser.add_argument("--jobs", type=int, default=2, help="so many at a time")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())

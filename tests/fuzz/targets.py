"""All targets, and a run of many tries of one."""

from __future__ import annotations

import time
import traceback
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.fuzz import commands, files, keys, own_keys, program, tables, terminal
from tests.fuzz.limits import by_the_clock
from tests.fuzz.target import Target

TARGETS: dict[str, Target] = {
    module.TARGET.name: module.TARGET
    for module in (files, commands, keys, tables, own_keys, program, terminal)
}
CORPUS = Path(__file__).parent / "corpus"
TRIES = 100_000


@dataclass
class Fault:
    """What went wrong at one place: how often, and by the shortest input that did it."""

    data: bytes
    error: Exception
    times: int = 1

    @property
    def trace(self) -> str:
        """The end of the traceback."""
        return "".join(traceback.format_exception(self.error)[-6:])


@dataclass
class Outcome:
    """What came of all tries: how often each answer, the faults by where they showed."""

    tries: int = 0
    answers: Counter[str] = field(default_factory=Counter)
    faults: dict[str, Fault] = field(default_factory=dict)
    seconds: float = 0.0

    def fail(self, data: bytes, error: Exception) -> None:
        """Keep a fault, once for each place."""
        frame = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}"
        known = self.faults.setdefault(place, Fault(data, error, 0))
        known.times += 1
        if len(data) < len(known.data):
            known.data, known.error = data, error


def corpus(name: str) -> list[Path]:
    """The inputs that are kept for a target."""
    return sorted((CORPUS / name).glob("*"))


def attack(name: str, tries: int = TRIES, seed: int = 1) -> Outcome:
    """Try a target so many times, after the inputs that are kept; the same for the same seed."""
    target, outcome = TARGETS[name], Outcome()
    rng = Random(f"{seed}:{name}")
    began = time.monotonic()
    for path in corpus(name):
        _try(target, path.read_bytes(), True, outcome)
    for _ in range(tries):
        _try(target, target.make(rng), False, outcome)
    outcome.seconds = time.monotonic() - began
    return outcome


def _try(target: Target, data: bytes, thorough: bool, outcome: Outcome) -> None:
    outcome.tries += 1
    try:
        with by_the_clock():
            outcome.answers[target.run(data, thorough)] += 1
    except Exception as error:
        outcome.fail(data, error)

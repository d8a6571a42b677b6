"""What a fault is, what is counted of it, and the list of all of them."""

from __future__ import annotations

import random
import tempfile
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from affray.core.parser.errors import Refused
from affray.store import LogError

MOST_KEPT = 12
"""So many of the things that went wrong are kept of each fault, to be read."""


@dataclass
class Tally:
    """What is counted while one fault is tried, and what the trying needs.

    folder   an empty folder for it
    rng      its own random numbers, the same for the same seed
    short    whether only a short form is asked for
    told     one line that the GM reads, when there is one
    skipped  why it could not be tried here
    wrong    the first few things that went wrong, each with where
    """

    folder: Path
    rng: random.Random
    short: bool
    tries: int = 0
    lost: int = 0
    misread: int = 0
    tracebacks: int = 0
    told: str = ""
    skipped: str = ""
    seconds: float = 0.0
    wrong: list[str] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        """Whether nothing went wrong."""
        return not (self.lost or self.misread or self.tracebacks or self.wrong)

    def times(self, full: int, short: int) -> int:
        """How often something is to be tried."""
        return short if self.short else full

    def say(self, line: object, *, best: str = "") -> None:
        """The GM was told this; the first line stands for all, or the first with `best` in it."""
        text = str(line).replace(f"{self.folder}/", "").replace("table/", "")
        if not self.told or (best in text and best not in self.told):
            self.told = text

    def lose(self, where: str, commands: int = 1) -> None:
        """Commands that were acknowledged are gone."""
        self.lost += commands
        self._keep(f"lost: {where}")

    def misreads(self, where: str) -> None:
        """A fight was read that is not the one that was saved, and nothing says so."""
        self.misread += 1
        self._keep(f"misread: {where}")

    def breaks(self, where: str, error: BaseException | None = None) -> None:
        """Something ended in a traceback, or hung."""
        self.tracebacks += 1
        frames = traceback.extract_tb(error.__traceback__) if error else []
        steps = [f"{Path(f.filename).name}:{f.lineno} {f.name}" for f in frames]
        trace = f"{error!r} at {chr(8594).join(steps[-6:])}" if error else ""
        self._keep(f"traceback: {where} {trace}".strip())

    def fails(self, where: str) -> None:
        """Something else that was promised did not happen."""
        self._keep(f"broken promise: {where}")

    def _keep(self, what: str) -> None:
        if len(self.wrong) < MOST_KEPT:
            self.wrong.append(what)

    def add(self, part: Tally) -> None:
        """Count what was counted in a part of the tries."""
        self.tries += part.tries
        self.lost += part.lost
        self.misread += part.misread
        self.tracebacks += part.tracebacks
        self.told = self.told or part.told
        self.wrong += part.wrong[: MOST_KEPT - len(self.wrong)]

    def attempt(self, where: str, act: Callable[[], object]) -> bool:
        """Do it; a refusal in words is told, anything else is a traceback. Whether it was done."""
        try:
            act()
        except (LogError, Refused) as error:
            self.say(error)
            return False
        except Exception as error:
            self.breaks(where, error)
            return False
        return True


@dataclass(frozen=True)
class Fault:
    """One thing that can go wrong, by name, and the function that makes it go wrong.

    in_suite   whether the suite tries it, too, a few times; not where another test of it does
    """

    name: str
    run: Callable[[Tally], None]
    in_suite: bool = True

    def __str__(self) -> str:
        return self.name

    def tried(self, seed: int, short: bool) -> Tally:
        """Try it in a folder of its own. What escapes counts as a traceback."""
        with tempfile.TemporaryDirectory(prefix="affray-torture-") as folder:
            tally = Tally(Path(folder).resolve(), random.Random(f"{seed}:{self.name}"), short)
            began = time.monotonic()
            try:
                self.run(tally)
            except Exception as error:
                tally.breaks(self.name, error)
            tally.seconds = time.monotonic() - began
            return tally


FAULTS: list[Fault] = []
"""Every fault there is, in the order of the table; a module that is imported adds its own."""


def fault(
    name: str, in_suite: bool = True
) -> Callable[[Callable[[Tally], None]], Callable[[Tally], None]]:
    """Put a function into the list of faults under that name."""

    def named(run: Callable[[Tally], None]) -> Callable[[Tally], None]:
        FAULTS.append(Fault(name, run, in_suite))
        return run

    return named


def load_faults() -> None:
    """Import every module of this folder, so that each adds its faults to the list."""
    for module in sorted(m.name for m in iter_modules([str(Path(__file__).parent)])):
        if not module.startswith(("test_", "conftest", "__")):
            import_module(f"tests.torture.{module}")


def tried(name: str, seed: int, short: bool) -> Tally:
    """Try the fault of that name, in a process that may be another's."""
    load_faults()
    return next(fault for fault in FAULTS if fault.name == name).tried(seed, short)

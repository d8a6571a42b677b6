"""Files and rolls that are made to cost as much as can be: the work grows as they do, no faster."""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import count
from typing import Any

from tests.torture.table import Tally, fault

from affray.core.dice import SeededDice
from affray.store import LogError
from affray.store.entry_toml import format_entry, format_header
from affray.store.log_recovery import build_history, parse_log
from affray.store.log_repair import repaired, survey
from affray.store.open_encounter import OpenEncounter

HEADER = format_header({"format": 1, "title": "The Ford", "ruleset": "monsters-and-magic"})
FIRST = HEADER + format_entry({"command": "x"}, 1)
NOTED = [{"event": "noted", "text": "x"}]
TIMES = 4
SLACK = 1.6
"""Work that grows by the logarithm, too, is let through; twice as much for twice the size is 2."""


def _surveyed(raw: bytes) -> None:
    made = repaired(survey(raw, "fight.toml"))
    parse_log(made, "made.toml")


def _opened(raw: bytes) -> None:
    build_history(parse_log(raw, "fight.toml"))


def _with_moves(size: int) -> bytes:
    """One entry in ten goes back, and one in seven is missing."""
    return HEADER + b"".join(
        format_entry({"command": "undo", "to": seq - 3} if seq % 10 == 0 else _entry(seq), seq)
        for seq in range(1, size)
        if seq % 7
    )


def _entry(seq: int) -> dict[str, Any]:
    return {"command": f"note {seq}", "events": NOTED}


def _reversed(size: int) -> bytes:
    return HEADER + b"".join(format_entry(_entry(seq), seq) for seq in range(size, 0, -1))


def _chain(size: int) -> bytes:
    moves = (format_entry({"command": "goto", "to": seq - 1}, seq) for seq in range(2, size))
    return FIRST + b"".join(moves)


SHAPES: dict[str, tuple[Callable[[int], bytes], Callable[[bytes], None]]] = {
    "missing entries and moves": (_with_moves, _surveyed),
    "a log upside down": (_reversed, _surveyed),
    "lines `seq = 1`": (lambda n: FIRST + b"\n[[entry]]\n" + b"seq = 1\n" * n, _surveyed),
    "lines `sum` and `seq`": (
        lambda n: FIRST + b"\n[[entry]]\n" + b'sum = "00000000"\nseq = 1\n' * n,
        _surveyed,
    ),
    "entries of one number": (lambda n: FIRST + b"[[entry]]\nseq = 1\n" * n, _surveyed),
    "a chain of gotos": (_chain, _opened),
}


@fault("files made to take long")
def growing(tally: Tally) -> None:
    """Four times the size takes about four times the calls."""
    size = tally.times(1500, 300)
    for name, (make, act) in SHAPES.items():
        tally.tries += 1
        small, large = (_work(lambda n=n: act(make(n))) for n in (size, size * TIMES))  # noqa: B023
        if large > small * TIMES * SLACK:
            tally.breaks(f"{name}: {small} steps, and {large} for {TIMES} times the size")
    tally.told = f"(nothing: {TIMES} times the size, at most {TIMES * SLACK:g} times the work)"


def _work(act: Callable[[], None]) -> int:
    """How many calls it makes, those into C too."""
    calls = count()

    def step(frame: Any, event: str, argument: Any) -> None:
        if event in ("call", "c_call"):
            next(calls)

    before = sys.getprofile()
    sys.setprofile(step)
    try:
        act()
    except LogError:
        pass
    finally:
        sys.setprofile(before)
    return next(calls)


MOST_BYTES = 30_000


@fault("more dice than an entry should hold")
def dice(tally: Tally) -> None:
    """Any number of terms of any number of dice: a refusal, or an entry of a sane size."""
    path = tally.folder / "fight.toml"
    with OpenEncounter.create(path, "monsters-and-magic", "Dice", SeededDice(1)) as fight:
        fight.do("add pc Mira hp 20")
        for _ in range(tally.times(300, 20)):
            tally.tries += 1
            terms = tally.rng.choice((1, 2, 10, 100, 101))
            most = tally.rng.choice((9, 100, 1000, 1001))
            roll = "+".join(f"{tally.rng.randint(1, most)}d6" for _ in range(terms))
            before = path.stat().st_size
            tally.attempt(f"{terms} terms", lambda roll=roll: fight.do(f"damage mira {roll}"))
            if path.stat().st_size - before > MOST_BYTES:
                tally.fails(f"{terms} terms: {path.stat().st_size - before} bytes")

"""Rows of the log itself, without a screen: opening, undo and redo and goto, saving."""

from __future__ import annotations

import gc
import shutil
import statistics
from itertools import cycle
from pathlib import Path

from affray.store.log_file import LogFile
from affray.store.open_encounter import OpenEncounter
from benchmarks.fights import path_of
from benchmarks.rows import Round, Row, Size, in_turns, p95, timed
from benchmarks.yardsticks import parsing, writing

FLAT = 1.25
"""So much dearer saving may seem at the greatest length: what is the same differs by noise."""
A_BLOCK = {
    "command": "damage ghoul-1 9 fire",
    "events": [{"event": "noted", "text": "x" * 200}],
}
SAVES, MOVES = 60, 100
SAVING = "saving"


def log_rows(folder: Path, game: str, size: Size, barred: bool) -> list[Row]:
    """Opening, moving and saving in a log of that size; saving has its bar at every size."""
    fight = path_of(folder, game, size)
    opened = opening(fight, 5 if size.entries <= 10_000 else 3)
    moved = moving(fight, size.entries)
    return [
        Row("opening", game, size, "ms", 2.0 if barred else None, opened),
        Row("undo, redo, goto (p95)", game, size, "ms", 1.0 if barred else None, moved),
        Row(SAVING, game, size, "µs", 1.5, saving(fight)),
    ]


def opening(fight: Path, rounds: int) -> tuple[Round, ...]:
    """Reading, judging and replaying a log, against parsing the same text."""
    text = fight.read_text("utf-8")
    gc.collect()
    gc.freeze()  # a program that opens a log holds nothing of what was measured before
    return in_turns(
        lambda: timed(lambda: OpenEncounter.view(fight)), lambda: parsing(text), rounds, scale=1e3
    )


def moving(fight: Path, entries: int, rounds: int = 3) -> tuple[Round, ...]:
    """Undo, redo and goto in the model, against one millisecond."""
    encounter = OpenEncounter.view(fight)
    gc.collect()
    lines = cycle(["undo", "redo", f"goto {entries // 2}", f"goto {entries * 9 // 10}"])

    def moved() -> float:
        return p95([timed(lambda: encounter.do_in_memory(next(lines))) for _ in range(MOVES)])

    return in_turns(moved, lambda: 1e-3, rounds, scale=1e3)


def saving(fight: Path, rounds: int = 5) -> tuple[Round, ...]:
    """A decided command's way to the disk, against a bare write and fsync of the same bytes."""
    copy, bare = fight.with_suffix(".saved"), fight.with_suffix(".bare")
    shutil.copy(fight, copy)
    shutil.copy(fight, bare)  # as long a file: what the file system does with its end is the same
    with LogFile.open(copy) as log:
        before = copy.stat().st_size
        log.append(A_BLOCK)
        block = b"x" * (copy.stat().st_size - before)

        def one_round() -> Round:
            pairs = [
                (timed(lambda: log.append(A_BLOCK)), writing(bare, block)) for _ in range(SAVES)
            ]
            ours, theirs = zip(*pairs, strict=True)
            return statistics.median(ours) * 1e6, statistics.median(theirs) * 1e6

        took = tuple(one_round() for _ in range(rounds))
    copy.unlink()
    bare.unlink()
    return took


def flatness(rows: list[Row]) -> Row:
    """Saving at the greatest length against the least, each as a ratio to its own yardstick."""
    saves = sorted((row for row in rows if row.what == SAVING), key=lambda row: row.size.entries)
    least, greatest = saves[0], saves[-1]
    pairs = tuple(zip(greatest.ratios, least.ratios, strict=True))
    what = f"saving, against at {least.size.entries} entries"
    return Row(what, greatest.game, greatest.size, "×", FLAT, pairs)

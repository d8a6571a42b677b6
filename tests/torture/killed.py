"""SIGKILL while commands stream in: with `affray do`, and at the screen."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import time
from pathlib import Path

from tests.torture.fights import log_of
from tests.torture.resident import Resident
from tests.torture.table import Tally, fault

from affray.store import LogError
from affray.store.log_file import LogFile

KILLS_OF_ONE_LOG = 40
LONGEST = 3500
"""Characters in a note: more than a page of the file now and then, which a write may tear at."""

COMMANDS = 30
"""So many are streamed in at a time."""

A_BIT = 0.004
"""Seconds that a kill comes at most after the answer it waited for: a few more commands' time."""


@fault("SIGKILL while commands stream into `affray do`")
def do_killed(tally: Tally) -> None:
    """Each line that came out is acknowledged, and must be in the file, as it was given."""
    path = tally.folder / "fight.toml"
    with Resident("affray.cli_commands") as resident:
        told = 0
        for number in range(tally.times(1000, 12)):
            if number % KILLS_OF_ONE_LOG == 0:
                _begin_anew(tally.folder, path)
            tally.tries += 1
            lines = [_note(tally.rng, number, word) for word in range(COMMANDS)]
            wanted = tally.rng.randrange(COMMANDS)
            answers, errors = stream(resident, path, lines, wanted, tally.rng.uniform(0, A_BIT))
            if b"Traceback" in errors:
                tally.breaks(f"kill {number}: {errors.decode(errors='replace')[-300:]}")
            if len(answers) < wanted:
                tally.fails(
                    f"kill {number}: it ended after {len(answers)} answers: {errors!r:.200}"
                )
            _verify(tally, path, lines, answers, f"kill {number}")
            told += len(answers)
    tally.say(f"(nobody is there to be told; {told} commands were acknowledged before the kill)")


def _begin_anew(folder: Path, path: Path) -> None:
    for file in folder.iterdir():
        file.unlink()
    path.write_bytes(log_of(8))


def _note(rng: random.Random, number: int, word: int) -> str:
    length = rng.choice((10, 10, 200, LONGEST))
    return f"note 'k{number} w{word} {'y' * rng.randint(0, length)}'"


def stream(
    resident: Resident, path: Path, lines: list[str], answers: int, more: float
) -> tuple[list[bytes], bytes]:
    """Stream the lines in, and kill so many seconds after the answer of that number has come.

    Gives all answers that came, and the errors.
    """
    ours_in, theirs_in = os.pipe()[::-1]
    out, theirs_out = os.pipe()
    err, theirs_err = os.pipe()
    pid = resident.start(["do", str(path)], theirs_in, theirs_out, theirs_err)
    for fd in (theirs_in, theirs_out, theirs_err):
        os.close(fd)
    os.set_blocking(ours_in, False)
    with contextlib.suppress(BlockingIOError, BrokenPipeError):
        os.write(ours_in, "".join(f"{line}\n" for line in lines).encode())
    told = b""
    while told.count(b"\n") < answers and (more_told := os.read(out, 1 << 16)):
        told += more_told
    time.sleep(more)
    os.kill(pid, signal.SIGKILL)
    resident.ended(pid)
    os.close(ours_in)
    told, errors = told + _drained(out), _drained(err)
    return told.split(b"\n")[:-1], errors


def _drained(fd: int) -> bytes:
    with os.fdopen(fd, "rb") as file:
        return file.read()


def _verify(tally: Tally, path: Path, lines: list[str], answers: list[bytes], where: str) -> None:
    try:
        with LogFile.open(path) as log:
            text = log.text
    except LogError as error:
        tally.fails(f"{where}: {error}")
        return
    except Exception as error:
        tally.breaks(where, error)
        return
    for note in text.notes:
        tally.say(note)
    mark = lines[0].split()[1]
    there = [b.table["command"] for b in text.blocks if mark in b.table["command"]]
    if there != lines[: len(there)] or any(block.edited for block in text.blocks):
        tally.misreads(f"{where}: what is there is not what was given")
    if len(there) < len(answers):
        tally.lose(f"{where}: {len(answers)} told, {len(there)} there", len(answers) - len(there))
    if len(there) > len(answers) + 1:
        tally.misreads(f"{where}: {len(there)} there, only {len(answers)} told")
    if [block.seq for block in text.blocks] != list(range(1, len(text.blocks) + 1)):
        tally.misreads(f"{where}: the numbers have gaps")

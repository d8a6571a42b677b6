"""The yardsticks, all of them bare: what the same thing costs with nothing of affray's in it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import tomli

from benchmarks.rows import timed, worked
from benchmarks.terminal import Terminal

BARE_APP = ("-m", "benchmarks.bare_app")
BARE_IMPORTS = ("-c", "import tomli, msgspec")


def bare_app() -> Terminal:
    """A Textual app with one table of fifty rows, in a terminal of its own."""
    return Terminal(*BARE_APP)


def parsing(text: str) -> float:
    """Seconds for `tomli.loads`."""
    return timed(lambda: tomli.loads(text))


def running(*arguments: str) -> float:
    """Seconds that a Python with these arguments runs, from its start to its end."""
    command = [sys.executable, *arguments]
    return timed(lambda: subprocess.run(command, check=True, capture_output=True))


def writing(path: Path, block: bytes) -> float:
    """Seconds to append a block to a file and have it on the disk."""

    def write() -> None:
        fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(fd, block)
        os.fsync(fd)
        os.close(fd)

    return timed(write)


def counting(steps: int) -> float:
    """Seconds of the processor for steps of plain Python, in which nothing is parsed, drawn or
    saved: each counts one of 500 keys of a dict up by the length of a formatted string."""
    keys = [f"key {number}" for number in range(500)]
    counts = dict.fromkeys(keys, 0)

    def count() -> None:
        for step in range(steps):
            counts[keys[step % 500]] += len(f"{step} of {keys[step % 500]}: {step / 7:.2f}")

    return worked(count)

"""The yardsticks, all of them bare: what the same thing costs with nothing of affray's in it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import tomli

from benchmarks.rows import timed
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

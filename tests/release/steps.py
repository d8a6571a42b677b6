"""How each step of a release runs another program, and what it says when that fails."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

STEERING = (
    *("AFFRAY_", "GIT_DIR", "GIT_INDEX", "GIT_WORK", "MAKE", "MFLAGS", "PYTHON", "TEXTUAL"),
    *("NO_COLOR", "VIRTUAL_ENV"),
)
"""How names of the environment begin that would make the outcome this machine's own."""
LAST_LINES = 40
"""Of what failed, so many lines are shown."""


class ReleaseError(Exception):
    """Why there is no release, as one line that says what to do.

    Attributes:
        output: what the program printed that failed; empty where none did.
    """

    def __init__(self, advice: str, output: str = "") -> None:
        super().__init__(advice)
        self.output = output


def report(problem: ReleaseError) -> int:
    """Print what failed, at its end, and what to do; gives the exit status."""
    lines = problem.output.splitlines()[-LAST_LINES:]
    print(*lines, f"no release: {problem}", sep="\n", file=sys.stderr)
    return 1


def run(
    *command: str | Path,
    otherwise: str,
    folder: Path | None = None,
    variables: Mapping[str, str] | None = None,
    typed: str = "",
) -> str:
    """Run a program to its end and return what it printed.

    Args:
        otherwise: what to do if it fails, in one line.
        variables: what is added to the environment.
        typed: what it reads.

    Raises:
        ReleaseError: when it isn't there, or its status is not 0.
    """
    try:
        process = subprocess.Popen(
            [str(part) for part in command],
            cwd=folder,
            env=_neutral_environment() | dict(variables or {}),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        )
    except OSError as error:
        raise ReleaseError(otherwise, str(error)) from error
    with process:
        try:
            printed, _ = process.communicate(typed)
        except BaseException:
            _end_all(process)
            raise
    if process.returncode:
        raise ReleaseError(otherwise, printed)
    return printed


def _end_all(process: subprocess.Popen[str]) -> None:
    """End a program with all that it has started: what goes on would write where we clear away."""
    if hasattr(os, "killpg"):
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()


def _neutral_environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(STEERING)}
    return kept | {"PYTHONIOENCODING": "utf-8", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}

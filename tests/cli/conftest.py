"""The command line run in this process or another, and a fight in a file."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.cli.said import SETUP, Run

import affray
from affray.cli import main


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command line in this process: (status, standard output, standard error)."""

    def ran(*arguments: object) -> tuple[int, str, str]:
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as ended:  # argparse: --help, --version and mistakes
            status = int(ended.code or 0)
        said = capsys.readouterr()
        return status, said.out, said.err

    return ran


@pytest.fixture
def ford(tmp_path: Path, run: Run) -> Path:
    """A fight in its first round, Brannoc's turn."""
    path = tmp_path / "ford.toml"
    assert run("new", path, "--title", "Ambush at the Ford")[0] == 0
    assert run("do", path, *SETUP)[0] == 0
    return path


@pytest.fixture
def process(tmp_path: Path) -> Iterator[Callable[..., subprocess.CompletedProcess[str]]]:
    environment = {**os.environ, "PYTHONPATH": str(Path(affray.__file__).parents[1])}

    def ran(*arguments: object, **more: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *map(str, arguments)],
            capture_output=True,
            text=True,
            encoding="utf-8",
            env=environment | {"PYTHONIOENCODING": "utf-8"},
            check=False,
            **more,
        )

    yield ran

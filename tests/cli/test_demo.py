"""`make demo` without a terminal: a round of the sample fight, as text."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(
    os.name != "posix" or shutil.which("make") is None, reason="make is not installed, or no sh"
)
def test_without_a_terminal_a_round_is_played_and_printed(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / ".stamp-app").touch()
    program = tmp_path / "bin" / "affray"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m affray "$@"\n', "utf-8")
    program.chmod(0o755)
    given = ["make", "-o", str(tmp_path / ".stamp-app"), f"VENV={tmp_path}", "demo"]
    run = subprocess.run(
        given,
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert "Round 3, entry 104" in run.stdout
    assert "Tithe Taker 2's turn ends; Ilse is up" in run.stdout
    assert "In a terminal `make demo` opens it on the screen" in run.stdout
    sample = ROOT / "campaigns" / "drowned-vale" / "encounters" / "the-sluice-gate.toml"
    (played,) = tmp_path.glob("affray-demo.*/campaign/encounters/the-sluice-gate.toml")
    assert played.read_bytes().startswith(sample.read_bytes()) and played.stat().st_size > 0

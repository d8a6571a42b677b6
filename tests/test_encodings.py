"""Streams that are not UTF-8: what can't be shown is replaced, what can't be read is refused."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import affray
from affray.store.open_encounter import OpenEncounter

Ran = subprocess.CompletedProcess[bytes]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "ford.toml"
    with OpenEncounter.create(path, "monsters-and-magic", "Żółw · ⚔") as fight:
        fight.do("add monster Żółw hp 18")
        fight.do('note "→ ⚔ −1"')
    return path


@pytest.fixture
def run() -> Callable[..., Ran]:
    """Runs affray with standard streams in an encoding of the caller's choice."""

    def ran(encoding: str, *arguments: object, given: bytes = b"") -> Ran:
        environment = os.environ | {
            "PYTHONPATH": str(Path(affray.__file__).parents[1]),
            "PYTHONIOENCODING": encoding,
        }
        command = [sys.executable, "-m", "affray", *map(str, arguments)]
        return subprocess.run(command, capture_output=True, input=given, env=environment)

    return ran


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
@pytest.mark.parametrize("arguments", [["show"], ["log"], ["show", "--json"]], ids=" ".join)
def test_what_a_terminal_lacks_is_replaced(
    arguments: list[str], encoding: str, path: Path, run: Callable[..., Ran]
) -> None:
    told = run(encoding, *arguments, path)
    assert (told.returncode, told.stderr) == (0, b"")
    assert b"?" in told.stdout and b"\n" in told.stdout


def test_a_refusal_can_be_shown_anywhere(path: Path, run: Callable[..., Ran]) -> None:
    told = run("ascii", "do", path, given="damage Źółw 5\n".encode("ascii", "replace"))
    assert told.returncode == 2
    assert told.stderr.startswith(b"affray: ") and told.stderr.count(b"\n") == 1


def test_input_that_is_no_text_is_refused_in_one_line(path: Path, run: Callable[..., Ran]) -> None:
    before = path.read_bytes()
    for more in ([], ["--json"]):
        told = run("utf-8", "do", path, *more, given=b"note \xff\xfe\n")
        assert (told.returncode, told.stderr) == (2, b"affray: standard input is no UTF-8 text\n")
        assert path.read_bytes() == before

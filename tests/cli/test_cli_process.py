"""The whole program in a process of its own: its pipes, and what it loads."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.said import Run, refused

from affray.store.log_file import LogFile


def test_it_runs_as_a_module(ford: Path, process: Callable[..., Any]) -> None:
    told = process("-m", "affray", "do", ford, input="note one\nbogus\nnote two\n")
    assert (told.returncode, told.stdout) == (2, "Note: one\n")
    assert told.stderr.startswith("affray: 'bogus' is no command")
    assert told.stderr.count("\n") == 1


def test_whoever_stops_reading_breaks_nothing(ford: Path, process: Callable[..., Any]) -> None:
    script = (
        "import subprocess, sys\n"
        "run = subprocess.Popen([sys.executable, '-m', 'affray', 'log', sys.argv[1]],"
        " stdout=subprocess.PIPE, stderr=subprocess.PIPE)\n"
        "run.stdout.close()\n"
        "sys.exit(run.wait() or (1 if b'Traceback' in run.stderr.read() else 0))\n"
    )
    assert process("-c", script, ford).returncode == 0


def test_do_whose_reader_has_gone_says_what_was_saved(
    ford: Path, process: Callable[..., Any]
) -> None:
    saved = len(LogFile.open(ford).text.blocks)
    script = (
        "import subprocess, sys\n"
        "run = subprocess.Popen([sys.executable, '-m', 'affray', 'do', *sys.argv[1:]],"
        " stdout=subprocess.PIPE)\n"
        "run.stdout.close()\n"
        "sys.exit(run.wait())\n"
    )
    told = process("-c", script, ford, "note p1", "note p2", "note p3")
    assert told.returncode == 2
    assert told.stderr == (
        "affray: nobody reads the output now; "
        f"entry {saved + 1} was saved, and nothing after that was done\n"
    )
    assert ford.read_text("utf-8").count('command = "note p') == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("command", ["show", "check", "do"])
def test_a_full_disk_behind_standard_output_costs_one_line(command: str, ford: Path) -> None:
    more = ["note a", "note b", "--json"] if command == "do" else []
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "affray", command, str(ford), *more],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert ran.returncode == 2
    assert ran.stderr.startswith("affray: standard output can't be written (No space left")
    assert ran.stderr.count("\n") == 1
    assert (" were saved\n" in ran.stderr) is (command == "do")


def test_do_without_standard_input_is_told_so(
    ford: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", None)  # as for `affray do FILE <&-`
    assert "it is closed" in refused(run, "do", ford)
    assert "needs a terminal" in refused(run, ford)


def test_standard_input_that_can_not_be_read_costs_one_line(
    ford: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken(io.StringIO):
        def __next__(self) -> str:
            raise OSError(5, "Input/output error")

    monkeypatch.setattr(sys, "stdin", Broken())
    assert "standard input can't be read (Input/output error)" in refused(run, "do", ford)


_LOADED = """
import contextlib, io, json, sys
from affray.cli import main
for arguments in json.loads(sys.argv[1]):
    with contextlib.redirect_stdout(io.StringIO()):
        status = main(arguments)
    assert status == 0, (arguments, status)
    loaded = {name.partition(".")[0] for name in sys.modules} & {"textual", "rich"}
    assert not loaded, (arguments, loaded)
"""


def test_no_headless_command_loads_the_screen(
    ford: Path, tmp_path: Path, process: Callable[..., Any]
) -> None:
    file = str(ford)
    calls = [
        ["show", file],
        ["show", file, "--json"],
        ["log", file, "--all"],
        ["check", file],
        ["do", file, "strike ghoul-1 strong 5", "why ghoul-1 hp", "undo"],
        ["do", file, "--dry-run", "--json", "next"],
        ["new", str(tmp_path / "other.toml")],
        ["roll", "2d6"],
    ]
    told = process("-c", _LOADED, json.dumps(calls))
    assert told.returncode == 0, told.stderr

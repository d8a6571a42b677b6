"""A fault that hangs does not hang the run: it is broken off, and what it started with it."""

from __future__ import annotations

import os
import sys
import time
from argparse import Namespace
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("needs process groups", allow_module_level=True)

from tests.torture import __main__ as run, apart as apart_module
from tests.torture.apart import BrokenOff, apart

STUCK = """
import pathlib, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
pathlib.Path({noted!r}).write_text(str(child.pid), "utf-8")
while True:
    try:
        time.sleep(600)
    except KeyboardInterrupt:  # it does not even listen
        continue
"""


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def test_what_is_done_apart_gives_its_result() -> None:
    assert apart(divmod, 17, 5, seconds=30) == (3, 2)


def test_what_ends_without_an_answer_is_told() -> None:
    with pytest.raises(BrokenOff, match="without an answer"):
        apart(os._exit, 3, seconds=30)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes in /proc")
def test_what_hangs_is_broken_off_with_all_that_it_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apart_module, "TO_TIDY_UP", 0.1)
    noted = tmp_path / "child"
    with pytest.raises(BrokenOff, match="broken off after 2 seconds"):
        apart(exec, STUCK.format(noted=str(noted)), seconds=2)
    end = time.monotonic() + 30
    while is_running(int(noted.read_text("utf-8"))):
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_fault_that_is_broken_off_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def hang(*_: object, **__: object) -> None:
        raise BrokenOff("broken off after 1 seconds")

    monkeypatch.setattr(run, "apart", hang)
    tally = run._tried_apart("a block is zeroed", Namespace(seed=1, short=True, limit=1.0))
    assert not tally.holds
    assert tally.tracebacks == 1
    assert "a block is zeroed" in tally.wrong[0] and "broken off" in tally.wrong[0]

"""The program and its tests on other systems: what they import, and what is skipped there."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from platformdirs.windows import Windows

ROOT = Path(__file__).parents[1]
UNIX_ALONE = re.compile(r"^(?:import|from) (?:fcntl|grp|pty|pwd|resource|termios|tty)\b", re.M)
CALL = re.compile(r"\.(?:read|write)_text\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)")


def _modules(*folders: str) -> Iterator[tuple[str, str]]:
    for path in (path for folder in folders for path in (ROOT / folder).rglob("*.py")):
        yield path.relative_to(ROOT).as_posix(), path.read_text("utf-8")


def test_no_module_of_the_program_needs_one_of_unix_to_be_imported() -> None:
    assert [name for name, text in _modules("src") if UNIX_ALONE.search(text)] == []


def test_texts_are_read_and_written_in_utf_8_wherever_the_tests_run() -> None:
    """Windows takes the encoding of the country, where none is named."""
    calls = [
        (name, call[0])
        for name, text in _modules("src", "tests", "benchmarks", "screenshots")
        for call in CALL.finditer(text)
    ]
    assert len(calls) > 100
    named = "utf-8|encoding|READ_AS|UTF8|direct_url"  # a package's note, which is UTF-8
    assert [each for each in calls if not re.search(named, each[1])] == []


@pytest.fixture
def shared(pytestconfig: pytest.Config) -> ModuleType:
    """The conftest that all tests share."""
    (found,) = (
        plugin
        for plugin in pytestconfig.pluginmanager.get_plugins()
        if getattr(plugin, "__file__", None) == str(ROOT / "tests" / "conftest.py")
    )
    assert isinstance(found, ModuleType)
    return found


def _no_link() -> None:
    error = OSError(22, "A required privilege is not held by the client")
    error.winerror = 1314  # type: ignore[attr-defined]
    raise error


def _import(name: str) -> Any:
    raise ModuleNotFoundError(f"No module named {name!r}", name=name)


@pytest.mark.parametrize(
    ("do", "lack"),
    [
        (lambda: os.no_such_call, "os.no_such_call"),  # type: ignore[attr-defined]
        (lambda: signal.SIGNONE, "signal.SIGNONE"),  # type: ignore[attr-defined]
        (lambda: pytest.MonkeyPatch().setattr(os, "mkfifo_", 1), "os.mkfifo_"),
        (lambda: _import("fcntl"), "the module fcntl"),
        (_no_link, "links"),
        (lambda: _import("affray.none"), ""),
        (lambda: Path.none, ""),  # type: ignore[attr-defined]
        (lambda: os.stat("/there/is/none"), ""),  # noqa: PTH116
        (lambda: pytest.fail("a fault"), ""),
    ],
)
def test_what_a_system_lacks_is_told_from_faults(
    do: Callable[[], object], lack: str, shared: ModuleType
) -> None:
    try:
        do()
    except BaseException as error:
        assert shared.lack_of(error) == lack
    else:
        raise AssertionError("it lacks nothing")


def test_a_test_is_skipped_for_that_alone_and_never_on_unix(
    shared: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(error: Exception) -> None:
        steps = shared._skipping()
        next(steps)
        steps.throw(error)

    lacks = ModuleNotFoundError("No module named 'pty'", name="pty")
    monkeypatch.setattr(shared, "IS_UNIX", False)
    with pytest.raises(pytest.skip.Exception, match="this system lacks the module pty"):
        run(lacks)
    with pytest.raises(AssertionError):
        run(AssertionError())
    monkeypatch.setattr(shared, "IS_UNIX", True)
    with pytest.raises(ModuleNotFoundError):
        run(lacks)


def test_no_test_writes_into_the_home_of_whoever_runs_it_on_windows(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows itself would be asked for that folder, whatever stands in the environment."""
    folder = "WIN_PD_OVERRIDE_LOCAL_APPDATA"
    assert Path(os.environ[folder]).is_relative_to(home)
    monkeypatch.setenv(folder, r"C:\Homes\7")
    assert Windows("affray", appauthor=False).user_data_dir == os.path.normpath(
        os.path.join(r"C:\Homes\7", "affray")  # noqa: PTH118
    )

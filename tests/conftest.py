"""What every test stands on: a known environment, known dice for Hypothesis, and no home folder.

On Windows a test that needs what only Unix has is skipped, and says what that is.
"""

from __future__ import annotations

import gc
import importlib
import os
import re
import sys
import time
from collections.abc import Generator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import settings

from affray.__main__ import UNTIL_STARTED

_STEERING = ("TEXTUAL_", "AFFRAY_")
_PLUGINS_OWN = "TEXTUAL_SNAPSHOT_TEMPDIR"  # set by the snapshot plugin, for its workers
_STEERING_NAMES = ("NO_COLOR", "ESCDELAY")


def _forget_the_callers_settings() -> None:
    """Take out what would change colours, animations or the folders that are looked into."""
    for name in list(os.environ):
        if name == _PLUGINS_OWN:
            continue
        if name in _STEERING_NAMES or name.startswith(_STEERING):
            del os.environ[name]
    # The snapshot plugin imports Textual before any conftest is read, and Textual reads its
    # settings once, on import: have it read them again.
    constants = sys.modules.get("textual.constants")
    if constants is not None:
        importlib.reload(constants)


_forget_the_callers_settings()

# Days are shown in the time of the machine: let that be the same everywhere.
os.environ["TZ"] = "UTC"
if hasattr(time, "tzset"):
    time.tzset()

# What is compiled is kept, whatever the caller has set: tests start hundreds of programs, and four
# workers read the same tests. `make clean` removes it.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Python looks for what nobody uses any more as seldom as in the program: most of what a worker
# makes as it collects lasts until the end.
gc.set_threshold(UNTIL_STARTED)

# The same examples on every run: a failure in one place is a failure in all places.
settings.register_profile("ci", derandomize=True, deadline=None)
settings.load_profile("ci")


def pytest_collection_finish() -> None:
    """What was collected lasts: Python looks through it no more."""
    gc.freeze()


def pytest_addoption(parser: pytest.Parser) -> None:
    """With `--browser`, which `make browser` gives, nothing that needs a browser is skipped."""
    parser.addoption("--browser", action="store_true", help="refuse to run without a browser")


def pytest_configure(config: pytest.Config) -> None:
    """Refuse to run where the page's tests were asked for and can't be run."""
    if config.getoption("browser") and (missing := browser_lacks()):
        raise pytest.UsageError("; ".join(missing))


def browser_lacks() -> list[str]:
    """Say what is not here of what the page's tests need."""
    from screenshots.browser import lacks  # here: most runs have no such test

    return lacks()


NOT_RUN = "not run in a browser"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the page's tests for which there is no browser, or no axe-core where they need it."""
    in_browser = [item for item in items if item.get_closest_marker("browser")]
    missing = browser_lacks() if in_browser else []
    for item in in_browser:
        needs = ("Chromium", *(need for mark in item.iter_markers("browser") for need in mark.args))
        for line in [line for line in missing if any(need in line for need in needs)][:1]:
            item.add_marker(pytest.mark.skip(reason=f"{NOT_RUN}: {line}"))


def pytest_unconfigure(config: pytest.Config) -> None:
    """Say at the very end how many of the page's tests were not run, and how they are."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter is not None else []
    count = sum(NOT_RUN in str(report.longrepr) for report in skipped)
    if count:
        reporter.write_line(f"{count} tests of the page are {NOT_RUN}: make browser runs them")


IS_UNIX = os.name == "posix"
_UNIX_MODULES = {"fcntl", "grp", "pty", "pwd", "resource", "termios", "tty"}
_UNIX_NAME = re.compile(r"module '(os|select|signal|socket)'.* has no attribute '(\w+)'")
_NO_RIGHT_TO_LINK = 1314
"""The error of Windows for a link that the user may not make, unless in its developer mode."""


def lack_of(error: BaseException) -> str:
    """Return what a system lacks with which a test ended so; empty for any other fault of it."""
    if isinstance(error, ModuleNotFoundError) and error.name in _UNIX_MODULES:
        return f"the module {error.name}"
    name = _UNIX_NAME.search(str(error)) if isinstance(error, AttributeError) else None
    if name is not None:
        return f"{name[1]}.{name[2]}"
    return "links" if getattr(error, "winerror", None) == _NO_RIGHT_TO_LINK else ""


def _skipping() -> Generator[None, object, object]:
    try:
        return (yield)
    except Exception as error:
        if not IS_UNIX and lack_of(error):
            pytest.skip(f"this system lacks {lack_of(error)}")
        raise


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup() -> Generator[None, object, object]:
    """A fixture may need it."""
    return (yield from _skipping())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, object, object]:
    """Or the test itself."""
    return (yield from _skipping())


_HOMES = count(1)
_HOME_FOLDERS = {
    "HOME": "",
    "USERPROFILE": "",
    "APPDATA": "AppData/Roaming",
    "LOCALAPPDATA": "AppData/Local",
    "WIN_PD_OVERRIDE_LOCAL_APPDATA": "AppData/Local",  # else platformdirs asks Windows itself
    "XDG_CONFIG_HOME": ".config",
    "XDG_DATA_HOME": ".local/share",
    "XDG_STATE_HOME": ".local/state",
    "XDG_CACHE_HOME": ".cache",
    "AFFRAY_CAMPAIGNS": "campaigns",
}


@pytest.fixture(scope="session")
def _homes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("homes")


@pytest.fixture(autouse=True)
def home(_homes: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home folder of the test's own; it isn't in `tmp_path`, which stays empty as well."""
    folder = _homes / str(next(_HOMES))
    folder.mkdir()
    for name, below in _HOME_FOLDERS.items():
        monkeypatch.setenv(name, str(folder / below))
    return folder


@pytest.fixture(autouse=True)
def _quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing waits for the disk itself: only a power cut would show whether it got there.

    Tests that are about it put a patch of their own in place of this one, to count the calls or to
    let them fail; programs that tests start wait for the disk as they always do.
    """
    monkeypatch.setattr(os, "fsync", _checked)


def _checked(fd: int) -> None:
    """Fail as `os.fsync` does for what is no open file."""
    os.fstat(fd)

"""Nothing of the folder in which affray is started is run, whatever lies there and is called what.

A campaign's folder may have come from somebody else (SECURITY.md: a file may not start a program).
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import affray
from affray import beside, debug_log
from affray.beside import BesideServer
from affray.odds import simulation
from affray.store.open_encounter import OpenEncounter

SOURCE = Path(affray.__file__).parents[1]
MODULES = (
    *("aiohttp", "segno", "msgspec", "tomli", "tomli_w", "filelock", "platformdirs", "textual"),
    *("rich", "prompt_toolkit", "yaml", "readline", "sitecustomize", "usercustomize", "site"),
    *("random", "typing", "tomllib", "json", "signal", "socket", "ssl", "asyncio", "subprocess"),
    *("multiprocessing", "pickle", "struct", "logging", "secrets", "hashlib", "argparse", "re"),
    *("functools", "collections", "contextlib", "dataclasses", "datetime", "pathlib", "shlex"),
)
"""Of the packages that affray stands on, and of Python itself."""
BEFORE_AFFRAY = ("contextlib", "collections", "functools")
"""What Python's own `-m` loads, before a line of affray is run."""
START = ("add pc Mira hp 20 attack blade +5 1d8", "add monster Ghoul hp 9 attack claws +4 1d6")


@pytest.fixture
def planted(tmp_path: Path) -> Path:
    """A folder with a fight, and with a module of each name that leaves a mark as it is run."""
    fight = OpenEncounter.create(tmp_path / "ford.toml", "level-up", "Ford")
    with fight:
        fight.do(*START, "init mira 9", "init ghoul 5", "start")
    for name in MODULES:
        mark = f"open({str(tmp_path / 'RUN')!r}, 'a').write({name + ' '!r})\n"
        if len(name) % 2:
            (tmp_path / f"{name}.py").write_text(mark, "utf-8")
        else:
            (tmp_path / name).mkdir()
            (tmp_path / name / "__init__.py").write_text(mark, "utf-8")
    for name in ("affray", "affray_hedge"):  # the folder of a project, which is no package itself
        (tmp_path / name).mkdir()
        (tmp_path / name / "cli.py").write_text(mark, "utf-8")
    return tmp_path


def what_ran(folder: Path) -> str:
    mark = folder / "RUN"
    return mark.read_text("utf-8") if mark.exists() else ""


@pytest.mark.parametrize("how", [("-m",), ("-P", "-m")], ids=["-m", "-P -m"])
@pytest.mark.parametrize("path", [{}, {"PYTHONPATH": str(SOURCE)}], ids=["installed", "developer"])
@pytest.mark.parametrize(
    "arguments",
    [
        ("show", "ford.toml"),
        ("do", "ford.toml", "note x"),
        ("odds", "ford.toml", "--fights", "60"),
        ("play", "ford.toml"),
        ("check", "ford.toml"),
        ("watch", "ford.toml", "--players", "--serve=127.0.0.1:bad"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_python_m_affray_runs_nothing_of_the_folder_in_which_it_is_started(
    planted: Path, arguments: tuple[str, ...], path: dict[str, str], how: tuple[str, ...]
) -> None:
    for name in BEFORE_AFFRAY if how == ("-m",) else ():
        (planted / "elsewhere").mkdir(exist_ok=True)
        found = next(planted.glob(f"{name}*"))
        found.rename(planted / "elsewhere" / found.name)
    ran = subprocess.run(
        [sys.executable, *how, "affray", *arguments],
        cwd=planted,
        env={**os.environ, **path},
        input="note x\nquit\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert what_ran(planted) == ""
    assert ran.returncode == (2 if "watch" in arguments else 0), ran.stderr
    assert "Traceback" not in ran.stderr


def test_it_can_be_run_from_the_folder_of_its_own_source(planted: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "affray", "odds", planted / "ford.toml", "--fights", "60"],
        cwd=SOURCE,
        env={key: value for key, value in os.environ.items() if key != "PYTHONPATH"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ran.returncode == 0 and "Traceback" not in ran.stderr


def until(holds: Callable[[], object]) -> None:
    for _ in range(600):
        if holds():
            return
        time.sleep(0.05)
    raise AssertionError("it didn't come")


def test_the_server_beside_the_screen_runs_nothing_of_the_working_folder(
    planted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(planted)
    served = BesideServer(Path("ford.toml"), "127.0.0.1:0")
    try:
        until(lambda: served.url or served.trouble)
        assert (served.trouble, what_ran(planted)) == ("", "")
        assert served.url.startswith("http://127.0.0.1:")
    finally:
        served.end()


def test_the_workers_of_the_odds_run_nothing_of_the_working_folder(
    planted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(planted)
    monkeypatch.delenv(simulation.SAFE_PATH, raising=False)
    with OpenEncounter.view(Path("ford.toml")) as fight:
        rules = simulation.RulesRef(fight.ruleset.id, fight.path)
        *_, odds = simulation.simulate(fight.state, rules, 30, processes=2)
    assert (odds.played, what_ran(planted)) == (30, "")
    assert simulation.SAFE_PATH not in os.environ


# -- why a server ended ----------------------------------------------------------------------------


@pytest.mark.parametrize("at", ["start", "later"])
def test_why_the_server_ended_is_told_and_its_traceback_kept(
    planted: Path, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    url = "print('http://127.0.0.1:1/token/')\nprint('\\u2588 \\u2580')\n" if at == "later" else ""
    monkeypatch.setattr(beside, "START", f"{url}raise ImportError('no name GoneName')")
    debug = planted / "debug.txt"
    debug_log.start(debug, [], "1")
    try:
        served = BesideServer(planted / "ford.toml", "127.0.0.1:0")
        until(lambda: served.trouble)
        served.end()
    finally:
        debug_log.stop()
    assert served.trouble == "its process ended (ImportError: no name GoneName)"
    kept = debug.read_text("utf-8")
    assert "the server: Traceback (most recent call last):" in kept
    assert "the server: ImportError: no name GoneName" in kept
    assert "token" not in kept and "\u2588" not in kept


def test_what_the_server_says_of_itself_is_its_reason(planted: Path) -> None:
    served = BesideServer(planted / "ford.toml", "203.0.113.1:1")
    until(lambda: served.trouble)
    served.end()
    assert served.trouble.startswith("203.0.113.1:1 is not available (")

"""`--debug FILE`: what is told of a run, where to, and that nothing is when nobody asks."""

from __future__ import annotations

import io
import logging
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from affray import __version__, debug_log
from affray.cli import main
from affray.core.parser.errors import Refused
from affray.store.open_encounter import OpenEncounter
from affray.tui import app
from affray.tui.app import DebuggedApp
from affray.tui.screens import fight as fight_screen


@pytest.fixture
def told(tmp_path: Path) -> Path:
    """Where it is told."""
    return tmp_path / "debug.log"


@pytest.fixture
def ford(tmp_path: Path) -> Path:
    """A fight with somebody in it."""
    path = tmp_path / "ford.toml"
    assert main(["new", str(path)]) == 0
    assert main(["do", str(path), "add pc Mira hp 9", "start"]) == 0
    return path


@pytest.fixture
def telling(told: Path) -> Iterator[Path]:
    """The file, to which this process tells what it does."""
    debug_log.start(told, ["ford.toml"], __version__)
    yield told
    debug_log.stop()


def lines(told: Path) -> list[str]:
    """What was told, without the first line, and without when."""
    first, *rest = told.read_text("utf-8").splitlines()
    assert first.startswith(debug_log.HEADER)
    return [re.sub(r"^[\d-]{10} [\d:,]{12} ", "", line) for line in rest]


# -- without the screen ----------------------------------------------------------------------------


def test_the_file_tells_the_commands_what_came_of_them_and_how_long_they_took(
    ford: Path, told: Path
) -> None:
    assert main(["do", str(ford), "damage mira 3", "dance", "--debug", str(told)]) == 2
    text = "\n".join(lines(told))
    assert f"affray affray {__version__}, Python {sys.version.split()[0]}" in text
    assert "arguments: ['do', " in text and "textual 8." in text
    assert f"opened {ford}: monsters-and-magic, entry 2" in text
    assert re.search(
        r"command: damage mira 3\naffray entry 3: .*\naffray → done in [\d.]+ ms", text
    )
    assert re.search(r"command: dance\naffray → Refused after .* ms: 'dance' is no command", text)
    assert "affray refused: 'dance' is no command" in text
    assert "filelock" in text, "what libraries tell is there, too"


@pytest.mark.parametrize("command", ["show", "log", "check", "do --dry-run"])
def test_every_command_with_a_file_can_be_told_of(
    command: str, ford: Path, told: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("next\n"))
    assert main([*command.split(), str(ford), "--debug", str(told)]) == 0
    assert any(line.startswith("affray opened ") for line in lines(told))


def test_the_fight_knows_nothing_of_it(ford: Path, told: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    other.write_bytes(ford.read_bytes())
    assert main(["do", str(ford), "damage mira 3", "--debug", str(told)]) == 0
    assert main(["do", str(other), "damage mira 3"]) == 0
    unstamped = [re.sub(r"(?m)^(at|sum) = .*$", "", p.read_text("utf-8")) for p in (ford, other)]
    assert unstamped[0] == unstamped[1]


def test_a_second_run_is_told_behind_the_first(ford: Path, told: Path) -> None:
    for command in ("show", "log"):
        assert main([command, str(ford), "--debug", str(told)]) == 0
    assert sum(line.startswith("affray arguments: ") for line in lines(told)) == 2
    assert told.read_text("utf-8").count(debug_log.HEADER) == 1


def test_what_nobody_foresaw_is_told_with_the_way_to_it(
    ford: Path, told: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In affray's own code; one in a game's is a refusal."""
    monkeypatch.setattr("affray.cli_commands.json_report", None)
    with pytest.raises(TypeError):
        main(["show", str(ford), "--debug", str(told)])
    text = told.read_text("utf-8")
    assert "unexpected: TypeError\nTraceback " in text and "not callable" in text
    assert "in show" in text


def test_nothing_in_it_can_move_a_cursor(telling: Path) -> None:
    debug_log.log_line("a %s", "\x1b[2J\nb\udc80")
    assert lines(telling)[-1] == "affray a [2J b"


def _refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    capsys.readouterr()
    assert main([str(argument) for argument in arguments]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("affray: --debug: ") and err.count("\n") == 1
    return err


def test_a_file_that_cant_be_written_is_one_line_and_nothing_is_done(
    ford: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = ford.read_bytes()
    for wrong, said in ((tmp_path, "not a plain file"), (tmp_path / "no" / "x", "No such file")):
        assert said in _refused(capsys, "do", ford, "damage mira 3", "--debug", wrong)
        assert said in _refused(capsys, ford, "--debug", wrong)
    assert ford.read_bytes() == before


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_pipe_is_not_waited_for(
    ford: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert "not a plain file" in _refused(capsys, "show", ford, "--debug", tmp_path / "pipe")


def test_a_file_that_holds_something_else_is_not_written_to(
    ford: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = ford.read_bytes()
    assert "is not a debug log" in _refused(capsys, "show", ford, "--debug", ford)
    assert ford.read_bytes() == before


def test_when_nobody_asks_no_logging_is_loaded_and_nothing_is_told(ford: Path) -> None:
    code = (
        "import sys; from affray.cli import main\n"
        f"main(['show', {str(ford)!r}]); print('logging' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.endswith("\nFalse\n")


def test_once_it_is_over_nothing_is_told_any_more(telling: Path) -> None:
    root = logging.getLogger()
    debug_log.stop()
    debug_log.log_line("too late")
    assert "too late" not in telling.read_text("utf-8")
    assert not debug_log.is_enabled() and debug_log._handler not in root.handlers


# -- on the screen ---------------------------------------------------------------------------------


def test_the_program_is_another_one_only_while_it_is_told_of(told: Path) -> None:
    assert app._app_class() is app.AffrayApp
    debug_log.start(told, [], __version__)
    assert app._app_class() is DebuggedApp
    debug_log.stop()


async def test_keys_redraws_and_what_was_said_are_told(ford: Path, telling: Path) -> None:
    with OpenEncounter.open(ford) as encounter:
        async with DebuggedApp(encounter).run_test(size=(100, 30)) as pilot:
            await pilot.press("j", *":dance", "enter")
            await pilot.pause()
    text = "\n".join(lines(telling))
    assert "affray size 100x30" in text
    assert "affray key j on FightScreen" in text
    assert re.search(r"affray painted [\d.]+ ms after key j\n", text)
    assert re.search(r"affray message \(refused\): 'dance' is no command", text)


async def test_what_ends_the_program_on_the_screen_is_told(
    ford: Path, telling: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(fight_screen.ACTIONS, "why", int)
    with OpenEncounter.open(ford) as encounter, pytest.raises(TypeError):
        async with DebuggedApp(encounter).run_test() as pilot:
            await pilot.press("w")
    text = telling.read_text("utf-8")
    assert "unexpected: TypeError\nTraceback " in text and "in dispatch" in text


def test_the_option_reaches_the_screen(
    ford: Path, told: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bool] = []
    monkeypatch.setenv("TEXTUAL_DRIVER", "textual.drivers.headless_driver:HeadlessDriver")
    monkeypatch.setattr(app, "run_app", lambda *_: seen.append(debug_log.is_enabled()) or 0)
    for order in (["--debug", told, ford], [ford, "--debug", told]):
        assert main([str(part) for part in order]) == 0
    assert seen == [True, True] and not debug_log.is_enabled()


def test_begin_says_why_it_can_not(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="can't be written"):
        debug_log.start(tmp_path, [], __version__)
    assert not debug_log.is_enabled()

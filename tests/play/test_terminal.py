"""`affray play FILE` through a pipe and in a terminal."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.request import urlopen

import pytest
from tests.fights import play as fights
from tests.play.table import GAMES, PHONE, STRIKE, answers, begin, quick_fight, scripted, send

from affray.cli import main
from affray.extras import install_command
from affray.play import terminal as in_terminal
from affray.store.campaigns.files import ruleset_id_for
from affray.store.open_encounter import OpenEncounter
from affray.store.phones import Phones

needs_shell = pytest.mark.skipif(os.name != "posix", reason="Windows has another shell")
AFFRAY = [sys.executable, "-m", "affray", "play"]


def piped(
    path: Path, lines: list[str], seed: int = 1, **env: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*AFFRAY, str(path), "--seed", str(seed)],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, **env},
        timeout=120,
    )


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_fight_of_each_game_through_a_pipe(name: str, tmp_path: Path) -> None:
    typed, said = scripted(name, tmp_path / "a")
    path, script = begin(name, tmp_path / "b")
    assert ruleset_id_for(path) == GAMES[name]
    done = piped(path, typed, script.seed)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == said
    with (
        OpenEncounter.view(path) as played,
        OpenEncounter.view(fights.sample(fights.HERE / f"{name}.commands")) as sample,
    ):
        assert [e.text for e in played.entries] == [e.text for e in sample.entries]
    assert "\x1b" not in done.stdout
    assert all(line.isprintable() and not re.search(r"[·−→×\[\]]", line) for line in said)
    assert all(line[-1] in '.!?"' for line in said)


def test_what_cannot_be_read_is_refused_and_what_follows_is_played(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    lines = [b"note \xff\xfe", b"note " + b"x" * 9_000, b"note \x1b[31mred", b"\x00", b"next"]
    done = subprocess.run([*AFFRAY, str(path)], input=b"\n".join(lines), capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    said = done.stdout.decode().splitlines()
    assert said[2:4] == [
        "That line is not UTF-8 text; nothing was done.",
        "A line has at most 4000 bytes; nothing was done.",
    ]
    assert said[-1] == "Ghoul 1; next Ghoul 2."
    assert b"\x1b" not in done.stdout


def test_where_there_is_no_utf_8_all_that_has_no_letter_is_a_question_mark(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    lines = ['note "Überfall — hier"', "notes", "damage ghoul-1 3"]
    done = piped(path, lines, PYTHONIOENCODING="ascii")
    said = done.stdout.splitlines()
    assert "Note: ?berfall ? hier." in said
    with OpenEncounter.view(path) as fight:
        assert 'note "Überfall — hier"' in [each.command for each in fight.entries]
    assert any(line.startswith("Ghoul 1 minus 2") for line in said), said
    assert done.stdout.isascii() and done.stderr == ""


@needs_shell
def test_a_reader_that_goes_away_ends_it_and_what_was_done_is_saved(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    lines = "\n".join(["next"] * 30)
    shell = f"{sys.executable} -m affray play {path} | head -n 3"
    done = subprocess.run(shell, shell=True, input=lines, capture_output=True, text=True)
    assert done.stderr == ""
    with OpenEncounter.open(path) as fight:
        assert fight.read_only == "" and fight.notes == ()


@needs_shell
def test_without_input_it_says_so_and_a_missing_file_too(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    closed = subprocess.run(
        f"{sys.executable} -m affray play {path} <&-", shell=True, capture_output=True, text=True
    )
    assert closed.returncode == 2
    assert closed.stderr == "affray: expected commands on standard input; it is closed\n"
    missing = piped(tmp_path / "none.toml", [])
    assert missing.returncode == 2 and missing.stderr.count("\n") == 1
    assert "there is no file" in missing.stderr


def test_no_screen_is_loaded() -> None:
    code = (
        "import sys, affray.cli, affray.play; "
        "print([m for m in sys.modules if m.split('.')[0] in ('textual', 'rich')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "[]\n"


@contextmanager
def signal_as(number: int, action: Any) -> Iterator[None]:
    """What is started meanwhile ignores a signal, or hears it, as this process then does."""
    before = signal.signal(number, action)
    try:
        yield
    finally:
        signal.signal(number, before)


def hearing_ctrl_c() -> AbstractContextManager[None]:
    """A suite in a shell's background ignores SIGINT, and so would what it starts."""
    return signal_as(signal.SIGINT, signal.default_int_handler)


CONTROLLED = ["sh", "-c", 'exec "$@" <"$0"']
"""Gives a command the terminal named first for its Ctrl-C: who leads a session and opens it."""


class Terminal:
    """`affray play` in a pseudo-terminal."""

    def __init__(self, path: Path, term: str) -> None:
        self.fd, inner = os.openpty()
        with hearing_ctrl_c():
            self.process = subprocess.Popen(
                [*CONTROLLED, os.ttyname(inner), *AFFRAY, str(path), "--seed", "1"],
                **dict.fromkeys(("stdin", "stdout", "stderr"), inner),
                env={**os.environ, "TERM": term},
                start_new_session=True,
            )
        os.close(inner)
        self.all = self._unread = b""

    def until(self, wanted: bytes) -> None:
        """Read up to and with the wanted bytes."""
        while wanted not in self._unread:
            assert self._read(), (wanted, self._unread)
        self._unread = self._unread.partition(wanted)[2]

    def _read(self) -> bytes:
        assert select.select([self.fd], [], [], 20)[0], self._unread
        try:
            more = os.read(self.fd, 4096)
        except OSError:  # the end of a pseudo-terminal
            more = b""
        self._unread, self.all = self._unread + more, self.all + more
        return more

    def type(self, keys: bytes) -> None:
        os.write(self.fd, keys)

    def wait(self) -> int:
        """The exit status, once all is read."""
        while self._read():
            pass
        os.close(self.fd)
        return self.process.wait()


@pytest.mark.parametrize("term", ["dumb", "xterm-256color"])
def test_a_whole_fight_in_a_pseudo_terminal(term: str, tmp_path: Path) -> None:
    if term != "dumb":
        pytest.importorskip("prompt_toolkit")
    typed, _ = scripted("the-bed-of-the-drake", tmp_path / "a")
    path, _ = begin("the-bed-of-the-drake", tmp_path / "b")
    terminal = Terminal(path, term)
    for line in typed:
        terminal.until(b">")
        terminal.type(line.encode() + b"\r")
        terminal.until(line.split()[-1].encode()[-3:])
    terminal.type(b"quit\r")
    assert terminal.wait() == 0
    with OpenEncounter.view(path) as fight:
        assert [each.command for each in fight.entries if each.to is None][-1] == typed[-1]
    assert b"Traceback" not in terminal.all
    if term == "dumb":
        assert b"\x1b" not in terminal.all


def test_without_the_extra_one_line_says_what_is_lacking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lacks = "raise ModuleNotFoundError(name='prompt_toolkit')"
    (tmp_path / "prompt_toolkit.py").write_text(lacks, "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    terminal = Terminal(quick_fight(tmp_path), "xterm")
    terminal.until(f"no completion: {install_command('play')}".encode())
    terminal.until(b">")
    terminal.type(b"next\r")
    terminal.until(b"Ghoul 1; next Ghoul 2.")
    terminal.until(b">")
    terminal.type(b"quit\r")
    assert terminal.wait() == 0
    assert b"\x1b" not in terminal.all


@pytest.mark.skipif(os.name != "posix", reason="Windows sends no SIGINT")
def test_ctrl_c_of_a_pipe_ends_it_in_one_line(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    with hearing_ctrl_c():
        program = subprocess.Popen([*AFFRAY, str(path)], stdin=-1, stdout=-1, stderr=-1)
    with program as done:
        assert done.stdout is not None and done.stderr is not None
        done.stdout.readline()
        done.stdout.readline()
        done.send_signal(signal.SIGINT)
        assert done.stdout.read() == b"Stopped; everything answered is saved.\n"
        assert (done.wait(), done.stderr.read()) == (130, b"")


def test_ctrl_c_gives_up_the_line_and_ctrl_d_leaves(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    terminal = Terminal(path, "dumb")
    terminal.until(b">")
    terminal.type(b"damage mira\x03")
    terminal.until(b"Nothing was done; quit leaves.")
    terminal.until(b">")
    terminal.type(b"next\r")
    terminal.until(b"Ghoul 1; next")
    terminal.until(b">")
    terminal.type(b"\x04")
    assert terminal.wait() == 0
    assert b"Traceback" not in terminal.all and b"\x1b" not in terminal.all


@pytest.mark.parametrize("term", ["dumb", "xterm"])
def test_a_terminal_that_goes_away_ends_it(term: str, tmp_path: Path) -> None:
    """Without a signal, as where the one that a terminal sends is ignored (`nohup`)."""
    if term != "dumb":
        pytest.importorskip("prompt_toolkit")
    with signal_as(signal.SIGHUP, signal.SIG_IGN):
        terminal = Terminal(quick_fight(tmp_path), term)
    terminal.until(b">")
    os.close(terminal.fd)
    assert terminal.process.wait() == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_what_is_drawn_while_the_terminal_goes_away_is_not_tried_again_at_the_exit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python would end with status 120."""
    with Path("/dev/full").open("w", encoding="utf-8") as terminal:

        def draw_in_vain() -> str:
            monkeypatch.setattr(sys, "stdout", terminal)
            terminal.write("> ")
            raise OSError

        monkeypatch.setattr(in_terminal, "_line_reader", lambda _: (draw_in_vain, ""))
        assert main(["play", str(quick_fight(tmp_path))]) == 0
        terminal.flush()


@pytest.mark.parametrize("term", ["dumb", "xterm"])
def test_what_a_phone_proposes_is_told_while_nothing_is_typed(term: str, tmp_path: Path) -> None:
    if term != "dumb":
        pytest.importorskip("prompt_toolkit")
    path = quick_fight(tmp_path)
    answers(path, "setting players-act ask")
    Phones(path).grant(PHONE, "mira")
    terminal = Terminal(path, term)
    terminal.until(b">")
    send(path, 1, *STRIKE)
    terminal.until(b"Mira proposes: Strike Ghoul 1, strong, 5 slashing. Accept, or decline.")
    terminal.until(b">")
    terminal.type(b"accept\r")
    terminal.until(b"Ghoul 1 minus 4, 5 left")
    terminal.until(b">")
    terminal.type(b"\x04")
    assert terminal.wait() == 0
    assert term != "dumb" or b"\x1b" not in terminal.all


def test_enter_draws_the_typed_line_no_second_time(tmp_path: Path) -> None:
    """A screen reader would say it twice."""
    pytest.importorskip("prompt_toolkit")
    terminal = Terminal(quick_fight(tmp_path), "xterm")
    for line, moved in ((b"note Z", b""), (b"note Y", b"\x1b[D\x1b[D")):
        terminal.until(b">")
        terminal.type(line + moved)
        terminal.until(line[-1:])
        before = len(terminal.all)
        terminal.type(b"\r")
        terminal.until(b"Noted.")
        drawn = terminal.all[before:].partition(b"Noted.")[0]
        assert b"note" not in drawn and b"\x1b[J" not in drawn and drawn.count(b"\n") == 1
    terminal.until(b">")
    terminal.type(b"\x04")
    assert terminal.wait() == 0


def test_tab_completes_and_up_brings_commands_back(tmp_path: Path) -> None:
    pytest.importorskip("prompt_toolkit")
    path = quick_fight(tmp_path)
    terminal = Terminal(path, "xterm")
    terminal.until(b">")
    terminal.type(b"damage gho\t-1 3\r")
    terminal.until(b"Ghoul 1 minus 2")
    terminal.until(b"7 left")
    terminal.until(b">")
    terminal.type(b"\x1b[A\r")
    terminal.until(b"5 left")
    terminal.until(b">")
    terminal.type(b"\x04")
    assert terminal.wait() == 0


def test_a_kill_loses_nothing_that_was_answered(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    terminal = Terminal(path, "dumb")
    terminal.until(b">")
    terminal.type(b"damage ghoul-1 3\r")
    terminal.until(b"left")
    terminal.process.kill()
    assert terminal.wait() == -signal.SIGKILL
    with OpenEncounter.open(path) as fight:
        assert fight.entries[-1].command == "damage ghoul-1 3"


@pytest.mark.parametrize("term", [None, "xterm", "dumb"])
def test_windows_completes_words_though_it_names_no_terminal(
    term: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """TERM is not set there, and that is no dumb terminal."""
    monkeypatch.setattr(in_terminal, "ON_WINDOWS", True)
    for stream in ("stdin", "stdout"):
        monkeypatch.setattr(sys, stream, SimpleNamespace(isatty=lambda: True, buffer=None))
    monkeypatch.delenv("TERM", raising=False)
    if term is not None:
        monkeypatch.setenv("TERM", term)
    completes = lambda: "a line"  # noqa: E731
    monkeypatch.setattr(in_terminal, "_prompt_toolkit_reader", lambda _: completes)
    read_line, remark = in_terminal._line_reader(SimpleNamespace())  # type: ignore[arg-type]
    assert (read_line is completes, remark) == (term != "dumb", "")


def test_serve_serves_the_players_page_beside_it_and_says_where(tmp_path: Path) -> None:
    pytest.importorskip("starlette")
    path = quick_fight(tmp_path)
    program = subprocess.Popen(
        [*AFFRAY, str(path), "--serve", "127.0.0.1:0"], stdin=-1, stdout=-1, text=True
    )
    with program as played:
        assert played.stdin is not None and played.stdout is not None
        address = ""
        for _ in range(200):
            played.stdin.write("again\n")
            played.stdin.flush()
            line = played.stdout.readline()
            address = re.sub(r".*is at (http\S+)\.\n", r"\1", line) if "is at" in line else ""
            if address:
                break
            time.sleep(0.1)
        with urlopen(address) as page:
            assert b"Mira" in page.read()
        played.stdin.close()
        assert played.wait(20) == 0
    with pytest.raises(OSError):
        urlopen(address)


def test_an_address_that_is_none_is_refused_before_the_fight_opens(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", str(quick_fight(tmp_path)), "--serve", "nowhere:x"]) == 2
    assert capsys.readouterr().err.startswith("affray: expected HOST:PORT")

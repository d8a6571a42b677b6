"""Streams that are not UTF-8: what can't be shown is replaced, what can't be read is refused."""

from __future__ import annotations

import errno
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import affray
from affray import stdio
from affray.cli import main
from affray.core.parser.errors import Refused
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
    assert b"nobody here is called" in told.stderr


def test_input_that_is_no_text_is_refused_in_one_line(path: Path, run: Callable[..., Ran]) -> None:
    before = path.read_bytes()
    for more in ([], ["--json"]):
        told = run("utf-8", "do", path, *more, given=b"note \xff\xfe\n")
        assert (told.returncode, told.stderr) == (2, b"affray: standard input is not UTF-8 text\n")
        assert path.read_bytes() == before


# -- Windows, which gives a pipe or a file the encoding of the country -----------------------------


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Callable[..., bytes]:
    """Runs affray as on Windows, with its output sent to a file, or a console; gives the bytes."""
    monkeypatch.setattr(stdio, "ON_WINDOWS", True)
    monkeypatch.delenv("PYTHONIOENCODING", raising=False)

    def ran(*arguments: object, is_console: bool = False) -> bytes:
        stream = io.TextIOWrapper(io.BytesIO(), encoding="cp1252", newline="\r\n")
        monkeypatch.setattr(stream.buffer, "isatty", lambda: is_console, raising=False)
        monkeypatch.setattr(sys, "stdout", stream)
        assert main([*map(str, arguments)]) == 0
        stream.flush()
        assert isinstance(stream.buffer, io.BytesIO)
        return stream.buffer.getvalue()

    return ran


@pytest.mark.parametrize("arguments", [["show"], ["show", "--json"], ["recap", "--html"]])
def test_what_goes_into_a_file_is_utf_8_on_windows_too(
    arguments: list[str], path: Path, shown: Callable[..., bytes]
) -> None:
    """A page of HTML and JSON had `?` in the place of what the country's encoding lacks."""
    text = shown(*arguments, path).decode()
    assert "Żółw" in text and "\r" not in text
    if "--json" in arguments:
        assert json.loads(text)["title"] == "Żółw · ⚔"


def test_an_encoding_that_was_asked_for_stays(
    path: Path, shown: Callable[..., bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "cp1252")
    assert "?ó?w" in shown("show", path).decode("cp1252")


def test_a_console_keeps_its_encoding_and_no_traceback_comes(
    path: Path, shown: Callable[..., bytes]
) -> None:
    assert "?ó?w" in shown("show", path, is_console=True).decode("cp1252")


def _piped(raw: bytes, encoding: str) -> list[str]:
    return [*stdio.commands_in(io.TextIOWrapper(io.BytesIO(raw), encoding=encoding))]


@pytest.mark.parametrize(
    "raw",
    [
        "note Mära →\r\nnext\r\n".encode(),
        "\ufeffnote Mära →\nnext\n".encode(),
        "# Kommentar ä\n\r\nnote Mära →\rnext".encode(),
    ],
    ids=["lines of windows", "mark", "lone CR"],
)
def test_commands_in_utf_8_are_read_whatever_the_system_calls_the_pipe(raw: bytes) -> None:
    """They were saved as `MÃ¤ra`, without a word."""
    assert _piped(raw, "cp1252") == ["note Mära →", "next"]
    assert _piped(raw, "utf-8") == ["note Mära →", "next"]


def test_commands_in_the_encoding_of_the_country_are_read_as_well() -> None:
    assert _piped("note Mära\r\n".encode("cp1252"), "cp1252") == ["note Mära"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le"])
def test_the_16_bits_of_an_old_powershell_are_refused(encoding: str) -> None:
    with pytest.raises(Refused, match="standard input is not UTF-8 text"):
        _piped("note Mära\r\n".encode(encoding), "cp1252")


def test_a_reader_that_has_gone_is_told_otherwise_on_windows(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """`affray log FILE | more`, left early, is no fault: it ends in silence, as elsewhere."""

    class Gone(io.StringIO):
        def write(self, _: str) -> int:
            raise OSError(errno.EINVAL, "Invalid argument")

        def fileno(self) -> int:
            return spare.fileno()

    monkeypatch.setattr(stdio, "ON_WINDOWS", True)
    with (tmp_path / "spare").open("wb") as spare:
        monkeypatch.setattr(sys, "stdout", Gone())
        with pytest.raises(BrokenPipeError):
            stdio.print_raw("a line")


def test_no_file_is_opened_in_the_encoding_of_the_country(path: Path, tmp_path: Path) -> None:
    """Python itself says where one is."""
    environment = os.environ | {
        "PYTHONPATH": str(Path(affray.__file__).parents[1]),
        "PYTHONWARNDEFAULTENCODING": "1",
    }
    command = [sys.executable, "-W", "error::EncodingWarning", "-m", "affray"]
    for arguments in (["--debug", tmp_path / "log", path], ["--print-completion", "bash"]):
        told = subprocess.run(
            [*command, *(["show", *arguments] if path in arguments else arguments)],
            capture_output=True,
            env=environment,
        )
        assert (told.returncode, told.stderr) == (0, b"")

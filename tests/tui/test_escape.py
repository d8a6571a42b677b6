"""`esc` is a key by itself, whatever comes right behind it (reports.md W1).

A letter is a key behind it; an enter or a space is dropped. Codes of other keys stay what they
are, however they are cut into packets.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from textual import constants
from textual._xterm_parser import XTermParser
from textual.driver import Driver
from textual.events import AppBlur, AppFocus, Key, MouseEvent, Paste
from textual.message import Message

from affray.tui import terminal
from affray.tui.app import AffrayApp
from affray.tui.terminal import KeyFilter, filter_keys_of

# -- what Textual reads ----------------------------------------------------------------------------


def name(message: Message) -> str:
    if isinstance(message, Key):
        return message.key
    return f"“{message.text}”" if isinstance(message, Paste) else type(message).__name__


def read(*packets: str) -> list[str]:
    """What Textual makes of these packets, with no time between them, and then nothing more."""
    parser, keys = XTermParser(), KeyFilter()
    found = [token for each in packets if (text := keys.feed(each)) for token in parser.feed(text)]
    keys._due = 0.0
    late = keys.late()
    return [name(token) for token in (*found, *(parser.feed(late) if late else ()))]


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TMUX", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")


@pytest.mark.parametrize(
    ("packet", "keys"),
    [
        ("\x1b", ["escape"]),
        ("\x1b\r", ["escape"]),
        ("\x1b ", ["escape"]),
        ("\x1b \r\r ", ["escape"]),
        ("\x1b\x1bOM", ["escape"]),
        ("\x1bu", ["escape", "u"]),
        ("\x1bU", ["escape", "U"]),
        ("\x1bé", ["escape", "é"]),
        ("\x1b3", ["escape", "3"]),
        ("\x1b:", ["escape", "colon"]),
        ("\x1bn \r", ["escape", "n", "space", "enter"]),
        ("\x1b\x05", ["escape", "ctrl+e"]),
        ("\x1b\t", ["escape", "tab"]),
        ("\x1b\x7f", ["escape", "backspace"]),
        ("\x1b\x1b", ["escape", "escape"]),
        ("\x1b\x1b\r", ["escape", "escape"]),
        ("\x1b\x1b[A", ["escape", "up"]),
        ("\x1b\x1bOA", ["escape", "up"]),
        ("\x1b[", ["escape", "left_square_bracket"]),
        ("\x1bO", ["escape", "O"]),
        ("\x1b[27u\x1b[13u", ["escape"]),
        ("\x1b[27u\x1b[32;;32u", ["escape"]),
        ("\x1b[27u\x1b[117;;117u\x1b[13u", ["escape", "u", "enter"]),
        ("\x1b\x1b[<35;4;5M\r", ["escape", "MouseMove"]),
        ("\x1b\x1b[200~ a\r\x1b[201~", ["escape", "“ a\r”"]),
        ("s\x1b\rn", ["s", "escape", "n"]),
    ],
)
def test_esc_is_a_key_by_itself_whatever_comes_in_the_same_packet(
    packet: str, keys: list[str]
) -> None:
    assert read(packet) == keys
    for at in (at for at, before in enumerate(packet, 1) if before == "\x1b"):
        assert read(packet[:at], packet[at:]) == keys, at


CODES = {
    "\x1b[A": "up",
    "\x1bOB": "down",
    "\x1b[1;5C": "ctrl+right",
    "\x1b[1;3A": "alt+up",
    "\x1b[Z": "shift+tab",
    "\x1b[3~": "delete",
    "\x1b[3$": "shift+delete",
    "\x1b[15~": "f5",
    "\x1bOP": "f1",
    "\x1b[[B": "f2",
    "\x1bOs": "3",
    "\x1b[27u": "escape",
    "\x1b[97;;97u": "a",
    "\x1b[106;5u": "ctrl+j",
    "\x1b[I": "AppFocus",
    "\x1b[O": "AppBlur",
    "\x1b[<0;5;6M": "MouseDown",
    "\x1b[<0;5;6m": "MouseUp",
    "\x1b[<35;5;6M": "MouseMove",
    "\x1b[4;5R": "CursorPosition",
    "\x1b[48;24;80;240;800t": "Resize",
    "\x1b[?2026;2$y": "TerminalSupportsSynchronizedOutput",
    "\x1b[200~a b\x1b[201~": "“a b”",
}


@pytest.mark.parametrize("code", CODES)
def test_a_code_is_what_it_was_however_it_is_cut(code: str) -> None:
    assert read(f"x{code}y") == ["x", CODES[code], "y"]
    assert read(*code, "y") == [CODES[code], "y"]
    for at in range(1, len(code)):
        assert read(code[:at], code[at:]) == [CODES[code]]
    assert read(f"\x1b{code}") == ["escape", CODES[code]]


def test_these_codes_are_of_every_kind_that_the_toolkit_tells_us() -> None:
    tokens = [token for code in CODES for token in XTermParser().feed(code)]
    assert {AppFocus, AppBlur, Paste, Key} <= {type(token) for token in tokens}
    assert any(isinstance(token, MouseEvent) for token in tokens)


@pytest.mark.parametrize("env", [{"TMUX": "/tmp/x,1,0"}, {"TERM": "screen-256color"}])
def test_in_tmux_a_key_with_alt_is_esc_and_the_key(
    env: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has them so when the second comes within half a second."""
    for variable, value in env.items():
        monkeypatch.setenv(variable, value)
    assert read("\x1b[1;3A") == ["escape", "up"]
    assert read("\x1b[1;4A") == ["escape", "shift+up"]
    assert read("\x1b[1;7D") == ["escape", "ctrl+left"]
    assert read("\x1b[3;3~") == ["escape", "delete"]
    assert read("\x1b[13;3u") == ["escape"]
    assert read("\x1b[1;5A") == ["ctrl+up"]


def test_the_linux_console_has_its_shift_tab(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "linux")
    assert read("\x1b\t") == ["shift+tab"]


def test_esc_alone_is_told_after_the_toolkits_own_delay_and_no_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 100.0
    monkeypatch.setattr(terminal, "time", SimpleNamespace(monotonic=lambda: now))
    keys = KeyFilter()
    assert keys.feed("\x1b") == "" and keys.wait == pytest.approx(constants.ESCAPE_DELAY)
    assert keys.late() == ""
    now += constants.ESCAPE_DELAY
    assert [name(token) for token in XTermParser().feed(keys.late())] == ["escape"]
    assert keys.wait is None and keys.late() == ""


def test_what_is_no_code_is_not_kept_for_ever() -> None:
    keys = KeyFilter()
    assert keys.feed("\x1b[" + "1" * 100)


# -- other drivers --------------------------------------------------------------------------------


@pytest.fixture
def driver() -> Iterator[type[Driver]]:
    """As that of Windows, or of a browser: it makes a parser, and feeds and ticks it."""
    module = ModuleType("tests.tui.drivers")
    module.XTermParser = XTermParser  # type: ignore[attr-defined]
    sys.modules[module.__name__] = module
    yield type("OtherDriver", (Driver,), {"__module__": module.__name__})
    del sys.modules[module.__name__]


def test_the_drivers_of_windows_and_of_a_browser_read_through_the_filter(
    driver: type[Driver],
) -> None:
    filter_keys_of(driver)
    filter_keys_of(driver)
    parser: Any = vars(sys.modules[driver.__module__])[terminal.PARSER](debug=False)
    assert [name(token) for token in parser.feed("s\x1b\r\x1bu")] == ["s", "escape", "escape", "u"]
    assert list(parser.feed("\x1b")) == []
    parser.keys._due = 0.0
    assert [name(token) for token in parser.tick()] == ["escape"]
    assert list(parser.feed("")) == [] and parser.is_eof


def test_a_driver_without_such_a_parser_reads_as_it_always_did(driver: type[Driver]) -> None:
    """A later Textual may call it otherwise: then esc is what it is there, and nothing ends."""
    del sys.modules[driver.__module__].XTermParser  # type: ignore[attr-defined]
    filter_keys_of(driver)
    assert not hasattr(sys.modules[driver.__module__], terminal.PARSER)


def test_textuals_own_drivers_have_their_parser_by_that_name() -> None:
    """Of Windows the text is read: the module loads nowhere else."""
    folder = Path(sys.modules["textual"].__file__ or "").parent / "drivers"
    for file in ("win32.py", "web_driver.py", "linux_driver.py"):
        text = (folder / file).read_text("utf-8")
        assert f" {terminal.PARSER}\n" in text and f"parser = {terminal.PARSER}(" in text, file


def test_a_driver_by_name_is_filtered_too(monkeypatch: pytest.MonkeyPatch) -> None:
    named: list[type[Driver]] = []
    monkeypatch.setattr(constants, "DRIVER", "textual.drivers.web_driver:WebDriver")
    monkeypatch.setattr(terminal, "filter_keys_of", named.append)
    monkeypatch.setattr("textual.drivers.web_driver.WebDriver.__init__", lambda *_: None)
    assert named == [AffrayApp(None).driver_class]

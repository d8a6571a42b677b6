"""Textual is asked by public names, and reads what a terminal sends through a filter of ours."""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Thread

import pytest
from textual._xterm_parser import XTermParser
from textual.events import Key, MouseDown, Resize
from textual.message import Message

from affray.tui.app import AffrayApp
from affray.tui.terminal import InputFilter, TerminalDriver, drop_odd_codes

TUI = Path(__file__).parents[2] / "src" / "affray" / "tui"
NO_PUBLIC_TWIN = {"_handle_exception"}
"""The names that begin with an underscore and are another's for which there is no public one."""
OF_NAMED_TUPLES = {"_replace", "_asdict", "_fields"}


def private_names(tree: ast.AST) -> Iterator[str]:
    """Names with an underscore that are asked of anything but the thing itself, or imported."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
            own = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
            if not (own or node.attr.endswith("__") or node.attr in OF_NAMED_TUPLES):
                yield node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
            if len(text) > 2 and text.startswith("_") and text.isidentifier():
                yield text
        elif isinstance(node, ast.ImportFrom):
            parts = [*(node.module or "").split("."), *(alias.name for alias in node.names)]
            yield from (part for part in parts if part.startswith("_"))


def test_textual_is_asked_by_public_names() -> None:
    found = {
        name
        for path in TUI.rglob("*.py")
        for name in private_names(ast.parse(path.read_text("utf-8")))
        if not name.endswith("__")
    }
    assert found == NO_PUBLIC_TWIN


def events_of(text: str) -> list[Message]:
    """What Textual makes of what is left of it."""
    left = InputFilter().feed(text.encode()).decode()
    return list(XTermParser().feed(left)) if left else []


def keys_of(text: str) -> str:
    return "".join(event.key for event in events_of(text) if isinstance(event, Key))


@pytest.mark.parametrize(
    "code",
    [
        "\x1b[1114112u",
        "\x1b[1114112;5u",
        "\x1b[999999999999999999999999999999u",
        "\x1b[97;;1114112u",
        "\x1b[57399;1:3u",
        "\x1b[97:65;2u",
        "\x1b[48;0;0;0;0t",
        "\x1b[48;;;;t",
    ],
)
def test_a_code_that_can_not_be_read_is_none(code: str) -> None:
    assert keys_of(f"a{code}b") == "ab"


@pytest.mark.parametrize(
    "code", ["\x1b[A", "\x1b[97;5u", "\x1b[97;;97:98u", "\x1b[1;5D", "\x1b[3~", "\x1b[<35;1;1M"]
)
def test_a_code_that_can_be_read_stays_as_it_is(code: str) -> None:
    assert drop_odd_codes(f"a{code}b") == f"a{code}b"


def test_a_mouse_points_at_cells_where_the_window_tells_no_size_in_pixels() -> None:
    size, mouse = events_of("\x1b[48;24;80;0;0t\x1b[<0;5;6M")
    assert isinstance(size, Resize) and tuple(size.size) == (80, 24)
    assert isinstance(mouse, MouseDown) and (mouse.x, mouse.y) == (4, 5)


def test_a_byte_that_is_no_utf_8_is_one_character() -> None:
    passing = InputFilter()
    assert [passing.feed(part).decode() for part in (b"a\xff", b"\xc3", b"\xa9")] == [
        "a\ufffd",
        "",
        "é",
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="there it is another driver")
def test_the_program_reads_through_the_filter() -> None:
    assert AffrayApp(None).driver_class is TerminalDriver


class Reading:
    """A driver that reads a pipe in place of a terminal, as its thread does it."""

    def __init__(self) -> None:
        terminal, self.keyboard = os.pipe()
        self.driver = object.__new__(TerminalDriver)
        self.driver.fileno, self.driver.exit_event = terminal, Event()
        self.driver._debug = False
        self.read: list[Message] = []
        self.driver.process_message = self.read.append  # type: ignore[method-assign]
        self.thread = Thread(target=self.driver.run_input_thread)
        self.terminal = terminal
        self.thread.start()

    def typed(self) -> str:
        return "".join(event.key for event in self.read if isinstance(event, Key))

    def end(self) -> None:
        self.driver.exit_event.set()
        self.thread.join(10)
        assert not self.thread.is_alive()


@pytest.fixture
def reading() -> Iterator[Reading]:
    found = Reading()
    yield found
    found.end()
    os.close(found.keyboard)
    os.close(found.terminal)


def until(is_so: Callable[[], bool]) -> None:
    for _ in range(500):
        if is_so():
            return
        Event().wait(0.02)
    pytest.fail("it never came")


def test_what_is_typed_is_read_whatever_came_before(reading: Reading) -> None:
    os.write(reading.keyboard, b"a\xff\x1b[1114112ub\xc3")
    until(lambda: "b" in reading.typed())
    os.write(reading.keyboard, b"\xa9c")
    until(lambda: reading.typed().endswith("c"))
    assert [event.character for event in reading.read if isinstance(event, Key)] == [
        *("a", "\ufffd", "b", "é", "c")
    ]


def test_a_code_that_was_cut_in_two_ends_nothing(reading: Reading) -> None:
    os.write(reading.keyboard, b"a\x1b[11141")
    until(lambda: reading.typed() == "a")
    os.write(reading.keyboard, b"12u")
    until(lambda: bool(os.write(reading.keyboard, b"b")) and reading.typed().endswith("b"))


def test_the_terminal_is_the_drivers_own_again_when_it_reads_no_more(reading: Reading) -> None:
    until(lambda: reading.driver.fileno != reading.terminal)
    os.write(reading.keyboard, b"x" * 100_000)  # more than a pipe holds
    reading.end()
    assert reading.driver.fileno == reading.terminal
    os.write(reading.keyboard, b"for the shell")

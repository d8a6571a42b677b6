"""Terminals and systems that tell less than this one, or take keys for themselves."""

from __future__ import annotations

import select
import signal
import sys
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import pytest

from affray.rulesets import BUILT_IN, load_ruleset
from affray.tui import terminal
from affray.tui.keymap import keymap_for
from affray.tui.terminal import go_on_after_stops, is_terminal_gone, leave_when_told

if not hasattr(select, "poll"):
    pytest.skip("Windows has no poll", allow_module_level=True)

TAKEN = {
    "Windows Terminal": (
        "ctrl+v",
        "ctrl+c",
        "ctrl+comma",
        "ctrl+tab",
        "f11",
        "alt+enter",
        "alt+f4",
    ),
    "Terminal of a Mac": ("f11",),
}
"""Keys that a terminal has for itself at first: it pastes, copies, or fills the whole screen."""


@pytest.mark.parametrize("ruleset_id", sorted(BUILT_IN))
def test_no_key_is_one_that_a_terminal_takes(ruleset_id: str) -> None:
    """Nor one with alt, with which a Mac types other letters."""
    keys = {key for each in keymap_for(load_ruleset(ruleset_id)).keys for key in each.keys}
    assert "ctrl+q" in keys
    assert not keys & {key for taken in TAKEN.values() for key in taken}
    assert not [key for key in keys if key.startswith("alt+")]


class _Poll:
    """A poll that tells always the same of what is watched."""

    def __init__(self, told: int) -> None:
        self.told, self.asked = told, 0

    def register(self, fd: int, events: int) -> None:
        assert events == select.POLLHUP, "which a Mac tells only whom it is asked by"

    def poll(self, wait: int) -> list[tuple[int, int]]:
        self.asked += 1
        return [(0, self.told)] if self.told else []


def _terminal(monkeypatch: pytest.MonkeyPatch, told: int, is_one: bool) -> None:
    monkeypatch.setattr(select, "poll", lambda: _Poll(told))
    stdin = SimpleNamespace(fileno=lambda: 0, isatty=lambda: is_one)
    monkeypatch.setattr(sys, "stdin", stdin)


@pytest.mark.parametrize(
    ("told", "is_one", "is_gone"),
    [
        (0, True, False),
        (select.POLLHUP, True, True),
        (select.POLLHUP | select.POLLERR, False, True),
        (select.POLLNVAL, True, False),
        (select.POLLNVAL, False, True),
    ],
)
def test_a_mac_that_cannot_wait_for_a_terminal_does_not_lose_it(
    told: int, is_one: bool, is_gone: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There /dev/tty is no file that can be waited for, and the screen closed at once."""
    _terminal(monkeypatch, told, is_one)
    assert is_terminal_gone() is is_gone


def test_it_does_not_ask_a_mac_as_often_as_it_can(monkeypatch: pytest.MonkeyPatch) -> None:
    _terminal(monkeypatch, select.POLLNVAL, True)
    waited: list[float] = []
    monkeypatch.setattr(terminal.time, "sleep", waited.append)
    assert not is_terminal_gone(1000)
    assert waited == [1.0]


@pytest.mark.parametrize(
    ("there", "heard"),
    [
        (("SIGTERM", "SIGHUP"), ["SIGTERM", "SIGHUP"]),
        (("SIGTERM", "SIGBREAK"), ["SIGTERM", "SIGBREAK"]),
    ],
    ids=["posix", "windows"],
)
def test_it_ends_in_order_by_the_signals_that_there_are(
    there: tuple[str, ...], heard: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    set_for: list[str] = []
    system = SimpleNamespace(
        **{name: name for name in there}, signal=lambda name, _: set_for.append(name)
    )
    monkeypatch.setattr(terminal, "signal", system)
    monkeypatch.setattr(sys, "stdin", None)
    monkeypatch.delattr(select, "poll")
    app: Any = SimpleNamespace()
    leave_when_told(app)
    assert set_for == heard
    assert not is_terminal_gone(), "which nobody can tell on Windows"


def test_nothing_is_to_be_stopped_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(terminal, "signal", SimpleNamespace())
    app: Any = SimpleNamespace(is_headless=False)
    go_on_after_stops(app)


@pytest.mark.parametrize(("after", "stops"), [(0.001, []), (1.0, [signal.SIGSTOP])])
def test_a_stop_told_with_the_word_to_go_on_came_before_it(
    after: float, stops: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python tells signals that came while it was busy by their numbers, and not in their order."""
    handlers: dict[int, Any] = {}
    stopped: list[int] = []
    clock = iter((100.0, 100.0 + after))
    loop = SimpleNamespace(call_soon_threadsafe=lambda run: run())
    signals = {name: getattr(signal, name) for name in ("SIGCONT", "SIGTSTP", "SIGSTOP")}
    for name, stub in {
        "signal": SimpleNamespace(**signals, signal=handlers.__setitem__),
        "time": SimpleNamespace(monotonic=lambda: next(clock)),
        "os": SimpleNamespace(getpid=lambda: 0, kill=lambda pid, number: stopped.append(number)),
        "asyncio": SimpleNamespace(get_running_loop=lambda: loop),
    }.items():
        monkeypatch.setattr(terminal, name, stub)
    app: Any = SimpleNamespace(
        is_headless=False, driver_class=terminal.LinuxDriver, return_code=None, suspend=nullcontext
    )
    go_on_after_stops(app)
    handlers[signal.SIGCONT](signal.SIGCONT, None)
    handlers[signal.SIGTSTP](signal.SIGTSTP, None)
    assert stopped == stops

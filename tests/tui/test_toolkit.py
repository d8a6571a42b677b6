"""Names of the toolkit's own that are gone cost the guards their effect, and nothing else."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from textual import constants
from textual._xterm_parser import XTermParser
from textual.drivers import linux_driver

from affray.tui.app import AffrayApp
from affray.tui.terminal import go_on_after_stops, guard_codes, guard_pastes

GUARDED = ["_sequence_to_key_events", "parse_mouse_code", "feed"]


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where Textual's log goes, as with TEXTUAL_LOG; the guards are as before in the end."""
    for name in GUARDED:
        unguarded = getattr(XTermParser, name)
        monkeypatch.setattr(XTermParser, name, getattr(unguarded, "__wrapped__", unguarded))
    decoder = linux_driver.getincrementaldecoder  # type: ignore[attr-defined]
    unguarded = getattr(decoder, "__wrapped__", decoder)
    monkeypatch.setattr(linux_driver, "getincrementaldecoder", unguarded)
    monkeypatch.setattr(constants, "LOG_FILE", str(tmp_path / "log"))
    return tmp_path / "log"


def guard_all() -> None:
    guard_codes()
    guard_pastes()


def guarded() -> list[str]:
    """Which of the names are there, and guarded."""
    return [name for name in GUARDED if hasattr(getattr(XTermParser, name, None), "__wrapped__")]


def test_with_all_names_all_is_guarded_and_nothing_is_said(log: Path) -> None:
    guard_all()
    assert guarded() == GUARDED
    assert linux_driver.getincrementaldecoder("utf-8")().decode(b"a\xff") == "a\ufffd"  # type: ignore[attr-defined]
    assert not log.exists()


@pytest.mark.parametrize("name", GUARDED)
def test_a_name_that_is_gone_leaves_the_other_guards(
    name: str, log: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for owner in XTermParser.__mro__:  # it may be inherited
        if name in vars(owner):
            monkeypatch.delattr(owner, name)
    guard_all()
    assert guarded() == [other for other in GUARDED if other != name]
    assert log.read_text() == f"affray: Textual has no {name} any more, which is left unguarded\n"
    assert capfd.readouterr() == ("", "")


def test_a_module_that_is_gone_leaves_nothing_to_guard(
    log: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "textual._xterm_parser", None)
    monkeypatch.delattr(linux_driver, "getincrementaldecoder")
    guard_all()
    assert guarded() == []
    assert log.read_text().count("left unguarded") == 4
    assert capfd.readouterr() == ("", "")


def test_without_the_driver_by_its_name_what_happens_at_stops_is_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = AffrayApp(None)
    monkeypatch.delattr(linux_driver, "LinuxDriver")
    go_on_after_stops(app)  # which would need a running loop

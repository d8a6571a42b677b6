"""Settings of the toolkit that is not available cost one line, and the fight is let go of."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

import pytest
from textual import constants

from affray.core.parser.errors import Refused
from affray.store.log_file import LogFile
from affray.store.open_encounter import OpenEncounter
from affray.tui.app import run_app
from affray.tui.terminal import check_environment

Played = Callable[..., OpenEncounter]


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("COLOR_SYSTEM", "none", "TEXTUAL_COLOR_SYSTEM must be auto, standard, 256"),
        ("COLOR_SYSTEM", "", "TEXTUAL_COLOR_SYSTEM must be"),
        ("COLOR_SYSTEM", "truecolour", "did you mean truecolor?"),
        ("DRIVER", "x:Y", "TEXTUAL_DRIVER must name a driver of Textual's as MODULE:CLASS"),
        ("DRIVER", "", "not ''"),
        ("DRIVER", "os:path", "not 'os:path'"),
        ("DRIVER", "textual.driver", "not 'textual.driver'"),
        ("LOG_FILE", "/there/is/no/such/folder", "TEXTUAL_LOG must name a file"),
    ],
)
def test_a_setting_that_can_not_be_had_is_refused(
    name: str, value: str, said: str, played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(constants, name, value)
    fight = played("add monster Ghoul hp 18")
    with pytest.raises(Refused) as raised:
        run_app(fight)
    assert said in str(raised.value)
    LogFile.open(fight.path).close()  # nobody has it any more


@pytest.mark.parametrize("value", ["auto", "256", None])
def test_what_can_be_had_is_let_through(value: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "COLOR_SYSTEM", value)
    check_environment()


OPENS_THE_SCREEN = """
import sys
from types import SimpleNamespace
from affray import cli

def run_app(*_):
    from textual import constants
    print(constants.ESCAPE_DELAY)

sys.modules["affray.tui.app"] = SimpleNamespace(run_app=run_app)
cli._run_screen(None, "")
"""


@pytest.mark.parametrize(("told", "seconds"), [({}, "0.05"), ({"ESCDELAY": "200"}, "0.2")])
def test_an_esc_alone_is_the_key_after_fifty_milliseconds_or_as_many_as_are_told(
    told: dict[str, str], seconds: str
) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "ESCDELAY"}
    program = [sys.executable, "-c", OPENS_THE_SCREEN]
    ran = subprocess.run(program, env=environment | told, capture_output=True, check=True)
    assert ran.stdout.decode().split() == [seconds]

"""`make browser` fails without a browser; other runs say at their end what they have skipped."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def run_without_browser(*more: str) -> tuple[int, list[str]]:
    """The exit code, and the lines of a run of the page's tests where no program is found."""
    found = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *more],
        cwd=ROOT,
        env={**os.environ, "PATH": ""},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    return found.returncode, (found.stdout + found.stderr).strip().splitlines()


def test_make_browser_fails_without_a_browser_and_names_the_command_that_brings_it() -> None:
    code, lines = run_without_browser("--browser", "-m", "browser", "tests/serve/test_browser.py")
    assert code == 4
    assert "there is no Chromium" in lines[-1] and "apt-get install chromium" in lines[-1]


def test_another_run_says_in_its_last_line_that_the_page_was_not_looked_at() -> None:
    code, lines = run_without_browser("tests/serve/test_browser.py")
    assert code == 0
    assert lines[-1] == "2 tests of the page are not run in a browser: make browser runs them"

"""A fight needs no screen: what runs without one must not pay for loading it."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEADLESS = [
    "import affray.core",
    "import affray.rulesets.monsters_and_magic",
    "import affray.store",
    "import affray.cli",
]

_REPORT = """
import sys
print(*sorted({name.partition('.')[0] for name in sys.modules} & {'textual', 'rich'}))
"""


@pytest.mark.parametrize("snippet", HEADLESS)
def test_what_is_headless_loads_no_textual(snippet: str) -> None:
    run = subprocess.run(
        [sys.executable, "-c", snippet + _REPORT], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.split() == []

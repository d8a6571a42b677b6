"""How the parts hang together: what is loaded when, and what is named in two places."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import platformdirs
import pytest

from affray.rulesets import BUILT_IN, GROUP

HEADLESS = [
    "import affray.core",
    "import affray.rulekit",
    "import affray.rulesets.monsters_and_magic",
    "import affray.rulesets.orcus",
    "import affray.rulesets.level_up",
    "import affray.rulesets.adventure_school",
    "import affray.store",
    "import affray.headless",
    "import affray.cli",
]

_REPORT = """
import sys
print(*sorted({name.partition('.')[0] for name in sys.modules} & {'textual', 'rich', 'tomlkit'}))
"""


@pytest.mark.parametrize("snippet", HEADLESS)
def test_what_is_headless_loads_neither_textual_nor_what_edits_toml(snippet: str) -> None:
    run = subprocess.run(
        [sys.executable, "-c", snippet + _REPORT], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.split() == []


def test_the_rulesets_that_come_along_are_those_that_the_package_offers() -> None:
    about = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))
    offered = about["project"]["entry-points"][GROUP]
    assert {name: f"{module}:RULESET" for name, module in BUILT_IN.items()} == offered


def test_the_users_folders_bear_no_authors_name(monkeypatch: pytest.MonkeyPatch) -> None:
    from affray.store.campaigns.finding import campaign_folders
    from affray.tui.own_keys import config_folder

    asked = []

    def folder(name: str, appauthor: object = None) -> Path:
        asked.append((name, appauthor))
        return Path(name)

    monkeypatch.setattr(platformdirs, "user_config_dir", folder)
    monkeypatch.setattr(platformdirs, "user_data_path", folder)
    monkeypatch.delenv("AFFRAY_CAMPAIGNS", raising=False)
    campaign_folders(), config_folder()
    assert asked == [("affray", False)] * 2

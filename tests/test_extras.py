"""The command that adds an extra fits the way in which affray was installed."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from affray import extras
from affray.extras import EXTRAS, install_command

COPY = {"url": "file:///home/gm/my%20affray", "dir_info": {}}
EDITABLE = {"url": "file:///home/gm/affray", "dir_info": {"editable": True}}
GIT = {"url": "https://code.example/affray.git", "vcs_info": {"vcs": "git"}}

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="quotes and paths of Unix shells")


def told(
    monkeypatch: pytest.MonkeyPatch, prefix: Path, about: dict[str, Any], *there: str
) -> list[str]:
    """The words of the command, where these libraries are there."""
    text = json.dumps(about) if about else None
    installed = SimpleNamespace(read_text=lambda name: text)
    monkeypatch.setattr(extras, "distribution", lambda name: installed)
    monkeypatch.setattr(extras, "_is_there", lambda library: library in there)
    return shlex.split(install_command("serve", prefix))


@pytest.mark.parametrize(
    ("mark", "about", "words"),
    [
        ("pipx_metadata.json", COPY, ["pipx", "install", "--force", "/home/gm/my affray[serve]"]),
        ("pipx_metadata.json", EDITABLE,
         ["pipx", "install", "--force", "--editable", "/home/gm/affray[serve]"]),
        ("pipx_metadata.json", {}, ["pipx", "install", "--force", "affray[serve]"]),
        ("pipx_metadata.json", GIT, ["pipx", "install", "--force",
         "affray[serve] @ git+https://code.example/affray.git"]),
        ("uv-receipt.toml", COPY,
         ["uv", "tool", "install", "--force", "/home/gm/my affray[serve]"]),
        ("uv-receipt.toml", EDITABLE,
         ["uv", "tool", "install", "--force", "--editable", "/home/gm/affray[serve]"]),
        ("", COPY, [sys.executable, "-m", "pip", "install", "/home/gm/my affray[serve]"]),
        ("", EDITABLE, [sys.executable, "-m", "pip", "install", "-e", "/home/gm/affray[serve]"]),
    ],
)  # fmt: skip
def test_each_way_of_installing_has_its_own_command(
    mark: str,
    about: dict[str, Any],
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if mark:
        (tmp_path / mark).touch()
    assert told(monkeypatch, tmp_path, about, "pip") == words


def test_an_environment_of_uv_is_added_to_by_uv(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    once = tmp_path / "archive-v0" / "Xyz"
    assert told(monkeypatch, once, COPY)[:2] == ["uvx", "--from"]
    without_pip = told(monkeypatch, tmp_path, EDITABLE)
    assert without_pip[:5] == ["uv", "pip", "install", "-p", sys.executable]


def test_an_extra_that_is_there_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pipx_metadata.json").touch()
    assert told(monkeypatch, tmp_path, {}, *EXTRAS["play"])[-1] == "affray[play,serve]"


def test_what_is_here_is_told_of_this_copy() -> None:
    words = shlex.split(install_command("serve"))
    assert words[-1].endswith("[play,serve]") and not words[-1].startswith("[")

"""`affray new ruleset NAME`: the package that it writes is installed, and plays at once."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.said import Run, refused
from tests.rulesets.test_write_a_ruleset import FILES

from affray import new_ruleset
from affray.core.parser.errors import Refused

FIGHT = (
    "add pc Mira hp 20 ac 14 might 3",
    "add monster Ghoul hp 6 ac 12",
    "init mira 15",
    "init ghoul 8",
    "start",
    "strike ghoul natural 15",
    "guard",
    "next",
)
INSTALL = ("pip", "install", "--no-build-isolation", "--no-index", "--no-deps", "--quiet")


def python(folder: Path, *words: str, heard: str = "") -> str:
    """What Python tells with these words, with the packages of `folder` beside those that are
    here, to what it has `heard`."""
    env = {**os.environ, "PYTHONPATH": str(folder)}
    run = subprocess.run(
        [sys.executable, *words],
        capture_output=True,
        encoding="utf-8",
        check=False,
        env=env,
        cwd=folder,
        input=heard,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_the_written_package_is_installed_and_plays_at_once(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    status, told, _ = run("new", "ruleset", "salt_road")
    assert status == 0 and "pip install -e salt_road" in told
    site, fight = tmp_path / "site", str(tmp_path / "fight.toml")
    site.mkdir()
    project = tmp_path / "salt_road"
    python(site, "-m", *INSTALL, "--target", str(site), str(project))
    python(site, "-m", "affray", "new", fight, "--ruleset", "salt_road")
    told = python(site, "-m", "affray", "do", fight, "--seed", "1", *FIGHT)
    assert "\nMira strikes Ghoul: hit" in told and "\nMira stands guard" in told
    assert "2 passed" in python(site, "-m", "pytest", "-p", "no:cacheprovider", str(project))


def test_its_files_are_those_of_the_page(tmp_path: Path) -> None:
    """docs/write-a-ruleset.md explains them one after the other."""
    folder = new_ruleset.write_ruleset("duel", tmp_path)
    written = {
        f"duel/{file.relative_to(folder).as_posix()}": file.read_text("utf-8")
        for file in folder.rglob("*")
        if file.is_file()
    }
    readme = written.pop("duel/README.md")
    assert written == {name: text for name, text in FILES.items() if name.startswith("duel/")}
    assert len(readme.splitlines()) <= 12


def test_no_word_of_the_template_has_its_name_within(tmp_path: Path) -> None:
    folder = new_ruleset.write_ruleset("hedge", tmp_path)
    texts = [file.read_text("utf-8") for file in folder.rglob("*") if file.is_file()]
    assert not [text for text in texts if re.search("duel", text, re.IGNORECASE)]
    assert not [path for path in folder.rglob("*") if "duel" in path.name]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Salt-Road", "'Salt-Road' can't be the name of a Python package: expected small letters"),
        ("5e", "can't be the name of a Python package"),
        ("class", "can't be the name of a Python package"),
        ("../hedge", "can't be the name of a Python package"),
        ("plain", "plain is a rule system that is installed: choose another name"),
        ("json", "json is a Python package that is installed: choose another name"),
        ("there", "there is there already: choose another name"),
    ],
)
def test_a_name_that_cannot_be_is_told_in_one_line_and_nothing_is_written(
    name: str, why: str, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there").mkdir()
    assert why in refused(run, "new", "ruleset", name)
    assert [path.name for path in tmp_path.rglob("*")] == ["there"]


def test_what_else_stands_on_the_line_is_refused(run: Run) -> None:
    assert "expected a name" in refused(run, "new", "ruleset")
    assert "takes a name, not" in refused(run, "new", "ruleset", "hedge", "--title", "Hedge")


def test_a_folder_that_cannot_be_written_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(path: Path, *args: object, **more: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", fails)
    with pytest.raises(Refused, match="hedge can't be written: No space left on device"):
        new_ruleset.write_ruleset("hedge", tmp_path)

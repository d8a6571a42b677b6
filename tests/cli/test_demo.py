"""`affray demo`: the sample fight on a copy, on the screen or as text."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.said import Run, refused

from affray import cli, demo
from affray.store.campaigns.find import campaign_folders

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "campaigns" / "drowned-vale"


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder where this process puts what is temporary."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path / "mine"))
    return folder


@pytest.mark.skipif(
    os.name != "posix" or shutil.which("make") is None, reason="make is not installed, or no sh"
)
def test_make_demo_prints_a_round_without_a_terminal(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / ".stamp-app").touch()
    program = tmp_path / "bin" / "affray"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m affray "$@"\n', "utf-8")
    program.chmod(0o755)
    given = ["make", "-o", str(tmp_path / ".stamp-app"), f"VENV={tmp_path}", "demo"]
    run = subprocess.run(
        given,
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert "Round 3, entry 104" in run.stdout
    assert "Tithe Taker 2's turn ends; Ilse is up" in run.stdout
    assert "In a terminal `affray demo` opens it on the screen" in run.stdout
    sample = SAMPLE / "encounters" / "the-sluice-gate.toml"
    (played,) = tmp_path.glob("affray-demo-*/drowned-vale/encounters/the-sluice-gate.toml")
    assert played.read_bytes().startswith(sample.read_bytes())
    assert played.stat().st_size > sample.stat().st_size


def test_in_a_terminal_it_opens_a_copy_and_lists_that_alone(
    temporary: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[Path, list[Path]]] = []

    def screen(encounter: object, *_: object, **__: object) -> int:
        seen.append((encounter.path, campaign_folders()))  # type: ignore[attr-defined]
        return 0

    monkeypatch.setattr(cli, "_has_screen", lambda: True)
    monkeypatch.setattr(cli, "_run_screen", screen)
    before = {path: path.read_bytes() for path in SAMPLE.rglob("*.toml")}
    status, out, err = run("demo")
    [(fight, listed)] = seen
    assert (status, err) == (0, "")
    assert f"It stays in {fight.parents[1]}" in out
    assert fight.is_relative_to(temporary) and listed == [fight.parents[2]]
    copied = {SAMPLE / path.relative_to(fight.parents[1]) for path in fight.parents[1].rglob("*")}
    assert {path for path in copied if path.suffix == ".toml"} == set(before)
    assert {path: path.read_bytes() for path in SAMPLE.rglob("*.toml")} == before


def test_each_demo_has_a_copy_of_its_own_that_can_be_written(
    temporary: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even where the installed sample can't be written."""
    package = tmp_path / "package"
    shutil.copytree(SAMPLE, package / "sample")
    for path in [*package.rglob("*"), package]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    monkeypatch.setattr(demo, "PACKAGE", package)
    first, second = demo.copy_sample(), demo.copy_sample()
    for path in [*package.rglob("*"), package]:
        path.chmod(0o755 if path.is_dir() else 0o644)
    assert first != second
    for fight in (first, second):
        assert fight.stat().st_mode & 0o200 and fight.parent.stat().st_mode & 0o200


def test_without_a_sample_or_room_for_its_copy_one_line_says_so(
    temporary: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "package" / "sample").mkdir(parents=True)
    monkeypatch.setattr(demo, "PACKAGE", tmp_path / "package")
    assert "has no sample campaign: install affray again" in refused(run, "demo")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    assert "the sample campaign can't be copied" in refused(run, "demo")


def test_a_word_too_many_is_refused(
    process: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    done = process("-m", "affray", "demo", "orcus")
    assert (done.returncode, done.stdout) == (2, "") and "orcus" in done.stderr

"""Importers of other packages: the one of the page on them is built, installed and used."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from affray.store.importers import installed
from affray.store.importers.detect import read_files
from affray.store.importers.run_import import bring_in

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "write-an-importer.md").read_text("utf-8")
(SOURCE,) = re.findall(r"```python\n(.*?)```", PAGE, re.S)
(FEN,) = re.findall(r"```\n(hedge 1\n.*?)```", PAGE, re.S)
(NAMED,) = re.findall(r'^hedge = "(.*)"$', PAGE, re.M)


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    installed._installed.cache_clear()
    yield
    installed._installed.cache_clear()


def install(site: Path, monkeypatch: pytest.MonkeyPatch, source: str) -> None:
    info = site / "affray_hedge-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: affray-hedge\nVersion: 1\n", "utf-8"
    )
    (info / "entry_points.txt").write_text(f"[{installed.GROUP}]\nhedge = {NAMED}\n", "utf-8")
    (site / "affray_hedge.py").write_text(source, "utf-8")
    monkeypatch.delitem(__import__("sys").modules, "affray_hedge", raising=False)
    monkeypatch.syspath_prepend(site)


def test_the_importer_of_the_page_brings_its_creatures_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path / "site", monkeypatch, SOURCE)
    campaign, file = tmp_path / "vale", tmp_path / "fen.hedge"
    campaign.mkdir()
    (campaign / "campaign.toml").write_text('name = "Vale"\nruleset = "5e"\n', "utf-8")
    file.write_text(FEN, "utf-8")
    brought = bring_in(file, campaign)
    assert [source.format for source in brought.sources] == ["Hedge"]
    rows = {row.key: row.row for row in brought.rows["bestiary.toml"]}
    assert rows["fen-wisp"]["attack"] == ['"Shock" +4 2d8 lightning melee magical reach 5']
    assert (rows["bog-boar"]["hp"], rows["bog-boar"]["speed"]) == (22, 40)


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("HEDGE = 7\n", "the importer hedge is not an ImportFormat"),
        ("1 / 0\n", "the importer hedge can't be loaded: ZeroDivisionError: division by zero"),
    ],
)
def test_one_that_can_not_be_loaded_is_told(
    source: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path / "site", monkeypatch, source)
    file = tmp_path / "fen.hedge"
    file.write_text(FEN, "utf-8")
    assert [found.fault for found in read_files(file)] == [why]


def test_one_that_fails_at_a_file_is_told_with_what_it_raised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = re.sub(
        r"(?m)^(def read\w*\(.*)$", r"\1\n    raise RuntimeError('the fen is dry')", SOURCE
    )
    assert source != SOURCE
    install(tmp_path / "site", monkeypatch, source)
    file = tmp_path / "fen.hedge"
    file.write_text(FEN, "utf-8")
    assert [found.fault for found in read_files(file)] == [
        "the importer hedge failed: RuntimeError: the fen is dry"
    ]

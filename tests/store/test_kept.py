"""What a large bestiary says is kept parsed: opening a fight is as quick as with a small one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import platformdirs
import pytest

from affray.store.campaigns import files
from affray.store.campaigns.files import cached_parse

STAMP = (1, 2)
ROWS: dict[str, Any] = {"eel": {"hp": 9, "attack": ["bite +3 1d4"], "text": "Wet."}}


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda *_, **__: tmp_path / "cache")
    return tmp_path / "cache" / "parsed"


def never() -> dict[str, Any]:
    raise AssertionError("it was parsed again")


def test_it_is_parsed_once(tmp_path: Path) -> None:
    assert cached_parse(tmp_path / "a.toml", STAMP, lambda: ROWS) == ROWS
    assert cached_parse(tmp_path / "a.toml", STAMP, never) == ROWS


def test_what_was_saved_anew_is_parsed_anew(tmp_path: Path) -> None:
    cached_parse(tmp_path / "a.toml", STAMP, lambda: ROWS)
    assert cached_parse(tmp_path / "a.toml", (2, 2), lambda: {}) == {}


def test_each_file_is_kept_for_itself(tmp_path: Path) -> None:
    cached_parse(tmp_path / "a.toml", STAMP, lambda: ROWS)
    assert cached_parse(tmp_path / "b.toml", STAMP, lambda: {}) == {}


def test_what_was_kept_and_is_damaged_is_parsed_anew(tmp_path: Path, cache: Path) -> None:
    cached_parse(tmp_path / "a.toml", STAMP, lambda: ROWS)
    (only,) = cache.iterdir()
    only.write_bytes(b"\x93\x01")
    assert cached_parse(tmp_path / "a.toml", STAMP, lambda: ROWS) == ROWS


def test_what_would_be_another_when_it_is_read_again_is_not_kept(
    tmp_path: Path, cache: Path
) -> None:
    odd = {"eel": {"hp": (1, 2)}}
    assert cached_parse(tmp_path / "a.toml", STAMP, lambda: odd) == odd
    assert not cache.exists()


def test_where_nothing_can_be_kept_it_is_parsed(tmp_path: Path, cache: Path) -> None:
    cache.parent.write_text("no folder", "utf-8")
    assert cached_parse(tmp_path / "a.toml", STAMP, lambda: ROWS) == ROWS


def test_a_few_files_are_kept(tmp_path: Path, cache: Path) -> None:
    for number in range(files.MOST_KEPT + 3):
        cached_parse(tmp_path / f"{number}.toml", STAMP, lambda: ROWS)
    assert len([*cache.iterdir()]) == files.MOST_KEPT


def test_a_large_bestiary_is_kept_and_a_small_one_is_not(tmp_path: Path, cache: Path) -> None:
    from affray.store.campaigns.files import LARGE, load_toml

    small, large = tmp_path / "small.toml", tmp_path / "large.toml"
    small.write_text("[eel]\nhp = 9\n", "utf-8")
    large.write_text(f'[eel]\nhp = 9\ntext = "{"x" * LARGE}"\n', "utf-8")
    assert load_toml(small)["eel"]["hp"] == load_toml(large)["eel"]["hp"] == 9
    assert len([*cache.iterdir()]) == 1

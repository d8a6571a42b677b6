"""A fight that can't be begun leaves nothing behind, and says why in one line."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import pytest

from affray.cli import main
from affray.store import LogError, log_file
from affray.store.log_file import LogFile


def failing(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_what_the_disk_has_no_room_for_leaves_no_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.toml"
    monkeypatch.setattr("affray.store.filesystem.create_file", failing)
    assert main(["new", str(path)]) == 2
    assert "No space left on device" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
    monkeypatch.undo()
    assert main(["new", str(path)]) == 0


def test_the_lock_of_a_log_that_came_meanwhile_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.toml"

    def another_was_first(path: Path, content: bytes) -> None:
        path.write_bytes(content)
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))

    monkeypatch.setattr(log_file, "publish_atomically", another_was_first)
    with pytest.raises(LogError, match="exists already"):
        LogFile.create(path, {})
    assert sorted(file.name for file in tmp_path.iterdir()) == ["x.toml", "x.toml.lock"]


@pytest.mark.skipif(sys.platform == "win32", reason="needs links")
@pytest.mark.parametrize("command", ["new", "show", "check", "do"])
def test_a_link_to_itself_is_one_line(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "encounters" / "loop.toml"
    path.parent.mkdir()
    path.symlink_to(path)
    assert main([command, str(path)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    expected = "exists already" if command == "new" else "Too many levels of symbolic links"
    assert expected in said.err and said.err.count("\n") == 1
    assert [file.name for file in path.parent.iterdir()] == ["loop.toml"]


def test_house_rules_that_are_wrong_are_told_before_there_is_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "encounters" / "x.toml"
    path.parent.mkdir()
    (tmp_path / "rules.toml").write_text("[economy]\nap = 'three'\n", "utf-8")
    assert main(["new", str(path)]) == 2
    assert "expected a number such as 3" in capsys.readouterr().err
    assert list(path.parent.iterdir()) == []

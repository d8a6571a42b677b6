"""What a disk or an editor may do at the worst moment; `tests/torture` tries every moment."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from affray.store import LogError, SaveFailed, StaleLog
from affray.store.entry_toml import format_entry, format_header
from affray.store.log_file import LogFile, read_log
from affray.store.log_recovery import Damaged, parse_log

Body = Callable[[int], dict[str, object]]


def failing(*_: object, **__: object) -> None:
    raise OSError(errno.EIO, os.strerror(errno.EIO))


def kept_beside(path: Path) -> bytes:
    return b"".join(file.read_bytes() for file in path.parent.glob(f"{path.name}.torn-*"))


def test_what_is_told_not_to_be_saved_is_not_there_when_the_look_behind_it_failed(
    log_path: Path, body: Body, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, synced, sync, look = log_path.read_bytes(), [], os.fsync, os.stat
    monkeypatch.setattr(os, "fsync", lambda fd: synced.append(fd) or sync(fd))
    monkeypatch.setattr(os, "stat", lambda *a, **k: failing() if synced else look(*a, **k))
    with LogFile.open(log_path) as log:
        with pytest.raises(SaveFailed):
            log.append(body(4))
        monkeypatch.undo()
    assert log_path.read_bytes() == before


def test_a_file_that_fails_to_close_behind_the_sync_is_saved(
    log_path: Path, body: Body, monkeypatch: pytest.MonkeyPatch
) -> None:
    shut = os.close

    def close(fd: int) -> None:
        shut(fd)
        failing()

    with LogFile.open(log_path) as log:
        monkeypatch.setattr(os, "close", close)
        assert log.append(body(4)) == 4
        monkeypatch.undo()
    assert read_log(log_path).last_seq == 4


def test_anothers_entry_under_our_number_does_not_pass_for_ours(log_path: Path, body: Body) -> None:
    theirs = log_path.read_bytes() + format_entry(body(9), 4)
    with LogFile.open(log_path) as log:
        log.append(body(4))
        log_path.write_bytes(theirs + b"\n")
        with pytest.raises(StaleLog):
            log.append(body(5))
        assert "entry 4, removed when another program saved, was kept" in log.reread().notes[-1]
    assert format_entry(body(4), 4) in kept_beside(log_path)


def test_what_an_editor_saved_over_at_the_end_is_kept_on_closing(
    log_path: Path, body: Body
) -> None:
    older = log_path.read_bytes()
    with LogFile.open(log_path) as log:
        log.append(body(4))
        log_path.write_bytes(older)
    assert format_entry(body(4), 4) in kept_beside(log_path)


def test_a_folder_that_can_not_be_looked_into_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "stat", failing)
    with pytest.raises(LogError, match="can't be opened"):
        LogFile.create(tmp_path / "new.toml", {})


@pytest.mark.parametrize(("start", "end", "is_torn"), [(512, 1024, True), (600, 640, False)])
def test_a_last_entry_with_sectors_that_never_came_to_the_disk_is_torn(
    start: int, end: int, is_torn: bool
) -> None:
    header = format_header({"format": 1, "title": "Ford"})
    raw = header + format_entry({"command": "x" * 2000}, 1)
    raw = raw[:start] + bytes(end - start) + raw[end:]
    if is_torn:
        assert parse_log(raw, "x").torn == raw[len(header) :].lstrip()
    else:
        with pytest.raises(Damaged):
            parse_log(raw, "x")

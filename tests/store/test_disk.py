"""Files that are there whole or not at all, on every system; and what the disk says about them."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from affray.store import disk, log_file
from affray.store.disk import keep_beside, publish, sync, sync_folder
from affray.store.log_file import LogFile, read_log

FULL_SYNC = 51


def failing(number: int) -> Callable[..., Any]:
    def fails(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    return fails


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The descriptors that were forced to the disk by fsync."""
    seen: list[int] = []
    monkeypatch.setattr(os, "fsync", seen.append)
    return seen


@pytest.fixture
def mac(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """macOS, as far as `sync` can see; what it asked of fcntl."""
    fcntl = pytest.importorskip("fcntl")
    asked: list[tuple[int, int]] = []
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(fcntl, "F_FULLFSYNC", FULL_SYNC, raising=False)
    monkeypatch.setattr(fcntl, "fcntl", lambda fd, what: asked.append((fd, what)))
    return asked


def test_on_a_mac_the_drive_itself_is_asked(mac: list[Any], synced: list[int]) -> None:
    sync(5)
    assert (mac, synced) == ([(5, FULL_SYNC)], [])


@pytest.mark.parametrize("number", [errno.ENOTSUP, errno.EINVAL])
def test_a_mac_that_can_not_do_that_does_what_it_can(
    number: int, mac: list[Any], synced: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules["fcntl"], "fcntl", failing(number))
    sync(5)
    assert synced == [5]


def test_a_mac_whose_disk_fails_is_not_asked_twice(
    mac: list[Any], synced: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules["fcntl"], "fcntl", failing(errno.EIO))
    with pytest.raises(OSError, match=os.strerror(errno.EIO)):
        sync(5)
    assert synced == []


def test_a_folder_is_synced_where_that_can_be(
    tmp_path: Path, synced: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    sync_folder(tmp_path)
    assert len(synced) == 1
    with pytest.raises(OSError):  # it was closed again
        os.fstat(synced[0])
    monkeypatch.setattr(sys, "platform", "win32")
    sync_folder(tmp_path / "not even there")
    assert len(synced) == 1


@pytest.mark.parametrize("number", [errno.EINVAL, errno.ENOTSUP])
def test_a_folder_that_can_not_be_synced_is_no_error(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", failing(number))
    sync_folder(tmp_path)


def test_a_folder_whose_disk_fails_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", failing(errno.EIO))
    with pytest.raises(OSError, match=os.strerror(errno.EIO)):
        sync_folder(tmp_path)


def test_a_name_that_is_taken_is_kept_where_there_are_no_links_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = tmp_path / "x.toml"
    taken.write_text("mine")
    monkeypatch.setattr(os, "link", failing(errno.EPERM))
    with pytest.raises(FileExistsError):
        publish(taken, b"theirs")
    assert [file.name for file in tmp_path.iterdir()] == ["x.toml"]
    assert taken.read_text() == "mine"


def test_a_draft_that_a_killed_process_left_is_in_nobodys_way(tmp_path: Path) -> None:
    (tmp_path / f".x.toml.{os.getpid()}.new").write_text("half")
    publish(tmp_path / "x.toml", b"whole")
    assert [file.name for file in tmp_path.iterdir()] == ["x.toml"]
    assert (tmp_path / "x.toml").read_bytes() == b"whole"


def test_what_is_kept_beside_takes_the_first_free_number(tmp_path: Path) -> None:
    log = tmp_path / "x.toml"
    kept = [keep_beside(log, b"%d" % n) for n in range(3)]
    assert [file.name for file in kept] == [f"x.toml.torn-{n}" for n in (1, 2, 3)]
    assert [file.read_bytes() for file in kept] == [b"0", b"1", b"2"]


def test_what_keeps_it_from_being_kept_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk, "write_new", failing(errno.ENOSPC))
    with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
        keep_beside(tmp_path / "x.toml", b"x")


# --- reading what somebody writes -----------------------------------------------------------------


@pytest.mark.parametrize(("times", "entries"), [(1, 4), (99, 5)])
def test_a_log_that_grows_while_it_is_read_is_read_again_but_not_for_ever(
    times: int,
    entries: int,
    log_path: Path,
    entry_bytes: Callable[..., bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real, looks = os.fstat, []

    def grown_meanwhile(fd: int) -> os.stat_result:
        looks.append(fd)
        if len(looks) % 2 == 0 and len(looks) // 2 <= times:
            with log_path.open("ab") as file:
                file.write(entry_bytes(3 + len(looks) // 2))
        return real(fd)

    with monkeypatch.context() as patch:
        patch.setattr(log_file.os, "fstat", grown_meanwhile)
        text = read_log(log_path)
    assert text.last_seq == entries


def test_what_an_editor_took_out_before_the_end_is_kept_beside(
    log_path: Path, body: Callable[[int], Any], entry_bytes: Callable[..., bytes]
) -> None:
    before = log_path.read_bytes()
    with LogFile.open(log_path) as log:
        log.append(body(4))
        log_path.write_bytes(before)
    assert (log_path.parent / "ford.toml.torn-1").read_bytes() == entry_bytes(4)
    assert log_path.read_bytes() == before

"""Files that are there whole or not at all, on every system; and what the disk says about them."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from affray.store import LogError, NotALog, filesystem, log_file
from affray.store.filesystem import (
    create_file,
    keep_beside,
    log_error_from,
    os_error_text,
    publish_atomically,
    replace_file,
    sync,
    sync_folder,
)
from affray.store.log_file import LogFile, read_log

FULL_SYNC = 51


def failing(number: int) -> Callable[..., Any]:
    def fails(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    return fails


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (FileNotFoundError(2, "No such file"), "there is no file a/x.toml"),
        (FileExistsError(17, "File exists"), "a/x.toml exists already; nothing was changed"),
        (IsADirectoryError(21, "Is a directory"), "a/x.toml is a folder, not a log"),
        (PermissionError(13, "Denied"), "a/x.toml: permission denied; nothing was changed"),
        (OSError(5, "Input/output error"), "'a/x.toml' can't be opened (Input/output error)"),
        (ValueError("embedded\nnull byte"), "'a/x.toml' can't be opened (embedded null byte)"),
        (RuntimeError("a loop of links"), "'a/x.toml' can't be opened (a loop of links)"),
    ],
)
def test_what_the_system_says_is_one_line_for_the_gm(error: Exception, said: str) -> None:
    with pytest.raises(LogError) as refusal, log_error_from(Path("a") / "x.toml"):
        raise error
    assert str(refusal.value) == said


def test_what_is_said_already_is_not_said_anew() -> None:
    with pytest.raises(NotALog, match=r"^so it is$"), log_error_from("x.toml"):
        raise NotALog("so it is")


def test_an_error_without_the_systems_words_has_its_own() -> None:
    assert os_error_text(OSError("no  words\nof a system")) == "no words of a system"
    assert os_error_text(OSError(errno.EIO, "Input/output error", "x")) == "Input/output error"


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


@pytest.mark.parametrize("number", [errno.ENOTSUP, errno.EINVAL, errno.ENOTTY])
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


@pytest.mark.parametrize("number", [errno.EINVAL, errno.ENOTSUP, errno.ENOTTY])
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
    taken.write_text("mine", "utf-8")
    monkeypatch.setattr(os, "link", failing(errno.EPERM))
    with pytest.raises(FileExistsError) as refusal:
        publish_atomically(taken, b"theirs")
    assert refusal.value.args == (errno.EEXIST, os.strerror(errno.EEXIST))
    assert [file.name for file in tmp_path.iterdir()] == ["x.toml"]
    assert taken.read_text("utf-8") == "mine"


def test_a_draft_that_a_killed_process_left_is_in_nobodys_way(tmp_path: Path) -> None:
    """Nor is it removed: whose it is, nobody can tell."""
    left = [tmp_path / f".x.toml.{os.getpid()}.new", tmp_path / ".x.toml.0a0b0c0d.new"]
    for path in left:
        path.write_text("half", "utf-8")
    publish_atomically(tmp_path / "x.toml", b"whole")
    assert sorted(tmp_path.iterdir()) == sorted([*left, tmp_path / "x.toml"])
    assert (tmp_path / "x.toml").read_bytes() == b"whole"


def test_nobody_takes_a_draft_for_a_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    link = os.link
    monkeypatch.setattr(os, "link", lambda a, b: seen.extend(tmp_path.iterdir()) or link(a, b))
    publish_atomically(tmp_path / "x.toml", b"whole")
    (draft,) = [file.name for file in seen]
    assert draft.startswith(".x.toml.") and draft.endswith(".new")


def test_all_of_a_new_file_is_there_when_it_is_forced_to_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = []
    monkeypatch.setattr(os, "fsync", lambda fd: sizes.append(os.fstat(fd).st_size))
    create_file(tmp_path / "x.toml", b"whole")
    assert sizes == [5]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such rights there")
def test_a_new_file_may_be_read_and_written_and_not_run(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        create_file(tmp_path / "x.toml", b"whole")
    finally:
        os.umask(before)
    assert (tmp_path / "x.toml").stat().st_mode & 0o777 == 0o666


@pytest.mark.parametrize("was", [b"one", None])
def test_what_somebody_else_wrote_meanwhile_is_not_replaced(
    was: bytes | None, tmp_path: Path
) -> None:
    path = tmp_path / "party.toml"
    path.write_bytes(b"theirs")
    with pytest.raises(FileExistsError):
        replace_file(path, was, b"ours")
    assert [file.read_bytes() for file in tmp_path.iterdir()] == [b"theirs"]
    replace_file(path, b"theirs", b"ours")
    assert [file.read_bytes() for file in tmp_path.iterdir()] == [b"ours"]


def test_what_is_kept_beside_takes_the_first_free_number(tmp_path: Path) -> None:
    log = tmp_path / "x.toml"
    kept = [keep_beside(log, b"%d" % n) for n in range(3)]
    assert [file.name for file in kept] == [f"x.toml.torn-{n}" for n in (1, 2, 3)]
    assert [file.read_bytes() for file in kept] == [b"0", b"1", b"2"]


def test_what_keeps_it_from_being_kept_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filesystem, "create_file", failing(errno.ENOSPC))
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


def test_a_log_that_nobody_writes_to_is_read_once(
    log_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, looks = os.fstat, []
    with monkeypatch.context() as patch:
        patch.setattr(log_file.os, "fstat", lambda fd: looks.append(fd) or real(fd))
        read_log(log_path)
    assert len(looks) == 2, "before and behind"


def test_what_an_editor_took_out_before_the_end_is_kept_beside(
    log_path: Path, body: Callable[[int], Any], entry_bytes: Callable[..., bytes]
) -> None:
    before = log_path.read_bytes()
    with LogFile.open(log_path) as log:
        log.append(body(4))
        log_path.write_bytes(before)
    kept = log_path.parent / "ford.toml.torn-1"
    assert kept.read_bytes().endswith(entry_bytes(4)) and read_log(kept).last_seq == 4
    assert log_path.read_bytes() == before


def test_what_was_not_written_whole_is_taken_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no full device here")
    create = os.open

    def full(path: Path, *how: int) -> int:
        return os.dup2(create("/dev/full", os.O_WRONLY), create(path, *how))

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", full)
        for _ in range(2):
            with pytest.raises(OSError, match="No space left"):
                keep_beside(tmp_path / "x.toml", b"torn")
    assert list(tmp_path.iterdir()) == []


def test_what_is_whole_stays_even_if_the_disk_does_not_say_that_it_is_safe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filesystem, "sync", failing(errno.EIO))
    with pytest.raises(OSError, match="Input/output"):
        keep_beside(tmp_path / "x.toml", b"torn")
    assert (tmp_path / "x.toml.torn-1").read_bytes() == b"torn"

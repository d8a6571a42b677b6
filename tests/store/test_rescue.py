"""What was saved, and others took out of the file or took away with it, is kept, and told."""

from __future__ import annotations

import errno
import gc
import os
import sys
import weakref
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from tests.store.ford import AT, beside, two_entries

from affray.cli import main
from affray.store.encounter import OpenEncounter
from affray.store.log_file import LogError, LogFile, NotSaved, read_log

GONE = "ford.toml is gone; all that it held is in ford.toml.torn-1"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A fight with two entries."""
    return two_entries(tmp_path)


def failing(*_: object) -> None:
    raise OSError(errno.EIO, os.strerror(errno.EIO))


def test_a_deleted_fight_is_kept_whole_when_the_next_command_finds_it_gone(path: Path) -> None:
    with OpenEncounter.open(path, now=lambda: AT) as fight:
        fight.do("undo")
        raw = path.read_bytes()
        path.unlink()
        with pytest.raises(NotSaved, match=rf"^the command was NOT saved: .*{GONE}$"):
            fight.do("redo")
        assert fight.read_only.endswith(GONE)
    assert [file.read_bytes() for file in beside(path)] == [raw]
    assert [line.endswith(GONE) for line in fight.kept] == [True]
    assert not path.exists()


def test_a_deleted_fight_is_kept_whole_on_closing(path: Path) -> None:
    with OpenEncounter.open(path, now=lambda: AT) as fight:
        fight.do("undo")
        raw = path.read_bytes()
        path.unlink()
    assert [file.read_bytes() for file in beside(path)] == [raw]
    assert [line.endswith(GONE) for line in fight.kept] == [True]


def test_a_fight_to_which_nothing_was_added_is_gone_when_it_is_deleted(path: Path) -> None:
    with OpenEncounter.open(path) as fight:
        path.unlink()
        with pytest.raises(NotSaved, match="No such file"):
            fight.do("undo")
    assert beside(path) == []
    assert fight.kept == ()


def test_what_was_edited_by_hand_is_kept_with_its_mark(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"by = -3", b"by = -4"))
    with OpenEncounter.open(path) as fight:
        fight.do("damage ghoul 1")
        path.unlink()
    kept = read_log(beside(path)[0])
    assert [block.edited for block in kept.blocks] == [False, True, False]
    with OpenEncounter.open(beside(path)[0]) as fight:
        assert fight.state["ghoul"].track("hp") == 13


def test_what_can_not_be_kept_is_tried_once_more_on_closing(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with OpenEncounter.open(path) as fight:
        fight.do("undo")
        raw = path.read_bytes()
        path.unlink()
        monkeypatch.setattr("affray.store.disk.sync", failing)
        with pytest.raises(NotSaved, match=r"ford.toml is gone, and can't be kept \(Input"):
            fight.do("redo")
        monkeypatch.undo()
    assert len(fight.kept) == 2
    assert "is in ford.toml.torn-2" in fight.kept[1]
    assert beside(path)[1].read_bytes() == raw


def test_a_head_that_can_not_be_written_again_is_told(path: Path) -> None:
    raw = path.read_bytes()
    path.write_bytes(b"day = 2026-11-20\n" + raw)
    with OpenEncounter.open(path) as fight:
        assert fight.history.last == 2
        fight.do("undo")
        path.unlink()
    assert len(fight.kept) == 1
    assert "can't be kept (a log can't hold a value of type date)" in fight.kept[0]


def test_a_log_without_a_fight_keeps_what_was_saved_through_it(log_path: Path, body: Any) -> None:
    with LogFile.open(log_path) as log:
        log.append(body(4))
        log_path.unlink()
    kept = read_log(beside(log_path)[0])
    assert [block.seq for block in kept.blocks] == [4]
    assert kept.header["title"] == "Ambush"


def test_an_older_text_found_on_closing_is_told(path: Path) -> None:
    older = path.read_bytes()
    with OpenEncounter.open(path) as fight:
        fight.do("undo")
        path.write_bytes(older)
    said = "entry 3, removed by another program's save, was kept in ford.toml.torn-1"
    assert fight.kept == (said,)
    with OpenEncounter.open(beside(path)[0]) as kept:
        assert kept.history.last == 3 and kept.notes == (), "the whole fight, to be played on"
        assert kept.state["ghoul"].track("hp") == 18, "as it was taken back"


def test_entries_are_kept_beside_a_head_that_affray_can_not_write(path: Path) -> None:
    older = path.read_bytes().replace(b"\n", b"\nmood = 19:30:00\n", 1)
    path.write_bytes(older)
    with OpenEncounter.open(path) as fight:
        fight.do("undo")
        path.write_bytes(older)
    assert b'command = "undo 1"' in beside(path)[0].read_bytes()


def test_an_older_text_that_may_not_be_written_is_no_reason_to_lose_anything(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    older = path.read_bytes()

    def forbidden(_: LogFile) -> None:
        raise LogError("ford.toml may not be written (Permission denied)")

    with OpenEncounter.open(path) as fight:
        fight.do("undo")
        path.write_bytes(older)
        monkeypatch.setattr(LogFile, "_check_writable", forbidden)
        with pytest.raises(LogError, match=r"may not be written .*entry 3, removed by"):
            fight.do("redo")
    assert b'command = "undo 1"' in beside(path)[0].read_bytes()


def test_what_goes_with_its_folder_is_told_once(path: Path) -> None:
    with OpenEncounter.open(path) as fight:
        fight.do("undo")
        for file in path.parent.iterdir():
            file.unlink()
        path.parent.rmdir()
        with pytest.raises(NotSaved):
            fight.do("redo")
    assert len(fight.kept) == 1


def test_a_folder_in_its_place_is_as_good_as_gone(path: Path) -> None:
    with OpenEncounter.open(path) as fight:
        fight.do("undo")
        path.unlink()
        path.mkdir()
    assert fight.kept == (GONE,)


def test_what_is_kept_of_a_file_that_is_no_log_any_more_is_told(path: Path) -> None:
    with OpenEncounter.open(path) as fight:
        fight.do("undo")
        path.write_bytes(b"Dear diary")
    said = "entry 3, removed by another program's save, was kept in ford.toml.torn-1"
    assert fight.kept == (said,)
    assert b'command = "undo 1"' in beside(path)[0].read_bytes()


def test_a_file_that_can_not_be_looked_at_on_closing_is_told(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with OpenEncounter.open(path) as fight:
        fight.do("undo")
        monkeypatch.setattr(os, "stat", failing)
        fight.close()
        monkeypatch.undo()
    assert len(fight.kept) == 1
    assert "ford.toml can't be looked at any more (Input/output error)" in fight.kept[0]


def test_a_fight_that_was_closed_is_given_back_at_once(path: Path) -> None:
    gc.disable()
    try:
        fight = OpenEncounter.open(path)
        fight.close()
        gone = weakref.ref(fight)
        del fight
        assert gone() is None
    finally:
        gc.enable()


def test_nothing_is_told_of_a_file_that_stayed_as_it_was(path: Path) -> None:
    with OpenEncounter.open(path) as fight:
        fight.do("undo")
    assert fight.kept == ()
    assert OpenEncounter.view(path).kept == ()


class TakenAway(StringIO):
    """Standard input that deletes the file before its second line."""

    def __init__(self, path: Path) -> None:
        super().__init__("note one\nnote two\n")
        self.path = path

    def __next__(self) -> str:
        if self.tell():
            self.path.unlink()
        return super().__next__()


def test_do_tells_once_that_the_file_is_gone_and_where_it_is_kept(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", TakenAway(path))
    assert main(["do", str(path)]) == 2
    told = capsys.readouterr()
    assert told.out == "Note: one\n"
    assert told.err.count("\n") == 1
    assert told.err.endswith(f"{GONE}\n")
    assert read_log(beside(path)[0]).last_seq == 3


class SavedOver(StringIO):
    """Standard input that saves an older text over the file before its second line and its end."""

    def __init__(self, path: Path) -> None:
        super().__init__("note one\nnote two\n")
        self.path, self.older = path, path.read_bytes()

    def __next__(self) -> str:
        if self.tell():
            self.path.write_bytes(self.older + b"\n" * self.tell())
        return super().__next__()


def test_do_tells_on_standard_error_what_was_removed_meanwhile(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", SavedOver(path))
    assert main(["do", str(path)]) == 0
    told = capsys.readouterr()
    assert told.out == "Note: one\nNote: two\n"
    said = "affray: entry 3, removed by another program's save, was kept in ford.toml.torn-"
    assert told.err == f"{said}1\n{said}2\n"

"""What was saved, and others took out of the file or took away with it, is kept, and told."""

from __future__ import annotations

import errno
import gc
import os
import sys
import weakref
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from tests.store.ford import AT, beside, hp, sequence, two_entries

from affray.cli import main
from affray.core.parser.errors import Refused
from affray.store import LogError, SaveFailed, filesystem, log_file
from affray.store.log_file import LogFile, read_log
from affray.store.open_encounter import OpenEncounter

GONE = "ford.toml is gone; all its content is in ford.toml.torn-1"


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
        with pytest.raises(SaveFailed, match=rf"^the command was NOT saved: .*{GONE}$"):
            fight.do("redo")
        assert fight.read_only.endswith(GONE)
    assert [file.read_bytes() for file in beside(path)] == [raw]
    assert [line.endswith(GONE) for line in fight.foreign_edit_notes] == [True]
    assert not path.exists()


def test_a_deleted_fight_is_kept_whole_on_closing(path: Path) -> None:
    with OpenEncounter.open(path, now=lambda: AT) as fight:
        fight.do("undo")
        raw = path.read_bytes()
        path.unlink()
    assert [file.read_bytes() for file in beside(path)] == [raw]
    assert [line.endswith(GONE) for line in fight.foreign_edit_notes] == [True]


def test_a_fight_that_was_deleted_before_its_first_command_is_kept_at_that(path: Path) -> None:
    raw = path.read_bytes()
    with OpenEncounter.open(path) as fight:
        path.unlink()
        with pytest.raises(SaveFailed, match=GONE):
            fight.do("undo")
    assert [file.read_bytes() for file in beside(path)] == [raw]
    assert fight.foreign_edit_notes == (GONE,)


def test_a_fight_that_was_only_looked_through_may_be_deleted(path: Path) -> None:
    with OpenEncounter.open(path) as fight:
        path.unlink()
    assert beside(path) == []
    assert fight.foreign_edit_notes == ()


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
        monkeypatch.setattr("affray.store.filesystem.sync", failing)
        with pytest.raises(SaveFailed, match=r"ford.toml is gone, and can't be kept \(Input"):
            fight.do("redo")
        monkeypatch.undo()
    assert len(fight.foreign_edit_notes) == 2
    assert "is in ford.toml.torn-2" in fight.foreign_edit_notes[1]
    assert beside(path)[1].read_bytes() == raw


def test_what_a_hand_wrote_into_the_head_costs_no_entry(path: Path) -> None:
    raw = path.read_bytes()
    path.write_bytes(b"day = 2026-11-20\n" + raw)
    with OpenEncounter.open(path) as fight:
        assert fight.history.last == 2
        fight.do("undo")
        path.unlink()
    assert fight.foreign_edit_notes == (GONE,)
    assert sequence(beside(path)[0]) == [1, 2, 3]


def test_what_a_hand_wrote_into_an_entry_is_told_where_it_can_not_be_kept(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"cr = 0", b"cr = 0, born = 99999999999999999999"))
    assert b"born" in path.read_bytes()
    with OpenEncounter.open(path) as fight:
        fight.do("undo")
        path.unlink()
    said = "except what was there before it was opened (a log's integers have at most 64 bits)"
    assert fight.foreign_edit_notes == (f"{GONE}, {said}",)
    assert b'command = "undo 1"' in beside(path)[0].read_bytes()


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
    said = "entry 3, removed when another program saved, was kept in ford.toml.torn-1"
    assert fight.foreign_edit_notes == (said,)
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

    def forbidden(*_: object) -> None:
        raise LogError("ford.toml can't be written (Permission denied)")

    with OpenEncounter.open(path) as fight:
        fight.do("undo")
        path.write_bytes(older)
        monkeypatch.setattr(log_file, "check_writable", forbidden)
        with pytest.raises(LogError, match=r"can't be written .*entry 3, removed when"):
            fight.do("redo")
    assert b'command = "undo 1"' in beside(path)[0].read_bytes()


def test_what_goes_with_its_folder_is_told_once(path: Path) -> None:
    with OpenEncounter.open(path) as fight:
        fight.do("undo")
        for file in path.parent.iterdir():
            file.unlink()
        path.parent.rmdir()
        with pytest.raises(SaveFailed):
            fight.do("redo")
    assert len(fight.foreign_edit_notes) == 1


def test_a_folder_in_its_place_is_as_good_as_gone(path: Path) -> None:
    with OpenEncounter.open(path) as fight:
        fight.do("undo")
        path.unlink()
        path.mkdir()
    assert fight.foreign_edit_notes == (GONE,)


def test_what_is_kept_of_a_file_that_is_no_log_any_more_is_told(path: Path) -> None:
    with OpenEncounter.open(path) as fight:
        fight.do("undo")
        path.write_bytes(b"Dear diary")
    said = "entries 1 to 3, removed when another program saved, were kept in ford.toml.torn-1"
    assert fight.foreign_edit_notes == (said,)
    assert b'command = "undo 1"' in beside(path)[0].read_bytes()


def test_a_file_that_can_not_be_looked_at_on_closing_is_told(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with OpenEncounter.open(path) as fight:
        fight.do("undo")
        monkeypatch.setattr(os, "stat", failing)
        fight.close()
        monkeypatch.undo()
    assert len(fight.foreign_edit_notes) == 1
    assert "ford.toml can no longer be read (Input/output error)" in fight.foreign_edit_notes[0]


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
    assert fight.foreign_edit_notes == ()
    assert OpenEncounter.view(path).foreign_edit_notes == ()


# --- put over a fight that is open, or into its place ---------------------------------------------


def put(path: Path, content: bytes) -> None:
    """As who syncs or restores does: another file is moved into the place of this one."""
    other = path.with_name("other.toml")
    other.write_bytes(content)
    other.replace(path)


@pytest.fixture
def longer(path: Path) -> tuple[Path, bytes]:
    """A fight of four entries, and an older copy with two of them."""
    older = path.read_bytes()
    with OpenEncounter.open(path) as fight:
        fight.do("damage ghoul 4")
        fight.do("note third")
    return path, older


def test_an_older_copy_put_over_an_opened_fight_is_noticed_at_the_first_command(
    longer: tuple[Path, bytes],
) -> None:
    path, older = longer
    raw = path.read_bytes()
    with OpenEncounter.open(path) as fight:
        put(path, older)
        assert fight.do("note fourth").seq == 3
        said = "entries 3 to 4, removed when another program saved, were kept in ford.toml.torn-1"
        assert fight.foreign_edit_notes == (said,) and said in fight.notes
        assert hp(fight) == 15
    assert [file.read_bytes() for file in beside(path)] == [raw], "and all of it is kept"


def test_an_older_copy_is_noticed_however_often_it_comes(longer: tuple[Path, bytes]) -> None:
    path, older = longer
    with OpenEncounter.open(path) as fight:
        for number in range(3):
            fight.do(f"note {number}")
            put(path, older)
        fight.do("note last")
    assert [sequence(file)[-1] for file in beside(path)] == [5, 3, 3]
    assert len(fight.foreign_edit_notes) == 3


def test_another_whole_fight_in_its_place_is_noticed_and_asked_about(tmp_path: Path) -> None:
    path, other = two_entries(tmp_path), tmp_path / "cellar.toml"
    with OpenEncounter.create(other, "orcus", "The Cellar", now=lambda: AT) as fight:
        for number in range(5):
            fight.do(f"note {number}")
    raw = path.read_bytes()
    with OpenEncounter.open(path) as fight:
        put(path, other.read_bytes())
        with pytest.raises(Refused) as refusal:
            fight.do("note two")
        there = "saved another fight in its place: The Cellar"
        assert str(refusal.value) == f"not done: another program {there}"
        said = "entries 1 to 2, removed when another program saved, were kept in ford.toml.torn-1"
        assert fight.foreign_edit_notes == (said,)
        assert fight.history.last == 5 and fight.ruleset.id == "orcus"
    assert beside(path)[0].read_bytes() == raw


def test_an_edit_by_hand_keeps_nothing_beside_it(longer: tuple[Path, bytes]) -> None:
    path, _ = longer
    with OpenEncounter.open(path) as fight:
        put(path, path.read_bytes().replace(b"by = -4", b"by = -9"))
        fight.do("note fourth")
        assert hp(fight) == 6
        put(path, path.read_bytes().replace(b"by = -9", b"by = -8"))
        fight.do("note fifth")
        assert hp(fight) == 7
    assert beside(path) == [] and fight.foreign_edit_notes == ()


def linked_to_itself(path: Path) -> None:
    path.symlink_to(path)


def to_nothing(path: Path) -> None:
    path.symlink_to("/dev/null")


def as_a_pipe(path: Path) -> None:
    os.mkfifo(path)


def as_a_folder(path: Path) -> None:
    path.mkdir()


@pytest.mark.skipif(sys.platform == "win32", reason="needs links and pipes")
@pytest.mark.parametrize("becomes", [linked_to_itself, to_nothing, as_a_pipe, as_a_folder])
def test_what_was_saved_is_kept_when_something_unreadable_takes_its_place(
    becomes: Callable[[Path], None], path: Path
) -> None:
    with OpenEncounter.open(path, now=lambda: AT) as fight:
        fight.do("note N1")
        raw = path.read_bytes()
        path.unlink()
        becomes(path)
        with pytest.raises(SaveFailed, match=r"all its content is in ford\.toml\.torn-1$"):
            fight.do("note N2")
        assert fight.read_only.endswith("all its content is in ford.toml.torn-1")
    assert [file.read_bytes() for file in beside(path)] == [raw]
    assert len(fight.foreign_edit_notes) == 1


def test_what_was_saved_is_kept_when_nobody_may_read_what_took_its_place(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = log_file._opened

    def denied(name: Any, flags: int) -> int:
        if Path(name).read_bytes() == b"another's":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return opened(name, flags)

    monkeypatch.setattr(log_file, "_opened", denied)
    with OpenEncounter.open(path, now=lambda: AT) as fight:
        fight.do("note N1")
        raw = path.read_bytes()
        put(path, b"another's")
        said = r"can no longer be read \(Permission denied\); all its content is in ford"
        with pytest.raises(SaveFailed, match=said):
            fight.do("note N2")
    assert [file.read_bytes() for file in beside(path)] == [raw]
    assert path.read_bytes() == b"another's"


def test_what_took_its_place_while_it_was_read_again_costs_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reread = LogFile.reread

    def gone_by_then(log: LogFile) -> Any:
        path.unlink()
        return reread(log)

    with OpenEncounter.open(path, now=lambda: AT) as fight:
        fight.do("note N1")
        raw = path.read_bytes()
        put(path, raw)
        monkeypatch.setattr(LogFile, "reread", gone_by_then)
        with pytest.raises(LogError, match=GONE):
            fight.do("note N2")
    assert [file.read_bytes() for file in beside(path)] == [raw]


def test_a_copy_that_can_only_be_read_is_compared_too(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    older, opened = path.read_bytes(), log_file._opened

    def read_only(name: Any, flags: int) -> int:
        if flags & os.O_APPEND and Path(name).read_bytes() == older:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return opened(name, flags)

    with OpenEncounter.open(path, now=lambda: AT) as fight:
        fight.do("note N1")
        raw = path.read_bytes()
        put(path, older)
        monkeypatch.setattr(log_file, "_opened", read_only)
        with pytest.raises(SaveFailed, match=r"entry 3, removed when .* was kept in ford"):
            fight.do("note N2")
    assert [file.read_bytes() for file in beside(path)] == [raw]


def test_the_copy_is_not_made_twice_and_told_when_it_can_not_be_made(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    older = path.read_bytes()
    with OpenEncounter.open(path) as fight:
        fight.do("undo")
        put(path, older)
        monkeypatch.setattr(filesystem, "sync", failing)
        fight.close()
    said = "entry 3, removed when another program saved, was not kept (Input/output error)"
    assert fight.foreign_edit_notes == (said,)


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
    said = "affray: entry 3, removed when another program saved, was kept in ford.toml.torn-"
    assert told.err == f"{said}1\n{said}2\n"

"""Saving to a log: what others save to it meanwhile, what the disk refuses, and who is killed."""

import errno
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import tomli
from tests.store.ford import beside, sequence

import affray
from affray.store import LogError, SaveFailed, StaleLog, log_file
from affray.store.entry_toml import format_entry
from affray.store.log_file import LogFile, read_log
from affray.store.log_recovery import Damaged

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals and limits")
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(affray.__file__).parents[1])}


def _fails(number):
    def fail(*_):
        raise OSError(number, os.strerror(number))

    return fail


@pytest.mark.parametrize("end", [b"", b"\n# the bridge is wet"])
def test_a_last_line_without_an_end_does_not_swallow_the_next_entry(log_path, body, end):
    before = log_path.read_bytes().rstrip(b"\n") + end
    log_path.write_bytes(before)
    with LogFile.open(log_path) as log:
        log.append(body(4))
        log.append(body(5))
    added = format_entry(body(4), 4) + format_entry(body(5), 5)
    assert log_path.read_bytes() == before + b"\n" + added, "behind an empty line each"
    text = read_log(log_path)
    assert [block.seq for block in text.blocks] == [1, 2, 3, 4, 5]
    assert [block.edited for block in text.blocks] == [False, False, bool(end), False, False]


def test_an_editors_save_by_rename_is_noticed_and_nothing_is_lost(log_path, body):
    with LogFile.open(log_path) as log:
        log.append(body(4))
        draft = log_path.with_name("draft")
        draft.write_bytes(log_path.read_bytes().replace(b"ghoul-2", b"ghoul-9"))
        draft.replace(log_path)
        with pytest.raises(StaleLog) as refusal:
            log.append(body(5))
        assert str(refusal.value) == (
            f"{log_path} was saved by another program meanwhile: "
            "the command was NOT saved, and the log must be read again first"
        )
        text = log.reread()
        assert [block.edited for block in text.blocks] == [False, True, False, False]
        assert log.append(body(5)) == 5
    assert len(read_log(log_path).blocks) == 5


def test_an_editors_save_in_place_is_noticed(log_path, body):
    with LogFile.open(log_path) as log:
        log_path.write_bytes(log_path.read_bytes() + b"# note\n")
        with pytest.raises(StaleLog):
            log.append(body(4))
        log.reread()
        assert log.append(body(4)) == 4


def test_an_entry_that_an_older_text_was_saved_over_is_kept_beside(log_path, body):
    older = log_path.read_bytes()
    with LogFile.open(log_path) as log:
        log.append(body(4))
        log.append(body(5))
        log_path.write_bytes(older + b"# mine\n")
        text = log.reread()
        kept = f"were kept in {beside(log_path)[0].name}"
        assert text.notes[-1] == f"entries 4 to 5, removed when another program saved, {kept}"
        assert log.append(body(6)) == 4
    kept = tomli.loads(beside(log_path)[0].read_text("utf-8"))["entry"]
    assert [entry["events"] for entry in kept] == [body(4)["events"], body(5)["events"]]


@pytest.mark.parametrize(("count", "named"), [(5, "entries 4 to 8,"), (1, "entry 4,")])
def test_many_entries_that_were_saved_over_are_named_together(log_path, body, count, named):
    older = log_path.read_bytes()
    with LogFile.open(log_path) as log:
        for number in range(count):
            log.append(body(number))
        log_path.write_bytes(older)
        assert log.reread().notes[-1].startswith(f"{named} removed when another")
    assert len(tomli.loads(beside(log_path)[0].read_text("utf-8"))["entry"]) == count


@pytest.mark.parametrize(
    ("new", "notes"), [(b"4", ()), (b"9", ("edited by hand since saved: entry 4 (line 40)",))]
)
def test_an_entry_that_is_still_there_is_not_kept_beside_edited_or_not(log_path, body, new, notes):
    with LogFile.open(log_path) as log:
        log.append(body(4))
        raw = log_path.read_bytes().replace(b"strike ghoul-4", b"strike ghoul-" + new)
        log_path.write_bytes(b"# ours\n" + raw)
        assert log.reread().notes == notes
    assert beside(log_path) == []


def test_a_torn_end_and_an_edit_are_both_told(log_path):
    log_path.write_bytes(log_path.read_bytes().replace(b"by = 1 ", b"by = 2 ", 1)[:-9])
    with LogFile.open(log_path) as log:
        edited, moved = log.text.notes
    assert edited == "edited by hand since saved: entry 1 (line 6)"
    assert moved.endswith("at the end was moved to ford.toml.torn-1")


def test_no_file_stays_open(log_path, body):
    def free() -> list[int]:
        """The numbers that the next files would have."""
        numbers = [os.dup(0) for _ in range(9)]
        for number in numbers:
            os.close(number)
        return numbers

    before = free()
    with LogFile.open(log_path) as log:
        held = free()
        for number in range(3):
            log.append(body(number))
        log_path.write_bytes(log_path.read_bytes() + b"# mine\n")
        with pytest.raises(StaleLog):
            log.append(body(9))
        log.reread()
        assert free() == held
    log_path.write_bytes(log_path.read_bytes()[:-30])
    LogFile.open(log_path).close()
    read_log(log_path)
    assert free() == before


def test_what_is_kept_beside_is_kept_once(log_path, body):
    older = log_path.read_bytes()
    with LogFile.open(log_path) as log:
        log.append(body(4))
        for _ in range(2):
            log_path.write_bytes(older)
            log.reread()
    assert len(beside(log_path)) == 1


def test_an_older_text_that_is_also_broken_costs_no_entry_either(log_path, body):
    older = log_path.read_bytes()
    with LogFile.open(log_path) as log:
        log.append(body(4))
        log_path.write_bytes(older.replace(b"by = 1 ", b"by = ? ", 1))
        with pytest.raises(
            Damaged, match=r"; entries 1, 4, removed when .* were kept in ford\.toml\.torn-1$"
        ):
            log.reread()
        with pytest.raises(StaleLog):
            log.append(body(5))


def test_a_save_by_rename_during_the_write_is_not_acknowledged(log_path, body, monkeypatch):
    real = os.fsync
    with LogFile.open(log_path) as log:

        def rename_first(fd):
            draft = log_path.with_name("draft")
            draft.write_bytes(b"format = 1\n")
            draft.replace(log_path)
            real(fd)

        monkeypatch.setattr(os, "fsync", rename_first)
        with pytest.raises(StaleLog, match="NOT saved"):
            log.append(body(4))
        monkeypatch.undo()
        assert log.reread().blocks == []
        assert log.append(body(4)) == 1


def test_bytes_that_came_in_during_the_write_are_noticed_before_the_next(
    log_path, body, monkeypatch
):
    real = os.fsync
    with LogFile.open(log_path) as log:

        def edit_first(fd):
            with log_path.open("ab") as file:
                file.write(b"# note\n")
            real(fd)

        monkeypatch.setattr(os, "fsync", edit_first)
        assert log.append(body(4)) == 4
        monkeypatch.undo()
        with pytest.raises(StaleLog):
            log.append(body(5))
        assert log.reread().last_seq == 4


def test_a_tail_that_is_still_being_written_is_not_cut_off(log_path, body, monkeypatch):
    log_path.write_bytes(log_path.read_bytes() + b"\n[[entry]]\ncommand = ")
    real = os.fsync

    def edit_first(fd):
        with log_path.open("ab") as file:
            file.write(b"'more'\n")
        monkeypatch.setattr(os, "fsync", real)

    monkeypatch.setattr(os, "fsync", edit_first)
    with pytest.raises(StaleLog) as refusal:
        LogFile.open(log_path)
    said = f"{log_path} was saved by another program meanwhile: read it again"
    assert str(refusal.value) == said
    assert log_path.read_bytes().endswith(b"command = 'more'\n")


def test_a_log_can_be_closed_by_another_thread(log_path):
    log = LogFile.open(log_path)
    closing = threading.Thread(target=log.close)
    closing.start()
    closing.join()
    LogFile.open(log_path).close()


def test_a_deleted_log_is_a_clear_message_and_no_new_file(log_path, body):
    with LogFile.open(log_path) as log:
        log_path.unlink()
        with pytest.raises(SaveFailed, match=r"NOT saved: .* read-only .*No such file"):
            log.append(body(4))
        assert not log_path.exists()
        with pytest.raises(LogError, match="there is no file"):
            log.reread()


@pytest.mark.parametrize("call", ["write", "fsync", "open"])
def test_after_a_failed_save_the_log_is_read_only_and_nothing_is_tried_twice(
    log_path, body, monkeypatch, call
):
    before = log_path.read_bytes()
    with LogFile.open(log_path) as log:
        calls = []
        monkeypatch.setattr(os, call, lambda *a: calls.append(a) or _fails(errno.EIO)())
        for _ in range(2):
            with pytest.raises(SaveFailed) as refusal:
                log.append(body(4))
            assert str(refusal.value) == (
                f"the command was NOT saved: {log_path} is read-only from here on "
                f"({os.strerror(errno.EIO)})"
            )
        monkeypatch.undo()
        assert len(calls) == 1
        assert log.failure and log.failed_by == os.strerror(errno.EIO)
        assert log.last_seq == 3
        assert log_path.read_bytes() == before
        with pytest.raises(SaveFailed):
            log.append(body(4))
    with LogFile.open(log_path) as log:
        assert log.append(body(4)) == 4


def test_a_short_write_is_cut_off_again_or_left_to_recovery(log_path, body, monkeypatch):
    before = log_path.read_bytes()
    real = os.write
    for cut_fails in (False, True):
        with LogFile.open(log_path) as log, monkeypatch.context() as patch:
            patch.setattr(os, "write", lambda fd, data: real(fd, data[:50]))
            if cut_fails:
                patch.setattr(os, "ftruncate", _fails(errno.EIO))
            with pytest.raises(SaveFailed) as refusal:
                log.append(body(4))
            size = len(format_entry(body(4), 4))
            said = f"(only 50 of {size} bytes could be written)"
            assert str(refusal.value).endswith(said)
        assert len(log_path.read_bytes()) == len(before) + 50 * cut_fails
    with LogFile.open(log_path) as log:
        assert "moved to ford.toml.torn-1" in log.text.notes[0]
        assert log_path.read_bytes() == before


def test_what_cannot_be_written_as_toml_is_refused_and_the_log_goes_on(log_path, body):
    with LogFile.open(log_path) as log:
        with pytest.raises(SaveFailed) as refusal:
            log.append({"command": "note \udcff"})
        said = "the text holds a lone surrogate (U+DCFF), which no UTF-8 file can hold"
        assert str(refusal.value) == f"the command was NOT saved: {said}"
        assert log.failure is None
        assert log.append(body(4)) == 4


def test_a_closed_log_takes_nothing(log_path, body):
    log = LogFile.open(log_path)
    log.close()
    log.close()
    with pytest.raises(SaveFailed) as refusal:
        log.append(body(4))
    assert str(refusal.value) == f"the command was NOT saved: {log_path} is closed"


def test_the_file_and_its_folder_are_synced_before_a_log_is_there(tmp_path, monkeypatch, body):
    synced = []
    real = os.fsync
    monkeypatch.setattr(os, "fsync", lambda fd: synced.append(os.fstat(fd).st_ino) or real(fd))
    path = tmp_path / "ford.toml"
    with LogFile.create(path, {}) as log:
        assert synced == [path.stat().st_ino, tmp_path.stat().st_ino]
        log.append(body(1))
        assert synced[2:] == [path.stat().st_ino]
    synced.clear()
    path.write_bytes(path.read_bytes()[:-9])
    LogFile.open(path).close()
    torn = beside(path)[0].stat().st_ino
    assert synced == [torn, tmp_path.stat().st_ino, path.stat().st_ino]


WRITER = """
import sys
from affray.store.log_file import LogFile
with LogFile.open(sys.argv[1]) as log:
    while True:
        print(log.append({"command": "note", "text": "x" * 3000}), flush=True)
"""


@POSIX
def test_a_killed_writer_loses_no_acknowledged_entry(log_path):
    acknowledged = 3
    for number in range(15):
        command = [sys.executable, "-c", WRITER, str(log_path)]
        with subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.PIPE) as writer:
            first = [writer.stdout.readline() for _ in range(1 + number)]
            writer.send_signal(signal.SIGKILL)
            told = (b"".join(first) + writer.stdout.read()).split(b"\n")[:-1]
        assert int(told[0]) > acknowledged
        acknowledged = int(told[-1])
        with LogFile.open(log_path) as log:
            assert log.last_seq in (acknowledged, acknowledged + 1)
            assert [block.seq for block in log.text.blocks] == list(range(1, log.last_seq + 1))
            assert not any(block.edited for block in log.text.blocks)


FULL_DISK = """
import os, resource, sys
from affray.store import SaveFailed
from affray.store.log_file import LogFile
limit = os.path.getsize(sys.argv[1]) + 2500
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
with LogFile.open(sys.argv[1]) as log:
    try:
        while True:
            print(log.append({"command": "note", "text": "x" * 400}), flush=True)
    except SaveFailed as error:
        print(error)
"""


@POSIX
def test_a_full_disk_is_a_clear_message_and_costs_no_entry(log_path, body):
    command = [sys.executable, "-c", FULL_DISK, str(log_path)]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=True)
    *saved, message = done.stdout.splitlines()
    assert "the command was NOT saved" in message
    assert [int(seq) for seq in saved] == list(range(4, 4 + len(saved)))
    assert sequence(log_path) == list(range(1, 4 + len(saved)))
    with LogFile.open(log_path) as log:
        assert log.append(body(1)) == 4 + len(saved)


def test_a_disk_that_fails_is_not_called_a_file_that_may_not_be_written(log_path, monkeypatch):
    opened = log_file._opened

    def fails_to_write(path, flags):
        if flags & os.O_APPEND:
            _fails(errno.EIO)()
        return opened(path, flags)

    monkeypatch.setattr(log_file, "_opened", fails_to_write)
    with pytest.raises(LogError) as found:
        LogFile.open(log_path)
    assert "Input/output error" in str(found.value)
    assert "can't be written" not in str(found.value)

import errno
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
import tomli

import affray
from affray.store.log_file import (
    Changed,
    Damaged,
    InUse,
    LogError,
    LogFile,
    NotALog,
    NotSaved,
    read_log,
)

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals and limits")
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(affray.__file__).parents[1])}


def sequence(path: Path) -> list[int]:
    text = read_log(path)
    assert not text.notes
    return [block.seq for block in text.blocks]


def beside(path: Path) -> list[Path]:
    return sorted(path.parent.glob(f"{path.name}.torn-*"))


def test_a_new_log_is_created_appended_to_and_read_back(tmp_path, body):
    path = tmp_path / "ford.toml"
    with LogFile.create(path, {"title": "Ford", "ruleset": "orcus"}) as log:
        assert [log.append(body(n)) for n in range(3)] == [1, 2, 3]
        assert sequence(path) == [1, 2, 3]
    with LogFile.open(path) as log:
        assert log.append(body(9)) == 4
    text = read_log(path)
    assert text.header.pop("sum")
    assert text.header == {"format": 1, "title": "Ford", "ruleset": "orcus"}
    assert [block.data for block in text.blocks] == [body(n) for n in (0, 1, 2, 9)]
    assert {child.name for child in tmp_path.iterdir()} == {"ford.toml", "ford.toml.lock"}


def test_create_never_replaces_what_is_there(log_path, tmp_path):
    before = log_path.read_bytes()
    for taken in (log_path, tmp_path):
        with pytest.raises(LogError, match="exists already"):
            LogFile.create(taken, {})
    assert log_path.read_bytes() == before
    assert not Path(f"{log_path}.lock").exists()


def test_create_loses_a_race_for_the_name_without_harm(tmp_path, monkeypatch):
    path = tmp_path / "ford.toml"
    link = os.link

    def rival_first(source, target):
        path.write_bytes(b"theirs")
        link(source, target)

    monkeypatch.setattr(os, "link", rival_first)
    with pytest.raises(LogError, match="exists already"):
        LogFile.create(path, {})
    assert path.read_bytes() == b"theirs"
    assert {child.name for child in tmp_path.iterdir()} == {"ford.toml", "ford.toml.lock"}


def test_create_works_where_there_are_no_links(tmp_path, monkeypatch):
    def refused(source, target):
        raise PermissionError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", refused)
    with LogFile.create(tmp_path / "a.toml", {}) as log:
        assert log.append({"command": "next"}) == 1


def test_create_says_that_the_folder_is_missing(tmp_path):
    with pytest.raises(LogError, match="there is no folder"):
        LogFile.create(tmp_path / "nowhere" / "a.toml", {})


@pytest.mark.parametrize("act", [read_log, LogFile.open])
def test_what_cannot_be_opened_is_named_in_one_line(act, tmp_path, monkeypatch):
    missing, pipe, other = tmp_path / "missing.toml", tmp_path / "pipe", tmp_path / "other.toml"
    other.write_text("[project]\n")
    with pytest.raises(LogError, match=r"there is no file .*missing\.toml"):
        act(missing)
    assert list(tmp_path.iterdir()) == [other]
    with pytest.raises(LogError, match="is a folder"):
        act(tmp_path)
    with pytest.raises(LogError, match="can't be opened"):
        act("nul\0byte")
    with pytest.raises(NotALog, match="no `format`"):
        act(other)
    if hasattr(os, "mkfifo"):
        os.mkfifo(pipe)
        with pytest.raises(LogError, match="not a plain file"):
            act(pipe)

    def denied(*_):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os, "open", denied)
    with pytest.raises(LogError, match="permission denied"):
        act(other)


@pytest.mark.parametrize("number", [errno.EACCES, errno.EROFS])
def test_a_file_that_may_not_be_written_is_refused_at_once(log_path, monkeypatch, number):
    real = os.open

    def read_only(path, flags, *rest):
        if flags & os.O_WRONLY and not str(path).endswith(".lock"):
            raise OSError(number, os.strerror(number))
        return real(path, flags, *rest)

    monkeypatch.setattr(os, "open", read_only)
    with pytest.raises(LogError, match="may not be written"):
        LogFile.open(log_path)
    assert sequence(log_path) == [1, 2, 3]


def test_a_folder_that_takes_no_lock_is_refused_in_words(log_path):
    Path(f"{log_path}.lock").mkdir()
    with pytest.raises(LogError, match="can't be locked"):
        LogFile.open(log_path)
    assert sequence(log_path) == [1, 2, 3]


def test_a_second_writer_is_refused_while_readers_read(log_path, body, tmp_path):
    alias = tmp_path / "alias.toml"
    alias.symlink_to(log_path)
    with LogFile.open(log_path) as log:
        for name in (log_path, alias):
            with pytest.raises(InUse, match="open for writing elsewhere"):
                LogFile.open(name)
        log.append(body(4))
        assert sequence(log_path) == [1, 2, 3, 4]
    LogFile.open(log_path).close()


def test_another_process_cannot_write_either(log_path):
    program = "import sys; from affray.store.log_file import *; LogFile.open(sys.argv[1])"
    with LogFile.open(log_path):
        done = subprocess.run(
            [sys.executable, "-c", program, log_path],
            env=ENVIRONMENT,
            capture_output=True,
            text=True,
        )
    assert "InUse" in done.stderr


@pytest.mark.parametrize("form", ["lf", "crlf", "bom"])
def test_a_torn_tail_is_kept_beside_wherever_it_was_cut(
    tmp_path, header_bytes, log_bytes, entry_bytes, form, body
):
    def shaped(raw: bytes) -> bytes:
        raw = raw if form == "lf" else raw.replace(b"\n", b"\r\n")
        return b"\xef\xbb\xbf" + raw if form == "bom" else raw

    whole, start = shaped(log_bytes(2)), len(shaped(log_bytes(1)))
    path = tmp_path / "ford.toml"
    for cut in range(start, len(whole)):
        path.write_bytes(whole[:cut])
        with LogFile.open(path) as log:
            kept = b"".join(file.read_bytes() for file in beside(path))
            assert (path.read_bytes() + kept) == whole[:cut]
            assert bool(kept) == bool(log.text.notes)
            if kept:
                assert beside(path)[0].name in log.text.notes[-1]
            seqs = [block.seq for block in log.text.blocks]
            assert seqs == ([1, 2] if cut >= len(whole.rstrip()) else [1])
            log.append(body(7))
        assert sequence(path) == [*seqs, seqs[-1] + 1]
        assert read_log(path).blocks[-1].data == body(7)
        for file in beside(path):
            file.unlink()


def test_torn_tails_never_take_each_others_place(log_path):
    for tail in (b"\n[[ent", b"\n[[entry]]\nx"):
        with log_path.open("ab") as file:
            file.write(tail)
        LogFile.open(log_path).close()
    assert [file.read_bytes() for file in beside(log_path)] == [b"\n[[ent", b"\n[[entry]]\nx"]


def test_a_reader_repairs_nothing(log_path):
    torn = log_path.read_bytes() + b"\n[[entry]]\nat = 20"
    log_path.write_bytes(torn)
    text = read_log(log_path)
    assert text.torn == b"\n[[entry]]\nat = 20"
    assert "unfinished entry (18 bytes) after entry 3" in text.notes[0]
    assert log_path.read_bytes() == torn
    assert list(log_path.parent.iterdir()) == [log_path]


def test_a_damaged_log_is_not_touched_and_its_lock_is_free_again(log_path):
    damaged = log_path.read_bytes().replace(b"by = 1 ", b"by = ? ", 1)
    log_path.write_bytes(damaged)
    for _ in range(2):
        with pytest.raises(Damaged, match="damaged at line 11"):
            LogFile.open(log_path)
    assert log_path.read_bytes() == damaged
    assert not beside(log_path)


def test_recovery_that_fails_halfway_loses_nothing_and_is_done_again(log_path, monkeypatch):
    whole = log_path.read_bytes()
    log_path.write_bytes(whole[:-20])
    steps = ["fsync", "ftruncate"]
    for step in steps:
        with monkeypatch.context() as patch:
            patch.setattr(os, step, _fails(errno.EIO))
            with pytest.raises(LogError):
                LogFile.open(log_path)
        assert log_path.read_bytes() == whole[:-20]
    with LogFile.open(log_path) as log:
        assert log.text.last_seq == 2
    assert all(log_path.read_bytes() + f.read_bytes() == whole[:-20] for f in beside(log_path))


def _fails(number):
    def fail(*_):
        raise OSError(number, os.strerror(number))

    return fail


@pytest.mark.parametrize("end", [b"", b"\n# the bridge is wet"])
def test_a_last_line_without_an_end_does_not_swallow_the_next_entry(log_path, body, end):
    log_path.write_bytes(log_path.read_bytes().rstrip(b"\n") + end)
    with LogFile.open(log_path) as log:
        log.append(body(4))
        log.append(body(5))
    text = read_log(log_path)
    assert [block.seq for block in text.blocks] == [1, 2, 3, 4, 5]
    assert [block.edited for block in text.blocks] == [False, False, bool(end), False, False]
    assert b"\n\n\n" not in log_path.read_bytes()


def test_an_editors_save_by_rename_is_noticed_and_nothing_is_lost(log_path, body):
    with LogFile.open(log_path) as log:
        log.append(body(4))
        draft = log_path.with_name("draft")
        draft.write_bytes(log_path.read_bytes().replace(b"ghoul-2", b"ghoul-9"))
        draft.replace(log_path)
        with pytest.raises(Changed, match="NOT saved"):
            log.append(body(5))
        text = log.reread()
        assert [block.edited for block in text.blocks] == [False, True, False, False]
        assert log.append(body(5)) == 5
    assert len(read_log(log_path).blocks) == 5


def test_an_editors_save_in_place_is_noticed(log_path, body):
    with LogFile.open(log_path) as log:
        log_path.write_bytes(log_path.read_bytes() + b"# note\n")
        with pytest.raises(Changed):
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
        assert "entry 4, 5, removed by another program's save, was kept" in text.notes[-1]
        assert log.append(body(6)) == 4
    kept = tomli.loads(beside(log_path)[0].read_text())["entry"]
    assert [entry["events"] for entry in kept] == [body(4)["events"], body(5)["events"]]


def test_an_older_text_that_is_also_broken_costs_no_entry_either(log_path, body):
    older = log_path.read_bytes()
    with LogFile.open(log_path) as log:
        log.append(body(4))
        log_path.write_bytes(older.replace(b"by = 1 ", b"by = ? ", 1))
        with pytest.raises(Damaged, match=r"entry 4, .* was kept in ford\.toml\.torn-1"):
            log.reread()
        with pytest.raises(Changed):
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
        with pytest.raises(Changed, match="NOT saved"):
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
        with pytest.raises(Changed):
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
    with pytest.raises(Changed, match="meanwhile"):
        LogFile.open(log_path)
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
        with pytest.raises(NotSaved, match=r"NOT saved: .* read-only .*No such file"):
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
            with pytest.raises(NotSaved, match=r"the command was NOT saved: .*read-only"):
                log.append(body(4))
        monkeypatch.undo()
        assert len(calls) == 1
        assert log.failure
        assert log.last_seq == 3
        assert log_path.read_bytes() == before
        with pytest.raises(NotSaved):
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
            with pytest.raises(NotSaved, match="only 50 of"):
                log.append(body(4))
        assert len(log_path.read_bytes()) == len(before) + 50 * cut_fails
    with LogFile.open(log_path) as log:
        assert "moved to ford.toml.torn-1" in log.text.notes[0]
        assert log_path.read_bytes() == before


def test_what_cannot_be_written_as_toml_is_refused_and_the_log_goes_on(log_path, body):
    with LogFile.open(log_path) as log:
        with pytest.raises(NotSaved, match=r"NOT saved: .*lone surrogate"):
            log.append({"command": "note \udcff"})
        assert log.append(body(4)) == 4


def test_a_closed_log_takes_nothing(log_path, body):
    log = LogFile.open(log_path)
    log.close()
    log.close()
    with pytest.raises(NotSaved, match="is closed"):
        log.append(body(4))


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
            first = writer.stdout.readline()
            time.sleep(0.0007 * number)
            writer.send_signal(signal.SIGKILL)
            told = (first + writer.stdout.read()).split(b"\n")[:-1]
        assert int(told[0]) > acknowledged
        acknowledged = int(told[-1])
        with LogFile.open(log_path) as log:
            assert log.last_seq in (acknowledged, acknowledged + 1)
            assert [block.seq for block in log.text.blocks] == list(range(1, log.last_seq + 1))
            assert not any(block.edited for block in log.text.blocks)


FULL_DISK = """
import os, resource, sys
from affray.store.log_file import LogFile, NotSaved
limit = os.path.getsize(sys.argv[1]) + 2500
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
with LogFile.open(sys.argv[1]) as log:
    try:
        while True:
            print(log.append({"command": "note", "text": "x" * 400}), flush=True)
    except NotSaved as error:
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

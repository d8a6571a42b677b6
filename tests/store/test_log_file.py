import errno
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.store.ford import beside, sequence

import affray
from affray.store import InUse, LogError, NewerFormat, NotALog
from affray.store.log_file import LogFile, read_log
from affray.store.log_recovery import Damaged

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(affray.__file__).parents[1])}


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
    assert [block.table for block in text.blocks] == [body(n) for n in (0, 1, 2, 9)]
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
    with pytest.raises(LogError) as refusal:
        LogFile.create(tmp_path / "nowhere" / "a.toml", {})
    assert str(refusal.value) == f"there is no folder {tmp_path / 'nowhere'}"


def test_what_this_affray_could_not_read_is_not_created(tmp_path):
    with pytest.raises(NewerFormat):
        LogFile.create(tmp_path / "a.toml", {"format": 2})
    with pytest.raises(ValueError, match="no `entry`"):
        LogFile.create(tmp_path / "a.toml", {"entry": []})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("act", [read_log, LogFile.open])
def test_what_cannot_be_opened_is_named_in_one_line(act, tmp_path, monkeypatch):
    missing, pipe, other = tmp_path / "missing.toml", tmp_path / "pipe", tmp_path / "other.toml"
    other.write_text("[project]\n", "utf-8")
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

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", denied)
        with pytest.raises(LogError, match="permission denied"):
            act(other)


@pytest.mark.parametrize("number", [errno.EACCES, errno.EPERM, errno.EROFS])
def test_a_file_that_may_not_be_written_is_refused_at_once(log_path, monkeypatch, number):
    real = os.open

    def read_only(path, flags, *rest):
        if flags & os.O_WRONLY and not str(path).endswith(".lock"):
            raise OSError(number, os.strerror(number))
        return real(path, flags, *rest)

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", read_only)
        with pytest.raises(LogError) as refusal:
            LogFile.open(log_path)
    assert str(refusal.value) == f"{log_path} can't be written ({os.strerror(number)})"
    assert sequence(log_path) == [1, 2, 3]


def test_a_folder_that_takes_no_lock_is_refused_in_words(log_path):
    Path(f"{log_path}.lock").mkdir()
    with pytest.raises(LogError) as refusal:
        LogFile.open(log_path)
    assert str(refusal.value).startswith(f"{log_path} can't be locked for writing (")
    assert str(refusal.value).endswith(")")
    assert sequence(log_path) == [1, 2, 3]


def test_who_comes_second_is_refused_without_waiting(log_path, monkeypatch):
    monkeypatch.setattr(time, "sleep", lambda seconds: pytest.fail("it waits"))
    with LogFile.open(log_path), pytest.raises(InUse) as refusal:
        LogFile.open(log_path)
    said = f"{log_path} is open for writing elsewhere"
    assert str(refusal.value) == said


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
                said = f"an unfinished entry ({len(kept)} bytes) at the end was moved to "
                assert log.text.notes == (said + beside(path)[0].name,)
                assert log.text.torn is None
            seqs = [block.seq for block in log.text.blocks]
            assert seqs == ([1, 2] if cut >= len(whole.rstrip()) else [1])
            log.append(body(7))
        assert sequence(path) == [*seqs, seqs[-1] + 1]
        assert read_log(path).blocks[-1].table == body(7)
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
    assert text.notes == ("an unfinished entry (18 bytes) after entry 3 was left out",)
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

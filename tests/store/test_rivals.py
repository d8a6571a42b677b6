"""Two writers that share no lock: through hard links in two folders, or when it was deleted."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.store.ford import hp, two_entries

from affray.core.parser.errors import Refused
from affray.store import SaveFailed, log_file
from affray.store.entry_toml import format_entry
from affray.store.log_file import LogFile, read_log
from affray.store.open_encounter import OpenEncounter

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs hard links")
Body = Callable[[int], dict[str, object]]


@pytest.fixture
def links(tmp_path: Path) -> tuple[Path, Path]:
    """A fight of two entries under two names, in two folders."""
    path, other = two_entries(tmp_path), tmp_path / "other" / "ford.toml"
    other.parent.mkdir()
    os.link(path, other)
    return path, other


def just_before_the_write(monkeypatch: pytest.MonkeyPatch, deed: Callable[[], object]) -> None:
    """Have something happen once, between a writer's last look at the file and its write."""
    write = os.write

    def meanwhile(fd: int, data: bytes) -> int:
        monkeypatch.setattr(os, "write", write)
        deed()
        return write(fd, data)

    monkeypatch.setattr(os, "write", meanwhile)


def test_of_two_entries_with_one_number_the_second_is_taken_back_and_decided_anew(
    links: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    with OpenEncounter.open(links[0]) as one, OpenEncounter.open(links[1]) as other:
        just_before_the_write(monkeypatch, lambda: other.do("damage ghoul 4"))
        assert one.do("damage ghoul 5").seq == 4
        assert hp(one) == 18 - 3 - 4 - 5
        assert other.do("damage ghoul 1").seq == 5
        assert hp(other) == hp(one) - 1
    text = read_log(links[0])
    assert [block.seq for block in text.blocks] == [1, 2, 3, 4, 5]
    assert text.notes == ()


@pytest.mark.parametrize("typed", [True, False])
def test_the_past_is_not_amended_where_a_rival_went_on_meanwhile(
    typed: bool, links: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    with OpenEncounter.open(links[0]) as one, OpenEncounter.open(links[1]) as other:
        line = "amend 2 damage ghoul 6"
        amendment = one.amendment(line)
        just_before_the_write(monkeypatch, lambda: other.do("damage ghoul 4"))
        with pytest.raises(Refused) as refusal:
            one.do(line) if typed else one.amend(amendment)
        assert refusal.value.message.startswith("not done: another program saved the fight")
        assert hp(one) == 18 - 3 - 4
        one.do(line)
        assert hp(one) == 18 - 6 - 4
    assert read_log(links[0]).notes == ()


def test_what_a_rival_wrote_behind_it_is_not_cut_off(
    log_path: Path, body: Body, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = format_entry(body(8), 4), format_entry(body(9), 5)
    force = log_file.sync

    def add(number: int) -> None:
        with log_path.open("ab") as file:
            file.write(theirs[number])

    def forced(fd: int) -> None:
        force(fd)
        add(1)

    with LogFile.open(log_path) as log:
        just_before_the_write(monkeypatch, lambda: add(0))
        monkeypatch.setattr(log_file, "sync", forced)
        with pytest.raises(log_file.StaleLog):
            log.append(body(4))
    raw = log_path.read_bytes()
    assert all(block in raw for block in (*theirs, format_entry(body(4), 4)))


def test_a_write_that_fails_takes_nothing_of_a_rivals_back(
    log_path: Path, body: Body, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = format_entry(body(8), 4) + format_entry(body(9), 5)

    def fails(fd: int, data: bytes) -> int:
        with log_path.open("ab") as file:
            file.write(theirs)
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with LogFile.open(log_path) as log:
        monkeypatch.setattr(os, "write", fails)
        with pytest.raises(SaveFailed):
            log.append(body(4))
        monkeypatch.undo()
    assert [block.seq for block in read_log(log_path).blocks] == [1, 2, 3, 4, 5]


def test_a_deleted_lock_lets_nobody_write_unseen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = two_entries(tmp_path)
    with OpenEncounter.open(path) as one:
        (path.parent / "ford.toml.lock").unlink()
        with OpenEncounter.open(path) as other:
            for number in range(3):
                one.do(f"note one {number}")
                other.do(f"note other {number}")
    commands: list[Any] = [block.table["command"] for block in read_log(path).blocks]
    assert commands[2:] == [f"note {who} {n}" for n in range(3) for who in ("one", "other")]

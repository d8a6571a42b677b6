"""What others save to a log while it is open, and what the disk refuses: nothing rests on it."""

from __future__ import annotations

import errno
import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.store.ford import AT, RULES, create

from affray.cli import main
from affray.core.dice import StubDice
from affray.core.parser.errors import Refused
from affray.store import LogError, SaveFailed, log_file, open_encounter
from affray.store.entry_toml import format_entry
from affray.store.log_recovery import Damaged
from affray.store.open_encounter import OpenEncounter

LATER = [{"event": "transmuted", "who": "ghoul"}]
WRONG = [{"event": "changed", "who": "ghoul", "track": "hp", "by": "six"}]
WRONG_VERSION = [{"event": "changed", "v": "two", "who": "ghoul", "track": "hp", "by": 6}]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A fight with a ghoul, and two entries."""
    path = tmp_path / "encounters" / "ford.toml"
    path.parent.mkdir()
    with OpenEncounter.create(path, RULES, "The Ford", now=lambda: AT) as fight:
        fight.do("add monster Ghoul hp 18")
        fight.do("note one")
    return path


def saved_by_another(path: Path, events: Any, seq: int = 3) -> bytes:
    """What another program makes of the file: one entry more."""
    path.write_bytes(path.read_bytes() + format_entry({"command": "x", "events": events}, seq))
    return path.read_bytes()


def test_a_later_kind_of_event_that_came_meanwhile_is_not_written_over(path: Path) -> None:
    with OpenEncounter.open(path) as fight:
        raw = saved_by_another(path, LATER)
        for _ in range(2):
            with pytest.raises(LogError, match=r"read-only: .*'transmuted'"):
                fight.do("damage ghoul 5")
            assert path.read_bytes() == raw
        assert "'transmuted'" in fight.read_only


@pytest.mark.parametrize("events", [WRONG, WRONG_VERSION], ids=["type", "version"])
def test_an_entry_that_is_none_and_came_meanwhile_is_not_written_over(
    events: Any, path: Path
) -> None:
    with OpenEncounter.open(path) as fight:
        history, ruleset = fight.history, fight.ruleset
        raw = saved_by_another(path, events)
        with pytest.raises(Damaged, match="entry 3 is not an entry"):
            fight.do("damage ghoul 5")
        with pytest.raises(LogError, match=r"read-only: .*entry 3 is not an entry"):
            fight.do("damage ghoul 5")
        assert path.read_bytes() == raw
        assert "entry 3 is not an entry" in fight.read_only
        assert fight.history is history and fight.ruleset is ruleset


def test_house_rules_that_went_wrong_meanwhile_leave_all_as_it_was(path: Path) -> None:
    with OpenEncounter.open(path) as fight:
        history = fight.history
        (path.parent.parent / "rules.toml").write_text("[economy]\nap = 'three'\n", "utf-8")
        raw = saved_by_another(path, [{"event": "noted", "text": "x"}])
        with pytest.raises(Refused, match=r"rules\.toml"):
            fight.do("damage ghoul 5")
        with pytest.raises(LogError, match=r"read-only: .*rules\.toml"):
            fight.do("damage ghoul 5")
        assert fight.history is history
        assert path.read_bytes() == raw


def test_what_the_disk_refused_is_not_shown_as_saved(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(fd: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with OpenEncounter.open(path) as fight:
        assert fight.read_only == ""
        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(SaveFailed, match="NOT saved"):
            fight.do("damage ghoul 5")
        monkeypatch.undo()
        assert "No space left" in fight.read_only
        with pytest.raises(SaveFailed, match="NOT saved"):
            fight.do("damage ghoul 5")


@pytest.mark.parametrize("events", [WRONG, WRONG_VERSION], ids=["type", "version"])
def test_what_stands_before_an_entry_that_is_none_can_be_looked_at(events: Any, path: Path) -> None:
    raw = saved_by_another(path, events)
    with pytest.raises(Damaged) as damage:
        OpenEncounter.open(path)
    assert [block.seq for block in damage.value.prefix.blocks] == [1, 2]
    for opened in (OpenEncounter.open_or_view(path), OpenEncounter.view(path)):
        with opened as fight:
            assert fight.history.last == 2
            assert fight.state["ghoul"].track("hp") == 18
            assert "entry 3 is not an entry" in fight.read_only
    assert path.read_bytes() == raw


def test_what_stands_before_a_move_to_nowhere_can_be_looked_at(path: Path) -> None:
    path.write_bytes(path.read_bytes() + format_entry({"command": "goto 99", "to": 99}, 3))
    with OpenEncounter.open_or_view(path) as fight:
        assert fight.history.last == 2
        assert "entry 99 is not in the log" in fight.read_only


# --- the last commands ----------------------------------------------------------------------------


def test_the_last_commands_are_there_each_once_the_newest_last(path: Path) -> None:
    with OpenEncounter.open(path) as fight:
        for line in ("damage ghoul 1", "note two", "damage ghoul 1", "undo"):
            fight.do(line)
        wanted = ["add monster Ghoul hp 18", "note one", "note two", "damage ghoul 1", "undo 1"]
        assert fight.commands == wanted
    with OpenEncounter.open(path) as fight:
        assert fight.commands == wanted
        saved_by_another(path, [{"event": "noted", "text": "by hand"}], seq=7)
        fight.do("note one")
        assert fight.commands[-2:] == ["x", "note one"]
        assert fight.commands.count("note one") == 1


def test_no_more_commands_are_kept_than_anyone_looks_through(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_encounter, "MOST_LINES", 3)
    with OpenEncounter.view(path) as fight:
        for number in range(5):
            fight.do_in_memory(f"note {number}")
        assert fight.commands == ["note 2", "note 3", "note 4"]
    with OpenEncounter.open(path) as fight:
        for number in range(5):
            fight.do(f"note {number}")
    with OpenEncounter.view(path) as fight:
        assert fight.commands == ["note 2", "note 3", "note 4"]


def test_a_check_judges_one_reading_of_the_file(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, times = log_file._read, []

    def counted(path: Any) -> Any:
        times.append(path)
        return read(path)

    monkeypatch.setattr(log_file, "_read", counted)
    assert main(["check", str(path)]) == 0
    path.write_bytes(path.read_bytes()[:-5])
    assert main(["check", str(path)]) == 2, "the last write was cut off"
    assert len(times) == 2


def test_a_command_is_not_done_in_another_turn_than_it_was_given_in(tmp_path):
    path = tmp_path / "ford.toml"
    with create(path) as fight:
        for line in ("add pc Mira hp 20", "add monster Ghoul hp 18", "init mira 9", "init ghoul 5"):
            fight.do(line)
        fight.do("start")
    older = path.read_bytes()
    with OpenEncounter.open(path) as fight:
        fight.do("next")
        path.write_bytes(older)
        said = "and it is now the turn of Mira; give the command again"
        with pytest.raises(Refused, match=said):
            fight.do("damage mira 3")
        assert fight.state["mira"].track("hp") == 20
        assert path.read_bytes() == older, "and nothing was saved"
        fight.do("damage mira 3")
        assert fight.state["mira"].track("hp") == 17


def test_what_was_looked_at_is_decided_anew_in_what_another_saved(path: Path) -> None:
    older = path.read_bytes()
    with OpenEncounter.open(path) as fight:
        fight.do("note two")
        fight.preview("damage ghoul 5", StubDice(high=True))
        path.write_bytes(older)
        saved_by_another(path, [{"event": "changed", "who": "ghoul", "track": "hp", "by": -4}])
        fight.do("damage ghoul 5")
        assert fight.state["ghoul"].track("hp") == 18 - 4 - 5


@pytest.mark.parametrize("line", ["damage ghoul 5", "undo"])
def test_a_command_that_an_editor_saved_with_the_rest_is_done_once(path, line, monkeypatch):
    with OpenEncounter.open(path) as fight:
        force = log_file.sync

        def force_and_edit(fd: int) -> None:
            force(fd)
            monkeypatch.undo()  # once is enough
            other = path.with_name("other.toml")
            other.write_bytes(path.read_bytes().replace(b"one", b"two"))
            other.replace(path)

        monkeypatch.setattr(log_file, "sync", force_and_edit)
        done = fight.do(line)
        assert (done.seq, fight.history.last) == (3, 3), "and not once more"
        assert path.read_bytes().count(b"[[entry]]") == 3
        assert any("edited by hand" in note for note in fight.notes)


@pytest.mark.parametrize("later", [0, 1])
def test_anothers_command_of_the_same_words_is_none_of_ours(tmp_path, later):
    path = tmp_path / "ford.toml"
    with create(path) as fight:
        fight.do("add monster Ghoul hp 18")
    with OpenEncounter.open(path, now=lambda: AT) as fight:
        body = {"at": AT + timedelta(seconds=later), "command": "damage ghoul 5"}
        hurt = [{"event": "changed", "who": "ghoul", "track": "hp", "by": -5}]
        path.write_bytes(path.read_bytes() + format_entry({**body, "events": hurt}, 2))
        fight.do("damage ghoul 5")
        assert fight.state["ghoul"].track("hp") == (8 if later else 13)


def test_a_command_of_a_turn_is_not_done_where_it_is_nobodys(tmp_path):
    path = tmp_path / "ford.toml"
    with create(path) as fight:
        fight.do("add pc Mira hp 20")
        fight.do("init mira 9")
    older = path.read_bytes()
    with OpenEncounter.open(path) as fight:
        fight.do("start")
        path.write_bytes(older)
        with pytest.raises(Refused, match="and it is now nobody's turn; give the command again"):
            fight.do("damage mira 3")

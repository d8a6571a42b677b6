"""Who only looks at a fight takes in what others save of it, or is told that it can't be."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from affray.core.dice import SeededDice
from affray.store import LogError, open_encounter
from affray.store.entry_toml import format_entry
from affray.store.open_encounter import VIEWED, OpenEncounter

AT = datetime(2026, 11, 20, 19, 30, tzinfo=UTC)


@pytest.fixture
def fight(tmp_path: Path) -> OpenEncounter:
    made = OpenEncounter.create(
        tmp_path / "ford.toml", "monsters-and-magic", "The Ford", SeededDice(1), lambda: AT
    )
    made.do("add monster Ghoul hp 18 cr 1 ac 2")
    return made


def test_what_another_saves_is_taken_in_once(fight: OpenEncounter) -> None:
    with OpenEncounter.open_or_view(fight.path) as looking:
        reason = looking.read_only
        assert looking.is_viewed and looking.is_whole and "open for writing elsewhere" in reason
        assert not looking.follow()
        fight.do("damage ghoul 5")
        assert looking.follow()
        assert looking.state["ghoul"].tracks["hp"].value == fight.state["ghoul"].tracks["hp"].value
        assert looking.history.path == fight.history.path
        assert looking.read_only == reason
        assert not looking.follow()
    assert not fight.is_viewed
    fight.close()


def test_of_a_file_that_only_grew_what_is_new_is_read_and_no_more(
    fight: OpenEncounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So it costs the same at any length; and it is the same fight as one that is read whole."""
    with fight, OpenEncounter.view(fight.path) as looking:
        history = looking.history
        with monkeypatch.context() as patch:
            patch.setattr(open_encounter, "read_log", None)
            for line in ("damage ghoul 5", "undo", "damage ghoul 3", "amend 4 damage ghoul 2"):
                fight.do(line)
                assert looking.follow() and looking.history is history
                assert looking.history.path == fight.history.path
                assert looking.state["ghoul"].tracks == fight.state["ghoul"].tracks
            fight.do("note one", "note two")
            assert looking.follow() and looking.history.last == fight.history.last
            assert not looking.follow()
        with OpenEncounter.view(fight.path) as whole:
            assert (looking.history.path, looking.commands, looking.report()) == (
                whole.history.path,
                whole.commands,
                whole.report(),
            )


@pytest.mark.parametrize("old", [b"The Ford", b"damage ghoul 5", b"sum = ", b"seq = 2"])
def test_a_file_that_was_changed_before_its_end_as_well_is_read_anew(
    fight: OpenEncounter, old: bytes
) -> None:
    fight.do("damage ghoul 5")
    with OpenEncounter.view(fight.path) as looking:
        history = looking.history
        fight.do("note more")
        raw = fight.path.read_bytes()
        changed = {b"seq = 2": b"seq =  2", b"sum = ": b"sum =  "}.get(old, old + b"!")
        fight.path.write_bytes(raw.replace(old, changed, 1))
        assert looking.follow()
        assert looking.history is not history and looking.history.last == 3
    fight.close()


def test_a_change_by_hand_that_leaves_the_file_as_long_is_seen_though_an_entry_came_behind_it(
    fight: OpenEncounter,
) -> None:
    fight.do("damage ghoul 5")
    fight.do("note 'The ferry is late.'")
    with OpenEncounter.view(fight.path) as looking:
        more = format_entry({"command": "note more", "events": []}, 4)
        raw = fight.path.read_bytes()
        fight.path.write_bytes(raw.replace(b"= -3", b"= -6", 1) + more)
        assert looking.follow() and looking.history.last == 4
        assert looking.state["ghoul"].tracks["hp"].value == 12
    fight.close()


def test_entries_of_a_later_affray_are_told_of_as_when_it_is_opened(fight: OpenEncounter) -> None:
    with OpenEncounter.view(fight.path) as looking:
        later = format_entry({"command": "dance", "events": [{"event": "danced"}]}, 2)
        with fight.path.open("ab") as file:
            file.write(later)
        assert looking.follow()
        assert "a later one wrote it" in looking.lacks and not looking.is_whole
        assert looking.history.last == 1
    fight.close()


def test_an_entry_that_is_being_written_is_left_until_it_is_there(fight: OpenEncounter) -> None:
    with fight, OpenEncounter.view(fight.path) as looking:
        fight.do("note 'The ferry is late.'")
        whole = fight.path.read_bytes()
        fight.path.write_bytes(whole[:-20])
        assert not looking.follow()
        assert looking.notes == ()
        fight.path.write_bytes(whole)
        assert looking.follow()
        assert looking.history.last == 2 and looking.notes == ()


def test_an_entry_that_stays_unfinished_is_told(fight: OpenEncounter) -> None:
    with fight, OpenEncounter.view(fight.path) as looking:
        fight.do("note 'The ferry is late.'")
        whole = fight.path.read_bytes()
        fight.path.write_bytes(whole[:-20])
        assert not looking.follow()
        assert looking.follow()
        assert looking.history.last == 1 and "unfinished" in looking.notes[0]
        assert not looking.follow()
        fight.path.write_bytes(whole)
        assert looking.follow()
        assert looking.history.last == 2 and looking.notes == ()


def test_an_entry_behind_a_line_that_an_editor_left_open_is_taken_in(fight: OpenEncounter) -> None:
    fight.close()
    fight.path.write_bytes(fight.path.read_bytes().rstrip(b"\n"))
    with OpenEncounter.view(fight.path) as looking:
        with OpenEncounter.open(fight.path) as other:
            other.do("damage ghoul 5")
        assert looking.follow() and looking.history.path == [1, 2]
        assert looking.state["ghoul"].track("hp") == 15 and looking.notes == ()


@pytest.mark.parametrize("what", ["gone", "damaged", "no log"])
def test_what_can_not_be_followed_is_an_error_and_the_fight_stays(
    what: str, fight: OpenEncounter
) -> None:
    fight.do("damage ghoul 5")
    fight.close()
    raw = fight.path.read_bytes()
    with OpenEncounter.view(fight.path) as looking:
        if what == "gone":
            fight.path.unlink()
        else:
            fight.path.write_bytes(
                raw.replace(b"Ghoul", b"Gh\nul", 1) if what == "damaged" else b"x"
            )
        for _ in range(2):
            with pytest.raises(LogError):
                looking.follow()
        assert looking.history.last == 2 and looking.read_only == VIEWED
        fight.path.write_bytes(raw + b"\n")
        assert looking.follow()
        assert looking.history.last == 2


@pytest.mark.parametrize(
    ("faulty", "said"),
    [
        ({"command": "goto 9", "to": 9}, "entry 9 is not in the log"),
        (
            {"command": "wait", "events": [{"event": "noted", "v": 0}]},
            "which is not a version number",
        ),
    ],
)
def test_before_an_entry_that_is_none_nothing_is_taken_in_however_often_it_is_looked_at(
    faulty: dict[str, Any], said: str, fight: OpenEncounter
) -> None:
    with fight, OpenEncounter.view(fight.path) as looking:
        whole = fight.path.read_bytes() + format_entry({"command": "note a", "events": []}, 2)
        fight.path.write_bytes(whole + format_entry(faulty, 3))
        for _ in range(2):
            with pytest.raises(LogError, match=said):
                looking.follow()
            assert looking.history.path == [1]
        fight.path.write_bytes(whole)
        assert looking.follow() and looking.history.path == [1, 2]


def test_a_file_that_was_damaged_when_it_was_opened_is_whole_once_it_is_mended(
    fight: OpenEncounter,
) -> None:
    fight.do("damage ghoul 5")
    fight.close()
    raw = fight.path.read_bytes()
    fight.path.write_bytes(raw.replace(b'command = "damage', b'command = \n"damage', 1))
    with OpenEncounter.view(fight.path) as looking:
        assert not looking.is_whole and looking.history.last == 1
        fight.path.write_bytes(raw)
        assert looking.follow()
        assert looking.is_whole and looking.history.last == 2 and looking.read_only == VIEWED

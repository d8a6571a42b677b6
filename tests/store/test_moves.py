"""Undo, redo and goto in an open encounter, and what they say."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.store.ford import AT, hp

from affray.core.engine.history import LAST_SEQ
from affray.core.parser.errors import Refused
from affray.store import LogError
from affray.store.entry_toml import format_entry
from affray.store.open_encounter import OpenEncounter


def test_undo_and_redo_name_what_they_take_back(path: Path) -> None:
    with OpenEncounter.open(path) as fight:
        fight.do("damage ghoul 5")
        undo = fight.do("undo")
        assert undo.text == "undone: Ghoul takes 5"
        assert (hp(fight), fight.history.redo_title) == (18, "Ghoul takes 5")
        redo = fight.do("redo")
        assert (redo.text, hp(fight)) == ("redone: Ghoul takes 5", 13)


def test_another_way_after_undo_leaves_the_old_one_reachable(path: Path) -> None:
    with OpenEncounter.open(path) as fight:
        fight.do("damage ghoul 5")
        fight.do("damage ghoul 5")
        fight.do("undo 2")
        fight.do("damage ghoul 1")
        assert (hp(fight), fight.history.off_path()) == (17, [5, 6])
        fight.do("goto 6")
        assert (hp(fight), fight.history.path[-2:]) == (8, [5, 6])
    with OpenEncounter.open(path) as fight:
        assert hp(fight) == 8
        fight.do("undo")
        fight.do("redo")
        assert hp(fight) == 8, "redo follows the way that was walked last"


def test_going_nowhere_is_refused_in_words(path: Path) -> None:
    with OpenEncounter.open(path) as fight:
        for line, said in (
            ("redo", "nothing to redo"),
            ("undo 9", "only 4 entries can be undone, not 9"),
            ("goto 4", "the fight is at entry 4 already"),
            ("goto 12", "no entry 12: the log goes from 0 to 4"),
            ("undo 0", "the number of entries must be from 1 to 999999, not 0 (usage: undo [N])"),
            ("undo twice", "did not expect 'twice' (usage: undo [N])"),
            ("undo 1 2", "did not expect '2' (usage: undo [N])"),
            ("goto", "expected the entry (usage: goto N)"),
            ("goto -1", "the entry must be from 0 to 999999999999999, not -1 (usage: goto N)"),
        ):
            with pytest.raises(Refused) as refusal:
                fight.do(line)
            assert refusal.value.message == said
        assert fight.history.last == 4


def test_several_steps_are_counted_and_a_goto_has_none(path: Path) -> None:
    with OpenEncounter.open(path) as fight:
        for number in range(3):
            fight.do(f'note "{number}"')
        for line, command, text in (
            ("undo", "undo 1", "undone: Note: 2"),
            ("redo", "redo 1", "redone: Note: 2"),
            ("UNDO 3", "undo 3", "undone: Note: 2 and 2 more"),
            ("redo 2", "redo 2", "redone: Note: 0 and 1 more"),
            ("goto 2", "goto 2", f"now at: {fight.history.entries[2].title}"),
            ("goto 1", "goto 1", f"now at: {fight.history.entries[1].title}"),
            ("goto 0", "goto 0", "now at: the beginning"),
        ):
            entry = fight.do(line)
            assert (entry.command, entry.text, entry.at) == (command, text, entry.at)
        assert fight.history.head == 0
        assert fight.state.combatants == ()


def test_a_rehearsed_move_is_an_entry_like_a_saved_one(path: Path) -> None:
    with OpenEncounter.view(path) as looked_at, OpenEncounter.open(path, now=lambda: AT) as played:
        looked_at.read_time = played.read_time
        for line in ("damage ghoul 5", "undo", "redo", "goto 2"):
            assert looked_at.do_in_memory(line) == played.do(line)
        assert looked_at.history.last == played.history.last == 8


def test_an_entry_is_reached_whatever_its_number(path: Path) -> None:
    events = [{"event": "changed", "who": "ghoul", "track": "hp", "by": -1}]
    blocks = [format_entry({"command": "hit", "events": events}, seq) for seq in (1234567, 10**14)]
    path.write_bytes(path.read_bytes() + b"".join(blocks))
    with OpenEncounter.open(path) as fight:
        assert fight.do("goto 1234567").to == 1234567
        assert hp(fight) == 17
        assert fight.do("goto 100000000000000").to == 10**14
        with pytest.raises(Refused, match="no entry 1234568: the log goes from 0 to"):
            fight.do("goto 1234568")


def test_the_last_number_there_is_is_written_and_no_other(path: Path) -> None:
    path.write_bytes(path.read_bytes() + format_entry({"command": "x"}, LAST_SEQ - 1))
    with OpenEncounter.open(path) as fight:
        assert fight.do("damage ghoul 1").seq == LAST_SEQ
        said = f"the command was NOT saved: .* ends with entry {LAST_SEQ}, the highest number"
        for line in ("damage ghoul 1", "undo"):
            with pytest.raises(LogError, match=said):
                fight.do(line)
        assert (fight.history.last, hp(fight), fight.read_only) == (LAST_SEQ, 17, "")
    with OpenEncounter.open(path) as fight:
        assert (fight.history.last, hp(fight)) == (LAST_SEQ, 17)


# --- when another program saved meanwhile ---------------------------------------------------------


def saved_by_another(path: Path, seq: int) -> None:
    """One entry more, from another program."""
    events = [{"event": "changed", "who": "ghoul", "track": "hp", "by": -1}]
    path.write_bytes(path.read_bytes() + format_entry({"command": "theirs", "events": events}, seq))


@pytest.mark.parametrize(
    ("line", "meant", "there"),
    [
        ("undo", "undone: Ghoul takes 4", "undone: theirs"),
        ("undo 2", "undone: Ghoul takes 4 and 1 more", "undone: theirs and 1 more"),
    ],
)
def test_a_move_that_would_do_something_else_there_is_refused_and_names_both(
    line: str, meant: str, there: str, path: Path
) -> None:
    with OpenEncounter.open(path) as fight:
        fight.do("damage ghoul 5")
        fight.do("damage ghoul 4")
        saved_by_another(path, 7)
        with pytest.raises(Refused) as refusal:
            fight.do(line)
        assert refusal.value.message == (
            f"not done: another program saved the fight; instead of {meant!r} "
            f"it would be {there!r}: give the command again"
        )
        assert (fight.history.last, hp(fight)) == (7, 8), "nothing was taken back"
        assert fight.do(line).text == there


def test_a_move_that_can_not_be_made_there_is_refused(path: Path) -> None:
    with OpenEncounter.open(path) as fight:
        fight.do("damage ghoul 5")
        fight.do("undo")
        saved_by_another(path, 7)
        with pytest.raises(Refused, match="nothing to redo"):
            fight.do("redo")


def test_a_move_that_means_the_same_there_is_done(path: Path) -> None:
    with OpenEncounter.open(path) as fight:
        fight.do("damage ghoul 5")
        path.write_bytes(path.read_bytes() + b"# looked at\n")
        assert fight.do("undo").text == "undone: Ghoul takes 5"
        assert hp(fight) == 18
        saved_by_another(path, 7)
        assert fight.do("goto 5").text == "now at: Ghoul takes 5"


def test_a_move_is_told_before_it_is_made(path: Path) -> None:
    with OpenEncounter.open(path) as fight:
        fight.do("damage ghoul 5")
        assert fight.preview_command("undo") == "undoes: Ghoul takes 5"
        assert fight.preview_command("UNDO 2") == "undoes 2: Ghoul takes 5; Initiative of Ghoul: 5"
        told = "back to entry 4: Initiative of Ghoul: 5 · undoes: Ghoul takes 5"
        assert fight.preview_command("goto 4") == told
        assert hp(fight) == 13
        fight.do("undo")
        assert fight.preview_command("redo") == "redoes: Ghoul takes 5"
        for line, why in (
            ("undo 9", "only 4 entries can be undone"),
            ("redo 2", "only 1 can be redone"),
            ("goto 99", "no entry 99"),
            ("goto", "expected the entry"),
            ("goto 4", "is at entry 4 already"),
        ):
            with pytest.raises(Refused, match=why):
                fight.preview_command(line)


@pytest.mark.parametrize("line", ["", "next", "damage ghoul 5", "why mira ac"])
def test_no_other_command_is_a_move(path: Path, line: str) -> None:
    with OpenEncounter.view(path) as fight:
        assert fight.preview_command(line) is None

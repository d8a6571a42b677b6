"""A log that is skimmed tells the same as one that is read whole, and says when it can't."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock

import pytest

from affray.core.dice import SeededDice
from affray.core.engine.state import Encounter
from affray.core.engine.turn_order import current_turn_label, life_at_turn
from affray.store.campaigns import summaries
from affray.store.campaigns.summaries import EncounterSummary, quick_summary, read_log_tail, summary
from affray.store.entry_toml import SEPARATOR
from affray.store.log_file import read_log
from affray.store.log_recovery import build_history
from affray.store.open_encounter import OpenEncounter

RULES = "monsters-and-magic"
SAMPLES = sorted((Path(__file__).parents[2] / "campaigns").glob("*/encounters/*.toml"))
ROUNDS = (
    "add pc Mira hp 20 ac 0",
    "add pc Tam hp 20 ac 0",
    "add monster Rat x3 hp 4 ac 0 cr 1 group",
    "add monster Ghoul hp 10 ac 0 cr 1",
    "init mira 20",
    "init tam 15",
    "init rat-1 10",
    "init ghoul 5",
    "start",
    "strike ghoul strong 12 slashing",
    "next",
    "next",
    "damage mira 30",
    "next",
    "rename tam Tamsin",
    "next",
)


@pytest.fixture
def fight(tmp_path: Path) -> Callable[..., Path]:
    """Makes a log of these commands."""

    def made(*lines: str) -> Path:
        path = tmp_path / "ford.toml"
        with OpenEncounter.create(path, RULES, "The Ford", dice=SeededDice(3)) as opened:
            for line in lines:
                opened.do(line)
        return path

    return made


def told(state: Encounter) -> tuple[object, ...]:
    """All that a list tells of a fight."""
    lives = {(c.name, c.side, c.life) for c in state.combatants}
    return (
        state.title,
        state.phase,
        state.round,
        current_turn_label(state),
        life_at_turn(state),
        lives,
    )


def assert_same(path: Path) -> None:
    state = read_log_tail(path.read_bytes())
    assert state is not None
    assert told(state) == told(build_history(read_log(path))[0].state)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_sample_skimmed_is_the_sample_read(path: Path) -> None:
    assert_same(path)


@pytest.mark.parametrize("count", range(len(ROUNDS) + 1))
def test_a_fight_skimmed_is_the_fight_read_at_every_step(
    count: int, fight: Callable[..., Path]
) -> None:
    assert_same(fight(*ROUNDS[:count]))


@pytest.mark.parametrize(
    "more",
    [
        ("undo",),
        ("undo 3", "redo"),
        ("undo 3", "note x", "undo", "undo 2", "next"),
        ("goto 9", "strike ghoul strong 2 slashing", "goto 15", "undo 20"),
        ("end", "undo", "next", "next", "end"),
        ("undo 16",),
        ("delay", "return mira"),
        ("amend 10 damage ghoul 4",),
        ("amend 10 damage ghoul 4", "next", "undo 2", "redo", "note x"),
        ("amend 1 out",),
        ("amend 13 out", "amend 10 out", "end"),
    ],
)
def test_what_was_undone_is_passed_over(more: tuple[str, ...], fight: Callable[..., Path]) -> None:
    lines = [line for line in more if line not in ("return mira", "undo 20")]
    assert_same(fight(*ROUNDS, *lines))


def test_a_past_that_was_not_amended_to_its_end_does_not_count(
    fight: Callable[..., Path],
) -> None:
    """The last entry leads to it: as long as that is not there, nothing has happened."""
    path = fight(*ROUNDS, "amend 10 damage ghoul 4")
    raw = path.read_bytes()
    path.write_bytes(raw[: raw.rindex(SEPARATOR)])
    assert_same(path)


def test_an_entry_that_a_hand_edited_counts_as_it_stands(fight: Callable[..., Path]) -> None:
    path = fight(*ROUNDS)
    path.write_bytes(path.read_bytes().replace(b'life = "dead"', b'life = "defeated"'))
    assert_same(path)
    state = read_log_tail(path.read_bytes())
    assert state is not None and state["ghoul"].life == "defeated"


@pytest.mark.parametrize(
    "break_",
    [
        lambda raw: raw.replace(b"\n", b"\r"),
        lambda raw: b"# mine\n" + raw,
        lambda raw: raw.replace(b"format = 1\n", b"format = 9\n"),
        lambda raw: raw[:-30],
        lambda raw: raw.replace(b'event = "began"', b'event = "bygone"'),
        lambda raw: raw.replace(b'side = "foes"', b'side = "fools"'),
        lambda raw: raw.replace(b"seq = 3\n", b"seq = three\n"),
        lambda raw: raw.replace(b"[[entry]]\nat", b"[[entry]]\n[[entry]]\nat", 1),
    ],
    ids=["line ends", "comment", "later", "torn", "event", "field", "number", "heading"],
)
def test_what_is_odd_is_left_to_who_reads_it_all(
    break_: Callable[[bytes], bytes], fight: Callable[..., Path]
) -> None:
    raw = fight(*ROUNDS).read_bytes()
    assert read_log_tail(break_(raw)) is None


@pytest.mark.parametrize("to", [b"to = 99", b"to = 18", b'to = "x"'])
def test_a_move_to_nowhere_is_left_to_who_reads_it_all(
    to: bytes, fight: Callable[..., Path]
) -> None:
    raw = fight(*ROUNDS, "undo", "note x").read_bytes()
    assert read_log_tail(raw.replace(b"to = 15", to)) is None


def test_a_summary_is_kept_until_the_file_is_saved(
    fight: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = fight(*ROUNDS)
    skim = Mock(side_effect=read_log_tail)
    monkeypatch.setattr(summaries, "read_log_tail", skim)
    first = summary(path)
    assert summary(path) is first and skim.call_count == 1
    with OpenEncounter.open(path) as opened:
        opened.do("end")
    assert summary(path).phase == "ended" and skim.call_count == 2


def test_a_summary_says_who_is_in_it_and_who_stands(fight: Callable[..., Path]) -> None:
    seen = summary(fight(*ROUNDS))
    assert (seen.title, seen.round, seen.turn) == ("The Ford", 2, "Tamsin")
    assert (seen.party, seen.standing) == (2, ("Tamsin",))
    assert (seen.foes, seen.foes_standing) == (4, 3)
    assert not seen.is_glance


def test_a_glance_tells_the_title_and_the_time_and_no_more(fight: Callable[..., Path]) -> None:
    path = fight(*ROUNDS)
    seen, whole = quick_summary(path), summary(path)
    assert seen.is_glance and seen.phase == ""
    assert (seen.title, seen.played, seen.size) == (whole.title, whole.played, path.stat().st_size)


def test_a_summary_is_of_a_file_until_it_is_saved_anew(fight: Callable[..., Path]) -> None:
    path = fight(*ROUNDS)
    seen = summary(path)
    assert seen.is_of(quick_summary(path))
    with OpenEncounter.open(path) as opened:
        opened.do("note late")
    assert not seen.is_of(quick_summary(path))


def test_what_is_no_log_has_its_problem_in_its_summary(tmp_path: Path) -> None:
    assert "there is no file" in summary(tmp_path / "none.toml").problem
    assert "folder" in summary(tmp_path).problem
    path = tmp_path / "odd.toml"
    path.write_text("title = 3\n", "utf-8")
    seen = summary(path)
    assert isinstance(seen, EncounterSummary) and "not an affray log" in seen.problem
    assert not seen.is_glance


def test_a_file_that_may_not_be_read_is_told_in_a_line(
    fight: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = fight("note a")

    def refuse(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert summary(path).phase == "setup", "it is read as a log is"

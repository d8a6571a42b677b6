"""Undo, redo, goto and branches."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, strategies as st

from affray.core.commands.log_commands import move_in_words
from affray.core.engine.events import Rolled, TrackChanged
from affray.core.engine.evolve import evolve_all
from affray.core.engine.history import (
    AbandonedBranch,
    EarlierEntry,
    Entry,
    History,
    recorded_dice,
)
from affray.core.engine.state import Encounter
from affray.core.parser.errors import Refused


def step(history: History, amount: int = 1) -> None:
    seq = history.last + 1
    history.apply(Entry(seq, f"step {seq}", events=(TrackChanged("", "count", amount),)))


def move(history: History, to: int) -> None:
    history.apply(Entry(history.last + 1, "move", to=to))


@pytest.fixture
def history() -> History:
    made = History(Encounter())
    for _ in range(5):
        step(made)
    return made


def test_undo_and_redo_go_back_and_forth(history):
    assert history.state.gm("count") == 5
    move(history, history.undo_target(2))
    assert history.state.gm("count") == 3
    move(history, history.redo_target())
    assert history.state.gm("count") == 4


def test_undo_then_redo_is_the_very_same_state(history):
    before = history.state
    move(history, history.undo_target())
    move(history, history.redo_target())
    assert history.state is before


def test_undo_to_the_beginning_and_no_further(history):
    move(history, history.undo_target(5))
    assert history.state is history.states[0]
    with pytest.raises(Refused) as refusal:
        history.undo_target()
    assert refusal.value.message == "nothing to undo: the log is at its beginning"


@pytest.mark.parametrize("steps", range(6))
def test_undo_goes_back_that_many(history, steps):
    assert history.undo_target(steps) == 5 - steps


def test_more_than_there_is_can_not_be_undone_or_redone(history):
    with pytest.raises(Refused) as refusal:
        history.undo_target(6)
    assert refusal.value.message == "only 5 entries can be undone, not 6"
    with pytest.raises(Refused) as refusal:
        history.redo_target(2)
    assert refusal.value.message == "nothing to redo"
    move(history, history.undo_target())
    with pytest.raises(Refused) as refusal:
        history.redo_target(2)
    assert refusal.value.message == "only 1 can be redone, not 2"


def test_another_way_is_a_branch_and_the_old_one_stays(history):
    move(history, 2)
    step(history, 10)
    assert history.state.gm("count") == 12
    assert history.off_path() == [3, 4, 5]
    with pytest.raises(Refused, match="nothing to redo"):
        history.redo_target()
    move(history, history.goto_target(5))
    assert history.state.gm("count") == 5
    assert history.path == [1, 2, 3, 4, 5]


def test_redo_follows_the_way_that_was_walked_last(history):
    move(history, 2)
    step(history, 10)
    move(history, 2)
    assert history.redo_target() == 7
    move(history, 4)
    move(history, 2)
    assert history.redo_target() == 3


def test_goto_a_move_is_goto_where_it_went(history):
    move(history, 3)
    step(history)
    assert history.goto_target(6) == 3


def test_titles_name_what_is_taken_back(history):
    assert (history.undo_title, history.redo_title) == ("step 5", None)
    move(history, 4)
    assert (history.undo_title, history.redo_title) == ("step 4", "step 5")


def test_a_move_can_be_looked_at_like_any_entry(history):
    move(history, 2)
    assert history.states[6] is history.states[2], "the fight as it was after the move"
    assert history.before(6) is history.states[2], "a move sets nothing off"
    step(history)
    assert history.states[6] is history.states[2], "whatever comes later"


def test_goto_what_is_not_there(history):
    with pytest.raises(Refused) as refusal:
        history.goto_target(99)
    assert refusal.value.message == "no entry 99: the log goes from 0 to 5"


def test_what_was_told_can_not_be_told_otherwise_later(history):
    with pytest.raises(AttributeError):
        history.entries[1].command = "another"
    with pytest.raises(AttributeError):
        history.previous.entry = history.entries[1]


def test_the_entries_before_the_present_are_found_one_by_one_with_their_states(history):
    move(history, 2)
    step(history, 10)
    found, previous = [], history.previous
    while previous is not None:
        found.append((previous.entry.seq, previous.before.gm("count")))
        previous = previous.earlier()
    assert found == [(7, 2), (2, 1), (1, 0)]


def test_a_single_entry_has_none_before_it():
    entry = Entry(1, "step")
    assert EarlierEntry(entry, Encounter()).earlier() is None
    assert History(Encounter()).previous is None


def test_a_beginning_has_nothing_to_take_back_or_bring_back():
    history = History(Encounter())
    assert (history.head, history.last, history.path) == (0, 0, [])
    assert (history.undo_title, history.redo_title, history.off_path()) == (None, None, [])
    assert history.goto_target(0) == 0


def test_a_move_to_what_is_not_there_changes_nothing(history):
    before = history.state
    with pytest.raises(ValueError) as refusal:
        move(history, 9)
    assert str(refusal.value) == "entry 9 is not in the log"
    assert (history.last, history.state, history.path) == (5, before, [1, 2, 3, 4, 5])


def test_an_entry_behind_what_is_not_there_changes_nothing(history):
    with pytest.raises(ValueError, match="entry 9 is not in the log"):
        history.apply(Entry(6, "step", parent=9))
    assert (history.last, history.path) == (5, [1, 2, 3, 4, 5])


def test_what_came_since_an_entry_is_what_is_effective_behind_it(history):
    move(history, 3)
    step(history)
    assert [history.since(seq) for seq in (0, 2, 4, 7)] == [[1, 2, 3, 7], [3, 7], [7], []]


def test_dice_that_were_edited_into_nonsense_are_none_that_fell():
    told = [Rolled("attack", "a few dice", (3,), total=3), Rolled("attack", "1d6", (5,), total=5)]
    assert [(die.sides, die.face) for die in recorded_dice(told)] == [(6, 5)]


def test_a_state_that_is_known_already_is_not_worked_out_again(history):
    known = Encounter()
    entry = Entry(6, "step", events=(TrackChanged("", "count", 1),))
    history.apply(entry, known)
    assert history.state is known


def test_an_entry_knows_the_state_in_which_it_was_given(history):
    move(history, 2)
    step(history, 10)
    assert [history.before(seq).gm("count") for seq in (1, 5, 7)] == [0, 4, 2]
    assert history.parents == {1: 0, 2: 1, 3: 2, 4: 3, 5: 4, 6: 2, 7: 2}


def test_an_entry_is_called_by_its_text_or_else_its_command():
    assert Entry(1, "strike", text="Mira strikes").title == "Mira strikes"
    assert Entry(1, "strike").title == "strike"
    assert not Entry(1, "strike").edited


@given(
    st.lists(
        st.one_of(st.just("step"), st.tuples(st.just("goto"), st.integers(0, 60))), max_size=60
    )
)
def test_any_walk_gives_the_fold_of_its_path(walk):
    history = History(Encounter())
    for what in walk:
        if what == "step":
            step(history)
        elif what[1] in history.states:
            move(history, history.goto_target(what[1]))
        events = [e for seq in history.path for e in history.entries[seq].events]
        assert history.state.gm("count") == evolve_all(Encounter(), events).gm("count")
        assert history.state is history.states[history.head]


def test_a_chain_of_moves_is_not_walked_anew_by_each_of_them() -> None:
    class Counted(dict[int, Entry]):
        looked_up = 0

        def get(self, *arguments: Any) -> Any:
            Counted.looked_up += 1
            return super().get(*arguments)

    history = History(Encounter())
    history.entries = Counted()
    history.apply(Entry(1, "note"))
    for seq in range(2, 500):
        history.apply(Entry(seq, "goto", to=seq - 1))
    assert (history.head, history.goto_target(499), history.goto_target(250)) == (1, 1, 1)
    assert Counted.looked_up <= 2 * 500


@pytest.mark.parametrize(
    ("verb", "to", "told"),
    [
        ("undo", 4, "undoes: step 5"),
        ("undo", 2, "undoes 3: step 5; step 4; step 3"),
        (
            "undo",
            1,
            "undoes 4: step 5; step 4; step 3 and 1 more · back to entry 1: step 1",
        ),
        (
            "undo",
            0,
            "undoes 5: step 5; step 4; step 3 and 2 more · back to the beginning",
        ),
        ("goto", 3, "back to entry 3: step 3 · undoes 2: step 5; step 4"),
        (
            "goto",
            0,
            "back to the beginning · undoes 5: step 5; step 4; step 3 and 2 more",
        ),
    ],
)
def test_what_a_way_back_would_take_back_is_told(history, verb, to, told):
    assert move_in_words(history, verb, to) == told
    assert history.head == 5


def test_what_a_way_on_would_bring_back_is_told(history):
    move(history, 1)
    assert move_in_words(history, "redo", 2) == "redoes: step 2"
    told = "on to entry 5: step 5 · redoes 4: step 2; step 3; step 4 and 1 more"
    assert move_in_words(history, "goto", 5) == told


def test_a_way_to_another_branch_goes_both_ways(history):
    move(history, 3)
    step(history)  # entry 7, in place of 4 and 5
    told = "over to entry 5: step 5 · undoes: step 7 · redoes 2: step 4; step 5"
    assert move_in_words(history, "goto", 5) == told


def test_redo_tells_of_the_other_ways_on(history):
    move(history, 3)
    step(history)  # entry 7
    move(history, 3)
    told = "redoes: step 7 · another branch from here: goto 5"
    assert move_in_words(history, "redo", 7) == told
    step(history)  # entry 9
    move(history, 3)
    told = "redoes: step 9 · other branches from here: goto 7 or 5"
    assert move_in_words(history, "redo", 9) == told


def test_an_undo_that_goes_too_far_may_have_meant_an_entry(history):
    move(history, 2)
    with pytest.raises(Refused) as refusal:
        history.undo_target(5)
    told = "only 2 entries can be undone, not 5; goto 5 goes to that entry"
    assert refusal.value.message == told
    with pytest.raises(Refused, match=r"not 99$"):
        history.undo_target(99)


def test_what_was_undone_is_ahead_and_no_branch(history):
    move(history, 2)
    assert history.ahead == [3, 4, 5]
    assert history.branches() == []


def test_a_way_that_was_left_is_a_branch_from_where_it_parts(history):
    move(history, 3)
    step(history)  # entry 7, in place of 4 and 5
    assert history.ahead == []
    assert history.branches() == [AbandonedBranch(3, [4, 5])]
    move(history, 5)  # and over to it: now the other way is the branch
    assert history.branches() == [AbandonedBranch(3, [7])]


def test_branches_of_branches_part_there_and_the_newest_comes_first(history):
    move(history, 0)
    step(history)  # 7
    step(history)  # 8
    move(history, 7)
    step(history)  # 10, in place of 8
    move(history, 5)
    assert history.branches() == [AbandonedBranch(0, [7, 10]), AbandonedBranch(7, [8])]


@given(st.lists(st.one_of(st.none(), st.integers(0, 40)), max_size=40))
def test_every_entry_is_on_the_way_ahead_on_it_or_on_one_branch(steps):
    history = History(Encounter())
    for to in steps:
        if to is None or to not in history.states:
            step(history)
        else:
            move(history, history.goto_target(to))
    branches = [seq for branch in history.branches() for seq in branch.entries]
    there = [*history.path, *history.ahead, *branches]
    assert sorted(there) == [s for s, entry in history.entries.items() if entry.to is None]
    for parts, entries in history.branches():
        assert history.parents[entries[0]] == parts
        assert all(history.parents[b] == a for a, b in pairwise(entries))

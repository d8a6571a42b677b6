"""Undo, redo, goto and branches."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.core.events import Changed
from affray.core.evolve import evolve_all
from affray.core.history import Entry, History
from affray.core.refusal import Refused
from affray.core.state import Encounter


def step(history: History, amount: int = 1) -> None:
    seq = history.last + 1
    history.apply(Entry(seq, f"step {seq}", events=(Changed("", "count", amount),)))


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
    with pytest.raises(Refused, match="nothing to undo"):
        history.undo_target()


@pytest.mark.parametrize("steps", range(6))
def test_undo_goes_back_that_many(history, steps):
    assert history.undo_target(steps) == 5 - steps


def test_more_than_there_is_can_not_be_undone_or_redone(history):
    with pytest.raises(Refused, match="only 5"):
        history.undo_target(6)
    move(history, history.undo_target())
    with pytest.raises(Refused, match="only 1"):
        history.redo_target(2)


def test_another_way_is_a_branch_and_the_old_one_stays(history):
    move(history, 2)
    step(history, 10)
    assert history.state.gm("count") == 12
    assert history.off_path() == [3, 4, 5]
    with pytest.raises(Refused):
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


def test_goto_what_is_not_there(history):
    with pytest.raises(Refused, match="0 to 5"):
        history.goto_target(99)


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
